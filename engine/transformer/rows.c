/* SPDX-License-Identifier: MIT */
#include "engine/transformer/rows.h"

#include "engine/kernels/nn.h"
#include "engine/kernels/pool.h"

/* Up to so many rows a norm is not worth waking the pool. */
#define SERIAL_ROWS 32
#define CHUNK_ROWS 16

typedef struct {
  const EngNormSpec *spec;
  const EngNorm     *norm;     /* NULL = only add */
  const float       *x;        /* [n, size] */
  const float       *residual; /* [n, size] or NULL */
  float             *y;        /* [n, size] */
  int                n;
  int                size;
} RowsCall;

typedef struct {
  float *rows; /* [n, size] */
  float  factor;
  int    n;
  int    size;
} ScaleCall;

typedef struct {
  const float *gate; /* [n, F] */
  float       *up;   /* [n, F] */
  int          n;
  int          size;
} GateCall;

static void
add_norm_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const RowsCall *call = data;
  gsize size = call->size;
  int last = MIN ((chunk + 1) * CHUNK_ROWS, call->n);

  for (int row = chunk * CHUNK_ROWS; row < last; row++) {
    const float *x = call->x + row * size;
    const float *residual = call->residual != NULL ? call->residual + row * size : NULL;
    float *y = call->y + row * size;

    if (call->norm != NULL)
      eng_norm (call->spec->kind, call->spec->eps, call->norm, x, residual, call->size, y);
    else
      eng_add (x, residual, size, y);
  }
}

static void
gate_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const GateCall *call = data;
  gsize first = (gsize) chunk * CHUNK_ROWS * call->size;
  gsize last = MIN (first + (gsize) CHUNK_ROWS * call->size, (gsize) call->n * call->size);

  for (gsize i = first; i < last; i++)
    call->up[i] *= call->gate[i];
}

static void
scale_chunk (int      chunk,
             int      worker,
             gpointer data)
{
  const ScaleCall *call = data;
  gsize first = (gsize) chunk * CHUNK_ROWS * call->size;
  gsize last = MIN (first + (gsize) CHUNK_ROWS * call->size, (gsize) call->n * call->size);

  for (gsize i = first; i < last; i++)
    call->rows[i] *= call->factor;
}

/* Calls func for chunks of CHUNK_ROWS of n rows. */
static void
run_chunks (int          n,
            EngPoolFunc  func,
            gpointer     call,
            const gint  *cancel)
{
  int n_chunks = (n + CHUNK_ROWS - 1) / CHUNK_ROWS;

  if (n > SERIAL_ROWS) {
    eng_pool_run (n_chunks, func, call, cancel);
    return;
  }
  for (int i = 0; i < n_chunks; i++)
    func (i, 0, call);
}

void
eng_rows_add_norm (const EngRows     *self,
                   const EngNormSpec *spec,
                   const EngNorm     *norm,
                   const float       *x,
                   const float       *residual,
                   float             *y)
{
  RowsCall call = { spec, norm, x, residual, y, self->n, self->size };

  run_chunks (self->n, add_norm_chunk, &call, self->cancel);
}

void
eng_rows_scale (const EngRows *self,
                float          factor,
                float         *rows)
{
  ScaleCall call = { rows, factor, self->n, self->size };

  run_chunks (self->n, scale_chunk, &call, self->cancel);
}

void
eng_rows_gate (const EngRows *self,
               const float   *gate,
               float         *up)
{
  GateCall call = { gate, up, self->n, self->size };

  run_chunks (self->n, gate_chunk, &call, self->cancel);
}
