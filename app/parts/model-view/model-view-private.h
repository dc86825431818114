/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/model-view/ alone. */
#pragma once

#include "app/parts/model-view/model-view.h"
#include "ui/controls/state-label.h"
#include "ui/inspector/inspector.h"

G_BEGIN_DECLS

struct _AppModelViewPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget     *model_controls;
  GtkDropDown   *order_choice;
  GtkWidget     *collected_place;
  GtkMenuButton *collected_button;
  UiStateLabel  *collected_label;
  GtkWidget     *collected_row;
  gboolean       has_letters;  /* the chips of the row say them */

  EngTrace       *facts_trace; /* whose facts of heads are computed; NULL = none */
  EngKind         facts_kind;
  EngKind         preparing_kind; /* of the job that computes them */

  UiItem          selected;    /* of type UI_ITEM_NONE = none */
  gint64          selected_at; /* by a click that chose another head; 0 = long ago */
  gboolean        is_open;     /* the inspector shows its links */
  gboolean        was_grid;    /* at the last sync, with this head alone in its document: */
  gboolean        had_cursor;  /* the keyboard has been in the grid */
  gboolean        showed_grid; /* the picture, at the last sync */
  int             marked_layer;
  int             marked_head; /* -1 = several */
};

/* select.c: which head of the grid a person reads about. */
void     app_model_view_select       (AppModelViewPart *self,
                                      const UiItem     *head);
/* The keyboard's cursor has moved: what is read about is there. */
void     app_model_view_follow_cursor (AppModelViewPart *self,
                                       const UiItem     *cursor);
/* FALSE = none was selected. */
gboolean app_model_view_deselect     (AppModelViewPart *self);
/* beside.c: the links of the head in the inspector, beside the grid. */
void     app_model_view_init_beside  (AppModelViewPart *self);
/* FALSE: there is no place for them, or they are there already. */
gboolean app_model_view_open_beside  (AppModelViewPart *self,
                                      const UiItem     *head);
/* FALSE = they are not shown. */
gboolean app_model_view_close_beside (AppModelViewPart *self);

/* Takes the document over. Nothing stands beside each other once nothing is collected. */
void     app_model_view_change_panels (AppModelViewPart *self,
                                       UiDocument       *document);
/* collected.c: the button at the end of the line above the picture, and the list behind it. */
void     app_model_view_init_collected (AppModelViewPart *self);
void     app_model_view_sync_collected (AppModelViewPart *self);

/* The head that was selected while its links stood beside the grid is the document's from now on. */
void     app_model_view_keep_selected (AppModelViewPart *self);
/* A head that becomes the document's one, while the grid is shown, is selected, too. */
void     app_model_view_follow_document (AppModelViewPart *self);

G_END_DECLS
