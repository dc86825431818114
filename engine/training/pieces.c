/* SPDX-License-Identifier: MIT */
#include "engine/training/pieces.h"

#include <string.h>

#include "engine/kernels/gradient.h"
#include "engine/kernels/nn.h"
#include "engine/kernels/pool.h"
#include "engine/kernels/product-gradients.h"

#define CHUNK_ROWS 16
/* Rows whose gradients of a norm's weights are summed together; a number of the data alone, so that
 * the sums are the same on any number of threads. */
#define SUMMED_ROWS 64
/* Columns of a table whose gradients one thread adds up. */
#define CHUNK_COLUMNS 32

typedef struct {
  const EngNormSpec *spec;
  const EngNorm     *norm;
  EngActivation      activation;
  const EngDropout  *dropout;
  const float       *a;
  const float       *b;
  const float       *dy;
  float             *first;  /* what is written */
  float             *second;
  float             *sums;   /* [blocks, 2, size] */
  int                n;
  int                size;
} RowsCall;

typedef struct {
  const EngStackWeights *weights;
  const EngGradients    *gradients;
  const gint32          *ids;
  const gint32          *type_ids;
  const gint32          *positions;
  const float           *dx;
  float                 *x;
  int                    n;
  int                    size;
  float                  scale;
} EmbedCall;

typedef struct {
  float        *logits;
  const gint32 *labels;
  int           n;
  int           n_classes;
  float         smoothing;
  float         factor;
  double       *losses;
} LossCall;

static int
count_chunks (int n,
              int rows)
{
  return (n + rows - 1) / rows;
}

/* The numbers of a chunk of rows: the first, and how many. */
static gsize
get_chunk (const RowsCall *call,
           int             chunk,
           gsize          *n)
{
  gsize first = (gsize) chunk * CHUNK_ROWS * call->size;

  *n = MIN ((gsize) CHUNK_ROWS * call->size, (gsize) call->n * call->size - first);

  return first;
}

static void
run_rows (const EngPieces *self,
          EngPoolFunc      func,
          RowsCall        *call)
{
  eng_pool_run (count_chunks (call->n, CHUNK_ROWS), func, call, self->cancel);
}

void
eng_pieces_lay_out (EngPieces *self,
                    int        n,
                    int        out,
                    int        in,
                    int        n_together,
                    EngArena  *arena)
{
  gsize n_forward = eng_product_outputs_n_scratch (out, in, n_together);
  gsize n_backward = eng_product_gradients_n_scratch (n, out, in);
  gsize n_gated = (gsize) eng_pool_get_n_workers () * (gsize) MAX (out, in);

  self->products = eng_arena_floats (arena, MAX (MAX (n_forward, n_backward), n_gated));
  self->sums = eng_arena_floats (arena, (gsize) count_chunks (n, SUMMED_ROWS) * 2 * MAX (out, in));
}

void
eng_piece_linear (const EngPieces *self,
                  const EngLinear *linear,
                  const float     *x,
                  int              n,
                  float           *y)
{
  EngProduct product = { linear, y };

  eng_piece_linears (self, &product, 1, x, n);
}

void
eng_piece_linears (const EngPieces  *self,
                   const EngProduct *products,
                   int               n_products,
                   const float      *x,
                   int               n)
{
  eng_product_outputs (products, n_products, x, n, self->products, self->cancel);
}

void
eng_piece_linear_backward (const EngPieces *self,
                           const EngLinear *linear,
                           const float     *x,
                           const float     *dy,
                           int              n,
                           gboolean         add,
                           float           *dx)
{
  float *dweight = eng_gradients_find (self->gradients, linear->weight);
  float *dbias = eng_gradients_find (self->gradients, linear->bias);

  eng_product_gradients (linear, x, dy, n, add, self->products, dweight, dbias, dx, self->cancel);
}

static void
norm_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const RowsCall *call = data;
  gsize size = (gsize) call->size;
  int last = MIN ((chunk + 1) * CHUNK_ROWS, call->n);

  for (int row = chunk * CHUNK_ROWS; row < last; row++)
    eng_norm (call->spec->kind, call->spec->eps, call->norm, call->a + row * size, NULL, call->size,
              call->first + row * size);
}

void
eng_piece_norm (const EngPieces   *self,
                const EngNormSpec *spec,
                const EngNorm     *norm,
                const float       *x,
                int                n,
                int                size,
                float             *y)
{
  RowsCall call = { .spec = spec, .norm = norm, .a = x, .first = y, .n = n, .size = size };

  run_rows (self, norm_chunk, &call);
}

