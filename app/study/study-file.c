/* SPDX-License-Identifier: MIT */
/* A study in files: opening anything, saving sessions, what a program that was ended has left.
 * Files are read and written in threads. */
#include "app/study/study-private.h"

#include "app/run/task.h"

/* A session that is being written. */
typedef struct {
  char       *path;
  UiDocument *document;
  GPtrArray  *past; /* of UiDocument */
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

static void
set_session (AppStudy         *self,
             const char       *path,
             const UiDocument *document)
{
  char *copy = g_strdup (path);

  g_free (self->path);
  self->path = copy;
  g_clear_pointer (&self->saved, ui_document_free);
  self->is_restored = FALSE;
  if (path != NULL)
    self->saved = ui_document_copy (document);
  app_autosave_set_file (self->autosave, path);
  self->news |= APP_STUDY_FILE;
}

/* Steps of the session come behind those of the study, so that undo leads back to what was there
 * before. */
static void
append_steps (AppStudy        *self,
              const UiSession *session)
{
  for (guint i = session->past->len; i > 0; i--)
    app_history_append (self->history, session->past->pdata[i - 1]);
  app_history_append (self->history, session->document);
  app_study_visit (self, session->document, TRUE);
}

static void
take_session (AppStudy   *self,
              UiSession  *session,
              const char *path)
{
  if (ui_document_equal (session->document, self->document))
    app_history_prepend (self->history, session->past);
  else {
    append_steps (self, session);
    app_study_set_document (self, ui_document_copy (session->document));
  }
  set_session (self, path, session->document);
  self->news |= APP_STUDY_DOCUMENT;
}

void
app_study_show_session (AppStudy   *self,
                        UiSession  *session,
                        const char *path)
{
  g_return_if_fail (APP_IS_STUDY (self));

  take_session (self, session, path);
  app_study_tell (self);
}

/* What a program that was ended has left at path becomes this program's. It is not what its session
 * holds, nor is it known to be. */
static void
restore (AppStudy   *self,
         UiSession  *session,
         const char *path)
{
  app_autosave_adopt (self->autosave, path);
  take_session (self, session, NULL);
  if (session->file != NULL && g_file_test (session->file, G_FILE_TEST_EXISTS)) {
    set_session (self, session->file, session->document);
    g_clear_pointer (&self->saved, ui_document_free);
  }
  self->is_restored = TRUE;
  app_autosave_change (self->autosave, self->history);
  app_study_tell (self);
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

void
app_study_open_async (AppStudy            *self,
                      const char          *path,
                      gboolean             is_lost,
                      GAsyncReadyCallback  callback,
                      gpointer             data)
{
  g_autoptr (GTask) task = app_task_new (self, callback, data);
  Open *open = g_new0 (Open, 1);

  open->path = g_strdup (path);
  open->base = ui_document_copy (self->document);
  open->is_lost = is_lost;
  g_task_set_task_data (task, open, (GDestroyNotify) open_free);
  g_task_run_in_thread (task, open_thread);
}

static void
show_opened (AppStudy   *self,
             const Open *open,
             UiSession  *session)
{
  if (open->is_lost)
    restore (self, session, open->path);
  else if (open->kind == APP_FILE_MODEL)
    app_study_open_model (self, open->path);
  else if (open->kind == APP_FILE_TRACE)
    app_study_open_trace (self, open->path);
  else if (open->kind != APP_FILE_LESSON)
    app_study_show_session (self, session, open->kind == APP_FILE_SESSION ? open->path : NULL);
}

void
app_opened_clear (AppOpened *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->unknown, g_free);
}

gboolean
app_study_open_finish (AppStudy      *self,
                       GAsyncResult  *result,
                       AppOpened     *opened,
                       GError       **error)
{
  const Open *open = g_task_get_task_data (G_TASK (result));
  g_autoptr (UiSession) session = g_task_propagate_pointer (G_TASK (result), error);

  *opened = (AppOpened) { g_strdup (open->path), open->kind, open->is_lost, NULL };
  if (session == NULL)
    return FALSE;
  if (self->document == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "%s: the window was closed", open->path);
    return FALSE;
  }

  opened->unknown = g_strdup (session->unknown);
  show_opened (self, open, session);
  return TRUE;
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

gboolean
app_study_save_async (AppStudy            *self,
                      const char          *path,
                      GAsyncReadyCallback  callback,
                      gpointer             data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GPtrArray) past = NULL;
  Save *save;

  if (self->is_saving)
    return FALSE;
  self->is_saving = TRUE;
  past = app_history_list_past (self->history, UI_SESSION_MAX_STEPS);
  save = g_new0 (Save, 1);
  save->path = g_strdup (path);
  save->document = ui_document_copy (self->document);
  save->past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  for (guint i = 0; i < past->len; i++)
    g_ptr_array_add (save->past, ui_document_copy (past->pdata[i]));

  task = app_task_new (self, callback, data);
  g_task_set_task_data (task, save, (GDestroyNotify) save_free);
  g_task_run_in_thread (task, save_thread);
  return TRUE;
}

char *
app_study_save_finish (AppStudy      *self,
                       GAsyncResult  *result,
                       GError       **error)
{
  const Save *save = g_task_get_task_data (G_TASK (result));

  self->is_saving = FALSE;
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;

  if (self->document != NULL) {
    set_session (self, save->path, save->document);
    app_study_tell (self);
  }
  return g_strdup (save->path);
}

const char *
app_study_get_path (AppStudy *self)
{
  return self->path;
}

gboolean
app_study_has_changes (AppStudy *self)
{
  return self->saved != NULL ? !ui_document_equal (self->document, self->saved)
                             : self->is_restored;
}

void
app_study_forget_changes (AppStudy *self)
{
  g_clear_pointer (&self->saved, ui_document_free);
  self->is_restored = FALSE;
}

void
app_study_end_file (AppStudy *self)
{
  g_clear_pointer (&self->autosave, app_autosave_free);
  g_clear_pointer (&self->saved, ui_document_free);
  g_clear_pointer (&self->path, g_free);
}
