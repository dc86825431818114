/* SPDX-License-Identifier: MIT */
/* How checkpoints of two stacks lie on disk: the names of their tensors, half a file, configs that
 * say too little or what cannot be, no weights at all; and the trace file of two stacks. */
#include "engine/base/error.h"
#include "engine/checkpoint/safetensors.h"
#include "engine/trace/trace-file.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/seq2seq.h"
#include "tests/support/temporary.h"

#include <locale.h>
#include <string.h>

/* Renames tensors of a specimen's file; rename gives the new names of one, none to leave it out. */
typedef void (*Rename) (const char *name,
                        GPtrArray  *names);

static char *
copy_renamed (const char *specimen,
              Rename      rename)
{
  static const char *const files[] = { "config.json", "generation_config.json" };
  g_autofree char *source = seq2seq_get_folder (specimen);
  g_autofree char *from = g_build_filename (source, "model.safetensors", NULL);
  char *folder = temporary_new ();
  g_autofree char *to = g_build_filename (folder, "model.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) tensors = eng_safetensors_open (from, &error);
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (EngTensorSource));
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    gsize size;
    g_autofree char *bytes = checkpoint_read_file (source, files[i], &size);

    checkpoint_write_file (folder, files[i], bytes, (gssize) size);
  }
  for (int i = 0; i < eng_tensor_set_get_n_tensors (tensors); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (tensors, i);
    guint first = names->len;

    rename (tensor->name, names);
    for (guint k = first; k < names->len; k++) {
      EngTensorSource renamed = { .name = names->pdata[k], .type = tensor->type,
                                  .rank = tensor->rank, .data = tensor->data };

      memcpy (renamed.shape, tensor->shape, sizeof renamed.shape);
      g_array_append_val (sources, renamed);
    }
  }
  eng_safetensors_write (to, NULL, (const EngTensorSource *) (gconstpointer) sources->data,
                         (int) sources->len, &error);
  g_assert_no_error (error);

  return folder;
}

static void
keep (const char *name,
      GPtrArray  *names)
{
  g_ptr_array_add (names, g_strdup (name));
}

static gboolean
is_table (const char *name)
{
  return g_str_has_suffix (name, "shared.weight") || g_str_has_suffix (name, "embed_tokens.weight");
}

/* The prefix of the base model, or none where there is one. */
static void
change_prefix (const char *name,
               GPtrArray  *names)
{
  if (g_str_has_prefix (name, "model."))
    g_ptr_array_add (names, g_strdup (name + strlen ("model.")));
  else if (g_str_equal (name, "final_logits_bias"))
    g_ptr_array_add (names, g_strdup (name));
  else
    g_ptr_array_add (names, g_strconcat ("model.", name, NULL));
}

static void
add_module (const char *name,
            GPtrArray  *names)
{
  g_ptr_array_add (names, g_strconcat ("module.", name, NULL));
}

static void
name_table_by_head (const char *name,
                    GPtrArray  *names)
{
  g_ptr_array_add (names, g_strdup (is_table (name) ? "lm_head.weight" : name));
}

static void
name_table_by_encoder (const char *name,
                       GPtrArray  *names)
{
  g_ptr_array_add (names, g_strdup (is_table (name) ? "encoder.embed_tokens.weight" : name));
}

static void
name_table_by_decoder (const char *name,
                       GPtrArray  *names)
{
  g_ptr_array_add (names, g_strdup (is_table (name) ? "decoder.embed_tokens.weight" : name));
}

static void
repeat_table (const char *name,
              GPtrArray  *names)
{
  g_ptr_array_add (names, g_strdup (name));
  if (!is_table (name))
    return;
  g_ptr_array_add (names, g_strdup ("encoder.embed_tokens.weight"));
  g_ptr_array_add (names, g_strdup ("decoder.embed_tokens.weight"));
  g_ptr_array_add (names, g_strdup ("lm_head.weight"));
}

static EngTrace *
run_renamed (const char *specimen,
             Rename      rename,
             gsize      *n_widened)
{
  char *folder = copy_renamed (specimen, rename);
  EngLoadedWeights *loaded = seq2seq_load (folder);
  g_autoptr (EngModel) model = seq2seq_make_model (loaded);

  *n_widened = loaded->n_widened;
  temporary_free (folder);

  return seq2seq_run_texts (model, "5 9 14 23 2", "7 30");
}

