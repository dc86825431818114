/* SPDX-License-Identifier: MIT */
/* Names, environment, answers and the cache's own files, without a server. */
#include "app/store/hub-answer.h"

#include <string.h>

#include "app/store/hub-cache.h"
#include "app/store/hub-environment.h"
#include "app/store/hub-name.h"
#include "tests/support/hub/hub-case.h"

#define SHA1 "92bdb0aff34a95a7c00546c3d608c984294164ed"
#define SHA256 "a8eec1eecb9d54fa269a7007059229250fc01582849af06e7100bec0102f751f"

static const AppHubQuestion question = { "hub.example", "https://hub.example", "org/name",
                                         "main",        "model.bin",           FALSE };

static SoupMessageHeaders *
make_headers (const char *text)
{
  SoupMessageHeaders *headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_RESPONSE);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (lines[i], ": ", 2);

    if (parts[0] != NULL && parts[1] != NULL)
      soup_message_headers_append (headers, parts[0], parts[1]);
  }

  return headers;
}

/* Answer of https://hub.example/a/b?c. */
static AppHubFile *
read_answer (guint        status,
             const char  *text,
             GError     **error)
{
  SoupMessageHeaders *headers = make_headers (text);
  g_autoptr (GUri) uri = g_uri_parse ("https://hub.example/a/b?c", SOUP_HTTP_URI_FLAGS, NULL);
  g_autofree char *commit = NULL;
  AppHubFile *file = app_hub_answer_read (&question, status, headers, uri, &commit, error);

  soup_message_headers_unref (headers);
  g_assert_cmpstr (commit, ==, file != NULL ? FAKE_COMMIT : NULL);
  return file;
}

static void
assert_answer (guint       status,
               const char *text,
               const char *etag,
               gint64      size,
               const char *location)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = g_strconcat ("X-Repo-Commit: " FAKE_COMMIT "\n", text, NULL);
  g_autoptr (AppHubFile) file = read_answer (status, whole, &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = g_uri_to_string (file->location);
  g_assert_cmpstr (file->path, ==, "model.bin");
  g_assert_cmpstr (file->etag, ==, etag);
  g_assert_cmpint (file->size, ==, size);
  g_assert_cmpstr (found, ==, location);
}

static void
test_answers (void)
{
  assert_answer (200, "ETag: \"" SHA1 "\"\nContent-Length: 12", SHA1, 12,
                 "https://hub.example/a/b?c");
  assert_answer (200, "etag: W/\"" SHA1 "\"", SHA1, -1, "https://hub.example/a/b?c");
  assert_answer (200, "ETag: " SHA256 "\nContent-Length: 0", SHA256, 0,
                 "https://hub.example/a/b?c");
  /* Of a redirect, the linked headers count; its length is that of its own body. */
  assert_answer (302, "ETag: \"x\"\nContent-Length: 99\nX-Linked-Etag: \"" SHA256 "\"\n"
                      "X-Linked-Size: 4294967297\nLocation: https://store.example/f?s=a%2Fb",
                 SHA256, G_GINT64_CONSTANT (4294967297), "https://store.example/f?s=a%2Fb");
  assert_answer (302, "X-Linked-Etag: \"" SHA256 "\"\nContent-Length: 99\n"
                      "Location: //cdn.example/x",
                 SHA256, -1, "https://cdn.example/x");
}

