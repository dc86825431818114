/* SPDX-License-Identifier: MIT */
/* What the task heads answer: candidates for masked words and for the next token, labels, entities
 * and answers with their probabilities. Where several heads answer, a chooser shows one of them or
 * all. */
#pragma once

#include <gtk/gtk.h>

#include "engine/predict/predict.h"
#include "engine/predict/task-changes.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_PREDICTION_LIST (ui_prediction_list_get_type ())
G_DECLARE_FINAL_TYPE (UiPredictionList, ui_prediction_list, UI, PREDICTION_LIST, GtkWidget)

GtkWidget *ui_prediction_list_new (void);

/* predictions: array of EngPrediction; NULL takes the task's section away. */
void       ui_prediction_list_set       (UiPredictionList *self,
                                         EngTask           task,
                                         GArray           *predictions);
/* changes: array of EngTaskChange, nullable. Predictions of their tasks, those to come as well,
 * stay away until the next call: they are listed elsewhere. */
void       ui_prediction_list_leave_out (UiPredictionList *self,
                                         const GArray     *changes);
gboolean   ui_prediction_list_has_answers (UiPredictionList *self);
void       ui_prediction_list_set_theme (UiPredictionList *self,
                                         UiTheme           theme);

G_END_DECLS
