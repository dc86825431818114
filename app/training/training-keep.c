/* SPDX-License-Identifier: MIT */
#include "app/training/kept.h"
#include "app/training/training-private.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "engine/training/checkpoint.h"

/* Where a state is written before it has its name: what is named is whole. */
#define UNNAMED "new"
/* Keeping takes at most one part of so many of the time. */
#define TIME_PART 20

/* Of the weights of one state. */
static gint64
count_bytes (const AppTraining *self)
{
  return eng_parameters_count (self->parameters) * (self->record->recipe->f16 ? 2 : 4);
}

static gboolean
write_state (const AppTraining  *self,
             const char         *folder,
             GError            **error)
{
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be made a folder", folder);
    return FALSE;
  }

  return app_training_copy_tokenizer (self->folder, folder, error) &&
         eng_training_save (self->parameters, NULL, folder, self->record->recipe->f16, error);
}

/* What a program that was ended has left is written over. */
static gboolean
keep (AppTraining  *self,
      GError      **error)
{
  g_autofree char *state = app_kept_dup_folder (self->folder, self->step);
  g_autofree char *states = g_path_get_dirname (state);
  g_autofree char *unnamed = g_build_filename (states, UNNAMED, NULL);

  if (!write_state (self, unnamed, error)) {
    app_kept_remove_state (unnamed);
    return FALSE;
  }
  if (g_rename (unnamed, state) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be written: %s", state,
                 g_strerror (errno));
    return FALSE;
  }
  g_array_append_val (self->kept, self->step);
  self->kept_changed = TRUE;

  return TRUE;
}

static void
drop (AppTraining *self,
      guint        place)
{
  app_kept_remove (self->folder, g_array_index (self->kept, gint64, place));
  g_array_remove_index (self->kept, place);
}

void
app_training_keep_states (AppTraining *self)
{
  self->room = app_kept_count_room (count_bytes (self));
  self->kept = app_kept_list (self->folder);
  /* One that is taken again from an older step makes them again. */
  while (self->kept->len > 0 &&
         g_array_index (self->kept, gint64, self->kept->len - 1) > self->step)
    drop (self, self->kept->len - 1);
  self->kept_changed = TRUE;
}

gboolean
app_training_keep_due (AppTraining  *self,
                       GError      **error)
{
  const gint64 begun = g_get_monotonic_time ();

  if (self->room == 0 || !app_kept_is_due (self->kept, self->step) ||
      begun - self->kept_at < self->keep_us * TIME_PART)
    return TRUE;
  if (!keep (self, error))
    return FALSE;
  while (self->kept->len > self->room)
    drop (self, app_kept_find_spare (self->kept));
  self->kept_at = g_get_monotonic_time ();
  self->keep_us = self->kept_at - begun;

  return TRUE;
}