static void
assert_problem (guint       status,
                const char *text,
                int         code,
                const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubFile) file = read_answer (status, text, &error);

  g_assert_null (file);
  g_test_message ("%s", error->message);
  g_assert_error (error, APP_HUB_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_problems (void)
{
  assert_problem (404, "X-Error-Code: EntryNotFound", APP_HUB_ERROR_NO_FILE, "model.bin");
  assert_problem (404, "", APP_HUB_ERROR_NO_FILE, "model.bin");
  assert_problem (404, "X-Error-Code: RevisionNotFound", APP_HUB_ERROR_NOT_FOUND, "“main”");
  assert_problem (404, "X-Error-Code: RepoNotFound", APP_HUB_ERROR_NOT_FOUND, "“org/name”");
  assert_problem (401, "", APP_HUB_ERROR_NOT_FOUND, "“org/name”");
  assert_problem (401, "X-Error-Code: GatedRepo", APP_HUB_ERROR_ACCESS,
                  "https://hub.example/org/name");
  assert_problem (403, "X-Error-Message: Not\xff yours", APP_HUB_ERROR_ACCESS, "yours");
  assert_problem (418, "", APP_HUB_ERROR_NETWORK, "418");
  assert_problem (200, "ETag: \"" SHA1 "\"", APP_HUB_ERROR_ANSWER, "X-Repo-Commit");
  assert_problem (200, "X-Repo-Commit: " FAKE_COMMIT, APP_HUB_ERROR_ANSWER, "ETag");
}

static void
test_retry_after (void)
{
  static const struct {
    const char *text;
    int         milliseconds;
  } cases[] = {
    { "", -1 }, { "Retry-After: 0", 0 }, { "Retry-After: 7", 7000 },
    { "Retry-After: 99999999999", 60000 }, { "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    SoupMessageHeaders *headers = make_headers (cases[i].text);

    g_assert_cmpint (app_hub_answer_get_retry_after (headers), ==, cases[i].milliseconds);
    soup_message_headers_unref (headers);
  }
}

static void
test_origins (void)
{
  static const struct {
    const char *uri;
    gboolean    is_same;
  } cases[] = {
    { "https://hub.example/x", TRUE }, { "https://HUB.example:443/", TRUE },
    { "http://hub.example/", FALSE }, { "https://hub.example:444/", FALSE },
    { "https://hub.example.org/", FALSE }, { "https://cdn.hub.example/", FALSE },
  };
  g_autoptr (GUri) hub = g_uri_parse ("https://hub.example", SOUP_HTTP_URI_FLAGS, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GUri) uri = g_uri_parse (cases[i].uri, SOUP_HTTP_URI_FLAGS, NULL);

    g_assert_cmpint (app_hub_is_same_origin (hub, uri), ==, cases[i].is_same);
  }
}

static void
test_names (void)
{
  g_autoptr (AppHubName) plain = app_hub_name_parse ("bert-base-uncased", NULL);
  g_autoptr (AppHubName) full = app_hub_name_parse ("a_1/b.c-d@refs/pr/3", NULL);
  g_autofree char *plain_text = app_hub_name_to_string (plain);
  g_autofree char *full_text = app_hub_name_to_string (full);
  g_autofree char *long_name = g_strnfill (97, 'a');
  g_autofree char *url = app_hub_make_url_path ("a/b", "refs/pr/3", "x y/c.json");

  g_assert_cmpstr (plain->revision, ==, "main");
  g_assert_cmpstr (full->repository, ==, "a_1/b.c-d");
  g_assert_cmpstr (full->revision, ==, "refs/pr/3");
  g_assert_cmpstr (plain_text, ==, "bert-base-uncased");
  g_assert_cmpstr (full_text, ==, "a_1/b.c-d@refs/pr/3");
  g_assert_null (app_hub_name_parse (long_name, NULL));
  g_assert_null (app_hub_name_parse ("a\n", NULL));
  /* A slash of the revision is no slash of the path. */
  g_assert_cmpstr (url, ==, "a/b/resolve/refs%2Fpr%2F3/x%20y/c.json");

  g_assert_true (app_hub_is_file_path ("a/b.json"));
  g_assert_false (app_hub_is_file_path ("a//b"));
  g_assert_false (app_hub_is_file_path ("/a"));
  g_assert_false (app_hub_is_file_path ("a/../b"));
  g_assert_false (app_hub_is_file_path ("a\\b"));
  g_assert_false (app_hub_is_file_path ("C:a"));
  g_assert_false (app_hub_is_file_path (""));
}

static void
test_index (void)
{
  static const char *const refused[] = {
    "", "[]", "{}", "{\"weight_map\": {}}", "{\"weight_map\": {\"a\": 1}}",
    "{\"weight_map\": {\"a\": \"b/c\"}}", "{\"weight_map\": {\"a\": \"..\"}}",
    "{\"weight_map\": [\"a\"]}",
  };
  static const char text[] =
    "{\"weight_map\": {\"x\": \"2.bin\", \"y\": \"1.bin\", \"z\": \"2.bin\"}}";
  g_autoptr (GPtrArray) paths = app_hub_read_index (text, strlen (text), "index", NULL);

  g_assert_cmpuint (paths->len, ==, 2);
  g_assert_cmpstr (paths->pdata[0], ==, "2.bin");
  g_assert_cmpstr (paths->pdata[1], ==, "1.bin");
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (app_hub_read_index (refused[i], strlen (refused[i]), "index", &error));
    g_assert_true (g_str_has_prefix (error->message, "index"));
  }
}

static void
assert_ref (const char *contents,
            gsize       length,
            const char *expected)
{
  g_autofree char *commit = app_hub_cache_parse_ref (contents, length);

  g_assert_cmpstr (commit, ==, expected);
}

static void
test_refs (void)
{
  g_autofree char *folder = app_hub_cache_get_folder ("/cache", "org/name");
  g_autofree char *name = app_hub_cache_get_name ("models--org--name");
  g_autofree char *short_name = app_hub_cache_get_name ("models--name");

  assert_ref (FAKE_COMMIT, 40, FAKE_COMMIT);
  assert_ref (FAKE_COMMIT "\n", 41, FAKE_COMMIT);
  assert_ref (FAKE_COMMIT, 39, NULL);
  assert_ref ("", 0, NULL);
  assert_ref (FAKE_COMMIT "\0x", 42, NULL);
  assert_ref ("../../../../../../../../../../../../../..", 41, NULL);
  g_assert_cmpstr (folder, ==, "/cache/models--org--name");
  g_assert_cmpstr (name, ==, "org/name");
  g_assert_cmpstr (short_name, ==, "name");
}

