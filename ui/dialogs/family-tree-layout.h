/* SPDX-License-Identifier: MIT */
/* Where the parts of a family tree stand for a width: no widgets. Widths and heights in pixels. */
#pragma once

#include <glib.h>

#include "engine/families/family.h"

G_BEGIN_DECLS

typedef struct {
  int x, y, width, height;
} UiTreePlace;

/* What there is to be placed. */
typedef struct {
  int root_width, root_height;
  int heading_width;                 /* the narrowest that all headings have room in */
  int heading_height[ENG_N_BRANCHES]; /* in what is as wide as a branch */
  int leaf_width, leaf_height;       /* of all leaves alike */
  int n_leaves[ENG_N_BRANCHES];
} UiTreeSizes;

/* How branches of a width stand. */
typedef struct {
  gboolean is_stacked;    /* below each other, else side by side */
  int      n_columns;     /* of leaves along a stem: 2 = at both sides of it */
  int      branch_width;
} UiTreeShape;

UiTreeShape ui_tree_find_shape  (const UiTreeSizes *sizes,
                                 int                width);
/* The narrowest that anything has room in. */
int         ui_tree_get_least_width (const UiTreeSizes *sizes);
/* That all branches stand side by side with leaves at both sides. */
int         ui_tree_get_full_width  (const UiTreeSizes *sizes);
int         ui_tree_get_height  (const UiTreeSizes *sizes,
                                 const UiTreeShape *shape);
UiTreePlace ui_tree_place_root  (const UiTreeSizes *sizes,
                                 const UiTreeShape *shape,
                                 int                width);
UiTreePlace ui_tree_place_heading (const UiTreeSizes *sizes,
                                 const UiTreeShape *shape,
                                 int                width,
                                 EngBranch          branch);
UiTreePlace ui_tree_place_leaf  (const UiTreeSizes *sizes,
                                 const UiTreeShape *shape,
                                 int                width,
                                 EngBranch          branch,
                                 int                index);
/* The middle of a branch's stem. */
double      ui_tree_get_stem    (const UiTreeSizes *sizes,
                                 const UiTreeShape *shape,
                                 int                width,
                                 EngBranch          branch);

G_END_DECLS
