/* SPDX-License-Identifier: MIT */
#include "tests/support/hub/fake-hub.h"

#include <libsoup/soup.h>
#include <string.h>

#include "tests/support/hub/fake-answer.h"

#define SMALL_PREFIX "/api/resolve-cache/models/"

typedef struct {
  GBytes     *content;
  gboolean    is_large;
  char       *etag;
  FakeFault   fault;
  int         n_faults;
  GHashTable *headers; /* of answers to HEAD: name → value, NULL = left out */
} File;

struct _FakeHub {
  GMutex        mutex;    /* over everything that a test may set while the servers run */
  char         *repository;
  char         *old_name;
  char         *token;    /* of a gated repository */
  guint         busy_status;
  int           n_busy;
  GHashTable   *files;    /* path → File */
  GPtrArray    *log;

  char         *endpoint;
  char         *store_uri;
  SoupServer   *hub;
  SoupServer   *store;
  GMainContext *context;
  GMainLoop    *loop;
  GThread      *thread;
  GPtrArray    *stalled;  /* GIOStream that say nothing more */
};

static void
file_free (File *file)
{
  g_bytes_unref (file->content);
  g_free (file->etag);
  g_hash_table_unref (file->headers);
  g_free (file);
}

static void
note (FakeHub           *self,
      SoupServerMessage *message,
      const char        *server)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *range = soup_message_headers_get_one (headers, "Range");
  gboolean has_token = soup_message_headers_get_one (headers, "Authorization") != NULL;

  g_ptr_array_add (self->log,
                   g_strdup_printf ("%s %s %s%s%s%s", soup_server_message_get_method (message),
                                    server, g_uri_get_path (soup_server_message_get_uri (message)),
                                    range != NULL ? " " : "", range != NULL ? range : "",
                                    has_token ? " token" : ""));
}

/* The server itself cuts a sound answer down to the range that was asked for. */
static void
serve (FakeHub           *self,
       SoupServerMessage *message,
       File              *file)
{
  gsize total;
  const guint8 *data = g_bytes_get_data (file->content, &total);
  GIOStream *stalled;

  if (file->fault != FAKE_SOUND && file->n_faults != 0
      && g_str_equal (soup_server_message_get_method (message), "GET")) {
    file->n_faults -= file->n_faults > 0;
    stalled = fake_answer_send_fault (message, file->fault, data, total);
    if (stalled != NULL)
      g_ptr_array_add (self->stalled, stalled);
    return;
  }

  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, "application/octet-stream", SOUP_MEMORY_COPY,
                                    (const char *) data, total);
}

static void
set_file_headers (SoupServerMessage *message,
                  File              *file)
{
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, file->headers);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (value != NULL)
      fake_answer_set_header (message, name, value);
    else
      soup_message_headers_remove (soup_server_message_get_response_headers (message), name);
}

/* Where a large file lies, as the hub says it, with the headers of its own body beside. */
static void
redirect_to_store (FakeHub           *self,
                   SoupServerMessage *message,
                   File              *file)
{
  g_autofree char *location = g_strdup_printf ("%s/%s?signature=a%%2Fb", self->store_uri,
                                               file->etag);
  g_autofree char *etag = g_strdup_printf ("\"%s\"", file->etag);
  g_autofree char *size = g_strdup_printf ("%" G_GSIZE_FORMAT, g_bytes_get_size (file->content));

  soup_server_message_set_status (message, 302, NULL);
  fake_answer_set_header (message, "Location", location);
  fake_answer_set_header (message, "X-Linked-Etag", etag);
  fake_answer_set_header (message, "X-Linked-Size", size);
  fake_answer_set_header (message, "ETag", "\"of the redirect\"");
  fake_answer_set_header (message, "X-Xet-Hash", "0000");
}

static void
answer_file (FakeHub           *self,
             SoupServerMessage *message,
             File              *file,
             const char        *path)
{
  g_autofree char *etag = g_strdup_printf ("W/\"%s\"", file->etag);

  fake_answer_set_header (message, "X-Repo-Commit", FAKE_COMMIT);
  if (file->is_large)
    redirect_to_store (self, message, file);
  else if (path != NULL) {
    g_autofree char *location = g_strdup_printf (SMALL_PREFIX "%s/" FAKE_COMMIT "/%s",
                                                 self->repository, path);

    soup_server_message_set_status (message, 307, NULL);
    fake_answer_set_header (message, "Location", location);
    return;
  } else {
    fake_answer_set_header (message, "ETag", etag);
    serve (self, message, file);
  }
  set_file_headers (message, file);
}

static gboolean
is_let_in (FakeHub           *self,
           SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *authorization = soup_message_headers_get_one (headers, "Authorization");
  g_autofree char *expected = g_strconcat ("Bearer ", self->token, NULL);

  if (self->token == NULL || g_strcmp0 (authorization, expected) == 0)
    return TRUE;
  fake_answer_refuse (message, authorization != NULL ? 403 : 401, "GatedRepo",
                      "Access to this model is restricted.");
  return FALSE;
}

