/* SPDX-License-Identifier: MIT */
/* Downloads from a local server that plays the hub, and everything that can go wrong with them. */
#include "app/hub.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/model-store.h"
#include "engine/json.h"
#include "engine/model.h"
#include "tests/app/hub-case.h"

#define N_BYTES 300000
#define SNAPSHOT "models--some-org--some.model/snapshots/" FAKE_COMMIT

/* What a progress function saw. */
typedef struct {
  int           lock;      /* descriptor to close once somebody waits for it; -1 = none */
  gint64        last;
  gint64        total;
  gboolean      phases[3];
} Watch;

static void
watch_cb (const AppHubProgress *progress,
          gpointer              data)
{
  Watch *watch = data;

  g_assert_cmpint (progress->bytes, <=, progress->total);
  g_assert_nonnull (progress->path);
  watch->phases[progress->phase] = TRUE;
  watch->last = progress->bytes;
  watch->total = progress->total;
  if (progress->phase == APP_HUB_WAITING && watch->lock >= 0) {
    close (watch->lock);
    watch->lock = -1;
  }
}

/* Plan and download in one; NULL with an error. */
static char *
try_download (const char  *model,
              const char  *token,
              GError     **error)
{
  g_autoptr (AppHubPlan) plan = app_hub_plan_new (model, token, NULL, error);
  Watch watch = { .lock = -1 };

  return plan != NULL ? app_hub_plan_download (plan, watch_cb, &watch, NULL, error) : NULL;
}

static void
download (const char *model)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = try_download (model, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (path);
}

static void
assert_refused (const char *model,
                const char *token,
                int         code,
                const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = try_download (model, token, &error);

  g_assert_null (path);
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_error (error, APP_HUB_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” does not say “%s”", error->message, words);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static char *
in_cache (HubCase    *self,
          const char *path)
{
  return g_build_filename (self->cache, path, NULL);
}

static void
list_tree (const char *folder,
           const char *prefix,
           GPtrArray  *lines)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *place = g_strconcat (prefix, name, NULL);
    g_autofree char *target = g_file_read_link (path, NULL);

    if (target != NULL)
      g_ptr_array_add (lines, g_strconcat (place, " -> ", target, NULL));
    else if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      g_autofree char *inner = g_strconcat (place, "/", NULL);

      g_ptr_array_add (lines, g_strdup (inner));
      list_tree (path, inner, lines);
    } else {
      g_autofree char *content = NULL;
      g_autofree char *hash = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) content, length);
      g_ptr_array_add (lines, g_strconcat (place, " ", hash, NULL));
    }
  }
}

static int
compare_lines (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* One line for each folder, link and file, as tests/record/record_hub.py writes them. */
static GPtrArray *
read_tree (HubCase *self)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  list_tree (self->cache, "", lines);
  g_ptr_array_sort (lines, compare_lines);
  return lines;
}

/* Nothing that another program could take for a model or a part of one. */
static void
assert_untouched (HubCase *self,
                  int      n_incomplete)
{
  g_autoptr (GPtrArray) lines = read_tree (self);
  int n = 0;

  for (guint i = 0; i < lines->len; i++) {
    const char *line = lines->pdata[i];

    n += strstr (line, ".incomplete ") != NULL;
    g_assert_true (strstr (line, ".incomplete ") != NULL || g_str_has_prefix (line, ".locks/")
                   || g_str_equal (line, "models--some-org--some.model/")
                   || g_str_equal (line, "models--some-org--some.model/blobs/"));
  }
  g_assert_cmpint (n, ==, n_incomplete);
}

static void
assert_content (HubCase    *self,
                const char *path,
                gsize       size)
{
  g_autofree char *whole_path = in_cache (self, path);
  g_autoptr (GBytes) expected = hub_case_make_bytes (size);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (whole_path, &content, &length, NULL));
  g_assert_cmpmem (content, length, g_bytes_get_data (expected, NULL), size);
}

/* The .incomplete blob of the weights, as an earlier run could have left it. */
static char *
get_incomplete (HubCase *self,
                gsize    size)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (size);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);

  return g_strdup_printf ("%s/models--some-org--some.model/blobs/%s.incomplete", self->cache, etag);
}

