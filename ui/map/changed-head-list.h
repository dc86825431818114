/* SPDX-License-Identifier: MIT */
/* The heads that changed most between two sides, with their thumbnails. Rows, which stand beside each
 * other, as of every UiRowList. */
#pragma once

#include "ui/scene/base/changed-heads.h"
#include "ui/view/row-list.h"

G_BEGIN_DECLS

#define UI_TYPE_CHANGED_HEAD_LIST (ui_changed_head_list_get_type ())
G_DECLARE_FINAL_TYPE (UiChangedHeadList, ui_changed_head_list, UI, CHANGED_HEAD_LIST, UiRowList)

GtkWidget *ui_changed_head_list_new     (void);

void       ui_changed_head_list_set     (UiChangedHeadList    *self,
                                         const UiChangedHeads *heads,
                                         UiTheme               theme);
/* FALSE = there is no such row. */
gboolean   ui_changed_head_list_get_row (UiChangedHeadList    *self,
                                         int                   row,
                                         UiHeadChange         *head);

G_END_DECLS
