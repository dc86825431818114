/* SPDX-License-Identifier: MIT */
#include "engine/kernels/product-gradients.h"

#include "engine/kernels/gradient.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/pool.h"

/* The right factor is cut into blocks of so many columns, a multiple of every kernel's widest
 * panel, and so much depth: a block stays in the second level cache while rows pass. */
#define BLOCK_COLUMNS 144
#define BLOCK_DEPTH 512
/* Rows of a chunk: a multiple of every kernel's tile. */
#define CHUNK_ROWS 96
/* Columns that are transposed at a time. */
#define CHUNK_COLUMNS 64

/* c [m, n] = (or +=) a [m, k] · b [k, n] */
typedef struct {
  const float *a;
  const float *b;
  int          m;
  int          n;
  int          k;
  gboolean     add;
  float       *packed; /* blocks of b: [depths, columns] */
  float       *c;
} Product;

typedef struct {
  const float *dy;         /* [n, out] */
  float       *transposed; /* [out, n] */
  float       *dbias;      /* [out] or NULL */
  int          n;
  int          out;
} Turn;

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

static float *
get_block (const Product *self,
           int            depth,
           int            column)
{
  int index = depth * count_blocks (self->n, BLOCK_COLUMNS) + column;

  return self->packed + index * eng_packed_n_floats (BLOCK_DEPTH, BLOCK_COLUMNS);
}

static void
pack_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const Product *self = data;
  int n_columns = count_blocks (self->n, BLOCK_COLUMNS);
  int depth = chunk / n_columns, column = chunk % n_columns;
  int first_k = depth * BLOCK_DEPTH, first = column * BLOCK_COLUMNS;

  eng_pack (self->b + (gsize) first_k * self->n + first, self->n,
            MIN (BLOCK_DEPTH, self->k - first_k), MIN (BLOCK_COLUMNS, self->n - first),
            get_block (self, depth, column));
}

/* Chunks that follow each other have the same columns, so that a thread's blocks of b stay near. */
static void
multiply_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const Product *self = data;
  int n_rows = count_blocks (self->m, CHUNK_ROWS);
  int row = chunk % n_rows * CHUNK_ROWS, column = chunk / n_rows;
  int m = MIN (CHUNK_ROWS, self->m - row);
  int n = MIN (BLOCK_COLUMNS, self->n - column * BLOCK_COLUMNS);
  float *c = self->c + (gsize) row * self->n + column * BLOCK_COLUMNS;

  for (int first_k = 0; first_k < self->k; first_k += BLOCK_DEPTH) {
    const float *a = self->a + (gsize) row * self->k + first_k;
    const float *block = get_block (self, first_k / BLOCK_DEPTH, column);
    int k = MIN (BLOCK_DEPTH, self->k - first_k);

    if (self->add || first_k > 0)
      eng_multiply_add (a, self->k, block, m, n, k, c, self->n);
    else
      eng_multiply (a, self->k, block, m, n, k, c, self->n);
  }
}

static void
multiply (const Product *self,
          const gint    *cancel)
{
  int n_columns = count_blocks (self->n, BLOCK_COLUMNS);

  eng_pool_run (n_columns * count_blocks (self->k, BLOCK_DEPTH), pack_chunk, (gpointer) self,
                cancel);
  eng_pool_run (n_columns * count_blocks (self->m, CHUNK_ROWS), multiply_chunk, (gpointer) self,
                cancel);
}

static void
turn_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const Turn *self = data;
  int first = chunk * CHUNK_COLUMNS, last = MIN (first + CHUNK_COLUMNS, self->out);

  eng_transpose (self->dy + first, self->out, self->n, last - first,
                 self->transposed + (gsize) first * self->n, self->n);
  for (int i = first; i < last && self->dbias != NULL; i++)
    self->dbias[i] += eng_sum (self->transposed + (gsize) i * self->n, self->n);
}

gsize
eng_product_gradients_n_scratch (int n,
                                 int out,
                                 int in)
{
  return (gsize) out * n + MAX (count_packed (out, in), count_packed (n, in));
}

void
eng_product_input_gradient (const EngLinear *linear,
                            const float     *dy,
                            int              n,
                            gboolean         add,
                            float           *scratch,
                            float           *dx,
                            const gint      *cancel)
{
  Product product = { dy, linear->weight, n, linear->in, linear->out, add, scratch, dx };

  multiply (&product, cancel);
}

void
eng_product_weight_gradient (const float *dy,
                             const float *x,
                             int          n,
                             int          out,
                             int          in,
                             float       *scratch,
                             float       *dweight,
                             float       *dbias,
                             const gint  *cancel)
{
  float *packed = scratch;
  Turn turn = { dy, scratch + count_packed (n, in), dbias, n, out };
  Product product = { turn.transposed, x, out, in, n, TRUE, packed, dweight };

  eng_pool_run (count_blocks (out, CHUNK_COLUMNS), turn_chunk, &turn, cancel);
  if (dweight != NULL)
    multiply (&product, cancel);
}
