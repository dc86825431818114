/* SPDX-License-Identifier: MIT */
/* Documents in files: opening anything, saving sessions, the line of a command, and what a program
 * that was ended has left. Files are read and written in a thread. */
#include "app/parts/session/session-private.h"

#include <glib/gstdio.h>

#include "app/desk/message-dialog.h"
#include "app/run/task.h"
#include "app/study/autosave.h"
#include "app/study/session-file.h"
#include "ui/controls/quiet.h"

G_DEFINE_FINAL_TYPE (AppSessionPart, app_session_part, APP_TYPE_PART)

static void
say_unknown (AppSessionPart *self,
             const char     *path,
             const char     *unknown)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *sentence =
    g_strdup_printf ("%s: passed over what this version does not know: %s", name, unknown);

  app_desk_tell (self->desk, sentence);
}

static void
show_opened (AppSessionPart  *self,
             const AppOpened *opened)
{
  if (opened->is_lost)
    return;
  if (opened->kind == APP_FILE_LESSON)
    app_desk_open_lesson (self->desk, opened->path);
  else if (opened->kind == APP_FILE_SESSION)
    app_desk_add_recent (self->desk, opened->path, opened->kind);
  else if (opened->kind != APP_FILE_FIGURE)
    app_desk_await_recent (self->desk, opened->path, opened->kind);
  if (opened->unknown != NULL)
    say_unknown (self, opened->path, opened->unknown);
}

static void
opened_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (AppSessionPart) self = data;
  g_auto (AppOpened) opened = { 0 };
  g_autoptr (GError) error = NULL;

  self->n_opened++;
  if (app_study_open_finish (self->study, result, &opened, &error))
    show_opened (self, &opened);
  else if (app_study_get_document (self->study) != NULL)
    app_desk_refuse (self->desk, error->message);
}

static void
open_path (AppSessionPart *self,
           const char     *path,
           gboolean        is_lost)
{
  app_study_open_async (self->study, path, is_lost, opened_cb, g_object_ref (self));
}

/* The program lives until the file is whole. */
typedef struct {
  AppSessionPart *part;
  GApplication *application;
  gboolean      closes; /* the window waits for it to close */
} Save;

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autofree Save *save = data;
  g_autoptr (AppSessionPart) self = save->part;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = app_study_save_finish (self->study, result, &error);
  g_autofree char *sentence = path != NULL ? g_strdup_printf ("Saved %s", path) : NULL;

  if (sentence != NULL)
    app_desk_tell (self->desk, sentence);
  else
    app_desk_toast (self->desk, error->message);
  if (path != NULL && app_study_get_document (self->study) != NULL) {
    app_desk_add_recent (self->desk, path, APP_FILE_SESSION);
    if (save->closes)
      gtk_window_close (app_desk_get_window (self->desk));
  }
  g_application_release (save->application);
}

static void
save_as (AppSessionPart *self,
         const char     *path,
         gboolean        closes)
{
  Save *save = g_new (Save, 1);

  *save = (Save) { g_object_ref (self), g_application_get_default (), closes };
  if (app_study_save_async (self->study, path, saved_cb, save)) {
    g_application_hold (save->application);
  } else {
    g_object_unref (self);
    g_free (save);
  }
}

static void
save_chosen_cb (gpointer    owner,
                const char *path,
                gpointer    data)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *whole = strchr (name, '.') != NULL
                             ? g_strdup (path)
                             : g_strconcat (path, APP_SESSION_ENDING, NULL);

  save_as (owner, whole, FALSE);
}

static void
change_save_as (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  AppSessionPart *self = data;
  g_autofree char *name = app_study_get_path (self->study) != NULL
                            ? g_path_get_basename (app_study_get_path (self->study))
                            : g_strdup ("attention" APP_SESSION_ENDING);
  AppFileQuestion question = { "Save Session", GTK_FILE_CHOOSER_ACTION_SAVE, name };

  app_desk_choose_file (self->desk, &question, self, save_chosen_cb, NULL, NULL);
}

