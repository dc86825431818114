/* SPDX-License-Identifier: MIT */
/* A heading and the strongest few readings of a token below it, as bars stacked by head. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_READING_LIST (ui_reading_list_get_type ())
G_DECLARE_FINAL_TYPE (UiReadingList, ui_reading_list, UI, READING_LIST, GtkWidget)

/* heading: "reads"; begins the sentence of each row. */
GtkWidget *ui_reading_list_new (const char      *heading);

/* readings: array of UiReading, strongest first. tokens: those that the readings name. full: the
 * weight of a whole bar. n_shown: heads that the mean is over, n_heads: heads of the layer. */
void       ui_reading_list_set (UiReadingList   *self,
                                GArray          *readings,
                                const EngTokens *tokens,
                                int              n_heads,
                                int              n_shown,
                                double           full,
                                UiTheme          theme);

G_END_DECLS
