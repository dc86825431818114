/* SPDX-License-Identifier: MIT */
/* Models of two stacks against numbers that tests/record/record_seq2seq.py recorded from
 * transformers, and the laws that a text read by itself through cross-attention is self-attention
 * and that padding changes nothing. */
#include "engine/base/json.h"
#include "engine/checkpoint/safetensors.h"
#include "engine/spec/positions.h"
#include "tests/support/gzip.h"
#include "tests/support/reference.h"
#include "tests/support/seq2seq.h"

#include <locale.h>
#include <string.h>

/* A recorded case and our trace of the same ids. */
typedef struct {
  EngTensorSet *expected;
  int           number;
  EngInputs     inputs;
  EngTrace     *trace;
  double        largest_attention; /* difference */
  double        largest;           /* difference ÷ tolerance of everything else */
  int           n_compared;
} Case;

/* A part of a trace by the name that the recording has for it. Attention is kept in *attention. */
static void
get_matrix (const Case    *self,
            char         **parts,
            int            head,
            EngAttention **attention,
            EngMatrix     *matrix)
{
  EngKind kind = ENG_KIND_ENCODER;
  EngTask task;
  int index;

  if (g_str_equal (parts[0], "logits")) {
    g_assert_true (eng_task_from_name (parts[1], &task));
    g_assert_true (eng_trace_get_logits (self->trace, task, matrix, NULL));
    return;
  }
  g_assert_true (eng_kind_from_name (parts[0], &kind));
  index = atoi (parts[2]);
  if (g_str_equal (parts[1], "queries"))
    g_assert_true (eng_trace_get_queries (self->trace, kind, index, head, matrix));
  else if (g_str_equal (parts[1], "keys"))
    g_assert_true (eng_trace_get_keys (self->trace, kind, index, head, matrix));
  else if (g_str_equal (parts[1], "values"))
    g_assert_true (eng_trace_get_values (self->trace, kind, index, head, matrix));
  else if (g_str_equal (parts[1], "position_bias"))
    g_assert_true (eng_trace_get_position_bias (self->trace, kind, index, head, matrix));
  else if (g_str_equal (parts[1], "hidden_states"))
    g_assert_true (eng_trace_get_hidden_states (self->trace, kind, index, matrix));
  else {
    g_assert_cmpstr (parts[1], ==, "attentions");
    *attention = eng_trace_dup_attention (self->trace, kind, index);
    *matrix = (EngMatrix) {
      .data = (*attention)->weights + (gsize) head * (*attention)->n_queries * (*attention)->n_keys,
      .rows = (*attention)->n_queries,
      .cols = (*attention)->n_keys,
      .stride = (*attention)->n_keys,
    };
  }
}

static void
compare_head (Case            *self,
              const EngTensor *tensor,
              char           **parts,
              int              head)
{
  int rows = (int) tensor->shape[tensor->rank - 2], cols = (int) tensor->shape[tensor->rank - 1];
  const float *reference = (const float *) (gconstpointer) tensor->data
                           + (gsize) head * rows * cols;
  g_autoptr (EngAttention) attention = NULL;
  EngMatrix matrix;
  double tolerance, difference;

  get_matrix (self, parts, head, &attention, &matrix);
  tolerance = attention ? REFERENCE_TOLERANCE
                        : reference_get_tolerance (reference, (gsize) rows * cols);
  difference = reference_find_largest_difference (&matrix, reference, rows, cols);
  if (difference > tolerance)
    g_error ("%s, head %d: differs by %g, more than %g", tensor->name, head, difference, tolerance);
  if (attention)
    self->largest_attention = MAX (self->largest_attention, difference);
  else
    self->largest = MAX (self->largest, difference / tolerance);
  self->n_compared++;
}

static void
compare_tensor (Case            *self,
                const EngTensor *tensor)
{
  g_auto (GStrv) parts = g_strsplit (strchr (tensor->name, '.') + 1, ".", 3);
  int n_heads = tensor->rank == 3 ? (int) tensor->shape[0] : 1;
  EngKind kind;

  if (g_str_equal (parts[0], "decoder_ids")) {
    g_assert_cmpmem (self->inputs.decoder_tokens->ids,
                     self->inputs.decoder_tokens->n * sizeof (gint32), tensor->data,
                     tensor->n_bytes);
    return;
  }
  g_assert_true (eng_tensor_is_plain_f32 (tensor));
  if (tensor->rank == 3 && eng_kind_from_name (parts[0], &kind))
    g_assert_cmpint (n_heads, ==, eng_trace_get_n_heads (self->trace, kind));
  for (int head = 0; head < n_heads; head++)
    compare_head (self, tensor, parts, head);
}

