/* SPDX-License-Identifier: MIT */
/* Downloads from a local server that plays the hub: what is asked, what is fetched, what is in the
 * cache then. */
#include "app/store/hub.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "app/store/model-store.h"
#include "engine/base/json.h"
#include "engine/transformer/model.h"
#include "tests/app/store/hub-checks.h"

#define N_BYTES 300000
#define SNAPSHOT "models--some-org--some.model/snapshots/" FAKE_COMMIT

/* Exactly what huggingface_hub writes: names, links, contents. */
static void
compare_with_record (HubCase    *self,
                     cJSON      *fixture,
                     const cJSON *recorded)
{
  const char *revision = eng_json_find (recorded, "revision")->valuestring;
  gboolean symlinks = cJSON_IsTrue (eng_json_find (recorded, "symlinks"));
  const cJSON *tree = eng_json_find (recorded, "tree");
  g_autofree char *model = g_strconcat (CASE_REPOSITORY "@", revision, NULL);
  g_autoptr (GPtrArray) lines = NULL;
  const cJSON *file;

  cJSON_ArrayForEach (file, eng_json_find (fixture, "files")) {
    const char *text = eng_json_find (file, "content")->valuestring;
    g_autoptr (GBytes) content = g_bytes_new (text, strlen (text));

    fake_hub_add_file (self->hub, eng_json_find (file, "path")->valuestring, content,
                       cJSON_IsTrue (eng_json_find (file, "large")));
  }
  if (!symlinks)
    g_setenv ("HF_HUB_DISABLE_SYMLINKS", "1", TRUE);
  hub_download (model);

  lines = hub_read_tree (self);
  for (guint i = 0; i < lines->len; i++) {
    const cJSON *expected = cJSON_GetArrayItem (tree, (int) i);

    g_assert_cmpstr (lines->pdata[i], ==, expected != NULL ? expected->valuestring : NULL);
  }
  g_assert_cmpint ((int) lines->len, ==, cJSON_GetArraySize (tree));
}

static void
test_layout (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "hub", "trees.json",
                                                 NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) fixture = eng_json_read (path, 1 << 20, 16, &error);
  const cJSON *recorded;
  int n = 0;

  g_assert_no_error (error);
  cJSON_ArrayForEach (recorded, eng_json_find (fixture, "trees")) {
    HubCase hub_case;

    hub_case_set_up (&hub_case, NULL);
    compare_with_record (&hub_case, fixture, recorded);
    hub_case_tear_down (&hub_case, NULL);
    n++;
  }
  g_assert_cmpint (n, ==, 6);
}

/* The bundled model by way of the hub: listed, found and opened. */
static void
test_opens (HubCase       *self,
            gconstpointer  unused)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   APP_BUNDLED_MODEL, NULL);
  g_autofree char *weights = g_build_filename (source, "model.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubPlan) plan = NULL;
  g_autofree char *path = NULL;
  g_autofree char *found = NULL;
  g_autofree char *name = NULL;
  g_autoptr (EngModel) model = NULL;
  HubWatch watch = { .lock = -1 };
  GStatBuf status;

  fake_hub_add_folder (self->hub, source);
  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (weights, &status), ==, 0);
  g_assert_cmpint (app_hub_plan_get_total (plan), >, status.st_size);
  g_assert_cmpint (app_hub_plan_get_present (plan), ==, 0);
  g_assert_cmpstr (app_hub_plan_get_commit (plan), ==, FAKE_COMMIT);
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 0);
  hub_assert_untouched (self, 0);

  path = app_hub_plan_download (plan, hub_watch_cb, &watch, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (watch.total, ==, app_hub_plan_get_total (plan));
  g_assert_true (watch.phases[APP_PHASE_WORKING] && watch.phases[APP_PHASE_CHECKING]);
  g_assert_false (watch.phases[APP_PHASE_WAITING]);
  g_assert_cmpint (app_hub_plan_get_present (plan), ==, app_hub_plan_get_total (plan));
  /* A card is not something that Headlight reads. */
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/main/"),
                   ==, 1);

  found = app_model_store_find (CASE_REPOSITORY, &name, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpstr (name, ==, CASE_REPOSITORY);
  model = eng_model_open (found, name, &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_model_get_info (model)->n_layers, ==, 6);
}

