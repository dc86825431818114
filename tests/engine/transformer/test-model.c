/* SPDX-License-Identifier: MIT */
#include "engine/transformer/model.h"

#include "engine/checkpoint/safetensors.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/encode.h"

#include <locale.h>
#include <string.h>
#include <unistd.h>

#define WEIGHTS "model.safetensors"

/* config.json of the specimen "pretraining" without what names the family. */
static const char specimen_without_family[] =
  "{\"vocab_size\": 38, \"hidden_size\": 15, \"num_attention_heads\": 3,"
  " \"intermediate_size\": 37, \"num_hidden_layers\": 2, \"max_position_embeddings\": 19}";

static EngModel *
open_or_fail (const char *folder)
{
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open (folder, NULL, &error);

  g_assert_no_error (error);

  return model;
}

static void
assert_refused (const char *folder,
                int         code,
                const char *first,
                const char *second)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_model_open (folder, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ENG_ERROR, code);
  g_assert_nonnull (strstr (error->message, first));
  g_assert_nonnull (strstr (error->message, second));
  g_assert_false (g_str_has_suffix (error->message, "."));
}

/* The specimen's tensors, to be written back changed. */
typedef struct {
  char           *folder;
  EngTensorSet   *file;
  GArray         *sources; /* of EngTensorSource, over the file's bytes */
  GPtrArray      *owned;
} Rewrite;

static void
rewrite_init (Rewrite    *self,
              const char *specimen)
{
  g_autofree char *original = checkpoint_get_specimen (specimen);
  g_autofree char *path = g_build_filename (original, WEIGHTS, NULL);
  g_autoptr (GError) error = NULL;

  self->folder = checkpoint_copy_specimen (specimen);
  self->file = eng_safetensors_open (path, &error);
  g_assert_no_error (error);
  self->sources = g_array_new (FALSE, TRUE, sizeof (EngTensorSource));
  self->owned = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (self->file); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (self->file, i);
    EngTensorSource source = { tensor->name, tensor->type, tensor->rank, { 0 }, tensor->data };

    memcpy (source.shape, tensor->shape, sizeof source.shape);
    g_array_append_val (self->sources, source);
  }
}

static void
rewrite_clear (Rewrite *self)
{
  checkpoint_remove_folder (self->folder);
  g_free (self->folder);
  eng_tensor_set_unref (self->file);
  g_array_unref (self->sources);
  g_ptr_array_unref (self->owned);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rewrite, rewrite_clear)

static EngTensorSource *
find_source (Rewrite    *self,
             const char *name)
{
  for (guint i = 0; i < self->sources->len; i++)
    if (g_str_equal (g_array_index (self->sources, EngTensorSource, i).name, name))
      return &g_array_index (self->sources, EngTensorSource, i);

  g_error ("no tensor %s", name);
}

static void
write_range (const Rewrite *self,
             const char    *name,
             guint          first,
             guint          end)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  eng_safetensors_write (path, NULL, &g_array_index (self->sources, EngTensorSource, first),
                         (int) (end - first), &error);
  g_assert_no_error (error);
}

static void
write_back (const Rewrite *self)
{
  write_range (self, WEIGHTS, 0, self->sources->len);
}

static void
rename_source (Rewrite         *self,
               EngTensorSource *source,
               char            *name)
{
  source->name = name;
  g_ptr_array_add (self->owned, name);
}

/* The ways in which one and the same model is stored. */

static void
keep (Rewrite *self)
{
}

static void
use_old_norm_names (Rewrite *self)
{
  for (guint i = 0; i < self->sources->len; i++) {
    EngTensorSource *source = &g_array_index (self->sources, EngTensorSource, i);
    g_autoptr (GString) name = g_string_new (source->name);

    g_string_replace (name, "LayerNorm.weight", "LayerNorm.gamma", 0);
    g_string_replace (name, "LayerNorm.bias", "LayerNorm.beta", 0);
    rename_source (self, source, g_strdup (name->str));
  }
}

