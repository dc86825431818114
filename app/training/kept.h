/* SPDX-License-Identifier: MIT */
/* States that a training keeps while somebody looks on: in its folder a folder steps/NUMBER each,
 * which opens as a model as the training's own does. There are few of them: a state is kept once
 * the step before it is far enough behind, and of too many the one goes that is closest to its
 * neighbours, so that they lie the farther apart the later they are. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define APP_KEPT_MOST 32

/* (transfer full) Steps, gint64, in order, of the folder of a training; empty where there are
 * none. */
GArray  *app_kept_list          (const char   *folder);
/* (transfer full) */
char    *app_kept_dup_folder    (const char   *folder,
                                 gint64        step);
/* (transfer full) The folder of the training that a folder is a state of; NULL = it is none. */
char    *app_kept_find_training (const char   *state);
/* Whether a training that has reached the step is to keep it. */
gboolean app_kept_is_due        (const GArray *kept,
                                 gint64        step);
/* Which one goes, by its place; never the first nor the last. At least three. */
guint    app_kept_find_spare    (const GArray *kept);
/* How many states of so many bytes there is room for, APP_KEPT_MOST at most; 0 = they are too large
 * to be kept. */
guint    app_kept_count_room    (gint64        bytes);
/* What is in the folder of a state, with or without its name. */
void     app_kept_remove_state  (const char   *state);
/* A state goes, with its files. */
void     app_kept_remove        (const char   *folder,
                                 gint64        step);

G_END_DECLS
