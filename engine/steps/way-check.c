/* SPDX-License-Identifier: MIT */
/* Every number worked out again from its sources alone, in double precision with plain loops and
 * libm: on purpose this shares no code with the forward nor with what made the way. */
#include "engine/steps/way-private.h"

#include <math.h>

#include "engine/trace/check.h"

#define TOLERANCE 1e-5

typedef struct {
  const EngWay  *way;
  const EngNode *node;
  int            row;
  int            column;
  EngSource      sources[ENG_MAX_SOURCES];
  int            n;
} Cell;

static int
count (const Cell *self,
       int         source)
{
  return self->sources[source].n_rows * self->sources[source].n_columns;
}

/* Number i of a source, row by row. */
static double
get (const Cell *self,
     int         source,
     int         i)
{
  const EngSource *from = &self->sources[source];

  return eng_numbers_get (eng_way_get_numbers (self->way, from->numbers),
                          from->first_row + i / from->n_columns,
                          from->first_column + i % from->n_columns);
}

/* Σ over n_factors sources of equal size, the numbers of the same place multiplied. */
static double
add_products (const Cell *self,
              int         n_factors)
{
  double sum = 0;

  for (int i = 0; i < count (self, 0); i++) {
    double product = 1;

    for (int factor = 0; factor < n_factors; factor++)
      product *= get (self, factor, i);
    sum += product;
  }

  return sum;
}

/* A source of one number that may be absent. */
static double
get_or (const Cell *self,
        int         source,
        double      otherwise)
{
  return source < self->n ? get (self, source, 0) : otherwise;
}

static double
add_up (const Cell *self)
{
  double sum = 0;

  for (int source = 0; source < self->n; source++)
    sum += get (self, source, 0);

  return sum;
}

static double
norm (const Cell *self)
{
  double mean = 0, squares = 0;
  int n = count (self, 0);

  for (int i = 0; i < n && self->node->detail == ENG_NORM_LAYER; i++)
    mean += get (self, 0, i) / n;
  for (int i = 0; i < n; i++)
    squares += (get (self, 0, i) - mean) * (get (self, 0, i) - mean) / n;

  return (get (self, 0, self->node->offset + self->column) - mean)
         / sqrt (squares + self->node->eps) * get_or (self, 1, 1) + get_or (self, 2, 0);
}

static double
find_largest (const Cell *self)
{
  double largest = -INFINITY;

  for (int i = 0; i < count (self, 0); i++)
    largest = fmax (largest, get (self, 0, i));

  return largest;
}

static double
share_softmax (const Cell *self)
{
  double largest = find_largest (self), sum = 0;

  for (int i = 0; i < count (self, 0); i++)
    sum += exp (get (self, 0, i) - largest);

  return exp (get (self, 0, self->column) - largest) / sum;
}

/* As the models do, the angle is taken in float32. */
static double
get_angle (const Cell *self)
{
  return (double) ((float) get (self, 0, 0) * (float) get (self, 1, 0));
}

static double
turn (const Cell *self)
{
  int first, second, pair;

  if (!eng_way_get_pair (self->way, self->column, &first, &second, &pair))
    return get (self, 0, 0);

  return self->column == first ? get (self, 0, 0) * get (self, 2, 0) - get (self, 1, 0)
         * get (self, 3, 0)
                               : get (self, 1, 0) * get (self, 2, 0)
                                 + get (self, 0, 0) * get (self, 3, 0);
}

static double
gelu (double x)
{
  return x / 2 * erfc (-x / sqrt (2));
}