static void
drop_prefix (Rewrite *self)
{
  for (guint i = 0; i < self->sources->len; i++) {
    EngTensorSource *source = &g_array_index (self->sources, EngTensorSource, i);

    if (g_str_has_prefix (source->name, "bert."))
      source->name += strlen ("bert.");
  }
}

static void
add_module_prefix (Rewrite *self)
{
  for (guint i = 0; i < self->sources->len; i++) {
    EngTensorSource *source = &g_array_index (self->sources, EngTensorSource, i);

    rename_source (self, source, g_strconcat ("module.", source->name, NULL));
  }
}

static void
use_decoder_bias (Rewrite *self)
{
  find_source (self, "cls.predictions.bias")->name = "cls.predictions.decoder.bias";
}

static void
keep_output_words_alone (Rewrite *self)
{
  EngTensorSource *words = find_source (self, "bert.embeddings.word_embeddings.weight");

  words->name = "cls.predictions.decoder.weight";
}

static void
store_tied_tensors_twice (Rewrite *self)
{
  EngTensorSource words = *find_source (self, "bert.embeddings.word_embeddings.weight");
  EngTensorSource bias = *find_source (self, "cls.predictions.bias");

  words.name = "cls.predictions.decoder.weight";
  bias.name = "cls.predictions.decoder.bias";
  g_array_append_val (self->sources, words);
  g_array_append_val (self->sources, bias);
}

/* An odd byte in front takes the alignment from all that follow; names that no model part has are
 * left out. */
static void
add_buffers (Rewrite *self)
{
  static const guint8 byte[1] = { 1 };
  static const gint64 positions[19] = { 0 };
  EngTensorSource junk = { "junk", ENG_TYPE_U8, 1, { 1 }, byte };
  EngTensorSource buffer = { "bert.embeddings.position_ids", ENG_TYPE_I64, 2, { 1, 19 },
                             positions };

  g_array_prepend_val (self->sources, junk);
  g_array_append_val (self->sources, buffer);
}

static void
store_doubles (Rewrite *self)
{
  for (guint i = 0; i < self->sources->len; i++) {
    EngTensorSource *source = &g_array_index (self->sources, EngTensorSource, i);
    const EngTensor *tensor = eng_tensor_set_get_tensor (self->file, (int) i);
    double *doubles = g_new (double, tensor->n_elements);

    for (gint64 k = 0; k < tensor->n_elements; k++)
      doubles[k] = (double) ((const float *) (gconstpointer) tensor->data)[k];
    g_ptr_array_add (self->owned, doubles);
    source->type = ENG_TYPE_F64;
    source->data = doubles;
  }
}

/* Logits of both heads of the specimen, as bytes. */
static GBytes *
run_heads (EngModel *model)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = encode_texts (model, "time flies like", "a [MASK] cat", FALSE,
                                                   FALSE, &error);
  g_autoptr (EngTrace) trace = NULL;
  EngRunRequest request = {
    .tokens = tokens,
    .tasks = 1u << ENG_TASK_FILL_MASK | 1u << ENG_TASK_NEXT_SENTENCE,
    .all_positions = TRUE,
  };

  g_assert_no_error (error);
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  for (int task = ENG_TASK_FILL_MASK; task <= ENG_TASK_NEXT_SENTENCE; task++) {
    EngMatrix logits;

    g_assert_true (eng_trace_get_logits (trace, task, &logits, NULL));
    for (int row = 0; row < logits.rows; row++)
      g_byte_array_append (bytes, (const guint8 *) (logits.data + (gsize) row * logits.stride),
                           (guint) logits.cols * sizeof (float));
  }

  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static GBytes *
get_original_logits (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("pretraining");
  g_autoptr (EngModel) model = open_or_fail (folder);

  return run_heads (model);
}

typedef struct {
  const char *name;
  void      (*change) (Rewrite *self);
} Naming;

static const Naming namings[] = {
  { "as-it-is", keep },
  { "old-norm-names", use_old_norm_names },
  { "no-prefix", drop_prefix },
  { "module-prefix", add_module_prefix },
  { "decoder-bias", use_decoder_bias },
  { "output-words-alone", keep_output_words_alone },
  { "tied-tensors-twice", store_tied_tensors_twice },
  { "buffers-and-no-alignment", add_buffers },
  { "doubles", store_doubles },
};

