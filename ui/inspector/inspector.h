/* SPDX-License-Identifier: MIT */
/* The panel beside a drawing. Nothing is chosen: the head that is drawn, what it reads and its
 * strongest links, or the heads, a row each. Else the numbers of one token. Chosen is what is pinned,
 * else the item that the reader is at. Head view: what the token reads and who reads it, as bars by head with
 * numbers, entropy, and the strongest link in words. Neuron view: the same for its one head,
 * above it the check of one cell (recomputed from the trace alone) and the dimensions that
 * decide it. Below: answers of the task heads. Scrolls by itself. Reads a scene, changes
 * nothing.
 *
 * A row of what is read, or who reads, is a link of its token; where one row stands for several
 * heads, that of the strongest, and where several tokens are pinned, the token alone. Signals, with
 * items of the scene that are borrowed and live during the emission:
 *   row-aimed (UiItem *item)      under pointer or keyboard cursor; of type UI_ITEM_NONE: none is
 *   row-clicked (UiItem *item, UiItem *token, gboolean extend)   and the token that the row names
 *   row-opened (UiItem *token)    Return
 * And of the row of a head of several, or of heads that changed most from side to side: head-chosen
 * (int layer, int head). Of a token or link of the head of a grid, in what is said of it:
 * head-clicked (UiItem *item, gboolean extend). */
#pragma once

#include <gtk/gtk.h>

#include "engine/predict/predict.h"
#include "engine/predict/task-changes.h"
#include "ui/scene/base/changed-heads.h"
#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_INSPECTOR (ui_inspector_get_type ())
G_DECLARE_FINAL_TYPE (UiInspector, ui_inspector, UI, INSPECTOR, GtkWidget)

GtkWidget *ui_inspector_new             (void);

/* scene NULL = empty. Forgets the item unless it exists in the new scene too. */
void       ui_inspector_set_scene       (UiInspector  *self,
                                         UiScene      *scene);
/* item NULL or of type UI_ITEM_NONE: nothing is pointed at. Cheap: drawn once a frame at most. */
void       ui_inspector_set_item        (UiInspector  *self,
                                         const UiItem *item);
/* While it waits nothing of it is laid out or drawn. */
void       ui_inspector_set_waits      (UiInspector  *self,
                                        gboolean      waits);
/* Says words in the place of all that it has; NULL = shows that. */
void       ui_inspector_hold_back      (UiInspector  *self,
                                        const char   *words);
/* The head that a grid's panel stays with, whatever is pointed at; NULL or of type UI_ITEM_NONE: it
 * follows the item. */
void       ui_inspector_set_selected   (UiInspector  *self,
                                        const UiItem *head);
/* Whether that panel shows the head's links in place of its map. */
void       ui_inspector_set_head_open  (UiInspector  *self,
                                        gboolean      is_open);
/* Array of EngPrediction (a reference is taken) for the task, best first; NULL takes the section
 * away. */
void       ui_inspector_set_predictions (UiInspector  *self,
                                         EngTask       task,
                                         GArray       *predictions);
/* What edits change in the predictions, above all else, as ui_change_list_set() takes it; what is
 * compared there is listed there alone, whichever is set first. */
void       ui_inspector_set_changes     (UiInspector  *self,
                                         GArray       *tasks,
                                         GArray       *tokens,
                                         EngTokens    *names,
                                         const char   *note);
/* Whether before is Other and after is This. */
void       ui_inspector_set_changes_of_sides (UiInspector *self,
                                         gboolean      of_sides);
/* Whether another side stands beside the picture's own: then it is said whose the predictions are. */
void       ui_inspector_set_has_second  (UiInspector  *self,
                                         gboolean      has_second);
/* The heads that changed most from side to side; NULL = not known, or not yet. A reference is
 * taken. */
void       ui_inspector_set_changed_heads (UiInspector *self,
                                         UiChangedHeads *heads);
/* The row under the pointer, and one that comes there, is not aimed at until the pointer moves. */
void       ui_inspector_let_go_of_pointer (UiInspector *self);
/* The item of the row at a point of the inspector, or with x < 0 of the keyboard's cursor; *at is
 * where the row is. FALSE = there is none. */
gboolean   ui_inspector_find_row       (UiInspector  *self,
                                        double        x,
                                        double        y,
                                        UiItem       *item,
                                        GdkRectangle *at);
/* Below what is drawn or chosen, before its lists; takes the widget over. */
void       ui_inspector_add_beside      (UiInspector  *self,
                                         GtkWidget    *widget);
/* Below the lists of what is chosen; takes the widget over. */
void       ui_inspector_add_steps       (UiInspector  *self,
                                         GtkWidget    *widget);
/* The same below all that it says. */
void       ui_inspector_add_foot        (UiInspector  *self,
                                         GtkWidget    *widget);
void       ui_inspector_set_theme       (UiInspector  *self,
                                         UiTheme       theme);

G_END_DECLS
