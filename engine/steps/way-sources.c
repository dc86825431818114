/* SPDX-License-Identifier: MIT */
/* Where each number comes from, by the rule of its numbers. */
#include "engine/steps/way-private.h"

typedef struct {
  const EngWay  *way;
  const EngNode *node;
  int            row;
  int            column;
  EngSource     *sources;
  int            n;
} Search;

static const EngNumbers *
get_operand (const Search *self,
             int           operand)
{
  return eng_way_get_numbers (self->way, self->node->operands[operand].numbers);
}

static int
get_row (const Search *self,
         int           operand)
{
  return eng_operand_get_row (&self->node->operands[operand], self->row);
}

static void
add (Search *self,
     int     operand,
     int     first_row,
     int     n_rows,
     int     first_column,
     int     n_columns)
{
  self->sources[self->n++] = (EngSource) { self->node->operands[operand].numbers, first_row, n_rows,
                                           first_column, n_columns };
}

static void
add_cell (Search *self,
          int     operand,
          int     row,
          int     column)
{
  add (self, operand, row, 1, column, 1);
}

static void
add_row (Search *self,
         int     operand,
         int     row)
{
  add (self, operand, row, 1, 0, get_operand (self, operand)->columns);
}

static void
add_column (Search *self,
            int     operand,
            int     column)
{
  add (self, operand, 0, get_operand (self, operand)->rows, column, 1);
}

/* The cell of the same place in every operand. */
static void
add_cells (Search *self)
{
  for (int i = 0; i < self->node->n_operands; i++)
    add_cell (self, i, get_row (self, i), self->column);
}

/* Row of a table that a cell of another operand names. */
static int
get_named_row (const Search *self,
               int           operand,
               int           column)
{
  return (int) eng_numbers_get (get_operand (self, operand), get_row (self, operand), column);
}

static gboolean
is_own (const Search *self)
{
  return self->row == eng_way_get_own_row (self->way,
                                           (int) (self->node - eng_way_get_node (self->way, 0)));
}

static void
find_layers (Search *self)
{
  if (self->node->shown.id == ENG_NUMBERS_LAYER_STATES && self->row > 0)
    self->sources[self->n++] = (EngSource) {
      (int) (self->node - eng_way_get_node (self->way, 0)), self->row - 1, 1, 0,
      self->node->shown.columns
    };
  else if (self->node->n_operands > 0 && is_own (self))
    add_cell (self, 0, get_row (self, 0), self->column);
}

static void
find_table_row (Search *self)
{
  add_cell (self, 0, get_named_row (self, 1, 0), self->column);
  for (int i = 1; i < self->node->n_operands; i++)
    add_cell (self, i, get_row (self, i), 0);
}

static void
find_norm (Search *self)
{
  add_row (self, 0, get_row (self, 0));
  for (int i = 1; i < self->node->n_operands; i++)
    add_cell (self, i, 0, self->node->offset + self->column);
}

static void
find_linear (Search *self)
{
  add_row (self, 0, get_row (self, 0));
  add_row (self, 1, self->column);
  if (self->node->n_operands > 2)
    add_cell (self, 2, 0, self->column);
}

/* Operands: products of the own row, queries, keys. */
static void
find_dot (Search *self)
{
  if (is_own (self)) {
    add_row (self, 0, self->column);
    return;
  }
  add_row (self, 1, get_row (self, 1));
  add_row (self, 2, self->column);
}

/* Weights, readings, values. */
static void
find_weighted (Search *self)
{
  add_cell (self, 0, get_row (self, 0), self->row);
  add_cell (self, 1, get_row (self, 1), self->row);
  add_cell (self, 2, self->row, self->column);
}

/* Products of the own row, weights, readings, values, factors. */
static void
find_read (Search *self)
{
  if (is_own (self)) {
    add_column (self, 0, self->column);
  } else {
    add_row (self, 1, get_row (self, 1));
    add_row (self, 2, get_row (self, 2));
    add_column (self, 3, self->column);
  }
  if (self->node->n_operands > 4)
    add_cell (self, 4, self->node->detail, 0);
}

/* Queries or keys, their positions', rows of distances. */
static void
find_distance (Search *self)
{
  gboolean of_keys = self->node->shown.id == ENG_NUMBERS_POSITION_CONTENT;

  add_row (self, 0, of_keys ? self->column : get_row (self, 0));
  add_row (self, 1, get_named_row (self, 2, self->column));
  add_cell (self, 2, get_row (self, 2), self->column);
}

