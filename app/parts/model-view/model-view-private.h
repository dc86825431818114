/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/model-view/ alone. */
#pragma once

#include "app/parts/model-view/model-view.h"

G_BEGIN_DECLS

struct _AppModelViewPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget     *model_controls;
  GtkDropDown   *order_choice;
  GtkWidget     *collected_row;

  EngTrace       *facts_trace; /* whose facts of heads are computed; NULL = none */
  EngKind         facts_kind;
  EngKind         preparing_kind; /* of the job that computes them */
};

G_END_DECLS
