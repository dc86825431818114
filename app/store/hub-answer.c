/* SPDX-License-Identifier: MIT */
#include "app/store/hub-answer.h"

#include <string.h>

#include "app/store/hub-name.h"
#include "engine/base/json.h"

#define MAX_INDEX_DEPTH       8
#define MAX_SHARDS            2000
#define MAX_MESSAGE_CHARS     200
#define MAX_RETRY_AFTER_SECONDS 60
#define SHA1_DIGITS           40
#define SHA256_DIGITS         64

G_DEFINE_QUARK (app-hub-error-quark, app_hub_error)

/* Text of an answer for a sentence: short and in one line. */
static char *
quote (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *start = g_utf8_substring (valid, 0,
                                             MIN (g_utf8_strlen (valid, -1), MAX_MESSAGE_CHARS));

  return g_strdelimit (g_steal_pointer (&start), "\r\n\t", ' ');
}

/* W/"digits" → digits */
static char *
normalise_etag (const char *etag)
{
  g_autofree char *digits = NULL;

  if (g_str_has_prefix (etag, "W/"))
    etag += 2;
  digits = g_strdup (etag);
  if (digits[0] == '"' && strlen (digits) >= 2 && g_str_has_suffix (digits, "\"")) {
    digits[strlen (digits) - 1] = '\0';
    return g_strdup (digits + 1);
  }

  return g_steal_pointer (&digits);
}

/* A hash of one of the two kinds, so that the file can be checked; it also names the blob. */
static gboolean
is_hash (const char *etag)
{
  gsize length = strlen (etag);

  return (length == SHA1_DIGITS || length == SHA256_DIGITS)
         && strspn (etag, "0123456789abcdef") == length;
}

static char *
read_etag (const AppHubQuestion *question,
           SoupMessageHeaders   *headers,
           GError              **error)
{
  const char *linked = soup_message_headers_get_one (headers, "X-Linked-Etag");
  const char *header = linked != NULL ? linked : soup_message_headers_get_one (headers, "ETag");
  g_autofree char *etag = header != NULL ? normalise_etag (header) : NULL;
  g_autofree char *found = NULL;

  if (etag != NULL && is_hash (etag))
    return g_steal_pointer (&etag);

  found = header != NULL ? quote (header) : g_strdup ("missing");
  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
               "%s: ETag of %s is %s, expected 40 or 64 hexadecimal digits",
               question->host, question->path, found);
  return NULL;
}

/* Content-Length of a redirect is that of the redirect's own body. */
static gboolean
read_size (const AppHubQuestion *question,
           SoupMessageHeaders   *headers,
           gboolean              is_redirect,
           gint64               *size,
           GError              **error)
{
  const char *text = soup_message_headers_get_one (headers, "X-Linked-Size");
  g_autofree char *found = NULL;
  guint64 number;

  if (text == NULL && !is_redirect)
    text = soup_message_headers_get_one (headers, "Content-Length");
  *size = -1;
  if (text == NULL)
    return TRUE;
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &number, NULL)) {
    *size = (gint64) number;
    return TRUE;
  }

  found = quote (text);
  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
               "%s: size of %s is “%s”, expected a number of bytes",
               question->host, question->path, found);
  return FALSE;
}

static gboolean
is_redirect (guint status)
{
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static void
set_access_error (const AppHubQuestion *question,
                  const char           *said,
                  GError              **error)
{
  g_autofree char *reason = said != NULL ? quote (said) : NULL;

  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ACCESS,
               "%s refuses %s: %s", question->host, question->repository,
               reason != NULL ? reason : "the token has no access to it");
}

/* A gated repository wants its terms accepted on the web, then a token of that account. */
static void
set_gated_error (const AppHubQuestion *question,
                 GError              **error)
{
  if (question->has_token)
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ACCESS,
                 "%s is gated and the token has no access to it: accept its terms at "
                 "%s/%s with the account that the token belongs to",
                 question->repository, question->address, question->repository);
  else
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ACCESS,
                 "%s is gated: accept its terms at %s/%s, then give a token of that account "
                 "(HF_TOKEN, or in the window's dialog)",
                 question->repository, question->address, question->repository);
}

/* 401 of the hub: there is no such repository, or it is private. */
static void
set_unknown_error (const AppHubQuestion *question,
                   GError              **error)
{
  if (question->has_token)
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NOT_FOUND,
                 "%s has no model “%s” that this token may read",
                 question->host, question->repository);
  else
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NOT_FOUND,
                 "%s has no model “%s”; if it is private, a token is needed (HF_TOKEN)",
                 question->host, question->repository);
}

static int
get_port (GUri *uri)
{
  int port = g_uri_get_port (uri);

  if (port >= 0)
    return port;
  return g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80;
}

void
app_hub_file_free (AppHubFile *self)
{
  g_free (self->path);
  g_free (self->etag);
  g_clear_pointer (&self->location, g_uri_unref);
  g_free (self);
}

/* X-Repo-Commit, or NULL. Borrowed from headers. */
static const char *
get_commit (SoupMessageHeaders *headers)
{
  const char *commit = soup_message_headers_get_one (headers, "X-Repo-Commit");

  return commit != NULL && app_hub_is_commit (commit) ? commit : NULL;
}

