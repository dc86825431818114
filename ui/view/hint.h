/* SPDX-License-Identifier: MIT */
/* The sentence beside the pointer. Painted by the widget that it belongs to: a tooltip window
 * would come late, and a label would make the whole window lay itself out anew for every
 * sentence. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* Appends the hint below the target (widget coordinates) within width × height, where there is
 * room: to the right of it, or to the left if before. */
void ui_hint_snapshot (GtkSnapshot     *snapshot,
                       PangoLayout     *layout,
                       const UiPalette *palette,
                       const UiRect    *target,
                       gboolean         before,
                       double           width,
                       double           height);

/* A layout for a sentence, wrapped. (transfer full) */
PangoLayout *ui_hint_layout_new (GtkWidget  *widget,
                                 const char *sentence);

G_END_DECLS
