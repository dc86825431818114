/* SPDX-License-Identifier: MIT */
/* Models of two stacks against numbers that tests/record/record_seq2seq.py recorded from
 * transformers, the spellings that their files come in, and the law that an encoder's text read by
 * itself through cross-attention is self-attention. HEADLIGHT_SEQ2SEQ names a folder of other
 * checkpoints that were recorded in the same way, of other seeds. */
#include "engine/error.h"
#include "engine/inputs.h"
#include "engine/json.h"
#include "engine/model-private.h"
#include "engine/positions.h"
#include "engine/safetensors.h"
#include "engine/session.h"
#include "engine/trace-file.h"
#include "engine/weights.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/gzip.h"
#include "tests/support/reference.h"
#include "tests/support/temporary.h"

#include <locale.h>
#include <string.h>

/* A recorded case and our trace of the same ids. */
typedef struct {
  const EngModel *model;
  EngTensorSet   *expected;
  int             number;
  EngInputs       inputs;
  EngTrace       *trace;
  double          largest_attention; /* difference */
  double          largest;           /* difference ÷ tolerance of everything else */
  int             n_compared;
} Case;

static char *
get_folder (const char *name)
{
  const char *others = g_getenv ("HEADLIGHT_SEQ2SEQ");

  return others ? g_build_filename (others, name, NULL)
                : g_test_build_filename (G_TEST_DIST, "fixtures", "seq2seq", name, NULL);
}

/* The folders hold no tokenizer: texts are ids. */
static EngModel *
open_weights (const char  *folder,
              GError     **error)
{
  g_autoptr (EngConfig) config = eng_config_read (folder, error);
  g_autoptr (EngTensorSet) file = config ? eng_weights_open_file (folder, error) : NULL;
  EngLoadedWeights *loaded = file ? eng_weights_load (file, config, error) : NULL;

  if (!loaded)
    return NULL;

  return eng_model_new_from_weights (&loaded->spec, &loaded->weights,
                                     (GDestroyNotify) eng_weights_free, loaded);
}

static EngModel *
open_specimen (const char *name)
{
  g_autofree char *folder = get_folder (name);
  g_autoptr (GError) error = NULL;
  EngModel *model = open_weights (folder, &error);

  g_assert_no_error (error);

  return model;
}

static EngTrace *
run_inputs (const EngModel  *model,
            const EngInputs *inputs,
            const EngEdit   *edits,
            int              n_edits)
{
  g_autoptr (EngSession) session = eng_session_new ((EngModel *) model);
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

static EngTrace *
run_texts (const EngModel *model,
           const char     *text_a,
           const char     *text_b)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;

  eng_inputs_from_texts (model, text_a, text_b, NULL, &inputs, &error);
  g_assert_no_error (error);

  return run_inputs (model, &inputs, NULL, 0);
}

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
  const float *reference = (const float *) (gconstpointer) tensor->data + (gsize) head * rows * cols;
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
check_case (const EngModel *model,
            EngTensorSet   *expected,
            const char     *name,
            int             number)
{
  Case self = { .model = model, .expected = expected, .number = number };
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
  self.trace = trace = run_inputs (model, &self.inputs, NULL, 0);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (expected); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (expected, i);

    if (g_str_has_prefix (tensor->name, prefix))
      compare_tensor (&self, tensor);
  }

  g_assert_cmpint (self.n_compared, >, 10);
  g_test_message ("%s, case %d: %d matrices, attention differs by at most %.1e, the rest by %.3f "
                  "tolerances", name, number, self.n_compared, self.largest_attention, self.largest);
  eng_inputs_clear (&self.inputs);
}

static void
test_numbers (gconstpointer name)
{
  g_autofree char *folder = get_folder (name);
  g_autofree char *path = g_build_filename (folder, "expected.safetensors.gz", NULL);
  g_autoptr (EngModel) model = open_specimen (name);
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
  g_autoptr (cJSON) lines = eng_json_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                            4, "buckets.json", &error);
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

/* Renames tensors of a specimen's file; rename gives the new names of one, none to leave it out. */
typedef void (*Rename) (const char *name,
                        GPtrArray  *names);

