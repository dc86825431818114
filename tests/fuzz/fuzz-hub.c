/* SPDX-License-Identifier: MIT */
/* What a hub answers: headers of a HEAD, an index of shards, a reference of the cache, names. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "app/store/hub-answer.h"
#include "app/store/hub-cache.h"
#include "app/store/hub-name.h"

#define SHA1   "92bdb0aff34a95a7c00546c3d608c984294164ed"
#define SHA256 "a8eec1eecb9d54fa269a7007059229250fc01582849af06e7100bec0102f751f"

/* The first byte chooses the status; the rest is headers, or text for the other readers. */
static const char *const seeds[] = {
  "\0",
  "1X-Repo-Commit: " SHA1 "\r\nETag: W/\"" SHA1 "\"\r\nContent-Length: 12\r\n",
  "2X-Repo-Commit: " SHA1 "\r\nLocation: https://cdn.example/x?s=%2F\r\n"
  "X-Linked-Etag: \"" SHA256 "\"\r\nX-Linked-Size: 440449768\r\n",
  "3Location: /api/resolve-cache/models/a/b/config.json\r\nX-Repo-Commit: " SHA1 "\r\n",
  "4X-Error-Code: EntryNotFound\r\nX-Error-Message: Entry not found\r\n",
  "5X-Error-Code: GatedRepo\r\nX-Error-Message: Access to model a/b is restricted.\r\n",
  "6X-Error-Code: RevisionNotFound\r\nRetry-After: 12\r\n",
  "7X-Error-Code: RepoNotFound\r\nX-Error-Message: Invalid credentials in header\r\n",
  "{\"metadata\": {\"total_size\": 7}, \"weight_map\": {"
  "\"a\": \"model-00001-of-00002.safetensors\", \"b\": \"model-00002-of-00002.safetensors\","
  " \"c\": \"model-00001-of-00002.safetensors\"}}",
  SHA1 "\n",
  "google-bert/bert-base-uncased@refs/pr/3",
  "onnx/model.json",
};

void
fuzz_add_seeds (GPtrArray *array)
{
  for (gsize i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_static (seeds[i], strlen (seeds[i])));
}

static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

/* Header lines as a server may send them; libsoup has taken the lines apart by then. */
static SoupMessageHeaders *
make_headers (const char *text)
{
  SoupMessageHeaders *headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_RESPONSE);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", 64);

  for (int i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (lines[i], ": ", 2);

    if (parts[0] != NULL && parts[1] != NULL && parts[0][0] != '\0'
        && strpbrk (parts[0], " \t\r\n:") == NULL && strpbrk (parts[1], "\r\n") == NULL)
      soup_message_headers_append (headers, parts[0], parts[1]);
  }

  return headers;
}

static void
check_file (const AppHubFile *file,
            const char       *commit)
{
  gsize length = strlen (file->etag);

  /* Both become parts of paths. */
  g_assert_true (app_hub_is_commit (commit));
  g_assert_true (length == 40 || length == 64);
  g_assert_cmpuint (strspn (file->etag, "0123456789abcdef"), ==, length);
  g_assert_cmpint (file->size, >=, -1);
  g_assert_true (app_hub_is_web_address (file->location));
}

static void
read_headers (guint8      choice,
              const char *text)
{
  static const guint statuses[] = { 200, 200, 302, 307, 404, 401, 403, 429, 503, 416, 308, 0 };
  const guint status = statuses[choice % G_N_ELEMENTS (statuses)];
  const AppHubQuestion question = { "hub.example", "https://hub.example", "org/name",
                                    "main",        "model.bin",           choice & 16 };
  g_autoptr (GUri) uri = g_uri_parse ("https://hub.example/a/b", SOUP_HTTP_URI_FLAGS, NULL);
  SoupMessageHeaders *headers = make_headers (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubFile) file = NULL;
  g_autoptr (GUri) target = NULL;
  g_autofree char *commit = NULL;
  int wait;

  file = app_hub_answer_read (&question, status, headers, uri, &commit, &error);
  if (file != NULL)
    check_file (file, commit);
  else
    check_error (error);

  target = app_hub_answer_get_redirect (&question, status, headers, uri, NULL);
  g_assert_true (target == NULL || app_hub_is_web_address (target));
  if (target != NULL)
    app_hub_is_same_origin (target, uri);
  wait = app_hub_answer_get_retry_after (headers);
  g_assert_true (wait >= -1 && wait <= 60000);
  soup_message_headers_unref (headers);
}

static void
read_index (const char *text,
            gsize       length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) paths = app_hub_read_index (text, length, "index.json", &error);

  if (paths == NULL)
    check_error (error);
  for (guint i = 0; paths != NULL && i < paths->len; i++) {
    const char *path = paths->pdata[i];

    g_assert_true (app_hub_is_file_path (path));
    g_assert_null (strchr (path, '/'));
  }
}

static void
read_name (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppHubName) name = app_hub_name_parse (text, &error);
  g_autofree char *folder = NULL;

  if (name == NULL) {
    g_assert_nonnull (error);
    return;
  }
  folder = app_hub_cache_get_folder ("/cache", name->repository);
  g_assert_null (strchr (folder + strlen ("/cache/"), '/'));
  g_assert_null (strstr (name->revision, ".."));
  g_assert_true (name->revision[0] != '/');
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  /* An empty input has no block at all, which no reader here is ever given. */
  const char *bytes = size > 0 ? (const char *) data : "";
  g_autofree char *text = g_strndup (bytes, size);
  g_autofree char *commit = app_hub_cache_parse_ref (bytes, size);

  g_assert_true (commit == NULL || app_hub_is_commit (commit));
  read_headers ((guint8) bytes[0], text[0] != '\0' ? text + 1 : "");
  read_index (bytes, size);
  read_name (text);
  if (app_hub_is_file_path (text))
    g_assert_true (text[0] != '/' && strstr (text, "../") == NULL);
}
