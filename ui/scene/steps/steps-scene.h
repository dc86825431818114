/* SPDX-License-Identifier: MIT */
/* The steps view's scene: one token's way through the model, stage after stage, for the files
 * steps-*.c. What it draws is laid out as lists (steps-layout.h); all of its numbers are the way's
 * (engine/steps/way.h), which it shares with the scenes of other steps. */
#pragma once

#include "engine/steps/diagram.h"
#include "engine/steps/way.h"
#include "ui/scene/base/scene-private.h"
#include "ui/scene/steps/steps-layout.h"

G_BEGIN_DECLS

/* A number of the way by its index there. */
typedef struct {
  int numbers;  /* -1 = none */
  int row;
  int column;
} UiStepsPlace;

typedef struct {
  UiScene        scene;
  EngWay        *way;        /* the scene's; borrowed */
  EngDiagram    *diagram;    /* NULL of a trace file */
  int            place;      /* step of the document, of all that there are (steps-rows.c) */
  int            step;       /* stage that is reached; of a whole way the token's last one */
  gboolean       is_whole;   /* each stage in full */
  gboolean       has_all_rows; /* the step is for all tokens at once; not of a whole way */
  int            screen;     /* of n_screens, before people; else 0 of 1 */
  int            n_screens;
  UiStepsPlace   looked;     /* the number that the document names; none where it is not there */
  UiStepsLayout  layout;
} UiStepsScene;

/* steps-rows.c. Behind the stages of one token stand further steps: those of its attention once more,
 * for all tokens at once. How many steps there are in all. */
int          ui_steps_count          (const EngWay       *way);
/* The stage of a step; *has_all_rows (out, nullable): for all tokens. */
int          ui_steps_find_stage     (const EngWay       *way,
                                      int                 step,
                                      gboolean           *has_all_rows);

/* steps-scene.c. NULL for another view's scene. */
const UiStepsScene *ui_steps_scene_cast (const UiScene *scene);
UiStepsPlace ui_steps_find_number    (const EngWay       *way,
                                      const UiNumber     *number);
/* Whether these are weights as a trace file has them, which may be wrong. */
gboolean     ui_steps_is_given_weight (const UiStepsScene *self,
                                      int                 numbers);
/* The number that the card of a stage explains: the one that is looked at, else a weight of a trace
 * file that is wrong, else the strongest of what the stage hands on. */
UiStepsPlace ui_steps_find_explained (const UiStepsScene *self,
                                      int                 stage);
/* Whether the query cannot read there: the number is no number. */
gboolean     ui_steps_is_hidden      (double              value);
/* What an item of a number is called in the way; FALSE where it is not there. */
gboolean     ui_steps_find_place     (const UiStepsScene *self,
                                      const UiItem       *item,
                                      UiStepsPlace       *place);
UiItem       ui_steps_make_item      (const UiStepsScene *self,
                                      const UiStepsPlace *place);

UiScene     *ui_steps_scene_new      (const UiSceneParts *parts);

/* steps-builder.c: fills the layout, which is empty, and says which screen it is. */
void         ui_steps_lay_out        (UiStepsScene       *self);

/* steps-paint.c */
void         ui_steps_paint          (const UiScene      *scene,
                                      UiSink             *sink,
                                      const UiRect       *clip);
void         ui_steps_paint_overlay  (const UiScene      *scene,
                                      const UiItem       *hover,
                                      UiSink             *sink,
                                      const UiRect       *clip);

/* steps-items.c */
gboolean     ui_steps_has_item       (const UiScene      *scene,
                                      const UiItem       *item);
gboolean     ui_steps_hit            (const UiScene      *scene,
                                      double              x,
                                      double              y,
                                      UiItem             *item);
gboolean     ui_steps_move           (const UiScene      *scene,
                                      UiMove              move,
                                      UiItem             *item);
gboolean     ui_steps_get_rect       (const UiScene      *scene,
                                      const UiItem       *item,
                                      UiRect             *rect);
gboolean     ui_steps_get_spot       (const UiScene      *scene,
                                      int                 index,
                                      UiItem             *item);

/* steps-words.c; every char * is (transfer full). "Attention" */
const char  *ui_steps_name_part      (const UiStepsScene *self,
                                      EngWayPart          part);
/* What happens in a stage, a sentence of plain words. */
char        *ui_steps_explain_stage  (const UiStepsScene *self,
                                      int                 index);
/* Whether a step has what knobs change, or stands behind it. */
gboolean     ui_steps_is_tried       (const UiStepsScene *self,
                                      int                 index);
/* Whether numbers are parts of 1. */
gboolean     ui_steps_is_share       (const EngNumbers   *numbers);
/* "−0.043", "1.31", "12", "<.001" of a share, "−∞": of a cell, with so many decimals as a cell has
 * room for. */
char        *ui_steps_write_number   (const EngNumbers   *numbers,
                                      double              value);
/* The same with seven digits, for sentences and tables. */
char        *ui_steps_write_exact    (double              value);
/* "query of “cat”, dimension 3" */
char        *ui_steps_name_place     (const UiStepsScene *self,
                                      const UiStepsPlace *place);
/* The tokens that an axis of numbers counts; NULL where it counts none. */
const EngTokens *ui_steps_get_tokens (const UiStepsScene *self,
                                      const EngNumbers   *numbers,
                                      EngAxis             axis);
/* What a row or a column of numbers is: "“cat”", "head 3", "dimension 7". */
char        *ui_steps_name_row       (const UiStepsScene *self,
                                      const EngNumbers   *numbers,
                                      int                 row);
char        *ui_steps_name_column    (const UiStepsScene *self,
                                      const EngNumbers   *numbers,
                                      int                 column);
/* "✓ worked out again: 0.4123456, 2e-08 off"; of a weight of a trace file that differs
 * what both are (base/row-check.h); NULL where nothing is worked out. *agrees (out). */
char        *ui_steps_describe_check (const UiStepsScene *self,
                                      const UiStepsPlace *place,
                                      gboolean           *agrees);
char        *ui_steps_describe       (const UiScene      *scene,
                                      const UiItem       *item);
char        *ui_steps_legend         (const UiScene      *scene);
char        *ui_steps_explain        (const UiScene      *scene);
char        *ui_steps_headline       (const UiScene      *scene);
char        *ui_steps_summarise      (const UiScene      *scene);
char        *ui_steps_caption        (const UiScene      *scene);

/* steps-numbers.c */
/* Columns of numbers that stand in the order of their amounts stand in their own, which says nothing
 * of these, where the scene holds back. */
void         ui_steps_hide_order     (const UiStepsScene *self,
                                      int                *columns,
                                      int                 n);
/* The columns of the likeliest answers, the likeliest first unless that is hidden, into columns
 * [most]; returns how many there are. */
int          ui_steps_list_answers   (const UiStepsScene *self,
                                      int                 most,
                                      int                *columns);
/* The word or label of one of them; NULL = it has none. Borrowed. */
const char  *ui_steps_find_answer    (const UiStepsScene *self,
                                      int                 column);
char        *ui_steps_numbers        (const UiScene      *scene);

G_END_DECLS
