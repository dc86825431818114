/* SPDX-License-Identifier: MIT */
#include "engine/linalg.h"

#include "engine/isa.h"
#include "engine/linalg-kernels.h"
#include "engine/pool.h"

/* Tokens that are multiplied at a time: their panels fit in the second level cache. A multiple of every
 * kernel's widest panel. */
#define BLOCK_TOKENS 192
/* Outputs of a chunk are a multiple of every kernel's tile, at most so many that the weights stay in the
 * second level cache while the blocks of tokens pass, and few enough that every worker gets several. */
#define UNIT_OUTPUTS 24
#define MAX_OUTPUTS 96
#define CHUNKS_PER_WORKER 6
/* From here on, in floats, packing is worth waking the pool. */
#define SERIAL_PACKING (32 * 1024)
#define PACK_DEPTH 64

typedef struct {
  const EngLinalgKernels *kernels;
  const EngProduct       *products;
  const float            *x;         /* [n, in] */
  int                     n;
  int                     in;
  int                     n_outputs; /* of a chunk */
  EngActivation           activation;
  float                  *panels;    /* x packed, see engine/linalg-kernels.h */
  float                  *sums;      /* [workers, MAX_OUTPUTS, tokens of a block] */
} ProductCall;

static const EngLinalgKernels *
get_kernels (void)
{
  switch (eng_isa_get ())
    {
#if defined (__x86_64__)
    case ENG_ISA_AVX512:
      return &eng_linalg_kernels_avx512;
    case ENG_ISA_AVX2:
      return &eng_linalg_kernels_avx2;
#endif
    default:
      return &eng_linalg_kernels_portable;
    }
}

static gsize
round_up (gsize n,
          gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

static int
count_chunks (const ProductCall *call,
              const EngLinear   *linear)
{
  return (linear->out + call->n_outputs - 1) / call->n_outputs;
}

static int
choose_n_outputs (const EngProduct *products,
                  int               n_products)
{
  int wanted = CHUNKS_PER_WORKER * eng_pool_get_n_workers ();
  gsize total = 0;

  for (int i = 0; i < n_products; i++)
    total += products[i].linear->out;
  return (int) CLAMP (round_up (total / wanted, UNIT_OUTPUTS), UNIT_OUTPUTS, MAX_OUTPUTS);
}

static void
pack_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const ProductCall *call = data;
  int first_k = chunk * PACK_DEPTH;
  int last_k = MIN (first_k + PACK_DEPTH, call->in);

  for (int token = 0; token < call->n; token += BLOCK_TOKENS)
    call->kernels->pack_rows (call->x + (gsize) token * call->in, call->in,
                              MIN (BLOCK_TOKENS, call->n - token), call->in, first_k, last_k,
                              call->panels + (gsize) token * call->in);
}

/* y [n, n_outputs] of the outputs from first on, without the activation. */
static void
multiply_outputs (const ProductCall *call,
                       const EngLinear   *linear,
                       int                worker,
                       int                first,
                       int                n_outputs,
                       float             *y)
{
  float *sums = call->sums + (gsize) worker * MAX_OUTPUTS * BLOCK_TOKENS;
  const float *bias = linear->bias != NULL ? linear->bias + first : NULL;

  for (int token = 0; token < call->n; token += BLOCK_TOKENS)
    {
      int n = MIN (BLOCK_TOKENS, call->n - token);

      call->kernels->multiply_panels (linear->weight + (gsize) first * linear->in, linear->in,
                                      n_outputs, call->panels + (gsize) token * linear->in, n,
                                      linear->in, sums);
      call->kernels->unpack_sums (sums, n_outputs, n, bias, y + (gsize) token * linear->out,
                                  linear->out);
    }
}

static void
multiply_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const ProductCall *call = data;
  const EngProduct *product = call->products;

  for (; chunk >= count_chunks (call, product->linear); product++)
    chunk -= count_chunks (call, product->linear);

  const EngLinear *linear = product->linear;
  int first = chunk * call->n_outputs;
  int n_outputs = MIN (call->n_outputs, linear->out - first);
  float *y = product->y + first;

  multiply_outputs (call, linear, worker, first, n_outputs, y);
  for (int row = 0; row < call->n && call->activation != ENG_ACTIVATION_LINEAR; row++)
    eng_activate (call->activation, y + (gsize) row * linear->out, n_outputs);
}

gsize
eng_products_n_scratch (int n,
                        int in)
{
  return round_up (n, get_kernels ()->n_lanes) * in +
         (gsize) eng_pool_get_n_workers () * MAX_OUTPUTS * BLOCK_TOKENS;
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
  ProductCall call = {
    .kernels = get_kernels (),
    .products = products,
    .x = x,
    .n = n,
    .in = products[0].linear->in,
    .n_outputs = choose_n_outputs (products, n_products),
    .activation = activation,
    .sums = scratch,
    .panels = scratch + (gsize) eng_pool_get_n_workers () * MAX_OUTPUTS * BLOCK_TOKENS,
  };
  int n_packs = (call.in + PACK_DEPTH - 1) / PACK_DEPTH;
  int n_chunks = 0;

  if ((gsize) n * call.in > SERIAL_PACKING)
    eng_pool_run (n_packs, pack_chunk, &call, cancel);
  else
    for (int i = 0; i < n_packs; i++)
      pack_chunk (i, 0, &call);

  for (int i = 0; i < n_products; i++)
    n_chunks += count_chunks (&call, products[i].linear);
  eng_pool_run (n_chunks, multiply_chunk, &call, cancel);
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
  get_kernels ()->multiply (a, a_stride, b, b_stride, TRUE, m, n, k, c, c_stride);
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
  get_kernels ()->multiply (a, a_stride, b, b_stride, FALSE, m, n, k, c, c_stride);
}
