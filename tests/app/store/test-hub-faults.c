/* SPDX-License-Identifier: MIT */
/* What can go wrong with a download: cut connections, wrong bytes, wrong sizes, ranges, busy and
 * lying servers, full disks, a person who cancels. */
#include "app/store/hub.h"

#include <string.h>

#include "tests/app/store/hub-checks.h"

#define N_BYTES 300000
#define SNAPSHOT "models--some-org--some.model/snapshots/" FAKE_COMMIT

/* The .incomplete blob of weights of that size. */
static char *
get_incomplete (HubCase *self,
                gsize    size)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (size);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);

  return g_strdup_printf ("%s/models--some-org--some.model/blobs/%s.incomplete", self->cache, etag);
}

/* As an earlier run could have left it. */
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

/* The answer says another commit than the one that was asked for. */
static void
test_other_commit (HubCase       *self,
                   gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  fake_hub_set_header (self->hub, "model.safetensors", "X-Repo-Commit",
                       "ffffffffffffffffffffffffffffffffffffffff");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "is of commit ffff");
}

static void
test_cut (HubCase       *self,
          gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_CUT, 2);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 3);
  g_assert_cmpint (fake_hub_count (self->hub, "HEAD store"), ==, 0);
}

typedef struct {
  const char   *path;
  GCancellable *cancellable;
} Cancel;

/* As soon as the file has bytes. */
static gpointer
cancel_cb (gpointer data)
{
  Cancel *cancel = data;
  GStatBuf status;

  while (g_stat (cancel->path, &status) != 0 || status.st_size == 0)
    g_usleep (1000);
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
  HubWatch watch = { .lock = -1 };
  Cancel cancel = { incomplete, cancellable };
  GThread *thread;
  GStatBuf status;

  /* The server says nothing more: only a cancel that is heard at once ends this before the test's own limit. */
  g_setenv ("HF_HUB_DOWNLOAD_TIMEOUT", "3600", TRUE);
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_STALL, 1);
  plan = app_hub_plan_new (CASE_REPOSITORY, NULL, NULL, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("cancel", cancel_cb, &cancel);
  path = app_hub_plan_download (plan, hub_watch_cb, &watch, cancellable, &error);
  g_thread_join (thread);
  g_assert_null (path);
  g_assert_error (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED);
  hub_assert_untouched (self, 3);
  g_assert_cmpint (g_stat (incomplete, &status), ==, 0);
  g_assert_cmpint (status.st_size, >, 0);
  g_assert_cmpint (app_hub_plan_get_present (plan), >, status.st_size);

  fake_hub_clear_log (self->hub);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
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
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER,
                      "model.safetensors: the bytes that came have the hash");
  hub_assert_untouched (self, 2);
}

/* A small file has another kind of hash. */
static void
test_wrong_small_bytes (HubCase       *self,
                        gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  fake_hub_set_fault (self->hub, "config.json", FAKE_WRONG_BYTE, -1);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER,
                      "config.json: the bytes that came");
  hub_assert_untouched (self, 0);
}

/* What lies there from before is not the beginning of this file: fetched anew, once. */
static void
test_wrong_beginning (HubCase       *self,
                      gconstpointer  unused)
{
  const guint8 garbage[1000] = { 1, 2, 3 };

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, garbage, sizeof garbage);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 2);
}

static void
test_whole_beginning (HubCase       *self,
                      gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES + 5);
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  /* All of it: only the hash is left to do. */
  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, data, N_BYTES);
  hub_download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 0);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
}

static void
test_long_beginning (HubCase       *self,
                     gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES + 5);

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, g_bytes_get_data (bytes, NULL), N_BYTES + 5);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
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
  hub_download (CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 1);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
}

static void
test_ranges_ignored (HubCase       *self,
                     gconstpointer  unused)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);

  hub_case_add_model (self, N_BYTES);
  leave_incomplete (self, N_BYTES, g_bytes_get_data (bytes, NULL), 1000);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_NO_RANGES, -1);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);
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
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "another part");
  hub_assert_untouched (self, 2);
}

