/* SPDX-License-Identifier: MIT */
#include "engine/kernels/linalg-kernels.h"

#include "engine/kernels/nn.h"
#include "engine/kernels/transpose.h"

/* Rows × vectors of a tile, so that the sums, a row of the panel and one broadcast fit in the
 * registers: 32 with AVX-512, 16 elsewhere. */
#if ENG_LANES == 16
#define WIDE_ROWS 8
#define NARROW_ROWS 12
#else
#define WIDE_ROWS 4
#define NARROW_ROWS 6
#endif
#define MAX_VECTORS 3
#define MAX_WIDTH (MAX_VECTORS * ENG_LANES)
/* Depth of a step: the rows of a wide tile stay in the first level cache, a panel in the second. */
#define STEP_DEPTH 768
/* Floats of a cache line: what one prefetch brings. */
#define LINE 16
/* Rows of weights that lie so many floats apart, or a multiple, fall on the same places of a first
 * level cache and drive each other out: they are copied side by side before they are used. */
#define ALIASING 1024

/* out [rows, vectors * n_lanes] = (or +=) a [rows, k] · panel [k, vectors * n_lanes]. While it runs
 * it prefetches n_ahead rows from ahead on. */
typedef void (*Tile) (const float *a,
                      gsize        a_stride,
                      const float *panel,
                      int          k,
                      const float *ahead,
                      gsize        ahead_stride,
                      int          n_ahead,
                      float       *out,
                      gsize        out_stride,
                      gboolean     add);

/* Every sum of a product runs through this. */
ENG_INLINE void
add_product (EngVec *sum,
             EngVec  column,
             float   factor)
{
  *sum = eng_vec_multiply_add (column, eng_vec_set (factor), *sum);
}

ENG_INLINE void
run_tile (const int    n_rows,
          const int    n_vectors,
          const float *a,
          gsize        a_stride,
          const float *panel,
          int          k,
          const float *ahead,
          gsize        ahead_stride,
          int          n_ahead,
          float       *out,
          gsize        out_stride,
          gboolean     add)
{
  EngVec sums[NARROW_ROWS][MAX_VECTORS];

  ENG_UNROLL
  for (int row = 0; row < n_rows; row++)
    ENG_UNROLL
    for (int v = 0; v < n_vectors; v++)
      sums[row][v] = (EngVec) { 0 };

  for (int first = 0; first < k; first += LINE) {
    int last = MIN (first + LINE, k);

    for (int row = 0; row < n_ahead; row++)
      __builtin_prefetch (ahead + row * ahead_stride + first);

    for (int i = first; i < last; i++) {
      EngVec column[MAX_VECTORS];

      ENG_UNROLL
      for (int v = 0; v < n_vectors; v++)
        column[v] = *(const EngVec *) (panel + (i * n_vectors + v) * ENG_LANES);
      ENG_UNROLL
      for (int row = 0; row < n_rows; row++)
        ENG_UNROLL
        for (int v = 0; v < n_vectors; v++)
          add_product (&sums[row][v], column[v], a[row * a_stride + i]);
    }
  }

  ENG_UNROLL
  for (int row = 0; row < n_rows; row++)
    ENG_UNROLL
    for (int v = 0; v < n_vectors; v++) {
      float *place = out + row * out_stride + v * ENG_LANES;

      eng_vec_store (place, add ? eng_vec_load (place) + sums[row][v] : sums[row][v]);
    }
}

/* One function per size of tile, so that the compiler keeps the sums in registers. */
#define DEFINE_TILE(rows, vectors)                                                                \
  static void                                                                                     \
  tile_##rows##_##vectors (const float *a, gsize a_stride, const float *panel, int k,             \
                           const float *ahead, gsize ahead_stride, int n_ahead,                   \
                           float *out, gsize out_stride, gboolean add)                            \
  {                                                                                               \
    run_tile (rows, vectors, a, a_stride, panel, k, ahead, ahead_stride, n_ahead,                 \
              out, out_stride, add);                                                              \
  }

#define DEFINE_TILES(rows) \
  DEFINE_TILE (rows, 1)    \
  DEFINE_TILE (rows, 2)    \
  DEFINE_TILE (rows, 3)

DEFINE_TILES (1)
DEFINE_TILES (2)
DEFINE_TILES (4)
#if ENG_LANES == 16
DEFINE_TILES (8)
DEFINE_TILE (12, 1)
DEFINE_TILE (12, 2)
#else
DEFINE_TILE (6, 1)
DEFINE_TILE (6, 2)
#endif

typedef struct {
  int  n_rows;
  Tile by_vectors[MAX_VECTORS];
} TileRows;

