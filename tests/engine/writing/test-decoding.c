/* SPDX-License-Identifier: MIT */
/* Laws of decoding token by token, for a model of every shape: the cache changes no number,
 * however sequences go on from one another, and what was computed on the way is what a pass of
 * the whole text computes. Equal to the last bit where the engine's own kernels multiply. */
#include "engine/writing/decoding.h"

#include "engine/kernels/isa.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
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
  "knock-out 2", "knock-out 7", "skip-feed-forward L", NULL,
};
static const char *const two_stacks_edits[] = {
  "scale 0.0 -1.5", "zero decoder L.0", "uniform cross L.0", "uniform decoder 0.0",
  "cut decoder 0.* 8 6", "cut cross 0.* 1 2 renormalise", "cut cross L.* 9 4", "knock-out 1",
  "knock-out cross 3", "knock-out decoder 5", "skip-attention cross L", "skip-feed-forward 0",
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
};

static EngModel *
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
static EngModel *
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

static EngModel *
open_model (gconstpointer data)
{
  const Case *self = data;

  return self->config ? open_config (self->config) : make_random_model (self->seed);
}

/* A text of which some tokens have another type and the encoder's last ones are padding. */
static void
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
static GArray *
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

static EngDecoding *
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
static void
step (EngDecoding  *decoding,
      const int    *parents,
      const gint32 *ids)
{
  g_autoptr (GError) error = NULL;

  eng_decoding_step (decoding, parents, ids, &error);
  g_assert_no_error (error);
}

static void
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

static void
assert_same (const float *a,
             const float *b,
             gsize        n)
{
  float largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, fabsf (a[i] - b[i]));
  g_assert_cmpfloat (largest, <=, eng_isa_get () == ENG_ISA_PORTABLE ? 1e-5f : 0);
  g_assert_false (isnan (a[0]));
}

/* Every sequence, with and without a cache, and alone. */
static void
test_cache (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  gboolean edited = ((const Case *) data)->edited;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) cached = NULL;
  g_autoptr (EngDecoding) plain = NULL;
  int parents[N_SEQUENCES];
  gint32 ids[N_SEQUENCES];
  guint32 state = 77;
  float first;

  make_inputs (model, &inputs);
  cached = decode (model, &inputs, edited, N_SEQUENCES, FALSE);
  plain = decode (model, &inputs, edited, N_SEQUENCES, TRUE);
  g_assert_cmpint (eng_decoding_get_n_classes (cached), ==, N_WORDS);
  first = eng_decoding_get_logits (cached, 0)[0];

  for (int i = 0; i < N_STEPS; i++) {
    draw_step (&state, N_SEQUENCES, parents, ids);
    step (cached, parents, ids);
    step (plain, parents, ids);
    for (int sequence = 0; sequence < N_SEQUENCES; sequence++)
      assert_same (eng_decoding_get_logits (cached, sequence),
                   eng_decoding_get_logits (plain, sequence), N_WORDS);
  }
  g_assert_cmpfloat (eng_decoding_get_logits (cached, 0)[0], !=, first);
}

/* A sequence among several is what it would be alone. */
static void
test_alone (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  gboolean edited = ((const Case *) data)->edited;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) several = NULL;
  gint32 texts[N_SEQUENCES][N_STEPS];
  int parents[N_SEQUENCES];
  gint32 ids[N_SEQUENCES];
  guint32 state = 78;

  make_inputs (model, &inputs);
  several = decode (model, &inputs, edited, N_SEQUENCES, FALSE);
  for (int i = 0; i < N_STEPS; i++) {
    gint32 before[N_SEQUENCES][N_STEPS];

    memcpy (before, texts, sizeof texts);
    draw_step (&state, N_SEQUENCES, parents, ids);
    step (several, parents, ids);
    for (int sequence = 0; sequence < N_SEQUENCES; sequence++) {
      memcpy (texts[sequence], before[parents[sequence]], sizeof texts[sequence]);
      texts[sequence][i] = ids[sequence];
    }
  }

  for (int sequence = 0; sequence < N_SEQUENCES; sequence++) {
    g_autoptr (EngDecoding) alone = decode (model, &inputs, edited, 1, FALSE);

    for (int i = 0; i < N_STEPS; i++)
      step (alone, (int[]) { 0 }, &texts[sequence][i]);
    assert_same (eng_decoding_get_logits (several, sequence), eng_decoding_get_logits (alone, 0),
                 N_WORDS);
  }
}

