/* SPDX-License-Identifier: MIT */
/* One head of a map in words: its tile, its number, what it reads and how clearly. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/head-tiles.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_CARD (ui_head_card_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadCard, ui_head_card, UI, HEAD_CARD, GtkWidget)

GtkWidget  *ui_head_card_new          (void);
/* edit: what was done to it; nullable. is_drawn: in the colour of the head. holds_back: what it reads
 * is not said. */
void        ui_head_card_set          (UiHeadCard        *self,
                                       const UiHeadTiles *tiles,
                                       int                layer,
                                       int                head,
                                       gboolean           is_drawn,
                                       gboolean           holds_back,
                                       const char        *edit);
void        ui_head_card_set_theme    (UiHeadCard        *self,
                                       UiTheme            theme);
/* "Head 11 of layer 3, same word in the other sentence, 0.93"; valid until the next head. */
const char *ui_head_card_get_sentence (UiHeadCard        *self);

G_END_DECLS
