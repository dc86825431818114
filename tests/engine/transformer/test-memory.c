/* SPDX-License-Identifier: MIT */
/* Checkpoints that are larger than the memory, as files that are all holes. */
#include "tests/engine/transformer/model-case.h"

#include "engine/families/lazy-weights.h"
#include "engine/kernels/memory.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
#include "tests/support/encode.h"

#include <fcntl.h>
#include <locale.h>
#include <sys/mman.h>
#include <unistd.h>

#define N_WORDS (1 << 24)
#define HIDDEN 4096

static const char config[] =
  "{\"model_type\": \"bert\", \"vocab_size\": 16777216, \"hidden_size\": 4096,"
  " \"num_hidden_layers\": 1, \"num_attention_heads\": 1, \"intermediate_size\": 2,"
  " \"max_position_embeddings\": 8}";

static const struct {
  const char *name;
  gint64      rows;
  gint64      cols; /* 0 = a vector */
} tensors[] = {
  { "embeddings.word_embeddings.weight", N_WORDS, HIDDEN },
  { "embeddings.position_embeddings.weight", 8, HIDDEN },
  { "embeddings.token_type_embeddings.weight", 2, HIDDEN },
  { "embeddings.LayerNorm.weight", HIDDEN, 0 },
  { "embeddings.LayerNorm.bias", HIDDEN, 0 },
  { "encoder.layer.0.attention.self.query.weight", HIDDEN, HIDDEN },
  { "encoder.layer.0.attention.self.query.bias", HIDDEN, 0 },
  { "encoder.layer.0.attention.self.key.weight", HIDDEN, HIDDEN },
  { "encoder.layer.0.attention.self.key.bias", HIDDEN, 0 },
  { "encoder.layer.0.attention.self.value.weight", HIDDEN, HIDDEN },
  { "encoder.layer.0.attention.self.value.bias", HIDDEN, 0 },
  { "encoder.layer.0.attention.output.dense.weight", HIDDEN, HIDDEN },
  { "encoder.layer.0.attention.output.dense.bias", HIDDEN, 0 },
  { "encoder.layer.0.attention.output.LayerNorm.weight", HIDDEN, 0 },
  { "encoder.layer.0.attention.output.LayerNorm.bias", HIDDEN, 0 },
  { "encoder.layer.0.intermediate.dense.weight", 2, HIDDEN },
  { "encoder.layer.0.intermediate.dense.bias", 2, 0 },
  { "encoder.layer.0.output.dense.weight", HIDDEN, 2 },
  { "encoder.layer.0.output.dense.bias", HIDDEN, 0 },
  { "encoder.layer.0.output.LayerNorm.weight", HIDDEN, 0 },
  { "encoder.layer.0.output.LayerNorm.bias", HIDDEN, 0 },
};

static void
add_tensor (GString    *header,
            const char *name,
            const char *type,
            gint64      size,
            gint64      rows,
            gint64      cols,
            gint64     *end)
{
  gint64 begin = *end;

  *end += rows * MAX (cols, 1) * size;
  g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%" G_GINT64_FORMAT,
                          begin ? "," : "{", name, type, rows);
  if (cols)
    g_string_append_printf (header, ",%" G_GINT64_FORMAT, cols);
  g_string_append_printf (header, "],\"data_offsets\":[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]}",
                          begin, *end);
}

/* A file with these tensors, of which only the header takes room. */
static void
write_file (const char *folder,
            const char *name,
            GString    *header,
            gint64      end)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  guint64 length;
  int fd;

  g_string_append_c (header, '}');
  while (header->len % 8)
    g_string_append_c (header, ' ');

  length = GUINT64_TO_LE (header->len);
  fd = open (path, O_CREAT | O_WRONLY, 0600);
  g_assert_cmpint (write (fd, &length, sizeof length), ==, sizeof length);
  g_assert_cmpint (write (fd, header->str, header->len), ==, (gssize) header->len);
  g_assert_cmpint (ftruncate (fd, 8 + (off_t) header->len + end), ==, 0);
  close (fd);
}