static double
activate (EngActivation activation,
          double        x)
{
  switch (activation) {
  case ENG_ACTIVATION_GELU:
    return gelu (x);
  case ENG_ACTIVATION_GELU_TANH:
    return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * x * x * x)));
  case ENG_ACTIVATION_QUICK_GELU:
    return x / (1 + exp (-1.702 * x));
  case ENG_ACTIVATION_RELU:
    return fmax (x, 0);
  case ENG_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  case ENG_ACTIVATION_TANH:
    return tanh (x);
  case ENG_ACTIVATION_GELU_10:
    return CLAMP (gelu (x), -10, 10);
  case ENG_ACTIVATION_MISH:
    return x * tanh (log1p (exp (x)));
  case ENG_ACTIVATION_RELU_SQUARED:
    return fmax (x, 0) * fmax (x, 0);
  case ENG_ACTIVATION_LINEAR:
  default:
    return x;
  }
}

/* Taps that lie beyond the text are in no source. */
static double
convolve (const Cell *self)
{
  const EngSource *read = &self->sources[0];
  int n_taps = self->way->n_taps, size = self->way->group_size;
  int center = eng_operand_get_row (&self->node->operands[0], self->row);
  double sum = get_or (self, 2, 0);

  for (int row = 0; row < read->n_rows; row++)
    for (int i = 0; i < size; i++) {
      int tap = read->first_row + row - center + n_taps / 2;

      sum += get (self, 0, row * size + i) * get (self, 1, i * n_taps + tap);
    }

  return sum;
}

static double
average (const Cell *self)
{
  const guint8 *padding = self->way->last_tokens->padding;
  double sum = 0;
  int n = 0;

  for (int i = 0; i < count (self, 0); i++)
    if (!padding[i]) {
      sum += get (self, 0, i);
      n++;
    }

  return sum / MAX (n, 1);
}

/* A row of weights behind the edits of the trace. */
static double
edit (const Cell *self)
{
  const EngWay *way = self->way;
  int n = count (self, 0);
  g_autofree double *weights = g_new (double, n);
  g_autofree int *readings = g_new (int, n);

  for (int key = 0; key < n; key++) {
    weights[key] = get (self, 0, key);
    readings[key] = (int) get (self, 1, key);
  }
  eng_check_edit_row (way->trace, way->kind, way->layer, way->head,
                      self->node->shown.first_row + self->row, readings, n, weights);

  return weights[self->column];
}

/* Σ of the products that stand in the first source, or of three factors; times an edit's factor. */
static double
read_values (const Cell *self)
{
  if (self->n < 3)
    return add_products (self, 1) * get_or (self, 1, 1);

  return add_products (self, 3) * get_or (self, 3, 1);
}

static double
multiply (const Cell *self)
{
  double product = 1;

  for (int source = 0; source < self->n; source++)
    product *= get (self, source, 0);

  return product;
}

static double
cap (const Cell *self)
{
  return self->node->factor * tanh (get (self, 0, 0) / self->node->factor);
}

/* What needs one number of each source. */
static double
compute_simple (const Cell *self)
{
  double factor = self->node->factor, x = self->n > 0 ? get (self, 0, 0) : 0;
  double y = get_or (self, 1, 0);

  switch (self->node->shown.formula) {
  case ENG_FORMULA_ROW:
    return x * get_or (self, 2, 1);
  case ENG_FORMULA_ADD_SCALED:
    return x + factor * y;
  case ENG_FORMULA_SCALE:
    return factor * x;
  case ENG_FORMULA_MASK:
    return y > 0 ? x : -INFINITY;
  case ENG_FORMULA_EXP:
    return x == -INFINITY ? 0 : exp (x - y);
  case ENG_FORMULA_SHARE:
    return y == 0 ? 0 : x / y;
  case ENG_FORMULA_COSINE:
    return factor * cos (get_angle (self));
  case ENG_FORMULA_SINE:
    return factor * sin (get_angle (self));
  case ENG_FORMULA_ACTIVATION:
    return activate ((EngActivation) self->node->detail, x);
  case ENG_FORMULA_HIDE:
    return y > 0 ? 0 : x;
  case ENG_FORMULA_SIGMOID:
    return 1 / (1 + exp (-x));
  case ENG_FORMULA_PICK:
  case ENG_FORMULA_COPY:
  case ENG_FORMULA_ZERO:
  default:
    return x;
  }
}

