/* SPDX-License-Identifier: MIT */
/* Checkpoints that are larger than the memory, as files that are all holes. */
#include "tests/engine/transformer/model-case.h"

#include "engine/kernels/memory.h"

#include <fcntl.h>
#include <locale.h>
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

/* A folder with the model above in one file, of which only the header takes room. */
static char *
make_folder (const char *type,
             gint64      size)
{
  g_autoptr (GString) header = g_string_new ("{");
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headlight-model-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, WEIGHTS, NULL);
  gint64 end = 0;
  guint64 length;
  int fd;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++) {
    gint64 begin = end;

    end += tensors[i].rows * MAX (tensors[i].cols, 1) * size;
    g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%" G_GINT64_FORMAT,
                            i ? "," : "", tensors[i].name, type, tensors[i].rows);
    if (tensors[i].cols)
      g_string_append_printf (header, ",%" G_GINT64_FORMAT, tensors[i].cols);
    g_string_append_printf (header, "],\"data_offsets\":[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                            "]}", begin, end);
  }
  g_string_append_c (header, '}');
  while (header->len % 8)
    g_string_append_c (header, ' ');

  length = GUINT64_TO_LE (header->len);
  fd = open (path, O_CREAT | O_WRONLY, 0600);
  g_assert_cmpint (write (fd, &length, sizeof length), ==, sizeof length);
  g_assert_cmpint (write (fd, header->str, header->len), ==, (gssize) header->len);
  g_assert_cmpint (ftruncate (fd, 8 + (off_t) header->len + end), ==, 0);
  close (fd);
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
  g_test_add_func ("/memory/meminfo", test_meminfo);

  return g_test_run ();
}
