/* SPDX-License-Identifier: MIT */
/* Numbers of one token on its way through the layers, as lines from point to point: stripes tell
 * layers apart, and the ends of the scale are stated. The point that the pointer or the keys are at
 * is said in words at the foot: Left and Right go along the way, Up and Down from line to line. The
 * same words are the accessible description.
 *
 * Signal: "aimed" () when another line, or none, is pointed at. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_LAYER_CURVE (ui_layer_curve_get_type ())
G_DECLARE_FINAL_TYPE (UiLayerCurve, ui_layer_curve, UI, LAYER_CURVE, GtkWidget)

/* What a point of a line is. */
typedef enum {
  UI_POINT_THROUGH, /* the line goes through the number */
  UI_POINT_JUMP,    /* it comes in at before and goes on from the number */
  UI_POINT_ASIDE,   /* it goes on from before; the number stands aside, and is tied to it */
  UI_POINT_BRANCH,  /* the line passes by; the number is tied to the point before, as made of it */
  UI_POINT_APART    /* the number stands by itself */
} UiPointKind;

typedef struct {
  UiPointKind kind;
  int         layer;  /* that leads from the point before to it; odd ones have no stripe */
  double      value;
  double      before; /* of JUMP and ASIDE */
  const char *words;  /* what is said of it */
} UiLayerPoint;

typedef struct {
  const char         *title;   /* what is drawn, for who hears it */
  const char         *foot;    /* what is said while nothing is pointed at */
  int                 n_lines;
  int                 n_points;
  const UiLayerPoint *points;  /* [n_lines, n_points] */
  double              low;
  double              high;
} UiLayerLines;

/* Lines are copied; colours are those of heads, or of one line the accent. */
void ui_layer_curve_set       (UiLayerCurve       *self,
                               const UiLayerLines *lines,
                               UiTheme             theme);
/* The line that stands out; -1 = none, or the one that is pointed at. */
void ui_layer_curve_set_aim   (UiLayerCurve       *self,
                               int                 line);
/* Which is pointed at; -1 = none. */
int  ui_layer_curve_get_aim   (UiLayerCurve       *self);
UiColor ui_layer_curve_get_color (UiLayerCurve    *self,
                               int                 line);
/* (transfer full) What stands at the foot, and is read aloud. */
char *ui_layer_curve_dup_words (UiLayerCurve      *self);

G_END_DECLS
