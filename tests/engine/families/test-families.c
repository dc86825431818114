/* SPDX-License-Identifier: MIT */
/* Every family of one stack against numbers that tests/record/record_families.py recorded from
 * transformers: attention, queries, keys, values, hidden states and logits of small random
 * checkpoints. HEADLIGHT_FAMILIES names a folder of other specimens, of other seeds. */
#include "engine/families/family.h"
#include "engine/transformer/session.h"
#include "engine/writing/generate.h"
#include "tests/support/reference.h"
#include "tests/support/safetensors-bytes.h"
#include "tests/support/specimen.h"

#include <locale.h>

/* A recorded case and our trace of the same ids. */
typedef struct {
  const char   *specimen;
  EngTensorSet *expected;
  int           number;
  EngTokens    *tokens;
  GArray       *rows;    /* of int: the tokens that are no padding */
  EngTrace     *trace;
  EngKind       kind;
  double        largest_attention; /* difference */
  double        largest;           /* difference ÷ tolerance of everything else */
  int           n_compared;
} Case;

static const gint32 *
find_integers (EngTensorSet *expected,
               int           number,
               const char   *name,
               int          *n)
{
  g_autofree char *full_name = g_strdup_printf ("%d.%s", number, name);
  const EngTensor *tensor = eng_tensor_set_find (expected, full_name);

  g_assert_nonnull (tensor);
  g_assert_cmpint (tensor->type, ==, ENG_TYPE_I32);
  *n = (int) tensor->n_elements;

  return (const gint32 *) (gconstpointer) tensor->data;
}

/* The same; NULL where the case has none. */
static const gint32 *
find_if_there (EngTensorSet *expected,
               int           number,
               const char   *name)
{
  g_autofree char *full_name = g_strdup_printf ("%d.%s", number, name);
  int n;

  return eng_tensor_set_find (expected, full_name) ? find_integers (expected, number, name, &n)
                                                   : NULL;
}

/* The tokens of a case with extra ones of padding behind. */
static EngTokens *
make_tokens (EngTensorSet *expected,
             int           number,
             int           n_extra)
{
  int n;
  const gint32 *ids = find_integers (expected, number, "ids", &n);
  const gint32 *padding = find_integers (expected, number, "padding", &n);
  const gint32 *types = find_if_there (expected, number, "types");
  const gint32 *languages = find_if_there (expected, number, "languages");
  EngTokens *tokens = eng_tokens_new (n + n_extra);

  for (int i = 0; i < n + n_extra; i++) {
    tokens->ids[i] = i < n ? ids[i] : 0;
    tokens->padding[i] = i < n ? (guint8) padding[i] : 1;
    tokens->type_ids[i] = types && i < n ? types[i] : 0;
    tokens->texts[i] = g_strdup_printf ("%d", tokens->ids[i]);
  }

  if (languages)
    tokens->languages = g_new0 (gint32, n + n_extra);
  for (int i = 0; languages && i < n; i++)
    tokens->languages[i] = languages[i];

  return tokens;
}

static EngTrace *
run (EngModel  *model,
     EngTokens *tokens)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = tokens,
    .tasks = eng_model_get_info (model)->tasks,
    .all_positions = TRUE,
  };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);

  return trace;
}

/* rows of matrix, one behind the other. */
static EngMatrix
gather (const EngMatrix *matrix,
        const GArray    *rows,
        float          **data)
{
  EngMatrix gathered = { .rows = (int) rows->len, .cols = matrix->cols,
                         .stride = (gsize) matrix->cols };

  *data = g_new (float, rows->len * gathered.stride);
  for (guint i = 0; i < rows->len; i++)
    memcpy (*data + i * gathered.stride,
            matrix->data + (gsize) g_array_index (rows, int, i) * matrix->stride,
            gathered.stride * sizeof (float));
  gathered.data = *data;

  return gathered;
}

