/* SPDX-License-Identifier: MIT */
/* Models in a made-up home: a HuggingFace cache as huggingface_hub lays it out, a data folder,
 * plain folders. */
#include "app/store/model-store.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "app/store/paths.h"
#include "engine/base/error.h"
#include "tests/support/gguf/gguf-files.h"

#define COMMIT_MAIN "0123456789abcdef0123456789abcdef01234567"
#define COMMIT_OLD  "89abcdef0123456789abcdef0123456789abcdef"

static char *home;

static void
make_folder (const char *path)
{
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
}

static void
write_file (const char *path,
            const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  make_folder (folder);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static char *
get_mini_file (const char *file)
{
  return g_test_build_filename (G_TEST_DIST, "..", "resources", "models", APP_BUNDLED_MODEL, file,
                                NULL);
}

/* Links path to a file of the bundled model through a blob, as the cache does. */
static void
link_blob (const char *repository,
           const char *commit,
           const char *file)
{
  g_autofree char *blob = g_build_filename (repository, "blobs", file, NULL);
  g_autofree char *snapshot = g_build_filename (repository, "snapshots", commit, NULL);
  g_autofree char *path = g_build_filename (snapshot, file, NULL);
  g_autofree char *target = g_build_filename ("..", "..", "blobs", file, NULL);
  g_autofree char *source = get_mini_file (file);
  g_autofree char *folder = g_path_get_dirname (blob);

  make_folder (folder);
  make_folder (snapshot);
  g_assert_true (symlink (source, blob) == 0 || errno == EEXIST);
  g_assert_cmpint (symlink (target, path), ==, 0);
}

/* A repository with two revisions: "main" and the commit COMMIT_OLD, which refs/pr/3 leads to. */
static char *
make_repository (const char *cache,
                 const char *folder)
{
  static const char *const files[] = { "config.json", "model.safetensors", "tokenizer.json",
                                       "tokenizer_config.json" };
  char *repository = g_build_filename (cache, folder, NULL);
  g_autofree char *main_ref = g_build_filename (repository, "refs", "main", NULL);
  g_autofree char *pull_ref = g_build_filename (repository, "refs", "pr", "3", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    link_blob (repository, COMMIT_MAIN, files[i]);
    link_blob (repository, COMMIT_OLD, files[i]);
  }
  write_file (main_ref, COMMIT_MAIN);
  write_file (pull_ref, COMMIT_OLD);

  return repository;
}

static void
assert_found (const char *model,
              const char *folder,
              const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found_name = NULL;
  g_autofree char *found = app_model_store_find (model, &found_name, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, folder);
  g_assert_cmpstr (found_name, ==, name);
}

static void
assert_refused (const char *model,
                const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *found = app_model_store_find (model, &name, &error);

  g_assert_null (found);
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
unset_hub_variables (void)
{
  g_unsetenv ("HF_HUB_CACHE");
  g_unsetenv ("HUGGINGFACE_HUB_CACHE");
  g_unsetenv ("HF_HOME");
}

static void
test_bundled (void)
{
  g_autofree char *bundled = app_paths_get_bundled_models ();
  g_autofree char *folder = g_build_filename (bundled, APP_BUNDLED_MODEL, NULL);

  assert_found (NULL, folder, APP_BUNDLED_MODEL);
  assert_found (APP_BUNDLED_MODEL, folder, APP_BUNDLED_MODEL);
}

static void
test_folder (void)
{
  g_autofree char *folder = g_build_filename (home, "My models", "tiny", NULL);
  g_autofree char *slash = g_strconcat (folder, "/", NULL);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);

  write_file (config, "{}");
  assert_found (folder, folder, "tiny");
  assert_found (slash, folder, "tiny");
  assert_refused (config, "expected a folder");
  assert_refused ("/no/such/place", "/no/such/place");
}

static void
test_cache_layout (void)
{
  g_autofree char *cache = g_build_filename (home, "cache", "huggingface", "hub", NULL);
  g_autofree char *repository = make_repository (cache, "models--google-bert--bert-base-uncased");
  g_autofree char *newest = g_build_filename (repository, "snapshots", COMMIT_MAIN, NULL);
  g_autofree char *old = g_build_filename (repository, "snapshots", COMMIT_OLD, NULL);

  unset_hub_variables ();
  assert_found ("google-bert/bert-base-uncased", newest, "google-bert/bert-base-uncased");
  assert_found ("google-bert/bert-base-uncased@main", newest, "google-bert/bert-base-uncased@main");
  assert_found ("google-bert/bert-base-uncased@pr/3", old, "google-bert/bert-base-uncased@pr/3");
  assert_found ("google-bert/bert-base-uncased@" COMMIT_OLD, old,
                "google-bert/bert-base-uncased@" COMMIT_OLD);
  assert_found (newest, newest, "google-bert/bert-base-uncased");
  assert_refused ("google-bert/bert-base-uncased@v9", "v9");
  assert_refused ("bert-base-uncased", cache);
}

/* The order in which huggingface_hub looks; each line sets one variable more than the last. */
static void
test_cache_variables (void)
{
  static const struct { const char *name, *value, *cache; } lines[] = {
    { NULL, NULL, "cache/huggingface/hub" },
    { "HF_HOME", "$HEADLIGHT_TEST_HOME/hf home", "hf home/hub" },
    { "HUGGINGFACE_HUB_CACHE", "~/older", "older" },
    { "HF_HUB_CACHE", "${HEADLIGHT_TEST_HOME}/hub", "hub" },
  };

  unset_hub_variables ();
  g_setenv ("HEADLIGHT_TEST_HOME", home, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++) {
    g_autofree char *expected = g_build_filename (home, lines[i].cache, NULL);
    g_autofree char *folder = g_strdup_printf ("models--line-%zu", i);
    g_autofree char *model = g_strdup_printf ("line-%zu", i);
    g_autofree char *repository = make_repository (expected, folder);
    g_autofree char *snapshot = g_build_filename (repository, "snapshots", COMMIT_MAIN, NULL);
    g_autofree char *cache = NULL;

    if (lines[i].name != NULL)
      g_setenv (lines[i].name, lines[i].value, TRUE);
    cache = app_paths_get_hub_cache ();
    g_assert_cmpstr (cache, ==, expected);
    assert_found (model, snapshot, model);
  }
  unset_hub_variables ();
}

static void
test_data_folder (void)
{
  g_autofree char *folder = g_build_filename (home, "data", "headlight", "models", "lab", "probe",
                                              NULL);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);

  write_file (config, "{\"model_type\": \"bert\"}");
  assert_found ("lab/probe", folder, "lab/probe");
}

