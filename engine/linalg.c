/* SPDX-License-Identifier: MIT */
#include "engine/linalg.h"

#include <cblas.h>
#include <string.h>

#include "engine/pool.h"

/* Outputs of a chunk: small enough that cancelling and stealing work, large enough for the product. */
#define CHUNK_OUTPUTS 192

typedef struct {
  const EngProduct *products;
  int               n_products;
  const float      *x;
  int               n;
  EngActivation     activation;
} ProductCall;

static int
count_chunks (const EngLinear *linear)
{
  return (linear->out + CHUNK_OUTPUTS - 1) / CHUNK_OUTPUTS;
}

static void
use_one_blas_thread (void)
{
  static gsize done = 0;

  if (g_once_init_enter (&done))
    {
      openblas_set_num_threads (1);
      g_once_init_leave (&done, 1);
    }
}

static void
run_chunk (int      chunk,
           int      worker,
           gpointer data)
{
  const ProductCall *call = data;
  const EngProduct *product = call->products;

  for (; chunk >= count_chunks (product->linear); product++)
    chunk -= count_chunks (product->linear);

  const EngLinear *linear = product->linear;
  int first = chunk * CHUNK_OUTPUTS;
  int n_outputs = MIN (CHUNK_OUTPUTS, linear->out - first);
  float *y = product->y + first;

  for (int row = 0; row < call->n; row++)
    if (linear->bias != NULL)
      memcpy (y + (gsize) row * linear->out, linear->bias + first, n_outputs * sizeof (float));

  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, call->n, n_outputs, linear->in,
               1, call->x, linear->in, linear->weight + (gsize) first * linear->in, linear->in,
               linear->bias != NULL ? 1 : 0, y, linear->out);

  for (int row = 0; row < call->n; row++)
    eng_activate (call->activation, y + (gsize) row * linear->out, n_outputs);
}

gsize
eng_products_n_scratch (int n,
                        int in)
{
  return 0;
}

void
eng_products (const EngProduct *products,
              int               n_products,
              const float      *x,
              int               n,
              EngActivation     activation,
              float            *scratch,
              const gint       *cancel)
{
  ProductCall call = { products, n_products, x, n, activation };
  int n_chunks = 0;

  use_one_blas_thread ();
  for (int i = 0; i < n_products; i++)
    n_chunks += count_chunks (products[i].linear);
  eng_pool_run (n_chunks, run_chunk, &call, cancel);
}

void
eng_multiply_transposed (const float *a,
                         gsize        a_stride,
                         const float *b,
                         gsize        b_stride,
                         int          m,
                         int          n,
                         int          k,
                         float       *c,
                         gsize        c_stride)
{
  use_one_blas_thread ();
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, (int) a_stride,
               b, (int) b_stride, 0, c, (int) c_stride);
}

void
eng_multiply (const float *a,
              gsize        a_stride,
              const float *b,
              gsize        b_stride,
              int          m,
              int          n,
              int          k,
              float       *c,
              gsize        c_stride)
{
  use_one_blas_thread ();
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, (int) a_stride,
               b, (int) b_stride, 0, c, (int) c_stride);
}
