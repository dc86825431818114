/* SPDX-License-Identifier: MIT */
/* "Add This View to a Lesson…": what is on show as a section behind those of a lesson's file, or as
 * the first one of a new file. */
#include "app/parts/lessons/lessons-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/desk/message-dialog.h"
#include "app/lessons/lesson-append.h"
#include "app/lessons/translation.h"
#include "app/run/task.h"
#include "app/store/model-store.h"
#include "ui/view/drawn-text.h"

/* The title has the room that it needs, in a window that has it. */
#define WIDTH  300 /* px, with text of its usual size */
#define MARGIN 120

#define ENDING   ".md"
#define NEW_NAME "lesson" ENDING

typedef struct {
  char *path;
  char *names;   /* of the files that it was added to, once it was */
  char *heading;
  char *text;
  char *command;
  char *model;
} View;

static void
view_free (gpointer data)
{
  View *self = data;

  g_free (self->path);
  g_free (self->names);
  g_free (self->heading);
  g_free (self->text);
  g_free (self->command);
  g_free (self->model);
  g_free (self);
}

/* To a lesson in each of its languages, whose sections stand side by side. */
static void
append_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  View *view = data;
  g_autofree char *original = app_lesson_find_original (view->path);
  g_autoptr (GPtrArray) paths = app_lesson_list_translations (original);
  g_autoptr (GString) names = g_string_new (NULL);

  g_ptr_array_insert (paths, 0, g_steal_pointer (&original));
  for (guint i = 0; i < paths->len; i++) {
    g_autofree char *name = g_path_get_basename (paths->pdata[i]);
    GError *error = NULL;

    if (!app_lesson_append (paths->pdata[i], view->heading, view->text, view->command, view->model,
                            &error)) {
      g_task_return_error (task, error);
      return;
    }
    g_string_append_printf (names, "%s%s", i == 0 ? "" : " and ", name);
  }
  view->names = g_string_free (g_steal_pointer (&names), FALSE);
  g_task_return_boolean (task, TRUE);
}

static void
appended_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  AppLessonsPart *self = APP_LESSONS_PART (source);
  const View *view = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error)) {
    app_desk_add_recent (self->desk, view->path, APP_FILE_LESSON);
    sentence = g_strdup_printf ("Added to %s", view->names);
    app_desk_tell (self->desk, sentence);
  } else {
    app_desk_toast (self->desk, error->message);
  }
}

/* Takes the view over. */
static void
append (AppLessonsPart *self,
        View           *view,
        const char     *path)
{
  g_autoptr (GTask) task = app_task_new (self, appended_cb, NULL);
  g_autofree char *name = g_path_get_basename (path);

  view->path = strchr (name, '.') != NULL ? g_strdup (path) : g_strconcat (path, ENDING, NULL);
  g_task_set_task_data (task, view, view_free);
  g_task_run_in_thread (task, append_thread);
}

static void
existing_cb (gpointer    owner,
             const char *path,
             gpointer    data)
{
  append (owner, data, path);
}

/* Whoever says that a file may be replaced means it: it is not added to. */
static void
new_cb (gpointer    owner,
        const char *path,
        gpointer    data)
{
  g_unlink (path);
  append (owner, data, path);
}

static void
choose (AppLessonsPart *self,
        View           *view,
        gboolean        is_new)
{
  const AppFileQuestion question = {
    is_new ? "New Lesson" : "Add to a Lesson",
    is_new ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
    is_new ? NEW_NAME : NULL,
    { { "Lessons", "md" } },
  };

  app_desk_choose_file (self->desk, &question, self, is_new ? new_cb : existing_cb, view,
                        view_free);
}

/* Nobody adds to a lesson that comes with the program. */
static gboolean
has_own_lesson (AppLessonsPart *self)
{
  return self->lesson != NULL && g_path_is_absolute (self->lesson->path)
         && g_access (self->lesson->path, W_OK) == 0
         && strchr (self->name, G_DIR_SEPARATOR) != NULL;
}

static void
response_cb (AppLessonsPart *self,
             const char     *response,
             GtkWidget      *dialog)
{
  GtkEditable *heading = g_object_get_data (G_OBJECT (dialog), "heading");
  GtkEditable *text = g_object_get_data (G_OBJECT (dialog), "text");
  const char *model = app_study_get_document (self->study)->model;
  View *view;

  if (g_str_equal (response, "cancel") || app_picture_get_shown (self->picture) == NULL)
    return;
  view = g_new0 (View, 1);
  view->heading = g_strdup (gtk_editable_get_text (heading));
  view->text = g_strdup (gtk_editable_get_text (text));
  view->command = app_picture_dup_command (self->picture);
  view->model = g_strdup (model != NULL ? model : APP_BUNDLED_MODEL);
  if (g_str_equal (response, "this") && has_own_lesson (self))
    append (self, view, self->lesson->path);
  else
    choose (self, view, g_str_equal (response, "new"));
}

static GtkWidget *
add_row (GtkWidget  *list,
         const char *title,
         const char *text)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  gtk_list_box_append (GTK_LIST_BOX (list), row);

  return row;
}

/* What the picture says of itself, wherever the pointer is, without bold letters; nothing where that
 * waits for an answer, or is a lesson's. (transfer full) */
static char *
dup_caption (AppLessonsPart *self)
{
  g_autofree char *markup = app_picture_describe_shown (self->picture);
  char *text = NULL;

  if (markup == NULL || app_picture_is_asked (self->picture)
      || app_picture_has_words (self->picture) || !pango_parse_markup (markup, -1, 0, NULL, &text, NULL, NULL))
    return g_strdup ("");

  return text;
}

/* Return answers with the last of them. */
static void
add_responses (AppLessonsPart   *self,
               AdwMessageDialog *dialog)
{
  const gboolean has_own = has_own_lesson (self);

  adw_message_dialog_add_responses (dialog, "cancel", "Cancel", "existing", "Choose a Lesson…", "new",
                                    "New Lesson…", NULL);
  if (has_own)
    adw_message_dialog_add_response (dialog, "this", "Add to the Open One");
  adw_message_dialog_set_default_response (dialog, has_own ? "this" : "new");
  adw_message_dialog_set_close_response (dialog, "cancel");
}

void
app_lessons_part_ask_where (AppLessonsPart *self)
{
  GtkWidget *window = GTK_WIDGET (app_desk_get_window (self->desk));
  GtkWidget *dialog = app_message_dialog_new (GTK_WINDOW (window), "Add This View to a Lesson");
  GtkWidget *list = gtk_list_box_new ();
  g_autofree char *caption = dup_caption (self);

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_set_size_request (list, MIN ((int) (WIDTH * ui_drawn_text_get_scale (window)),
                                          gtk_widget_get_width (window) - MARGIN), -1);
  g_object_set_data (G_OBJECT (dialog), "heading", add_row (list, "Heading", ""));
  g_object_set_data (G_OBJECT (dialog), "text", add_row (list, "Text", caption));
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               "A section with what is on show is put behind those that the lesson "
                               "has. Any text editor opens its file.");
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), list);
  add_responses (self, ADW_MESSAGE_DIALOG (dialog));
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}