static char *
copy_renamed (const char *specimen,
              Rename      rename)
{
  static const char *const files[] = { "config.json", "generation_config.json" };
  g_autofree char *source = get_folder (specimen);
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
             gint64     *n_widened)
{
  char *folder = copy_renamed (specimen, rename);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_read (folder, &error);
  g_autoptr (EngTensorSet) file = eng_weights_open_file (folder, &error);
  EngLoadedWeights *loaded = eng_weights_load (file, config, &error);
  g_autoptr (EngModel) model = NULL;

  g_assert_no_error (error);
  *n_widened = (gint64) loaded->n_widened;
  model = eng_model_new_from_weights (&loaded->spec, &loaded->weights,
                                      (GDestroyNotify) eng_weights_free, loaded);
  temporary_free (folder);

  return run_texts (model, "5 9 14 23 2", "7 30");
}

/* The same weights under every name that files have for them: the same bits, and no table twice. */
static void
test_names (gconstpointer specimen)
{
  static const Rename renames[] = {
    change_prefix, add_module, name_table_by_head, name_table_by_encoder, name_table_by_decoder,
    repeat_table,
  };
  gint64 n_plain, n_renamed;
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
    g_assert_cmpint (n_renamed, ==, n_plain);
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
  g_autoptr (EngModel) whole = open_specimen ("t5-tied");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) half = open_weights (folder, &error);
  g_autoptr (EngTrace) one = NULL, other = NULL;
  EngMatrix states, half_states;
  int n_layers;

  g_assert_no_error (error);
  g_assert_false (eng_model_has_two_stacks (half));
  g_assert_cmphex (eng_model_get_info (half)->tasks, ==, 0);
  one = run_texts (whole, "5 9 14 23 1", "7 30");
  other = run_texts (half, "5 9 14 23 1", NULL);
  g_assert_false (eng_trace_has_kind (other, ENG_KIND_DECODER));
  n_layers = eng_trace_get_n_layers (one, ENG_KIND_ENCODER);
  g_assert_true (eng_trace_get_hidden_states (one, ENG_KIND_ENCODER, n_layers, &states));
  g_assert_true (eng_trace_get_hidden_states (other, ENG_KIND_ENCODER, n_layers, &half_states));
  g_assert_cmpmem (states.data, sizeof (float) * states.rows * states.stride,
                   half_states.data, sizeof (float) * half_states.rows * half_states.stride);
  temporary_free (folder);
}

static void
zero_linear (EngLinear *linear,
             const float *zeros)
{
  linear->weight = zeros;
  linear->bias = NULL;
}

/* A model whose decoder hands the embedding of its tokens to cross-attention, which has the weights of
 * the encoder's first layer and reads the embedding of the encoder's tokens. */
static EngModel *
open_mirrored (float *zeros)
{
  g_autofree char *folder = get_folder ("bart-untied");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_read (folder, &error);
  g_autoptr (EngTensorSet) file = eng_weights_open_file (folder, &error);
  EngLoadedWeights *loaded = eng_weights_load (file, config, &error);
  EngSpec *spec = &loaded->spec;
  EngStackWeights *encoder = &loaded->weights.stacks[ENG_KIND_ENCODER];
  EngStackWeights *decoder = &loaded->weights.stacks[ENG_KIND_DECODER];
  EngLayerWeights *layer = &decoder->layers[0];

  g_assert_no_error (error);
  spec->attention_norm = spec->feed_forward_norm = ENG_NORM_PRE;
  spec->final_norm = TRUE;
  spec->stacks[ENG_KIND_DECODER].n_layers = 1;
  encoder->final_norm = decoder->final_norm = layer->cross.norm = encoder->layers[0].self.norm;
  decoder->embedding_norm = encoder->embedding_norm;
  decoder->word = encoder->word;
  decoder->position = encoder->position;
  layer->cross = encoder->layers[0].self;
  zero_linear (&layer->self.output, zeros);
  zero_linear (&layer->down, zeros);

  return eng_model_new_from_weights (spec, &loaded->weights, (GDestroyNotify) eng_weights_free,
                                     loaded);
}