static void
compare_matrix (Case            *self,
                const EngMatrix *matrix,
                const EngTensor *tensor,
                int              head,
                const float     *reference)
{
  int n_rows = (int) tensor->shape[tensor->rank - 2];
  int n_cols = (int) tensor->shape[tensor->rank - 1];
  gboolean attention = strstr (tensor->name, ".attentions.") != NULL;
  double tolerance = attention ? REFERENCE_TOLERANCE
                               : reference_get_tolerance (reference, (gsize) n_rows * n_cols);
  g_autofree float *data = NULL;
  EngMatrix real = *matrix;
  double difference;

  if (matrix->rows == self->tokens->n)
    real = gather (matrix, self->rows, &data);
  difference = reference_find_largest_difference (&real, reference, n_rows, n_cols);
  if (difference > tolerance)
    g_error ("%s: %s, head %d: differs by %g, more than %g", self->specimen, tensor->name, head,
             difference, tolerance);

  if (attention)
    self->largest_attention = MAX (self->largest_attention, difference);
  else
    self->largest = MAX (self->largest, difference / tolerance);
  self->n_compared++;
}

typedef gboolean (*GetHead) (const EngTrace *trace,
                             EngKind         kind,
                             int             layer,
                             int             head,
                             EngMatrix      *matrix);

/* tensor [heads or key heads, rows, columns]; neighbouring query heads share a key head. */
static void
compare_heads (Case            *self,
               GetHead          get,
               const EngTensor *tensor,
               int              layer)
{
  int n_heads = eng_trace_get_n_heads (self->trace, self->kind);
  int n_shared = n_heads / (int) tensor->shape[0];
  gsize size = (gsize) (tensor->shape[1] * tensor->shape[2]);
  const float *reference = (const float *) (gconstpointer) tensor->data;

  g_assert_cmpint (n_shared * tensor->shape[0], ==, n_heads);
  for (int head = 0; head < n_heads; head++) {
    EngMatrix matrix;

    g_assert_true (get (self->trace, self->kind, layer, head, &matrix));
    compare_matrix (self, &matrix, tensor, head, reference + head / n_shared * size);
  }
}

static void
compare_attention (Case            *self,
                   const EngTensor *tensor,
                   int              layer)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (self->trace, self->kind, layer);
  gsize size = (gsize) (tensor->shape[1] * tensor->shape[2]);
  gsize n = (gsize) self->tokens->n;

  g_assert_cmpint (attention->n_heads, ==, tensor->shape[0]);
  g_assert_cmpint (attention->n_keys, >=, tensor->shape[2]);
  for (int head = 0; head < attention->n_heads; head++) {
    EngMatrix matrix = { attention->weights + head * n * n, (int) n, (int) tensor->shape[2], n };

    compare_matrix (self, &matrix, tensor, head,
                    (const float *) (gconstpointer) tensor->data + head * size);
  }
}

static void
compare_tensor (Case            *self,
                const EngTensor *tensor)
{
  static const struct {
    const char *name;
    GetHead     get;
  } of_heads[] = {
    { "queries", eng_trace_get_queries },
    { "keys", eng_trace_get_keys },
    { "values", eng_trace_get_values },
    { "content_position", eng_trace_get_content_position },
    { "position_content", eng_trace_get_position_content },
  };
  g_auto (GStrv) parts = g_strsplit (tensor->name, ".", 3);
  const float *reference = (const float *) (gconstpointer) tensor->data;
  int index = atoi (parts[2] ? parts[2] : "");
  EngMatrix matrix;
  EngTask task;

  for (guint i = 0; i < G_N_ELEMENTS (of_heads); i++)
    if (g_str_equal (parts[1], of_heads[i].name))
      compare_heads (self, of_heads[i].get, tensor, index);
  if (g_str_equal (parts[1], "attentions"))
    compare_attention (self, tensor, index);
  if (g_str_equal (parts[1], "hidden_states")) {
    g_assert_true (eng_trace_get_hidden_states (self->trace, self->kind, index, &matrix));
    compare_matrix (self, &matrix, tensor, 0, reference);
  }
  if (g_str_equal (parts[1], "logits")) {
    g_assert_true (eng_task_from_name (parts[2], &task));
    g_assert_true (eng_trace_get_logits (self->trace, task, &matrix, NULL));
    compare_matrix (self, &matrix, tensor, 0, reference);
  }
}