static double
compute (const Cell *self)
{
  switch (self->node->shown.formula) {
  case ENG_FORMULA_SUM:
    return add_up (self);
  case ENG_FORMULA_NORM:
    return norm (self);
  case ENG_FORMULA_LINEAR:
    return add_products (self, 2) + get_or (self, 2, 0);
  case ENG_FORMULA_PRODUCT:
  case ENG_FORMULA_WEIGHTED:
    return multiply (self);
  case ENG_FORMULA_DOT:
  case ENG_FORMULA_TOTAL:
    return add_products (self, self->n);
  case ENG_FORMULA_READ:
  case ENG_FORMULA_READ_HEAD:
    return read_values (self);
  case ENG_FORMULA_CAP:
    return cap (self);
  case ENG_FORMULA_DISTANCE:
    return self->node->factor * add_products (self, 2);
  case ENG_FORMULA_MAXIMUM:
    return find_largest (self);
  case ENG_FORMULA_EDITED:
    return edit (self);
  case ENG_FORMULA_TURN:
    return turn (self);
  case ENG_FORMULA_CONVOLVE:
    return convolve (self);
  case ENG_FORMULA_MEAN:
    return average (self);
  case ENG_FORMULA_SOFTMAX:
    return share_softmax (self);
  default:
    return compute_simple (self);
  }
}

static double
get_tolerance (const EngNumbers *shown,
               int               row)
{
  double largest = 1;

  for (int column = 0; column < shown->columns; column++) {
    double size = fabs (eng_numbers_get (shown, row, column));

    if (isfinite (size))
      largest = fmax (largest, size);
  }

  return TOLERANCE * largest;
}

/* A file may have its weights in half precision, and so had q and k. */
static double
get_file_tolerance (const EngWay  *self,
                    const EngNode *node,
                    int            row,
                    int            column)
{
  const EngNumbers *shown = &node->shown;
  EngCheck check;

  if (self->what_if || (shown->id != ENG_NUMBERS_WEIGHTS && shown->id != ENG_NUMBERS_EDITED)
      || eng_check_cell (self->trace, self->kind, self->layer, self->head, shown->first_row + row,
                         column, &check) == ENG_CHECK_IMPOSSIBLE)
    return 0;

  return check.tolerance;
}

/* Of what whole layers make, the number that a step before handed on is a copy; else there is a row
 * that a layer reads, or nothing. */
static gboolean
can_compute (const Cell *self)
{
  if (self->node->shown.formula == ENG_FORMULA_LAYERS)
    return self->n == 1 && count (self, 0) == 1;
  return self->n > 0 || self->node->shown.formula == ENG_FORMULA_ZERO;
}

gboolean
eng_way_check (const EngWay *self,
               int           numbers,
               int           row,
               int           column,
               EngWayCheck  *check)
{
  const EngNode *node = eng_way_get_node (self, numbers);
  Cell cell = { .way = self, .node = node, .row = row, .column = column };

  *check = (EngWayCheck) { .shown = eng_numbers_get (&node->shown, row, column) };
  cell.n = eng_way_get_sources (self, numbers, row, column, cell.sources);
  if (!can_compute (&cell))
    return FALSE;

  check->recomputed = compute (&cell);
  check->difference = check->shown == check->recomputed ? 0
    : fabs (check->shown - check->recomputed);
  check->tolerance = get_tolerance (&node->shown, row);
  /* Dear: a row worked out once more. */
  if (self->model == NULL && !(check->difference <= check->tolerance))
    check->tolerance = fmax (check->tolerance, get_file_tolerance (self, node, row, column));
  /* Written so that what is no number does not agree. */
  check->agrees = check->difference <= check->tolerance;

  return TRUE;
}