static void
norm_backward_chunk (int      chunk,
                     int      worker,
                     gpointer data)
{
  const RowsCall *call = data;
  gsize size = (gsize) call->size;
  int last = MIN ((chunk + 1) * SUMMED_ROWS, call->n);
  float *dweight = call->sums + (gsize) chunk * 2 * size;
  float *dbias = dweight + size;

  memset (dweight, 0, 2 * size * sizeof (float));
  for (int row = chunk * SUMMED_ROWS; row < last; row++)
    eng_norm_gradient (call->spec->kind, call->spec->eps, call->norm, call->a + row * size,
                       call->dy + row * size, call->size, call->first + row * size, dweight,
                       call->norm->bias != NULL ? dbias : NULL);
}

void
eng_piece_norm_backward (const EngPieces   *self,
                         const EngNormSpec *spec,
                         const EngNorm     *norm,
                         const float       *x,
                         const float       *dy,
                         int                n,
                         int                size,
                         float             *dx)
{
  RowsCall call = { .spec = spec, .norm = norm, .a = x, .dy = dy, .first = dx, .sums = self->sums,
                    .n = n, .size = size };
  float *dweight = eng_gradients_find (self->gradients, norm->weight);
  float *dbias = eng_gradients_find (self->gradients, norm->bias);
  int n_blocks = count_chunks (n, SUMMED_ROWS);

  eng_pool_run (n_blocks, norm_backward_chunk, &call, self->cancel);
  for (int block = 0; block < n_blocks; block++) {
    const float *sums = self->sums + (gsize) block * 2 * (gsize) size;

    eng_add (dweight, sums, (gsize) size, dweight);
    if (dbias != NULL)
      eng_add (dbias, sums + size, (gsize) size, dbias);
  }
}

/* call: a = gate or NULL, b = x */
static void
activate_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const RowsCall *call = data;
  gsize n, first = get_chunk (call, chunk, &n);
  const float *from = (call->a != NULL ? call->a : call->b) + first;
  float *y = call->first + first;

  memcpy (y, from, n * sizeof (float));
  eng_activate (call->activation, y, n);
  if (call->a != NULL)
    eng_multiply_rows (y, call->b + first, n, y);
}

void
eng_piece_activate (const EngPieces *self,
                    EngActivation    activation,
                    const float     *gate,
                    const float     *x,
                    int              n,
                    int              size,
                    float           *y)
{
  RowsCall call = { .activation = activation, .a = gate, .b = x, .first = y, .n = n, .size = size };

  run_rows (self, activate_chunk, &call);
}

/* call: first = dx, second = dgate */
static void
activate_backward_chunk (int      chunk,
                         int      worker,
                         gpointer data)
{
  const RowsCall *call = data;
  gsize n, first = get_chunk (call, chunk, &n);
  const float *dy = call->dy + first, *x = call->b + first;
  float *dx = call->first + first;

  if (call->a == NULL) {
    eng_activation_gradient (call->activation, x, dy, n, dx);
    return;
  }

  const float *gate = call->a + first;
  float *dgate = call->second + first;

  /* dgate = activation' (gate) ⊙ dy ⊙ x; then dx = dy ⊙ activation (gate), by rows of it. */
  eng_activation_gradient (call->activation, gate, dy, n, dgate);
  eng_multiply_rows (dgate, x, n, dgate);
  for (gsize row = 0; row < n; row += (gsize) call->size) {
    float *active = call->sums + (gsize) worker * (gsize) call->size;

    memcpy (active, gate + row, (gsize) call->size * sizeof (float));
    eng_activate (call->activation, active, (gsize) call->size);
    eng_multiply_rows (dy + row, active, (gsize) call->size, dx + row);
  }
}

void
eng_piece_activate_backward (const EngPieces *self,
                             EngActivation    activation,
                             const float     *gate,
                             const float     *x,
                             const float     *dy,
                             int              n,
                             int              size,
                             float           *dgate,
                             float           *dx)
{
  RowsCall call = { .activation = activation, .a = gate, .b = x, .dy = dy, .first = dx,
                    .second = dgate, .sums = self->products, .n = n, .size = size };

  run_rows (self, activate_backward_chunk, &call);
}

static void
drop_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const RowsCall *call = data;
  gsize n, first = get_chunk (call, chunk, &n);

  eng_drop (call->dropout->key, first, (float) call->dropout->rate, call->a + first, n,
            call->first + first);
}

void
eng_piece_drop (const EngPieces  *self,
                const EngDropout *dropout,
                const float      *x,
                int               n,
                int               size,
                float            *y)
{
  RowsCall call = { .dropout = dropout, .a = x, .first = y, .n = n, .size = size };

  if (dropout->rate > 0)
    run_rows (self, drop_chunk, &call);
  else if (y != x)
    memcpy (y, x, (gsize) n * (gsize) size * sizeof (float));
}

static void
add_chunk (int      chunk,
           int      worker,
           gpointer data)
{
  const RowsCall *call = data;
  gsize n, first = get_chunk (call, chunk, &n);

  eng_add (call->a + first, call->b + first, n, call->first + first);
}

