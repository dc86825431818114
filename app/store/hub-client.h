/* SPDX-License-Identifier: MIT */
/* Talks HTTP with a hub: asks for files, fetches them with resume, backs off, checks what came.
 * Blocking; made, used and freed by one thread. Nothing is asked that the caller did not ask for.
 * The token goes to the endpoint's own origin and nowhere else. */
#pragma once

#include "app/store/hub-answer.h"
#include "app/store/hub-environment.h"
#include "app/store/hub-name.h"

G_BEGIN_DECLS

typedef struct _AppHubClient AppHubClient;

/* How a fetch goes on: bytes of the file that are on the disk, or, while checking, that were read
 * again. */
typedef void (*AppHubFetchFunc) (gint64   bytes,
                                 gboolean checking,
                                 gpointer data);

/* token: NULL = the environment's. Refuses when the environment forbids the network. */
AppHubClient *app_hub_client_new      (const AppHubEnvironment *environment,
                                       const char              *token,
                                       GError                 **error);
void          app_hub_client_free     (AppHubClient            *self);

/* Where a file lies, its hash and its size; commit is what the revision stands for. A file that
 * does not exist is APP_HUB_ERROR_NO_FILE. */
AppHubFile   *app_hub_client_find     (AppHubClient            *self,
                                       const char              *repository,
                                       const char              *revision,
                                       const char              *path,
                                       char                   **commit,
                                       GCancellable            *cancellable,
                                       GError                 **error);

/* Fetches the file into the descriptor, which is opened for reading and writing and may hold a
 * first part already, then checks size and hash. After an error the descriptor holds what can be
 * resumed; it is empty when the content was wrong. */
gboolean      app_hub_client_fetch    (AppHubClient            *self,
                                       const char              *repository,
                                       const AppHubFile        *file,
                                       int                      fd,
                                       AppHubFetchFunc          func,
                                       gpointer                 data,
                                       GCancellable            *cancellable,
                                       GError                 **error);

/* "huggingface.co" */
const char   *app_hub_client_get_host (AppHubClient            *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppHubClient, app_hub_client_free)

G_END_DECLS
