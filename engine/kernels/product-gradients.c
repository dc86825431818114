/* SPDX-License-Identifier: MIT */
#include "engine/kernels/product-gradients.h"

#include "engine/kernels/gradient.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"
#include "engine/kernels/pool.h"

/* The right factor is cut into blocks of so many columns, a multiple of every kernel's widest
 * panel, and so much depth: a block stays in the second level cache while rows pass. */
#define BLOCK_COLUMNS 144
#define BLOCK_DEPTH 512
/* Rows of a chunk: a multiple of every kernel's tile, and few, so that no worker waits long for the
 * last one. */
#define CHUNK_ROWS 48
/* Columns that are transposed at a time. */
#define CHUNK_COLUMNS 64
/* Products that are multiplied together. */
#define MAX_PRODUCTS 3

/* c [m, n] = (or +=) a [m, k] · b [k, n] + bias */
typedef struct {
  const float *a;
  const float *b;
  gboolean     a_turned; /* a lies as [k, m] */
  gboolean     b_turned; /* b lies as [n, k] */
  const float *bias;     /* [n] or NULL */
  float       *a_sums;   /* [m] += the sums of the rows of a that is turned; or NULL */
  int          m;
  int          n;
  int          k;
  gboolean     add;
  float       *packed;   /* blocks of b: [depths, columns] */
  float       *straight; /* [m, k], where a is turned to */
  float       *c;        /* NULL = only the sums are wanted */
} Product;

typedef struct {
  Product products[MAX_PRODUCTS];
  int     n_products;
} Call;

static int
count_blocks (int n,
              int size)
{
  return (n + size - 1) / size;
}

static gsize
count_packed (int k,
              int n)
{
  return (gsize) count_blocks (n, BLOCK_COLUMNS) * (gsize) count_blocks (k, BLOCK_DEPTH) *
         eng_packed_n_floats (BLOCK_DEPTH, BLOCK_COLUMNS);
}

static int
count_packings (const Product *product)
{
  return product->c != NULL
           ? count_blocks (product->n, BLOCK_COLUMNS) * count_blocks (product->k, BLOCK_DEPTH)
           : 0;
}

static int
count_preparations (const Product *product)
{
  return count_packings (product) +
         (product->a_turned ? count_blocks (product->m, CHUNK_COLUMNS) : 0);
}

static int
count_multiplications (const Product *product)
{
  return product->c != NULL
           ? count_blocks (product->n, BLOCK_COLUMNS) * count_blocks (product->m, CHUNK_ROWS)
           : 0;
}

static float *
get_block (const Product *self,
           int            depth,
           int            column)
{
  int index = depth * count_blocks (self->n, BLOCK_COLUMNS) + column;

  return self->packed + index * eng_packed_n_floats (BLOCK_DEPTH, BLOCK_COLUMNS);
}

static void
pack (const Product *self,
      int            chunk)
{
  int n_columns = count_blocks (self->n, BLOCK_COLUMNS);
  int depth = chunk / n_columns, column = chunk % n_columns;
  int first_k = depth * BLOCK_DEPTH, first = column * BLOCK_COLUMNS;
  int k = MIN (BLOCK_DEPTH, self->k - first_k), n = MIN (BLOCK_COLUMNS, self->n - first);
  float *block = get_block (self, depth, column);

  if (self->b_turned)
    eng_pack_transposed (self->b + (gsize) first * self->k + first_k, self->k, k, n, block);
  else
    eng_pack (self->b + (gsize) first_k * self->n + first, self->n, k, n, block);
}

static void
turn (const Product *self,
      int            chunk)
{
  int first = chunk * CHUNK_COLUMNS, last = MIN (first + CHUNK_COLUMNS, self->m);

  eng_transpose (self->a + first, self->m, self->k, last - first,
                 self->straight + (gsize) first * self->k, self->k);
  for (int i = first; i < last && self->a_sums != NULL; i++)
    self->a_sums[i] += eng_sum (self->straight + (gsize) i * self->k, self->k);
}

