/* SPDX-License-Identifier: MIT */
#include "app/store/hub-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "app/store/hub-cache.h"
#include "app/store/hub-client.h"
#include "ui/document/amount.h"

/* The speed is that of a stretch of this length, so that it neither flickers nor lags. */
#define SPEED_US    (2 * G_USEC_PER_SEC)

/* One download. */
typedef struct {
  const AppHubPlan  *plan;
  AppHubClient      *client;
  GHashTable        *locks;      /* etag → descriptor of the lock, held to the end */
  AppProgressFunc    func;
  gpointer           data;
  AppProgress        progress;
  gint64             finished;   /* bytes of the files before this one */
  gint64             mark_time;  /* start of the stretch that the speed is measured over */
  gint64             mark_bytes; /* < 0 = the file has none yet */
  GCancellable      *cancellable;
} Download;

static void
close_lock (gpointer descriptor)
{
  close (GPOINTER_TO_INT (descriptor));
}

static void
measure_speed (Download *self)
{
  gint64 now = g_get_monotonic_time ();
  gint64 elapsed = now - self->mark_time;
  gint64 came = self->progress.bytes - self->mark_bytes;
  /* The first number need not wait for a whole stretch. */
  gint64 stretch = self->progress.speed > 0 ? SPEED_US : SPEED_US / 4;

  if (self->mark_bytes >= 0 && came >= 0) {
    if (elapsed < stretch)
      return;
    self->progress.speed = (double) came * G_USEC_PER_SEC / (double) elapsed;
  }
  self->mark_time = now;
  self->mark_bytes = self->progress.bytes;
}

static void
report (Download *self)
{
  if (self->progress.phase == APP_PHASE_WORKING)
    measure_speed (self);
  else
    self->mark_bytes = -1;
  if (self->progress.total > 0)
    self->progress.fraction = (double) self->progress.bytes / (double) self->progress.total;
  self->func (&self->progress, self->data);
}

static void
fetched_cb (gint64   bytes,
            gboolean checking,
            gpointer data)
{
  Download *self = data;

  self->progress.phase = checking ? APP_PHASE_CHECKING : APP_PHASE_WORKING;
  if (!checking)
    self->progress.bytes = self->finished + bytes;
  report (self);
}

static void
waiting_cb (gpointer data)
{
  Download *self = data;

  self->progress.phase = APP_PHASE_WAITING;
  report (self);
}

/* The nearest folder above that exists says how much room there is. */
static gboolean
check_space (const AppHubPlan  *plan,
             GError           **error)
{
  gint64 needed = app_hub_plan_get_total (plan) - app_hub_plan_get_present (plan);
  g_autofree char *folder = g_strdup (plan->folder);
  g_autofree char *free_text = NULL;
  g_autofree char *needed_text = NULL;
  struct statvfs status;
  guint64 available;

  while (statvfs (folder, &status) != 0) {
    char *parent = g_path_get_dirname (folder);

    if (errno != ENOENT || g_str_equal (parent, folder)) {
      app_hub_cache_set_errno (folder, errno, error);
      g_free (parent);
      return FALSE;
    }
    g_free (folder);
    folder = parent;
  }

  available = (guint64) status.f_bavail * status.f_frsize;
  if (needed <= 0 || (guint64) needed <= available)
    return TRUE;

  free_text = ui_amount_bytes ((gint64) MIN (available, G_MAXINT64));
  needed_text = ui_amount_bytes (needed);
  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_DISK,
               "%s: %s are free, %s needs %s", plan->environment->cache, free_text,
               plan->name->repository, needed_text);
  return FALSE;
}

static gboolean
lock_blob (Download          *self,
           const AppHubFile  *file,
           GError           **error)
{
  const AppHubPlan *plan = self->plan;
  int fd = app_hub_cache_lock (plan->environment->cache, plan->name->repository, file->etag,
                               waiting_cb, self, self->cancellable, error);

  if (fd < 0)
    return FALSE;
  g_hash_table_insert (self->locks, g_strdup (file->etag), GINT_TO_POINTER (fd));
  return TRUE;
}