static void
leave_incomplete (HubCase      *self,
                  gsize         size,
                  const guint8 *data,
                  gsize         length)
{
  g_autofree char *path = get_incomplete (self, size);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, (const char *) data, (gssize) length, NULL));
}

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
  download (model);

  lines = read_tree (self);
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
  Watch watch = { .lock = -1 };
  GStatBuf status;

  fake_hub_add_folder (self->hub, source);
  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (weights, &status), ==, 0);
  g_assert_cmpint (app_hub_plan_get_total (plan), >, status.st_size);
  g_assert_cmpint (app_hub_plan_get_present (plan), ==, 0);
  g_assert_cmpstr (app_hub_plan_get_commit (plan), ==, FAKE_COMMIT);
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 0);
  assert_untouched (self, 0);

  path = app_hub_plan_download (plan, watch_cb, &watch, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (watch.total, ==, app_hub_plan_get_total (plan));
  g_assert_true (watch.phases[APP_HUB_FETCHING] && watch.phases[APP_HUB_CHECKING]);
  g_assert_false (watch.phases[APP_HUB_WAITING]);
  g_assert_cmpint (app_hub_plan_get_present (plan), ==, app_hub_plan_get_total (plan));
  /* A card is not something that Headlight reads. */
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/main/"), ==, 1);

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
  download (CASE_REPOSITORY);
  before = read_tree (self);
  fake_hub_clear_log (self->hub);
  download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 0);
  after = read_tree (self);
  g_assert_cmpuint (after->len, ==, before->len);
}

static void
test_revisions (HubCase       *self,
                gconstpointer  unused)
{
  g_autofree char *ref = in_cache (self, "models--some-org--some.model/refs/refs/pr/3");
  g_autofree char *commit = NULL;

  hub_case_add_model (self, 100);
  download (CASE_REPOSITORY "@refs/pr/3");
  g_assert_true (g_file_get_contents (ref, &commit, NULL, NULL));
  g_assert_cmpstr (commit, ==, FAKE_COMMIT);
  /* The other files come from the commit that the first one was found at. */
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/refs/pr/3/"),
                   ==, 1);
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/" FAKE_COMMIT
                                   "/tokenizer.json"), ==, 1);
  assert_refused (CASE_REPOSITORY "@no-such", NULL, APP_HUB_ERROR_NOT_FOUND,
                  "no revision “no-such”");
}

/* The answer says another commit than the one that was asked for. */
static void
test_other_commit (HubCase       *self,
                   gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  fake_hub_set_header (self->hub, "model.safetensors", "X-Repo-Commit",
                       "ffffffffffffffffffffffffffffffffffffffff");
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "is of commit ffff");
}

static void
test_renamed (HubCase       *self,
              gconstpointer  unused)
{
  g_autofree char *config = in_cache (self, "models--old-name/snapshots/" FAKE_COMMIT
                                            "/config.json");

  hub_case_add_model (self, 100);
  fake_hub_set_old_name (self->hub, "old-name");
  download ("old-name");
  g_assert_true (g_file_test (config, G_FILE_TEST_IS_REGULAR));
}

static void
test_cut (HubCase       *self,
          gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_CUT, 2);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 3);
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD store"), ==, 0);
}

typedef struct {
  const char   *path;
  GCancellable *cancellable;
  gint64        time; /* when it was cancelled */
} Cancel;

/* As soon as the file has bytes. */
static gpointer
cancel_cb (gpointer data)
{
  Cancel *cancel = data;
  GStatBuf status;

  while (g_stat (cancel->path, &status) != 0 || status.st_size == 0)
    g_usleep (1000);
  cancel->time = g_get_monotonic_time ();
  g_cancellable_cancel (cancel->cancellable);
  return NULL;
}

