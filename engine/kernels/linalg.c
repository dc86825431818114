/* SPDX-License-Identifier: MIT */
#include "engine/kernels/linalg.h"

#include "engine/kernels/isa.h"
#include "engine/kernels/linalg-kernels.h"
#include "engine/kernels/pool.h"

/* Tokens that are multiplied at a time: their panels fit in the second level cache. A multiple of
 * every kernel's lanes, and of its widest panel so that none but the last is narrower. */
#define BLOCK_TOKENS 144
/* Outputs of a chunk are a multiple of every kernel's tile, at most so many that the weights stay
 * in the second level cache while the blocks of tokens pass, and few enough that every worker gets
 * several. */
#define UNIT_OUTPUTS 24
#define MAX_OUTPUTS 96
/* Of OpenBLAS, whose rounding depends on how many outputs are multiplied at a time: so many,
 * whatever the number of workers. */
#define OPENBLAS_OUTPUTS 48
#define CHUNKS_PER_WORKER 6
/* From here on, in floats, packing is worth waking the pool. */
#define SERIAL_PACKING (32 * 1024)
#define PACK_DEPTH 64
/* Floats of a cache line. */
#define LINE 16

/* The blocks of tokens are panels of their own: the block of token t begins at t · depth in all
 * panels. */
typedef struct {
  const EngLinalgKernels *kernels;
  const EngProduct       *products;
  const float            *x;         /* [n, in] */
  const float            *panels;    /* x packed */
  int                     n;
  int                     in;
  int                     n_outputs; /* of a chunk */
  EngActivation           activation;
  float                  *packed_x;  /* where x is packed to */
  float                  *packed_y;  /* where the only product goes as panels; NULL = into its y */
  float                  *sums;      /* [workers, MAX_OUTPUTS * BLOCK_TOKENS] */
} ProductCall;

static const EngLinalgKernels *
get_kernels (void)
{
  switch (eng_isa_get ()) {
#if defined (__x86_64__)
  case ENG_ISA_AVX512:
    return &eng_linalg_kernels_avx512;
  case ENG_ISA_AVX2:
    return &eng_linalg_kernels_avx2;
#endif
  default:
    return &eng_linalg_kernels_openblas;
  }
}

static gsize
round_up (gsize n,
          gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

static gsize
count_sums (void)
{
  return (gsize) eng_pool_get_n_workers () * MAX_OUTPUTS * BLOCK_TOKENS;
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

  if (get_kernels () == &eng_linalg_kernels_openblas)
    return OPENBLAS_OUTPUTS;

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
                              call->packed_x + (gsize) token * call->in);
}

/* Outputs [first, first + n_outputs) for the n tokens from token on. */
static void
multiply_block (const ProductCall *call,
                const EngProduct  *product,
                int                worker,
                int                first,
                int                n_outputs,
                int                token,
                int                n)
{
  const EngLinear *linear = product->linear;
  const float *bias = linear->bias != NULL ? linear->bias + first : NULL;
  float *out = call->sums + (gsize) worker * MAX_OUTPUTS * BLOCK_TOKENS;
  int depth = n_outputs, place = 0;

  if (call->packed_y != NULL) {
    out = call->packed_y + (gsize) token * linear->out;
    depth = linear->out;
    place = first;
  }
  call->kernels->multiply_panels (linear->weight + (gsize) first * linear->in, linear->in,
                                  n_outputs, call->panels + (gsize) token * linear->in, n,
                                  linear->in, out, depth, place);
  call->kernels->finish_panels (out, depth, place, n_outputs, n, bias, call->activation);
  if (call->packed_y == NULL)
    call->kernels->unpack (out, n_outputs, n, product->y + (gsize) token * linear->out + first,
                           linear->out);
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

  int first = chunk * call->n_outputs;
  int n_outputs = MIN (call->n_outputs, product->linear->out - first);

  for (int token = 0; token < call->n; token += BLOCK_TOKENS)
    multiply_block (call, product, worker, first, n_outputs, token,
                    MIN (BLOCK_TOKENS, call->n - token));
}

static void
pack_input (ProductCall *call,
            const gint  *cancel)
{
  int n_chunks = (call->in + PACK_DEPTH - 1) / PACK_DEPTH;

  if ((gsize) call->n * call->in > SERIAL_PACKING)
    eng_pool_run (n_chunks, pack_chunk, call, cancel);
  else
    for (int i = 0; i < n_chunks; i++)
      pack_chunk (i, 0, call);
  call->panels = call->packed_x;
}

static void
multiply_all (ProductCall *call,
              int          n_products,
              const gint  *cancel)
{
  int n_chunks = 0;

  call->n_outputs = choose_n_outputs (call->products, n_products);
  for (int i = 0; i < n_products; i++)
    n_chunks += count_chunks (call, call->products[i].linear);
  eng_pool_run (n_chunks, multiply_chunk, call, cancel);
}

gsize
eng_products_n_scratch (int n,
                        int in)
{
  return count_sums () + eng_packed_n_floats (in, n);
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
    .activation = activation,
    .sums = scratch,
    .packed_x = scratch + count_sums (),
  };

  pack_input (&call, cancel);
  multiply_all (&call, n_products, cancel);
}

gsize
eng_product_pair_n_scratch (int              n,
                            const EngLinear *first)
{
  return eng_products_n_scratch (n, first->in) + eng_packed_n_floats (first->out, n);
}

void
eng_product_pair (const EngLinear *first,
                  EngActivation    activation,
                  const EngLinear *second,
                  const float     *x,
                  int              n,
                  float           *scratch,
                  float           *y,
                  const gint      *cancel)
{
  EngProduct products[] = { { first, NULL }, { second, y } };
  float *packed_x = scratch + count_sums ();
  float *between = packed_x + eng_packed_n_floats (first->in, n);
  ProductCall call = {
    .kernels = get_kernels (),
    .products = &products[0],
    .x = x,
    .n = n,
    .in = first->in,
    .activation = activation,
    .sums = scratch,
    .packed_x = packed_x,
    .packed_y = between,
  };

  pack_input (&call, cancel);
  multiply_all (&call, 1, cancel);

  call.products = &products[1];
  call.panels = between;
  call.in = second->in;
  call.activation = ENG_ACTIVATION_LINEAR;
  call.packed_y = NULL;
  multiply_all (&call, 1, cancel);
}

gsize
eng_packed_n_floats (int k,
                     int n)
{
  return round_up (round_up (n, get_kernels ()->n_lanes) * k, LINE);
}

void
eng_pack (const float *b,
          gsize        b_stride,
          int          k,
          int          n,
          float       *packed)
{
  get_kernels ()->pack_columns (b, b_stride, k, n, packed);
}

void
eng_pack_transposed (const float *b,
                     gsize        b_stride,
                     int          k,
                     int          n,
                     float       *packed)
{
  get_kernels ()->pack_rows (b, b_stride, n, k, 0, k, packed);
}

void
eng_multiply (const float *a,
              gsize        a_stride,
              const float *packed,
              int          m,
              int          n,
              int          k,
              float       *c,
              gsize        c_stride)
{
  get_kernels ()->multiply (a, a_stride, packed, m, n, k, c, c_stride, FALSE);
}

void
eng_multiply_add (const float *a,
                  gsize        a_stride,
                  const float *packed,
                  int          m,
                  int          n,
                  int          k,
                  float       *c,
                  gsize        c_stride)
{
  get_kernels ()->multiply (a, a_stride, packed, m, n, k, c, c_stride, TRUE);
}