/* Fetches one file into its .incomplete blob, on from where an earlier run ended. */
static gboolean
fetch_blob (Download          *self,
            const AppHubFile  *file,
            GError           **error)
{
  const AppHubPlan *plan = self->plan;
  g_autofree char *path = app_hub_cache_get_incomplete (plan->folder, file->etag);
  gboolean is_whole;
  int fd;

  self->progress.phase = APP_PHASE_WORKING;
  self->mark_bytes = -1;
  if (!app_hub_cache_make_folder (path, error))
    return FALSE;
  fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    app_hub_cache_set_errno (path, errno, error);
    return FALSE;
  }

  is_whole = app_hub_client_fetch (self->client, plan->name->repository, file, fd, fetched_cb,
                                   self, self->cancellable, error);
  /* The name promises the content, also after the power went off. */
  if (is_whole && fsync (fd) != 0) {
    app_hub_cache_set_errno (path, errno, error);
    is_whole = FALSE;
  }
  /* Nothing can be resumed from nothing. */
  if (!is_whole && lseek (fd, 0, SEEK_END) == 0)
    g_unlink (path);
  close (fd);

  return is_whole;
}

static gboolean
fetch_all (Download  *self,
           GError   **error)
{
  const AppHubPlan *plan = self->plan;

  for (guint i = 0; i < plan->files->len; i++) {
    const AppHubFile *file = plan->files->pdata[i];

    if (app_hub_plan_is_repeat (plan, i))
      continue;
    self->progress.note = file->path;
    self->progress.bytes = self->finished;
    /* Whoever held the lock may have brought the file meanwhile. */
    if (!lock_blob (self, file, error)
        || (!app_hub_plan_has_file (plan, file) && !fetch_blob (self, file, error)))
      return FALSE;
    self->finished += MAX (file->size, 0);
    self->progress.bytes = self->finished;
    report (self);
  }

  return TRUE;
}

static gboolean
rename_blob (const AppHubPlan  *plan,
             const AppHubFile  *file,
             GError           **error)
{
  g_autofree char *incomplete = app_hub_cache_get_incomplete (plan->folder, file->etag);
  g_autofree char *blob = app_hub_cache_get_blob (plan->folder, file->etag);

  if (g_rename (incomplete, blob) == 0)
    return TRUE;
  app_hub_cache_set_errno (blob, errno, error);
  return FALSE;
}

/* Everything is here and checked: it gets its names. config.json comes last and the reference after
 * it, since that is what makes a folder a model. */
static gboolean
install (const AppHubPlan  *plan,
         GError           **error)
{
  g_autoptr (GHashTable) is_new = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < plan->files->len; i++) {
    const AppHubFile *file = plan->files->pdata[i];

    if (app_hub_plan_is_repeat (plan, i) || app_hub_plan_has_file (plan, file))
      continue;
    if (!rename_blob (plan, file, error))
      return FALSE;
    g_hash_table_add (is_new, file->etag);
  }

  for (guint i = plan->files->len; i-- > 0;) {
    const AppHubFile *file = plan->files->pdata[i];
    gboolean keep_blob = app_hub_plan_is_repeat (plan, i)
                         || !g_hash_table_contains (is_new, file->etag);

    if (!app_hub_plan_is_placed (plan, file)
        && !app_hub_cache_place (plan->folder, plan->commit, file->path, file->etag,
                                 plan->environment->no_symlinks, keep_blob, error))
      return FALSE;
  }

  for (guint i = 0; i < plan->missing->len; i++)
    app_hub_cache_mark_missing (plan->folder, plan->commit, plan->missing->pdata[i]);
  app_hub_cache_add_tag (plan->environment->cache);
  return g_str_equal (plan->name->revision, plan->commit)
         || app_hub_cache_write_ref (plan->folder, plan->name->revision, plan->commit, error);
}

char *
app_hub_plan_download (const AppHubPlan    *self,
                       AppProgressFunc      func,
                       gpointer             data,
                       GCancellable        *cancellable,
                       GError             **error)
{
  g_autoptr (AppHubClient) client = NULL;
  g_autoptr (GHashTable) locks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        close_lock);
  Download download = {
    .plan = self, .locks = locks, .func = func, .data = data, .mark_bytes = -1,
    .progress.total = app_hub_plan_get_total (self), .cancellable = cancellable,
  };

  client = app_hub_client_new (self->environment, self->token, error);
  download.client = client;
  if (client == NULL || !check_space (self, error) || !fetch_all (&download, error)
      || !install (self, error))
    return NULL;

  return app_hub_cache_get_snapshot (self->folder, self->commit);
}
