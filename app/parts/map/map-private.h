/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/map/ alone. */
#pragma once

#include "app/parts/map/map.h"
#include "ui/map/head-card.h"
#include "ui/map/head-list.h"
#include "ui/map/head-map.h"

G_BEGIN_DECLS

struct _AppMapPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget  *kind_box;
  GtkEditable *search;
  UiHeadMap  *map;
  UiHeadCard *card;
  UiHeadList *list;

  /* tiles.c */
  UiHeadTiles *tiles;      /* that are shown; NULL = none */
  UiHeadTiles *making;     /* that a job makes; NULL = none */
  AppJob      *job;
  gboolean     makes_all;  /* the job began when the trace was complete */
  gboolean     is_stuck;   /* memory does not hold some of the layers of what is shown */

  UiHeadGroup  groups[ENG_N_LABELS];
  int          n_groups;
  int          lit;        /* the pattern whose heads are lit; -1 = none */
  UiCell       pointed;    /* layer -1 = no head */
};

/* choose.c: what choosing in the map makes of a document. n_heads: of a layer. */
void     app_map_show_head   (UiDocument *document,
                              int         layer,
                              int         head);
void     app_map_add_head    (UiDocument *document,
                              int         layer,
                              int         head,
                              int         n_heads);
void     app_map_show_layer  (UiDocument *document,
                              int         layer);

/* tiles.c: sees to it that the tiles of the study's trace are made, at once where that takes less
 * than a frame; each time that there are new ones app_map_part_show_tiles() is called. */
void     app_map_part_make_tiles (AppMapPart *self);
void     app_map_part_stop_tiles (AppMapPart *self);

/* map.c */
void     app_map_part_show_tiles (AppMapPart *self);

G_END_DECLS
