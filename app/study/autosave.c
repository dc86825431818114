/* SPDX-License-Identifier: MIT */
#include "app/study/autosave.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/store/paths.h"
#include "app/study/session-file.h"

#define DELAY_MS         500
#define MOST_STEPS       100
#define START_TIME_FIELD 22 /* of /proc/PID/stat, from 1 */
#define MOST_FOUND       20

/* What the thread writes: its own copies. */
typedef struct {
  AppAutosave *autosave; /* waits for the thread */
  UiDocument  *document;
  GPtrArray   *past;     /* of UiDocument */
  char        *file;
} Snapshot;

typedef struct {
  char  *path;
  gint64 time;
} Found;

struct _AppAutosave {
  char             *path;
  char             *file;    /* the session that is open; NULL = none */
  const AppHistory *history; /* borrowed */
  guint             source;  /* of the change that waits */
  GThread          *thread;  /* that writes or has written; NULL = none */
  gint              is_writing;
};

static void
snapshot_free (Snapshot *self)
{
  ui_document_free (self->document);
  g_ptr_array_unref (self->past);
  g_free (self->file);
  g_free (self);
}

static Snapshot *
snapshot_new (AppAutosave *autosave)
{
  g_autoptr (GPtrArray) past = app_history_list_past (autosave->history, MOST_STEPS);
  Snapshot *self = g_new0 (Snapshot, 1);

  self->autosave = autosave;
  self->document = ui_document_copy (app_history_get (autosave->history));
  self->past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  for (guint i = 0; i < past->len; i++)
    g_ptr_array_add (self->past, ui_document_copy (past->pdata[i]));
  self->file = g_strdup (autosave->file);

  return self;
}

/* When a process began, in the kernel's ticks: its number alone may be another's by now. The
 * name in the second field may hold blanks and parentheses. (transfer full) */
static char *
read_start_time (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;
  g_auto (GStrv) fields = NULL;
  const char *name_end;

  if (!g_file_get_contents (path, &stat, NULL, NULL) || (name_end = strrchr (stat, ')')) == NULL)
    return NULL;
  fields = g_strsplit (name_end + 1, " ", START_TIME_FIELD);
  if (g_strv_length (fields) < START_TIME_FIELD - 1)
    return NULL;

  return g_strdup (fields[START_TIME_FIELD - 2]);
}

/* "1234-567890.headlight" of a process that lives. */
static gboolean
is_alive (const char *name)
{
  g_auto (GStrv) parts = g_strsplit_set (name, "-.", 3);
  g_autofree char *start_time = NULL;
  guint64 pid;

  if (g_strv_length (parts) != 3
      || !g_ascii_string_to_unsigned (parts[0], 10, 1, G_MAXINT, &pid, NULL))
    return FALSE;
  start_time = read_start_time ((int) pid);

  return start_time != NULL && strcmp (start_time, parts[1]) == 0;
}

/* A full disk is no reason to disturb a person with each change; what was written last stays. */
static gpointer
write_thread (gpointer data)
{
  Snapshot *snapshot = data;
  AppAutosave *self = snapshot->autosave;
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0700);
  if (!app_session_file_write (self->path, snapshot->document, snapshot->past, snapshot->file,
                               &error))
    g_debug ("not kept: %s", error->message);
  snapshot_free (snapshot);
  g_atomic_int_set (&self->is_writing, FALSE);

  return NULL;
}

static void
join (AppAutosave *self)
{
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
}

/* A disk that is slower than a person changes things gets the next state when it is done. */
static gboolean
write_cb (gpointer data)
{
  AppAutosave *self = data;

  if (g_atomic_int_get (&self->is_writing))
    return G_SOURCE_CONTINUE;

  join (self);
  g_atomic_int_set (&self->is_writing, TRUE);
  self->thread = g_thread_new ("autosave", write_thread, snapshot_new (self));
  self->source = 0;

  return G_SOURCE_REMOVE;
}

AppAutosave *
app_autosave_new (void)
{
  AppAutosave *self = g_new0 (AppAutosave, 1);
  g_autofree char *folder = app_paths_get_autosaves ();
  g_autofree char *start_time = read_start_time (getpid ());
  g_autofree char *name = g_strdup_printf ("%d-%s" APP_SESSION_ENDING, getpid (),
                                           start_time != NULL ? start_time : "0");

  self->path = g_build_filename (folder, name, NULL);

  return self;
}

void
app_autosave_free (AppAutosave *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  join (self);
  g_unlink (self->path);
  g_free (self->path);
  g_free (self->file);
  g_free (self);
}

void
app_autosave_change (AppAutosave      *self,
                     const AppHistory *history)
{
  self->history = history;
  if (self->source == 0)
    self->source = g_timeout_add (DELAY_MS, write_cb, self);
}

void
app_autosave_set_file (AppAutosave *self,
                       const char  *file)
{
  char *copy = file != NULL ? g_canonicalize_filename (file, NULL) : NULL;

  g_free (self->file);
  self->file = copy;
  if (self->history != NULL)
    app_autosave_change (self, self->history);
}

void
app_autosave_adopt (AppAutosave *self,
                    const char  *path)
{
  g_rename (path, self->path);
}

const char *
app_autosave_get_path (const AppAutosave *self)
{
  return self->path;
}

static int
compare_found (gconstpointer a,
               gconstpointer b)
{
  gint64 time_a = ((const Found *) a)->time;
  gint64 time_b = ((const Found *) b)->time;

  return time_a < time_b ? 1 : time_a > time_b ? -1 : 0;
}

GPtrArray *
app_autosave_find (void)
{
  g_autofree char *folder = app_paths_get_autosaves ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    GStatBuf status;

    if (g_str_has_suffix (name, APP_SESSION_ENDING) && !is_alive (name)
        && g_stat (path, &status) == 0 && S_ISREG (status.st_mode)) {
      Found one = { g_steal_pointer (&path), status.st_mtime };

      g_array_append_val (found, one);
    }
  }
  g_array_sort (found, compare_found);
  for (guint i = 0; i < found->len; i++) {
    Found *one = &g_array_index (found, Found, i);

    if (i < MOST_FOUND)
      g_ptr_array_add (paths, one->path);
    else
      g_free (one->path);
  }

  return paths;
}