/* Cancelled in one run, gone on with in the next. */
static void
test_cancel (HubCase       *self,
             gconstpointer  unused)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubPlan) plan = NULL;
  g_autofree char *incomplete = get_incomplete (self, N_BYTES);
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);
  g_autofree char *resumed = NULL;
  Watch watch = { .lock = -1 };
  Cancel cancel = { incomplete, cancellable, 0 };
  GThread *thread;
  GStatBuf status;

  g_setenv ("HF_HUB_DOWNLOAD_TIMEOUT", "60", TRUE);
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_STALL, 1);
  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, NULL, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("cancel", cancel_cb, &cancel);
  path = app_hub_plan_download (plan, watch_cb, &watch, cancellable, &error);
  g_thread_join (thread);
  g_assert_null (path);
  g_assert_error (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED);
  /* The server says nothing more: only a cancel that is heard at once ends before the time-out. */
  g_assert_cmpint (g_get_monotonic_time () - cancel.time, <, 30 * G_USEC_PER_SEC);
  assert_untouched (self, 3);
  g_assert_cmpint (g_stat (incomplete, &status), ==, 0);
  g_assert_cmpint (status.st_size, >, 0);
  g_assert_cmpint (app_hub_plan_get_present (plan), >, status.st_size);

  fake_hub_clear_log (self->hub);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  resumed = g_strdup_printf ("GET store /%s bytes=%d-", etag, (int) status.st_size);
  g_assert_cmpint (fake_hub_count (self->hub, resumed), ==, 1);
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 1);
  g_assert_false (g_file_test (incomplete, G_FILE_TEST_EXISTS));
}

static void
test_cancel_before (HubCase       *self,
                    gconstpointer  unused)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubPlan) plan = NULL;

  hub_case_add_model (self, 100);
  g_cancellable_cancel (cancellable);
  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, cancellable, &error);
  g_assert_null (plan);
  g_assert_error (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED);
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 0);
}

static void
test_wrong_bytes (HubCase       *self,
                  gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_WRONG_BYTE, -1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER,
                  "model.safetensors: the bytes that came have the hash");
  assert_untouched (self, 2);

  /* A small file has another kind of hash. */
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_SOUND, 0);
  fake_hub_set_fault (self->hub, "config.json", FAKE_WRONG_BYTE, 1);
  download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET hub /" CASE_REPOSITORY "/resolve/"), ==, 0);
}

static void
test_wrong_small_bytes (HubCase       *self,
                        gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  fake_hub_set_fault (self->hub, "config.json", FAKE_WRONG_BYTE, -1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "config.json: the bytes that came");
  assert_untouched (self, 0);
}

/* What lies there from before is not the beginning of this file: fetched anew, once. */
static void
test_wrong_beginning (HubCase       *self,
                      gconstpointer  unused)
{
  const guint8 garbage[1000] = { 1, 2, 3 };

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, garbage, sizeof garbage);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 2);
}

static void
test_beginnings (HubCase       *self,
                 gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES + 5);
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  /* All of it: only the hash is left to do. */
  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, data, N_BYTES);
  download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 0);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
}

static void
test_long_beginning (HubCase       *self,
                     gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES + 5);

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, g_bytes_get_data (bytes, NULL), N_BYTES + 5);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 1);
}

/* Without a size, 416 tells that nothing is missing. */
static void
test_no_size (HubCase       *self,
              gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);

  hub_case_add_model (self, N_BYTES);
  fake_hub_set_header (self->hub, "model.safetensors", "X-Linked-Size", NULL);
  leave_incomplete (self, N_BYTES, g_bytes_get_data (bytes, NULL), N_BYTES);
  download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 1);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
}

static void
test_ranges_ignored (HubCase       *self,
                     gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, g_bytes_get_data (bytes, NULL), 1000);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_NO_RANGES, -1);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 1);
}

static void
test_other_range (HubCase       *self,
                  gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, g_bytes_get_data (bytes, NULL), 1000);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_OTHER_RANGE, 1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "another part");
  assert_untouched (self, 2);
}

static void
test_sizes (HubCase       *self,
            gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_TOO_LONG, -1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "more bytes came than the 300000");
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_TOO_SHORT, -1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "416");
  assert_untouched (self, 3);
}

static void
test_busy (HubCase       *self,
           gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_busy (self->hub, 429, 2);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_BUSY, 3);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);

  /* In the end it is told, and nobody is asked for ever. */
  fake_hub_set_busy (self->hub, 503, -1);
  fake_hub_clear_log (self->hub);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NETWORK, "503 (Service Unavailable)");
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 5);
}