/* What is behind the revision; NULL = there is no such one. libsoup's server hands paths out with
 * %2F already decoded, so a revision may have slashes. */
static const char *
skip_revision (const char *rest)
{
  static const char *const revisions[] = { "main/", "refs/pr/3/", FAKE_COMMIT "/" };

  for (gsize i = 0; i < G_N_ELEMENTS (revisions); i++)
    if (g_str_has_prefix (rest, revisions[i]))
      return rest + strlen (revisions[i]);
  return NULL;
}

/* rest: "main/config.json" */
static void
answer_resolve (FakeHub           *self,
                SoupServerMessage *message,
                const char        *rest)
{
  const char *path = skip_revision (rest);
  File *file = path != NULL ? g_hash_table_lookup (self->files, path) : NULL;

  if (!is_let_in (self, message))
    return;
  if (path == NULL)
    fake_answer_refuse (message, 404, "RevisionNotFound", "Invalid rev id");
  else if (file == NULL) {
    fake_answer_refuse (message, 404, "EntryNotFound", "Entry not found");
    fake_answer_set_header (message, "X-Repo-Commit", FAKE_COMMIT);
  } else
    answer_file (self, message, file, path);
}

static void
answer_hub (FakeHub           *self,
            SoupServerMessage *message)
{
  const char *path = g_uri_get_path (soup_server_message_get_uri (message));
  g_autofree char *resolve = g_strdup_printf ("/%s/resolve/", self->repository);
  g_autofree char *small = g_strdup_printf (SMALL_PREFIX "%s/" FAKE_COMMIT "/", self->repository);
  g_autofree char *old = g_strdup_printf ("/%s/resolve/", self->old_name);

  if (self->n_busy != 0) {
    self->n_busy -= self->n_busy > 0;
    fake_answer_refuse (message, self->busy_status, NULL, NULL);
  } else if (g_str_has_prefix (path, resolve))
    answer_resolve (self, message, path + strlen (resolve));
  else if (g_str_has_prefix (path, small) && is_let_in (self, message)) {
    File *file = g_hash_table_lookup (self->files, path + strlen (small));

    answer_file (self, message, file, NULL);
  } else if (self->old_name != NULL && g_str_has_prefix (path, old)) {
    g_autofree char *location = g_strconcat (resolve, path + strlen (old), NULL);

    soup_server_message_set_status (message, 307, NULL);
    fake_answer_set_header (message, "Location", location);
  } else
    fake_answer_refuse (message, 401, "RepoNotFound", "Invalid username or password.");
}

static void
hub_cb (SoupServer        *server,
        SoupServerMessage *message,
        const char        *path,
        GHashTable        *query,
        gpointer           data)
{
  FakeHub *self = data;

  g_mutex_lock (&self->mutex);
  note (self, message, "hub");
  answer_hub (self, message);
  g_mutex_unlock (&self->mutex);
}

static void
store_cb (SoupServer        *server,
          SoupServerMessage *message,
          const char        *path,
          GHashTable        *query,
          gpointer           data)
{
  FakeHub *self = data;
  GHashTableIter iter;
  gpointer value;

  g_mutex_lock (&self->mutex);
  note (self, message, "store");
  fake_answer_refuse (message, 403, NULL, "bad signature");
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    File *file = value;

    if (!g_str_equal (file->etag, path + 1)
        || g_strcmp0 (g_hash_table_lookup (query, "signature"), "a/b") != 0)
      continue;
    serve (self, message, file);
    break;
  }
  g_mutex_unlock (&self->mutex);
}

static gpointer
run_cb (gpointer data)
{
  FakeHub *self = data;

  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/* Listens on a free port and says where. */
static SoupServer *
server_new (SoupServerCallback   callback,
            FakeHub             *self,
            char               **uri)
{
  SoupServer *server = soup_server_new (NULL, NULL);
  g_autoptr (GError) error = NULL;
  GSList *uris;

  soup_server_add_handler (server, NULL, callback, self, NULL);
  soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (server);
  *uri = g_uri_to_string (uris->data);
  if (g_str_has_suffix (*uri, "/"))
    (*uri)[strlen (*uri) - 1] = '\0';
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return server;
}

static File *
find_file (FakeHub    *self,
           const char *path)
{
  File *file = g_hash_table_lookup (self->files, path);

  g_assert_nonnull (file);
  return file;
}

FakeHub *
fake_hub_new (const char *repository)
{
  FakeHub *self = g_new0 (FakeHub, 1);

  g_mutex_init (&self->mutex);
  self->repository = g_strdup (repository);
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) file_free);
  self->log = g_ptr_array_new_with_free_func (g_free);
  self->stalled = g_ptr_array_new_with_free_func ((GDestroyNotify) fake_answer_close);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);

  g_main_context_push_thread_default (self->context);
  self->hub = server_new (hub_cb, self, &self->endpoint);
  self->store = server_new (store_cb, self, &self->store_uri);
  g_main_context_pop_thread_default (self->context);
  g_setenv ("HF_ENDPOINT", self->endpoint, TRUE);
  self->thread = g_thread_new ("fake-hub", run_cb, self);

  return self;
}

