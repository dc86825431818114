/* SPDX-License-Identifier: MIT */
/* The recorded checkpoints of two stacks in tests/fixtures/seq2seq, or of another folder that
 * HEADLIGHT_SEQ2SEQ names. They hold no tokenizer: texts are ids. */
#pragma once

#include "engine/families/weights.h"
#include "engine/families/weights-file.h"
#include "engine/transformer/inputs.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"

static inline char *
seq2seq_get_folder (const char *name)
{
  const char *others = g_getenv ("HEADLIGHT_SEQ2SEQ");

  return others ? g_build_filename (others, name, NULL)
                : g_test_build_filename (G_TEST_DIST, "fixtures", "seq2seq", name, NULL);
}

/* (transfer full) what seq2seq_make_model() takes. */
static inline EngLoadedWeights *
seq2seq_load (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_read (folder, &error);
  g_autoptr (EngTensorSet) file = config ? eng_weights_open_file (folder, &error) : NULL;
  EngLoadedWeights *loaded = file ? eng_weights_load (file, config, &error) : NULL;

  g_assert_no_error (error);

  return loaded;
}

static inline EngModel *
seq2seq_make_model (EngLoadedWeights *loaded)
{
  return eng_model_new_from_weights (&loaded->spec, &loaded->weights,
                                     (GDestroyNotify) eng_weights_free, loaded);
}

static inline EngModel *
seq2seq_open (const char *name)
{
  g_autofree char *folder = seq2seq_get_folder (name);

  return seq2seq_make_model (seq2seq_load (folder));
}

/* With all heads at all positions. */
static inline EngTrace *
seq2seq_run (EngModel        *model,
             const EngInputs *inputs,
             const EngEdit   *edits,
             int              n_edits)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = inputs->tokens,
    .decoder_tokens = inputs->decoder_tokens,
    .edits = edits,
    .n_edits = n_edits,
    .tasks = (1u << ENG_N_TASKS) - 1,
    .all_positions = TRUE,
  };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);

  return trace;
}

static inline EngTrace *
seq2seq_run_texts (EngModel   *model,
                   const char *text_a,
                   const char *text_b)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;

  eng_inputs_from_texts (model, text_a, text_b, NULL, &inputs, &error);
  g_assert_no_error (error);

  return seq2seq_run (model, &inputs, NULL, 0);
}
