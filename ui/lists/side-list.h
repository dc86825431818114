/* SPDX-License-Identifier: MIT */
/* The numbers of both sides of a comparison for what is pointed at, and their difference: a line
 * for each of the largest changes. Invisible where there are not two sides. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_SIDE_LIST (ui_side_list_get_type ())
G_DECLARE_FINAL_TYPE (UiSideList, ui_side_list, UI, SIDE_LIST, GtkWidget)

GtkWidget *ui_side_list_new (void);

/* scene NULL = empty. */
void       ui_side_list_set (UiSideList   *self,
                             UiScene      *scene,
                             const UiItem *item,
                             UiTheme       theme);

G_END_DECLS