/* A folder with the model above in one file. */
static char *
make_folder (const char *type,
             gint64      size)
{
  g_autoptr (GString) header = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headlight-model-XXXXXX", &error);
  gint64 end = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    add_tensor (header, tensors[i].name, type, size, tensors[i].rows, tensors[i].cols, &end);
  write_file (folder, WEIGHTS, header, end);
  checkpoint_write_file (folder, "config.json", config, -1);

  return folder;
}

/* What has to be widened is refused before it is tried. */
static void
test_too_large (void)
{
  g_autofree char *folder = make_folder ("BF16", 2);

  if (eng_memory_get_available () > (gint64) N_WORDS * HIDDEN * 4)
    g_test_skip ("the machine has more memory than the model takes");
  else
    assert_refused (folder, ENG_ERROR_RANGE, WEIGHTS, "MB of memory are free");
  checkpoint_remove_folder (folder);
}

/* What is read where it lies opens without being read. */
static void
test_lazy (void)
{
  g_autofree char *folder = make_folder ("F32", 4);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (EngModel) model = open_or_fail (folder);

  g_test_message ("%.3f s", (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  g_assert_cmpint (eng_model_get_info (model)->weights_bytes, >, (gint64) N_WORDS * HIDDEN * 4);
  checkpoint_remove_folder (folder);
}

#define SMALL 64 /* hidden size of a model in shards */
#define N_SMALL_WORDS 1000
#define LAST_SHARD "model-00002-of-00002.safetensors"

/* The size of the large model's tensors in a small one. */
static gint64
make_small (gint64 n)
{
  return n == HIDDEN ? SMALL : n == N_WORDS ? N_SMALL_WORDS : n;
}

/* Two layers in F16; the last shard has the second one alone. */
static char *
make_shards (void)
{
  static const char small[] =
    "{\"model_type\": \"bert\", \"vocab_size\": 1000, \"hidden_size\": 64, \"num_hidden_layers\": 2,"
    " \"num_attention_heads\": 2, \"intermediate_size\": 2, \"max_position_embeddings\": 8}";
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) last = g_string_new (NULL);
  GString *const headers[] = { first, last };
  g_autoptr (GString) index = g_string_new ("{\"weight_map\": {");
  char *folder = g_dir_make_tmp ("headlight-model-XXXXXX", NULL);
  gint64 ends[2] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    for (int layer = 0; layer < 2; layer++) {
      g_autofree char *name = g_strdup (tensors[i].name);
      char *number = strstr (name, "layer.0");

      if (layer == 1 && !number)
        continue;
      if (number)
        number[strlen ("layer.")] = (char) ('0' + layer);
      add_tensor (headers[layer], name, "F16", 2, make_small (tensors[i].rows),
                  make_small (tensors[i].cols), &ends[layer]);
      g_string_append_printf (index, "%s\"%s\": \"model-0000%d-of-00002.safetensors\"",
                              i || layer ? ", " : "", name, layer + 1);
    }
  g_string_append (index, "}}");
  write_file (folder, "model-00001-of-00002.safetensors", first, ends[0]);
  write_file (folder, LAST_SHARD, last, ends[1]);
  checkpoint_write_file (folder, "model.safetensors.index.json", index->str, -1);
  checkpoint_write_file (folder, "config.json", small, -1);

  return folder;
}

/* Whether the last page of the file is in memory. */
static gboolean
is_read (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, LAST_SHARD, NULL);
  int fd = open (path, O_RDONLY);
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  gsize last = ((gsize) lseek (fd, 0, SEEK_END) - 1) / page;
  guint8 *map = mmap (NULL, (last + 1) * page, PROT_READ, MAP_SHARED, fd, 0);
  guchar resident;

  g_assert_true (map != MAP_FAILED);
  g_assert_cmpint (mincore (map + last * page, page, &resident), ==, 0);
  munmap (map, (last + 1) * page);
  close (fd);

  return resident & 1;
}