static const char *
get_metadata (const Case *self,
              const char *key)
{
  g_autofree char *name = g_strdup_printf ("%d.%s", self->number, key);

  return eng_tensor_set_get_metadata (self->expected, name);
}

static void
check_case (EngModel     *model,
            EngTensorSet *expected,
            const char   *name,
            int           number)
{
  Case self = { .expected = expected, .number = number };
  g_autofree char *prefix = g_strdup_printf ("%d.", number);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  EngTextOptions options = {
    .pad_to = atoi (get_metadata (&self, "pad_to")),
    .repeat = g_str_equal (get_metadata (&self, "repeat"), "1"),
  };

  eng_inputs_from_texts (model, get_metadata (&self, "text_a"), get_metadata (&self, "text_b"),
                         &options, &self.inputs, &error);
  g_assert_no_error (error);
  self.trace = trace = seq2seq_run (model, &self.inputs, NULL, 0);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (expected); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (expected, i);

    if (g_str_has_prefix (tensor->name, prefix))
      compare_tensor (&self, tensor);
  }

  g_assert_cmpint (self.n_compared, >, 10);
  g_test_message ("%s, case %d: %d matrices, attention differs by at most %.1e, the rest by %.3f "
                  "tolerances", name, number, self.n_compared, self.largest_attention,
                  self.largest);
  eng_inputs_clear (&self.inputs);
}

static void
test_numbers (gconstpointer name)
{
  g_autofree char *folder = seq2seq_get_folder (name);
  g_autofree char *path = g_build_filename (folder, "expected.safetensors.gz", NULL);
  g_autoptr (EngModel) model = seq2seq_open (name);
  g_autoptr (GBytes) bytes = gzip_read (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) expected = eng_safetensors_open_bytes (bytes, path, &error);
  int n_cases;

  g_assert_no_error (error);
  n_cases = atoi (eng_tensor_set_get_metadata (expected, "cases"));
  g_assert_cmpint (n_cases, >, 0);
  for (int i = 0; i < n_cases; i++)
    check_case (model, expected, name, i);
}

/* Every distance up to beyond the largest that has a bucket of its own. */
static void
test_buckets (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("seq2seq/buckets.json.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) lines = eng_json_parse (g_bytes_get_data (bytes, NULL),
                                            g_bytes_get_size (bytes), 4, "buckets.json", &error);
  const cJSON *line;
  int n = 0;

  g_assert_no_error (error);
  cJSON_ArrayForEach (line, lines) {
    EngRelativeBias bias = { cJSON_GetArrayItem (line, 0)->valueint,
                             cJSON_GetArrayItem (line, 1)->valueint };
    gboolean two_sided = cJSON_GetArrayItem (line, 2)->valueint;
    const cJSON *buckets = cJSON_GetArrayItem (line, 3), *bucket;
    int distance = -cJSON_GetArraySize (buckets) / 2;

    cJSON_ArrayForEach (bucket, buckets) {
      g_assert_cmpint (eng_relative_bias_get_bucket (&bias, distance, two_sided), ==,
                       bucket->valueint);
      distance++;
      n++;
    }
  }
  g_assert_cmpint (n, >, 50000);
}

static void
zero_linear (EngLinear *linear,
             const float *zeros)
{
  linear->weight = zeros;
  linear->bias = NULL;
}

/* A model whose decoder hands the embedding of its tokens to cross-attention, which has the weights
 * of the encoder's first layer and reads the embedding of the encoder's tokens. */
static EngModel *
open_mirrored (float *zeros)
{
  g_autofree char *folder = seq2seq_get_folder ("bart-untied");
  EngLoadedWeights *loaded = seq2seq_load (folder);
  EngSpec *spec = &loaded->spec;
  EngStackWeights *encoder = &loaded->weights.stacks[ENG_KIND_ENCODER];
  EngStackWeights *decoder = &loaded->weights.stacks[ENG_KIND_DECODER];
  EngLayerWeights *layer = &decoder->layers[0];

  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    EngLayerSpec *layers = &spec->stacks[kind].sorts[0];

    layers->attention_norm = layers->feed_forward_norm = ENG_NORM_PRE;
    spec->stacks[kind].final_norm = TRUE;
  }
  spec->stacks[ENG_KIND_DECODER].n_layers = 1;
  encoder->final_norm = decoder->final_norm = layer->cross.norm = encoder->layers[0].self.norm;
  decoder->embedding_norm = encoder->embedding_norm;
  decoder->word = encoder->word;
  decoder->position = encoder->position;
  layer->cross = encoder->layers[0].self;
  zero_linear (&layer->self.output, zeros);
  zero_linear (&layer->down, zeros);

  return seq2seq_make_model (loaded);
}