static void
prepare_chunk (int      chunk,
               int      worker,
               gpointer data)
{
  const Call *call = data;
  const Product *product = call->products;

  for (; chunk >= count_preparations (product); product++)
    chunk -= count_preparations (product);
  if (chunk < count_packings (product))
    pack (product, chunk);
  else
    turn (product, chunk - count_packings (product));
}

/* Chunks that follow each other have the same columns, so that a thread's blocks of b stay near. */
static void
multiply (const Product *self,
          int            chunk)
{
  int n_rows = count_blocks (self->m, CHUNK_ROWS);
  int row = chunk % n_rows * CHUNK_ROWS, column = chunk / n_rows;
  int m = MIN (CHUNK_ROWS, self->m - row);
  int n = MIN (BLOCK_COLUMNS, self->n - column * BLOCK_COLUMNS);
  float *c = self->c + (gsize) row * self->n + column * BLOCK_COLUMNS;

  for (int first_k = 0; first_k < self->k; first_k += BLOCK_DEPTH) {
    const float *a = (self->a_turned ? self->straight : self->a) + (gsize) row * self->k + first_k;
    const float *block = get_block (self, first_k / BLOCK_DEPTH, column);
    int k = MIN (BLOCK_DEPTH, self->k - first_k);

    if (self->add || first_k > 0)
      eng_multiply_add (a, self->k, block, m, n, k, c, self->n);
    else
      eng_multiply (a, self->k, block, m, n, k, c, self->n);
  }
  for (int i = 0; i < m && self->bias != NULL; i++)
    eng_add (c + (gsize) i * self->n, self->bias + column * BLOCK_COLUMNS, n,
             c + (gsize) i * self->n);
}

static void
multiply_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const Call *call = data;
  const Product *product = call->products;

  for (; chunk >= count_multiplications (product); product++)
    chunk -= count_multiplications (product);
  multiply (product, chunk);
}

static void
run (Call       *call,
     const gint *cancel)
{
  int n_preparations = 0, n_multiplications = 0;

  for (int i = 0; i < call->n_products; i++) {
    n_preparations += count_preparations (&call->products[i]);
    n_multiplications += count_multiplications (&call->products[i]);
  }
  eng_pool_run (n_preparations, prepare_chunk, call, cancel);
  eng_pool_run (n_multiplications, multiply_chunk, call, cancel);
}

gsize
eng_product_outputs_n_scratch (int out,
                               int in,
                               int n_products)
{
  return (gsize) n_products * count_packed (in, out);
}

void
eng_product_outputs (const EngProduct *products,
                     int               n_products,
                     const float      *x,
                     int               n,
                     float            *scratch,
                     const gint       *cancel)
{
  Call call = { .n_products = n_products };

  g_assert (n_products <= MAX_PRODUCTS);
  for (int i = 0; i < n_products; i++) {
    const EngLinear *linear = products[i].linear;

    call.products[i] = (Product) { .a = x, .b = linear->weight, .b_turned = TRUE,
                                   .bias = linear->bias, .m = n, .n = linear->out,
                                   .k = linear->in, .packed = scratch, .c = products[i].y };
    scratch += count_packed (linear->in, linear->out);
  }
  run (&call, cancel);
}

gsize
eng_product_gradients_n_scratch (int n,
                                 int out,
                                 int in)
{
  return (gsize) out * n + count_packed (out, in) + count_packed (n, in);
}

void
eng_product_gradients (const EngLinear *linear,
                       const float     *x,
                       const float     *dy,
                       int              n,
                       gboolean         add,
                       float           *scratch,
                       float           *dweight,
                       float           *dbias,
                       float           *dx,
                       const gint      *cancel)
{
  int out = linear->out, in = linear->in;
  float *packed_weight = scratch + count_packed (n, in);
  Call call = {
    .products = {
      { .a = dy, .a_turned = TRUE, .a_sums = dbias, .b = x, .m = out, .n = in, .k = n, .add = TRUE,
        .packed = scratch, .straight = packed_weight + count_packed (out, in), .c = dweight },
      { .a = dy, .b = linear->weight, .m = n, .n = in, .k = out, .add = add,
        .packed = packed_weight, .c = dx },
    },
    .n_products = 2,
  };

  run (&call, cancel);
}
