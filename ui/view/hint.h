/* SPDX-License-Identifier: MIT */
/* The sentence beside the pointer. Painted by the widget that it belongs to: a tooltip window
 * would come late, and a label would make the whole window lay itself out anew for every
 * sentence. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* Appends the hint below the target, or above it where there is no room, within room: beside the
 * target, as near as that is. Both in widget coordinates. The layout is made as narrow as it must
 * be. */
void ui_hint_snapshot (GtkSnapshot     *snapshot,
                       PangoLayout     *layout,
                       const UiPalette *palette,
                       const UiRect    *target,
                       const UiRect    *room);

/* A layout for a sentence, wrapped. (transfer full) */
PangoLayout *ui_hint_layout_new (GtkWidget  *widget,
                                 const char *sentence);

G_END_DECLS
