/* SPDX-License-Identifier: MIT */
/* One head of the strip; for ui/controls/head-chips.c alone. A button that is drawn: thumbnail in a ring
 * of the head's colour, below it the number and the pair share.
 *
 * Signals: toggled () by a click or space, isolated () by Return, double-clicked () behind the
 * toggled () of its first click. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_CHIP (ui_head_chip_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadChip, ui_head_chip, UI, HEAD_CHIP, GtkWidget)

#define UI_NO_PAIR_SHARE (-1)

GtkWidget *ui_head_chip_new           (int           head);

int        ui_head_chip_get_head      (UiHeadChip   *self);
/* pair_share UI_NO_PAIR_SHARE = no sentence B. */
void       ui_head_chip_set_attention (UiHeadChip   *self,
                                       EngAttention *attention,
                                       double        pair_share);
/* alone: no other head of several is active. */
void       ui_head_chip_set_active    (UiHeadChip   *self,
                                       gboolean      active,
                                       gboolean      alone);
void       ui_head_chip_set_theme     (UiHeadChip   *self,
                                       UiTheme       theme);
/* A small picture beside the number, without the pair share. */
void       ui_head_chip_set_compact   (UiHeadChip   *self,
                                       gboolean      compact);
/* What its tooltip says. (transfer full) */
char      *ui_head_chip_describe      (UiHeadChip   *self);

G_END_DECLS