static void
compare_rows (gboolean         there,
              const EngMatrix *a,
              gboolean         also_there,
              const EngMatrix *b)
{
  g_assert_cmpint (there, ==, also_there);
  if (!there)
    return;
  g_assert_cmpint (a->rows, ==, b->rows);
  g_assert_cmpint (a->cols, ==, b->cols);
  for (int row = 0; row < a->rows; row++)
    assert_same (a->data + row * a->stride, b->data + row * b->stride, a->cols);
}

static void
compare_layers (EngTrace *a,
                EngTrace *b,
                EngKind   kind)
{
  typedef gboolean (*GetRows) (const EngTrace *, EngKind, int, int, EngMatrix *);
  static const GetRows parts[] = {
    eng_trace_get_queries, eng_trace_get_keys, eng_trace_get_values, eng_trace_get_position_bias,
  };
  EngMatrix first, second;

  for (int layer = 0; layer < eng_trace_get_n_layers (a, kind); layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (a, kind, layer);
    g_autoptr (EngAttention) other = eng_trace_dup_attention (b, kind, layer);
    gsize n = (gsize) attention->n_heads * attention->n_queries * attention->n_keys;

    g_assert_cmpint (n, ==, (gsize) other->n_heads * other->n_queries * other->n_keys);
    assert_same (attention->weights, other->weights, n);
    g_assert_cmpfloat (eng_trace_get_scale (a, kind, layer), ==,
                       eng_trace_get_scale (b, kind, layer));
    g_assert_cmpint (attention->mask != NULL, ==, other->mask != NULL);
    if (attention->mask)
      g_assert_cmpmem (attention->mask, (gsize) attention->n_queries * attention->n_keys,
                       other->mask, (gsize) other->n_queries * other->n_keys);
    for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
      for (int head = 0; head < attention->n_heads; head++)
        compare_rows (parts[part] (a, kind, layer, head, &first), &first,
                      parts[part] (b, kind, layer, head, &second), &second);
  }
  for (int i = 0; i <= eng_trace_get_n_layers (a, kind); i++)
    compare_rows (eng_trace_get_hidden_states (a, kind, i, &first), &first,
                  eng_trace_get_hidden_states (b, kind, i, &second), &second);
}

static void
compare_traces (EngTrace *a,
                EngTrace *b)
{
  EngMatrix first, second;
  const int *row, *other_row;

  g_assert_true (eng_trace_get_logits (a, ENG_TASK_LANGUAGE_MODEL, &first, &row));
  g_assert_true (eng_trace_get_logits (b, ENG_TASK_LANGUAGE_MODEL, &second, &other_row));
  compare_rows (TRUE, &first, TRUE, &second);
  g_assert_cmpint (*row, ==, *other_row);
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    g_assert_cmpint (eng_trace_has_kind (a, (EngKind) kind), ==,
                     eng_trace_has_kind (b, (EngKind) kind));
    if (!eng_trace_has_kind (a, (EngKind) kind))
      continue;
    g_assert_cmpint (eng_trace_get_n_layers (a, (EngKind) kind), ==,
                     eng_trace_get_n_layers (b, (EngKind) kind));
    compare_layers (a, b, (EngKind) kind);
  }
}

/* A pass of the whole text, to which ids [n] were added. */
static EngTrace *
pass (EngModel        *model,
      const EngInputs *inputs,
      gboolean         edited,
      const gint32    *ids,
      int              n)
{
  g_autoptr (GArray) edits = make_edits (model, edited);
  gboolean two_stacks = eng_model_has_two_stacks (model);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = eng_inputs_append (model, two_stacks ? inputs->decoder_tokens
                                                                      : inputs->tokens, ids, n);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = two_stacks ? inputs->tokens : tokens,
    .decoder_tokens = two_stacks ? tokens : NULL,
    .edits = (const EngEdit *) edits->data,
    .n_edits = (int) edits->len,
    .unfinished = TRUE,
    .tasks = 1u << ENG_TASK_LANGUAGE_MODEL,
  };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);

  return trace;
}

