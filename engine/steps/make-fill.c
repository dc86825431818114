/* SPDX-License-Identifier: MIT */
/* Numbers by their rule, in float and with the kernels that the model computes with. */
#include "engine/steps/make-private.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"

#define ALIGNMENT 64

typedef struct {
  EngWalk       *walk;
  const EngWay  *way;
  const EngNode *node;
  float         *data;
} Fill;

static const EngNumbers *
get_operand (const Fill *self,
             int         operand)
{
  return eng_way_get_numbers (self->way, self->node->operands[operand].numbers);
}

/* Row of an operand that a row is made of. */
static const float *
get_row (const Fill *self,
         int         operand,
         int         row)
{
  const EngNumbers *numbers = get_operand (self, operand);

  return numbers->data + (gsize) eng_operand_get_row (&self->node->operands[operand], row)
                         * numbers->stride;
}

static const float *
get_any_row (const Fill *self,
             int         operand,
             int         row)
{
  const EngNumbers *numbers = get_operand (self, operand);

  return numbers->data + (gsize) row * numbers->stride;
}

static float *
get_out (const Fill *self,
         int         row)
{
  return self->data + (gsize) row * (gsize) self->node->shown.columns;
}

/* A number of an operand that has one column for all or as many as the node. */
static float
get_cell (const Fill *self,
          int         operand,
          int         row,
          int         column)
{
  return operand < self->node->n_operands
         ? get_row (self, operand, row)[get_operand (self, operand)->columns == 1 ? 0 : column] : 0;
}

static double
multiply_rows (const float *a,
               const float *b,
               int          n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += (double) a[i] * (double) b[i];

  return sum;
}

static void
fill_table_rows (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++) {
    const float *from = get_any_row (self, 0, (int) *get_row (self, 1, row));
    float factor = self->node->n_operands > 2 ? *get_row (self, 2, row) : 1;

    for (int column = 0; column < self->node->shown.columns; column++)
      get_out (self, row)[column] = factor == 0 ? 0 : from[column] * factor;
  }
}

static void
fill_picks (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++)
    for (int column = 0; column < self->node->shown.columns; column++)
      get_out (self, row)[column] =
        get_any_row (self, 0, (int) get_row (self, 1, row)[column])[self->node->detail];
}

static void
fill_norms (const Fill *self)
{
  int size = get_operand (self, 0)->columns;
  g_autofree float *normed = g_new (float, size);
  EngNorm norm = {
    self->node->n_operands > 1 ? get_row (self, 1, 0) : NULL,
    self->node->n_operands > 2 ? get_row (self, 2, 0) : NULL,
  };

  for (int row = 0; row < self->node->shown.rows; row++) {
    eng_norm ((EngNormKind) self->node->detail, (float) self->node->eps, &norm,
              get_row (self, 0, row), NULL, size, normed);
    memcpy (get_out (self, row), normed + self->node->offset,
            (gsize) self->node->shown.columns * sizeof (float));
  }
}

static void
fill_linear (const Fill *self)
{
  const EngNumbers *weight = get_operand (self, 1);
  EngLinear linear = {
    weight->data, self->node->n_operands > 2 ? get_row (self, 2, 0) : NULL, weight->rows,
    weight->columns,
  };

  eng_walk_multiply (self->walk, &linear, get_row (self, 0, 0), self->node->shown.rows, self->data);
}

/* Operands 1 and 2 are queries and keys. */
static void
fill_dots (const Fill *self)
{
  int size = get_operand (self, 1)->columns;

  for (int row = 0; row < self->node->shown.rows; row++)
    for (int key = 0; key < self->node->shown.columns; key++)
      get_out (self, row)[key] = (float) multiply_rows (get_row (self, 1, row),
                                                        get_any_row (self, 2, key), size);
}

static void
fill_distances (const Fill *self)
{
  gboolean of_keys = self->node->shown.id == ENG_NUMBERS_POSITION_CONTENT;
  int size = get_operand (self, 0)->columns;

  for (int row = 0; row < self->node->shown.rows; row++)
    for (int key = 0; key < self->node->shown.columns; key++) {
      const float *vector = of_keys ? get_any_row (self, 0, key) : get_row (self, 0, row);
      const float *position = get_any_row (self, 1, (int) get_row (self, 2, row)[key]);

      get_out (self, row)[key] =
        (float) (self->node->factor * multiply_rows (vector, position, size));
    }
}

static void
fill_totals (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++)
    *get_out (self, row) = (float) multiply_rows (get_row (self, 0, row), get_row (self, 1, row),
                                                  get_operand (self, 0)->columns);
}

static void
fill_maxima (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++) {
    float largest = -INFINITY;

    for (int column = 0; column < get_operand (self, 0)->columns; column++)
      largest = MAX (largest, get_row (self, 0, row)[column]);
    *get_out (self, row) = largest;
  }
}

