/* SPDX-License-Identifier: MIT */
/* What the hub answers, read and checked: headers, error codes, the index of a checkpoint in
 * shards. Everything here comes from outside; nothing here touches network or disk.
 * Source of the rules: huggingface_hub's file_download.py and the hub's own answers. */
#pragma once

#include <libsoup/soup.h>

G_BEGIN_DECLS

#define APP_HUB_ERROR (app_hub_error_quark ())

typedef enum {
  APP_HUB_ERROR_NAME,      /* not a name, revision or file of the hub */
  APP_HUB_ERROR_OFFLINE,   /* a variable of the environment forbids the network */
  APP_HUB_ERROR_NETWORK,   /* no answer, or one that says "later" */
  APP_HUB_ERROR_NOT_FOUND, /* no such repository or revision, or no model in it */
  APP_HUB_ERROR_NO_FILE,   /* the repository has no file of that name */
  APP_HUB_ERROR_ACCESS,    /* a token is needed, or the one given is not enough */
  APP_HUB_ERROR_ANSWER,    /* what came is not what was announced, or makes no sense */
  APP_HUB_ERROR_DISK,      /* the cache cannot be written, or is full */
  APP_HUB_ERROR_CANCELLED
} AppHubError;

GQuark app_hub_error_quark (void);

/* What was asked for, for sentences. */
typedef struct {
  const char *host;       /* "huggingface.co" */
  const char *address;    /* "https://huggingface.co", where a person looks */
  const char *repository;
  const char *revision;
  const char *path;
  gboolean    has_token;
} AppHubQuestion;

typedef struct {
  char   *path;     /* in the repository: "config.json" */
  char   *etag;     /* 64 hexadecimal digits (sha256) or 40 (git's sha1 of a blob) */
  GUri   *location; /* what to GET */
  gint64  size;     /* bytes; -1 = the hub does not say */
} AppHubFile;

void        app_hub_file_free             (AppHubFile           *self);

/* The answer to a HEAD that is no redirect on the same server: a file, or a redirect to where its
 * bytes lie. uri is the one that was asked; *commit is what the revision stands for, 40 digits. */
AppHubFile *app_hub_answer_read           (const AppHubQuestion *question,
                                           guint                 status,
                                           SoupMessageHeaders   *headers,
                                           GUri                 *uri,
                                           char                **commit,
                                           GError              **error);

/* Status and X-Error-Code as one sentence; status is 400 or more. */
void        app_hub_answer_set_error      (const AppHubQuestion *question,
                                           guint                 status,
                                           SoupMessageHeaders   *headers,
                                           GError              **error);

/* Where a redirect leads; NULL without an error when the answer is none. */
GUri       *app_hub_answer_get_redirect   (const AppHubQuestion *question,
                                           guint                 status,
                                           SoupMessageHeaders   *headers,
                                           GUri                 *uri,
                                           GError              **error);

/* Milliseconds that Retry-After asks for; -1 = it does not say. */
int         app_hub_answer_get_retry_after (SoupMessageHeaders  *headers);
/* http or https, with a host. */
gboolean    app_hub_is_web_address        (GUri                 *uri);
/* Scheme, host and port are the same, so that a token may go there. */
gboolean    app_hub_is_same_origin        (GUri                 *a,
                                           GUri                 *b);

/* The files that model.safetensors.index.json or pytorch_model.bin.index.json names, each once, in
 * order. what is the name for messages. */
GPtrArray  *app_hub_read_index            (const char           *text,
                                           gsize                 length,
                                           const char           *what,
                                           GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppHubFile, app_hub_file_free)

G_END_DECLS
