/* SPDX-License-Identifier: MIT */
/* The files of the part: what is asked for when (beside.c), what is shown of it (fill.c). */
#pragma once

#include "app/parts/beside/beside.h"
#include "app/run/beside.h"
#include "ui/beside/context-list.h"
#include "ui/beside/layer-answers.h"
#include "ui/beside/layer-curve.h"

G_BEGIN_DECLS

struct _AppBesidePart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
  AppBeside  *beside;    /* NULL once the window is gone */
  char       *added;     /* a sentence whose answer is awaited; NULL = none */

  GtkWidget      *box;
  GtkWidget      *what_if;
  GtkLabel       *word;
  UiLayerCurve   *cosines;
  UiContextList  *contexts;
  UiLayerCurve   *curve;
  GtkLabel       *norms;
  GtkLabel       *other_title;
  UiLayerCurve   *other;
  GtkLabel       *answer;
  UiLayerAnswers *answers;
};

/* Shows what was found. */
void app_beside_part_fill (AppBesidePart *self);

G_END_DECLS
