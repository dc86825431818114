/* SPDX-License-Identifier: MIT */
#include "app/store/model-store.h"

#include <string.h>

#include "app/store/hub-cache.h"
#include "app/store/hub-name.h"
#include "app/store/paths.h"
#include "engine/base/error.h"
#include "engine/checkpoint/gguf.h"

/* References may be nested ("pr/3"); deeper is not something that the hub writes. */
#define MAX_REF_DEPTH 4
/* "org/name" */
#define MAX_NAME_DEPTH 2

static gboolean
has_file (const char *folder,
          const char *file)
{
  g_autofree char *path = g_build_filename (folder, file, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Folder of a revision in the cache; NULL when it is not there. */
static char *
find_snapshot (const char *hub_folder,
               const char *revision)
{
  g_autofree char *commit = app_hub_cache_read_ref (hub_folder, revision);
  g_autofree char *path = NULL;

  if (commit == NULL)
    return NULL;

  path = app_hub_cache_get_snapshot (hub_folder, commit);
  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&path) : NULL;
}

/* (transfer full) A state that a training has kept (app/training/kept.h) is called by its model and
 * its step: model/steps/NUMBER. NULL = the folder is none. */
static char *
name_state (const char *folder)
{
  g_autofree char *number = g_path_get_basename (folder);
  g_autofree char *states = g_path_get_dirname (folder);
  g_autofree char *parent = g_path_get_basename (states);
  g_autofree char *model = g_path_get_dirname (states);
  g_autofree char *name = g_path_get_basename (model);

  if (!g_str_equal (parent, "steps") || !g_ascii_isdigit (number[0]))
    return NULL;

  return g_strdup_printf ("%s at step %s", name, number);
}

/* A folder of the cache says its model's name two levels above:
 * models--org--name/snapshots/COMMIT. */
static char *
name_folder (const char *folder)
{
  g_autofree char *commit = g_path_get_basename (folder);
  g_autofree char *snapshots = g_path_get_dirname (folder);
  g_autofree char *hub_folder = g_path_get_dirname (snapshots);
  g_autofree char *hub_name = g_path_get_basename (hub_folder);
  g_autofree char *state = NULL;

  if (app_hub_is_commit (commit) && g_str_has_prefix (hub_name, "models--"))
    return app_hub_cache_get_name (hub_name);
  state = name_state (folder);
  return state != NULL ? g_steal_pointer (&state) : g_steal_pointer (&commit);
}

/* What a list can say without opening the weights. (transfer full) NULL = no problem seen. */
static char *
find_problem (const char *folder)
{
  if (!eng_model_has_weights (folder))
    return g_strdup ("no weights, expected model.safetensors or pytorch_model.bin");
  return NULL;
}

static AppModelEntry *
entry_new (const char   *name,
           const char   *path,
           AppModelFrom  from)
{
  g_autoptr (GError) error = NULL;
  EngModelInfo info = { 0 };
  AppModelEntry *entry = g_new0 (AppModelEntry, 1);

  entry->name = g_strdup (name);
  entry->path = g_strdup (path);
  entry->from = from;
  if (eng_model_peek (path, &info, &error)) {
    entry->n_layers = info.n_layers;
    entry->n_heads = info.n_heads;
    entry->n_decoder_layers = info.n_decoder_layers;
    entry->n_decoder_heads = info.n_decoder_heads;
    entry->hidden_size = info.hidden_size;
    entry->quantised = info.quantised ? info.stored_type : NULL;
    entry->problem = find_problem (path);
  } else
    entry->problem = g_strdup (error->message);
  entry->family = g_strdup (info.family);

  return entry;
}

/* Before the others: the one that is shown where none is named. */
static gboolean
is_first (const AppModelEntry *entry)
{
  return entry->from == APP_FROM_BUNDLED && g_str_equal (entry->name, APP_BUNDLED_MODEL);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const AppModelEntry *first = *(const AppModelEntry *const *) a;
  const AppModelEntry *second = *(const AppModelEntry *const *) b;

  if (first->from != second->from)
    return first->from < second->from ? -1 : 1;
  if (is_first (first) != is_first (second))
    return is_first (first) ? -1 : 1;
  return g_ascii_strcasecmp (first->name, second->name);
}

/* A folder with a config.json, a GGUF file, or a folder with nothing else than one. */
static gboolean
is_model (const char *path)
{
  g_autofree char *gguf = eng_gguf_find (path, NULL);

  return gguf != NULL || has_file (path, "config.json");
}

/* Every model below; name grows part by part. */
static void
list_folder (const char   *folder,
             const char   *prefix,
             int           depth,
             AppModelFrom  from,
             GPtrArray    *entries)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, file, NULL);
    g_autofree char *name = g_strconcat (prefix, file, NULL);

    if (is_model (path))
      g_ptr_array_add (entries, entry_new (name, path, from));
    else if (depth > 1 && g_file_test (path, G_FILE_TEST_IS_DIR)) {
      g_autofree char *inner = g_strconcat (name, "/", NULL);

      list_folder (path, inner, depth - 1, from, entries);
    }
  }
}

/* Revisions that refs/ names, "main" first so that a model has its short name. */
static void
list_refs (const char *refs,
           const char *prefix,
           int         depth,
           GPtrArray  *revisions)
{
  g_autoptr (GDir) dir = g_dir_open (refs, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (refs, file, NULL);
    g_autofree char *revision = g_strconcat (prefix, file, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      g_autofree char *inner = g_strconcat (revision, "/", NULL);

      if (depth > 1)
        list_refs (path, inner, depth - 1, revisions);
    } else if (g_str_equal (revision, APP_HUB_MAIN_REVISION))
      g_ptr_array_insert (revisions, 0, g_steal_pointer (&revision));
    else
      g_ptr_array_add (revisions, g_steal_pointer (&revision));
  }
}