/* The model goes on with the text token by token. */
static void
check_written (EngTensorSet *expected,
               EngModel     *model,
               int           number)
{
  g_autofree char *name = g_strdup_printf ("%d.written", number);
  g_autoptr (EngTokens) tokens = make_tokens (expected, number, 0);
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngGenerator) generator = NULL;
  EngInputs inputs = { .tokens = tokens };
  const gint32 *written, *ids;
  int n_expected, n;

  if (!eng_tensor_set_find (expected, name))
    return;
  written = find_integers (expected, number, "written", &n_expected);
  settings->max_new_tokens = n_expected;
  generator = eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, NULL);
  while (!eng_generator_is_done (generator))
    g_assert_true (eng_generator_step (generator, NULL));

  ids = eng_generator_get_ids (generator, &n);
  g_assert_cmpint (n, ==, n_expected);
  for (int i = 0; i < n; i++)
    g_assert_cmpint (ids[i], ==, written[i]);
}

/* n_extra: tokens of padding that the reference did not have; they must change nothing. */
static void
check_case (const char   *specimen,
            EngTensorSet *expected,
            EngModel     *model,
            int           number,
            int           n_extra)
{
  g_autofree char *prefix = g_strdup_printf ("%d.", number);
  g_autoptr (EngTokens) tokens = make_tokens (expected, number, n_extra);
  g_autoptr (EngTrace) trace = run (model, tokens);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (int));
  Case self = { specimen, expected, number, tokens, rows, trace,
                eng_trace_get_default_kind (trace) };

  for (int i = 0; i < tokens->n; i++)
    if (!tokens->padding[i])
      g_array_append_val (rows, i);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (expected); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (expected, i);

    if (g_str_has_prefix (tensor->name, prefix))
      compare_tensor (&self, tensor);
  }

  g_assert_cmpint (self.n_compared, >=, 3);
  g_test_message ("%s: %d tokens, %d matrices, attention differs by at most %.1e, the rest by %.3f "
                  "tolerances", specimen, tokens->n, self.n_compared, self.largest_attention,
                  self.largest);
}

static int
count_cases (EngTensorSet *expected)
{
  int n = atoi (eng_tensor_set_get_metadata (expected, "cases"));

  g_assert_cmpint (n, >, 0);

  return n;
}

static void
test_specimen (gconstpointer specimen)
{
  g_autoptr (EngTensorSet) weights = specimen_open_weights (specimen);
  g_autoptr (GBytes) recorded = specimen_read (specimen, "expected.safetensors.gz");
  g_autoptr (EngTensorSet) expected = specimen_open (recorded, specimen);
  g_autoptr (EngConfig) config = specimen_read_config (specimen);
  g_autoptr (EngModel) model = specimen_make_model (config, weights);

  for (int i = 0; i < count_cases (expected); i++) {
    check_case (specimen, expected, model, i, 0);
    check_written (expected, model, i);
  }
}

/* Rows of padding farther behind than the window see nothing; the text's rows do not change. */
static void
test_padding_beyond_window (void)
{
  g_autoptr (GBytes) weights = specimen_read ("qwen2-window", "weights.safetensors.gz");
  g_autoptr (GBytes) recorded = specimen_read ("qwen2-window", "expected.safetensors.gz");
  g_autoptr (EngTensorSet) expected = specimen_open (recorded, "qwen2-window");
  g_autoptr (EngConfig) config = specimen_read_config ("qwen2-window");
  g_autoptr (EngModel) model = specimen_make_model_of_bytes (config, weights);

  g_assert_cmpint (config->spec.stacks[ENG_KIND_DECODER].sorts[1].self.window, ==, 4);
  check_case ("qwen2-window", expected, model, 0, 9);
}

