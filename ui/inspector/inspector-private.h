/* SPDX-License-Identifier: MIT */
/* The parts of the inspector: what it says (inspector.c), what that is about (inspector-choice.c),
 * what its rows are for (inspector-rows.c), its widgets (inspector-build.c),
 * two sides (inspector-sides.c). */
#pragma once

#include "ui/inspector/inspector.h"
#include "ui/view/scene-facts.h"

G_BEGIN_DECLS

struct _UiInspector {
  GtkWidget  parent_instance;

  UiScene   *scene;
  UiScene   *part;         /* of it, that the item is of; borrowed from it */
  UiItem     item;
  UiItem     selected;     /* a head of a grid; of type UI_ITEM_NONE = none */
  UiTheme    theme;
  gboolean   has_second;   /* another side is compared with the picture's own */
  gboolean   changes_of_sides; /* what changes in the predictions is said of both sides */
  guint      tick;         /* update that waits for the next frame; 0 = none */

  GtkWidget *scroller;
  GtkWidget *content;      /* UiTallBox in it */
  GtkWidget *held_back;    /* what is said in the place of scroller */
  GtkWidget *head_panel;   /* UiHeadPanel, in place of all but the predictions */
  GtkWidget *overview;     /* UiHeadOverview, while no token is chosen; and below it */
  GtkWidget *strongest;    /* UiReadingList of the links of the one head */
  GtkWidget *empty;        /* what to do */
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *wrong;        /* said of a row that its queries and keys do not give */
  GtkWidget *check;        /* UiCheckBlock */
  GtkWidget *nothing;      /* said where both lists are empty */
  GtkWidget *reads;        /* UiReadingList */
  GtkWidget *is_read_by;   /* UiReadingList */
  GtkWidget *entropy_box;
  GtkWidget *entropy_heading;
  GtkWidget *entropy;
  GtkWidget *words_box;
  GtkWidget *words;
  GtkWidget *head_note;    /* UiHeadNote */
  GtkWidget *sides_panel;  /* UiSidesPanel */
  GtkWidget *sides;        /* UiSideList */
  GtkWidget *first_side;   /* whose the predictions are */
  GtkWidget *changes;      /* UiChangeList */
  GtkWidget *predictions;  /* UiPredictionList */

  const UiScene *links_of; /* whose strongest links were found; never looked into */
  UiTheme    links_theme;
  gboolean   has_links;

  UiItem     subject;      /* what it is about, in the head that is shown */

  int        query;        /* that what is read is read by; -1 = several, or none */
  int        key;          /* that what reads, reads */
  UiItem     aim;          /* of the row that is aimed at, as it was told last */
};

/* The tokens that the panel is about: on one side, or for self-attention on both. */
typedef struct {
  UiPins as_queries;  /* only queries */
  UiPins as_keys;     /* only keys */
  int    token;       /* the only one, else -1 */
  gboolean is_key;    /* token is one of the keys' side */
} UiInspectorChoice;

/* Makes the widgets; the column of them. */
GtkWidget *ui_inspector_build  (UiInspector        *self);
/* What is pinned, else what is pointed at. The arrays are borrowed from the document or from the
 * item. */
void ui_inspector_choose       (const UiSceneFacts *facts,
                                const UiItem       *item,
                                UiInspectorChoice  *choice);
/* What the panel is about: a head of a grid, tokens, or with choice NULL what is drawn. */
UiItem ui_inspector_find_subject (UiInspector             *self,
                                  const UiInspectorChoice *choice);
/* In a view that has vectors, of the cell that is chosen; in all, what of its rows is wrong. */
void ui_inspector_show_check   (UiInspector        *self,
                                const UiSceneFacts *facts);

/* While two sides are compared. Whose the predictions are, above these wherever they stand. */
void ui_inspector_show_first_side  (UiInspector     *self);
/* What differs, and what that changes in the predictions, before what is pointed at, which comes and
 * goes. */
void ui_inspector_show_sides_panel (UiInspector     *self);

/* Signals; signals of the lists. */
void ui_inspector_class_init_rows (UiInspectorClass  *klass);
void ui_inspector_init_rows       (UiInspector       *self);
/* The lists show what was chosen, or with NULL nothing. */
void ui_inspector_sync_rows       (UiInspector             *self,
                                   const UiInspectorChoice *choice);

G_END_DECLS