void
eng_piece_add (const EngPieces *self,
               const float     *a,
               const float     *b,
               int              n,
               int              size,
               float           *y)
{
  RowsCall call = { .a = a, .b = b, .first = y, .n = n, .size = size };

  run_rows (self, add_chunk, &call);
}

static void
embed_chunk (int      chunk,
             int      worker,
             gpointer data)
{
  const EmbedCall *call = data;
  const EngStackWeights *weights = call->weights;
  gsize size = (gsize) call->size;
  int last = MIN ((chunk + 1) * CHUNK_ROWS, call->n);

  for (int row = chunk * CHUNK_ROWS; row < last; row++) {
    int type = call->type_ids != NULL ? call->type_ids[row] : 0;
    float *x = call->x + row * size;

    memcpy (x, weights->word + call->ids[row] * size, size * sizeof (float));
    for (gsize i = 0; call->scale != 1 && i < size; i++)
      x[i] *= call->scale;
    if (weights->type != NULL)
      eng_add (x, weights->type + type * size, size, x);
    if (weights->position != NULL)
      eng_add (x, weights->position + call->positions[row] * size, size, x);
  }
}

void
eng_piece_embed (const EngPieces       *self,
                 const EngStackWeights *weights,
                 double                 scale,
                 const gint32          *ids,
                 const gint32          *type_ids,
                 const gint32          *positions,
                 int                    n,
                 int                    size,
                 float                 *x)
{
  EmbedCall call = { .weights = weights, .ids = ids, .type_ids = type_ids, .positions = positions,
                     .x = x, .n = n, .size = size, .scale = (float) scale };

  eng_pool_run (count_chunks (n, CHUNK_ROWS), embed_chunk, &call, self->cancel);
}

static void
add_columns (float       *table,
             int          row,
             gsize        size,
             const float *dx,
             gsize        first,
             gsize        n)
{
  if (table != NULL)
    eng_add (table + row * size + first, dx + first, n, table + row * size + first);
}

static void
add_scaled_columns (float       *table,
                    int          row,
                    gsize        size,
                    const float *dx,
                    float        scale,
                    gsize        first,
                    gsize        n)
{
  float *to = table != NULL ? table + row * size + first : NULL;

  for (gsize i = 0; to != NULL && i < n; i++)
    to[i] += scale * dx[first + i];
}

/* A thread has some columns of all rows: rows of a table that several tokens have are added up in
 * the order of the tokens. */
static void
embed_backward_chunk (int      chunk,
                      int      worker,
                      gpointer data)
{
  const EmbedCall *call = data;
  gsize size = (gsize) call->size;
  gsize first = (gsize) chunk * CHUNK_COLUMNS, n = MIN (CHUNK_COLUMNS, size - first);
  float *word = eng_gradients_find (call->gradients, call->weights->word);
  float *type = eng_gradients_find (call->gradients, call->weights->type);
  float *position = eng_gradients_find (call->gradients, call->weights->position);

  for (int row = 0; row < call->n; row++) {
    const float *dx = call->dx + row * size;

    if (call->scale == 1)
      add_columns (word, call->ids[row], size, dx, first, n);
    else
      add_scaled_columns (word, call->ids[row], size, dx, call->scale, first, n);
    add_columns (type, call->type_ids != NULL ? call->type_ids[row] : 0, size, dx, first, n);
    add_columns (position, call->positions[row], size, dx, first, n);
  }
}

void
eng_piece_embed_backward (const EngPieces       *self,
                          const EngStackWeights *weights,
                          double                 scale,
                          const gint32          *ids,
                          const gint32          *type_ids,
                          const gint32          *positions,
                          const float           *dx,
                          int                    n,
                          int                    size)
{
  EmbedCall call = { weights, self->gradients, ids, type_ids, positions, dx, NULL, n, size,
                     (float) scale };

  eng_pool_run (count_chunks (size, CHUNK_COLUMNS), embed_backward_chunk, &call, self->cancel);
}

static void
loss_chunk (int      row,
            int      worker,
            gpointer data)
{
  const LossCall *call = data;
  float *logits = call->logits + (gsize) row * (gsize) call->n_classes;

  call->losses[row] = 0;
  if (call->labels[row] == ENG_NO_LABEL)
    memset (logits, 0, (gsize) call->n_classes * sizeof (float));
  else
    call->losses[row] = eng_cross_entropy (logits, call->n_classes, call->labels[row],
                                           call->smoothing, call->factor);
}

double
eng_piece_cross_entropy (const EngPieces *self,
                         float           *logits,
                         const gint32    *labels,
                         int              n,
                         int              n_classes,
                         double           smoothing,
                         double           factor,
                         double          *losses)
{
  LossCall call = { logits, labels, n, n_classes, (float) smoothing, (float) factor, losses };
  double sum = 0;

  eng_pool_run (n, loss_chunk, &call, self->cancel);
  for (int row = 0; row < n; row++)
    sum += losses[row];

  return sum;
}