static void
test_trace (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  gboolean edited = ((const Case *) data)->edited;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) decoding = NULL;
  g_autoptr (EngTrace) at_start = NULL;
  g_autoptr (EngTrace) midway = NULL;
  g_autoptr (EngTrace) at_end = NULL;
  g_autoptr (EngTrace) start_pass = NULL;
  g_autoptr (EngTrace) midway_pass = NULL;
  g_autoptr (EngTrace) end_pass = NULL;
  int parents[N_STEPS];
  gint32 ids[N_STEPS];
  guint32 state = 79;

  make_inputs (model, &inputs);
  draw_step (&state, N_STEPS, parents, ids);
  decoding = decode (model, &inputs, edited, 1, FALSE);
  at_start = eng_decoding_dup_trace (decoding, "a", NULL);
  for (int i = 0; i < N_STEPS; i++) {
    step (decoding, (int[]) { 0 }, &ids[i]);
    if (i == 4)
      midway = eng_decoding_dup_trace (decoding, "a", NULL);
  }
  at_end = eng_decoding_dup_trace (decoding, "a", "b");
  g_clear_pointer (&decoding, eng_decoding_free);

  start_pass = pass (model, &inputs, edited, ids, 0);
  midway_pass = pass (model, &inputs, edited, ids, 5);
  end_pass = pass (model, &inputs, edited, ids, N_STEPS);
  compare_traces (at_start, start_pass);
  compare_traces (midway, midway_pass);
  compare_traces (at_end, end_pass);
  g_assert_true (eng_trace_is_complete (at_end));
  g_assert_cmpstr (eng_trace_get_text_b (at_end), ==, "b");
}

/* Up to the capacity and not beyond; a refused step leaves what there is. */
static void
test_capacity (void)
{
  g_autoptr (EngModel) model = open_model (&models[0]);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) decoding = NULL;
  g_autoptr (GError) error = NULL;
  gint32 id = 4;
  float before;

  make_inputs (model, &inputs);
  decoding = decode (model, &inputs, FALSE, 1, FALSE);
  g_assert_cmpint (eng_decoding_get_n_tokens (decoding), ==, 5);
  for (int i = 5; i < CAPACITY; i++)
    step (decoding, (int[]) { 0 }, &id);
  g_assert_cmpint (eng_decoding_get_n_tokens (decoding), ==, CAPACITY);
  before = eng_decoding_get_logits (decoding, 0)[0];

  g_assert_false (eng_decoding_step (decoding, (int[]) { 0 }, &id, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_LENGTH);
  g_assert_cmpint (eng_decoding_get_n_tokens (decoding), ==, CAPACITY);
  g_assert_cmpfloat (eng_decoding_get_logits (decoding, 0)[0], ==, before);
}

static void
assert_refused (EngModel                 *model,
                const EngInputs          *inputs,
                const EngDecodingOptions *options,
                int                       code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_decoding_new (model, inputs, options, &error));
  g_assert_error (error, ENG_ERROR, code);
}

static void
test_refusals (void)
{
  static const char encoder[] =
    "{'model_type': 'bert', 'architectures': ['BertForMaskedLM'], 'vocab_size': 41,"
    " 'hidden_size': 12, 'num_hidden_layers': 1, 'num_attention_heads': 2,"
    " 'intermediate_size': 9, 'max_position_embeddings': 24}";
  g_autoptr (EngModel) model = open_model (&models[0]);
  g_autoptr (EngModel) mute = open_config (encoder);
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) empty = { eng_tokens_new (0), NULL };
  EngDecodingOptions options = { .n_sequences = 1, .capacity = CAPACITY };

  make_inputs (model, &inputs);
  assert_refused (mute, &inputs, &options, ENG_ERROR_UNSUPPORTED);
  assert_refused (model, &empty, &options, ENG_ERROR_TEXT);
  options.capacity = inputs.tokens->n - 1;
  assert_refused (model, &inputs, &options, ENG_ERROR_LENGTH);
  options.capacity = CAPACITY + 1;
  assert_refused (model, &inputs, &options, ENG_ERROR_LENGTH);
}

/* What is no number would be written on as if it were one. */
static void
test_refuses_no_numbers (void)
{
  g_autoptr (EngModel) model = open_model (&models[0]);
  const EngStackWeights *weights = &eng_model_get_weights (model)->stacks[ENG_KIND_DECODER];
  float *scale = (float *) weights->final_norm.weight;
  g_auto (EngInputs) inputs = { 0 };
  EngDecodingOptions options = { .n_sequences = 1, .capacity = CAPACITY };

  make_inputs (model, &inputs);
  scale[2] = NAN;
  assert_refused (model, &inputs, &options, ENG_ERROR_RANGE);
}

