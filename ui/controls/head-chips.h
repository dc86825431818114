/* SPDX-License-Identifier: MIT */
/* The strip of heads of one layer: a thumbnail of each head's attention in the head's colour,
 * its number and its pair share. Wraps at narrow widths. A click toggles a head (the last active
 * one stays on), a double click isolates it and brings the others back; arrows move the focus,
 * space toggles, Return isolates. A head that is off is grey; past sixteen heads a second ring
 * tells equal colours apart.
 *
 * Signal: changed (): a person chose other heads; read them with ui_head_chips_get_heads(). */
#pragma once

#include <gtk/gtk.h>

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_CHIPS (ui_head_chips_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadChips, ui_head_chips, UI, HEAD_CHIPS, GtkWidget)

GtkWidget       *ui_head_chips_new           (void);

/* The layer whose heads are shown; keeps a reference. attention NULL = an empty strip. Pair
 * shares are shown when the tokens that read or are read are of two sentences. */
void             ui_head_chips_set_attention (UiHeadChips     *self,
                                              EngAttention    *attention,
                                              const EngTokens *queries,
                                              const EngTokens *keys);
/* Whether pair shares are shown. */
gboolean         ui_head_chips_has_shares    (UiHeadChips     *self);
/* Does not emit changed. */
void             ui_head_chips_set_heads     (UiHeadChips     *self,
                                              const UiHeadSet *heads);
const UiHeadSet *ui_head_chips_get_heads     (UiHeadChips     *self);
void             ui_head_chips_set_theme     (UiHeadChips     *self,
                                              UiTheme          theme);
/* Low, for a window that has little room. */
void             ui_head_chips_set_compact   (UiHeadChips     *self,
                                              gboolean         compact);

G_END_DECLS
