/* SPDX-License-Identifier: MIT */
/* The matrix view's scene: rows read, columns are read, each cell is one number. Painted by
 * matrix-paint.c and matrix-cells.c, in words by matrix-words.c. The difference of two traces is
 * the same drawing over other numbers: difference-scene.c fills it and says it in its own words. */
#pragma once

#include "ui/scene/base/scene-private.h"
#include "ui/scene/matrix/matrix-layout.h"

G_BEGIN_DECLS

typedef enum {
  UI_CELL_SHOWN,
  UI_CELL_BLANK,       /* under the threshold or no part of the kept mass */
  UI_CELL_MASKED,      /* the model hides it */
  UI_CELL_CUT,         /* edits cut it */
  UI_CELL_FIRST_ONLY,  /* difference: a token that the second side has not */
  UI_CELL_SECOND_ONLY
} UiCellState;
#define UI_N_CELL_STATES 6

typedef enum {
  UI_NOTE_BITS, /* entropy of a row that is a distribution */
  UI_NOTE_SUM,
  UI_NOTE_MOVED /* of a difference: half of the sum of its amounts, what went elsewhere */
} UiRowNote;

typedef struct {
  UiScene         scene;
  UiMatrixLayout  layout;
  char          **texts[2];     /* by UiAxis: [rows of the block] labels; NULL-terminated */
  char          **names[2];     /* the same with their numbers */
  GPtrArray      *briefs[2];    /* what is left of labels without room; NULL elements = all */
  /* [rows × columns that are shown], in places */
  float          *values;       /* in units of the measure; of a difference signed */
  guint8         *states;       /* UiCellState */
  float          *row_notes;    /* [rows] */
  UiRowNote       note;         /* what these are */
  double          note_unit;    /* by which they have decimals; 0 = the largest of them */
  float          *column_sums;  /* [columns] */
  float           largest_sum;  /* the largest amount of them: a bar of full height */
  gboolean        is_signed;
  const char     *unit;         /* what the scale of colours counts: "weight"; static */
} UiMatrixScene;

/* The first and last place of each axis that a rectangle touches. */
typedef struct {
  int rows[2];
  int columns[2];
} UiMatrixSpan;

/* Lays out and sums up what values and states say; a constructor calls it when scene, texts, labels
 * (taken over), values and states are there. */
void     ui_matrix_scene_finish      (UiMatrixScene       *self,
                                      UiMatrixLabel       *labels[2],
                                      const int            n_labels[2]);
void     ui_matrix_scene_clear       (UiMatrixScene       *self);
/* A matrix of weights or of differences; NULL for every other scene. */
const UiMatrixScene *ui_matrix_scene_cast (const UiScene *scene);

double   ui_matrix_scene_find_largest_note (const UiMatrixScene *self);
/* Before it is drawn: numbers of rows have the decimals that those up to unit need. */
void     ui_matrix_scene_set_note_unit (UiScene           *scene,
                                      double               unit);

/* What the class functions of both kinds have in common. */
gboolean ui_matrix_scene_hit         (const UiScene       *scene,
                                      double               x,
                                      double               y,
                                      UiItem              *item);
gboolean ui_matrix_scene_move        (const UiScene       *scene,
                                      UiMove               move,
                                      UiItem              *item);
/* Row -1 stands for the labels of the columns, column -1 for those of the rows. FALSE for what has
 * no place. */
gboolean ui_matrix_scene_find_places (const UiMatrixScene *self,
                                      const UiItem        *item,
                                      int                 *row,
                                      int                 *column);
gboolean ui_matrix_scene_get_rect    (const UiScene       *scene,
                                      const UiItem        *item,
                                      UiRect              *rect);

/* matrix-paint.c */
void     ui_matrix_paint             (const UiScene       *scene,
                                      UiSink              *sink,
                                      const UiRect        *clip);
void     ui_matrix_paint_overlay     (const UiScene       *scene,
                                      const UiItem        *hover,
                                      UiSink              *sink,
                                      const UiRect        *clip);

/* matrix-cells.c: colours, hatching and numbers of the cells. */
void     ui_matrix_paint_cells       (const UiMatrixScene *self,
                                      UiSink              *sink,
                                      const UiMatrixSpan  *span);
/* One cell with its number, as without pins. */
void     ui_matrix_paint_cell        (const UiMatrixScene *self,
                                      int                  row,
                                      int                  column,
                                      UiSink              *sink);
/* The bar of the scale of colours. */
void     ui_matrix_paint_colors      (const UiMatrixScene *self,
                                      UiSink              *sink);

/* matrix-words.c */
#define UI_MATRIX_COLUMN_SUM "column sum"
/* "reads ↓", "is read →" */
char    *ui_matrix_describe_axis     (const UiScene       *scene,
                                      UiAxis               axis);
/* Below the scale of colours: "weight, shown × 1.5". (transfer full) */
char    *ui_matrix_describe_scale    (const UiMatrixScene *self);
char    *ui_matrix_legend            (const UiScene       *scene);
char    *ui_matrix_explain           (const UiScene       *scene);
char    *ui_matrix_numbers           (const UiScene       *scene);
/* A tab and the number. */
void     ui_matrix_append_number     (double               value,
                                      GString             *text);
/* Of numbers below 1 in cells. */
int      ui_matrix_count_decimals    (const UiMatrixScene *self);
/* What stands in a cell: ".41", "1", "3.2"; signed "+.29"; ".004" on a small scale. (transfer
 * full) */
char    *ui_matrix_format_cell       (const UiMatrixScene *self,
                                      double               value);

float    ui_matrix_get_value         (const UiMatrixScene *self,
                                      int                  row,
                                      int                  column);
UiCellState ui_matrix_get_state      (const UiMatrixScene *self,
                                      int                  row,
                                      int                  column);

UiScene *ui_matrix_scene_new (const UiSceneParts *parts);

G_END_DECLS