/* From the most rows to one; a NULL has no place in the registers. */
static const TileRows tiles[] = {
#if ENG_LANES == 16
  { 12, { tile_12_1, tile_12_2, NULL } },
  { 8, { tile_8_1, tile_8_2, tile_8_3 } },
#else
  { 6, { tile_6_1, tile_6_2, NULL } },
#endif
  { 4, { tile_4_1, tile_4_2, tile_4_3 } },
  { 2, { tile_2_1, tile_2_2, tile_2_3 } },
  { 1, { tile_1_1, tile_1_2, tile_1_3 } },
};

/* The tallest tile for what is left of the rows. max_vectors: the widest panel that it has to
 * serve. */
static const TileRows *
choose_tile (int n_rows,
             int max_vectors)
{
  const TileRows *tile = tiles;

  while (tile->n_rows > n_rows || tile->by_vectors[max_vectors - 1] == NULL)
    tile++;
  return tile;
}

static int
count_vectors (int n)
{
  return (n + ENG_LANES - 1) / ENG_LANES;
}

typedef struct {
  int column;    /* the first */
  int n_vectors; /* 0 behind the last panel */
  int width;     /* in columns */
} Panel;

/* The panel of n columns that begins at column: three vectors, but never a single one left behind
 * them. */
static Panel
get_panel (int column,
           int n)
{
  int n_left = column < n ? count_vectors (n - column) : 0;
  int n_vectors = n_left == 4 ? 2 : MIN (n_left, MAX_VECTORS);

  return (Panel) { column, n_vectors, n_vectors * ENG_LANES };
}

static Panel
first_panel (int n)
{
  return get_panel (0, n);
}

static Panel
next_panel (Panel panel,
            int   n)
{
  return get_panel (panel.column + panel.width, n);
}

/* Rows [n, k] become columns: panel [k, width], columns from n on 0. */
static void
pack_panel_rows (const float *x,
                 gsize        x_stride,
                 int          n,
                 int          k,
                 int          width,
                 float       *panel)
{
  int whole = n & ~3;

  for (int row = 0; row < whole; row += 4) {
    const float *source = x + row * x_stride;
    int i = 0;

    for (; i + 4 <= k; i += 4) {
      EngQuad block[4];

      for (int j = 0; j < 4; j++)
        block[j] = *(const EngLooseQuad *) (source + j * x_stride + i);
      eng_quad_transpose (block);
      for (int j = 0; j < 4; j++)
        *(EngLooseQuad *) (panel + (gsize) (i + j) * width + row) = block[j];
    }
    for (; i < k; i++)
      for (int j = 0; j < 4; j++)
        panel[(gsize) i * width + row + j] = source[j * x_stride + i];
  }
  for (int i = 0; i < k; i++)
    for (int row = whole; row < width; row++)
      panel[(gsize) i * width + row] = row < n ? x[row * x_stride + i] : 0;
}

/* b [k, n] → panel [k, width], columns from n on 0. */
static void
pack_panel_columns (const float *b,
                    gsize        b_stride,
                    int          n,
                    int          k,
                    int          width,
                    float       *panel)
{
  int whole = n / ENG_LANES * ENG_LANES;

  for (int i = 0; i < k; i++) {
    const float *source = b + i * b_stride;
    float *row = panel + (gsize) i * width;

    for (int column = 0; column < whole; column += ENG_LANES)
      eng_vec_store (row + column, eng_vec_load (source + column));
    if (whole < n)
      eng_vec_store (row + whole, eng_vec_load_part (source + whole, n - whole, (EngVec) { 0 }));
  }
}

static void
pack_rows (const float *x,
           gsize        x_stride,
           int          n,
           int          k,
           int          first_k,
           int          last_k,
           float       *panels)
{
  for (Panel panel = first_panel (n); panel.width > 0; panel = next_panel (panel, n))
    pack_panel_rows (x + panel.column * x_stride + first_k, x_stride,
                     MIN (n - panel.column, panel.width), last_k - first_k, panel.width,
                     panels + (gsize) panel.column * k + (gsize) first_k * panel.width);
}

static void
pack_columns (const float *b,
              gsize        b_stride,
              int          k,
              int          n,
              float       *panels)
{
  for (Panel panel = first_panel (n); panel.width > 0; panel = next_panel (panel, n))
    pack_panel_columns (b + panel.column, b_stride, MIN (n - panel.column, panel.width), k,
                        panel.width, panels + (gsize) panel.column * k);
}

/* One step of depth: a few rows of weights against all panels. The rows that come next are
 * prefetched in equal parts by the panels, so that memory and arithmetic overlap. */
