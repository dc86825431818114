/* SPDX-License-Identifier: MIT */
/* The head view's scene, in head-scene.c but for its painting: head-paint.c, with head-column.c and
 * head-bars.c. */
#pragma once

#include "ui/scene/base/scene-private.h"
#include "ui/scene/head/head-field.h"
#include "ui/scene/head/head-layout.h"

G_BEGIN_DECLS

/* A token as it is set: the ## of a piece that continues a word stands apart, dim. */
typedef struct {
  const char *prefix;    /* "##" or "" */
  char       *text;
  char       *brief;     /* where texts of the column have no room; NULL = the same */
  gboolean    special;   /* added by the template */
  gboolean    continues; /* the word of the token before it */
} UiHeadToken;

typedef struct {
  UiScene      scene;
  UiHeadLayout layout;
  UiHeadToken *tokens[2]; /* by UiSide */
  gboolean     is_brief[2]; /* by UiSide: all tokens are as brief as the one that has no room */
  guint8      *hidden[2]; /* by UiSide: 1 = a token that no token sees; NULL = none */
  guint8      *edited;    /* [heads of the block] 1 = the run was edited in it; NULL = in none */
  GBytes      *unchanged; /* links that hardly differ from the other side's, as
                           * ui_changes_mark_small() marks them; NULL = there is no other side */
} UiHeadScene;

/* Beside a pinned or hovered token's column: one lane for each head shown, then the mean. Wide
 * lanes hold a bar that lies and its number, narrow ones a bar that stands in its row; in a window
 * that has not the room for bars that can be read the mean stands alone. */
typedef struct {
  int      n;      /* lanes: all heads shown, or 0 = there is no room */
  double   x;      /* of the first lane */
  double   width;  /* of one lane */
  gboolean has_means;     /* there is a number beside each token */
  double   mean_x;        /* its right edge */
  double   mean_width;    /* of the column of numbers */
  gboolean takes_letters; /* it stands where the letters of sentences do otherwise */
  double   full;   /* value of a bar of full length */
  gboolean wide;
} UiHeadLanes;

/* For scenes that stand on the head view's columns of tokens: klass is theirs, clear is for their
 * finalize. */
void   ui_head_scene_init     (UiHeadScene          *self,
                               const UiSceneClass   *klass,
                               const UiSceneParts   *parts);
void   ui_head_scene_clear    (UiHeadScene          *self);
/* For those that give the columns another width afterwards: what of unknown words has room now. */
/* Of its widest token, in text of size 1. */
double ui_head_scene_measure_words (const UiHeadScene *self);
void   ui_head_scene_choose_texts (UiHeadScene      *self);

/* Before the scene is given to anybody else: takes a reference of the marks. FALSE for what draws no
 * links of heads. */
gboolean ui_head_scene_set_unchanged (UiScene      *scene,
                                      GBytes       *unchanged);
/* Borrowed; NULL = none were set. */
GBytes  *ui_head_scene_get_unchanged (const UiScene *scene);
/* The links of a head view without pins, for what draws them elsewhere; FALSE for other scenes. */
gboolean ui_head_scene_init_field (const UiScene *scene,
                                   UiHeadField   *field);
void   ui_head_field_init_for (UiHeadField       *field,
                               const UiHeadScene *self,
                               const UiPins      *pins);
/* The side that bars stand on for these pins: what the pinned tokens read, else who reads them. */
UiSide ui_head_get_bar_side   (const UiPins      *pins);
void   ui_head_lanes_init     (UiHeadLanes       *lanes,
                               const UiHeadScene *self,
                               const UiPins      *pins);
/* Whether the letters of a side give way to the numbers for these pins, of which there are some. */
gboolean ui_head_bars_take_letters (const UiHeadScene *self,
                                    const UiPins      *pins,
                                    UiSide             side);

/* One column of tokens with its plates, bars and letters; pinned ones framed, what they do not read
 * faint. */
void   ui_head_paint_column   (const UiHeadScene *self,
                               UiSide             side,
                               const UiPins      *pins,
                               UiSink            *sink,
                               const UiRect      *clip);
/* Everything but the ground. */
void   ui_head_paint          (const UiHeadScene *self,
                               const UiPins      *pins,
                               UiSink            *sink,
                               const UiRect      *clip);
/* The same without faint links. */
void   ui_head_paint_preview  (const UiHeadScene *self,
                               const UiPins      *pins,
                               UiSink            *sink,
                               const UiRect      *clip);
/* Over what ui_head_paint() painted. Without pins a token is shown as if it were pinned; with pins
 * these stay, and the links between them and the token stand out. */
void   ui_head_paint_hover    (const UiHeadScene *self,
                               const UiItem      *hover,
                               UiSink            *sink,
                               const UiRect      *clip);
/* The rectangle of a token's text and a little around it. */
UiRect ui_head_get_token_rect (const UiHeadScene *self,
                               UiSide             side,
                               int                token);

UiScene *ui_head_scene_new (const UiSceneParts *parts);

G_END_DECLS