/* A name never leads out of the folder that it is looked up in. */
static void
test_escape (void)
{
  static const char *const names[] = {
    "..", "../..", "../../etc", "a/../../b", ".hidden/a", "a/b/c", "", "name@../../x", "name@/etc",
    "name@", "a--b",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (!g_file_test (names[i], G_FILE_TEST_IS_DIR))
      assert_refused (names[i], "No model");
}

/* Who misspelt a name reads what there is. */
static void
test_absent (void)
{
  assert_refused ("no-such", "no bundled model (headlight-causal, headlight-en-fr, headlight-mini)");
}

static const AppModelEntry *
find_entry (GPtrArray  *entries,
            const char *name)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_str_equal (((AppModelEntry *) entries->pdata[i])->name, name))
      return entries->pdata[i];

  return NULL;
}

static void
assert_problem (GPtrArray  *entries,
                const char *name,
                const char *words)
{
  const AppModelEntry *entry = find_entry (entries, name);

  g_assert_nonnull (entry);
  g_assert_nonnull (entry->problem);
  g_test_message ("%s: %s", name, entry->problem);
  g_assert_nonnull (strstr (entry->problem, words));
}

static void
copy_config (const char *folder,
             const char *with_file)
{
  g_autofree char *source = get_mini_file ("config.json");
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *other = g_build_filename (folder, with_file, NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (source, &text, NULL, NULL));
  write_file (config, text);
  write_file (other, "");
}

