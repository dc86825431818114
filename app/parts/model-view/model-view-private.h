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
  GtkMenuButton *find_button;
  GtkWidget     *collected_row;

  EngTrace       *facts_trace; /* whose facts of heads are computed; NULL = none */
  EngKind         facts_kind;
  EngKind         preparing_kind; /* of the job that computes them */
  GtkSearchEntry *finder_entry; /* of patterns */
  GtkListBox     *finder_list;
};

/* Sees to it that the facts of the heads will be there; whether they are. */
gboolean app_model_view_part_ensure_facts  (AppModelViewPart *self,
                                            EngKind           kind);

/* finder.c: what the button opens. */
void     app_model_view_part_add_finder    (AppModelViewPart *self);
/* Where it is open: facts of heads have come. */
void     app_model_view_part_update_finder (AppModelViewPart *self);

G_END_DECLS
