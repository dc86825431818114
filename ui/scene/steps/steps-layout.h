/* SPDX-License-Identifier: MIT */
/* Where everything of a drawing of steps stands: lists of rows, texts, runs of numbers and boxes of
 * the diagram, which are painted, hit and tested as they are. In scene units. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* At 100 % text. */
#define UI_STEPS_TITLE_SIZE  16.0
#define UI_STEPS_TOKEN_SIZE  UI_TOKEN_SIZE /* tokens, names of stages */
#define UI_STEPS_TEXT_SIZE   13.0 /* sentences */
#define UI_STEPS_LABEL_SIZE  12.0
#define UI_STEPS_NUMBER_SIZE 11.0
#define UI_STEPS_BADGE       11.0 /* radius of the number of a stage */
#define UI_STEPS_CARD_MARGIN 6.0 /* of the card of a step, around what stands in it */

typedef enum {
  UI_STEPS_LATER,    /* not reached yet: its name alone, dim */
  UI_STEPS_REACHED,
  UI_STEPS_CURRENT
} UiStepsState;

/* A line of the way: a step, or several of a part that is not the one which is looked at. */
typedef struct {
  int          first;    /* step */
  int          n;        /* steps */
  int          stage;    /* of the first */
  gboolean     has_all_rows; /* for all tokens at once */
  gboolean     is_part;  /* they stand for themselves as one line */
  gboolean     is_card;  /* one step in full */
  UiStepsState state;
  UiRect       rect;
  double       middle;   /* of the line with its name */
} UiStepsRow;

typedef enum {
  UI_STEPS_COLOR_TEXT, UI_STEPS_COLOR_DIM, UI_STEPS_COLOR_FAINT, UI_STEPS_COLOR_ACCENT,
  UI_STEPS_COLOR_GOOD, UI_STEPS_COLOR_WARNING
} UiStepsColor;

typedef struct {
  double        x;       /* what it means says align */
  double        y;       /* middle of the line */
  char         *text;
  double        size;
  double        room;    /* 0 = as wide as it is */
  UiAlign       align;
  UiStepsColor  color;
  gboolean      bold;
  int           token;   /* of the queries whose name it is; -1 = none */
} UiStepsText;

typedef enum {
  UI_STEPS_LOOK_STRIP,   /* colours side by side */
  UI_STEPS_LOOK_CELLS,   /* colours with their numbers */
  UI_STEPS_LOOK_BARS,    /* shares: a bar with its number */
  UI_STEPS_LOOK_PLAIN    /* numbers that are no amounts: ids */
} UiStepsLook;

/* Numbers of one matrix, from a place on, side by side on lines of the same length. */
typedef struct {
  int         numbers;   /* index in the way */
  int         row, column; /* of the first */
  int         d_row, d_column; /* to the next */
  int         n;
  double      full;      /* value of the full colour or length */
  UiStepsLook look;
  double      x, y;
  double      cell_width, cell_height;
  int         per_line;
  gboolean    is_own;    /* of a picture of all tokens the row of the way's own */
  gboolean    is_mini;   /* beside the name of a stage: too small to be met */
  gboolean    is_source; /* what the number that is explained comes from */
} UiStepsRun;

typedef struct {
  UiRect      rect;
  int         block;     /* index in the diagram */
  const char *name;      /* borrowed of the diagram */
  char       *shape;     /* "13 × 384"; NULL = none */
  gboolean    is_lit;    /* the stage is in it */
} UiStepsBox;

#define UI_STEPS_MOST_BENDS 6

/* From a block down to one of several that read it, in straight pieces. */
typedef struct {
  int      from, to;     /* blocks in the diagram */
  int      n;
  double   x[UI_STEPS_MOST_BENDS], y[UI_STEPS_MOST_BENDS];
  gboolean is_lit;       /* the stage is in the block that it leads to */
} UiStepsFork;

/* A pair of dimensions and how far it is turned. */
typedef struct {
  double x, y;           /* middle */
  double radius;
  double cosine, sine;
} UiStepsDial;

typedef struct {
  double  width, height;
  double  scale;         /* of text */
  double  way_x;         /* middle of the line that joins the stages, in the first column */
  double  left, room;    /* of what stands beside it */
  double  diagram_height;
  GArray *rows;          /* UiStepsRow */
  GArray *texts;         /* UiStepsText */
  GArray *runs;          /* UiStepsRun */
  GArray *boxes;         /* UiStepsBox */
  GArray *forks;         /* UiStepsFork; the one that is lit last */
  GArray *frames;        /* UiRect: around what explains a number */
  GArray *dials;         /* UiStepsDial */
} UiStepsLayout;

void   ui_steps_layout_init   (UiStepsLayout    *self);
void   ui_steps_layout_clear  (UiStepsLayout    *self);
UiRect ui_steps_run_get_cell  (const UiStepsRun *self,
                               int               index);
UiRect ui_steps_run_get_rect  (const UiStepsRun *self);
/* -1 where no number of it is there. */
int    ui_steps_run_find      (const UiStepsRun *self,
                               double            x,
                               double            y);
/* Which number of the run stands for a place of its matrix, -1 = none does. */
int    ui_steps_run_find_place (const UiStepsRun *self,
                                int               row,
                                int               column);
UiRect ui_steps_text_get_rect (const UiStepsText *self);

G_END_DECLS