/* Trap 18: one model under every naming gives the same bits. */
static void
test_naming (gconstpointer data)
{
  const Naming *naming = data;
  g_auto (Rewrite) rewrite = { 0 };
  g_autoptr (GBytes) original = get_original_logits ();
  g_autoptr (GBytes) changed = NULL;
  g_autoptr (EngModel) model = NULL;

  rewrite_init (&rewrite, "pretraining");
  naming->change (&rewrite);
  write_back (&rewrite);
  model = open_or_fail (rewrite.folder);
  changed = run_heads (model);

  g_assert_true (g_bytes_equal (original, changed));
  g_assert_cmpint (eng_model_get_info (model)->n_parameters, ==, 5859);
}

/* A head whose words differ from the embedding's is not tied: its own are used. */
static void
test_untied (void)
{
  g_auto (Rewrite) rewrite = { 0 };
  g_autoptr (GBytes) original = get_original_logits ();
  g_autoptr (GBytes) changed = NULL;
  g_autoptr (EngModel) model = NULL;
  const EngTensorSource *source;
  EngTensorSource words;
  float *other;
  gsize n_bytes;

  rewrite_init (&rewrite, "pretraining");
  words = *find_source (&rewrite, "bert.embeddings.word_embeddings.weight");
  n_bytes = (gsize) (words.shape[0] * words.shape[1]) * sizeof (float);
  other = g_memdup2 (words.data, n_bytes);
  g_ptr_array_add (rewrite.owned, other);
  other[0] += 1.0f;
  words.name = "cls.predictions.decoder.weight";
  words.data = other;
  g_array_append_val (rewrite.sources, words);
  write_back (&rewrite);
  model = open_or_fail (rewrite.folder);
  changed = run_heads (model);

  g_assert_false (g_bytes_equal (original, changed));
  g_assert_cmpint (eng_model_get_info (model)->n_parameters, ==,
                   5859 + words.shape[0] * words.shape[1]);
  source = find_source (&rewrite, "bert.embeddings.word_embeddings.weight");
  g_assert_true (memcmp (eng_model_get_weights (model)->stacks[ENG_KIND_ENCODER].word,
                         source->data, n_bytes) == 0);
  g_assert_true (memcmp (eng_model_get_weights (model)->heads[ENG_TASK_FILL_MASK].output.weight,
                         other, n_bytes) == 0);
}

static void
test_shards (void)
{
  g_auto (Rewrite) rewrite = { 0 };
  g_autoptr (GString) index = g_string_new ("{\"weight_map\": {");
  g_autoptr (GBytes) original = get_original_logits ();
  g_autoptr (GBytes) sharded = NULL;
  g_autoptr (EngModel) model = NULL;
  guint half;

  rewrite_init (&rewrite, "pretraining");
  half = rewrite.sources->len / 2;
  write_range (&rewrite, "model-00001-of-00002.safetensors", 0, half);
  write_range (&rewrite, "model-00002-of-00002.safetensors", half, rewrite.sources->len);
  for (guint i = 0; i < rewrite.sources->len; i++) {
    const EngTensorSource *source = &g_array_index (rewrite.sources, EngTensorSource, i);

    g_string_append_printf (index, "%s\"%s\": \"model-0000%d-of-00002.safetensors\"",
                            i ? ", " : "", source->name, i < half ? 1 : 2);
  }
  g_string_append (index, "}}");
  checkpoint_write_file (rewrite.folder, "model.safetensors.index.json", index->str, -1);
  checkpoint_remove_file (rewrite.folder, WEIGHTS);
  model = open_or_fail (rewrite.folder);
  sharded = run_heads (model);

  g_assert_true (g_bytes_equal (original, sharded));
  g_assert_cmpstr (eng_model_get_info (model)->weights_file, ==, "model.safetensors.index.json");
}

static void
copy_torch_file (const char *folder,
                 const char *name,
                 const char *target)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "fixtures", "torch", "bert",
                                                   NULL);
  gsize size;
  g_autofree char *bytes = checkpoint_read_file (source, name, &size);

  checkpoint_write_file (folder, target, bytes, (gssize) size);
}

