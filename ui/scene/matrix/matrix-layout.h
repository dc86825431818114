/* SPDX-License-Identifier: MIT */
/* Where the parts of a matrix stand: cells in the middle with a gap between the sentences, labels
 * of rows to their left, labels of columns turned above them, a number for each row to their right,
 * bars of column sums below, the scale of colours beside or under all. Places count the rows and
 * columns that are shown, from 0; rows and columns of the block that are left out have none.
 * Units: scene units. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef enum { UI_AXIS_ROWS, UI_AXIS_COLUMNS } UiAxis;

/* Places of one sentence that stand together. */
typedef struct {
  int sentence; /* 0 = A, 1 = B */
  int first;
  int last;
} UiMatrixGroup;

/* A row or a column as it is set. */
typedef struct {
  int         row;      /* of the block: what items count */
  const char *text;     /* borrowed */
  const char *brief;    /* where texts of the axis have no room; NULL = the same; borrowed */
  const char *name;     /* text and number, beside a crosshair; borrowed */
  int         sentence;
  gboolean    special;
} UiMatrixLabel;

typedef struct {
  int            n;        /* places */
  UiMatrixLabel *labels;   /* [n]; taken over */
  double        *starts;   /* [n] left or upper edge of each cell */
  UiMatrixGroup *groups;   /* [n_groups] */
  int            n_groups;
  int           *places;   /* [rows of the block] place of each, -1 = left out */
  gboolean       is_brief; /* all labels are as brief as the one that has no room */
  double         text_width; /* of the widest label, at most what there is room for */
} UiMatrixAxisLayout;

/* How words beside the matrix are set. At 100 % text. */
#define UI_MATRIX_SMALL_TEXT 12.0
#define UI_MATRIX_SMALL_LINE 16.0
#define UI_MATRIX_LABEL_DISTANCE 11.0 /* of a label from the cells */

typedef struct {
  UiMatrixAxisLayout axes[2]; /* by UiAxis */
  double   scale;             /* options.text_scale, or less where all rows are in sight so */
  gboolean is_in_window;      /* it scrolls */
  double   headings;          /* least width of the column of labels */
  double   cell;              /* width and height of one */
  double   text_size;         /* of labels */
  double   angle;             /* of the labels of columns, degrees */
  int      step;              /* every step-th place has its label */
  gboolean has_pair;          /* both sentences occur: they have bars and colours */
  gboolean has_numbers;       /* cells are large enough to be read as numbers */
  double   header;            /* the cells begin below it */
  UiRect   cells;             /* from the first to the last one */
  UiRect   notes;             /* a number for each row */
  UiRect   sums;              /* of columns */
  UiRect   colors;            /* the scale's bar; its words stand below */
  double   width;
  double   height;
} UiMatrixLayout;

/* Takes the arrays of labels over. n_in_block: rows and columns of the block; headings: width of
 * the widest words that stand over or under the labels of rows; words: of those below the scale of
 * colours. */
void     ui_matrix_layout_init       (UiMatrixLayout       *self,
                                      UiMatrixLabel        *labels[2],
                                      const int             n_labels[2],
                                      const int             n_in_block[2],
                                      double                headings,
                                      double                words,
                                      const UiSceneOptions *options);
void     ui_matrix_layout_clear      (UiMatrixLayout       *self);

/* The place at a coordinate along an axis, -1 between and beside them. */
int      ui_matrix_layout_find_place (const UiMatrixLayout *self,
                                      UiAxis                axis,
                                      double                position);
/* First and last place that a stretch along an axis touches; FALSE for none. */
gboolean ui_matrix_layout_find_span  (const UiMatrixLayout *self,
                                      UiAxis                axis,
                                      double                start,
                                      double                end,
                                      int                  *first,
                                      int                  *last);
UiRect   ui_matrix_layout_get_cell   (const UiMatrixLayout *self,
                                      int                   row,
                                      int                   column);
/* The cells of one place. */
UiRect   ui_matrix_layout_get_line   (const UiMatrixLayout *self,
                                      UiAxis                axis,
                                      int                   place);
/* How labels of columns and of rows are set. */
UiTextStyle ui_matrix_layout_get_style (const UiMatrixLayout *self,
                                      UiAxis                axis,
                                      const UiMatrixLabel  *label);

G_END_DECLS
