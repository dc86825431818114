/* SPDX-License-Identifier: MIT */
/* What is true of a view, whatever it draws: everything asks here, and nothing but a view's own
 * files and a choice of one view names it. How a view is drawn is its scene's (scene/base/). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  UI_VIEW_HEAD, UI_VIEW_NEURON, UI_VIEW_MODEL, UI_VIEW_MATRIX, UI_VIEW_STEPS, UI_N_VIEWS
} UiViewKind;

typedef struct {
  const char *title;         /* "Head view" */
  const char *noun;          /* in a file's name: "heads" */
  /* The first of the heads that were chosen, of one layer, as the model has it: nothing is put
   * together, left out or measured otherwise. */
  gboolean    has_one_head;
  /* Every head of every layer, each a cell: heads are pointed at, not tokens. */
  gboolean    has_all_heads;
  /* Room for one number where a row and a column meet: several heads are their mean. */
  gboolean    has_one_number;
  /* Queries, keys and scores are shown with the weights. */
  gboolean    has_vectors;
  gboolean    can_compare;   /* panels, two sides, their difference */
  gboolean    marks_changes; /* of two sides: what hardly differs is grey */
  gboolean    enlarges_text; /* what a zoom does; else it enlarges cells */
  gboolean    keeps_width;   /* of the window, where what a zoom has enlarged has room in it */
  /* A query is compared with all keys: one that is pinned stays, and a key is a cell of it. */
  gboolean    pins_cells;
  gboolean    has_steps;     /* Space goes on and Backspace goes back in it */
  double      least_width;   /* of a column in which it can be read, in scene units */
  const char *no_aggregate;  /* why heads or layers cannot be put together; NULL = they can */
  const char *no_selection;  /* why nothing can be left out; NULL = it can */
} UiView;

/* As the field "view" has them, NULL-terminated. */
extern const char *const ui_view_names[];

const UiView *ui_view_get (UiViewKind kind);

G_END_DECLS
