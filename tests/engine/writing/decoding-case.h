/* SPDX-License-Identifier: MIT */
/* A decoding of a model of every shape, with edits and without. What must be equal is so to the last
 * bit where the engine's own kernels multiply. */
#pragma once

#include "engine/kernels/isa.h"
#include "engine/writing/decoding.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"
#include "tests/support/random-model.h"

#include <math.h>
#include <string.h>

#define N_WORDS 41
#define N_STEPS 11
#define N_SEQUENCES 4
#define N_RANDOM_SPECS 40
#define CAPACITY 24

typedef struct {
  const char *name;
  const char *config; /* NULL: of a random architecture */
  guint32     seed;
  gboolean    edited; /* with make_edits() */
} Case;

/* Of every kind, on tokens that are there and on those that are written. L is the last layer. */
static const char *const one_stack_edits[] = {
  "scale 0.0 -1.5", "uniform L.0", "cut 0.* 3 1 renormalise", "cut L.* 8 6", "cut L.0 12 12",
  "knock-out 2", "knock-out 7", "skip-feed-forward L", "temperature 0.* 0.6",
  "score-scale L.0 0.3", "head-mask L.0 causal", "no-projections 0.0", "zero-dimension L.* 0",
  "no-positions L", "no-segments", "cut L.* 6-11 4-8 renormalise", "cut 0.0 * 0-1", NULL,
};
static const char *const two_stacks_edits[] = {
  "scale 0.0 -1.5", "zero decoder L.0", "uniform cross L.0", "uniform decoder 0.0",
  "cut decoder 0.* 8 6", "cut cross 0.* 1 2 renormalise", "cut cross L.* 9 4", "knock-out 1",
  "knock-out cross 3", "knock-out decoder 5", "skip-attention cross L", "skip-feed-forward 0",
  "temperature decoder 0.* 0.6", "score-scale cross L.0 0.3", "head-mask decoder L.0 causal",
  "head-mask cross 0.0 none", "head-mask 0.0 causal", "no-projections decoder 0.0",
  "zero-dimension cross 0.* 0", "zero-dimension decoder L.* 0", "no-positions decoder L",
  "no-projections cross L.0", "cut cross L.* * 0-1 renormalise", "cut decoder 0.* 4-12 3-6 renormalise",
  NULL,
};