static void
find_turn (Search *self)
{
  int first, second, pair;

  if (!eng_way_get_pair (self->way, self->column, &first, &second, &pair)) {
    add_cell (self, 0, get_row (self, 0), self->column);
    return;
  }
  add_cell (self, 0, get_row (self, 0), first);
  add_cell (self, 0, get_row (self, 0), second);
  add_cell (self, 1, get_row (self, 1), pair);
  add_cell (self, 2, get_row (self, 2), pair);
}

/* The own head's row where there is one, weights, readings, values, factors. */
static void
find_read_head (Search *self)
{
  int size = self->way->head_size, head = self->column / size;
  int kv_head = head / (self->way->n_heads / self->way->n_kv_heads);
  gboolean has_own = self->node->detail >= 0;

  if (head == self->node->detail) {
    add_cell (self, 0, get_row (self, 0), self->column % size);
    return;
  }
  add_row (self, has_own, head);
  add_row (self, has_own + 1, get_operand (self, has_own + 1)->rows > 1 ? head : 0);
  add_column (self, has_own + 2, kv_head * size + self->column % size);
  if (self->node->n_operands > has_own + 3)
    add_cell (self, has_own + 3, head, 0);
}

static void
find_convolved (Search *self)
{
  const EngWay *way = self->way;
  int center = get_row (self, 0);
  int first = MAX (center - way->n_taps / 2, 0);
  int last = MIN (center + way->n_taps / 2, get_operand (self, 0)->rows - 1);

  add (self, 0, first, last - first + 1, self->column / way->group_size * way->group_size,
       way->group_size);
  add_row (self, 1, self->column);
  if (self->node->n_operands > 2)
    add_cell (self, 2, 0, self->column);
}

static void
find_copy (Search *self)
{
  add_cell (self, 0, get_row (self, 0),
            (self->node->offset + self->column) % get_operand (self, 0)->columns);
}

/* Every row that x is added up over has its column. */
static void
find_rest (Search *self)
{
  switch (self->node->shown.formula) {
  case ENG_FORMULA_TOTAL:
  case ENG_FORMULA_EDITED:
    add_row (self, 0, get_row (self, 0));
    add_row (self, 1, get_row (self, 1));
    break;
  case ENG_FORMULA_MAXIMUM:
  case ENG_FORMULA_SOFTMAX:
    add_row (self, 0, get_row (self, 0));
    break;
  case ENG_FORMULA_EXP:
  case ENG_FORMULA_SHARE:
  case ENG_FORMULA_HIDE:
    add_cell (self, 0, get_row (self, 0), self->column);
    add_cell (self, 1, get_row (self, 1), 0);
    break;
  case ENG_FORMULA_PICK:
    add_cell (self, 0, get_named_row (self, 1, self->column), self->node->detail);
    add_cell (self, 1, get_row (self, 1), self->column);
    break;
  case ENG_FORMULA_COSINE:
  case ENG_FORMULA_SINE:
    add_cell (self, 0, get_row (self, 0), 0);
    add_cell (self, 1, 0, self->column);
    break;
  case ENG_FORMULA_ZERO:
    if (self->column != self->node->detail)
      add_cell (self, 0, get_row (self, 0), self->column);
    break;
  case ENG_FORMULA_MEAN:
    add_column (self, 0, self->column);
    break;
  default:
    add_cells (self);
    break;
  }
}

int
eng_way_get_sources (const EngWay *self,
                     int           numbers,
                     int           row,
                     int           column,
                     EngSource    *sources)
{
  const EngNode *node = eng_way_get_node (self, numbers);
  Search search = { self, node, row, column, sources, 0 };
  void (*const finders[]) (Search *search) = {
    [ENG_FORMULA_LAYERS] = find_layers,       [ENG_FORMULA_ROW] = find_table_row,
    [ENG_FORMULA_NORM] = find_norm,           [ENG_FORMULA_LINEAR] = find_linear,
    [ENG_FORMULA_DOT] = find_dot,             [ENG_FORMULA_READ] = find_read,
    [ENG_FORMULA_WEIGHTED] = find_weighted,   [ENG_FORMULA_DISTANCE] = find_distance,
    [ENG_FORMULA_TURN] = find_turn,           [ENG_FORMULA_READ_HEAD] = find_read_head,
    [ENG_FORMULA_CONVOLVE] = find_convolved,  [ENG_FORMULA_COPY] = find_copy,
    [ENG_FORMULA_SIGMOID] = NULL,
  };

  if (node->shown.formula == ENG_FORMULA_GIVEN || (node->only_row >= 0 && node->only_row != row))
    return 0;
  if (finders[node->shown.formula] != NULL)
    finders[node->shown.formula] (&search);
  else
    find_rest (&search);

  return search.n;
}