static gboolean
quit_cb (gpointer data)
{
  FakeHub *self = data;

  soup_server_disconnect (self->hub);
  soup_server_disconnect (self->store);
  g_ptr_array_set_size (self->stalled, 0);
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

void
fake_hub_free (FakeHub *self)
{
  g_main_context_invoke (self->context, quit_cb, self);
  g_thread_join (self->thread);
  g_object_unref (self->hub);
  g_object_unref (self->store);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_ptr_array_unref (self->stalled);
  g_ptr_array_unref (self->log);
  g_hash_table_unref (self->files);
  g_free (self->endpoint);
  g_free (self->store_uri);
  g_free (self->repository);
  g_free (self->old_name);
  g_free (self->token);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

const char *
fake_hub_get_endpoint (FakeHub *self)
{
  return self->endpoint;
}

char *
fake_hub_make_etag (GBytes   *content,
                    gboolean  is_large)
{
  gsize size;
  const guchar *data = g_bytes_get_data (content, &size);
  g_autoptr (GChecksum) checksum = NULL;
  g_autofree char *header = g_strdup_printf ("blob %" G_GSIZE_FORMAT, size);

  if (is_large)
    return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, content);

  checksum = g_checksum_new (G_CHECKSUM_SHA1);
  g_checksum_update (checksum, (const guchar *) header, (gssize) strlen (header) + 1);
  g_checksum_update (checksum, data, (gssize) size);
  return g_strdup (g_checksum_get_string (checksum));
}

void
fake_hub_add_file (FakeHub    *self,
                   const char *path,
                   GBytes     *content,
                   gboolean    is_large)
{
  File *file = g_new0 (File, 1);

  file->content = g_bytes_ref (content);
  file->is_large = is_large;
  file->etag = fake_hub_make_etag (content, is_large);
  file->headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_lock (&self->mutex);
  g_hash_table_replace (self->files, g_strdup (path), file);
  g_mutex_unlock (&self->mutex);
}

void
fake_hub_add_text (FakeHub    *self,
                   const char *path,
                   const char *text)
{
  g_autoptr (GBytes) content = g_bytes_new (text, strlen (text));

  fake_hub_add_file (self, path, content, FALSE);
}

void
fake_hub_add_folder (FakeHub    *self,
                     const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, NULL);
    g_autoptr (GBytes) content = g_mapped_file_get_bytes (mapped);

    fake_hub_add_file (self, name, content, g_str_equal (name, "model.safetensors"));
  }
}

void
fake_hub_remove_file (FakeHub    *self,
                      const char *path)
{
  g_mutex_lock (&self->mutex);
  g_hash_table_remove (self->files, path);
  g_mutex_unlock (&self->mutex);
}

void
fake_hub_set_fault (FakeHub    *self,
                    const char *path,
                    FakeFault   fault,
                    int         n_times)
{
  g_mutex_lock (&self->mutex);
  find_file (self, path)->fault = fault;
  find_file (self, path)->n_faults = n_times;
  g_mutex_unlock (&self->mutex);
}

void
fake_hub_set_busy (FakeHub *self,
                   guint    status,
                   int      n_times)
{
  g_mutex_lock (&self->mutex);
  self->busy_status = status;
  self->n_busy = n_times;
  g_mutex_unlock (&self->mutex);
}

void
fake_hub_set_header (FakeHub    *self,
                     const char *path,
                     const char *name,
                     const char *value)
{
  g_mutex_lock (&self->mutex);
  g_hash_table_replace (find_file (self, path)->headers, g_strdup (name), g_strdup (value));
  g_mutex_unlock (&self->mutex);
}

void
fake_hub_set_gated (FakeHub    *self,
                    const char *token)
{
  g_mutex_lock (&self->mutex);
  g_free (self->token);
  self->token = g_strdup (token);
  g_mutex_unlock (&self->mutex);
}

void
fake_hub_set_old_name (FakeHub    *self,
                       const char *old_name)
{
  g_mutex_lock (&self->mutex);
  g_free (self->old_name);
  self->old_name = g_strdup (old_name);
  g_mutex_unlock (&self->mutex);
}

char **
fake_hub_dup_log (FakeHub *self)
{
  char **log;

  g_mutex_lock (&self->mutex);
  log = g_new0 (char *, self->log->len + 1);
  for (guint i = 0; i < self->log->len; i++)
    log[i] = g_strdup (self->log->pdata[i]);
  g_mutex_unlock (&self->mutex);
  return log;
}

int
fake_hub_count (FakeHub    *self,
                const char *start)
{
  g_auto (GStrv) log = fake_hub_dup_log (self);
  int n = 0;

  for (int i = 0; log[i] != NULL; i++)
    n += g_str_has_prefix (log[i], start);
  return n;
}

void
fake_hub_clear_log (FakeHub *self)
{
  g_mutex_lock (&self->mutex);
  g_ptr_array_set_size (self->log, 0);
  g_mutex_unlock (&self->mutex);
}
