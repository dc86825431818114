/* SPDX-License-Identifier: MIT */
/* A model of tests/fixtures/training as weights that can be written, with its recorded batches. */
#pragma once

#include "engine/training/parameters-private.h"
#include "engine/training/step.h"
#include "tests/engine/training/recorded.h"

typedef struct {
  EngParameters *parameters;
  EngTensorSet  *recorded;
  EngTask        task;
  gint32        *labels;    /* of all batches, [batches, texts, tokens] */
  guint8        *visible;   /* of what one stack reads, or the encoder of two */
  int            n_batches;
  EngBatch       batch;     /* the one that was asked for last */
} RecordedModel;

static inline char *
recorded_model_get_folder (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "training", name, NULL);
}

static inline const gint32 *
recorded_model_find_ints (const RecordedModel *self,
                          const char          *name)
{
  const EngTensor *tensor = eng_tensor_set_find (self->recorded, name);

  return tensor ? (const gint32 *) (gconstpointer) tensor->data : NULL;
}

/* Of two stacks the decoder's tokens are the batch's, and what the encoder reads its source. */
static inline void
recorded_model_get_pairs (RecordedModel *self,
                          gsize          first_source,
                          gsize          first)
{
  self->batch.ids = recorded_model_find_ints (self, "decoder_input_ids") + first;
  self->batch.source_ids = recorded_model_find_ints (self, "input_ids") + first_source;
  self->batch.source_visible = self->visible + first_source;
}

/* Batch number i, which counts on from the first when there are no more. */
static inline const EngBatch *
recorded_model_get_batch (RecordedModel *self,
                          int            i)
{
  gsize before = (gsize) (i % self->n_batches * self->batch.n_sequences);
  gsize first = before * (gsize) self->batch.n;
  const gint32 *type_ids = recorded_model_find_ints (self, "token_type_ids");

  self->batch.labels = self->labels + first;
  if (self->batch.n_source > 0) {
    recorded_model_get_pairs (self, before * (gsize) self->batch.n_source, first);
    return &self->batch;
  }
  self->batch.ids = recorded_model_find_ints (self, "input_ids") + first;
  self->batch.type_ids = type_ids ? type_ids + first : NULL;
  self->batch.visible = self->visible + first;

  return &self->batch;
}

static inline void
recorded_model_fill_labels (RecordedModel *self)
{
  gsize size = (gsize) (self->batch.n_sequences * self->batch.n);

  if (self->task != ENG_TASK_LANGUAGE_MODEL || self->batch.n_source > 0)
    return;
  for (int i = 0; i < self->n_batches; i++)
    eng_batch_label_next_words (recorded_model_get_batch (self, i),
                                self->labels + (gsize) i * size);
}

static inline RecordedModel *
recorded_model_new (const char *name,
                    EngTask     task)
{
  RecordedModel *self = g_new0 (RecordedModel, 1);
  g_autofree char *folder = recorded_model_get_folder (name);
  g_autofree char *file = g_build_filename (name, "recorded.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  const EngTensor *ids, *labels;
  const gint32 *visible;

  self->task = task;
  self->parameters = eng_parameters_open (folder, 1, &error);
  g_assert_no_error (error);
  self->recorded = recorded_open (file);
  ids = eng_tensor_set_find (self->recorded, "input_ids");
  self->n_batches = (int) ids->shape[0];
  labels = eng_tensor_set_find (self->recorded, "labels");
  self->batch.n_sequences = (int) ids->shape[1];
  self->batch.n = (int) labels->shape[2];
  if (eng_tensor_set_find (self->recorded, "decoder_input_ids"))
    self->batch.n_source = (int) ids->shape[2];
  visible = recorded_model_find_ints (self, "attention_mask");
  self->visible = g_new (guint8, ids->n_elements);
  self->labels = g_memdup2 (recorded_model_find_ints (self, "labels"),
                            sizeof (gint32) * (gsize) labels->n_elements);
  for (gint64 i = 0; i < ids->n_elements; i++)
    self->visible[i] = visible[i] != 0;
  recorded_model_fill_labels (self);

  return self;
}

static inline void
recorded_model_free (RecordedModel *self)
{
  eng_parameters_free (self->parameters);
  eng_tensor_set_unref (self->recorded);
  g_free (self->labels);
  g_free (self->visible);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RecordedModel, recorded_model_free)

static inline EngStep *
recorded_model_start (const RecordedModel *self)
{
  EngStepSettings settings = { .task = self->task };
  g_autoptr (GError) error = NULL;
  EngStep *step = eng_step_new (eng_parameters_get_spec (self->parameters),
                                eng_parameters_get_weights (self->parameters),
                                eng_parameters_get_gradients (self->parameters), &settings,
                                &error);

  g_assert_no_error (error);

  return step;
}
