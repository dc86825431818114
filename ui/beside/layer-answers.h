/* SPDX-License-Identifier: MIT */
/* What the word head says of a token's vector before the layers and behind each of them: a row each
 * with the likeliest word and its probability; of a deep model a row for layers that say the same.
 * Further candidates are in the tooltips. */
#pragma once

#include <gtk/gtk.h>

#include "engine/steps/stations.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_LAYER_ANSWERS (ui_layer_answers_get_type ())
G_DECLARE_FINAL_TYPE (UiLayerAnswers, ui_layer_answers, UI, LAYER_ANSWERS, GtkWidget)

/* answers: NULL = no rows. settled: the states from which on the last answer leads, whose rows are
 * in the accent. */
void ui_layer_answers_set (UiLayerAnswers        *self,
                           const EngLayerAnswers *answers,
                           int                    settled,
                           UiTheme                theme);

G_END_DECLS
