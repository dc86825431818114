/* SPDX-License-Identifier: MIT */
#include "app/store/hub-client.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config.h"
#include "app/store/hub-cache.h"
#include "app/store/hub-hash.h"
#include "app/store/hub-wait.h"

#define USER_AGENT     "headlight/" HEADLIGHT_VERSION
#define MAX_REDIRECTS  10
/* Failures in a row without a byte in between. */
#define MAX_FAILURES   5
#define FIRST_WAIT_MS  500
#define CHUNK_BYTES    (256 * 1024)

struct _AppHubClient {
  GMainContext *context;  /* of the sessions; nothing of another one is run meanwhile */
  SoupSession  *metadata;
  SoupSession  *download;
  GUri         *endpoint;
  char         *address;  /* the same as text, without a slash behind */
  char         *token;    /* NULL = none */
};

/* One file on its way. */
typedef struct {
  AppHubClient     *client;
  AppHubQuestion    question;
  const AppHubFile *file;
  int               fd;
  gint64            have;      /* bytes in fd */
  gint64            furthest;  /* the most it ever were; failures are counted from there */
  int               n_failures;
  gboolean          ranges_refused; /* 416 came: start over, once */
  AppHubFetchFunc   func;
  gpointer          data;
  GCancellable     *cancellable;
} Transfer;

typedef enum { STEP_DONE, STEP_AGAIN, STEP_FAILED } Step;

static SoupSession *
session_new (guint timeout_seconds)
{
  SoupSession *session = soup_session_new_with_options ("user-agent", USER_AGENT,
                                                        "timeout", timeout_seconds,
                                                        NULL);

  /* The bytes of the file as they are: sizes, ranges and hashes are those of the file. */
  soup_session_remove_feature_by_type (session, SOUP_TYPE_CONTENT_DECODER);
  return session;
}

static SoupMessage *
message_new (AppHubClient *self,
             const char   *method,
             GUri         *uri)
{
  SoupMessage *message = soup_message_new_from_uri (method, uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  soup_message_headers_append (headers, "Accept-Encoding", "identity");
  if (self->token != NULL && app_hub_is_same_origin (uri, self->endpoint)) {
    g_autofree char *bearer = g_strconcat ("Bearer ", self->token, NULL);

    soup_message_headers_append (headers, "Authorization", bearer);
  }

  return message;
}

/* Errors of libsoup and GIO, with the host; ours are sentences already. */
static void
set_network_error (const char    *host,
                   const GError  *problem,
                   GError       **error)
{
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED, "the download was cancelled");
  else if (problem->domain == APP_HUB_ERROR)
    g_propagate_error (error, g_error_copy (problem));
  else
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NETWORK, "cannot load from %s: %s", host,
                 problem->message);
}

static gboolean
is_later (guint status)
{
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status < 600);
}

/* Waits as long as the server asks, else twice as long as the last time. */
static gboolean
back_off (int                  n_failures,
          SoupMessageHeaders  *headers, /* NULL = no answer came */
          GCancellable        *cancellable,
          GError             **error)
{
  int asked = headers != NULL ? app_hub_answer_get_retry_after (headers) : -1;

  return app_hub_wait (asked >= 0 ? asked : FIRST_WAIT_MS << (n_failures - 1), cancellable, error);
}

/* Sends a HEAD until an answer other than "later" comes. */
static SoupMessage *
ask (AppHubClient  *self,
     GUri          *uri,
     GCancellable  *cancellable,
     GError       **error)
{
  for (int n_failures = 1;; n_failures++) {
    g_autoptr (SoupMessage) message = message_new (self, SOUP_METHOD_HEAD, uri);
    g_autoptr (GError) problem = NULL;
    g_autoptr (GInputStream) body = soup_session_send (self->metadata, message, cancellable,
                                                       &problem);

    if (body == NULL) {
      set_network_error (g_uri_get_host (uri), problem, error);
      return NULL;
    }
    g_input_stream_close (body, cancellable, NULL);
    if (!is_later (soup_message_get_status (message)) || n_failures == MAX_FAILURES)
      return g_steal_pointer (&message);
    if (!back_off (n_failures, soup_message_get_response_headers (message), cancellable, error))
      return NULL;
  }
}

