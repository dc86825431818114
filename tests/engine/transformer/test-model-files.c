/* SPDX-License-Identifier: MIT */
/* The files that a model's weights lie in: one and the same model in all of them, and files that
 * are none. */
#include "tests/engine/transformer/model-case.h"

#include "engine/checkpoint/safetensors.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
#include "tests/support/encode.h"

#include <locale.h>
#include <unistd.h>

/* config.json of the specimen "pretraining" without what names the family. */
static const char specimen_without_family[] =
  "{\"vocab_size\": 38, \"hidden_size\": 15, \"num_attention_heads\": 3,"
  " \"intermediate_size\": 37, \"num_hidden_layers\": 2, \"max_position_embeddings\": 19}";

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

#define BOTH_HEADS (1u << ENG_TASK_FILL_MASK | 1u << ENG_TASK_NEXT_SENTENCE)

/* Logits of heads of the specimen, as bytes. */
static GBytes *
run_heads (EngModel *model,
           guint     tasks)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = encode_texts (model, "time flies like", "a [MASK] cat", FALSE,
                                                   FALSE, &error);
  g_autoptr (EngTrace) trace = NULL;
  EngRunRequest request = {
    .tokens = tokens,
    .tasks = tasks,
    .all_positions = TRUE,
  };

  g_assert_no_error (error);
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  for (int task = ENG_TASK_FILL_MASK; task <= ENG_TASK_NEXT_SENTENCE; task++) {
    EngMatrix logits;

    if ((tasks & 1u << task) == 0)
      continue;
    g_assert_true (eng_trace_get_logits (trace, task, &logits, NULL));
    for (int row = 0; row < logits.rows; row++)
      g_byte_array_append (bytes, (const guint8 *) (logits.data + (gsize) row * logits.stride),
                           (guint) logits.cols * sizeof (float));
  }

  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static GBytes *
get_original_logits (guint tasks)
{
  g_autofree char *folder = checkpoint_get_specimen ("pretraining");
  g_autoptr (EngModel) model = open_or_fail (folder);

  return run_heads (model, tasks);
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
  g_autoptr (GBytes) original = get_original_logits (BOTH_HEADS);
  g_autoptr (GBytes) changed = NULL;
  g_autoptr (EngModel) model = NULL;

  rewrite_init (&rewrite, "pretraining");
  naming->change (&rewrite);
  write_back (&rewrite);
  model = open_or_fail (rewrite.folder);
  changed = run_heads (model, BOTH_HEADS);

  g_assert_true (g_bytes_equal (original, changed));
  g_assert_cmpint (eng_model_get_info (model)->n_parameters, ==, 5859);
}

