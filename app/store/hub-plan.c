/* SPDX-License-Identifier: MIT */
#include "app/store/hub-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "app/store/hub-cache.h"
#include "app/store/hub-client.h"

/* An index of the largest checkpoints has some hundred kilobytes. */
#define MAX_INDEX_BYTES (64 * 1024 * 1024)

#define CONFIG "config.json"

/* Beside config.json, whatever of this is there: what Headlight's tokenizers and families read. */
static const char *const companions[] = {
  "generation_config.json",
  "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
  "vocab.txt", "vocab.json", "merges.txt",
  "spiece.model", "sentencepiece.bpe.model", "spm.model", "tokenizer.model",
  "source.spm", "target.spm", "target_vocab.json",
};

/* The first that is there; an index brings the files that it names. */
static const struct {
  const char *path;
  gboolean    is_index;
} weights[] = {
  { "model.safetensors", FALSE },
  { "model.safetensors.index.json", TRUE },
  { "pytorch_model.bin", FALSE },
  { "pytorch_model.bin.index.json", TRUE },
};

static gboolean
has_bytes (const char *path,
           gint64      size)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && S_ISREG (status.st_mode)
         && (size < 0 || status.st_size == size);
}

/* Adds the file, or notes that there is none: *found says which. All files are asked for at the
 * commit that the first one was found at, so that they belong together. */
static gboolean
probe (AppHubPlan    *self,
       AppHubClient  *client,
       const char    *path,
       gboolean      *found,
       GCancellable  *cancellable,
       GError       **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *commit = NULL;
  const char *revision = self->commit != NULL ? self->commit : self->name->revision;
  AppHubFile *file = app_hub_client_find (client, self->name->repository, revision, path,
                                          &commit, cancellable, &problem);

  *found = file != NULL;
  if (file == NULL) {
    if (!g_error_matches (problem, APP_HUB_ERROR, APP_HUB_ERROR_NO_FILE)) {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
    g_ptr_array_add (self->missing, g_strdup (path));
    return TRUE;
  }

  g_ptr_array_add (self->files, file);
  if (self->commit == NULL && !app_hub_is_commit (revision))
    self->commit = g_steal_pointer (&commit);
  else if (!g_str_equal (revision, commit)) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                 "%s: %s is of commit %s, %s was asked for",
                 app_hub_client_get_host (client), path, commit, revision);
    return FALSE;
  } else if (self->commit == NULL)
    self->commit = g_steal_pointer (&commit);

  return TRUE;
}

static gboolean
probe_config (AppHubPlan    *self,
              AppHubClient  *client,
              GCancellable  *cancellable,
              GError       **error)
{
  gboolean found;

  if (!probe (self, client, CONFIG, &found, cancellable, error))
    return FALSE;
  if (!found)
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NOT_FOUND,
                 "%s has no " CONFIG ", so it is no model of transformers",
                 self->name->repository);
  return found;
}

static void
ignore_progress (gint64   bytes,
                 gboolean checking,
                 gpointer data)
{
}

/* Reads the index into a file that has no name, so that a plan writes nothing into the cache. */
static GPtrArray *
fetch_index (AppHubPlan        *self,
             AppHubClient      *client,
             const AppHubFile  *file,
             GCancellable      *cancellable,
             GError           **error)
{
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) problem = NULL;
  int fd;

  if (file->size < 0 || file->size > MAX_INDEX_BYTES) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                 "%s has %" G_GINT64_FORMAT " bytes, expected an index of at most %d",
                 file->path, file->size, MAX_INDEX_BYTES);
    return NULL;
  }
  fd = g_file_open_tmp ("headlight-index-XXXXXX", &name, &problem);
  if (fd < 0) {
    g_set_error_literal (error, APP_HUB_ERROR, APP_HUB_ERROR_DISK, problem->message);
    return NULL;
  }
  g_unlink (name);

  text = g_malloc ((gsize) file->size + 1);
  if (app_hub_client_fetch (client, self->name->repository, file, fd, ignore_progress, NULL,
                            cancellable, error)) {
    if (pread (fd, text, (gsize) file->size, 0) == file->size)
      paths = app_hub_read_index (text, (gsize) file->size, file->path, error);
    else
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_DISK, "%s cannot be read back", file->path);
  }
  close (fd);

  return g_steal_pointer (&paths);
}

static gboolean
probe_shards (AppHubPlan    *self,
              AppHubClient  *client,
              GCancellable  *cancellable,
              GError       **error)
{
  const AppHubFile *index = self->files->pdata[self->files->len - 1];
  g_autoptr (GPtrArray) paths = fetch_index (self, client, index, cancellable, error);

  for (guint i = 0; paths != NULL && i < paths->len; i++) {
    gboolean found;

    if (!probe (self, client, paths->pdata[i], &found, cancellable, error))
      return FALSE;
    if (!found) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NOT_FOUND,
                   "%s has no file %s, which %s names", self->name->repository,
                   (const char *) paths->pdata[i], index->path);
      return FALSE;
    }
  }

  return paths != NULL;
}

