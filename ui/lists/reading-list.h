/* SPDX-License-Identifier: MIT */
/* A heading and the strongest few readings of a token below it, as bars stacked by head. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_READING_LIST (ui_reading_list_get_type ())
G_DECLARE_FINAL_TYPE (UiReadingList, ui_reading_list, UI, READING_LIST, GtkWidget)

/* heading: "reads"; begins the sentence of each row. */
GtkWidget *ui_reading_list_new (const char      *heading);

/* readings: array of UiReading of the weights, strongest first. tokens: those that the readings
 * name. full: the value of a whole bar. */
void       ui_reading_list_set (UiReadingList   *self,
                                GArray          *readings,
                                const UiWeights *weights,
                                const EngTokens *tokens,
                                double           full,
                                UiTheme          theme);

G_END_DECLS
