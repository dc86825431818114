/* SPDX-License-Identifier: MIT */
/* Documents in files: opening anything, saving sessions, the line of a command, and what a program
 * that was ended has left. Files are read and written in a thread. */
#include "app/window-private.h"

#include <glib/gstdio.h>

#include "app/session-file.h"
#include "ui/scene/document-text.h"

/* A session that is being written. */
typedef struct {
  char       *path;
  UiDocument *document;
  GPtrArray  *past; /* of UiDocument */
  gboolean    closes; /* the window waits for it to close */
} Save;

/* A file that is being opened: what it is, and what it says. */
typedef struct {
  char        *path;
  UiDocument  *base;
  AppFileKind  kind;
  gboolean     is_lost; /* left by a program that was ended */
} Open;

static void
save_free (Save *save)
{
  g_free (save->path);
  ui_document_free (save->document);
  g_ptr_array_unref (save->past);
  g_free (save);
}

static void
open_free (Open *open)
{
  g_free (open->path);
  ui_document_free (open->base);
  g_free (open);
}

static gboolean
has_changes (AppWindow *self)
{
  return self->saved != NULL ? !ui_document_equal (self->document, self->saved)
                             : self->is_restored;
}

static void
set_session (AppWindow        *self,
             const char       *path,
             const UiDocument *document)
{
  char *copy = g_strdup (path);

  g_free (self->session_path);
  self->session_path = copy;
  g_clear_pointer (&self->saved, ui_document_free);
  self->is_restored = FALSE;
  if (path != NULL)
    self->saved = ui_document_copy (document);
  app_autosave_set_file (self->autosave, path);
  app_window_sync_session (self);
}

static void
say_unknown (AppWindow  *self,
             const char *path,
             const char *unknown)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *sentence =
    g_strdup_printf ("%s: passed over what this version does not know: %s", name, unknown);

  app_window_toast (self, sentence);
}

/* What was left is not what its session holds, nor is it known to be. */
static void
show_lost_session (AppWindow  *self,
                   const char *path,
                   UiSession  *session)
{
  /* Its file is this program's from now on. */
  app_autosave_adopt (self->autosave, path);
  app_window_show_session (self, session, path, APP_FILE_FIGURE);
  if (session->file != NULL && g_file_test (session->file, G_FILE_TEST_EXISTS)) {
    set_session (self, session->file, session->document);
    g_clear_pointer (&self->saved, ui_document_free);
  }
  self->is_restored = TRUE;
  app_autosave_change (self->autosave, self->history);
  app_window_sync_session (self);
}

/* Steps of the session come behind those of the window, so that undo leads back to what was there
 * before. */
static void
append_steps (AppWindow       *self,
              const UiSession *session)
{
  for (guint i = session->past->len; i > 0; i--)
    app_history_append (self->history, session->past->pdata[i - 1]);
  app_history_append (self->history, session->document);
}

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Open *open = data;
  GError *error = NULL;
  UiSession *session = app_session_file_open (open->path, open->base, &open->kind, &error);

  if (session != NULL)
    g_task_return_pointer (task, session, (GDestroyNotify) ui_session_free);
  else
    g_task_return_error (task, error);
}

static void
show_opened (AppWindow  *self,
             const Open *open,
             UiSession  *session)
{
  if (open->kind == APP_FILE_SESSION || open->kind == APP_FILE_FIGURE) {
    app_window_show_session (self, session, open->path, open->kind);
    return;
  }

  if (open->kind == APP_FILE_MODEL)
    app_window_open_model (self, open->path);
  else
    app_window_open_trace (self, open->path);
  app_window_await_recent (self, open->path, open->kind);
}

static void
opened_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      unused)
{
  AppWindow *self = APP_WINDOW (source);
  const Open *open = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (UiSession) session = g_task_propagate_pointer (G_TASK (result), &error);

  /* The window was closed meanwhile. */
  if (self->document == NULL)
    return;
  self->n_opened++;
  if (error != NULL)
    app_window_toast (self, error->message);
  else if (open->is_lost)
    show_lost_session (self, open->path, session);
  else
    show_opened (self, open, session);
}

