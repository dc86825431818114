/* SPDX-License-Identifier: MIT */
#include "engine/training/attention-piece.h"

#include <string.h>

#include "engine/kernels/gradient.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"
#include "engine/kernels/pool.h"
#include "engine/spec/positions.h"

/* Floats of a cache line. */
#define LINE 16
#define CHUNK_ROWS 16

typedef struct {
  const EngAttentionShape *shape;
  const float             *q, *k, *v;
  const float             *dcontext;
  float                   *weights;
  float                   *context;
  float                   *dq, *dk, *dv;
  float                   *scratch; /* of each worker */
  gsize                    n_scratch;
} Call;

typedef struct {
  const EngRotary *rotary;
  const float     *turns;
  float           *rows;
  int              n;
  int              n_heads;
  int              head_size;
} TurnCall;

/* What a chunk works on: a key head of a sequence with the heads that read it. */
typedef struct {
  int    sequence;
  int    kv_head;
  gsize  size;          /* of a row of q */
  gsize  kv_size;
  gsize  rows;          /* where the sequence's rows of k and v begin */
  float *keys;          /* packed, as the direction needs them */
  float *values;
  float *columns;       /* packed: queries or what is read of a head */
  float *block;         /* [m, n] */
  float *turned;        /* [n, m] */
} Chunk;

static gsize
round_up (gsize n)
{
  return (n + LINE - 1) / LINE * LINE;
}

static gsize
count_packed (const EngAttentionShape *shape)
{
  return MAX (eng_packed_n_floats (shape->head_size, shape->n_keys),
              eng_packed_n_floats (shape->n_keys, shape->head_size));
}

static gsize
count_block (const EngAttentionShape *shape)
{
  return round_up ((gsize) shape->n_queries * (gsize) shape->n_keys);
}

static gsize
count_of_worker (const EngAttentionShape *shape)
{
  return 2 * count_packed (shape) + eng_packed_n_floats (shape->n_queries, shape->head_size) +
         2 * count_block (shape);
}

static Chunk
begin_chunk (const Call *call,
             int         chunk,
             int         worker)
{
  const EngAttentionShape *shape = call->shape;
  float *scratch = call->scratch + (gsize) worker * call->n_scratch;
  Chunk self = {
    .sequence = chunk / shape->n_kv_heads,
    .kv_head = chunk % shape->n_kv_heads,
    .size = (gsize) shape->n_heads * (gsize) shape->head_size,
    .kv_size = (gsize) shape->n_kv_heads * (gsize) shape->head_size,
    .keys = scratch,
    .values = scratch + count_packed (shape),
    .columns = scratch + 2 * count_packed (shape),
  };

  self.block = self.columns + eng_packed_n_floats (shape->n_queries, shape->head_size);
  self.turned = self.block + count_block (shape);
  self.rows = (gsize) (self.sequence * shape->n_keys) * self.kv_size +
              (gsize) (self.kv_head * shape->head_size);

  return self;
}

/* Where the numbers of a head begin in [B · m, H · d], and in the weights. */
static gsize
find_queries (const Chunk             *self,
              const EngAttentionShape *shape,
              int                      head)
{
  return (gsize) (self->sequence * shape->n_queries) * self->size +
         (gsize) (head * shape->head_size);
}

static gsize
find_weights (const Chunk             *self,
              const EngAttentionShape *shape,
              int                      head)
{
  return (gsize) (self->sequence * shape->n_heads + head) * (gsize) shape->n_queries *
         (gsize) shape->n_keys;
}

static void
weigh (const Chunk             *self,
       const EngAttentionShape *shape,
       float                   *weights)
{
  const guint8 *visible =
    shape->visible != NULL ? shape->visible + self->sequence * shape->n_keys : NULL;
  gsize n = (gsize) shape->n_keys;

  for (int query = 0; query < shape->n_queries; query++) {
    float *row = weights + (gsize) query * n;
    gsize n_read = shape->causal ? MIN ((gsize) query + 1, n) : n;

    eng_softmax (row, (int) n_read, shape->scale, NULL, visible);
    memset (row + n_read, 0, (n - n_read) * sizeof (float));
  }
}

/* What is read: the weights, or a block of them with some dropped. */
static const float *
drop (const Chunk             *self,
      const EngAttentionShape *shape,
      int                      head,
      const float             *weights)
{
  if (shape->dropout.rate == 0)
    return weights;
  eng_drop (shape->dropout.key, find_weights (self, shape, head), (float) shape->dropout.rate,
            weights, (gsize) shape->n_queries * (gsize) shape->n_keys, self->block);

  return self->block;
}

static void
read_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const Call *call = data;
  const EngAttentionShape *shape = call->shape;
  Chunk self = begin_chunk (call, chunk, worker);
  int n_sharing = shape->n_heads / shape->n_kv_heads;
  int m = shape->n_queries, n = shape->n_keys, d = shape->head_size;

  eng_pack_transposed (call->k + self.rows, self.kv_size, d, n, self.keys);
  eng_pack (call->v + self.rows, self.kv_size, n, d, self.values);
  for (int i = 0; i < n_sharing; i++) {
    int head = self.kv_head * n_sharing + i;
    gsize queries = find_queries (&self, shape, head);
    float *weights = call->weights + find_weights (&self, shape, head);

    eng_multiply (call->q + queries, self.size, self.keys, m, n, d, weights, (gsize) n);
    weigh (&self, shape, weights);
    eng_multiply (drop (&self, shape, head, weights), (gsize) n, self.values, m, d, n,
                  call->context + queries, self.size);
  }
}

