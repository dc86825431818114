/* SPDX-License-Identifier: MIT */
/* A thread's work that answers an object of the main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A task for a thread; callback gets owner as its source, which is held until then. The task has no
 * source of its own: it may be its thread that lets go of it last, and owners end on the main
 * thread. Made in the main thread. */
GTask *app_task_new (gpointer             owner,
                     GAsyncReadyCallback  callback,
                     gpointer             data);

G_END_DECLS
