/* SPDX-License-Identifier: MIT */
/* The links that changed most between two sides: who reads whom, in This, in Other, and the change.
 * Rows as of every UiRowList. */
#pragma once

#include "ui/scene/base/scene.h"
#include "ui/scene/numbers/changes.h"
#include "ui/view/row-list.h"

G_BEGIN_DECLS

#define UI_TYPE_CHANGED_LINK_LIST (ui_changed_link_list_get_type ())
G_DECLARE_FINAL_TYPE (UiChangedLinkList, ui_changed_link_list, UI, CHANGED_LINK_LIST, UiRowList)

GtkWidget *ui_changed_link_list_new (void);

/* links: of UiLinkChange. first, second: the scenes of the sides, whose tokens they count. */
void       ui_changed_link_list_set (UiChangedLinkList *self,
                                     const GArray      *links,
                                     const UiScene     *first,
                                     const UiScene     *second,
                                     UiTheme            theme);
/* FALSE = there is no such row. */
gboolean   ui_changed_link_list_get_row (UiChangedLinkList *self,
                                         int                row,
                                         UiLinkChange      *link);

G_END_DECLS