static void
test_broken_store (HubCase       *self,
                   gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_BROKEN, -1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NETWORK, "503");
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 5);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_GONE, -1);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NO_FILE, "model.safetensors");
  assert_untouched (self, 2);
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
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "HF_TOKEN");
  assert_refused (CASE_REPOSITORY, "hf_wrong", APP_HUB_ERROR_ACCESS, "has no access");
  assert_refused (CASE_REPOSITORY, "hf\nX: y", APP_HUB_ERROR_ACCESS, "token");
  assert_untouched (self, 0);

  fake_hub_clear_log (self->hub);
  path = try_download (CASE_REPOSITORY, "hf_right", &error);
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
  download (CASE_REPOSITORY);

  g_setenv ("HF_TOKEN", "hf_wrong", TRUE);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "has no access");
  g_unsetenv ("HF_TOKEN");
  g_setenv ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1", TRUE);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ACCESS, "HF_TOKEN");
}

static void
test_not_found (HubCase       *self,
                gconstpointer  unused)
{
  assert_refused ("no-such-model", NULL, APP_HUB_ERROR_NOT_FOUND, "no model “no-such-model”");
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NOT_FOUND, "no config.json");
  fake_hub_add_text (self->hub, "config.json", "{}");
  fake_hub_add_text (self->hub, "tf_model.h5", "x");
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NOT_FOUND, "no weights");
  assert_untouched (self, 0);
}

/* What is no name, or must not be asked for, is not asked for. */
static void
test_no_question (HubCase       *self,
                  gconstpointer  unused)
{
  static const char *const names[] = {
    "", "/", "a/b/c", "../etc", "a--b", "a..b", "-a", "a.git", "a b", "name@", "name@../x", "name@/x",
    "a/.b", "name@x y", "name@x\ny", "b\xc3\xa4r",
  };

  hub_case_add_model (self, 100);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    assert_refused (names[i], NULL, APP_HUB_ERROR_NAME, "expected");

  g_setenv ("HF_HUB_OFFLINE", "1", TRUE);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_OFFLINE, "HF_HUB_OFFLINE is set");
  g_setenv ("HF_HUB_OFFLINE", "0", TRUE);
  g_setenv ("TRANSFORMERS_OFFLINE", "yes", TRUE);
  hub_case_add_model (self, 100);
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 0);
  download (CASE_REPOSITORY);
  g_unsetenv ("HF_HUB_OFFLINE");
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_OFFLINE, "TRANSFORMERS_OFFLINE is set");
}

static void
test_unreachable (HubCase       *self,
                  gconstpointer  unused)
{
  /* A port on which nobody listens. */
  g_setenv ("HF_ENDPOINT", "http://127.0.0.1:1", TRUE);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NETWORK, "127.0.0.1");
  g_setenv ("HF_ENDPOINT", "ftp://example.org", TRUE);
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NAME, "HF_ENDPOINT is “ftp://example.org”");
}

static void
test_headers (HubCase       *self,
              gconstpointer  unused)
{
  static const struct {
    const char *name, *value, *words;
  } cases[] = {
    { "X-Repo-Commit", NULL, "does not answer as a hub" },
    { "X-Repo-Commit", "../../../../../../../../../../../home/xx", "does not answer as a hub" },
    { "X-Linked-Etag", "\"../../x\"", "expected 40 or 64 hexadecimal digits" },
    { "X-Linked-Size", "many", "expected a number of bytes" },
    { "X-Linked-Size", "-1", "expected a number of bytes" },
    { "Location", "file:///etc/passwd", "expected an address" },
    { "Location", NULL, "Location of model.safetensors is missing" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    hub_case_add_model (self, 100);
    fake_hub_set_header (self->hub, "model.safetensors", cases[i].name, cases[i].value);
    assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, cases[i].words);
  }
  assert_untouched (self, 0);
}

static void
test_disk_space (HubCase       *self,
                 gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  fake_hub_set_header (self->hub, "model.safetensors", "X-Linked-Size", "4611686018427387904");
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_DISK, "needs 4.6 EB");
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 0);
}

