/* SPDX-License-Identifier: MIT */
/* Random hands: keys, shortcuts, texts, the pointer, other models and files, for a window that
 * stands at the corner of a display of its own. Keys and clicks come from xdotool through the
 * display, as a person's do. Nothing quits the program or chooses a file in a dialog. Main
 * thread. */
#pragma once

#include <stdio.h>

#include "app/shell/window.h"

G_BEGIN_DECLS

typedef struct _Hands Hands;

/* shared: folder with traces/, or NULL. log: where each act is written before it is done. */
Hands      *hands_new      (AppWindow  *window,
                            guint32     seed,
                            const char *shared,
                            FILE       *log);
void        hands_free     (Hands      *self);

/* One act; returns at once. */
void        hands_act      (Hands      *self);
/* Whether the act is still under way. */
gboolean    hands_are_busy (Hands      *self);
/* What was done last, for a person who looks for a fault. */
const char *hands_get_last (Hands      *self);
guint       hands_get_n    (Hands      *self);
/* Whether a dialog for files stands before the window. */
gboolean    hands_see_files (Hands     *self);
/* Closes everything that stands before the window: one step of it. FALSE when nothing does. */
gboolean    hands_clear    (Hands      *self);

G_END_DECLS