/* The specimen as torch stores it; the names of its tensors give the family too. */
static void
test_torch_files (void)
{
  static const char *const containers[] = { "zip.bin", "stream.bin" };
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (GBytes) original = get_original_logits ();

  checkpoint_remove_file (folder, WEIGHTS);
  checkpoint_write_file (folder, "config.json", specimen_without_family, -1);
  for (guint i = 0; i < G_N_ELEMENTS (containers); i++) {
    g_autoptr (EngModel) model = NULL;
    g_autoptr (GBytes) logits = NULL;

    copy_torch_file (folder, containers[i], "pytorch_model.bin");
    model = open_or_fail (folder);
    logits = run_heads (model);

    g_assert_true (g_bytes_equal (original, logits));
    g_assert_cmpstr (eng_model_get_info (model)->weights_file, ==, "pytorch_model.bin");
    g_assert_cmpint (eng_model_get_info (model)->n_parameters, ==, 5859);
  }
  checkpoint_remove_folder (folder);
}

static void
test_torch_shards (void)
{
  static const char *const files[] = { "pytorch_model-00001-of-00002.bin",
                                       "pytorch_model-00002-of-00002.bin",
                                       "pytorch_model.bin.index.json" };
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (GBytes) original = get_original_logits ();
  g_autoptr (GBytes) sharded = NULL;
  g_autoptr (EngModel) model = NULL;

  checkpoint_remove_file (folder, WEIGHTS);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    copy_torch_file (folder, files[i], files[i]);
  model = open_or_fail (folder);
  sharded = run_heads (model);

  g_assert_true (g_bytes_equal (original, sharded));
  g_assert_cmpstr (eng_model_get_info (model)->weights_file, ==, "pytorch_model.bin.index.json");
  checkpoint_remove_folder (folder);
}

/* Of several files the first in transformers' order is taken; the others are not looked at. */
static void
test_order_of_files (void)
{
  static const char *const files[] = { "pytorch_model.bin.index.json", "pytorch_model.bin",
                                       "model.safetensors.index.json", WEIGHTS };
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autofree char *link = g_build_filename (folder, WEIGHTS, NULL);

  checkpoint_remove_file (folder, WEIGHTS);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *place = g_strconcat (files[i], ": ", NULL);

    checkpoint_write_file (folder, files[i], "none", -1);
    assert_refused (folder, ENG_ERROR_FORMAT, place, folder);
  }

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    checkpoint_remove_file (folder, files[i]);
  g_assert_cmpint (symlink ("nowhere", link), ==, 0);
  assert_refused (folder, ENG_ERROR_MISSING, link, "is a link to a file that is not there");
  copy_torch_file (folder, "zip.bin", "pytorch_model.bin");
  g_clear_pointer (&link, g_free);
  eng_model_unref (open_or_fail (folder));
  checkpoint_remove_folder (folder);
}

static void
test_spoiled_weights (void)
{
  g_auto (Rewrite) rewrite = { 0 };
  EngTensorSource *source;
  EngTensorSource twice;

  rewrite_init (&rewrite, "pretraining");

  source = find_source (&rewrite, "bert.encoder.layer.1.intermediate.dense.weight");
  source->name = "bert.encoder.layer.7.intermediate.dense.weight";
  write_back (&rewrite);
  assert_refused (rewrite.folder, ENG_ERROR_MISSING,
                  "encoder.layer.1.intermediate.dense.weight is missing", WEIGHTS);
  source->name = "bert.encoder.layer.1.intermediate.dense.weight";

  source->shape[0] = 15;
  source->shape[1] = 37;
  write_back (&rewrite);
  assert_refused (rewrite.folder, ENG_ERROR_SHAPE,
                  "bert.encoder.layer.1.intermediate.dense.weight has the shape [15, 37]",
                  "expected [37, 15]");
  source->shape[0] = 37;
  source->shape[1] = 15;

  source->type = ENG_TYPE_I32;
  write_back (&rewrite);
  assert_refused (rewrite.folder, ENG_ERROR_UNSUPPORTED,
                  "intermediate.dense.weight is stored as I32", "BF16");
  source->type = ENG_TYPE_F32;

  twice = *find_source (&rewrite, "bert.pooler.dense.bias");
  twice.name = "pooler.dense.bias";
  g_array_append_val (rewrite.sources, twice);
  write_back (&rewrite);
  assert_refused (rewrite.folder, ENG_ERROR_FORMAT, "bert.pooler.dense.bias",
                  "pooler.dense.bias are the same part");
}