static void
test_sizes (HubCase       *self,
            gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_TOO_LONG, -1);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER,
                      "more bytes came than the 300000");
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_TOO_SHORT, -1);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, "416");
  hub_assert_untouched (self, 3);
}

static void
test_busy (HubCase       *self,
           gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_busy (self->hub, 429, 2);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_BUSY, 3);
  hub_download (CASE_REPOSITORY);
  hub_assert_content (self, SNAPSHOT "/model.safetensors", N_BYTES);

  /* In the end it is told, and nobody is asked for ever. */
  fake_hub_set_busy (self->hub, 503, -1);
  fake_hub_clear_log (self->hub);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NETWORK, "503 (Service Unavailable)");
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 5);
}

static void
test_broken_store (HubCase       *self,
                   gconstpointer  unused)
{
  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_BROKEN, -1);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NETWORK, "503");
  g_assert_cmpint (fake_hub_count (self->hub, "GET store"), ==, 5);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_GONE, -1);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NO_FILE, "model.safetensors");
  hub_assert_untouched (self, 2);
}

static void
test_not_found (HubCase       *self,
                gconstpointer  unused)
{
  hub_assert_refused ("no-such-model", NULL, APP_HUB_ERROR_NOT_FOUND, "no model “no-such-model”");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NOT_FOUND, "no config.json");
  fake_hub_add_text (self->hub, "config.json", "{}");
  fake_hub_add_text (self->hub, "tf_model.h5", "x");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NOT_FOUND, "no weights");
  hub_assert_untouched (self, 0);
}

static void
test_unreachable (HubCase       *self,
                  gconstpointer  unused)
{
  /* A port on which nobody listens. */
  g_setenv ("HF_ENDPOINT", "http://127.0.0.1:1", TRUE);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NETWORK, "127.0.0.1");
  g_setenv ("HF_ENDPOINT", "ftp://example.org", TRUE);
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_NAME,
                      "HF_ENDPOINT is “ftp://example.org”");
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
    hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_ANSWER, cases[i].words);
  }
  hub_assert_untouched (self, 0);
}

static void
test_disk_space (HubCase       *self,
                 gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  fake_hub_set_header (self->hub, "model.safetensors", "X-Linked-Size", "4611686018427387904");
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_DISK, "needs 4.6 EB");
  g_assert_cmpint (fake_hub_count (self->hub, "GET"), ==, 0);
}

/* A folder that cannot be written is an error with its name. */
static void
test_no_folder (HubCase       *self,
                gconstpointer  unused)
{
  hub_case_add_model (self, 100);
  g_assert_true (g_file_set_contents (self->cache, "a file", -1, NULL));
  hub_assert_refused (CASE_REPOSITORY, NULL, APP_HUB_ERROR_DISK, self->cache);
}

#define ADD(path, test) \
  g_test_add ("/hub-faults/" path, HubCase, NULL, hub_case_set_up, test, hub_case_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("other-commit", test_other_commit);
  ADD ("cut", test_cut);
  ADD ("cancel", test_cancel);
  ADD ("cancel-before", test_cancel_before);
  ADD ("wrong-bytes", test_wrong_bytes);
  ADD ("wrong-small-bytes", test_wrong_small_bytes);
  ADD ("wrong-beginning", test_wrong_beginning);
  ADD ("whole-beginning", test_whole_beginning);
  ADD ("long-beginning", test_long_beginning);
  ADD ("no-size", test_no_size);
  ADD ("ranges-ignored", test_ranges_ignored);
  ADD ("other-range", test_other_range);
  ADD ("sizes", test_sizes);
  ADD ("busy", test_busy);
  ADD ("broken-store", test_broken_store);
  ADD ("not-found", test_not_found);
  ADD ("unreachable", test_unreachable);
  ADD ("headers", test_headers);
  ADD ("disk-space", test_disk_space);
  ADD ("no-folder", test_no_folder);
  return g_test_run ();
}