/* The same bytes under other names. */
static GBytes *
rename_tensors (GBytes     *file,
                const char *from,
                const char *to)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (file, &size);
  guint64 length;
  g_autofree char *header = NULL;
  g_autoptr (GString) renamed = NULL;

  memcpy (&length, bytes, sizeof length);
  header = g_strndup ((const char *) bytes + sizeof length, length);
  renamed = g_string_new (header);
  g_assert_cmpuint (g_string_replace (renamed, from, to, 0), >, 0);
  while (renamed->len % 8 != 0)
    g_string_append_c (renamed, ' ');

  return safetensors_bytes_new_with_data (renamed->str, bytes + sizeof length + length,
                                          size - sizeof length - length);
}

static EngTrace *
run_first_case (const char      *specimen,
                const EngConfig *config,
                GBytes          *weights)
{
  g_autoptr (GBytes) recorded = specimen_read (specimen, "expected.safetensors.gz");
  g_autoptr (EngTensorSet) expected = specimen_open (recorded, specimen);
  g_autoptr (EngModel) model = specimen_make_model_of_bytes (config, weights);
  g_autoptr (EngTokens) tokens = make_tokens (expected, 0, 0);

  return run (model, tokens);
}

static void
assert_same_logits (const EngTrace *a,
                    const EngTrace *b,
                    EngTask         task)
{
  EngMatrix ours, others;

  g_assert_true (eng_trace_get_logits (a, task, &ours, NULL));
  g_assert_true (eng_trace_get_logits (b, task, &others, NULL));
  g_assert_cmpint (ours.cols, ==, others.cols);
  for (int row = 0; row < ours.rows; row++)
    g_assert_cmpmem (ours.data + (gsize) row * ours.stride, (gsize) ours.cols * sizeof (float),
                     others.data + (gsize) row * others.stride,
                     (gsize) others.cols * sizeof (float));
}