/* One entry for each snapshot that a reference leads to. A repository without config.json and
 * without a GGUF file (a data set, a half-finished download) is no model. */
static void
list_hub_folder (const char *hub_folder,
                 const char *name,
                 GPtrArray  *entries)
{
  g_autofree char *refs = g_build_filename (hub_folder, "refs", NULL);
  g_autoptr (GPtrArray) revisions = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  list_refs (refs, "", MAX_REF_DEPTH, revisions);
  for (guint i = 0; i < revisions->len; i++) {
    const char *revision = revisions->pdata[i];
    g_autofree char *snapshot = find_snapshot (hub_folder, revision);
    g_autofree char *full_name = g_str_equal (revision, APP_HUB_MAIN_REVISION)
                                 ? g_strdup (name) : g_strconcat (name, "@", revision, NULL);

    if (snapshot == NULL || !is_model (snapshot))
      continue;
    if (g_hash_table_add (seen, g_strdup (snapshot)))
      g_ptr_array_add (entries, entry_new (full_name, snapshot, APP_FROM_CACHE));
  }
}

static void
list_hub_cache (const char *cache,
                GPtrArray  *entries)
{
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (file, "models--")) {
      g_autofree char *hub_folder = g_build_filename (cache, file, NULL);
      g_autofree char *name = app_hub_cache_get_name (file);

      list_hub_folder (hub_folder, name, entries);
    }
}

/* What may be opened, or refused with a sentence that says what is wrong in it. */
static gboolean
is_place (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR) || is_model (path);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_ascii_strcasecmp (*(const char *const *) a, *(const char *const *) b);
}

/* (transfer full) "headlight-causal, headlight-mini" */
static char *
name_bundled (void)
{
  g_autofree char *folder = app_paths_get_bundled_models ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (has_file (path, "config.json"))
      g_ptr_array_add (names, g_strdup (name));
  }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);

  return g_strjoinv (", ", (char **) names->pdata);
}

static void
set_hub_error (const char  *model,
               const char  *cache,
               const char  *data,
               GError     **error)
{
  g_autofree char *bundled = name_bundled ();

  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
               "No model “%s”: it is no folder, no bundled model (%s), and neither in the "
               "HuggingFace cache (%s) nor in the data folder (%s); "
               "headlight download %s brings it from the hub",
               model, bundled, cache, data, model);
}

/* NAME or NAME@REVISION in the cache or the data folder. */
static char *
find_hub_model (const AppHubName *hub_name,
                const char       *model,
                GError          **error)
{
  g_autofree char *cache = app_paths_get_hub_cache ();
  g_autofree char *data = app_paths_get_data_models ();
  g_autofree char *hub_folder = app_hub_cache_get_folder (cache, hub_name->repository);
  g_autofree char *in_data = g_build_filename (data, model, NULL);
  char *snapshot;

  if (is_place (in_data))
    return g_steal_pointer (&in_data);

  snapshot = find_snapshot (hub_folder, hub_name->revision);
  if (snapshot != NULL)
    return snapshot;

  if (g_file_test (hub_folder, G_FILE_TEST_IS_DIR))
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: revision “%s” is not in the HuggingFace cache (%s); "
                 "headlight download %s brings it",
                 hub_name->repository, hub_name->revision, hub_folder, model);
  else
    set_hub_error (model, cache, data, error);
  return NULL;
}

/* A path that leads to no folder, or no name at all. */
static void
set_path_error (const char  *model,
                GError     **error)
{
  if (g_file_test (model, G_FILE_TEST_EXISTS))
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s is a file, expected a folder with config.json or a GGUF file", model);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "No model folder “%s”", model);
}

const char *
app_model_from_get_name (AppModelFrom from)
{
  static const char *const names[] = { "bundled", "cache", "data", "folder" };

  return names[from];
}

void
app_model_entry_free (AppModelEntry *entry)
{
  g_free (entry->name);
  g_free (entry->path);
  g_free (entry->family);
  g_free (entry->problem);
  g_free (entry);
}

GPtrArray *
app_model_store_list (void)
{
  g_autofree char *bundled = app_paths_get_bundled_models ();
  g_autofree char *data = app_paths_get_data_models ();
  g_autofree char *cache = app_paths_get_hub_cache ();
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) app_model_entry_free);

  list_folder (bundled, "", 1, APP_FROM_BUNDLED, entries);
  list_folder (data, "", MAX_NAME_DEPTH, APP_FROM_DATA, entries);
  list_hub_cache (cache, entries);
  g_ptr_array_sort (entries, compare_entries);

  return entries;
}

char *
app_model_store_find (const char  *model,
                      char       **name,
                      GError     **error)
{
  g_autofree char *bundled_models = app_paths_get_bundled_models ();
  g_autofree char *bundled = NULL;
  g_autoptr (AppHubName) hub_name = NULL;
  char *folder;

  if (model == NULL)
    model = APP_BUNDLED_MODEL;

  hub_name = app_hub_name_parse (model, NULL);
  bundled = g_build_filename (bundled_models, model, NULL);
  if (hub_name != NULL && has_file (bundled, "config.json")) {
    *name = g_strdup (model);
    return g_steal_pointer (&bundled);
  }
  if (is_place (model)) {
    folder = g_canonicalize_filename (model, NULL);
    *name = name_folder (folder);
    return folder;
  }
  if (hub_name == NULL) {
    set_path_error (model, error);
    return NULL;
  }

  folder = find_hub_model (hub_name, model, error);
  if (folder != NULL)
    *name = g_strdup (model);
  return folder;
}