AppHubFile *
app_hub_answer_read (const AppHubQuestion *question,
                     guint                 status,
                     SoupMessageHeaders   *headers,
                     GUri                 *uri,
                     char                **commit,
                     GError              **error)
{
  g_autoptr (AppHubFile) file = g_new0 (AppHubFile, 1);
  g_autoptr (GError) problem = NULL;

  if (status >= 400) {
    app_hub_answer_set_error (question, status, headers, error);
    return NULL;
  }
  if (get_commit (headers) == NULL) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                 "%s does not answer as a hub: X-Repo-Commit of %s is missing or no commit",
                 question->host, question->path);
    return NULL;
  }

  file->path = g_strdup (question->path);
  file->location = app_hub_answer_get_redirect (question, status, headers, uri, &problem);
  if (problem != NULL) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return NULL;
  }
  file->etag = read_etag (question, headers, error);
  if (file->etag == NULL
      || !read_size (question, headers, file->location != NULL, &file->size, error))
    return NULL;
  if (file->location == NULL)
    file->location = g_uri_ref (uri);

  *commit = g_strdup (get_commit (headers));
  return g_steal_pointer (&file);
}

void
app_hub_answer_set_error (const AppHubQuestion *question,
                          guint                 status,
                          SoupMessageHeaders   *headers,
                          GError              **error)
{
  const char *code = soup_message_headers_get_one (headers, "X-Error-Code");
  const char *said = soup_message_headers_get_one (headers, "X-Error-Message");

  if (g_strcmp0 (code, "GatedRepo") == 0)
    set_gated_error (question, error);
  else if (g_strcmp0 (code, "RevisionNotFound") == 0)
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NOT_FOUND,
                 "%s has no revision “%s”", question->repository, question->revision);
  else if (g_strcmp0 (code, "EntryNotFound") == 0 || (code == NULL && status == 404))
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NO_FILE,
                 "%s has no file %s", question->repository, question->path);
  else if (status == 401 && question->has_token && said != NULL
           && g_str_has_prefix (said, "Invalid credentials"))
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ACCESS,
                 "%s does not know the token", question->host);
  else if (g_strcmp0 (code, "RepoNotFound") == 0 || status == 401)
    set_unknown_error (question, error);
  else if (status == 403)
    set_access_error (question, said, error);
  else
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NETWORK,
                 "%s answers %u (%s) for %s of %s", question->host, status,
                 soup_status_get_phrase (status), question->path, question->repository);
}

GUri *
app_hub_answer_get_redirect (const AppHubQuestion *question,
                             guint                 status,
                             SoupMessageHeaders   *headers,
                             GUri                 *uri,
                             GError              **error)
{
  const char *location = soup_message_headers_get_one (headers, "Location");
  g_autoptr (GUri) target = NULL;
  g_autofree char *found = NULL;

  if (!is_redirect (status))
    return NULL;

  if (location != NULL)
    target = g_uri_parse_relative (uri, location, SOUP_HTTP_URI_FLAGS, NULL);
  if (target != NULL && app_hub_is_web_address (target))
    return g_steal_pointer (&target);

  found = location != NULL ? quote (location) : g_strdup ("missing");
  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
               "%s: Location of %s is %s, expected an address of http or https",
               question->host, question->path, found);
  return NULL;
}

int
app_hub_answer_get_retry_after (SoupMessageHeaders *headers)
{
  const char *text = soup_message_headers_get_one (headers, "Retry-After");
  guint64 seconds;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &seconds, NULL))
    return -1;
  return (int) MIN (seconds, MAX_RETRY_AFTER_SECONDS) * 1000;
}

gboolean
app_hub_is_web_address (GUri *uri)
{
  const char *host = g_uri_get_host (uri);

  return host != NULL && host[0] != '\0'
         && (g_str_equal (g_uri_get_scheme (uri), "http")
             || g_str_equal (g_uri_get_scheme (uri), "https"));
}

gboolean
app_hub_is_same_origin (GUri *a,
                        GUri *b)
{
  return g_str_equal (g_uri_get_scheme (a), g_uri_get_scheme (b))
         && g_ascii_strcasecmp (g_uri_get_host (a), g_uri_get_host (b)) == 0
         && get_port (a) == get_port (b);
}

GPtrArray *
app_hub_read_index (const char  *text,
                    gsize        length,
                    const char  *what,
                    GError     **error)
{
  g_autoptr (cJSON) index = eng_json_parse (text, length, MAX_INDEX_DEPTH, what, error);
  const cJSON *weight_map = index != NULL ? eng_json_find (index, "weight_map") : NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  const cJSON *member;

  if (index == NULL)
    return NULL;
  if (!cJSON_IsObject (weight_map) || weight_map->child == NULL) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                 "%s: weight_map is no object that names files", what);
    return NULL;
  }

  cJSON_ArrayForEach (member, weight_map) {
    char *path;

    if (!cJSON_IsString (member) || !app_hub_is_file_path (member->valuestring)
        || strchr (member->valuestring, '/') != NULL) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                   "%s: weight_map: “%s” does not name a file of the same folder", what,
                   member->string);
      return NULL;
    }
    if (g_hash_table_contains (seen, member->valuestring))
      continue;
    if (paths->len == MAX_SHARDS) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                   "%s names more than %d files", what, MAX_SHARDS);
      return NULL;
    }
    path = g_strdup (member->valuestring);
    g_ptr_array_add (paths, path);
    g_hash_table_add (seen, path);
  }

  return g_steal_pointer (&paths);
}