static void
multiply_rows (const TileRows *tile,
               const float    *weights,
               gsize           weights_stride,
               const float    *panels,
               int             n,
               int             k,
               int             first_k,
               int             depth,
               float          *out,
               int             out_depth,
               int             first)
{
  float beside[NARROW_ROWS * (STEP_DEPTH + LINE)];
  const float *next = weights + tile->n_rows * weights_stride + first_k;
  const float *rows = weights + first_k;
  gsize stride = weights_stride;
  int padded = count_vectors (n) * ENG_LANES;
  int n_fetched = 0;

  if (weights_stride % ALIASING == 0) {
    stride = STEP_DEPTH + LINE;
    for (int row = 0; row < tile->n_rows; row++)
      memcpy (beside + row * stride, rows + row * weights_stride, depth * sizeof (float));
    rows = beside;
  }

  for (Panel panel = first_panel (n); panel.width > 0; panel = next_panel (panel, n)) {
    int fetched_then = tile->n_rows * (panel.column + panel.width) / padded;

    tile->by_vectors[panel.n_vectors - 1] (rows, stride,
                                           panels + (gsize) panel.column * k +
                                           (gsize) first_k * panel.width,
                                           depth,
                                           next + n_fetched * weights_stride, weights_stride,
                                           fetched_then - n_fetched,
                                           out + (gsize) panel.column * out_depth +
                                           (gsize) first * panel.width,
                                           panel.width, first_k > 0);
    n_fetched = fetched_then;
  }
}

/* Few tokens leave most lanes of a panel empty: then the lanes hold outputs instead, for which
 * blocks of weights are transposed on their way through the registers. Every sum runs over k as
 * in a tile, so that not a bit of it differs. */
#define FEW_TOKENS 4

/* ENG_LANES outputs of n_tokens tokens: sums [n_tokens, outputs] = rows [outputs, depth] · panel
 * [depth, ENG_LANES]. Meanwhile the same of the next rows is prefetched. */
ENG_INLINE void
sum_outputs (const int    n_tokens,
             const float *rows,
             gsize        stride,
             const float *panel,
             int          depth,
             EngVec       sums[FEW_TOKENS])
{
  EngVec columns[ENG_LANES];

  for (int token = 0; token < n_tokens; token++)
    sums[token] = (EngVec) { 0 };
  for (int first = 0; first < depth; first += ENG_LANES) {
    int n_columns = MIN (ENG_LANES, depth - first);

    if (n_columns == ENG_LANES) {
      ENG_UNROLL
      for (int row = 0; row < ENG_LANES; row++) {
        columns[row] = eng_vec_load (rows + row * stride + first);
        __builtin_prefetch (rows + (row + ENG_LANES) * stride + first);
      }
    } else {
      for (int row = 0; row < ENG_LANES; row++)
        columns[row] = eng_vec_load_part (rows + row * stride + first, n_columns, (EngVec) { 0 });
    }
    eng_vec_transpose (columns);

    if (n_columns == ENG_LANES) {
      ENG_UNROLL
      for (int i = 0; i < ENG_LANES; i++)
        ENG_UNROLL
        for (int token = 0; token < n_tokens; token++)
          add_product (&sums[token], columns[i], panel[(first + i) * ENG_LANES + token]);
    } else {
      for (int i = 0; i < n_columns; i++)
        for (int token = 0; token < n_tokens; token++)
          add_product (&sums[token], columns[i], panel[(first + i) * ENG_LANES + token]);
    }
  }
}

/* As multiply_rows() for ENG_LANES rows and few tokens. */
static void
multiply_few (const float *weights,
              gsize        weights_stride,
              const float *panel,
              int          n,
              int          first_k,
              int          depth,
              float       *out)
{
  EngVec sums[FEW_TOKENS];

  panel += (gsize) first_k * ENG_LANES;
  weights += first_k;
  if (n == 1)
    sum_outputs (1, weights, weights_stride, panel, depth, sums);
  else if (n == 2)
    sum_outputs (2, weights, weights_stride, panel, depth, sums);
  else if (n == 3)
    sum_outputs (3, weights, weights_stride, panel, depth, sums);
  else
    sum_outputs (4, weights, weights_stride, panel, depth, sums);

  for (int token = 0; token < n; token++)
    for (int output = 0; output < ENG_LANES; output++) {
      float *place = out + output * ENG_LANES + token;

      *place = first_k > 0 ? *place + sums[token][output] : sums[token][output];
    }
}

static void
multiply_panels (const float *weights,
                 gsize        weights_stride,
                 int          n_outputs,
                 const float *panels,
                 int          n,
                 int          k,
                 float       *out,
                 int          out_depth,
                 int          first)
{
  /* The first panel is the widest. */
  int max_vectors = first_panel (n).n_vectors;

  for (int first_k = 0; first_k < k; first_k += STEP_DEPTH)
    for (int output = 0; output < n_outputs;) {
      const TileRows *tile = choose_tile (n_outputs - output, max_vectors);
      int depth = MIN (STEP_DEPTH, k - first_k);

      if (n <= FEW_TOKENS && n_outputs - output >= ENG_LANES) {
        multiply_few (weights + output * weights_stride, weights_stride, panels, n, first_k, depth,
                      out + (gsize) (first + output) * ENG_LANES);
        output += ENG_LANES;
        continue;
      }
      multiply_rows (tile, weights + output * weights_stride, weights_stride, panels, n,
                     k, first_k, depth, out, out_depth, first + output);
      output += tile->n_rows;
    }
}

