/* SPDX-License-Identifier: MIT */
/* training.json of a folder: whatever is taken can be written again and is taken as the same;
 * whatever is refused says why. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/training/record.h"
#include "tests/fuzz/fuzz.h"

static const char *const seeds[] = {
  "{\"format\": \"headlight-training\", \"version\": 2, \"recipe\": {\"task\": \"masked\","
  " \"data\": \"/a/b.txt\", \"from\": \"headlight-mini\", \"seed\": 7, \"steps\": 20, \"rate\":"
  " 0.001, \"decay\": \"cosine\", \"f16\": true}, \"data_sha256\": \"ab\", \"seconds\": 1.5,"
  " \"saved_seconds\": 0.5, \"saved_sums\": {\"step\": 5, \"loss\": 1.5, \"labels\": 2, \"rate\": 1,"
  " \"norm\": 1}, \"sums\": {\"step\": 12, \"loss\": 3.5, \"labels\": 9, \"rate\": 1e-4, \"norm\": 2},"
  " \"curve\": [{\"step\": 0, \"loss\": null, \"held_out\": 9.1, \"rate\": 0, \"norm\": 0},"
  " {\"step\": 10, \"loss\": 8.25, \"held_out\": null, \"rate\": 1e-3, \"norm\": 1.5}]}",
  "{\"format\": \"headlight-training\", \"recipe\": {\"task\": \"tags\", \"data\": \"x\","
  " \"shape\": \"tiny\", \"minutes\": 0.5, \"freeze\": 2}, \"curve\": []}",
};

static char *folder;
static char *path;

static void
remove_folder (void)
{
  g_rmdir (folder);
}

void
fuzz_add_seeds (GPtrArray *array)
{
  folder = g_dir_make_tmp ("fuzz-training-record-XXXXXX", NULL);
  path = g_build_filename (folder, "training.json", NULL);
  atexit (remove_folder);
  for (gsize i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_static (seeds[i], strlen (seeds[i])));
}

static void
check_again (const AppTrainingRecord *record)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppTrainingRecord) again = NULL;
  g_autoptr (cJSON) before = app_recipe_to_json (record->recipe), after = NULL;

  g_assert_true (app_training_record_save (record, folder, &error));
  again = app_training_record_open (folder, &error);
  g_assert_no_error (error);
  after = app_recipe_to_json (again->recipe);
  g_assert_true (cJSON_Compare (before, after, TRUE));
  g_assert_cmpuint (again->curve->len, ==, record->curve->len);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppTrainingRecord) record = NULL;

  g_assert_cmpint (write (fd, data, size), ==, (gssize) size);
  close (fd);
  record = app_training_record_open (folder, &error);
  g_assert_true ((record == NULL) == (error != NULL));
  if (record) {
    app_training_record_cut (record, 5);
    check_again (record);
  } else
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_unlink (path);
}