static void
test_untied_by_config (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");

  checkpoint_add_to_config (folder, "\"tie_word_embeddings\": false");
  assert_refused (folder, ENG_ERROR_MISSING, "cls.predictions.decoder.weight is missing", WEIGHTS);
  checkpoint_remove_folder (folder);
}

static void
test_spoiled_folders (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autofree char *words = checkpoint_read_file (folder, "vocab.txt", NULL);
  g_autofree char *more_words = g_strconcat (words, "surplus\n", NULL);
  gsize size;
  g_autofree char *weights = checkpoint_read_file (folder, WEIGHTS, &size);

  assert_refused ("/nowhere/at/all", ENG_ERROR_IO, "/nowhere/at/all", "no such folder");

  /* One entry more than the embedding has rows. */
  checkpoint_write_file (folder, "vocab.txt", more_words, -1);
  assert_refused (folder, ENG_ERROR_RANGE, "the vocabulary has 39 entries", "38 rows");
  checkpoint_remove_file (folder, "vocab.txt");
  assert_refused (folder, ENG_ERROR_MISSING, "vocab.txt", "tokenizer.json");
  checkpoint_write_file (folder, "vocab.txt", words, -1);

  checkpoint_write_file (folder, WEIGHTS, weights, (gssize) size - 4);
  assert_refused (folder, ENG_ERROR_FORMAT, WEIGHTS, folder);
  checkpoint_remove_file (folder, WEIGHTS);
  assert_refused (folder, ENG_ERROR_MISSING, WEIGHTS, "pytorch_model.bin");
  checkpoint_write_file (folder, "config.json", "", 0);
  assert_refused (folder, ENG_ERROR_FORMAT, "config.json", "breaks off");
  checkpoint_remove_file (folder, "config.json");
  assert_refused (folder, ENG_ERROR_MISSING, "config.json", folder);

  checkpoint_remove_folder (folder);
}

/* Parameters as transformers counts them, save 38 of masked-f16: an untied head there keeps a bias
 * that nothing reads. */
