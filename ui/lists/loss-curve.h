/* SPDX-License-Identifier: MIT */
/* The curves of a training: the loss of what is learnt as a line, that of what was held out as a
 * line with dots, over steps; both are named, the ends of both axes stated. What the newest points
 * say, and whose curve is in grey, is the accessible description. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_LOSS_CURVE (ui_loss_curve_get_type ())
G_DECLARE_FINAL_TYPE (UiLossCurve, ui_loss_curve, UI, LOSS_CURVE, GtkWidget)

/* NaN = not there. */
typedef struct {
  double step;
  double loss;
  double held_out;
} UiLossPoint;

/* points are copied, in the order of their steps. */
void ui_loss_curve_set       (UiLossCurve       *self,
                              const UiLossPoint *points,
                              int                n_points);
/* (transfer full) The newest number of each line in words: "loss 3.21 · held out 3.40"; "" = none. */
char *ui_loss_curve_dup_newest (UiLossCurve      *self);
/* The loss of another training, in grey behind the others, with its name at the foot. points are
 * copied; name NULL = none. */
void ui_loss_curve_set_former (UiLossCurve      *self,
                              const UiLossPoint *points,
                              int                n_points,
                              const char        *name);
/* Its name; NULL = none. */
const char *ui_loss_curve_get_former (UiLossCurve *self);
/* Marks the step that is shown; NaN = none. */
void ui_loss_curve_set_shown (UiLossCurve       *self,
                              double             step);
void ui_loss_curve_set_theme (UiLossCurve       *self,
                              UiTheme            theme);

G_END_DECLS