/* Weights, readings, values: [keys, d] of the own row. */
static void
fill_weighted (const Fill *self)
{
  for (int key = 0; key < self->node->shown.rows; key++)
    for (int column = 0; column < self->node->shown.columns; column++)
      get_out (self, key)[column] = get_row (self, 0, 0)[key] * get_row (self, 1, 0)[key]
                                    * get_any_row (self, 2, key)[column];
}

/* out [d] = Σ weights · readings · values, a column of values on, times factor. */
static void
read_values (const float      *weights,
             const float      *readings,
             const EngNumbers *values,
             int               column,
             int               size,
             float             factor,
             float            *out)
{
  for (int i = 0; i < size; i++) {
    double sum = 0;

    for (int key = 0; key < values->rows; key++)
      sum += (double) weights[key] * (double) readings[key]
        * eng_numbers_get (values, key, column + i);
    out[i] = (float) sum * factor;
  }
}

static void
fill_read (const Fill *self)
{
  float factor = self->node->n_operands > 4 ? *get_any_row (self, 4, self->node->detail) : 1;

  for (int row = 0; row < self->node->shown.rows; row++)
    read_values (get_row (self, 1, row), get_row (self, 2, row), get_operand (self, 3), 0,
                 self->node->shown.columns, factor, get_out (self, row));
}

static void
fill_read_heads (const Fill *self)
{
  const EngWay *way = self->way;
  int own = self->node->detail >= 0, size = way->head_size;

  for (int head = 0; head < way->n_heads; head++) {
    float factor = self->node->n_operands > own + 3 ? *get_any_row (self, own + 3, head) : 1;
    float *out = self->data + (gsize) head * (gsize) size;

    if (head == self->node->detail)
      memcpy (out, get_row (self, 0, 0), (gsize) size * sizeof (float));
    else
      read_values (get_any_row (self, own, head),
                   get_any_row (self, own + 1, get_operand (self, own + 1)->rows > 1 ? head : 0),
                   get_operand (self, own + 2), head / (way->n_heads / way->n_kv_heads) * size,
                   size, factor, out);
  }
}

/* Of weights and readings, as the forward has them: of all readings of a key together. */
static void
fill_edited (const Fill *self)
{
  const EngWay *way = self->way;
  EngInterventions edits = eng_trace_get_interventions (way->trace, way->kind);
  int n = self->node->shown.columns, first = self->node->shown.first_row;
  g_autofree guint8 *mask = g_new (guint8, n);

  for (int row = 0; row < self->node->shown.rows; row++) {
    const float *readings = get_row (self, 1, row);
    float *out = get_out (self, row);

    for (int key = 0; key < n; key++) {
      mask[key] = (guint8) readings[key];
      out[key] = get_row (self, 0, row)[key] * readings[key];
    }
    /* Its mask is counted from the block's first row. */
    edits.first_query = first + row;
    eng_interventions_edit_weights (&edits, way->layer, way->head, 0, 1, n, mask, out);
    for (int key = 0; key < n; key++)
      if (readings[key] > 1)
        out[key] /= readings[key];
  }
}

static void
fill_angles (const Fill *self)
{
  gboolean sine = self->node->shown.formula == ENG_FORMULA_SINE;

  for (int row = 0; row < self->node->shown.rows; row++)
    for (int pair = 0; pair < self->node->shown.columns; pair++) {
      float angle = *get_row (self, 0, row) * get_row (self, 1, 0)[pair];

      get_out (self, row)[pair] = (float) self->node->factor
                                  * (float) (sine ? sin ((double) angle) : cos ((double) angle));
    }
}

static void
fill_turned (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++) {
    const float *x = get_row (self, 0, row);
    float *out = get_out (self, row);

    for (int column = 0; column < self->node->shown.columns; column++) {
      int first, second, pair;

      out[column] = x[column];
      if (!eng_way_get_pair (self->way, column, &first, &second, &pair))
        continue;
      out[column] = column == first
                    ? x[first] * get_row (self, 1, row)[pair] - x[second]
                      * get_row (self, 2, row)[pair]
                    : x[second] * get_row (self, 1, row)[pair]
                      + x[first] * get_row (self, 2, row)[pair];
    }
  }
}

static void
fill_activated (const Fill *self)
{
  gsize n = (gsize) self->node->shown.columns;

  for (int row = 0; row < self->node->shown.rows; row++) {
    memcpy (get_out (self, row), get_row (self, 0, row), n * sizeof (float));
    eng_activate ((EngActivation) self->node->detail, get_out (self, row), n);
  }
}

static void
fill_convolved (const Fill *self)
{
  int n_taps = self->way->n_taps, size = self->way->group_size;
  int center = self->node->operands[0].first_row;

  for (int column = 0; column < self->node->shown.columns; column++) {
    const float *weight = get_any_row (self, 1, column);
    double sum = self->node->n_operands > 2 ? (double) get_row (self, 2, 0)[column] : 0;

    for (int tap = 0; tap < n_taps; tap++) {
      int row = center + tap - n_taps / 2;

      for (int i = 0; i < size && row >= 0 && row < get_operand (self, 0)->rows; i++)
        sum += (double) weight[i * n_taps + tap]
               * (double) get_any_row (self, 0, row)[column / size * size + i];
    }
    self->data[column] = (float) sum;
  }
}

