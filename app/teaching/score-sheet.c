/* SPDX-License-Identifier: MIT */
/* A key file: a group a lesson, its questions as keys ("2" = "right 4", the choice as in solution.h),
 * each with the file that asked it and a hash of what it asked ("2-asked" = "first.md 8f0e…"), and
 * "done". */
#include "app/teaching/score-sheet.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/lessons/translation.h"
#include "app/store/paths.h"

#define DONE      "done"
#define RIGHT     "right "
#define WRONG     "wrong "
#define ASKED     "-asked"
#define SAVE_MODE 0600

struct _AppScoreSheet {
  GKeyFile *file;
  char     *path;
  GThread  *writer; /* of what was noted last; NULL = none */
};

typedef struct {
  char *path;
  char *text;
  gsize length;
} Save;

AppScoreSheet *
app_score_sheet_new (const char *path)
{
  AppScoreSheet *self = g_new0 (AppScoreSheet, 1);

  self->path = g_strdup (path);
  self->file = g_key_file_new ();
  g_key_file_load_from_file (self->file, path, G_KEY_FILE_NONE, NULL);

  return self;
}

static void
await_writer (AppScoreSheet *self)
{
  if (self->writer != NULL)
    g_thread_join (g_steal_pointer (&self->writer));
}

void
app_score_sheet_free (AppScoreSheet *self)
{
  await_writer (self);
  g_key_file_unref (self->file);
  g_free (self->path);
  g_free (self);
}

/* Whoever cannot keep a score goes on without one. */
static gpointer
save_thread (gpointer data)
{
  Save *save = data;
  g_autofree char *folder = g_path_get_dirname (save->path);

  if (save->length == 0)
    g_unlink (save->path);
  else if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents_full (save->path, save->text, (gssize) save->length,
                              G_FILE_SET_CONTENTS_CONSISTENT, SAVE_MODE, NULL);
  g_free (save->path);
  g_free (save->text);
  g_free (save);

  return NULL;
}

/* A person answers far more slowly than a file is written. */
static void
write_sheet (AppScoreSheet *self)
{
  Save *save = g_new0 (Save, 1);

  await_writer (self);
  save->path = g_strdup (self->path);
  save->text = g_key_file_to_data (self->file, &save->length, NULL);
  self->writer = g_thread_new ("scores", save_thread, save);
}

char *
app_score_sheet_name (const char *path)
{
  g_autofree char *original = app_lesson_find_original (path);
  g_autofree char *here = g_canonicalize_filename (original, NULL);
  g_autofree char *shipped = app_paths_get_lessons ();
  g_autofree char *folder = g_path_get_dirname (here);

  if (g_str_equal (folder, shipped))
    return g_path_get_basename (here);

  /* The name of a group may not have every sign that a path may have. */
  return g_uri_escape_string (here, "/", FALSE);
}

/* NULL = the lesson has fewer questions. */
static const AppAsk *
find_question (const AppLesson *lesson,
               guint            question)
{
  for (guint s = 0; s < lesson->sections->len; s++) {
    const AppSection *section = lesson->sections->pdata[s];

    for (guint i = 0; i < section->blocks->len; i++) {
      const AppBlock *block = section->blocks->pdata[i];

      if (block->type == APP_BLOCK_ASK && question-- == 0)
        return block->ask;
    }
  }

  return NULL;
}

/* (transfer full) The file and a hash of all that makes a question another one. */
static char *
describe_asked (const AppLesson *file,
                const AppAsk    *ask)
{
  g_autoptr (GString) text = g_string_new (app_ask_get_type_name (ask->type));
  g_autofree char *name = g_path_get_basename (file->path);
  g_autofree char *hash = NULL;

  g_string_append_printf (text, "\n%s\n%s", ask->question, ask->answer);
  for (guint i = 0; i < ask->options->len; i++)
    g_string_append_printf (text, "\n%s", (const char *) ask->options->pdata[i]);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);

  return g_strdup_printf ("%s %s", name, hash);
}