/* Texts here have ' for ", which C would want escaped. */
static const Case models[] = {
  { "learned-positions",
    "{'model_type': 'gpt2', 'architectures': ['GPT2LMHeadModel'], 'vocab_size': 41,"
    " 'n_positions': 24, 'n_embd': 20, 'n_layer': 3, 'n_head': 4, 'initializer_range': 0.4}" },
  { "rotary",
    "{'model_type': 'llama', 'architectures': ['LlamaForCausalLM'], 'vocab_size': 41,"
    " 'hidden_size': 24, 'num_hidden_layers': 2, 'num_attention_heads': 4,"
    " 'num_key_value_heads': 2, 'intermediate_size': 37, 'max_position_embeddings': 24}" },
  { "dynamic-rotary",
    "{'model_type': 'llama', 'architectures': ['LlamaForCausalLM'], 'vocab_size': 41,"
    " 'hidden_size': 24, 'num_hidden_layers': 2, 'num_attention_heads': 4,"
    " 'intermediate_size': 37, 'max_position_embeddings': 8,"
    " 'rope_scaling': {'type': 'dynamic', 'factor': 3.0}}" },
  { "window",
    "{'model_type': 'qwen2', 'architectures': ['Qwen2ForCausalLM'], 'vocab_size': 41,"
    " 'hidden_size': 24, 'num_hidden_layers': 3, 'num_attention_heads': 4,"
    " 'num_key_value_heads': 1, 'intermediate_size': 37, 'max_position_embeddings': 24,"
    " 'use_sliding_window': true, 'sliding_window': 3, 'max_window_layers': 1}" },
  { "relative-bias",
    "{'model_type': 't5', 'architectures': ['T5ForConditionalGeneration'], 'vocab_size': 41,"
    " 'd_model': 20, 'd_kv': 7, 'd_ff': 31, 'num_layers': 2, 'num_decoder_layers': 3,"
    " 'num_heads': 3, 'decoder_start_token_id': 0, 'relative_attention_num_buckets': 8,"
    " 'relative_attention_max_distance': 9}" },
  { "post-norm",
    "{'model_type': 'bart', 'architectures': ['BartForConditionalGeneration'], 'vocab_size': 41,"
    " 'd_model': 20, 'encoder_layers': 2, 'decoder_layers': 2, 'encoder_attention_heads': 4,"
    " 'decoder_attention_heads': 2, 'encoder_ffn_dim': 23, 'decoder_ffn_dim': 29,"
    " 'max_position_embeddings': 24}" },
  { "sinusoids",
    "{'model_type': 'marian', 'architectures': ['MarianMTModel'], 'vocab_size': 41,"
    " 'd_model': 18, 'encoder_layers': 2, 'decoder_layers': 2, 'encoder_attention_heads': 3,"
    " 'decoder_attention_heads': 3, 'encoder_ffn_dim': 23, 'decoder_ffn_dim': 29,"
    " 'max_position_embeddings': 24, 'pad_token_id': 40, 'decoder_start_token_id': 40,"
    " 'eos_token_id': 0}" },
  { "skipping-padding",
    "{'model_type': 'm2m_100', 'architectures': ['M2M100ForConditionalGeneration'],"
    " 'vocab_size': 41, 'd_model': 18, 'encoder_layers': 2, 'decoder_layers': 2,"
    " 'encoder_attention_heads': 3, 'decoder_attention_heads': 3, 'encoder_ffn_dim': 23,"
    " 'decoder_ffn_dim': 29, 'max_position_embeddings': 24}" },
};

static inline EngModel *
open_config (const char *text)
{
  g_autofree char *config = json_text (text);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-decoding-XXXXXX", &error);
  EngModel *model;

  g_assert_no_error (error);
  checkpoint_write_file (folder, "config.json", config, -1);
  model = eng_model_open_untrained (folder, NULL, 5, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return model;
}

/* A random architecture, as far as it writes. */
static inline EngModel *
make_random_model (guint32 seed)
{
  guint32 state = seed * 2654435761u + 7;
  EngHeadSpec *head;
  EngSpec spec;

  do
    test_random_spec (&spec, &state);
  while (spec.stacks[ENG_KIND_DECODER].n_layers == 0);
  head = &spec.heads[ENG_TASK_LANGUAGE_MODEL];
  head->present = TRUE;
  head->input = ENG_HEAD_TOKENS;
  head->n_classes = N_WORDS;
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    spec.stacks[kind].vocab_size = N_WORDS;
  spec.decoder_start_id = 2;

  return test_random_model_new (&spec, state, NULL);
}

static inline EngModel *
open_model (gconstpointer data)
{
  const Case *self = data;

  return self->config ? open_config (self->config) : make_random_model (self->seed);
}

/* Whether what was written stays turned as it was in a shorter text than it is a part of now. What
 * transformers writes then is in test-generate-rotary.c. */
static inline gboolean
turns_with_length (const EngModel *model)
{
  const EngStackSpec *stack = &eng_model_get_spec (model)->stacks[ENG_KIND_DECODER];

  for (int layer = 0; layer < stack->n_layers; layer++) {
    EngRotaryScaling scaling = eng_stack_spec_get_layer (stack, layer)->self.rotary.scaling;

    if (scaling == ENG_ROTARY_DYNAMIC || scaling == ENG_ROTARY_LONG)
      return TRUE;
  }

  return FALSE;
}

/* A text of which some tokens have another type and the encoder's last ones are padding. */
static inline void
make_inputs (const EngModel *model,
             EngInputs      *inputs)
{
  gboolean two_stacks = eng_model_has_two_stacks (model);
  EngTextOptions options = { .pad_to = two_stacks ? 7 : 0 };
  g_autoptr (GError) error = NULL;

  eng_inputs_from_texts (model, "7 3 22 9 17", two_stacks ? "5 30" : NULL, &options, inputs,
                         &error);
  g_assert_no_error (error);
  for (int i = 1; i < 4 && eng_model_get_spec (model)->embedding.n_types > 1; i += 2) {
    inputs->tokens->type_ids[i] = 1;
    if (two_stacks && i < inputs->decoder_tokens->n)
      inputs->decoder_tokens->type_ids[i] = 1;
  }
}

/* (transfer full) array of EngEdit. */
static inline GArray *
make_edits (const EngModel *model,
            gboolean        edited)
{
  const EngModelInfo *info = eng_model_get_info (model);
  const char *const *texts = eng_model_has_two_stacks (model) ? two_stacks_edits : one_stack_edits;
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));

  for (int i = 0; edited && texts[i]; i++) {
    g_auto (GStrv) parts = g_strsplit (texts[i], "L", 2);
    gboolean of_encoder = !strstr (texts[i], "decoder") && !strstr (texts[i], "cross");
    int last = (of_encoder || info->n_decoder_layers == 0 ? info->n_layers
                                                          : info->n_decoder_layers) - 1;
    g_autofree char *text = parts[1] ? g_strdup_printf ("%s%d%s", parts[0], last, parts[1])
                                     : g_strdup (texts[i]);
    EngEdit edit;

    g_assert_true (eng_edit_parse (text, &edit, NULL));
    g_array_append_val (edits, edit);
  }

  return edits;
}