static GUri *
make_uri (AppHubClient *self,
          const char   *repository,
          const char   *revision,
          const char   *path)
{
  g_autofree char *url_path = app_hub_make_url_path (repository, revision, path);
  g_autofree char *text = g_strconcat (self->address, "/", url_path, NULL);

  return g_uri_parse (text, SOUP_HTTP_URI_FLAGS, NULL);
}

static gboolean
set_length (Transfer  *transfer,
            gint64     length,
            GError   **error)
{
  if (ftruncate (transfer->fd, length) != 0 || lseek (transfer->fd, length, SEEK_SET) < 0) {
    app_hub_cache_set_errno (transfer->file->path, errno, error);
    return FALSE;
  }

  transfer->have = length;
  return TRUE;
}

static gboolean
write_all (Transfer      *transfer,
           const guint8  *data,
           gsize          length,
           GError       **error)
{
  while (length > 0) {
    gssize n = write (transfer->fd, data, length);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      app_hub_cache_set_errno (transfer->file->path, errno, error);
      return FALSE;
    }
    data += n;
    length -= (gsize) n;
    transfer->have += n;
  }

  return TRUE;
}

/* The connection ended before the file did, or never began. */
static Step
fail_once (Transfer            *transfer,
           SoupMessageHeaders  *headers,
           const GError        *problem,
           GError             **error)
{
  if (transfer->have > transfer->furthest) {
    transfer->furthest = transfer->have;
    transfer->n_failures = 0;
  }
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || ++transfer->n_failures == MAX_FAILURES) {
    set_network_error (transfer->question.host, problem, error);
    return STEP_FAILED;
  }

  return back_off (transfer->n_failures, headers, transfer->cancellable, error)
         ? STEP_AGAIN : STEP_FAILED;
}

static Step
read_body (Transfer      *transfer,
           GInputStream  *body,
           GError       **error)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  g_autoptr (GError) problem = NULL;
  gssize n;

  while ((n = g_input_stream_read (body, chunk, CHUNK_BYTES, transfer->cancellable,
                                   &problem)) > 0) {
    if (transfer->file->size >= 0 && n > transfer->file->size - transfer->have) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                   "%s: more bytes came than the %" G_GINT64_FORMAT " that the hub announced",
                   transfer->file->path, transfer->file->size);
      set_length (transfer, 0, NULL);
      return STEP_FAILED;
    }
    if (!write_all (transfer, chunk, (gsize) n, error))
      return STEP_FAILED;
    transfer->func (transfer->have, FALSE, transfer->data);
  }

  if (n == 0 && (transfer->file->size < 0 || transfer->have == transfer->file->size))
    return STEP_DONE;
  if (problem == NULL)
    problem = g_error_new (G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT,
                           "%s ended after %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " bytes",
                           transfer->file->path, transfer->have, transfer->file->size);
  return fail_once (transfer, NULL, problem, error);
}

/* 206 must go on where we are; anything else that brings a body begins anew. */
static gboolean
fit_to_range (Transfer     *transfer,
              SoupMessage  *message,
              GError      **error)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  goffset start, end, total;

  if (soup_message_get_status (message) != SOUP_STATUS_PARTIAL_CONTENT)
    return transfer->have == 0 || set_length (transfer, 0, error);
  if (soup_message_headers_get_content_range (headers, &start, &end, &total)
      && start == transfer->have)
    return TRUE;

  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
               "%s: another part of %s came than the one from byte %" G_GINT64_FORMAT,
               transfer->question.host, transfer->file->path, transfer->have);
  set_length (transfer, 0, NULL);
  return FALSE;
}

/* 416: where the size is not known nothing is left to fetch, which the hash will tell; else what is
 * here does not belong to this file. */
