/* SPDX-License-Identifier: MIT */
/* What a small window leaves out: the views come to its foot where its header has no room for them,
 * and in a low one caption and sentences fold away, these until somebody types there. Main thread. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _AppNarrow AppNarrow;

/* The window's widgets, borrowed; free it before them. */
AppNarrow *app_narrow_new        (GtkWindow   *window,
                                  AdwSqueezer *header_views,
                                  GtkWidget   *foot_view,
                                  GtkRevealer *sentences,
                                  GtkWidget   *caption);
void       app_narrow_free       (AppNarrow   *self);
/* The window is being laid out: what follows from it comes with the next layout. */
void       app_narrow_set_height (AppNarrow   *self,
                                  int          height);

G_END_DECLS