static void
fill_mean (const Fill *self)
{
  const guint8 *padding = self->way->last_tokens->padding;
  int n = 0;

  for (int row = 0; row < get_operand (self, 0)->rows; row++) {
    if (padding[row])
      continue;
    n++;
    for (int column = 0; column < self->node->shown.columns; column++)
      self->data[column] += get_any_row (self, 0, row)[column];
  }
  for (int column = 0; column < self->node->shown.columns; column++)
    self->data[column] /= (float) MAX (n, 1);
}

static void
fill_softmax (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++) {
    memcpy (get_out (self, row), get_row (self, 0, row),
            (gsize) self->node->shown.columns * sizeof (float));
    eng_softmax (get_out (self, row), self->node->shown.columns, 1, NULL, NULL);
  }
}

/* One number of each operand. */
static float
compute_cell (const Fill *self,
              int         row,
              int         column)
{
  float factor = (float) self->node->factor;
  float x = 0, y = 0;

  /* What is copied may be a share of wider rows: their columns are others. */
  if (self->node->shown.formula != ENG_FORMULA_COPY) {
    x = get_cell (self, 0, row, column);
    y = get_cell (self, 1, row, column);
  }
  switch (self->node->shown.formula) {
  case ENG_FORMULA_SUM:
    for (int i = 1; i < self->node->n_operands; i++)
      x += get_cell (self, i, row, column);
    return x;
  case ENG_FORMULA_ADD_SCALED:
    return x + factor * y;
  case ENG_FORMULA_PRODUCT:
    return x * y;
  case ENG_FORMULA_SCALE:
    return factor * x;
  case ENG_FORMULA_CAP:
    return factor * tanhf (x / factor);
  case ENG_FORMULA_MASK:
    return y > 0 ? x : -INFINITY;
  case ENG_FORMULA_EXP:
    return x == -INFINITY ? 0 : expf (x - y);
  case ENG_FORMULA_SHARE:
    return y == 0 ? 0 : x / y;
  case ENG_FORMULA_HIDE:
    return y > 0 ? 0 : x;
  case ENG_FORMULA_ZERO:
    return column == self->node->detail ? 0 : x;
  case ENG_FORMULA_SIGMOID:
    return 1 / (1 + expf (-x));
  case ENG_FORMULA_COPY:
  default:
    return get_row (self, 0, row)[(self->node->offset + column) % get_operand (self, 0)->columns];
  }
}

static void
fill_cells (const Fill *self)
{
  for (int row = 0; row < self->node->shown.rows; row++)
    for (int column = 0; column < self->node->shown.columns; column++)
      get_out (self, row)[column] = compute_cell (self, row, column);
}

void
eng_walk_multiply (EngWalk         *self,
                   const EngLinear *linear,
                   const float     *x,
                   int              n,
                   float           *y)
{
  float *scratch = g_aligned_alloc (MAX (eng_products_n_scratch (n, linear->in), 1), sizeof (float),
                                    ALIGNMENT);
  EngProduct product = { linear, y };

  eng_products (&product, 1, x, n, ENG_ACTIVATION_LINEAR, scratch, self->request->cancel);
  g_aligned_free (scratch);
}

void
eng_walk_fill (EngWalk       *self,
               const EngNode *node,
               float         *data)
{
  static void (*const fills[]) (const Fill *fill) = {
    [ENG_FORMULA_ROW] = fill_table_rows,      [ENG_FORMULA_PICK] = fill_picks,
    [ENG_FORMULA_NORM] = fill_norms,          [ENG_FORMULA_LINEAR] = fill_linear,
    [ENG_FORMULA_DOT] = fill_dots,            [ENG_FORMULA_DISTANCE] = fill_distances,
    [ENG_FORMULA_TOTAL] = fill_totals,        [ENG_FORMULA_MAXIMUM] = fill_maxima,
    [ENG_FORMULA_WEIGHTED] = fill_weighted,   [ENG_FORMULA_READ] = fill_read,
    [ENG_FORMULA_READ_HEAD] = fill_read_heads, [ENG_FORMULA_EDITED] = fill_edited,
    [ENG_FORMULA_COSINE] = fill_angles,       [ENG_FORMULA_SINE] = fill_angles,
    [ENG_FORMULA_TURN] = fill_turned,         [ENG_FORMULA_ACTIVATION] = fill_activated,
    [ENG_FORMULA_CONVOLVE] = fill_convolved,  [ENG_FORMULA_MEAN] = fill_mean,
    [ENG_FORMULA_SOFTMAX] = fill_softmax,     [ENG_FORMULA_SIGMOID] = NULL,
  };
  Fill fill = { self, self->way, node, data };

  if (fills[node->shown.formula] != NULL)
    fills[node->shown.formula] (&fill);
  else
    fill_cells (&fill);
}