static void
change_save (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppSessionPart *self = data;

  if (app_study_get_path (self->study) != NULL)
    save_as (self, app_study_get_path (self->study), FALSE);
  else
    change_save_as (action, parameter, data);
}

static void
open_chosen_cb (gpointer    owner,
                const char *path,
                gpointer    data)
{
  app_session_part_open (owner, path);
}

static void
change_open (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppSessionPart *self = data;
  AppFileQuestion question = {
    "Open", GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
    { { "Sessions, lessons, figures, traces, GGUF models",
        "headlight md svg pdf png html safetensors gguf" },
      { "Sessions", "headlight" } } };

  app_desk_choose_file (self->desk, &question, self, open_chosen_cb, NULL, NULL);
}

static void
copy_command (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppSessionPart *self = data;
  g_autofree char *command = app_picture_dup_command (self->picture);

  gdk_clipboard_set_text (app_desk_get_clipboard (self->desk), command);
  app_desk_tell (self->desk, "Command copied");
}

/* The bar that offers the latest of what was left. */
static void
show_lost (AppSessionPart *self)
{
  gboolean has_lost = self->lost != NULL && self->lost->len > 0;

  app_desk_set_enabled (self->desk, "restore", has_lost);
  app_desk_set_enabled (self->desk, "discard", has_lost);
  ui_quiet_reveal (self->restore_revealer, has_lost);
}

static void
change_restore (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  AppSessionPart *self = data;
  g_autofree char *path = NULL;

  path = g_ptr_array_steal_index (self->lost, 0);
  /* Others are offered at the next start. */
  g_clear_pointer (&self->lost, g_ptr_array_unref);
  show_lost (self);
  open_path (self, path, TRUE);
}

static void
change_discard (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  AppSessionPart *self = data;

  g_unlink (self->lost->pdata[0]);
  g_ptr_array_remove_index (self->lost, 0);
  show_lost (self);
}

static void
find_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_task_return_pointer (task, app_autosave_find (), (GDestroyNotify) g_ptr_array_unref);
}

static void
found_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      unused)
{
  AppSessionPart *self = APP_SESSION_PART (source);
  g_autoptr (GPtrArray) lost = g_task_propagate_pointer (G_TASK (result), NULL);

  if (app_study_get_document (self->study) == NULL)
    return;
  self->lost = g_steal_pointer (&lost);
  show_lost (self);
}

static void
answer_close_cb (AppSessionPart *self,
                 const char     *response)
{
  if (g_str_equal (response, "save") && app_study_get_path (self->study) == NULL)
    app_desk_activate (self->desk, "save-as", NULL);
  else if (g_str_equal (response, "save"))
    save_as (self, app_study_get_path (self->study), TRUE);
  else if (g_str_equal (response, "discard")) {
    app_study_forget_changes (self->study);
    gtk_window_close (app_desk_get_window (self->desk));
  }
}

gboolean
app_session_part_keeps_open (AppSessionPart *self)
{
  g_autofree char *name = NULL;
  GtkWidget *dialog;

  if (!app_study_has_changes (self->study))
    return FALSE;

  dialog = app_message_dialog_new (app_desk_get_window (self->desk), "Save Changes?");
  if (app_study_get_path (self->study) != NULL) {
    name = g_path_get_basename (app_study_get_path (self->study));
    adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                    "“%s” was changed since it was saved last.", name);
  } else {
    adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                                 "What was restored has not been saved as a session.");
  }
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "Cancel",
                                    "discard", "Discard", "save", "Save", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answer_close_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));

  return TRUE;
}