/* Once more: everything is asked for and nothing is fetched. */
static void
test_again (HubCase       *self,
            gconstpointer  unused)
{
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;

  hub_case_add_model (self, N_BYTES);
  hub_download (CASE_REPOSITORY);
  before = hub_read_tree (self);
  fake_hub_clear_log (self->hub);
  hub_download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 0);
  after = hub_read_tree (self);
  g_assert_cmpuint (after->len, ==, before->len);
}

static void
test_revisions (HubCase       *self,
                gconstpointer  unused)
{
  g_autofree char *ref = hub_in_cache (self, "models--some-org--some.model/refs/refs/pr/3");
  g_autofree char *commit = NULL;

  hub_case_add_model (self, 100);
  hub_download (CASE_REPOSITORY "@refs/pr/3");
  g_assert_true (g_file_get_contents (ref, &commit, NULL, NULL));
  g_assert_cmpstr (commit, ==, FAKE_COMMIT);
  /* The other files come from the commit that the first one was found at. */
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/refs/pr/3/"),
                   ==, 1);
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/" FAKE_COMMIT
                                   "/tokenizer.json"), ==, 1);
  hub_assert_refused (CASE_REPOSITORY "@no-such", NULL, APP_HUB_ERROR_NOT_FOUND,
                      "no revision “no-such”");
}

static void
test_renamed (HubCase       *self,
              gconstpointer  unused)
{
  g_autofree char *config = hub_in_cache (self, "models--old-name/snapshots/" FAKE_COMMIT
                                          "/config.json");

  hub_case_add_model (self, 100);
  fake_hub_set_old_name (self->hub, "old-name");
  hub_download ("old-name");
  g_assert_true (g_file_test (config, G_FILE_TEST_IS_REGULAR));
}

static void
test_gated (HubCase       *self,
            gconstpointer  unused)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_auto (GStrv) log = NULL;
  int n_with_token = 0;

  hub_case_add_model (self, N_BYTES);
  fake_hub_set_gated (self->hub, "hf_right");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "HF_TOKEN");
  /* The page of the endpoint that was asked, not of another one. */
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "its terms at http://");
  hub_assert_refused (CASE_REPOSITORY, "hf_wrong", APP_HUB_ERROR_ACCESS, "has no access");
  hub_assert_refused (CASE_REPOSITORY, "hf\nX: y", APP_HUB_ERROR_ACCESS, "token");
  hub_assert_untouched (self, 0);

  fake_hub_clear_log (self->hub);
  path = hub_try_download (CASE_REPOSITORY, "hf_right", &error);
  g_assert_no_error (error);
  log = fake_hub_dup_log (self->hub);
  for (int i = 0; log[i] != NULL; i++) {
    gboolean has_token = g_str_has_suffix (log[i], " token");

    /* The store is another host: it must not learn the token. */
    g_assert_cmpint (has_token, ==, strstr (log[i], " hub ") != NULL);
    n_with_token += has_token;
  }
  g_assert_cmpint (n_with_token, >, 10);
  /* And it is stored nowhere. */
  g_assert_cmpint (temporary_count (self->home), ==, 1);
}

static void
test_token_of_environment (HubCase       *self,
                           gconstpointer  unused)
{
  g_autofree char *file = g_build_filename (self->home, "token", NULL);

  hub_case_add_model (self, 100);
  fake_hub_set_gated (self->hub, "hf_right");
  g_assert_true (g_file_set_contents (file, "  hf_right\r\n", -1, NULL));
  hub_download (CASE_REPOSITORY);

  g_setenv ("HF_TOKEN", "hf_wrong", TRUE);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "has no access");
  g_unsetenv ("HF_TOKEN");
  g_setenv ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1", TRUE);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "HF_TOKEN");
}

/* What is no name, or must not be asked for, is not asked for. */
static void
test_no_question (HubCase       *self,
                  gconstpointer  unused)
{
  static const char *const names[] = {
    "", "/", "a/b/c", "../etc", "a--b", "a..b", "-a", "a.git", "a b", "name@",
    "name@../x", "name@/x",
    "a/.b", "name@x y", "name@x\ny", "b\xc3\xa4r",
  };

  hub_case_add_model (self, 100);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    hub_assert_refused (names[i], NULL, APP_HUB_ERROR_NAME, "expected");

  g_setenv ("HF_HUB_OFFLINE", "1", TRUE);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_OFFLINE, "HF_HUB_OFFLINE is set");
  g_setenv ("HF_HUB_OFFLINE", "0", TRUE);
  g_setenv ("TRANSFORMERS_OFFLINE", "yes", TRUE);
  hub_case_add_model (self, 100);
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 0);
  hub_download (CASE_REPOSITORY);
  g_unsetenv ("HF_HUB_OFFLINE");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_OFFLINE, "TRANSFORMERS_OFFLINE is set");
}

