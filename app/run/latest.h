/* SPDX-License-Identifier: MIT */
/* How answers, progress and results come out of threads: a mailbox of one. What is put there is
 * delivered in the main context that it was made in; what was not yet delivered is replaced by the
 * next. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _AppLatest AppLatest;

/* item is borrowed; the mailbox may be freed meanwhile. */
typedef void (*AppLatestFunc) (gpointer item,
                               gpointer data);

/* pause: µs between two items, besides twice what taking the last one took. */
AppLatest *app_latest_new  (AppLatestFunc   func,
                            gpointer        data,
                            GDestroyNotify  free_item,
                            gint64          pause);
/* Nothing more is delivered, and nobody may put anything. */
void       app_latest_free (AppLatest      *self);
/* In any thread; takes item over. can_wait: until the pause is over. */
void       app_latest_put  (AppLatest      *self,
                            gpointer        item,
                            gboolean        can_wait);
/* Forgets what was not yet delivered. */
void       app_latest_drop (AppLatest      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppLatest, app_latest_free)

G_END_DECLS
