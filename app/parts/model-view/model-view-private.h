/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/model-view/ alone. */
#pragma once

#include "app/parts/model-view/model-view.h"
#include "ui/lists/inspector.h"

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

  UiItem          selected;    /* of type UI_ITEM_NONE = none */
  gboolean        was_grid;    /* at the last sync, with this head alone in its document: */
  int             marked_layer;
  int             marked_head; /* -1 = several */
};

/* select.c: which head of the grid a person reads about. */
void     app_model_view_select       (AppModelViewPart *self,
                                      const UiItem     *head);
/* FALSE = none was selected. */
gboolean app_model_view_deselect     (AppModelViewPart *self);
/* A head that becomes the document's one, while the grid is shown, is selected, too. */
void     app_model_view_sync_selected (AppModelViewPart *self);

G_END_DECLS
