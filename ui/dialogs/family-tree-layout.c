/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/family-tree-layout.h"

#define STEM_ROOM 30   /* between the leaves at both sides of a stem, or before those of one side */
#define ROW_GAP 6
#define BRANCH_GAP 26  /* side by side */
#define STACK_GAP 18   /* below each other */
#define TRUNK_ROOM 18  /* of the line beside branches that stand below each other */
#define ROOT_GAP 34    /* below the root, where the branches part */
#define STACKED_ROOT_GAP 12
#define HEADING_GAP 8

static int
get_branch_width (const UiTreeSizes *sizes,
                  int                n_columns)
{
  return MAX (n_columns * sizes->leaf_width + STEM_ROOM, sizes->heading_width);
}

static int
get_row_width (const UiTreeSizes *sizes,
               int                n_columns)
{
  return ENG_N_BRANCHES * get_branch_width (sizes, n_columns)
         + (ENG_N_BRANCHES - 1) * BRANCH_GAP;
}

int
ui_tree_get_least_width (const UiTreeSizes *sizes)
{
  return MAX (TRUNK_ROOM + get_branch_width (sizes, 1), sizes->root_width);
}

int
ui_tree_get_full_width (const UiTreeSizes *sizes)
{
  return get_row_width (sizes, 2);
}

UiTreeShape
ui_tree_find_shape (const UiTreeSizes *sizes,
                    int                width)
{
  UiTreeShape shape = { .is_stacked = width < get_row_width (sizes, 1), .n_columns = 1 };

  if (shape.is_stacked ? width >= TRUNK_ROOM + get_branch_width (sizes, 2)
                       : width >= get_row_width (sizes, 2))
    shape.n_columns = 2;
  shape.branch_width = get_branch_width (sizes, shape.n_columns);
  return shape;
}

static int
get_n_rows (const UiTreeSizes *sizes,
            const UiTreeShape *shape,
            EngBranch          branch)
{
  return (sizes->n_leaves[branch] + shape->n_columns - 1) / shape->n_columns;
}

static int
get_branch_height (const UiTreeSizes *sizes,
                   const UiTreeShape *shape,
                   EngBranch          branch)
{
  return sizes->heading_height[branch] + HEADING_GAP
         + get_n_rows (sizes, shape, branch) * (sizes->leaf_height + ROW_GAP) - ROW_GAP;
}

static int
get_top (const UiTreeSizes *sizes,
         const UiTreeShape *shape,
         EngBranch          branch)
{
  int top = sizes->root_height + (shape->is_stacked ? STACKED_ROOT_GAP : ROOT_GAP);

  for (int i = 0; shape->is_stacked && i < (int) branch; i++)
    top += get_branch_height (sizes, shape, (EngBranch) i) + STACK_GAP;
  return top;
}

/* Those that stand side by side stand in the middle. */
static int
get_left (const UiTreeSizes *sizes,
          const UiTreeShape *shape,
          int                width,
          EngBranch          branch)
{
  if (shape->is_stacked)
    return TRUNK_ROOM;
  return (width - get_row_width (sizes, shape->n_columns)) / 2
         + (int) branch * (shape->branch_width + BRANCH_GAP);
}

int
ui_tree_get_height (const UiTreeSizes *sizes,
                    const UiTreeShape *shape)
{
  int height = 0;

  for (int i = 0; i < ENG_N_BRANCHES; i++)
    height = MAX (height, get_top (sizes, shape, (EngBranch) i)
                          + get_branch_height (sizes, shape, (EngBranch) i));
  return height;
}

UiTreePlace
ui_tree_place_root (const UiTreeSizes *sizes,
                    const UiTreeShape *shape,
                    int                width)
{
  return (UiTreePlace) {
    shape->is_stacked ? 0 : (width - sizes->root_width) / 2, 0, sizes->root_width,
    sizes->root_height
  };
}

UiTreePlace
ui_tree_place_heading (const UiTreeSizes *sizes,
                       const UiTreeShape *shape,
                       int                width,
                       EngBranch          branch)
{
  return (UiTreePlace) {
    get_left (sizes, shape, width, branch), get_top (sizes, shape, branch), shape->branch_width,
    sizes->heading_height[branch]
  };
}

double
ui_tree_get_stem (const UiTreeSizes *sizes,
                  const UiTreeShape *shape,
                  int                width,
                  EngBranch          branch)
{
  const int left = get_left (sizes, shape, width, branch);

  return left + (shape->n_columns == 2 ? shape->branch_width / 2 : STEM_ROOM / 3);
}

UiTreePlace
ui_tree_place_leaf (const UiTreeSizes *sizes,
                    const UiTreeShape *shape,
                    int                width,
                    EngBranch          branch,
                    int                index)
{
  const int row = index / shape->n_columns;
  const gboolean is_left = shape->n_columns == 2 && index % 2 == 0;
  const int stem = (int) ui_tree_get_stem (sizes, shape, width, branch);
  const int right = shape->n_columns == 2 ? stem + STEM_ROOM / 2
                                          : get_left (sizes, shape, width, branch) + STEM_ROOM;

  return (UiTreePlace) {
    is_left ? stem - STEM_ROOM / 2 - sizes->leaf_width : right,
    get_top (sizes, shape, branch) + sizes->heading_height[branch] + HEADING_GAP
    + row * (sizes->leaf_height + ROW_GAP),
    sizes->leaf_width, sizes->leaf_height
  };
}