/* The same weights under every name that files have for them: the same bits, and no table twice. */
static void
test_names (gconstpointer specimen)
{
  static const Rename renames[] = {
    change_prefix, add_module, name_table_by_head, name_table_by_encoder, name_table_by_decoder,
    repeat_table,
  };
  gsize n_plain, n_renamed;
  g_autoptr (EngTrace) plain = run_renamed (specimen, keep, &n_plain);
  EngMatrix logits, other;

  g_assert_true (eng_trace_get_logits (plain, ENG_TASK_LANGUAGE_MODEL, &logits, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (renames); i++) {
    g_autoptr (EngTrace) renamed = NULL;

    /* T5's files have no prefix. */
    if (g_str_has_prefix (specimen, "t5") && renames[i] == change_prefix)
      continue;
    renamed = run_renamed (specimen, renames[i], &n_renamed);
    g_assert_true (eng_trace_get_logits (renamed, ENG_TASK_LANGUAGE_MODEL, &other, NULL));
    g_assert_cmpuint (n_renamed, ==, n_plain);
    g_assert_cmpmem (logits.data, sizeof (float) * logits.rows * logits.stride,
                     other.data, sizeof (float) * other.rows * other.stride);
  }
}

static void
leave_decoder_out (const char *name,
                   GPtrArray  *names)
{
  if (!g_str_has_prefix (name, "decoder."))
    g_ptr_array_add (names, g_strdup (name));
}

/* A file that holds the encoder alone is a model of one stack, whatever its config says. */
static void
test_encoder_alone (void)
{
  char *folder = copy_renamed ("t5-tied", leave_decoder_out);
  g_autoptr (EngModel) whole = seq2seq_open ("t5-tied");
  g_autoptr (EngModel) half = seq2seq_make_model (seq2seq_load (folder));
  g_autoptr (EngTrace) one = NULL, other = NULL;
  EngMatrix states, half_states;
  int n_layers;

  g_assert_false (eng_model_has_two_stacks (half));
  g_assert_cmphex (eng_model_get_info (half)->tasks, ==, 0);
  one = seq2seq_run_texts (whole, "5 9 14 23 1", "7 30");
  other = seq2seq_run_texts (half, "5 9 14 23 1", NULL);
  g_assert_false (eng_trace_has_kind (other, ENG_KIND_DECODER));
  n_layers = eng_trace_get_n_layers (one, ENG_KIND_ENCODER);
  g_assert_true (eng_trace_get_hidden_states (one, ENG_KIND_ENCODER, n_layers, &states));
  g_assert_true (eng_trace_get_hidden_states (other, ENG_KIND_ENCODER, n_layers, &half_states));
  g_assert_cmpmem (states.data, sizeof (float) * states.rows * states.stride,
                   half_states.data, sizeof (float) * half_states.rows * half_states.stride);
  temporary_free (folder);
}

static void
write_trace (EngTrace   *trace,
             const char *folder,
             const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  eng_trace_file_write (trace, path, &error);
  g_assert_no_error (error);
}

/* What was written, read and written again is the same file. */
static void
test_trace_file (gconstpointer specimen)
{
  g_autoptr (EngModel) model = seq2seq_open (specimen);
  g_autoptr (EngTrace) trace = seq2seq_run_texts (model, "5 9 14 23 2", "7 30");
  g_autoptr (EngTrace) back = NULL;
  g_autoptr (GError) error = NULL;
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "one.safetensors", NULL);
  g_autofree char *one = NULL, *other = NULL;
  gsize n_one, n_other;

  write_trace (trace, folder, "one.safetensors");
  back = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  for (EngKind kind = ENG_KIND_ENCODER; kind <= ENG_KIND_CROSS; kind++) {
    g_assert_cmpint (eng_trace_get_n_layers (back, kind), ==, eng_trace_get_n_layers (trace, kind));
    g_assert_cmpint (eng_trace_get_n_heads (back, kind), ==, eng_trace_get_n_heads (trace, kind));
    g_assert_cmpint (eng_trace_get_n_keys (back, kind), ==, eng_trace_get_n_keys (trace, kind));
  }
  write_trace (back, folder, "other.safetensors");
  one = checkpoint_read_file (folder, "one.safetensors", &n_one);
  other = checkpoint_read_file (folder, "other.safetensors", &n_other);
  g_assert_cmpmem (one, n_one, other, n_other);
  temporary_free (folder);
}

typedef struct {
  const char   *path;
  const char   *specimen;
  const char   *found;    /* in config.json, or NULL */
  const char   *put;      /* in its place */
  const char   *without;  /* file that is taken away, or NULL */
  gint          code;     /* an EngError */
  const char   *word;     /* in the message */
} Refusal;

static void
replace_in_config (const char *folder,
                   const char *found,
                   const char *put)
{
  g_autofree char *text = checkpoint_read_file (folder, "config.json", NULL);
  g_auto (GStrv) parts = g_strsplit (text, found, 2);
  g_autofree char *changed = g_strjoinv (put, parts);

  g_assert_cmpint (g_strv_length (parts), ==, 2);
  checkpoint_write_file (folder, "config.json", changed, -1);
}

