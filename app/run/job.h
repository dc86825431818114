/* SPDX-License-Identifier: MIT */
/* Background work of its own: a search, a sweep, a batch, a save. Runs in a thread that it owns,
 * says how far it is, and can be cancelled at any time. All callbacks arrive in the main context
 * that the job was started in. No GTK here.
 *
 * A job ends in exactly one call of done: with a result, or with an error; a cancelled one with
 * ENG_ERROR_CANCELLED. After app_job_stop() no callback comes any more. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _AppJob AppJob;

typedef struct {
  /* In the thread. The result is (transfer full) to done. */
  gpointer     (*run)      (AppJob *job, gpointer data, GError **error);
  /* nullable; at most some twenty times a second. fraction 0..1; note (nullable) is borrowed. */
  void         (*progress) (AppJob *job, double fraction, const char *note, gpointer owner);
  /* result NULL exactly when error is set; error is borrowed. */
  void         (*done)     (AppJob *job, gpointer result, const GError *error, gpointer owner);
  GDestroyNotify free_result; /* of one that nobody takes any more */
  GDestroyNotify free_data;   /* nullable */
} AppJobClass;

/* klass is static; data is taken over, owner is borrowed until done or app_job_stop(). */
AppJob     *app_job_start  (const AppJobClass *klass,
                            gpointer           data,
                            gpointer           owner);
/* Another one that wants to know how far it is, besides the owner. NULL ends it. */
typedef void (*AppJobWatch) (AppJob *job, double fraction, const char *note, gpointer data);
void        app_job_watch  (AppJob            *self,
                            AppJobWatch        watch,
                            gpointer           data);
void        app_job_cancel (AppJob            *self);
/* Cancels, waits for the thread, frees. Also after done. */
void        app_job_stop   (AppJob            *self);

/* For run(): non-zero when cancelled, as the engine polls it. */
gint       *app_job_get_cancel (AppJob        *self);
void        app_job_report (AppJob            *self,
                            double             fraction,
                            const char        *note); /* nullable */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppJob, app_job_stop)

G_END_DECLS
