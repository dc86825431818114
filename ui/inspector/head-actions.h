/* SPDX-License-Identifier: MIT */
/* What to do next with a head of the model view: buttons of the window's actions. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/edit-words.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_ACTIONS (ui_head_actions_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadActions, ui_head_actions, UI, HEAD_ACTIONS, GtkWidget)

GtkWidget *ui_head_actions_new (void);

/* is_open: Return leads to the head view; is_collected: it is among the heads to be compared; zero:
 * whether one may ask what it adds, or give that back. */
void       ui_head_actions_set (UiHeadActions *self,
                                int            layer,
                                int            head,
                                gboolean       is_open,
                                gboolean       is_collected,
                                UiHeadZero     zero);

G_END_DECLS