/* One step up more for each folder, as huggingface_hub links a file of onnx/. */
static void
test_place (void)
{
  g_autofree char *home = temporary_new ();
  g_autofree char *folder = app_hub_cache_get_folder (home, "org/name");
  g_autofree char *place = g_build_filename (folder, "snapshots", FAKE_COMMIT, "onnx", "a.json",
                                             NULL);
  g_autoptr (GError) error = NULL;

  /* The second time it is there already. */
  for (int i = 0; i < 2; i++) {
    g_autofree char *target = NULL;

    app_hub_cache_place (folder, FAKE_COMMIT, "onnx/a.json", SHA1, FALSE, TRUE, &error);
    g_assert_no_error (error);
    target = g_file_read_link (place, NULL);
    g_assert_cmpstr (target, ==, "../../../blobs/" SHA1);
  }
  temporary_free (g_steal_pointer (&home));
}

static void
test_environment (void)
{
  g_autofree char *home = temporary_new ();
  g_autofree char *token_file = g_build_filename (home, "my token", NULL);
  g_autoptr (AppHubEnvironment) plain = NULL;
  g_autoptr (AppHubEnvironment) set = NULL;

  hub_case_clear_environment ();
  g_setenv ("HF_HOME", home, TRUE);
  plain = app_hub_environment_new ();
  g_assert_null (plain->offline);
  g_assert_null (plain->token);
  g_assert_cmpstr (plain->endpoint, ==, "https://huggingface.co");
  g_assert_cmpint (plain->metadata_timeout, ==, 10);
  g_assert_false (plain->no_symlinks);

  g_setenv ("HF_ENDPOINT", "https://mirror.example//", TRUE);
  g_setenv ("HF_HUB_ETAG_TIMEOUT", "3", TRUE);
  g_setenv ("HF_HUB_DOWNLOAD_TIMEOUT", "soon", TRUE);
  g_setenv ("HF_HUB_DISABLE_SYMLINKS", "True", TRUE);
  g_setenv ("TRANSFORMERS_OFFLINE", "on", TRUE);
  g_setenv ("MY_HOME", home, TRUE);
  g_setenv ("HF_TOKEN_PATH", "$MY_HOME/my token", TRUE);
  g_assert_true (g_file_set_contents (token_file, "\n hf_abc \n", -1, NULL));
  set = app_hub_environment_new ();
  g_assert_cmpstr (set->offline, ==, "TRANSFORMERS_OFFLINE");
  g_assert_cmpstr (set->endpoint, ==, "https://mirror.example");
  g_assert_cmpint (set->metadata_timeout, ==, 3);
  g_assert_cmpint (set->download_timeout, ==, 10);
  g_assert_true (set->no_symlinks);
  g_assert_cmpstr (set->token, ==, "hf_abc");

  temporary_free (g_steal_pointer (&home));
}

/* HF_TOKEN before HUGGING_FACE_HUB_TOKEN before the file; blanks alone are none. */
static void
test_token_order (void)
{
  g_autoptr (AppHubEnvironment) first = NULL;
  g_autoptr (AppHubEnvironment) second = NULL;
  g_autoptr (AppHubEnvironment) none = NULL;

  hub_case_clear_environment ();
  g_setenv ("HUGGING_FACE_HUB_TOKEN", "hf_old", TRUE);
  first = app_hub_environment_new ();
  g_assert_cmpstr (first->token, ==, "hf_old");
  g_setenv ("HF_TOKEN", "hf_new", TRUE);
  second = app_hub_environment_new ();
  g_assert_cmpstr (second->token, ==, "hf_new");
  g_setenv ("HF_TOKEN", " \n", TRUE);
  none = app_hub_environment_new ();
  g_assert_null (none->token);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hub-answer/answers", test_answers);
  g_test_add_func ("/hub-answer/problems", test_problems);
  g_test_add_func ("/hub-answer/retry-after", test_retry_after);
  g_test_add_func ("/hub-answer/origins", test_origins);
  g_test_add_func ("/hub-answer/names", test_names);
  g_test_add_func ("/hub-answer/index", test_index);
  g_test_add_func ("/hub-answer/refs", test_refs);
  g_test_add_func ("/hub-answer/place", test_place);
  g_test_add_func ("/hub-answer/environment", test_environment);
  g_test_add_func ("/hub-answer/token-order", test_token_order);
  return g_test_run ();
}