/* A head whose words differ from the embedding's is not tied: its own are used. */
static void
test_untied (void)
{
  g_auto (Rewrite) rewrite = { 0 };
  g_autoptr (GBytes) original = get_original_logits (BOTH_HEADS);
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
  changed = run_heads (model, BOTH_HEADS);

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
  g_autoptr (GBytes) original = get_original_logits (BOTH_HEADS);
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
  sharded = run_heads (model, BOTH_HEADS);

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
  g_autoptr (GBytes) original = get_original_logits (BOTH_HEADS);

  checkpoint_remove_file (folder, WEIGHTS);
  checkpoint_write_file (folder, "config.json", specimen_without_family, -1);
  for (guint i = 0; i < G_N_ELEMENTS (containers); i++) {
    g_autoptr (EngModel) model = NULL;
    g_autoptr (GBytes) logits = NULL;

    copy_torch_file (folder, containers[i], "pytorch_model.bin");
    model = open_or_fail (folder);
    logits = run_heads (model, BOTH_HEADS);

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
  g_autoptr (GBytes) original = get_original_logits (BOTH_HEADS);
  g_autoptr (GBytes) sharded = NULL;
  g_autoptr (EngModel) model = NULL;

  checkpoint_remove_file (folder, WEIGHTS);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    copy_torch_file (folder, files[i], files[i]);
  model = open_or_fail (folder);
  sharded = run_heads (model, BOTH_HEADS);

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

/* What a clone has in the place of large files until they are pulled. */
static void
test_lfs_pointers (void)
{
  static const char pointer[] =
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    "size 267844284\n";
  static const char *const files[] = { "pytorch_model.bin", "model.safetensors.index.json",
                                       WEIGHTS, "tokenizer.json" };
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autofree char *weights = NULL;
  gsize size;

  weights = checkpoint_read_file (folder, WEIGHTS, &size);
  checkpoint_remove_file (folder, WEIGHTS);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *place = g_strconcat (files[i], ": is a pointer of Git LFS to 267844284 bytes",
                                          NULL);

    if (i == G_N_ELEMENTS (files) - 1)
      checkpoint_write_file (folder, WEIGHTS, weights, (gssize) size);
    checkpoint_write_file (folder, files[i], pointer, -1);
    assert_refused (folder, ENG_ERROR_FORMAT, place, "git lfs pull");
  }
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

/* A file whose class is BertForMaskedLM may hold a head that needs the pooler that it has not, and
 * one of another model: both are left out, and the head that is whole gives the same bits. */
static void
test_heads_left_out (void)
{
  g_autoptr (GBytes) original = get_original_logits (1u << ENG_TASK_FILL_MASK);
  g_autoptr (GBytes) changed = NULL;
  g_auto (Rewrite) rewrite = { 0 };
  g_autoptr (EngModel) model = NULL;
  const EngModelInfo *info;
  EngTensorSource stray;

  rewrite_init (&rewrite, "pretraining");
  find_source (&rewrite, "bert.pooler.dense.weight")->name = "stray.weight";
  find_source (&rewrite, "bert.pooler.dense.bias")->name = "qa_outputs.bias";
  stray = *find_source (&rewrite, "stray.weight");
  stray.name = "qa_outputs.weight";
  g_array_append_val (rewrite.sources, stray);
  write_back (&rewrite);
  model = open_or_fail (rewrite.folder);
  info = eng_model_get_info (model);
  changed = run_heads (model, 1u << ENG_TASK_FILL_MASK);

  g_assert_true (g_bytes_equal (original, changed));
  g_assert_cmpuint (info->tasks, ==, 1u << ENG_TASK_FILL_MASK);
  g_assert_null (info->left_out[ENG_TASK_FILL_MASK]);
  g_assert_cmpstr (info->left_out[ENG_TASK_NEXT_SENTENCE], ==,
                   "the tensor pooler.dense.weight is missing");
  g_assert_cmpstr (info->left_out[ENG_TASK_QUESTION_ANSWERING], ==,
                   "the tensor qa_outputs.weight has the shape [15, 15], expected [2, 15] from "
                   "the sizes in config.json");
  g_assert_cmpint (info->n_parameters, ==, 5859 - (15 * 15 + 15) - (2 * 15 + 2));
}

static void
test_untied_by_config (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (EngModel) model = NULL;
  const EngModelInfo *info;

  checkpoint_add_to_config (folder, "\"tie_word_embeddings\": false");
  model = open_or_fail (folder);
  info = eng_model_get_info (model);
  g_assert_cmpuint (info->tasks, ==, 1u << ENG_TASK_NEXT_SENTENCE);
  g_assert_cmpstr (info->left_out[ENG_TASK_FILL_MASK], ==,
                   "the tensor cls.predictions.decoder.weight is missing");
  checkpoint_remove_folder (folder);
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

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (namings); i++) {
    g_autofree char *path = g_strconcat ("/model-files/naming/", namings[i].name, NULL);

    g_test_add_data_func (path, &namings[i], test_naming);
  }
  g_test_add_func ("/model-files/untied", test_untied);
  g_test_add_func ("/model-files/heads-left-out", test_heads_left_out);
  g_test_add_func ("/model-files/untied-by-config", test_untied_by_config);
  g_test_add_func ("/model-files/shards", test_shards);
  g_test_add_func ("/model-files/torch-files", test_torch_files);
  g_test_add_func ("/model-files/torch-shards", test_torch_shards);
  g_test_add_func ("/model-files/order-of-files", test_order_of_files);
  g_test_add_func ("/model-files/lfs-pointers", test_lfs_pointers);
  g_test_add_func ("/model-files/spoiled-weights", test_spoiled_weights);
  g_test_add_func ("/model-files/family-by-tensors", test_family_by_tensors);

  return g_test_run ();
}
