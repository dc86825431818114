/* SPDX-License-Identifier: MIT */
/* optimizer.safetensors of a training: whatever is taken is a state to take a step from, whatever
 * is refused changes nothing. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/training/checkpoint.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/repair.h"

#define CONFIG                                                                                    \
  "{\"model_type\": \"bert\", \"architectures\": [\"BertForMaskedLM\"], \"hidden_size\": 2,"      \
  " \"num_hidden_layers\": 1, \"num_attention_heads\": 1, \"intermediate_size\": 2,"              \
  " \"max_position_embeddings\": 2, \"type_vocab_size\": 1, \"vocab_size\": 3}"

static char *folder;
static char *path;
static EngParameters *parameters;
static EngOptimizer *optimizer;

static void
remove_folder (void)
{
  static const char *const names[] = { "config.json", "model.safetensors",
                                       "optimizer.safetensors" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *file = g_build_filename (folder, names[i], NULL);

    g_unlink (file);
  }
  g_rmdir (folder);
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  EngOptimizerSettings settings;
  char *bytes;
  gsize length;

  folder = g_dir_make_tmp ("fuzz-training-state-XXXXXX", NULL);
  path = g_build_filename (folder, "optimizer.safetensors", NULL);
  parameters = eng_parameters_new (CONFIG, -1, "config.json", 1, NULL);
  eng_optimizer_settings_init (&settings);
  optimizer = eng_optimizer_new (parameters, &settings, NULL);
  g_assert_true (eng_training_save (parameters, optimizer, folder, FALSE, NULL));
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_ptr_array_add (seeds, g_bytes_new_take (bytes, length));
  atexit (remove_folder);
  g_ptr_array_add (seeds, g_bytes_new_static ("\2\0\0\0\0\0\0\0{}", 10));
}

static void
run (const guint8 *data,
     gsize         size)
{
  const EngGradients *block = eng_parameters_get_gradients (parameters);
  g_autofree float *before = g_memdup2 (block->values, block->n * sizeof (float));
  gint64 n_steps = eng_optimizer_get_n_steps (optimizer);
  g_autoptr (GError) error = NULL;
  int fd;

  /* A new file: disks write one that is cut to nothing at once. */
  g_unlink (path);
  fd = g_open (path, O_WRONLY | O_CREAT, 0600);
  g_assert_cmpint (write (fd, data, size), ==, (gssize) size);
  close (fd);
  if (eng_training_resume (optimizer, parameters, folder, &error)) {
    g_assert_cmpint (eng_optimizer_get_n_steps (optimizer), >=, 0);
    return;
  }
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpint (eng_optimizer_get_n_steps (optimizer), ==, n_steps);
  g_assert_cmpmem (before, block->n * sizeof (float), block->values, block->n * sizeof (float));
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GBytes) repaired = fuzz_repair (data, size);
  gsize length;
  const guint8 *bytes = g_bytes_get_data (repaired, &length);

  run (data, size);
  run (bytes, length);
}
