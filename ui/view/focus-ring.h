/* SPDX-License-Identifier: MIT */
/* Where the keys are, in widgets that draw what they show: dashes in the colour of text on a line of
 * the ground, so that it is seen on any picture, and is taken for no frame, no pin and no head. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

/* As wide as this, within the bounds. */
#define UI_FOCUS_RING 3

void ui_focus_ring_append (GtkSnapshot           *snapshot,
                           UiTheme                theme,
                           const graphene_rect_t *bounds,
                           double                 radius);

G_END_DECLS