static inline EngDecoding *
decode (EngModel        *model,
        const EngInputs *inputs,
        gboolean         edited,
        int              n_sequences,
        gboolean         no_cache)
{
  g_autoptr (GArray) edits = make_edits (model, edited);
  EngDecodingOptions options = {
    .n_sequences = n_sequences, .capacity = CAPACITY, .no_cache = no_cache,
    .edits = (const EngEdit *) edits->data, .n_edits = (int) edits->len,
  };
  g_autoptr (GError) error = NULL;
  EngDecoding *decoding = eng_decoding_new (model, inputs, &options, &error);

  g_assert_no_error (error);

  return decoding;
}

/* One token on in each sequence. */
static inline void
step (EngDecoding  *decoding,
      const int    *parents,
      const gint32 *ids)
{
  g_autoptr (GError) error = NULL;

  eng_decoding_step (decoding, parents, ids, &error);
  g_assert_no_error (error);
}

static inline void
draw_step (guint32 *state,
           int      n,
           int     *parents,
           gint32  *ids)
{
  for (int i = 0; i < n; i++) {
    parents[i] = test_random_range (state, 0, n - 1);
    ids[i] = test_random_range (state, 0, N_WORDS - 1);
  }
}

/* OpenBLAS rounds otherwise for another number of rows; all others give the same bits. */
static inline void
assert_same (const float *a,
             const float *b,
             gsize        n)
{
  float largest = 0, magnitude = 1;

  for (gsize i = 0; i < n; i++) {
    largest = MAX (largest, fabsf (a[i] - b[i]));
    magnitude = MAX (magnitude, fabsf (b[i]));
  }
  g_assert_cmpfloat (largest, <=, eng_isa_get () == ENG_ISA_PORTABLE ? 1e-5f * magnitude : 0);
  g_assert_false (isnan (a[0]));
}

/* Of each model. */
static inline void
decoding_add_tests (const char    *program,
                    const char    *what,
                    gboolean       edited,
                    GTestDataFunc  func)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autofree char *path = g_strdup_printf ("/%s/%s/%s", program, what, models[i].name);
    Case self = models[i];

    self.edited = edited;
    g_test_add_data_func_full (path, g_memdup2 (&self, sizeof self), func, g_free);
  }
  for (guint32 seed = 1; seed <= N_RANDOM_SPECS; seed++) {
    g_autofree char *path = g_strdup_printf ("/%s/%s/random-%u", program, what, seed);
    Case self = { .seed = seed, .edited = edited };

    g_test_add_data_func_full (path, g_memdup2 (&self, sizeof self), func, g_free);
  }
}