static void
open_path (AppWindow  *self,
           const char *path,
           gboolean    is_lost)
{
  g_autoptr (GTask) task = app_window_task_new (self, opened_cb, NULL);
  Open *open = g_new0 (Open, 1);

  open->path = g_strdup (path);
  open->base = ui_document_copy (self->document);
  open->is_lost = is_lost;
  g_task_set_task_data (task, open, (GDestroyNotify) open_free);
  g_task_run_in_thread (task, open_thread);
}

static void
save_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const Save *save = data;
  GError *error = NULL;

  if (app_session_file_write (save->path, save->document, save->past, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      application)
{
  AppWindow *self = APP_WINDOW (source);
  const Save *save = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  self->is_saving = FALSE;
  if (done)
    sentence = g_strdup_printf ("Saved %s", save->path);
  app_window_toast (self, done ? sentence : error->message);
  if (done && self->document != NULL) {
    set_session (self, save->path, save->document);
    app_window_add_recent (self, save->path, APP_FILE_SESSION);
    if (save->closes)
      gtk_window_close (GTK_WINDOW (self));
  }
  g_application_release (application);
}

/* One at a time: what was saved last stays last. */
static void
save_as (AppWindow  *self,
         const char *path,
         gboolean    closes)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GPtrArray) past = app_history_list_past (self->history, UI_SESSION_MAX_STEPS);
  Save *save;

  if (self->is_saving)
    return;
  self->is_saving = TRUE;
  save = g_new0 (Save, 1);
  save->path = g_strdup (path);
  save->document = ui_document_copy (self->document);
  save->past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  for (guint i = 0; i < past->len; i++)
    g_ptr_array_add (save->past, ui_document_copy (past->pdata[i]));
  save->closes = closes;

  task = app_window_task_new (self, saved_cb, g_application_get_default ());
  g_application_hold (g_application_get_default ());
  g_task_set_task_data (task, save, (GDestroyNotify) save_free);
  g_task_run_in_thread (task, save_thread);
}

static void
save_chosen_cb (AppWindow            *self,
                int                   response,
                GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL) {
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *whole = g_strdup (path);

    if (strchr (name, '.') == NULL) {
      g_free (whole);
      whole = g_strconcat (path, APP_SESSION_ENDING, NULL);
    }
    save_as (self, whole, FALSE);
  }
  g_object_unref (chooser);
}