static void
finish_panels (float        *panels,
               int           depth,
               int           first,
               int           n_outputs,
               int           n,
               const float  *bias,
               EngActivation activation)
{
  for (Panel panel = first_panel (n); panel.width > 0; panel = next_panel (panel, n)) {
    float *rows = panels + (gsize) panel.column * depth + (gsize) first * panel.width;

    for (int output = 0; output < n_outputs && bias != NULL; output++)
      for (int i = 0; i < panel.width; i += ENG_LANES) {
        float *place = rows + output * panel.width + i;

        eng_vec_store (place, eng_vec_load (place) + eng_vec_set (bias[output]));
      }
    eng_activate (activation, rows, (gsize) n_outputs * panel.width);
  }
}

/* Four tokens at a time, so that rows of y are written from left to right. */
static void
unpack_panel (const float *panel,
              int          width,
              int          n_outputs,
              int          n,
              float       *y,
              gsize        y_stride)
{
  int whole = n_outputs & ~3;

  for (int row = 0; row < n; row += 4) {
    int n_rows = MIN (4, n - row);

    for (int output = 0; output < whole; output += 4) {
      EngQuad block[4];

      for (int j = 0; j < 4; j++)
        block[j] = *(const EngLooseQuad *) (panel + (output + j) * width + row);
      eng_quad_transpose (block);
      for (int j = 0; j < n_rows; j++)
        *(EngLooseQuad *) (y + (row + j) * y_stride + output) = block[j];
    }
    for (int output = whole; output < n_outputs; output++)
      for (int j = 0; j < n_rows; j++)
        y[(row + j) * y_stride + output] = panel[output * width + row + j];
  }
}

static void
unpack (const float *panels,
        int          n_outputs,
        int          n,
        float       *y,
        gsize        y_stride)
{
  for (Panel panel = first_panel (n); panel.width > 0; panel = next_panel (panel, n))
    unpack_panel (panels + (gsize) panel.column * n_outputs, panel.width, n_outputs,
                  MIN (n - panel.column, panel.width), y + panel.column * y_stride, y_stride);
}

/* A tile at the right edge: only n of its columns are written. */
static void
run_edge_tile (const TileRows *tile,
               int             n_vectors,
               const float    *a,
               gsize           a_stride,
               const float    *panel,
               int             k,
               int             n,
               float          *c,
               gsize           c_stride,
               gboolean        add)
{
  float out[NARROW_ROWS * MAX_WIDTH] __attribute__ ((aligned (64)));

  for (int row = 0; row < tile->n_rows && add; row++)
    memcpy (out + row * MAX_WIDTH, c + row * c_stride, n * sizeof (float));
  tile->by_vectors[n_vectors - 1] (a, a_stride, panel, k, NULL, 0, 0, out, MAX_WIDTH, add);
  for (int row = 0; row < tile->n_rows; row++)
    memcpy (c + row * c_stride, out + row * MAX_WIDTH, n * sizeof (float));
}

static void
multiply_by_panel (const float *a,
                   gsize        a_stride,
                   const float *panel,
                   int          n_vectors,
                   int          m,
                   int          n,
                   int          k,
                   float       *c,
                   gsize        c_stride,
                   gboolean     add)
{
  for (int row = 0; row < m;) {
    const TileRows *tile = choose_tile (m - row, n_vectors);

    if (n == n_vectors * ENG_LANES)
      tile->by_vectors[n_vectors - 1] (a + row * a_stride, a_stride, panel, k, NULL, 0, 0,
                                       c + row * c_stride, c_stride, add);
    else
      run_edge_tile (tile, n_vectors, a + row * a_stride, a_stride, panel, k, n,
                     c + row * c_stride, c_stride, add);
    row += tile->n_rows;
  }
}

static void
multiply (const float *a,
          gsize        a_stride,
          const float *panels,
          int          m,
          int          n,
          int          k,
          float       *c,
          gsize        c_stride,
          gboolean     add)
{
  for (Panel panel = first_panel (n); panel.width > 0; panel = next_panel (panel, n))
    multiply_by_panel (a, a_stride, panels + (gsize) panel.column * k, panel.n_vectors, m,
                       MIN (n - panel.column, panel.width), k, c + panel.column, c_stride, add);
}

const EngLinalgKernels ENG_ISA_NAME (eng_linalg_kernels) = {
  ENG_LANES,
  pack_rows,
  pack_columns,
  multiply_panels,
  finish_panels,
  unpack,
  multiply,
};