/* "cats.headlight • — in training, step 1,240 — Headlight" */
static void
sync_title (AppSessionPart *self)
{
  const char *label = gtk_label_get_label (self->session_label);
  const char *activity = app_desk_get_activity (self->desk);
  g_autoptr (GString) title = g_string_new (NULL);

  /* Closed: what ends tells it still. */
  if (app_desk_get_window (self->desk) == NULL)
    return;
  if (label[0] != '\0')
    g_string_append_printf (title, "%s — ", label);
  if (activity != NULL)
    g_string_append_printf (title, "%s — ", activity);
  g_string_append (title, "Headlight");
  gtk_window_set_title (app_desk_get_window (self->desk), title->str);
}

static void
add_actions (AppSessionPart *self)
{
  static const GActionEntry entries[] = {
    { "open", change_open },
    { "save", change_save },
    { "save-as", change_save_as },
    { "copy-command", copy_command },
    { "restore", change_restore },
    { "discard", change_discard },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  show_lost (self);
  app_session_part_find_lost (self);
  app_session_part_add_drop (self);
  g_signal_connect_object (self->desk, "activity-changed", G_CALLBACK (sync_title), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "open-file", G_CALLBACK (app_session_part_open), self,
                           G_CONNECT_SWAPPED);
}

void
app_session_part_find_lost (AppSessionPart *self)
{
  g_autoptr (GTask) task = app_task_new (self, found_cb, NULL);

  g_task_run_in_thread (task, find_thread);
}

void
app_session_part_show (AppSessionPart *self,
                       UiSession      *session,
                       const char     *path,
                       AppFileKind     kind)
{
  if (kind == APP_FILE_LESSON) {
    app_desk_open_lesson (self->desk, path);
    return;
  }
  /* A study began with the model or the trace, and may have chosen a head since. */
  if (kind == APP_FILE_SESSION || kind == APP_FILE_FIGURE)
    app_study_show_session (self->study, session, kind == APP_FILE_SESSION ? path : NULL);
  if (kind != APP_FILE_FIGURE)
    app_desk_add_recent (self->desk, path, kind);
  if (session->unknown != NULL)
    say_unknown (self, path, session->unknown);
}

void
app_session_part_open (AppSessionPart *self,
                       const char     *path)
{
  open_path (self, path, FALSE);
}

static void
sync_session (AppPart *part)
{
  AppSessionPart *self = APP_SESSION_PART (part);
  const char *mark = app_study_has_changes (self->study) ? " •" : "";
  g_autofree char *name = NULL;
  g_autofree char *label = NULL;

  if (app_study_get_path (self->study) != NULL) {
    name = g_filename_display_basename (app_study_get_path (self->study));
    label = g_strconcat (name, mark, NULL);
  }
  app_desk_set_enabled (self->desk, "copy-command", app_picture_get_shown (self->picture) != NULL);
  gtk_label_set_label (self->session_label, label != NULL ? label : "");
  ui_quiet_set_tooltip (GTK_WIDGET (self->session_label), app_study_get_path (self->study));
  gtk_widget_set_visible (GTK_WIDGET (self->session_label), label != NULL);
  sync_title (self);
}

static void
begin (AppPart *part)
{
  AppSessionPart *self = APP_SESSION_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "session");
  app_part_place (self, "session_label", "header_session");
  app_part_place (self, "restore_revealer", "restore");
  app_part_place (self, "drop_hint", "picture_drop");
  self->session_label = app_part_get_object (self, "session_label");
  self->restore_revealer = app_part_get_object (self, "restore_revealer");
  self->drop_hint = app_part_get_object (self, "drop_hint");
  add_actions (self);
}

static void
app_session_part_finalize (GObject *object)
{
  AppSessionPart *self = APP_SESSION_PART (object);

  g_clear_pointer (&self->lost, g_ptr_array_unref);
  G_OBJECT_CLASS (app_session_part_parent_class)->finalize (object);
}

static void
app_session_part_class_init (AppSessionPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_session_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_session;
}

static void
app_session_part_init (AppSessionPart *self)
{
}
