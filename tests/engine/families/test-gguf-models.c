/* SPDX-License-Identifier: MIT */
/* Models in GGUF files against what transformers computes with them, and files that are refused. */
#include "engine/transformer/session.h"
#include "engine/writing/generate.h"
#include "tests/support/bpe-cases.h"
#include "tests/support/gguf/gguf-bytes.h"
#include "tests/support/gguf/gguf-files.h"
#include "tests/support/reference.h"

#include "engine/checkpoint/safetensors.h"

/* As in record_gguf.py. */
#define VARIANT_SHARE 12
#define N_WRITTEN 8

static const char *const models[] = {
  "llama", "llama3", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "phi3", "gpt2",
  "gpt2-plain", "bert", "granite", "olmo2", "smollm3", "gptneox", "nemo", "phi4",
};
/* Whose tokenizers are recorded whole. */
static const char *const large[] = { "llama", "qwen2", NULL };

static EngTrace *
run (EngModel  *model,
     EngTokens *tokens)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { .tokens = tokens, .tasks = eng_model_get_info (model)->tasks,
                            .all_positions = TRUE };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);

  return trace;
}

static EngTokens *
tokenize (const EngModel *model,
          const char     *text)
{
  g_autoptr (GError) error = NULL;
  EngTokens *tokens = eng_tokenizer_encode (eng_model_get_tokenizer (model), text, NULL,
                                            &(EngTokenizeOptions) { 0 }, &error);

  g_assert_no_error (error);

  return tokens;
}

static void
compare_ids (const EngTokens *tokens,
             EngTensorSet    *recorded)
{
  const EngTensor *ids = eng_tensor_set_find (recorded, "ids");

  g_assert_cmpint (tokens->n, ==, ids->n_elements);
  for (int i = 0; i < tokens->n; i++)
    g_assert_cmpint (tokens->ids[i], ==, ((const gint32 *) (gconstpointer) ids->data)[i]);
}

static double
compare_layer (EngTrace     *trace,
               EngTensorSet *recorded,
               int           layer)
{
  g_autoptr (EngAttention) attention =
    eng_trace_dup_attention (trace, eng_trace_get_default_kind (trace), layer);
  g_autofree char *name = g_strdup_printf ("attentions.%d", layer);
  const EngTensor *reference = eng_tensor_set_find (recorded, name);
  const float *expected = (const float *) (gconstpointer) reference->data;
  gint64 shape[] = { attention->n_heads, attention->n_queries, attention->n_keys };
  EngMatrix matrix = { attention->weights, attention->n_heads * attention->n_queries,
                       attention->n_keys, (gsize) attention->n_keys };

  g_assert_true (eng_tensor_has_shape (reference, 3, shape));

  return reference_find_largest_difference (&matrix, expected, matrix.rows, matrix.cols);
}

static void
compare_logits (EngTrace     *trace,
                EngTensorSet *recorded)
{
  const EngTensor *reference = eng_tensor_set_find (recorded, "logits");
  const float *expected = reference ? (const float *) (gconstpointer) reference->data : NULL;
  EngMatrix logits;

  if (!reference)
    return;
  g_assert_true (eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &logits, NULL));
  logits.data += (gsize) (logits.rows - 1) * logits.stride;
  logits.rows = 1;
  g_assert_cmpfloat (reference_find_largest_difference (&logits, expected, 1, logits.cols), <=,
                     reference_get_tolerance (expected, (gsize) logits.cols));
}

/* The model goes on with the text token by token. */
static void
check_written (EngModel     *model,
               EngTokens    *tokens,
               EngTensorSet *recorded)
{
  const EngTensor *written = eng_tensor_set_find (recorded, "written");
  g_autoptr (EngGenerator) generator = NULL;
  g_autoptr (EngGeneration) settings = NULL;
  EngInputs inputs = { .tokens = tokens };
  const gint32 *ids;
  int n;

  if (!written)
    return;
  settings = eng_generation_copy (eng_model_get_generations (model, NULL)->general);
  settings->max_new_tokens = N_WRITTEN;
  generator = eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, NULL);
  while (!eng_generator_is_done (generator))
    g_assert_true (eng_generator_step (generator, NULL));
  ids = eng_generator_get_ids (generator, &n);
  g_assert_cmpmem (ids, (gsize) n * sizeof *ids, written->data, written->n_bytes);
}

static EngModel *
open_or_fail (const char *path)
{
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open (path, NULL, &error);

  g_assert_no_error (error);

  return model;
}

static void
test_model (gconstpointer name)
{
  char *folder = temporary_new ();
  g_autofree char *path = gguf_unpack (name, folder);
  g_autoptr (EngModel) model = open_or_fail (path);
  g_autoptr (GBytes) bytes = gguf_read (name, ".safetensors.gz");
  g_autoptr (EngTensorSet) recorded = eng_safetensors_open_bytes (bytes, name, NULL);
  g_autoptr (EngTokens) tokens = tokenize (model, eng_tensor_set_get_metadata (recorded, "text"));
  g_autoptr (EngTrace) trace = NULL;
  double largest = 0;

  compare_ids (tokens, recorded);
  trace = run (model, tokens);
  for (int layer = 0; layer < eng_model_get_info (model)->n_layers; layer++)
    largest = MAX (largest, compare_layer (trace, recorded, layer));
  g_test_message ("%s, %s: %d tokens, attention differs by at most %.1e", (const char *) name,
                  eng_model_get_info (model)->stored_type, tokens->n, largest);
  g_assert_cmpfloat (largest, <=, REFERENCE_TOLERANCE);
  compare_logits (trace, recorded);
  check_written (model, tokens, recorded);
  temporary_free (folder);
}

