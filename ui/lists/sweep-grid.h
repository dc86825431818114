/* SPDX-License-Identifier: MIT */
/* One number for each head of each layer as a grid of coloured cells, layers below each other. The
 * scale is diverging around 0 where numbers have a sign, else it begins at 0; its ends are stated
 * below the grid. A head without a number yet is grey. Arrows move the keyboard's cursor, Return
 * and space click it; the sentence of the cell that is pointed at or under the cursor is the
 * tooltip and the accessible description.
 *
 * Signal: clicked (int layer, int head). */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_SWEEP_GRID (ui_sweep_grid_get_type ())
G_DECLARE_FINAL_TYPE (UiSweepGrid, ui_sweep_grid, UI, SWEEP_GRID, GtkWidget)

/* values: [n_layers, n_heads], NAN = none yet; copied. */
void       ui_sweep_grid_set          (UiSweepGrid  *self,
                                       int           n_layers,
                                       int           n_heads,
                                       const double *values,
                                       gboolean      is_signed);
/* The sentence of a head, (transfer full). */
void       ui_sweep_grid_set_describe (UiSweepGrid  *self,
                                       char       *(*describe) (int      layer,
                                                                int      head,
                                                                gpointer data),
                                       gpointer      data);
void       ui_sweep_grid_set_theme    (UiSweepGrid  *self,
                                       UiTheme       theme);
/* The value that is drawn in full; 0 while there is none. */
double     ui_sweep_grid_get_full     (UiSweepGrid  *self);

G_END_DECLS
