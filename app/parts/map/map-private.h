/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/map/ alone. */
#pragma once

#include "app/parts/map/map.h"
#include "ui/map/head-card.h"
#include "ui/map/head-list.h"
#include "ui/map/head-map.h"

G_BEGIN_DECLS

/* The map of all heads, and the strip of one layer that stands in its place. */
enum { APP_MAP_ALL, APP_MAP_STRIP, APP_N_MAPS };

struct _AppMapPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget  *kind_box;
  GtkEditable *search;
  gboolean    is_opened_to_search; /* the map; it goes when the search ends */
  UiHeadMap  *maps[APP_N_MAPS];
  GtkLabel   *strip_layer;
  UiHeadCard *card;
  GtkLabel   *heading; /* of the list */
  UiHeadList *list;

  /* tiles.c */
  UiHeadTiles *tiles;      /* that are shown; NULL = none */
  UiHeadTiles *making;     /* that a job makes; NULL = none */
  AppJob      *job;
  gboolean     makes_all;  /* the job began when the trace was complete */
  gboolean     is_stuck;   /* memory does not hold some of the layers of what is shown */

  /* words.c */
  char        *word_text;  /* that was searched; NULL = none */
  UiHeadTiles *word_tiles; /* of the trace that it was searched in */
  GArray      *word_links; /* of EngFoundLink; NULL = the text is no two words, or not yet */
  AppJob      *word_job;

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

/* marks.c. Whether the head is one of those that the picture shows; in a picture of all of them one
 * that stands out. */
gboolean app_map_is_drawn   (const UiDocument *shown,
                             int               layer,
                             int               head,
                             int               n_heads);
/* The one head that is drawn; layer -1 = there are several. */
UiCell   app_map_part_find_drawn    (AppMapPart       *self,
                                     const UiDocument *shown);
/* What the first edit that acts on the head does; NULL = there is none. (transfer full) */
char    *app_map_part_describe_edit (AppMapPart       *self,
                                     int               layer,
                                     int               head);
/* (transfer full) UiHeadMarks, [n_layers, n_heads] */
guint8  *app_map_part_make_marks    (AppMapPart       *self,
                                     const UiDocument *shown);
/* found: of UiFoundHead. */
void     app_map_part_mark_others   (AppMapPart       *self,
                                     const GArray     *found,
                                     guint8           *marks);

/* tiles.c: sees to it that the tiles of the study's trace are made, at once where that takes less
 * than a frame; each time that there are new ones app_map_part_show_tiles() is called. */
void     app_map_part_make_tiles (AppMapPart *self);
void     app_map_part_stop_tiles (AppMapPart *self);

/* words.c: searches the trace of the tiles for heads that link two words, once for each text. What
 * comes later is told by app_map_part_show_found(). */
void     app_map_part_find_words   (AppMapPart *self,
                                    const char *text);
void     app_map_part_forget_words (AppMapPart *self);
/* (transfer full) of UiFoundHead; NULL where nothing was, or is yet, found. */
GArray  *app_map_part_list_words   (AppMapPart *self);
/* Whether the text asks for the heads that changed from side to side. */
gboolean app_map_part_asks_changed (const char *text);
/* (transfer full) of UiFoundHead: those of which a tenth of the attention or more went elsewhere; NULL
 * where nothing is compared. */
GArray  *app_map_part_list_changed (AppMapPart *self);
/* The link by which the head was found; nothing where it was not. */
void     app_map_part_pin_words    (AppMapPart *self,
                                    UiDocument *document,
                                    int         layer,
                                    int         head);

/* maps.c: both show the tiles, the marks and the cursor that they are given. */
void     app_map_part_begin_maps    (AppMapPart *self);
void     app_map_part_show_maps     (AppMapPart *self);
/* Layers of their tiles were made. */
void     app_map_part_update_maps   (AppMapPart *self);
void     app_map_part_set_theme_of_maps (AppMapPart *self,
                                         UiTheme     theme);
void     app_map_part_mark_maps     (AppMapPart       *self,
                                     const UiDocument *shown,
                                     const guint8     *marks);
void     app_map_part_describe_maps (AppMapPart *self,
                                     const char *sentence);
void     app_map_part_set_cursor    (AppMapPart *self,
                                     int         layer,
                                     int         head);
/* The one that is in sight. */
void     app_map_part_focus_maps    (AppMapPart *self);

/* map.c */
void     app_map_part_show_found (AppMapPart *self);
void     app_map_part_show_tiles (AppMapPart *self);
/* Of the head that is pointed at, else of what is drawn. */
void     app_map_part_show_card  (AppMapPart *self);
/* A copy of the study's document, to be changed; NULL = there is nothing to choose from. (transfer
 * full) */
UiDocument *app_map_part_begin_choice (AppMapPart *self);
void     app_map_part_step_layer (AppMapPart *self,
                                  int         step);
/* The search has the keys, and holds the text. */
void     app_map_part_search     (AppMapPart *self,
                                  const char *text);
void     app_map_part_focus_picture (AppMapPart *self);
void        app_map_part_leave         (AppMapPart  *self);

G_END_DECLS