/* What a config says in vain. */
static void
test_refusal (gconstpointer data)
{
  const Refusal *refusal = data;
  char *folder = copy_renamed (refusal->specimen, keep);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = NULL;

  if (refusal->found)
    replace_in_config (folder, refusal->found, refusal->put);
  if (refusal->without)
    checkpoint_remove_file (folder, refusal->without);
  model = eng_model_open_untrained (folder, NULL, 1, &error);
  g_assert_null (model);
  g_assert_error (error, ENG_ERROR, refusal->code);
  if (!strstr (error->message, refusal->word))
    g_error ("“%s” does not say %s", error->message, refusal->word);
  temporary_free (folder);
}

/* The start token of newer files stands in generation_config.json alone. */
static void
test_decoder_start (void)
{
  g_autofree char *folder = seq2seq_get_folder ("t5-start");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_read (folder, &error);

  g_assert_no_error (error);
  g_assert_cmpint (config->spec.decoder_start_id, ==, 3);
}

/* Without weights: the same parts, made up, and run. */
static void
test_untrained (gconstpointer name)
{
  g_autofree char *folder = seq2seq_get_folder (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open_untrained (folder, NULL, 7, &error);
  g_autoptr (EngModel) trained = seq2seq_open (name);
  g_autoptr (EngTrace) trace = NULL;

  g_assert_no_error (error);
  g_assert_cmphex (eng_model_get_info (model)->tasks, ==, eng_model_get_info (trained)->tasks);
  trace =
    seq2seq_run_texts (model, "5 9 14 23 2", eng_model_has_two_stacks (model) ? "7 30" : NULL);
  g_assert_true (eng_trace_is_complete (trace));
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

/* One a family, with one word embedding. */
static const char *const tied_specimens[] = {
  "t5-tied", "bart-base", "marian-shared", "m2m-tied", "mbart-tied", "pegasus-computed",
};

static const Refusal refusals[] = {
  { "no-start", "t5-start", NULL, NULL, "generation_config.json", ENG_ERROR_MISSING,
    "decoder_start_token_id is neither in config.json nor in generation_config.json" },
  { "start-beyond", "t5-tied", "\"decoder_start_token_id\": 0", "\"decoder_start_token_id\": 61",
    NULL, ENG_ERROR_RANGE, "decoder_start_token_id is 61" },
  { "activation", "t5-gated", "gated-gelu", "gated-gelu-new", NULL, ENG_ERROR_UNSUPPORTED,
    "feed_forward_proj is \"gelu-new\"" },
  { "buckets", "t5-tied", "\"relative_attention_max_distance\": 20",
    "\"relative_attention_max_distance\": 4", NULL, ENG_ERROR_RANGE,
    "relative_attention_max_distance 4" },
  { "positions", "marian-apart", "\"max_position_embeddings\": 32",
    "\"max_position_embeddings\": 16777216", NULL, ENG_ERROR_RANGE,
    "max_position_embeddings is 16777216, expected at most 65536" },
  { "size", "t5-tied", "\"d_model\": 20,\n  \"d_kv\": 6,\n  \"d_ff\": 31",
    "\"d_model\": 65536, \"d_kv\": 64, \"d_ff\": 65536", NULL, ENG_ERROR_RANGE,
    "parameters, expected at most 2147483648" },
  { "half", "bart-base", "\"is_encoder_decoder\": true", "\"is_encoder_decoder\": false", NULL,
    ENG_ERROR_UNSUPPORTED, "is_encoder_decoder" },
  { "half-marian", "marian-apart", "\"is_encoder_decoder\": true",
    "\"is_encoder_decoder\": false", NULL, ENG_ERROR_UNSUPPORTED, "is_encoder_decoder" },
};

static void
add_tests (const char        *group,
           const char *const *names,
           guint              n,
           GTestDataFunc      func)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *path = g_strconcat ("/engine/seq2seq-files/", group, "/", names[i], NULL);

    g_test_add_data_func (path, names[i], func);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  add_tests ("untrained", specimens, G_N_ELEMENTS (specimens), test_untrained);
  add_tests ("names", tied_specimens, G_N_ELEMENTS (tied_specimens), test_names);
  add_tests ("trace-file", tied_specimens, G_N_ELEMENTS (tied_specimens), test_trace_file);
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autofree char *path = g_strconcat ("/engine/seq2seq-files/refusals/", refusals[i].path, NULL);

    g_test_add_data_func (path, &refusals[i], test_refusal);
  }
  g_test_add_func ("/engine/seq2seq-files/encoder-alone", test_encoder_alone);
  g_test_add_func ("/engine/seq2seq-files/decoder-start", test_decoder_start);

  return g_test_run ();
}