/* Of the same file, and yet not the same. */
static gboolean
has_changed (const char      *asked,
             const AppLesson *file,
             const AppAsk    *ask)
{
  g_autofree char *name = g_path_get_basename (file->path);
  g_autofree char *now = ask != NULL ? describe_asked (file, ask) : NULL;
  const char *blank = strrchr (asked, ' ');

  return blank != NULL && strlen (name) == (gsize) (blank - asked)
         && g_str_has_prefix (asked, name) && g_strcmp0 (asked, now) != 0;
}

void
app_score_sheet_forget_changed (AppScoreSheet   *self,
                                const char      *lesson,
                                const AppLesson *file)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, lesson, NULL, NULL);
  gboolean is_other = FALSE;

  for (int i = 0; keys != NULL && keys[i] != NULL; i++) {
    g_autofree char *asked = NULL;
    g_autofree char *number = NULL;

    if (!g_str_has_suffix (keys[i], ASKED))
      continue;
    number = g_strndup (keys[i], strlen (keys[i]) - strlen (ASKED));
    asked = g_key_file_get_string (self->file, lesson, keys[i], NULL);
    if (asked == NULL
        || !has_changed (asked, file,
                         find_question (file, (guint) g_ascii_strtoull (number, NULL, 10))))
      continue;
    g_key_file_remove_key (self->file, lesson, keys[i], NULL);
    g_key_file_remove_key (self->file, lesson, number, NULL);
    is_other = TRUE;
  }
  if (is_other)
    write_sheet (self);
}

static char *
find_value (AppScoreSheet *self,
            const char    *lesson,
            guint          question)
{
  g_autofree char *key = g_strdup_printf ("%u", question);

  return g_key_file_get_string (self->file, lesson, key, NULL);
}

gboolean
app_score_sheet_get_choice (AppScoreSheet *self,
                            const char    *lesson,
                            guint          question,
                            AppAskType     type,
                            AppChoice     *choice)
{
  g_autofree char *value = find_value (self, lesson, question);
  const char *blank = value != NULL ? strchr (value, ' ') : NULL;

  return blank != NULL && app_choice_from_text (choice, type, blank + 1);
}

void
app_score_sheet_set_choice (AppScoreSheet   *self,
                            const char      *lesson,
                            const AppLesson *file,
                            guint            question,
                            const AppChoice *choice,
                            gboolean         is_right)
{
  const AppAsk *ask = find_question (file, question);
  g_autofree char *key = g_strdup_printf ("%u", question);
  g_autofree char *key_asked = g_strconcat (key, ASKED, NULL);
  g_autofree char *text = NULL;
  g_autofree char *value = NULL;
  g_autofree char *asked = NULL;

  g_return_if_fail (ask != NULL);

  text = app_choice_to_text (choice, ask->type);
  value = g_strconcat (is_right ? RIGHT : WRONG, text, NULL);
  asked = describe_asked (file, ask);
  g_key_file_set_string (self->file, lesson, key, value);
  g_key_file_set_string (self->file, lesson, key_asked, asked);
  write_sheet (self);
}

void
app_score_sheet_count (AppScoreSheet *self,
                       const char    *lesson,
                       int           *n_answered,
                       int           *n_right)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, lesson, NULL, NULL);

  *n_answered = *n_right = 0;
  for (int i = 0; keys != NULL && keys[i] != NULL; i++) {
    g_autofree char *value = g_key_file_get_string (self->file, lesson, keys[i], NULL);
    const gboolean is_right = value != NULL && g_str_has_prefix (value, RIGHT);

    *n_right += is_right;
    *n_answered += is_right || (value != NULL && g_str_has_prefix (value, WRONG));
  }
}

gboolean
app_score_sheet_is_done (AppScoreSheet *self,
                         const char    *lesson)
{
  return g_key_file_get_boolean (self->file, lesson, DONE, NULL);
}

void
app_score_sheet_set_done (AppScoreSheet *self,
                          const char    *lesson)
{
  if (app_score_sheet_is_done (self, lesson))
    return;
  g_key_file_set_boolean (self->file, lesson, DONE, TRUE);
  write_sheet (self);
}

gboolean
app_score_sheet_is_empty (AppScoreSheet *self)
{
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);

  return groups[0] == NULL;
}

void
app_score_sheet_clear (AppScoreSheet *self)
{
  g_key_file_unref (self->file);
  self->file = g_key_file_new ();
  write_sheet (self);
}