/* c [n, d] = (or +=) turned [n, m] · b [m, d]: gradients of keys or values by one of the heads that
 * read them. */
static void
add_turned (const Chunk             *self,
            const EngAttentionShape *shape,
            const float             *block,
            const float             *b,
            gboolean                 add,
            float                   *c)
{
  int m = shape->n_queries, n = shape->n_keys, d = shape->head_size;

  eng_transpose (block, (gsize) n, m, n, self->turned, (gsize) m);
  eng_pack (b, self->size, m, d, self->columns);
  if (add)
    eng_multiply_add (self->turned, (gsize) m, self->columns, n, d, m, c, self->kv_size);
  else
    eng_multiply (self->turned, (gsize) m, self->columns, n, d, m, c, self->kv_size);
}

static void
backward_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const Call *call = data;
  const EngAttentionShape *shape = call->shape;
  Chunk self = begin_chunk (call, chunk, worker);
  int n_sharing = shape->n_heads / shape->n_kv_heads;
  int m = shape->n_queries, n = shape->n_keys, d = shape->head_size;

  eng_pack (call->k + self.rows, self.kv_size, n, d, self.keys);
  eng_pack_transposed (call->v + self.rows, self.kv_size, d, n, self.values);
  for (int i = 0; i < n_sharing; i++) {
    int head = self.kv_head * n_sharing + i;
    gsize queries = find_queries (&self, shape, head);
    gsize place = find_weights (&self, shape, head);
    const float *weights = call->weights + place;
    const float *dcontext = call->dcontext + queries;
    gsize n_weights = (gsize) m * (gsize) n;

    /* dv += droppedᵀ · dcontext */
    add_turned (&self, shape, drop (&self, shape, head, weights), dcontext, i > 0,
                call->dv + self.rows);
    /* The gradient by the scores: through v, the dropped, the softmax. */
    eng_multiply (dcontext, self.size, self.values, m, n, d, self.block, (gsize) n);
    if (shape->dropout.rate > 0)
      eng_drop (shape->dropout.key, place, (float) shape->dropout.rate, self.block, n_weights,
                self.block);
    for (int query = 0; query < m; query++)
      eng_softmax_gradient (weights + query * n, n, shape->scale, self.block + query * n);
    eng_multiply (self.block, (gsize) n, self.keys, m, d, n, call->dq + queries, self.size);
    add_turned (&self, shape, self.block, call->q + queries, i > 0, call->dk + self.rows);
  }
}

gsize
eng_piece_attention_n_scratch (const EngAttentionShape *shape)
{
  return (gsize) eng_pool_get_n_workers () * count_of_worker (shape);
}

void
eng_piece_attention (const EngPieces         *self,
                     const EngAttentionShape *shape,
                     const float             *q,
                     const float             *k,
                     const float             *v,
                     float                   *scratch,
                     float                   *weights,
                     float                   *context)
{
  Call call = {
    .shape = shape, .q = q, .k = k, .v = v, .weights = weights, .context = context,
    .scratch = scratch, .n_scratch = count_of_worker (shape),
  };

  eng_pool_run (shape->n_sequences * shape->n_kv_heads, read_chunk, &call, self->cancel);
}

void
eng_piece_attention_backward (const EngPieces         *self,
                              const EngAttentionShape *shape,
                              const float             *q,
                              const float             *k,
                              const float             *v,
                              const float             *weights,
                              const float             *dcontext,
                              float                   *scratch,
                              float                   *dq,
                              float                   *dk,
                              float                   *dv)
{
  Call call = {
    .shape = shape, .q = q, .k = k, .v = v, .dcontext = dcontext, .weights = (float *) weights,
    .dq = dq, .dk = dk, .dv = dv, .scratch = scratch, .n_scratch = count_of_worker (shape),
  };

  eng_pool_run (shape->n_sequences * shape->n_kv_heads, backward_chunk, &call, self->cancel);
}

static void
turn_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const TurnCall *call = data;
  int first = chunk * CHUNK_ROWS;
  gsize stride = (gsize) call->n_heads * (gsize) call->head_size;

  eng_rotary_turn (call->rotary, call->turns + (gsize) first * (gsize) call->rotary->size,
                   MIN (CHUNK_ROWS, call->n - first), call->n_heads, call->head_size, stride,
                   call->rows + (gsize) first * stride);
}

void
eng_piece_turn (const EngPieces *self,
                const EngRotary *rotary,
                const float     *turns,
                int              n,
                int              n_heads,
                int              head_size,
                float           *rows)
{
  TurnCall call = { rotary, turns, rows, n, n_heads, head_size };

  eng_pool_run ((n + CHUNK_ROWS - 1) / CHUNK_ROWS, turn_chunk, &call, self->cancel);
}

void
eng_piece_reverse_turns (const float *turns,
                         int          n,
                         int          size,
                         float       *reversed)
{
  int half = size / 2;

  for (int row = 0; row < n; row++)
    for (int i = 0; i < size; i++)
      reversed[row * size + i] = i < half ? turns[row * size + i] : -turns[row * size + i];
}