/* CrossAttention (x, x) = SelfAttention (x), without a mask and a bias. */
static void
test_cross_is_self (void)
{
  g_autofree float *zeros = g_new0 (float, 1 << 12);
  g_autoptr (EngModel) model = open_mirrored (zeros);
  EngEdit silent[] = { { .type = ENG_EDIT_SKIP_ATTENTION }, { .type = ENG_EDIT_SKIP_FEED_FORWARD } };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) embedded = NULL, read = NULL;
  g_autoptr (EngAttention) self = NULL, cross = NULL;
  EngMatrix states, cross_states;

  eng_inputs_from_texts (model, "2 9 14 23 30 41", "9 14 23 30 41", NULL, &inputs, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (inputs.tokens->ids, 6 * sizeof (gint32), inputs.decoder_tokens->ids,
                   inputs.decoder_tokens->n * sizeof (gint32));
  embedded = run_inputs (model, &inputs, silent, 2);
  self = eng_trace_dup_attention (embedded, ENG_KIND_ENCODER, 0);
  cross = eng_trace_dup_attention (embedded, ENG_KIND_CROSS, 0);
  g_assert_cmpint (self->n_heads, ==, cross->n_heads);
  g_assert_cmpmem (self->weights, sizeof (float) * self->n_heads * 36,
                   cross->weights, sizeof (float) * cross->n_heads * 36);

  /* And what the sub-layer adds is the same. */
  read = run_inputs (model, &inputs, silent + 1, 1);
  g_assert_true (eng_trace_get_hidden_states (read, ENG_KIND_ENCODER, 1, &states));
  g_assert_true (eng_trace_get_hidden_states (embedded, ENG_KIND_DECODER, 1, &cross_states));
  g_assert_cmpfloat (reference_find_largest_difference (&cross_states, states.data, states.rows,
                                                        states.cols), <=, 1e-6);
}

/* Padding of the encoder changes nothing but that it is there: hidden from both stacks. */
static void
test_padding_changes_nothing (gconstpointer specimen)
{
  g_autoptr (EngModel) model = open_specimen (specimen);
  EngTextOptions options = { .pad_to = 17 };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) plain = run_texts (model, "5 9 14 23 2", "7 30");
  g_autoptr (EngTrace) padded = NULL;
  g_autoptr (EngAttention) cross = NULL;
  EngMatrix logits, padded_logits;

  eng_inputs_from_texts (model, "5 9 14 23 2", "7 30", &options, &inputs, &error);
  g_assert_no_error (error);
  padded = run_inputs (model, &inputs, NULL, 0);
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
  g_autoptr (EngModel) model = open_specimen (specimen);
  g_autoptr (EngTrace) trace = run_texts (model, "5 9 14 23 2", "7 30");
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
  g_autofree char *folder = get_folder ("t5-start");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_read (folder, &error);

  g_assert_no_error (error);
  g_assert_cmpint (config->spec.decoder_start_id, ==, 3);
}

/* Without weights: the same parts, made up, and run. */
static void
test_untrained (gconstpointer name)
{
  g_autofree char *folder = get_folder (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open_untrained (folder, NULL, 7, &error);
  g_autoptr (EngModel) trained = open_specimen (name);
  g_autoptr (EngTrace) trace = NULL;

  g_assert_no_error (error);
  g_assert_cmphex (eng_model_get_info (model)->tasks, ==, eng_model_get_info (trained)->tasks);
  trace = run_texts (model, "5 9 14 23 2", eng_model_has_two_stacks (model) ? "7 30" : NULL);
  g_assert_true (eng_trace_is_complete (trace));
}

static const char *const specimens[] = {
  "t5-tied", "t5-gated", "t5-scaled-silu", "t5-start", "t5-encoder",
  "bart-base", "bart-scaled", "bart-untied", "bart-classifier", "bart-answers",
  "marian-apart", "marian-shared", "marian-untied",
};

static const char *const tied_specimens[] = { "t5-tied", "bart-base", "marian-shared" };

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
  add_tests ("untrained", specimens, G_N_ELEMENTS (specimens), test_untrained);
  add_tests ("names", tied_specimens, G_N_ELEMENTS (tied_specimens), test_names);
  add_tests ("padding", tied_specimens, G_N_ELEMENTS (tied_specimens),
             test_padding_changes_nothing);
  add_tests ("trace-file", tied_specimens, G_N_ELEMENTS (tied_specimens), test_trace_file);
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autofree char *path = g_strconcat ("/engine/seq2seq/refusals/", refusals[i].path, NULL);

    g_test_add_data_func (path, &refusals[i], test_refusal);
  }
  g_test_add_func ("/engine/seq2seq/buckets", test_buckets);
  g_test_add_func ("/engine/seq2seq/encoder-alone", test_encoder_alone);
  g_test_add_func ("/engine/seq2seq/decoder-start", test_decoder_start);
  g_test_add_func ("/engine/seq2seq/cross-is-self", test_cross_is_self);

  return g_test_run ();
}