static Step
take_refused_range (Transfer  *transfer,
                    GError   **error)
{
  if (transfer->have > 0 && transfer->file->size < 0)
    return STEP_DONE;
  if (transfer->ranges_refused || transfer->have == 0) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                 "%s answers 416 (range not satisfiable) for %s",
                 transfer->question.host, transfer->file->path);
    return STEP_FAILED;
  }

  transfer->ranges_refused = TRUE;
  return set_length (transfer, 0, error) ? STEP_AGAIN : STEP_FAILED;
}

/* One GET of *uri; a redirect replaces it. */
static Step
fetch_once (Transfer  *transfer,
            GUri     **uri,
            GError   **error)
{
  AppHubClient *self = transfer->client;
  g_autoptr (SoupMessage) message = message_new (self, SOUP_METHOD_GET, *uri);
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  g_autoptr (GInputStream) body = NULL;
  g_autoptr (GUri) target = NULL;
  g_autoptr (GError) problem = NULL;
  guint status;

  if (transfer->have > 0)
    soup_message_headers_set_range (soup_message_get_request_headers (message),
                                    transfer->have, -1);
  body = soup_session_send (self->download, message, transfer->cancellable, &problem);
  if (body == NULL)
    return fail_once (transfer, NULL, problem, error);

  status = soup_message_get_status (message);
  target = app_hub_answer_get_redirect (&transfer->question, status, headers, *uri, &problem);
  if (target != NULL) {
    g_uri_unref (*uri);
    *uri = g_steal_pointer (&target);
    return STEP_AGAIN;
  }
  if (problem != NULL) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return STEP_FAILED;
  }
  if (status == SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE)
    return take_refused_range (transfer, error);
  if (status >= 400) {
    app_hub_answer_set_error (&transfer->question, status, headers, &problem);
    if (is_later (status))
      return fail_once (transfer, headers, problem, error);
    g_propagate_error (error, g_steal_pointer (&problem));
    return STEP_FAILED;
  }
  if (!fit_to_range (transfer, message, error))
    return STEP_FAILED;

  return read_body (transfer, body, error);
}

/* Redirects are counted apart from failures; a resume begins at the file's own address again. */
static gboolean
fetch_bytes (Transfer  *transfer,
             GError   **error)
{
  g_autoptr (GUri) uri = g_uri_ref (transfer->file->location);
  int n_redirects = 0;
  Step step = STEP_AGAIN;

  if (transfer->have == transfer->file->size)
    return TRUE;

  while (step == STEP_AGAIN) {
    GUri *before = uri;

    step = fetch_once (transfer, &uri, error);
    if (uri != before && ++n_redirects > MAX_REDIRECTS) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
                   "%s: %s is redirected more than %d times", transfer->question.host,
                   transfer->file->path, MAX_REDIRECTS);
      return FALSE;
    }
    if (uri == before && n_redirects > 0 && step == STEP_AGAIN) {
      g_uri_unref (uri);
      uri = g_uri_ref (transfer->file->location);
      n_redirects = 0;
    }
  }

  return step == STEP_DONE;
}

static void
checked_cb (gint64   bytes,
            gpointer data)
{
  Transfer *transfer = data;

  transfer->func (bytes, TRUE, transfer->data);
}

AppHubClient *
app_hub_client_new (const AppHubEnvironment  *environment,
                    const char               *token,
                    GError                  **error)
{
  g_autoptr (GUri) endpoint = NULL;
  AppHubClient *self;

  if (environment->offline != NULL) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_OFFLINE,
                 "%s is set: nothing is downloaded while it is", environment->offline);
    return NULL;
  }

  endpoint = g_uri_parse (environment->endpoint, SOUP_HTTP_URI_FLAGS, NULL);
  if (endpoint == NULL || !app_hub_is_web_address (endpoint)) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NAME,
                 "HF_ENDPOINT is “%s”, expected an address such as https://huggingface.co",
                 environment->endpoint);
    return NULL;
  }

  if (token == NULL)
    token = environment->token;
  for (const char *p = token; p != NULL && *p != '\0'; p++)
    if (!g_ascii_isgraph (*p)) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ACCESS,
                   "the token has a blank or another character that no token has");
      return NULL;
    }

  self = g_new0 (AppHubClient, 1);
  self->address = g_uri_to_string (endpoint);
  if (g_str_has_suffix (self->address, "/"))
    self->address[strlen (self->address) - 1] = '\0';
  self->endpoint = g_steal_pointer (&endpoint);
  self->token = g_strdup (token);
  self->context = g_main_context_new ();
  g_main_context_push_thread_default (self->context);
  self->metadata = session_new (environment->metadata_timeout);
  self->download = session_new (environment->download_timeout);
  return self;
}

