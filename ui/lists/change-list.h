/* SPDX-License-Identifier: MIT */
/* What the edits of the model change in what it predicts: for each place that something is
 * predicted for, the best classes before and after with the signed change of their probability,
 * their moves in rank and the divergence; where nothing is predicted, how far the last hidden state
 * of each token moved. Invisible while it has nothing to say. */
#pragma once

#include <gtk/gtk.h>

#include "engine/predict/task-changes.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_CHANGE_LIST (ui_change_list_get_type ())
G_DECLARE_FINAL_TYPE (UiChangeList, ui_change_list, UI, CHANGE_LIST, GtkWidget)

GtkWidget *ui_change_list_new       (void);

/* References are taken of tasks (EngTaskChange) and of tokens (EngTokenChange), which is shown
 * where tasks is empty; names: of the run with edits. note: a sentence in place of both. All
 * nullable; all NULL = nothing. */
void       ui_change_list_set       (UiChangeList *self,
                                     GArray       *tasks,
                                     GArray       *tokens,
                                     EngTokens    *names,
                                     const char   *note);
/* Whether before is Other and after is This, two sides that are compared; else runs before and after
 * edits. */
void       ui_change_list_set_of_sides (UiChangeList *self,
                                     gboolean      of_sides);
void       ui_change_list_set_theme (UiChangeList *self,
                                     UiTheme       theme);

G_END_DECLS
