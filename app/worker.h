/* SPDX-License-Identifier: MIT */
/* The worker: a thread with a mailbox of one, latest wins. It opens models and trace files and runs
 * passes, so that the window never waits. A pass beyond half is finished and shown; layers are
 * published as they complete. All callbacks arrive in the main context that the worker was made in.
 * No GTK here.
 *
 * Answers coalesce like requests do: one that was not yet delivered is replaced by the next. The
 * last submitted request is always answered in the end, completely or with an error. */
#pragma once

#include "engine/session.h"
#include "ui/scene/document.h"

G_BEGIN_DECLS

typedef struct _AppWorker AppWorker;

/* One answer. trace may still be growing (complete FALSE: its first layers may be read); error is
 * set instead of trace when the request was refused. model is NULL for a trace file and when it
 * could not be opened, so that a refused text and a refused model are told apart. All borrowed. */
typedef struct {
  guint             serial;   /* of the request that it answers */
  const UiDocument *document; /* the request */
  EngModel         *model;
  EngTrace         *trace;
  gboolean          complete;
  double            milliseconds; /* tokenising and forward; < 0 while growing and for a file */
  const GError     *error;
} AppAnswer;

typedef void (*AppWorkerFunc) (const AppAnswer *answer,
                               gpointer         data);

AppWorker *app_worker_new    (AppWorkerFunc     func,
                              gpointer          data);
/* Replaces whatever waits in the mailbox. Returns the serial of the request. */
guint      app_worker_submit (AppWorker        *self,
                              const UiDocument *document);
/* Cancels, waits for the thread, delivers nothing more. OpenBLAS hangs in exit() when a product is
 * still running. */
void       app_worker_free   (AppWorker        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppWorker, app_worker_free)

G_END_DECLS
