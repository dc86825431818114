/* SPDX-License-Identifier: MIT */
/* What the second side of a comparison, Other, is: a line with its texts, a menu of its model,
 * layer, heads and edits, which says what of them differs, and a cross. What is not said of it is
 * as on the first side.
 *
 * Signal: changed (UiDocument *document): the document that was set with what a person chose,
 * borrowed during the emission. The bar shows it once it is set. shortened (gboolean is_long): as
 * of the entry that a text was put into. */
#pragma once

#include <gtk/gtk.h>

#include "engine/trace/trace.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_COMPARE_BAR (ui_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (UiCompareBar, ui_compare_bar, UI, COMPARE_BAR, GtkWidget)

/* Why nothing is typed where the second side is a trace file. */
#define UI_COMPARE_BAR_ONE_TEXT "A trace has one text: open a model to compare another"

/* first, second: the traces of the sides, whose texts are shown where they come from files; NULL =
 * awaited. n_layers: that the second side has, for the choice among them. */
void           ui_compare_bar_set_document     (UiCompareBar     *self,
                                                const UiDocument *document,
                                                EngTrace         *first,
                                                EngTrace         *second,
                                                int               n_layers);
/* Why there is no second side; NULL = there is, or it is awaited. */
void           ui_compare_bar_set_note         (UiCompareBar     *self,
                                                const char       *sentence);
void           ui_compare_bar_set_busy         (UiCompareBar     *self,
                                                gboolean          is_busy);
/* The button that names the model; its menu is the owner's. */
GtkMenuButton *ui_compare_bar_get_model_button (UiCompareBar     *self);

typedef enum { UI_COMPARE_BAR_TITLE, UI_COMPARE_BAR_GAP, UI_COMPARE_BAR_END } UiCompareBarColumn;

/* What has to be as wide as its like in the line above, for the texts to stand below each other. */
GtkWidget     *ui_compare_bar_get_column       (UiCompareBar       *self,
                                                UiCompareBarColumn  column);
/* Opens the menu at the model, or at layer and heads. */
void           ui_compare_bar_choose           (UiCompareBar     *self,
                                                gboolean          is_model);

G_END_DECLS
