/* SPDX-License-Identifier: MIT */
/* The parts of the sweep's window: the window and the work (sweep.c), what it says and lists
 * (sweep-table.c). */
#pragma once

#include "app/parts/sweep/sweep.h"
#include "app/run/ablation.h"

G_BEGIN_DECLS

typedef enum {
  COLUMN_HEAD, COLUMN_CHANGE, COLUMN_BEFORE, COLUMN_AFTER, COLUMN_DIFFERENCE, COLUMN_BEST, N_COLUMNS
} AppSweepColumn;

struct _AppSweepPart {
  AppPart     parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
  GtkWidget  *dialog; /* weak; NULL = not open */
};

typedef struct {
  AppSweepPart *part;
  GtkWidget   *dialog;
  AppAblation *ablation;  /* NULL before the first */
  AppJob      *job;       /* NULL = none runs */
  GArray      *tasks;     /* EngTask, in the order of the choice */
  GtkWidget   *type_choice;
  GtkWidget   *task_choice;
  GtkWidget   *color_choice;
  GtkWidget   *caption;
  GtkWidget   *grid;      /* UiSweepGrid */
  GtkWidget   *progress_row;
  GtkWidget   *progress;
  GtkWidget   *again;
  GtkWidget   *save;
  GListStore  *rows;      /* UiTableRow, by cell */
  GArray      *cells;     /* int, which the rows shall be of */
  guint        n_filled;  /* rows that are */
  guint        rows_source; /* that sees to the others; 0 = none */
  GtkColumnViewColumn *columns[N_COLUMNS];
} AppSweep;

/* "Masked words" */
const char *app_sweep_get_task_words (EngTask             task);
/* The sentence of a head; data is the AppSweep. */
char       *app_sweep_describe_head  (int                 layer,
                                      int                 head,
                                      gpointer            data);
/* Caption and grid as far as the work is. */
void        app_sweep_update_grid    (AppSweep           *self);
/* Rows come and go a few at a time. */
void        app_sweep_fill_table     (AppSweep           *self);
void        app_sweep_empty_table    (AppSweep           *self);
/* Signals of a column's factory, which knows its column as "column". */
void        app_sweep_setup_cell     (GtkListItemFactory *factory,
                                      GtkListItem        *item);
void        app_sweep_bind_cell      (AppSweep           *self,
                                      GtkListItem        *item,
                                      GtkListItemFactory *factory);

G_END_DECLS