static gboolean
probe_weights (AppHubPlan    *self,
               AppHubClient  *client,
               GCancellable  *cancellable,
               GError       **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (weights); i++) {
    gboolean found;

    if (!probe (self, client, weights[i].path, &found, cancellable, error))
      return FALSE;
    if (found)
      return !weights[i].is_index || probe_shards (self, client, cancellable, error);
  }

  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NOT_FOUND,
               "%s has no weights that Headlight reads, expected model.safetensors or "
               "pytorch_model.bin", self->name->repository);
  return FALSE;
}

static gboolean
probe_all (AppHubPlan    *self,
           AppHubClient  *client,
           GCancellable  *cancellable,
           GError       **error)
{
  if (!probe_config (self, client, cancellable, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (companions); i++) {
    gboolean found;

    if (!probe (self, client, companions[i], &found, cancellable, error))
      return FALSE;
  }

  return probe_weights (self, client, cancellable, error);
}

AppHubPlan *
app_hub_plan_new (const char    *model,
                  const char    *token,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_autoptr (AppHubPlan) self = g_new0 (AppHubPlan, 1);
  g_autoptr (AppHubClient) client = NULL;

  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) app_hub_file_free);
  self->missing = g_ptr_array_new_with_free_func (g_free);
  self->environment = app_hub_environment_new ();
  self->token = g_strdup (token);
  self->name = app_hub_name_parse (model, error);
  if (self->name == NULL)
    return NULL;
  self->folder = app_hub_cache_get_folder (self->environment->cache, self->name->repository);

  client = app_hub_client_new (self->environment, token, error);
  if (client == NULL || !probe_all (self, client, cancellable, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
app_hub_plan_free (AppHubPlan *self)
{
  g_clear_pointer (&self->environment, app_hub_environment_free);
  g_clear_pointer (&self->name, app_hub_name_free);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->missing);
  g_free (self->token);
  g_free (self->commit);
  g_free (self->folder);
  g_free (self);
}

const char *
app_hub_plan_get_commit (const AppHubPlan *self)
{
  return self->commit;
}

int
app_hub_plan_get_n_files (const AppHubPlan *self)
{
  return (int) self->files->len;
}

gint64
app_hub_plan_get_total (const AppHubPlan *self)
{
  gint64 total = 0;

  for (guint i = 0; i < self->files->len; i++) {
    const AppHubFile *file = self->files->pdata[i];

    /* Sizes come from outside: a sum that cannot be is as good as the largest number. */
    if (!app_hub_plan_is_repeat (self, i) && file->size > 0)
      total = file->size > G_MAXINT64 - total ? G_MAXINT64 : total + file->size;
  }

  return total;
}

gint64
app_hub_plan_get_present (const AppHubPlan *self)
{
  gint64 present = 0;

  for (guint i = 0; i < self->files->len; i++) {
    const AppHubFile *file = self->files->pdata[i];
    g_autofree char *incomplete = app_hub_cache_get_incomplete (self->folder, file->etag);
    GStatBuf status;

    if (file->size <= 0 || app_hub_plan_is_repeat (self, i))
      continue;
    if (app_hub_plan_has_file (self, file))
      present += file->size;
    else if (g_stat (incomplete, &status) == 0 && status.st_size <= file->size)
      present += status.st_size;
  }

  return present;
}

gboolean
app_hub_plan_is_repeat (const AppHubPlan *self,
                        guint             index)
{
  const AppHubFile *file = self->files->pdata[index];

  for (guint i = 0; i < index; i++)
    if (g_str_equal (((const AppHubFile *) self->files->pdata[i])->etag, file->etag))
      return TRUE;

  return FALSE;
}

gboolean
app_hub_plan_has_blob (const AppHubPlan *self,
                       const AppHubFile *file)
{
  g_autofree char *blob = app_hub_cache_get_blob (self->folder, file->etag);

  return has_bytes (blob, file->size);
}

gboolean
app_hub_plan_is_placed (const AppHubPlan *self,
                        const AppHubFile *file)
{
  g_autofree char *snapshot = app_hub_cache_get_snapshot (self->folder, self->commit);
  g_autofree char *place = g_build_filename (snapshot, file->path, NULL);

  return has_bytes (place, file->size);
}

gboolean
app_hub_plan_has_file (const AppHubPlan *self,
                       const AppHubFile *file)
{
  return app_hub_plan_has_blob (self, file) || app_hub_plan_is_placed (self, file);
}

char *
app_hub_dup_host (void)
{
  g_autoptr (AppHubEnvironment) environment = app_hub_environment_new ();
  g_autoptr (GUri) endpoint = g_uri_parse (environment->endpoint, SOUP_HTTP_URI_FLAGS, NULL);
  const char *host = endpoint != NULL ? g_uri_get_host (endpoint) : NULL;

  return g_strdup (host != NULL ? host : environment->endpoint);
}