void
app_hub_client_free (AppHubClient *self)
{
  /* A connection that broke ends in the context, which nobody else runs. */
  soup_session_abort (self->metadata);
  soup_session_abort (self->download);
  while (g_main_context_iteration (self->context, FALSE));
  g_object_unref (self->metadata);
  g_object_unref (self->download);
  g_main_context_pop_thread_default (self->context);
  g_main_context_unref (self->context);
  g_uri_unref (self->endpoint);
  g_free (self->address);
  g_free (self->token);
  g_free (self);
}

const char *
app_hub_client_get_host (AppHubClient *self)
{
  return g_uri_get_host (self->endpoint);
}

AppHubFile *
app_hub_client_find (AppHubClient  *self,
                     const char    *repository,
                     const char    *revision,
                     const char    *path,
                     char         **commit,
                     GCancellable  *cancellable,
                     GError       **error)
{
  const AppHubQuestion question = { app_hub_client_get_host (self), self->address, repository,
                                    revision, path, self->token != NULL };
  g_autoptr (GUri) uri = make_uri (self, repository, revision, path);

  /* A renamed repository, or one whose answers are kept under another path, leads to the same
   * server; the first redirect to another one says where the bytes are. */
  for (int i = 0; i <= MAX_REDIRECTS; i++) {
    g_autoptr (SoupMessage) message = ask (self, uri, cancellable, error);
    g_autoptr (GUri) target = NULL;
    g_autoptr (GError) problem = NULL;
    SoupMessageHeaders *headers;
    guint status;

    if (message == NULL)
      return NULL;
    headers = soup_message_get_response_headers (message);
    status = soup_message_get_status (message);
    target = app_hub_answer_get_redirect (&question, status, headers, uri, &problem);
    if (target == NULL || !app_hub_is_same_origin (target, uri))
      return app_hub_answer_read (&question, status, headers, uri, commit, error);
    g_uri_unref (uri);
    uri = g_steal_pointer (&target);
  }

  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
               "%s: %s is redirected more than %d times", question.host, path, MAX_REDIRECTS);
  return NULL;
}

gboolean
app_hub_client_fetch (AppHubClient      *self,
                      const char        *repository,
                      const AppHubFile  *file,
                      int                fd,
                      AppHubFetchFunc    func,
                      gpointer           data,
                      GCancellable      *cancellable,
                      GError           **error)
{
  Transfer transfer = {
    .client = self,
    .question = { app_hub_client_get_host (self), self->address, repository, "", file->path,
                  self->token != NULL },
    .file = file, .fd = fd, .func = func, .data = data, .cancellable = cancellable,
  };
  gint64 resumed = lseek (fd, 0, SEEK_END);
  g_autoptr (GError) problem = NULL;

  /* More than the whole file cannot be its beginning. */
  if (resumed < 0 || (file->size >= 0 && resumed > file->size))
    resumed = 0;
  if (!set_length (&transfer, resumed, error))
    return FALSE;

  if (!fetch_bytes (&transfer, error))
    return FALSE;
  if (app_hub_hash_check (fd, file, checked_cb, &transfer, cancellable, &problem))
    return TRUE;

  /* What an earlier run left may have been wrong: once more from the beginning. */
  if (resumed > 0 && g_error_matches (problem, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER)) {
    g_clear_error (&problem);
    if (!set_length (&transfer, 0, error) || !fetch_bytes (&transfer, error))
      return FALSE;
    if (app_hub_hash_check (fd, file, checked_cb, &transfer, cancellable, &problem))
      return TRUE;
  }
  if (g_error_matches (problem, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER))
    set_length (&transfer, 0, NULL);
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}
