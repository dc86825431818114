/* SPDX-License-Identifier: MIT */
#include "engine/training/trainer.h"

#include <math.h>

#include "engine/kernels/random.h"
#include "engine/training/checkpoint.h"

/* Streams of the seed. */
#define STREAM_PASSES 0
#define STREAM_DROPOUT 1
#define STREAM_HELD_OUT 2
/* Streams of a pass. */
#define STREAM_ORDER 0
#define STREAM_MASKS 1

struct _EngTrainer {
  EngParameters      *parameters;
  const EngTexts     *texts;
  EngTrainerSettings  settings;
  EngStep            *step;
  EngOptimizer       *optimizer;

  gint64              pass;
  GPtrArray          *batches;  /* of the pass, not yet asked */
  guint               next;     /* of them */
  gint64              n_taken;  /* batches so far */
};

static guint64
get_pass_key (const EngTrainer *self)
{
  return eng_random_key (eng_random_key (self->settings.seed, STREAM_PASSES),
                         (guint64) self->pass);
}

static void
begin_pass (EngTrainer *self,
            gint64      pass)
{
  g_clear_pointer (&self->batches, g_ptr_array_unref);
  self->pass = pass;
  self->next = 0;
  self->batches = eng_texts_make_batches (self->texts, FALSE, self->settings.n_tokens,
                                          eng_random_key (get_pass_key (self), STREAM_ORDER));
}

EngTrainer *
eng_trainer_new (EngParameters             *parameters,
                 const EngTexts            *texts,
                 const EngTrainerSettings  *settings,
                 GError                   **error)
{
  g_autoptr (EngTrainer) self = g_new0 (EngTrainer, 1);

  self->parameters = parameters;
  self->texts = texts;
  self->settings = *settings;
  self->step = eng_step_new (eng_parameters_get_spec (parameters),
                             eng_parameters_get_weights (parameters),
                             eng_parameters_get_gradients (parameters), &settings->step, error);
  self->optimizer = self->step ? eng_optimizer_new (parameters, &settings->optimizer, error) : NULL;
  if (!self->optimizer)
    return NULL;
  begin_pass (self, 0);

  return g_steal_pointer (&self);
}

void
eng_trainer_free (EngTrainer *self)
{
  g_clear_pointer (&self->step, eng_step_free);
  g_clear_pointer (&self->optimizer, eng_optimizer_free);
  g_clear_pointer (&self->batches, g_ptr_array_unref);
  g_free (self);
}

/* To the batch number n of all passes; how many a pass has is known when it is laid out. */
static void
go_to (EngTrainer *self,
       gint64      n)
{
  gint64 before = 0;

  for (begin_pass (self, 0); before + self->batches->len <= n; begin_pass (self, self->pass + 1))
    before += self->batches->len;
  self->next = (guint) (n - before);
  self->n_taken = n;
}

gboolean
eng_trainer_resume (EngTrainer  *self,
                    const char  *folder,
                    GError     **error)
{
  gint64 n_steps;

  if (!eng_training_resume (self->optimizer, self->parameters, folder, error))
    return FALSE;
  n_steps = eng_optimizer_get_n_steps (self->optimizer);
  /* The batches of all steps are laid out on the way. */
  if (n_steps > G_MAXINT32) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: the state is of step %" G_GINT64_FORMAT ", expected at most %d", folder,
                 n_steps, G_MAXINT32);
    return FALSE;
  }
  go_to (self, n_steps * self->settings.n_together);

  return TRUE;
}

gboolean
eng_trainer_save (EngTrainer  *self,
                  const char  *folder,
                  GError     **error)
{
  return eng_training_save (self->parameters, self->optimizer, folder, self->settings.half, error);
}

gint64
eng_trainer_get_n_steps (const EngTrainer *self)
{
  return eng_optimizer_get_n_steps (self->optimizer);
}

void
eng_trainer_set_schedule (EngTrainer        *self,
                          const EngSchedule *schedule)
{
  self->settings.schedule = *schedule;
}

/* Masked words: hides them in the batch, which is not asked again. Translations and other
 * tasks have their labels. */
static void
ask (const EngTrainer *self,
     EngTextsBatch    *batch,
     guint64           key)
{
  int n = batch->batch.n;

  if (batch->batch.n_source > 0)
    return;
  if (self->settings.step.task == ENG_TASK_LANGUAGE_MODEL)
    eng_batch_label_next_words (&batch->batch, batch->labels);
  if (self->settings.step.task != ENG_TASK_FILL_MASK)
    return;
  for (int row = 0; row < batch->batch.n_sequences; row++) {
    gsize first = (gsize) (row * n);

    eng_masking_apply (&self->settings.masking, eng_random_key (key, (guint64) row), n,
                       batch->special + first, batch->words + first, batch->ids + first,
                       batch->labels + first);
  }
}