static void
test_tokenizer (gconstpointer name)
{
  char *folder = temporary_new ();
  g_autofree char *path = gguf_unpack (name, folder);
  g_autoptr (GBytes) hashes = gguf_read (name, ".hashes");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = eng_tokenizer_open (path, &error);
  gsize size;
  const guint8 *data = g_bytes_get_data (hashes, &size);
  guint share = g_strv_contains (large, name) ? 1 : VARIANT_SHARE;

  g_assert_no_error (error);
  g_assert_true (bpe_cases_check (tokenizer, name, data, share) == data + size);
  temporary_free (folder);
}

/* A folder that has nothing else is its file. */
static void
test_folder (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = gguf_unpack ("qwen2", folder);
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngModel) named = open_or_fail (path);
  g_autofree char *second = gguf_unpack ("bert", folder);
  g_autoptr (GError) error = NULL;
  EngModelInfo info;

  g_assert_cmpstr (eng_model_get_info (model)->weights_file, ==, "qwen2.gguf");
  g_assert_cmpstr (eng_model_get_info (named)->name, ==, "qwen2.gguf, quantised (Q5_0)");
  g_assert_cmpstr (eng_model_get_info (model)->stored_type, ==, "Q5_0");
  g_assert_true (eng_model_get_info (model)->quantised);
  g_assert_true (eng_model_peek (path, &info, NULL));
  g_assert_cmpstr (info.family, ==, "qwen2");
  g_assert_true (info.quantised);
  g_assert_cmpstr (info.stored_type, ==, "Q5_0");
  g_assert_true (eng_model_has_weights (path));
  g_assert_true (eng_tokenizer_has_files (path));
  g_assert_null (eng_model_open (folder, NULL, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  g_assert_nonnull (strstr (error->message, "2 GGUF files in this folder, expected one"));
  temporary_free (folder);
}

/* What a whole file is changed to: bytes that stand once or more often in its header. */
typedef struct {
  const char *model;
  const char *from;
  const char *to; /* as long */
  const char *expected;
} Change;

static void
replace (guint8       *data,
         gsize         size,
         const Change *change)
{
  gsize length = strlen (change->from);
  guint n = 0;

  g_assert_cmpuint (strlen (change->to), ==, length);
  for (gsize i = 0; i + length <= size; i++)
    if (memcmp (data + i, change->from, length) == 0) {
      memcpy (data + i, change->to, length);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

static void
test_refused (void)
{
  static const Change changes[] = {
    { "qwen2", "qwen2", "qwop2", "general.architecture is \"qwop2\", which is not supported; "
      "supported: bert, gemma" },
    { "qwen2", "general.architecture", "general.architectura",
      "general.architecture is not there, expected one of bert" },
    { "qwen2", "ggml.model", "ggml.modem",
      "no tokenizer in this file, expected tokenizer.ggml.model" },
    { "qwen2", "ggml.merges", "ggml.mergez", "tokenizer.ggml.merges is not there" },
    { "qwen2", "blk.1.attn_v.weight", "blk.1.attn_w.weight", "v_proj.weight is missing" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    char *folder = temporary_new ();
    g_autofree char *path = g_build_filename (folder, "x.gguf", NULL);
    g_autoptr (GBytes) bytes = gguf_read (changes[i].model, ".gguf.gz");
    gsize size = g_bytes_get_size (bytes);
    guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
    g_autoptr (GBytes) changed = g_bytes_new_take (data, size);
    g_autoptr (GError) error = NULL;

    replace (data, size, &changes[i]);
    gguf_write (path, changed);
    g_assert_null (eng_model_open (path, NULL, &error));
    g_test_message ("%s", error->message);
    g_assert_true (g_str_has_prefix (error->message, path));
    g_assert_nonnull (strstr (error->message, changes[i].expected));
    temporary_free (folder);
  }
}

static EngModel *
open_changed (const Change *change)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "x.gguf", NULL);
  g_autoptr (GBytes) bytes = gguf_read (change->model, ".gguf.gz");
  gsize size = g_bytes_get_size (bytes);
  guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  g_autoptr (GBytes) changed = g_bytes_new_take (data, size);
  g_autoptr (GError) error = NULL;
  EngModel *model;

  replace (data, size, change);
  gguf_write (path, changed);
  model = eng_model_open (path, NULL, &error);
  g_assert_no_error (error);
  temporary_free (folder);

  return model;
}

/* As of any folder without a tokenizer the texts are token ids. */
static void
test_without_tokenizer (void)
{
  static const Change change = { "qwen2", "ggml.tokens", "ggml.tokenz", NULL };
  g_autoptr (EngModel) model = open_changed (&change);

  g_assert_null (eng_model_get_tokenizer (model));
}

static void
test_chat_template (void)
{
  static const Change changes[] = {
    { "granite", "granite.embedding_scale", "granite.embedding_scalf", NULL },
    { "granite", "granite.embedding_scale", "tokenizer.chat_template", NULL },
  };

  for (int i = 0; i < 2; i++) {
    g_autoptr (EngModel) model = open_changed (&changes[i]);

    g_assert_cmpint (eng_tokenizer_has_chat_template (eng_model_get_tokenizer (model)), ==, i);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autofree char *numbers = g_strconcat ("/gguf-models/numbers/", models[i], NULL);
    g_autofree char *tokens = g_strconcat ("/gguf-models/tokenizer/", models[i], NULL);

    g_test_add_data_func (numbers, models[i], test_model);
    g_test_add_data_func (tokens, models[i], test_tokenizer);
  }
  g_test_add_func ("/gguf-models/folder", test_folder);
  g_test_add_func ("/gguf-models/refused", test_refused);
  g_test_add_func ("/gguf-models/without-tokenizer", test_without_tokenizer);
  g_test_add_func ("/gguf-models/chat-template", test_chat_template);

  return g_test_run ();
}
