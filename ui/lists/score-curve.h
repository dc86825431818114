/* SPDX-License-Identifier: MIT */
/* How much each head follows a pattern while a training goes on: a thin line a head, in the head's
 * colour, over steps; the strongest is thicker and named. The point that the pointer or the keys
 * are at is said in words at the foot: Left and Right go along the steps, Up and Down from head to
 * head by their scores. The same words are the accessible description.
 *
 * Signal:
 *   step-chosen (double step): a click or Return on a step. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_SCORE_CURVE (ui_score_curve_get_type ())
G_DECLARE_FINAL_TYPE (UiScoreCurve, ui_score_curve, UI, SCORE_CURVE, GtkWidget)

/* Lines of heads: line = layer × n_heads + head. */
typedef struct {
  const char   *title;   /* what the scores are, "the word before"; borrowed until it returns */
  int           n_steps;
  const double *steps;   /* [n_steps], ascending */
  int           n_lines;
  int           n_heads; /* of a layer; 0 = the one line is no head's */
  const float  *scores;  /* [n_steps, n_lines] in [0, 1]; NaN = not there */
} UiScoreLines;

/* lines are copied. */
void  ui_score_curve_set        (UiScoreCurve       *self,
                                 const UiScoreLines *lines);
/* The best line of another training in grey, with its name; name NULL = none. */
void  ui_score_curve_set_former (UiScoreCurve       *self,
                                 int                 n_steps,
                                 const double       *steps,
                                 const float        *scores,
                                 const char         *name);
/* Marks the step that is shown; NaN = none. */
void  ui_score_curve_set_shown  (UiScoreCurve       *self,
                                 double              step);
void  ui_score_curve_set_theme  (UiScoreCurve       *self,
                                 UiTheme             theme);
/* (transfer full) What stands at the foot, and is read aloud. */
char *ui_score_curve_dup_words  (UiScoreCurve       *self);

G_END_DECLS