/* A folder that cannot be written is an error with its name. */
static void
test_no_folder (HubCase       *self,
                gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  g_assert_true (g_file_set_contents (self->cache, "a file", -1, NULL));
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_DISK, self->cache);
}

/* Another program holds the lock of a blob, as huggingface_hub does while it writes. */
static void
test_lock (HubCase       *self,
           gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);
  g_autofree char *locks = in_cache (self, ".locks/models--some-org--some.model");
  g_autofree char *lock = g_strdup_printf ("%s/%s.lock", locks, etag);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubPlan) plan = NULL;
  g_autofree char *path = NULL;
  Watch watch = { 0 };

  hub_case_add_model (self, N_BYTES);
  g_assert_cmpint (g_mkdir_with_parents (locks, 0700), ==, 0);
  watch.lock = open (lock, O_RDWR | O_CREAT, 0644);
  g_assert_cmpint (flock (watch.lock, LOCK_EX), ==, 0);

  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, NULL, &error);
  g_assert_no_error (error);
  path = app_hub_plan_download (plan, watch_cb, &watch, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (watch.phases[APP_HUB_WAITING]);
  g_assert_cmpint (watch.lock, ==, -1);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
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
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NOT_FOUND,
                  "no file model-00002-of-00002.safetensors");
  assert_untouched (self, 0);

  fake_hub_add_file (self->hub, "model-00002-of-00002.safetensors", two, TRUE);
  /* Only where there are no other weights. */
  fake_hub_add_text (self->hub, "pytorch_model.bin", "x");
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model-00001-of-00002.safetensors", 1000);
  assert_content (self, SNAPSHOT "/model-00002-of-00002.safetensors", 2000);
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD hub /" CASE_REPOSITORY "/resolve/" FAKE_COMMIT
                                   "/pytorch_model.bin"), ==, 0);

  fake_hub_add_text (self->hub, "model.safetensors.index.json",
                     "{\"weight_map\": {\"a\": \"../../x\"}}");
  assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "does not name a file");
}

static void
test_pytorch (HubCase       *self,
              gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (1000);
  g_autofree char *path = in_cache (self, SNAPSHOT "/pytorch_model.bin");

  fake_hub_add_text (self->hub, "config.json", "{}");
  fake_hub_add_file (self->hub, "pytorch_model.bin", bytes, TRUE);
  download (CASE_REPOSITORY);
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
  g_autofree char *blob = in_cache (self, relative);

  hub_case_add_model (self, N_BYTES);
  download (CASE_REPOSITORY);
  g_assert_cmpint (g_unlink (blob), ==, 0);
  download (CASE_REPOSITORY);
  assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
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
  ADD ("other-commit", test_other_commit);
  ADD ("renamed", test_renamed);
  ADD ("cut", test_cut);
  ADD ("cancel", test_cancel);
  ADD ("cancel-before", test_cancel_before);
  ADD ("wrong-bytes", test_wrong_bytes);
  ADD ("wrong-small-bytes", test_wrong_small_bytes);
  ADD ("wrong-beginning", test_wrong_beginning);
  ADD ("whole-beginning", test_beginnings);
  ADD ("long-beginning", test_long_beginning);
  ADD ("no-size", test_no_size);
  ADD ("ranges-ignored", test_ranges_ignored);
  ADD ("other-range", test_other_range);
  ADD ("sizes", test_sizes);
  ADD ("busy", test_busy);
  ADD ("broken-store", test_broken_store);
  ADD ("gated", test_gated);
  ADD ("token-of-environment", test_token_of_environment);
  ADD ("not-found", test_not_found);
  ADD ("no-question", test_no_question);
  ADD ("unreachable", test_unreachable);
  ADD ("headers", test_headers);
  ADD ("disk-space", test_disk_space);
  ADD ("no-folder", test_no_folder);
  ADD ("lock", test_lock);
  ADD ("shards", test_shards);
  ADD ("pytorch", test_pytorch);
  ADD ("repair", test_repair);
  return g_test_run ();
}
