/* SPDX-License-Identifier: MIT */
/* "What heads read": the patterns that heads follow, each with the head that follows it best, or the
 * heads that were found. Main thread.
 *
 * Signals: "head-chosen" (int layer, int head), "pattern-chosen" (int pattern): that many share. */
#pragma once

#include <gtk/gtk.h>

#include "ui/map/head-groups.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_LIST (ui_head_list_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadList, ui_head_list, UI, HEAD_LIST, GtkWidget)

GtkWidget *ui_head_list_new        (void);
/* lit: the pattern whose heads are lit; -1 = none. drawn: a lone head that is drawn; layer -1 =
 * none. */
void       ui_head_list_set_groups (UiHeadList        *self,
                                    const UiHeadGroup *groups,
                                    int                n_groups,
                                    int                lit,
                                    const UiCell      *drawn);
/* Of UiFoundHead. tiles: what they were found in. */
void       ui_head_list_set_found  (UiHeadList        *self,
                                    const UiHeadTiles *tiles,
                                    const GArray      *found);
/* A sentence in the place of rows. */
void       ui_head_list_set_message (UiHeadList       *self,
                                     const char       *message);
void       ui_head_list_set_theme  (UiHeadList        *self,
                                    UiTheme            theme);
/* The first row is chosen; FALSE = there is none. */
gboolean   ui_head_list_choose_first (UiHeadList      *self);

G_END_DECLS
