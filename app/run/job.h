/* SPDX-License-Identifier: MIT */
/* Background work of its own: a search, a sweep, a figure, a download. Runs in a thread that it
 * owns, says how far it is, and can be cancelled at any time. All callbacks arrive in the main
 * context that the job was started in. No GTK here.
 *
 * A job ends in exactly one call of done: with a result, or with an error, that of what was
 * cancelled too. After app_job_stop() or app_job_leave() no callback comes any more. */
#pragma once

#include <gio/gio.h>

#include "app/store/progress.h"

G_BEGIN_DECLS

typedef struct _AppJob AppJob;

typedef struct {
  /* In the thread. The result is (transfer full) to done. */
  gpointer     (*run)      (AppJob *job, gpointer data, GError **error);
  /* nullable; data is the owner. At most some twenty times a second: the latest wins. */
  AppProgressFunc progress;
  /* result NULL exactly when error is set; error is borrowed. */
  void         (*done)     (AppJob *job, gpointer result, const GError *error, gpointer owner);
  GDestroyNotify free_result; /* of one that nobody takes any more */
  GDestroyNotify free_data;   /* nullable */
} AppJobClass;

/* klass is static; data is taken over, owner is borrowed until done, app_job_stop()
 * or app_job_leave(). */
AppJob     *app_job_start  (const AppJobClass *klass,
                            gpointer           data,
                            gpointer           owner);
/* Another one that wants to know how far it is, besides the owner. NULL ends it. */
void        app_job_watch  (AppJob            *self,
                            AppProgressFunc    watch,
                            gpointer           data);
void        app_job_cancel (AppJob            *self);
/* Cancels, waits for the thread, frees. Also after done. */
void        app_job_stop   (AppJob            *self);
/* Cancels, waits for nothing: it frees itself in the main context once the thread has ended. Not
 * after done. */
void        app_job_leave  (AppJob            *self);

/* For run(): non-zero when cancelled, as the engine polls it. */
gint       *app_job_get_cancel (AppJob        *self);
/* The same for who waits for a network. Borrowed. */
GCancellable *app_job_get_cancellable (AppJob *self);
/* An AppProgressFunc. Any thread. */
void        app_job_report (const AppProgress *progress,
                            gpointer           job);
/* The same where done of n parts are. */
void        app_job_report_parts (int          done,
                                  int          n,
                                  gpointer     job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppJob, app_job_stop)

G_END_DECLS
