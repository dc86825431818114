/* SPDX-License-Identifier: MIT */
#include "app/training/unsaved.h"

#include <glib/gstdio.h>

#include "app/training/training-private.h"
#include "engine/base/file-writer.h"

/* Those that the first save writes before the state, which comes last but for the card. */
static gboolean
is_written (const char *name)
{
  static const char *const names[] = {
    APP_TRAINING_RECORD_FILE, APP_TRAINING_LOCK_FILE, "config.json", "model.safetensors", NULL,
  };

  return g_strv_contains (names, name) || app_training_is_tokenizer_file (name) ||
         eng_file_writer_is_part (name);
}

/* Whether nothing says more than that a training was to begin here: a file of a model may be
 * anybody's. */
static gboolean
is_bare (const char *name)
{
  return g_str_equal (name, APP_TRAINING_LOCK_FILE) || eng_file_writer_is_part (name);
}

/* Of a later save there is a point at least. */
static gboolean
has_new_record (const char *folder)
{
  g_autoptr (AppTrainingRecord) record = app_training_record_open (folder, NULL);

  return record && record->curve->len == 0;
}

gboolean
app_training_unsaved_is_in (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gboolean bare = TRUE;
  int n = 0;

  for (const char *name; dir && (name = g_dir_read_name (dir)) != NULL; n++) {
    if (!is_written (name))
      return FALSE;
    bare = bare && is_bare (name);
  }

  return n > 0 && (bare || has_new_record (folder));
}

void
app_training_unsaved_clear (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; dir && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (is_written (name) && !g_str_equal (name, APP_TRAINING_LOCK_FILE))
      g_remove (path);
  }
}
