/* SPDX-License-Identifier: MIT */
/* The worker: a thread with a mailbox of one, latest wins. It opens models and trace files, runs
 * passes and lets models write, so that the window never waits. A pass beyond half is finished and
 * shown; layers are published as they complete. All callbacks arrive in the main context that the
 * worker was made in. No GTK here.
 *
 * Answers coalesce like requests do: one that was not yet delivered is replaced by the next. The
 * last submitted request is always answered in the end, completely or with an error. */
#pragma once

#include "app/run/answer.h"

G_BEGIN_DECLS

typedef struct _AppWorker AppWorker;

typedef void (*AppAnswerFunc) (const AppAnswer *answer,
                               gpointer         data);

/* What becomes of the text that a model writes behind what a document says. */
typedef enum {
  APP_WRITE_WHAT_LACKS, /* anew: a model of two stacks writes an empty B, others write nothing */
  APP_WRITE_NOTHING,    /* anew: what was written is forgotten */
  APP_WRITE_NO_MORE,    /* it stays as it is */
  APP_WRITE_UP_TO,      /* as many tokens as the document says: on, or anew where there are more */
  APP_WRITE_TOKEN,      /* one token more */
  APP_WRITE_ALL         /* on to its end */
} AppWriting;

AppWorker *app_worker_new    (AppAnswerFunc     func,
                              gpointer          data);
/* Replaces whatever waits in the mailbox; what the document says was written is written again.
 * Returns the serial of the request. */
guint      app_worker_submit (AppWorker        *self,
                              const UiDocument *document);
/* The same for a text that is written: a request for the document of the running one does not
 * cancel it, but has it stop at the next token. A growing text is an answer after each token. */
guint      app_worker_write  (AppWorker        *self,
                              const UiDocument *document,
                              AppWriting        writing);
/* The same for a document of which nobody chose a head: answers say which one to begin with.
 * is_example: nobody typed the texts either; a model that writes behind a
 * text, or writes text B, takes the first one alone, and the answer's document says so. */
guint      app_worker_begin  (AppWorker        *self,
                              const UiDocument *document,
                              gboolean          is_example);
/* What the model's name stands for is another one than when it was opened: the next request opens
 * it anew. */
void       app_worker_open_anew (AppWorker      *self);
/* Cancels, forgets what waits and what was answered but not yet delivered, and, unless a request
 * comes first, lets go of the model and its traces: all without waiting for the thread. A pass that
 * is just ending may still be answered. */
void       app_worker_rest   (AppWorker        *self);
/* Lets go of all traces that it keeps but the latest; nothing is cancelled, nobody waits. */
void       app_worker_shrink (AppWorker      *self);
/* Cancels, waits for the thread, delivers nothing more. OpenBLAS hangs in exit() when a product is
 * still running. */
void       app_worker_free   (AppWorker        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppWorker, app_worker_free)

G_END_DECLS
