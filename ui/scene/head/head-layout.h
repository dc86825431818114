/* SPDX-License-Identifier: MIT */
/* Where things stand in the head view. From left to right up to the middle, then mirrored:
 *
 *   lanes | letter of the sentence | bar | column of tokens that read | links | …
 *
 * Lanes are the space for one bar per head beside each token; a window keeps it free on both sides,
 * so that nothing moves when the pointer does, a file on the side that its pins need. Units: scene
 * units. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* Beside the words of a column, at 100 % text. */
#define UI_HEAD_PADDING 10.0

typedef enum { UI_SIDE_QUERIES, UI_SIDE_KEYS } UiSide;

/* Tokens that stand together on one plate: a run of one sentence. */
typedef struct {
  int sentence; /* 0 = A, 1 = B */
  int first;
  int last;
} UiHeadGroup;

typedef struct {
  int          n;
  double      *y;         /* [n] middle of each row */
  UiHeadGroup *groups;    /* [n_groups] */
  int          n_groups;
  UiRect       column;    /* the plates' column, all rows */
  UiRect       lanes;
} UiHeadColumn;

typedef struct {
  UiHeadColumn columns[2]; /* by UiSide */
  double       scale;      /* options.text_scale */
  double       width;
  double       height;
  double       header;     /* height of the band of column headings */
  double       row;        /* height of a token's row */
  double       text_size;
  gboolean     has_pair;   /* both sentences occur: bars are drawn */
  gboolean     has_letters; /* there is room for letters beside them */
} UiHeadLayout;

/* words: width of the widest token in text of size 1, for which links give way in a window. */
void   ui_head_layout_init      (UiHeadLayout         *self,
                                 const EngTokens      *queries,
                                 const EngTokens      *keys,
                                 double                words,
                                 const UiSceneOptions *options,
                                 const UiPins         *pins);
void   ui_head_layout_clear     (UiHeadLayout         *self);

/* The row at height y, -1 for none. */
int    ui_head_layout_find_row  (const UiHeadLayout   *self,
                                 UiSide                side,
                                 double                y);
/* The row nearest to y, which always exists. */
int    ui_head_layout_nearest   (const UiHeadLayout   *self,
                                 UiSide                side,
                                 double                y);
/* The rectangle of a group's plate. */
UiRect ui_head_layout_get_plate (const UiHeadLayout   *self,
                                 UiSide                side,
                                 const UiHeadGroup    *group);
/* The field of links. */
UiRect ui_head_layout_get_field (const UiHeadLayout   *self);

G_END_DECLS