/* CrossAttention (x, x) = SelfAttention (x), without a mask and a bias. */
static void
test_cross_is_self (void)
{
  g_autofree float *zeros = g_new0 (float, 1 << 12);
  g_autoptr (EngModel) model = open_mirrored (zeros);
  EngEdit silent[] = {
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SKIP_ATTENTION },
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SKIP_FEED_FORWARD },
  };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) embedded = NULL, read = NULL;
  g_autoptr (EngAttention) self = NULL, cross = NULL;
  EngMatrix states, cross_states;

  eng_inputs_from_texts (model, "2 9 14 23 30 41", "9 14 23 30 41", NULL, &inputs, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (inputs.tokens->ids, 6 * sizeof (gint32), inputs.decoder_tokens->ids,
                   inputs.decoder_tokens->n * sizeof (gint32));
  embedded = seq2seq_run (model, &inputs, silent, 2);
  self = eng_trace_dup_attention (embedded, ENG_KIND_ENCODER, 0);
  cross = eng_trace_dup_attention (embedded, ENG_KIND_CROSS, 0);
  g_assert_cmpint (self->n_heads, ==, cross->n_heads);
  g_assert_cmpmem (self->weights, sizeof (float) * self->n_heads * 36,
                   cross->weights, sizeof (float) * cross->n_heads * 36);

  /* And what the sub-layer adds is the same. */
  read = seq2seq_run (model, &inputs, silent + 1, 1);
  g_assert_true (eng_trace_get_hidden_states (read, ENG_KIND_ENCODER, 1, &states));
  g_assert_true (eng_trace_get_hidden_states (embedded, ENG_KIND_DECODER, 1, &cross_states));
  g_assert_cmpfloat (reference_find_largest_difference (&cross_states, states.data, states.rows,
                                                        states.cols), <=, 1e-6);
}

/* Padding of the encoder changes nothing but that it is there: hidden from both stacks. */
static void
test_padding_changes_nothing (gconstpointer specimen)
{
  g_autoptr (EngModel) model = seq2seq_open (specimen);
  EngTextOptions options = { .pad_to = 17 };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) plain = seq2seq_run_texts (model, "5 9 14 23 2", "7 30");
  g_autoptr (EngTrace) padded = NULL;
  g_autoptr (EngAttention) cross = NULL;
  EngMatrix logits, padded_logits;

  eng_inputs_from_texts (model, "5 9 14 23 2", "7 30", &options, &inputs, &error);
  g_assert_no_error (error);
  padded = seq2seq_run (model, &inputs, NULL, 0);
  cross = eng_trace_dup_attention (padded, ENG_KIND_CROSS, 0);
  g_assert_cmpint (cross->n_keys, ==, 17);
  for (int key = 0; key < 17; key++)
    g_assert_cmpint (cross->mask[key], ==, key < 5);
  g_assert_true (eng_trace_get_logits (plain, ENG_TASK_LANGUAGE_MODEL, &logits, NULL));
  g_assert_true (eng_trace_get_logits (padded, ENG_TASK_LANGUAGE_MODEL, &padded_logits, NULL));
  g_assert_cmpfloat (reference_find_largest_difference (&padded_logits, logits.data, logits.rows,
                                                        logits.cols), <=,
                     reference_get_tolerance (logits.data, (gsize) logits.rows * logits.cols));
}

static const char *const specimens[] = {
  "t5-tied", "t5-gated", "t5-scaled-silu", "t5-start", "t5-encoder",
  "t5-classifier", "t5-answers", "t5-entities",
  "bart-base", "bart-scaled", "bart-untied", "bart-classifier", "bart-answers",
  "marian-apart", "marian-shared", "marian-untied",
  "m2m-tied", "m2m-odd", "m2m-base",
  "mbart-tied", "mbart-untied", "mbart-classifier", "mbart-answers",
  "pegasus-computed", "pegasus-stored",
};

/* One a family. */
static const char *const padded[] = {
  "t5-tied", "bart-base", "marian-shared", "m2m-tied", "mbart-tied", "pegasus-computed",
};

static void
add_tests (const char        *group,
           const char *const *names,
           guint              n,
           GTestDataFunc      func)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *path = g_strconcat ("/engine/seq2seq/", group, "/", names[i], NULL);

    g_test_add_data_func (path, names[i], func);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  add_tests ("numbers", specimens, G_N_ELEMENTS (specimens), test_numbers);
  add_tests ("padding", padded, G_N_ELEMENTS (padded), test_padding_changes_nothing);
  g_test_add_func ("/engine/seq2seq/buckets", test_buckets);
  g_test_add_func ("/engine/seq2seq/cross-is-self", test_cross_is_self);

  return g_test_run ();
}
