/* SPDX-License-Identifier: MIT */
/* What the curves of a training share: numbers over steps, the ends of both axes stated, names at
 * the foot, a mark at the step that is shown. For widgets that draw them; a plot lives for one
 * snapshot. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_CURVE_LEAST_WIDTH 120
#define UI_CURVE_WIDTH 260
#define UI_CURVE_LEAST_HEIGHT 56
#define UI_CURVE_HEIGHT 72
#define UI_CURVE_LINE 1.5

/* Where the lines are drawn, and what its edges stand for. */
typedef struct {
  GtkWidget *widget;
  UiTheme    theme;
  double     last;      /* step at the right edge, over 0; the left one is 0 */
  double     low, high; /* numbers at the foot and the head */
  /* Set by ui_curve_plot_begin(). */
  double     left, top, width, height;
} UiCurvePlot;

/* A name at the foot. */
typedef struct {
  const char *text;
  UiColor     color;
} UiCurveName;

/* Finds the room for the lines, without drawing; low and high: their numbers as text. */
void     ui_curve_plot_begin       (UiCurvePlot       *self,
                                    const char        *low,
                                    const char        *high);
/* Numbers of the axis at the left, both rules, the step that is shown (NaN = none). */
void     ui_curve_plot_append_axes (const UiCurvePlot *self,
                                    GtkSnapshot       *snapshot,
                                    const char        *low,
                                    const char        *high,
                                    double             shown);
/* Below the lines: as many names as there is room for, and the last step at the right, where
 * says_last. */
void     ui_curve_plot_append_foot (const UiCurvePlot *self,
                                    GtkSnapshot       *snapshot,
                                    const UiCurveName *names,
                                    int                n_names,
                                    gboolean           says_last);
/* To draw the lines on, (transfer full). */
cairo_t *ui_curve_plot_append_cairo (const UiCurvePlot *self,
                                     GtkSnapshot      *snapshot);
double   ui_curve_plot_get_x       (const UiCurvePlot *self,
                                    double             step);
double   ui_curve_plot_get_y       (const UiCurvePlot *self,
                                    double             number);
/* A GtkWidgetClass.measure() of all curves. */
void     ui_curve_plot_measure     (GtkOrientation     orientation,
                                    int               *minimum,
                                    int               *natural);

G_END_DECLS