static void
test_cancel (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  g_auto (EngInputs) inputs = { 0 };

  make_inputs (model, &inputs);
  for (int no_cache = 0; no_cache < 2; no_cache++) {
    gint cancel = 0;
    EngDecodingOptions options = {
      .n_sequences = 2, .capacity = CAPACITY, .no_cache = no_cache, .cancel = &cancel,
    };
    g_autoptr (GError) error = NULL;
    g_autoptr (EngDecoding) decoding = eng_decoding_new (model, &inputs, &options, &error);
    gboolean stepped;

    g_assert_no_error (error);
    g_atomic_int_set (&cancel, 1);
    stepped = eng_decoding_step (decoding, (int[]) { 0, 1 }, (gint32[]) { 1, 2 }, &error);
    g_assert_false (stepped);
    g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
    assert_refused (model, &inputs, &options, ENG_ERROR_CANCELLED);
  }
}

/* Padding behind the text of a model of one stack is no part of what is written on. */
static void
test_padding_is_left (void)
{
  g_autoptr (EngModel) model = open_model (&models[0]);
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) padded = { 0 };
  g_autoptr (EngDecoding) plain = NULL;
  g_autoptr (EngDecoding) other = NULL;
  g_autoptr (GError) error = NULL;
  EngTextOptions options = { .pad_to = 9 };

  eng_inputs_from_texts (model, "7 3 22 9 17", NULL, NULL, &inputs, &error);
  g_assert_no_error (error);
  eng_inputs_from_texts (model, "7 3 22 9 17", NULL, &options, &padded, &error);
  g_assert_no_error (error);
  g_assert_cmpint (padded.tokens->n, ==, 9);

  plain = decode (model, &inputs, FALSE, 1, FALSE);
  other = decode (model, &padded, FALSE, 1, FALSE);
  g_assert_cmpint (eng_decoding_get_n_tokens (other), ==, 5);
  assert_same (eng_decoding_get_logits (plain, 0), eng_decoding_get_logits (other, 0), N_WORDS);
}

/* An edit may name a token that is yet to come, but none that never will. */
static void
test_refuses_edits (void)
{
  static const struct { const char *text, *message; } cases[] = {
    { "knock-out decoder 23", NULL },
    { "knock-out decoder 24",
      "edit \"knock-out decoder 24\": there is no token 24, only 0 to 23" },
    { "cut cross 0.0 23 6", NULL },
    { "cut cross 0.0 23 7", "edit \"cut cross 0.0 23 7\": there is no token 7, only 0 to 6" },
    { "zero decoder 2.0", "edit \"zero decoder 2.0\": there is no layer 2, only 0 to 1" },
  };
  g_autoptr (EngModel) model = open_config (models[5].config);
  g_auto (EngInputs) inputs = { 0 };

  g_assert_cmpstr (models[5].name, ==, "post-norm");
  make_inputs (model, &inputs);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (EngDecoding) decoding = NULL;
    EngEdit edit;
    EngDecodingOptions options = {
      .n_sequences = 1, .capacity = CAPACITY, .edits = &edit, .n_edits = 1,
    };

    g_assert_true (eng_edit_parse (cases[i].text, &edit, NULL));
    decoding = eng_decoding_new (model, &inputs, &options, &error);
    g_assert_cmpint (decoding != NULL, ==, cases[i].message == NULL);
    if (!cases[i].message)
      continue;
    g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, cases[i].message);
  }
}

static void
add_tests (const char    *what,
           gboolean       edited,
           GTestDataFunc  func)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autofree char *path = g_strdup_printf ("/decoding/%s/%s", what, models[i].name);
    Case self = models[i];

    self.edited = edited;
    g_test_add_data_func_full (path, g_memdup2 (&self, sizeof self), func, g_free);
  }
  for (guint32 seed = 1; seed <= N_RANDOM_SPECS; seed++) {
    g_autofree char *path = g_strdup_printf ("/decoding/%s/random-%u", what, seed);
    Case self = { .seed = seed, .edited = edited };

    g_test_add_data_func_full (path, g_memdup2 (&self, sizeof self), func, g_free);
  }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add_tests ("cache", FALSE, test_cache);
  add_tests ("edited-cache", TRUE, test_cache);
  add_tests ("alone", FALSE, test_alone);
  add_tests ("edited-alone", TRUE, test_alone);
  add_tests ("trace", FALSE, test_trace);
  add_tests ("edited-trace", TRUE, test_trace);
  add_tests ("cancel", FALSE, test_cancel);
  g_test_add_func ("/decoding/refuses-edits", test_refuses_edits);
  g_test_add_func ("/decoding/capacity", test_capacity);
  g_test_add_func ("/decoding/refusals", test_refusals);
  g_test_add_func ("/decoding/no-numbers", test_refuses_no_numbers);
  g_test_add_func ("/decoding/padding-is-left", test_padding_is_left);

  return g_test_run ();
}