static void
test_info (void)
{
  static const struct {
    const char *name;
    const char *stored_type;
    gint64      n_parameters;
    int         n_layers;
    int         n_heads;
    int         hidden_size;
    int         max_positions;
    guint       tasks;
  } cases[] = {
    { "pretraining", "F32", 5859, 2, 3, 15, 19,
      1u << ENG_TASK_FILL_MASK | 1u << ENG_TASK_NEXT_SENTENCE },
    { "masked-f16", "F16", 8558 - 38, 2, 4, 20, 17, 1u << ENG_TASK_FILL_MASK },
    { "classifier-bf16", "BF16", 13285, 3, 5, 25, 17, 1u << ENG_TASK_TEXT_CLASSIFICATION },
    { "entities-bf16", "BF16", 4397, 2, 5, 15, 21, 1u << ENG_TASK_ENTITIES },
    { "answers-f16", "F16", 3924, 2, 2, 12, 48, 1u << ENG_TASK_QUESTION_ANSWERING },
    { "next-sentence", "F32", 1303, 1, 1, 9, 16, 1u << ENG_TASK_NEXT_SENTENCE },
    { "causal", "BF16", 5884, 2, 4, 16, 14, 1u << ENG_TASK_LANGUAGE_MODEL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = checkpoint_get_specimen (cases[i].name);
    g_autoptr (EngModel) model = open_or_fail (folder);
    const EngModelInfo *info = eng_model_get_info (model);
    EngModelInfo peeked;

    g_assert_cmpstr (info->name, ==, cases[i].name);
    g_assert_cmpstr (info->folder, ==, folder);
    g_assert_cmpstr (info->family, ==, "bert");
    g_assert_cmpstr (info->stored_type, ==, cases[i].stored_type);
    g_assert_cmpstr (info->weights_file, ==, WEIGHTS);
    g_assert_cmpint (info->weights_bytes, >, info->n_parameters);
    g_assert_cmpint (info->n_parameters, ==, cases[i].n_parameters);
    g_assert_cmpint (info->n_layers, ==, cases[i].n_layers);
    g_assert_cmpint (info->n_heads, ==, cases[i].n_heads);
    g_assert_cmpint (info->head_size, ==, cases[i].hidden_size / cases[i].n_heads);
    g_assert_cmpint (info->hidden_size, ==, cases[i].hidden_size);
    g_assert_cmpint (info->max_positions, ==, cases[i].max_positions);
    g_assert_cmpint (info->tasks, ==, cases[i].tasks);

    g_assert_true (eng_model_peek (folder, &peeked, NULL));
    g_assert_cmpstr (peeked.name, ==, info->name);
    g_assert_cmpstr (peeked.family, ==, "bert");
    g_assert_cmpint (peeked.n_layers, ==, info->n_layers);
    g_assert_cmpint (peeked.vocab_size, ==, info->vocab_size);
  }
}

static void
test_name (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("causal");
  g_autofree char *slashed = g_strconcat (folder, "/./", NULL);
  g_autoptr (EngModel) named = eng_model_open (folder, "somebody/something", NULL);
  g_autoptr (EngModel) unnamed = open_or_fail (slashed);

  g_assert_cmpstr (eng_model_get_info (named)->name, ==, "somebody/something");
  g_assert_cmpstr (eng_model_get_info (unnamed)->name, ==, "causal");
}

/* Old files state neither family nor class: the names of the tensors do. */
static void
test_family_by_tensors (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (EngModel) model = NULL;
  EngModelInfo info;

  checkpoint_write_file (folder, "config.json", specimen_without_family, -1);
  model = open_or_fail (folder);
  g_assert_cmpstr (eng_model_get_info (model)->family, ==, "bert");
  g_assert_true (eng_model_peek (folder, &info, NULL));
  g_assert_cmpstr (info.family, ==, "bert");
  checkpoint_remove_folder (folder);
}

static void
test_bundled (void)
{
  g_autofree char *folder = checkpoint_get_bundled ();
  g_autoptr (EngModel) model = open_or_fail (folder);
  const EngModelInfo *info = eng_model_get_info (model);

  g_assert_cmpstr (info->name, ==, "headlight-mini");
  g_assert_cmpint (info->n_parameters, ==, 8604418);
  g_assert_cmpstr (info->stored_type, ==, "F16");
  g_assert_cmpfloat (eng_model_get_stored_unit (model), ==, 0x1p-10);
  g_assert_true (eng_model_has_task (model, ENG_TASK_FILL_MASK));
  g_assert_true (eng_model_has_task (model, ENG_TASK_NEXT_SENTENCE));
  g_assert_false (eng_model_has_task (model, ENG_TASK_ENTITIES));
  g_assert_cmpstr (eng_model_get_label (model, ENG_TASK_NEXT_SENTENCE, 0), ==, "same");
  g_assert_cmpstr (eng_model_get_label (model, ENG_TASK_NEXT_SENTENCE, 1), ==, "different");
  g_assert_null (eng_model_get_label (model, ENG_TASK_NEXT_SENTENCE, 2));
  g_assert_null (eng_model_get_label (model, ENG_TASK_ENTITIES, 0));
}

static void
test_labels (void)
{
  g_autofree char *pair_folder = checkpoint_get_specimen ("next-sentence");
  g_autofree char *entities_folder = checkpoint_get_specimen ("entities-bf16");
  g_autoptr (EngModel) pair = open_or_fail (pair_folder);
  g_autoptr (EngModel) entities = open_or_fail (entities_folder);

  g_assert_cmpstr (eng_model_get_label (pair, ENG_TASK_NEXT_SENTENCE, 0), ==, "is-next");
  g_assert_cmpstr (eng_model_get_label (pair, ENG_TASK_NEXT_SENTENCE, 1), ==, "not-next");
  g_assert_cmpstr (eng_model_get_label (entities, ENG_TASK_ENTITIES, 4), ==, "I-LOC");
}

/* classifier.weight serves three heads; the saved class, then pooler and labels say which. */
static void
test_classifier_kinds (void)
{
  static const struct {
    const char *specimen;
    const char *saved_class; /* in config.json */
    const char *class_name;  /* put in its place */
    const char *labels_key;
    guint       tasks;
  } cases[] = {
    { "classifier-bf16", "[\"BertForSequenceClassification\"]",
      "[\"BertForSequenceClassification\"]", "id2label",
      1u << ENG_TASK_TEXT_CLASSIFICATION },
    { "classifier-bf16", "[\"BertForSequenceClassification\"]", "[\"BertForTokenClassification\"]",
      "id2label", 1u << ENG_TASK_ENTITIES },
    { "classifier-bf16", "[\"BertForSequenceClassification\"]", "[\"BertForMultipleChoice\"]",
      "id2label", 0 },
    { "classifier-bf16", "[\"BertForSequenceClassification\"]", "null", "unused",
      1u << ENG_TASK_TEXT_CLASSIFICATION },
    { "entities-bf16", "[\"BertForTokenClassification\"]", "null", "unused",
      1u << ENG_TASK_ENTITIES },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = checkpoint_copy_specimen (cases[i].specimen);
    g_autofree char *text = checkpoint_read_file (folder, "config.json", NULL);
    g_autoptr (GString) compact = g_string_new (text);
    g_autoptr (EngModel) model = NULL;

    g_string_replace (compact, "\n", "", 0);
    g_string_replace (compact, "  ", "", 0);
    g_assert_cmpint (g_string_replace (compact, cases[i].saved_class, cases[i].class_name, 1), ==,
                     1);
    g_assert_cmpint (g_string_replace (compact, "id2label", cases[i].labels_key, 1), ==, 1);
    checkpoint_write_file (folder, "config.json", compact->str, -1);
    model = open_or_fail (folder);
    g_assert_cmpint (eng_model_get_info (model)->tasks, ==, cases[i].tasks);
    checkpoint_remove_folder (folder);
  }
}

static void
assert_text_refused (const EngModel *model,
                     const char     *text_a,
                     const char     *text_b,
                     gboolean        truncate,
                     int             code,
                     const char     *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (encode_texts (model, text_a, text_b, FALSE, truncate, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ENG_ERROR, code);
  g_assert_nonnull (strstr (error->message, says));
  /* The window says it, too: no word of the command line. */
  g_assert_null (strstr (error->message, "--"));
}

static void
test_encode (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("pretraining");
  g_autofree char *one_type_folder = checkpoint_get_specimen ("masked-f16");
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngModel) one_type = open_or_fail (one_type_folder);
  const char *long_text = "the cat sat on the mat and the dog sat on the mat and the cat jumps";
  const char *one_more = "the cat sat on the mat and the dog sat on the mat and the cat jumps on";
  g_autoptr (EngTokens) fits = encode_texts (model, "time flies like an arrow", "fruit flies",
                                                 FALSE, FALSE, NULL);
  g_autoptr (EngTokens) bare = encode_texts (model, "time flies", NULL, TRUE, FALSE, NULL);
  g_autoptr (EngTokens) cut = encode_texts (model, long_text, "who lives in paris ?", FALSE,
                                                TRUE, NULL);

  g_assert_cmpint (fits->n, ==, 10);
  g_assert_cmpint (bare->n, ==, 2);
  g_assert_cmpint (cut->n, ==, 19);

  /* 17 words with [CLS] and [SEP] fill the 19 positions, one more does not fit. */
  assert_text_refused (model, one_more, NULL, FALSE, ENG_ERROR_LENGTH, "has 20 tokens");
  assert_text_refused (model, long_text, long_text, FALSE, ENG_ERROR_LENGTH, "19 positions");
  assert_text_refused (model, "", NULL, FALSE, ENG_ERROR_TEXT, "empty");
  assert_text_refused (model, NULL, NULL, FALSE, ENG_ERROR_TEXT, "empty");
  assert_text_refused (model, "", "time", FALSE, ENG_ERROR_TEXT, "text A is empty beside text B");
  assert_text_refused (model, " \t\n", NULL, FALSE, ENG_ERROR_TEXT, "text A leaves no token");
  assert_text_refused (model, " ", "time", FALSE, ENG_ERROR_TEXT, "text A leaves no token");
  assert_text_refused (model, "time", " \xc2\xa0", FALSE, ENG_ERROR_TEXT, "text B leaves no token");
  assert_text_refused (model, "time", "\xff", FALSE, ENG_ERROR_TEXT, "");
  assert_text_refused (one_type, "time", "flies", FALSE, ENG_ERROR_TEXT, "takes no pairs");
}

/* An added token beyond the embedding's rows, such as a padding that was never trained, is in
 * nobody's way until a text names it. */
static void
test_added_token_without_row (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (EngModel) model = NULL;
  g_autoptr (EngSession) session = NULL;
  g_autoptr (EngTokens) plain = NULL;
  g_autoptr (EngTokens) named = NULL;
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { 0 };

  checkpoint_write_file (folder, "added_tokens.json", "{\"[LATE]\": 38}", -1);
  model = open_or_fail (folder);
  session = eng_session_new (model);
  plain = encode_texts (model, "time flies", NULL, FALSE, FALSE, NULL);
  named = encode_texts (model, "time [LATE] flies", NULL, FALSE, FALSE, NULL);

  request.tokens = plain;
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  request.tokens = named;
  g_assert_null (eng_session_run (session, &request, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, "the id 38"));
  checkpoint_remove_folder (folder);
}

/* A classifier of another width than its labels is refused; one whose config states none is taken
 * as it is. */
static void
test_label_count (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("classifier-bf16");
  g_autofree char *text = checkpoint_read_file (folder, "config.json", NULL);
  g_autoptr (GString) unlabelled = g_string_new (text);
  g_autoptr (EngModel) model = NULL;

  checkpoint_add_to_config (folder, "\"num_labels\": 4");
  assert_refused (folder, ENG_ERROR_SHAPE, "classifier.weight has the shape [3, 25]",
                  "expected [4, 25]");

  g_string_replace (unlabelled, "id2label", "unused", 1);
  checkpoint_write_file (folder, "config.json", unlabelled->str, -1);
  model = open_or_fail (folder);
  g_assert_cmpstr (eng_model_get_label (model, ENG_TASK_TEXT_CLASSIFICATION, 2), ==, "LABEL_2");
  checkpoint_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (namings); i++) {
    g_autofree char *path = g_strconcat ("/engine/model/naming/", namings[i].name, NULL);

    g_test_add_data_func (path, &namings[i], test_naming);
  }
  g_test_add_func ("/engine/model/untied", test_untied);
  g_test_add_func ("/engine/model/untied-by-config", test_untied_by_config);
  g_test_add_func ("/engine/model/shards", test_shards);
  g_test_add_func ("/engine/model/torch-files", test_torch_files);
  g_test_add_func ("/engine/model/torch-shards", test_torch_shards);
  g_test_add_func ("/engine/model/order-of-files", test_order_of_files);
  g_test_add_func ("/engine/model/spoiled-weights", test_spoiled_weights);
  g_test_add_func ("/engine/model/spoiled-folders", test_spoiled_folders);
  g_test_add_func ("/engine/model/info", test_info);
  g_test_add_func ("/engine/model/name", test_name);
  g_test_add_func ("/engine/model/family-by-tensors", test_family_by_tensors);
  g_test_add_func ("/engine/model/bundled", test_bundled);
  g_test_add_func ("/engine/model/labels", test_labels);
  g_test_add_func ("/engine/model/label-count", test_label_count);
  g_test_add_func ("/engine/model/classifier-kinds", test_classifier_kinds);
  g_test_add_func ("/engine/model/encode", test_encode);
  g_test_add_func ("/engine/model/added-token-without-row", test_added_token_without_row);

  return g_test_run ();
}