static int
count_tokens (const EngTextsBatch *batch)
{
  int n = 0;

  for (int i = 0; i < batch->batch.n_sequences * batch->batch.n; i++)
    n += batch->visible[i];
  for (int i = 0; i < batch->batch.n_sequences * batch->batch.n_source; i++)
    n += batch->source_visible[i];

  return n;
}

/* The next batch, asked; the pass's. */
static EngTextsBatch *
take_batch (EngTrainer *self)
{
  EngTextsBatch *batch;
  guint64 masks;

  if (self->next == self->batches->len)
    begin_pass (self, self->pass + 1);
  masks = eng_random_key (get_pass_key (self), STREAM_MASKS);
  batch = self->batches->pdata[self->next];
  ask (self, batch, eng_random_key (masks, self->next));
  self->next++;
  self->n_taken++;

  return batch;
}

static gboolean
is_cancelled (const gint  *cancel,
              GError     **error)
{
  if (!cancel || g_atomic_int_get (cancel) == 0)
    return FALSE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the training was stopped");

  return TRUE;
}

/* Adds up the gradients of the step's batches; several of one pass are taken before the first is
 * read, because each is weighed with the labels of all. */
static gboolean
run_batches (EngTrainer          *self,
             const gint          *cancel,
             EngTrainerProgress  *progress,
             GError             **error)
{
  guint64 dropout = eng_random_key (self->settings.seed, STREAM_DROPOUT);
  g_autoptr (GPtrArray) passes = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                                                 g_ptr_array_unref);
  g_autoptr (GPtrArray) batches = g_ptr_array_new ();
  double sum = 0;

  for (int i = 0; i < self->settings.n_together; i++) {
    EngTextsBatch *batch = take_batch (self);

    /* Another pass may begin meanwhile. */
    g_ptr_array_add (passes, g_ptr_array_ref (self->batches));
    g_ptr_array_add (batches, batch);
    progress->n_labels += eng_batch_count_labels (&batch->batch);
    progress->n_tokens += count_tokens (batch);
    progress->n_words += batch->n_words;
  }
  progress->pass = self->pass;
  for (guint i = 0; i < batches->len; i++) {
    const EngTextsBatch *batch = batches->pdata[i];
    guint64 number = (guint64) (self->n_taken - batches->len + i);
    double loss;

    if (!eng_step_run (self->step, &batch->batch, MAX (progress->n_labels, 1),
                       eng_random_key (dropout, number), cancel, &loss, error) ||
        is_cancelled (cancel, error))
      return FALSE;
    sum += loss;
  }
  progress->loss = sum / MAX (progress->n_labels, 1);

  return TRUE;
}

gboolean
eng_trainer_step (EngTrainer          *self,
                  const gint          *cancel,
                  EngTrainerProgress  *progress,
                  GError             **error)
{
  gint64 n_steps = eng_optimizer_get_n_steps (self->optimizer), n_taken = self->n_taken;

  *progress = (EngTrainerProgress) { .step = n_steps + 1 };
  progress->rate = eng_schedule_get_rate (&self->settings.schedule, n_steps);
  if (run_batches (self, cancel, progress, error) &&
      eng_optimizer_step (self->optimizer, progress->rate, &progress->norm, error))
    return TRUE;
  eng_parameters_clear_gradients (self->parameters);
  go_to (self, n_taken);

  return FALSE;
}

gboolean
eng_trainer_evaluate (EngTrainer  *self,
                      const gint  *cancel,
                      double      *loss,
                      GError     **error)
{
  guint64 key = eng_random_key (self->settings.seed, STREAM_HELD_OUT);
  g_autoptr (GPtrArray) batches =
    eng_texts_make_batches (self->texts, TRUE, self->settings.n_tokens,
                            eng_random_key (key, STREAM_ORDER));
  guint64 masks = eng_random_key (key, STREAM_MASKS);
  double sum = 0;
  gint64 n = 0;

  for (guint i = 0; i < batches->len; i++) {
    EngTextsBatch *batch = batches->pdata[i];
    double part;

    ask (self, batch, eng_random_key (masks, i));
    n += eng_batch_count_labels (&batch->batch);
    if (!eng_step_evaluate (self->step, &batch->batch, cancel, &part, error) ||
        is_cancelled (cancel, error))
      return FALSE;
    sum += part;
  }
  *loss = n > 0 ? sum / (double) n : NAN;

  return TRUE;
}