/* Another program holds the lock of a blob, as huggingface_hub does while it writes. */
static void
test_lock (HubCase       *self,
           gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);
  g_autofree char *locks = hub_in_cache (self, ".locks/models--some-org--some.model");
  g_autofree char *lock = g_strdup_printf ("%s/%s.lock", locks, etag);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubPlan) plan = NULL;
  g_autofree char *path = NULL;
  HubWatch watch = { 0 };

  hub_case_add_model (self, N_BYTES);
  g_assert_cmpint (g_mkdir_with_parents (locks, 0700), ==, 0);
  watch.lock = open (lock, O_RDWR | O_CREAT, 0644);
  g_assert_cmpint (flock (watch.lock, LOCK_EX), ==, 0);

  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, NULL, &error);
  g_assert_no_error (error);
  path = app_hub_plan_download (plan, hub_watch_cb, &watch, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (watch.phases[APP_PHASE_WAITING]);
  g_assert_cmpint (watch.lock, ==, -1);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
}

static const char index_text[] =
  "{\"metadata\": {\"total_size\": 5}, \"weight_map\": {"
  "\"a\": \"model-00001-of-00002.safetensors\", \"b\": \"model-00002-of-00002.safetensors\", "
  "\"c\": \"model-00001-of-00002.safetensors\"}}";

static void
test_shards (HubCase       *self,
             gconstpointer  unused)
{
  g_autoptr (GBytes) one = hub_case_make_bytes (1000);
  g_autoptr (GBytes) two = hub_case_make_bytes (2000);

  fake_hub_add_text (self->hub, "config.json", "{}");
  fake_hub_add_text (self->hub, "model.safetensors.index.json", index_text);
  fake_hub_add_file (self->hub, "model-00001-of-00002.safetensors", one, TRUE);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NOT_FOUND,
                      "no file model-00002-of-00002.safetensors");
  hub_assert_untouched (self, 0);

  fake_hub_add_file (self->hub, "model-00002-of-00002.safetensors", two, TRUE);
  /* Only where there are no other weights. */
  fake_hub_add_text (self->hub, "pytorch_model.bin", "x");
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model-00001-of-00002.safetensors", 1000);
  hub_assert_content (self, SNAPSHOT "/model-00002-of-00002.safetensors", 2000);
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/" FAKE_COMMIT
                                   "/pytorch_model.bin"), ==, 0);

  fake_hub_add_text (self->hub, "model.safetensors.index.json",
                     "{\"weight_map\": {\"a\": \"../../x\"}}");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "does not name a file");
}

static void
test_pytorch (HubCase       *self,
              gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (1000);
  g_autofree char *path = hub_in_cache (self, SNAPSHOT "/pytorch_model.bin");

  fake_hub_add_text (self->hub, "config.json", "{}");
  fake_hub_add_file (self->hub, "pytorch_model.bin", bytes, TRUE);
  hub_download (CASE_REPOSITORY);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
}

/* A link that leads nowhere, as after somebody emptied blobs/. */
static void
test_repair (HubCase       *self,
             gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);
  g_autofree char *relative = g_strconcat ("models--some-org--some.model/blobs/", etag, NULL);
  g_autofree char *blob = hub_in_cache (self, relative);

  hub_case_add_model (self, N_BYTES);
  hub_download (CASE_REPOSITORY);
  g_assert_cmpint (g_unlink (blob), ==, 0);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
}

#define ADD(path, test) \
  g_test_add ("/hub/" path, HubCase, NULL, hub_case_set_up, test, hub_case_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hub/layout", test_layout);
  ADD ("opens", test_opens);
  ADD ("again", test_again);
  ADD ("revisions", test_revisions);
  ADD ("renamed", test_renamed);
  ADD ("gated", test_gated);
  ADD ("token-of-environment", test_token_of_environment);
  ADD ("no-question", test_no_question);
  ADD ("lock", test_lock);
  ADD ("shards", test_shards);
  ADD ("pytorch", test_pytorch);
  ADD ("repair", test_repair);
  return g_test_run ();
}