static void
test_list (void)
{
  g_autofree char *cache = g_build_filename (home, "list", NULL);
  g_autofree char *data = app_paths_get_data_models ();
  g_autofree char *good = make_repository (cache, "models--org--good");
  g_autofree char *data_set = g_build_filename (cache, "datasets--org--text", "refs", "main", NULL);
  g_autofree char *half_done = g_build_filename (cache, "models--org--half", "refs", "main", NULL);
  g_autofree char *family = g_build_filename (data, "family", "config.json", NULL);
  g_autofree char *bare = g_build_filename (data, "bare", NULL);
  g_autofree char *pickled = g_build_filename (data, "pickled", NULL);
  g_autofree char *wordless = g_build_filename (data, "wordless", NULL);
  g_autofree char *broken = g_build_filename (data, "broken", "config.json", NULL);
  g_autoptr (GPtrArray) entries = NULL;
  const AppModelEntry *entry;

  g_setenv ("HF_HUB_CACHE", cache, TRUE);
  write_file (data_set, COMMIT_MAIN);
  write_file (half_done, COMMIT_MAIN);
  write_file (family, "{\"model_type\": \"no-such-family\"}");
  write_file (broken, "{\"model_type\": ");
  copy_config (bare, "README.md");
  copy_config (pickled, "pytorch_model.bin");
  copy_config (wordless, "model.safetensors");
  entries = app_model_store_list ();

  entry = entries->pdata[0];
  g_assert_cmpstr (entry->name, ==, APP_BUNDLED_MODEL);
  g_assert_cmpint (entry->from, ==, APP_FROM_BUNDLED);
  g_assert_cmpstr (entry->family, ==, "bert");
  g_assert_cmpint (entry->n_layers, ==, 6);
  g_assert_cmpint (entry->n_heads, ==, 12);
  g_assert_cmpint (entry->hidden_size, ==, 288);
  g_assert_null (entry->problem);

  entry = find_entry (entries, "org/good");
  g_assert_nonnull (entry);
  g_assert_null (entry->problem);
  g_assert_cmpint (entry->from, ==, APP_FROM_CACHE);
  g_assert_nonnull (find_entry (entries, "org/good@pr/3"));
  g_assert_null (find_entry (entries, "org/half"));
  g_assert_null (find_entry (entries, "org/text"));
  assert_problem (entries, "family", "no-such-family");
  assert_problem (entries, "broken", "config.json");
  assert_problem (entries, "bare", "model.safetensors");
  /* Texts of a model without a tokenizer are token ids. */
  g_assert_null (find_entry (entries, "pickled")->problem);
  g_assert_null (find_entry (entries, "wordless")->problem);
  unset_hub_variables ();
}

/* Through both links, by the hub's name. */
static void
test_open (void)
{
  g_autofree char *cache = g_build_filename (home, "open", NULL);
  g_autofree char *repository = make_repository (cache, "models--org--linked");
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = NULL;

  g_setenv ("HF_HUB_CACHE", cache, TRUE);
  folder = app_model_store_find ("org/linked", &name, &error);
  g_assert_no_error (error);
  model = eng_model_open (folder, name, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (eng_model_get_info (model)->name, ==, "org/linked");
  unset_hub_variables ();
}

/* A GGUF file by its path; by its name in the data folder, where a folder with no other file is a
 * model, and in one with several each of them. */
static void
test_gguf (void)
{
  g_autofree char *data = app_paths_get_data_models ();
  g_autofree char *single = g_build_filename (data, "single", NULL);
  g_autofree char *several = g_build_filename (data, "several", NULL);
  g_autofree char *path = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *found = NULL;
  g_autofree char *in_data = NULL;
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;

  make_folder (single);
  make_folder (several);
  path = gguf_unpack ("qwen2", single);
  second = gguf_unpack ("qwen2", several);
  third = gguf_unpack ("gpt2-plain", several);

  found = app_model_store_find (path, &name, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpstr (name, ==, "qwen2.gguf");
  in_data = app_model_store_find ("several/gpt2-plain.gguf", &other_name, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (in_data, ==, third);

  entries = app_model_store_list ();
  g_assert_null (find_entry (entries, "several"));
  g_assert_cmpstr (find_entry (entries, "single")->path, ==, single);
  g_assert_cmpstr (find_entry (entries, "single")->quantised, ==, "Q5_0");
  g_assert_null (find_entry (entries, "single")->problem);
  g_assert_cmpstr (find_entry (entries, "several/qwen2.gguf")->family, ==, "qwen2");
  g_assert_null (find_entry (entries, "several/gpt2-plain.gguf")->quantised);
  temporary_free (g_steal_pointer (&single));
  temporary_free (g_steal_pointer (&several));
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL
                                                                    : g_dir_open (path, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL) {
    g_autofree char *inner = g_build_filename (path, file, NULL);

    remove_tree (inner);
  }
  g_remove (path);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *data = NULL;
  g_autofree char *cache = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);

  /* GLib reads these once. */
  home = g_dir_make_tmp ("headlight-store-XXXXXX", NULL);
  data = g_build_filename (home, "data", NULL);
  cache = g_build_filename (home, "cache", NULL);
  g_setenv ("HOME", home, TRUE);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);

  g_test_add_func ("/app/model-store/bundled", test_bundled);
  g_test_add_func ("/app/model-store/folder", test_folder);
  g_test_add_func ("/app/model-store/cache-layout", test_cache_layout);
  g_test_add_func ("/app/model-store/cache-variables", test_cache_variables);
  g_test_add_func ("/app/model-store/data-folder", test_data_folder);
  g_test_add_func ("/app/model-store/escape", test_escape);
  g_test_add_func ("/app/model-store/absent", test_absent);
  g_test_add_func ("/app/model-store/list", test_list);
  g_test_add_func ("/app/model-store/open", test_open);
  g_test_add_func ("/app/model-store/gguf", test_gguf);

  status = g_test_run ();
  remove_tree (home);
  g_free (home);
  return status;
}