/* Names of one tensor in files of different age and origin. */
static void
test_names (void)
{
  static const struct {
    const char *specimen;
    EngTask     task;
    const char *from;
    const char *to;
  } cases[] = {
    { "distilbert-words", ENG_TASK_FILL_MASK, "\"distilbert.", "\"" },
    { "distilbert-words", ENG_TASK_FILL_MASK, "\"distilbert.", "\"module.distilbert." },
    { "distilbert-words", ENG_TASK_FILL_MASK, "distilbert.embeddings.word_embeddings.weight",
      "vocab_projector.weight" },
    { "roberta-words", ENG_TASK_FILL_MASK, "\"roberta.", "\"" },
    { "roberta-words", ENG_TASK_FILL_MASK, "LayerNorm.weight", "LayerNorm.gamma" },
    { "roberta-words", ENG_TASK_FILL_MASK, "LayerNorm.bias", "LayerNorm.beta" },
    { "roberta-words", ENG_TASK_FILL_MASK, "lm_head.bias", "lm_head.decoder.bias" },
    { "roberta-words", ENG_TASK_FILL_MASK, "roberta.embeddings.word_embeddings.weight",
      "lm_head.decoder.weight" },
    { "albert-words", ENG_TASK_FILL_MASK, "\"albert.", "\"" },
    { "albert-words", ENG_TASK_FILL_MASK, "predictions.bias", "predictions.decoder.bias" },
    { "albert-words", ENG_TASK_FILL_MASK, "albert.embeddings.word_embeddings.weight",
      "predictions.decoder.weight" },
    { "big-bird-entities", ENG_TASK_ENTITIES, "\"bert.", "\"" },
    { "xlm-words", ENG_TASK_FILL_MASK, "\"embeddings.weight", "\"transformer.embeddings.weight" },
    { "xlm-words", ENG_TASK_FILL_MASK, "\"embeddings.weight", "\"pred_layer.proj.weight" },
    { "modernbert-words", ENG_TASK_FILL_MASK, "\"model.", "\"" },
    { "modernbert-words", ENG_TASK_FILL_MASK, "model.embeddings.tok_embeddings.weight",
      "decoder.weight" },
    { "ctrl-untied", ENG_TASK_LANGUAGE_MODEL, "\"transformer.", "\"" },
    { "esm-words", ENG_TASK_FILL_MASK, "\"esm.", "\"" },
    { "esm-words", ENG_TASK_FILL_MASK, "LayerNorm.gamma", "LayerNorm.weight" },
    { "electra-generator", ENG_TASK_FILL_MASK, "\"electra.", "\"" },
    { "electra-generator", ENG_TASK_FILL_MASK, "electra.embeddings.word_embeddings.weight",
      "generator_lm_head.weight" },
    { "deberta-words", ENG_TASK_FILL_MASK, "\"deberta.", "\"" },
    { "deberta-words", ENG_TASK_FILL_MASK, "cls.predictions.bias", "cls.predictions.decoder.bias" },
    { "deberta-v2-words", ENG_TASK_FILL_MASK, "LayerNorm.weight", "LayerNorm.gamma" },
    { "deberta-v2-words", ENG_TASK_FILL_MASK, "deberta.embeddings.word_embeddings.weight",
      "cls.predictions.decoder.weight" },
    { "gpt2-words", ENG_TASK_LANGUAGE_MODEL, "\"transformer.", "\"" },
    { "gpt2-words", ENG_TASK_LANGUAGE_MODEL, "transformer.wte.weight", "lm_head.weight" },
    { "gpt-neox-turns", ENG_TASK_LANGUAGE_MODEL, "\"gpt_neox.", "\"" },
    { "gpt-neox-turns", ENG_TASK_LANGUAGE_MODEL, "gpt_neox.embed_in.weight", "embed_out.weight" },
    { "gpt-neox-dynamic", ENG_TASK_LANGUAGE_MODEL, "embed_out.weight", "lm_head.weight" },
    { "gpt-neo-types", ENG_TASK_LANGUAGE_MODEL, "\"transformer.", "\"" },
    { "gptj-tied", ENG_TASK_LANGUAGE_MODEL, "\"transformer.", "\"" },
    { "gptj-tied", ENG_TASK_LANGUAGE_MODEL, "transformer.wte.weight", "lm_head.weight" },
    { "llama-tied", ENG_TASK_LANGUAGE_MODEL, "\"model.", "\"" },
    { "llama-tied", ENG_TASK_LANGUAGE_MODEL, "model.embed_tokens.weight", "lm_head.weight" },
    { "llama-words", ENG_TASK_LANGUAGE_MODEL, "\"model.", "\"transformer." },
    { "llama-answers", ENG_TASK_QUESTION_ANSWERING, "\"transformer.", "\"model." },
    { "openai-gpt-words", ENG_TASK_LANGUAGE_MODEL, "\"h.", "\"transformer.h." },
    { "mistral-none", ENG_TASK_LANGUAGE_MODEL, "model.embed_tokens.weight", "lm_head.weight" },
    { "qwen2-words", ENG_TASK_LANGUAGE_MODEL, "\"model.", "\"module.model." },
    { "qwen2-window", ENG_TASK_LANGUAGE_MODEL, "\"model.", "\"transformer." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GBytes) weights = specimen_read (cases[i].specimen, "weights.safetensors.gz");
    g_autoptr (GBytes) renamed = rename_tensors (weights, cases[i].from, cases[i].to);
    g_autoptr (EngConfig) config = specimen_read_config (cases[i].specimen);
    g_autoptr (EngTrace) ours = run_first_case (cases[i].specimen, config, weights);
    g_autoptr (EngTrace) others = run_first_case (cases[i].specimen, config, renamed);

    assert_same_logits (ours, others, cases[i].task);
  }
}

/* Layers of one group share memory, others do not. */
static void
test_shared_weights (void)
{
  g_autoptr (EngTensorSet) weights = specimen_open_weights ("albert-groups");
  g_autoptr (EngConfig) config = specimen_read_config ("albert-groups");
  g_autoptr (EngModel) model = specimen_make_model (config, weights);
  const EngLayerWeights *layers = eng_model_get_weights (model)->stacks[ENG_KIND_ENCODER].layers;

  g_assert_cmpint (eng_model_get_info (model)->n_layers, ==, 6);
  g_assert_true (layers[0].up.weight == layers[2].up.weight);
  g_assert_true (layers[1].self.norm.bias == layers[3].self.norm.bias);
  g_assert_true (layers[0].up.weight != layers[1].up.weight);
  g_assert_true (layers[2].up.weight != layers[4].up.weight);
}