static void
change_save_as (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  AppWindow *self = data;
  g_autofree char *name = self->session_path != NULL ? g_path_get_basename (self->session_path)
                                                     : g_strdup ("attention" APP_SESSION_ENDING);
  GtkFileChooserNative *chooser;

  chooser = gtk_file_chooser_native_new ("Save Session", GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (save_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
change_save (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;

  if (self->session_path != NULL)
    save_as (self, self->session_path, FALSE);
  else
    change_save_as (action, parameter, data);
}

static void
open_chosen_cb (AppWindow            *self,
                int                   response,
                GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    app_window_open_file (self, path);
  g_object_unref (chooser);
}

static void
add_filter (GtkFileChooser *chooser,
            const char     *name,
            const char     *endings)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_auto (GStrv) parts = g_strsplit (endings, " ", -1);

  gtk_file_filter_set_name (filter, name);
  for (int i = 0; parts[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, parts[i]);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
change_open (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  GtkFileChooserNative *chooser;

  chooser = gtk_file_chooser_native_new ("Open", GTK_WINDOW (data), GTK_FILE_CHOOSER_ACTION_OPEN,
                                         NULL, NULL);
  add_filter (GTK_FILE_CHOOSER (chooser), "Sessions, figures and traces",
              "headlight svg pdf png html safetensors");
  add_filter (GTK_FILE_CHOOSER (chooser), "Sessions", "headlight");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (open_chosen_cb), data,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* The picture on show, in its colours unless it is one for paper; which kind of attention a model
 * shows by itself need not be said. */
static void
copy_command (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppWindow *self = data;
  g_autoptr (UiDocument) document = NULL;
  g_autofree char *command = NULL;

  document = ui_document_copy (self->shown);
  document->kind_set = document->kind != eng_trace_get_default_kind (self->trace);
  if (document->theme != UI_THEME_PRINT)
    document->theme = app_window_get_theme (self);
  app_window_put_written (self, document);
  app_session_file_anchor (document);
  command = ui_document_to_command (document, "figure.svg");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  app_window_toast (self, "Command copied");
}

static void
set_enabled (AppWindow  *self,
             const char *name,
             gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* The bar that offers the latest of what was left. */
static void
show_lost (AppWindow *self)
{
  gboolean has_lost = self->lost != NULL && self->lost->len > 0;

  set_enabled (self, "restore", has_lost);
  set_enabled (self, "discard", has_lost);
  gtk_revealer_set_reveal_child (self->restore_revealer, has_lost);
}

static void
change_restore (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  AppWindow *self = data;
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
  AppWindow *self = data;

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
  AppWindow *self = APP_WINDOW (source);
  g_autoptr (GPtrArray) lost = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->document == NULL)
    return;
  self->lost = g_steal_pointer (&lost);
  show_lost (self);
}

static void
answer_close_cb (AppWindow  *self,
                 const char *response)
{
  if (g_str_equal (response, "save") && self->session_path == NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), "save-as", NULL);
  else if (g_str_equal (response, "save"))
    save_as (self, self->session_path, TRUE);
  else if (g_str_equal (response, "discard")) {
    g_clear_pointer (&self->saved, ui_document_free);
    self->is_restored = FALSE;
    gtk_window_close (GTK_WINDOW (self));
  }
}

gboolean
app_window_keeps_open (AppWindow *self)
{
  g_autofree char *name = NULL;
  GtkWidget *dialog;

  if (!has_changes (self))
    return FALSE;

  dialog = adw_message_dialog_new (GTK_WINDOW (self), "Save Changes?", NULL);
  if (self->session_path != NULL) {
    name = g_path_get_basename (self->session_path);
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

void
app_window_add_session (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "open", change_open },
    { "save", change_save },
    { "save-as", change_save_as },
    { "copy-command", copy_command },
    { "restore", change_restore },
    { "discard", change_discard },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  show_lost (self);
  self->autosave = app_autosave_new ();
  app_window_find_lost (self);
}

void
app_window_find_lost (AppWindow *self)
{
  g_autoptr (GTask) task = app_window_task_new (self, found_cb, NULL);

  g_task_run_in_thread (task, find_thread);
}

void
app_window_show_session (AppWindow   *self,
                         UiSession   *session,
                         const char  *path,
                         AppFileKind  kind)
{
  gboolean is_first = ui_document_equal (session->document, self->document);

  if (is_first)
    app_history_prepend (self->history, session->past);
  else {
    append_steps (self, session);
    app_window_set_document (self, ui_document_copy (session->document));
  }
  set_session (self, kind == APP_FILE_SESSION ? path : NULL, session->document);
  if (kind != APP_FILE_FIGURE)
    app_window_add_recent (self, path, kind);
  if (session->unknown != NULL)
    say_unknown (self, path, session->unknown);
  app_window_sync_history (self);
}

void
app_window_open_file (AppWindow  *self,
                      const char *path)
{
  open_path (self, path, FALSE);
}

void
app_window_sync_session (AppWindow *self)
{
  const char *mark = has_changes (self) ? " •" : "";
  g_autofree char *name = NULL;
  g_autofree char *label = NULL;
  g_autofree char *title = NULL;

  if (self->session_path != NULL) {
    name = g_filename_display_basename (self->session_path);
    label = g_strconcat (name, mark, NULL);
    title = g_strconcat (label, " — Headlight", NULL);
  }
  set_enabled (self, "copy-command", self->shown != NULL);
  gtk_label_set_label (self->session_label, label != NULL ? label : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->session_label), self->session_path);
  gtk_widget_set_visible (GTK_WIDGET (self->session_label), label != NULL);
  gtk_window_set_title (GTK_WINDOW (self), title != NULL ? title : "Headlight");
}