static gsize
count_widened (EngModel *model)
{
  return eng_lazy_weights_get_n_widened (eng_model_get_weights (model)->lazy);
}

typedef struct {
  EngModel   *model;
  const char *folder;
  gsize       n_widened[2]; /* when a layer was done */
  gboolean    is_read[2];
} Progress;

static void
note_layer (EngTrace *trace,
            EngKind   kind,
            int       layer,
            gpointer  data)
{
  Progress *self = data;
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);

  g_assert_nonnull (attention);
  self->n_widened[layer] = count_widened (self->model);
  self->is_read[layer] = is_read (self->folder);
}

/* The attention of the first layer is there before the file of the second one is read. */
static void
test_layer_by_layer (void)
{
  g_autofree char *folder = make_shards ();
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = eng_tokens_new (3);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  Progress progress = { .model = model, .folder = folder };
  EngRunRequest request = { .tokens = tokens, .layer_done = note_layer, .data = &progress };

  g_assert_cmpuint (count_widened (model), ==, 0);
  g_assert_false (is_read (folder));
  for (int i = 0; i < tokens->n; i++)
    tokens->texts[i] = g_strdup ("word");
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (progress.n_widened[0], ==,
                    (gsize) (eng_model_get_info (model)->n_parameters -
                             (4 * SMALL * SMALL + 4 * SMALL + 2 * SMALL * 2 + SMALL + 2 + 4 * SMALL)));
  g_assert_false (progress.is_read[0]);
  g_assert_cmpuint (progress.n_widened[1], ==, (gsize) eng_model_get_info (model)->n_parameters);
  g_assert_true (progress.is_read[1]);
  checkpoint_remove_folder (folder);
}

static gpointer
run_in_thread (gpointer model)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = encode_texts (model, "time flies", NULL, FALSE, FALSE, NULL);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { .tokens = tokens, .tasks = 1u << ENG_TASK_FILL_MASK,
                            .all_positions = TRUE };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);

  return trace;
}

/* Several passes need the same weights at once; each has the numbers of one alone. */
static void
test_threads (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("masked-f16");
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngModel) other = open_or_fail (folder);
  g_autoptr (EngTrace) alone = run_in_thread (other);
  GThread *threads[6];
  EngMatrix expected;

  g_assert_true (eng_trace_get_logits (alone, ENG_TASK_FILL_MASK, &expected, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("pass", run_in_thread, model);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++) {
    g_autoptr (EngTrace) trace = g_thread_join (threads[i]);
    gsize n_bytes = (gsize) expected.rows * expected.stride * sizeof (float);
    EngMatrix logits;

    g_assert_true (eng_trace_get_logits (trace, ENG_TASK_FILL_MASK, &logits, NULL));
    g_assert_cmpmem (logits.data, n_bytes, expected.data, n_bytes);
  }
  g_assert_cmpuint (count_widened (model), ==, count_widened (other));
}

static void
test_meminfo (void)
{
  static const char text[] = "MemTotal:       16384 kB\nMemFree:  12 kB\n"
                             "MemAvailable:    1000 kB\nSwapFree:          24 kB\n";

  g_assert_cmpint (eng_memory_parse_available (text), ==, 1024 * 1024);
  g_assert_cmpint (eng_memory_parse_available ("MemAvailable: 3 kB\n"), ==, 3072);
  g_assert_cmpint (eng_memory_parse_available ("MemFree: 3 kB\n"), ==, G_MAXINT64);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/memory/too-large", test_too_large);
  g_test_add_func ("/memory/lazy", test_lazy);
  g_test_add_func ("/memory/layer-by-layer", test_layer_by_layer);
  g_test_add_func ("/memory/threads", test_threads);
  g_test_add_func ("/memory/meminfo", test_meminfo);

  return g_test_run ();
}