static void
compare_untrained (const char *specimen)
{
  g_autofree char *folder = specimen_get_folder (specimen);
  g_autoptr (EngTensorSet) weights = specimen_open_weights (specimen);
  g_autoptr (EngConfig) config = specimen_read_config (specimen);
  g_autoptr (EngModel) trained = specimen_make_model (config, weights);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) untrained = eng_model_open_untrained (folder, NULL, 7, &error);
  g_autoptr (EngTokens) tokens = eng_tokens_new (3);
  g_autoptr (EngTrace) trace = NULL;
  guint tasks = eng_model_get_info (trained)->tasks;

  g_assert_no_error (error);
  g_assert_cmpuint (eng_model_get_info (untrained)->tasks, ==, tasks);
  for (int i = 0; i < tokens->n; i++) {
    tokens->ids[i] = i + 6;
    tokens->texts[i] = g_strdup ("word");
  }
  trace = run (untrained, tokens);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngMatrix logits;

    if (!(tasks & 1u << task))
      continue;
    g_assert_true (eng_trace_get_logits (trace, (EngTask) task, &logits, NULL));
    for (int column = 0; column < logits.cols; column++)
      g_assert_true (isfinite (logits.data[column]));
  }
}

/* A config alone makes the same heads as its checkpoint has. */
static void
test_untrained (void)
{
  static const char *const specimens[] = {
    "albert-entities", "albert-labels", "albert-order", "albert-square", "albert-words",
    "bart-causal", "bert-cross", "big-bird-answers", "big-bird-causal", "big-bird-entities",
    "big-bird-labels", "big-bird-words", "ctrl-labels", "ctrl-untied", "deberta-absolute",
    "deberta-labels", "deberta-v2-buckets", "deberta-v2-convolution", "deberta-v2-groups",
    "deberta-words", "distilbert-labels", "distilbert-untied", "electra-causal", "electra-entities",
    "electra-generator", "electra-labels", "electra-replaced", "electra-square", "esm-absolute",
    "esm-bare", "esm-entities", "esm-labels", "esm-words", "gemma-entities", "gemma-words",
    "gemma2-entities", "gemma2-words", "gemma3-both-ways", "gemma3-both-ways-labels",
    "gemma3-labels", "gemma3-words", "gpt-neo-entities", "gpt-neo-labels", "gpt-neo-words",
    "gpt-neox-entities", "gpt-neox-labels", "gpt-neox-turns", "gpt-neox-words", "gpt2-cross",
    "gpt2-inverse", "gpt2-labels", "gpt2-words", "gptj-labels", "gptj-words", "granite-words",
    "llama-entities", "llama-labels", "llama-words", "marian-causal", "mbart-causal",
    "mistral-labels", "mistral-words", "modernbert-answers", "modernbert-entities",
    "modernbert-mean", "modernbert-words", "olmo2-labels", "olmo2-words", "openai-gpt-labels",
    "openai-gpt-words", "pegasus-causal", "phi3-entities", "phi3-long", "qwen2-entities",
    "qwen2-window", "qwen3-entities", "qwen3-window", "roberta-causal", "roberta-labels",
    "roberta-words", "smollm3-entities", "smollm3-words", "xlm-answers", "xlm-causal",
    "xlm-entities", "xlm-labels", "xlm-languages", "xlm-roberta-entities", "xlm-words",
  };

  for (guint i = 0; i < G_N_ELEMENTS (specimens); i++)
    compare_untrained (specimens[i]);
}

static void
add_specimens (void)
{
  g_autofree char *folder = specimen_get_folder (NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);

  g_assert_no_error (error);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_strconcat ("/engine/families/", name, NULL);

    g_test_add_data_func_full (path, g_strdup (name), test_specimen, g_free);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  add_specimens ();
  g_test_add_func ("/engine/families/padding-beyond-window", test_padding_beyond_window);
  g_test_add_func ("/engine/families/names", test_names);
  g_test_add_func ("/engine/families/shared-weights", test_shared_weights);
  g_test_add_func ("/engine/families/untrained", test_untrained);

  return g_test_run ();
}
