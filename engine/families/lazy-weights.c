/* SPDX-License-Identifier: MIT */
#include "engine/families/lazy-weights.h"

#include "engine/kernels/pool.h"

#include <string.h>

#define PIECE (1 << 18)  /* elements widened at once */
#define MOVED_ROWS 32    /* rows of a file that are moved at once */

/* A tensor that is widened when one of its parts is needed. */
typedef struct {
  EngBinding binding; /* the first of it; its slot is done with */
  float     *to;
  gboolean   done;    /* under the lock */
} Lot;

/* What is needed together. */
typedef struct {
  GArray *lots;  /* of guint; NULL = none */
  gint    ready; /* atomic: all of them are done */
} Group;

struct _EngLazyWeights {
  const EngLoadedWeights *loaded;
  GMutex                  lock;
  GArray                 *lots;
  GHashTable             *numbers; /* of lots + 1, by tensor */
  Group                  *groups;
  int                     first[ENG_N_STACKS]; /* group of what comes before the layers of a stack */
  int                     heads;               /* group of the first task; the pooler's is the last */
  int                     n_groups;
  gsize                   n_widened;
  gint                    broken; /* atomic: what was widened is not what the file had */
};

typedef enum {
  ORDER_SAME,
  ORDER_TURNED, /* rows become columns */
  ORDER_PAIRED  /* rows of a head lie in pairs, EngTensorForm.n_pairs */
} Order;

/* A part of a tensor to be copied, of a size that keeps every thread busy to the end. */
typedef struct {
  EngTensor  from;
  float     *to;        /* of a piece that keeps its order, else of the whole tensor */
  Order      order;
  gint64     first_row; /* unless it keeps its order; likewise the sizes of the whole tensor */
  gint64     n_rows;
  gint64     n_columns;
} Piece;

static void
turn_rows (const Piece *piece,
           const float *rows,
           gint64       n)
{
  for (gint64 column = 0; column < piece->n_columns; column++)
    for (gint64 row = 0; row < n; row++)
      piece->to[column * piece->n_rows + piece->first_row + row] =
        rows[row * piece->n_columns + column];
}

static void
part_pairs (const Piece *piece,
            const float *rows,
            gint64       n)
{
  gint64 n_of_head = piece->n_rows / piece->from.form.n_pairs;

  for (gint64 i = 0; i < n; i++) {
    gint64 row = piece->first_row + i;
    gint64 in_head = row % n_of_head;
    gint64 place = row - in_head + in_head / 2 + in_head % 2 * (n_of_head / 2);

    memcpy (piece->to + place * piece->n_columns, rows + i * piece->n_columns,
            (gsize) piece->n_columns * sizeof *rows);
  }
}

static void
copy_piece (int      chunk,
            int      worker,
            gpointer data)
{
  const Piece *piece = &g_array_index ((GArray *) data, Piece, chunk);
  g_autofree float *rows = NULL;

  if (piece->order == ORDER_SAME) {
    eng_tensor_widen (&piece->from, piece->to);
    return;
  }

  rows = g_new (float, piece->from.n_elements);
  eng_tensor_widen (&piece->from, rows);
  if (piece->order == ORDER_TURNED)
    turn_rows (piece, rows, piece->from.n_elements / piece->n_columns);
  else
    part_pairs (piece, rows, piece->from.n_elements / piece->n_columns);
}

static Order
get_order (const EngBinding *binding)
{
  if (binding->transposed)
    return ORDER_TURNED;

  return binding->tensor->form.n_pairs > 0 ? ORDER_PAIRED : ORDER_SAME;
}

/* Blocks of quantised numbers are never cut: rows are whole ones of them, and so is PIECE. */
static void
add_pieces (GArray           *pieces,
            const EngBinding *binding,
            float            *to)
{
  const EngTensor *tensor = binding->tensor;
  gsize size = eng_type_get_size (tensor->type);
  gsize n_together = (gsize) eng_type_get_n_together (tensor->type);
  Order order = get_order (binding);
  gint64 n_columns = tensor->rank > 1 ? tensor->shape[1] : 1;
  gint64 n = order == ORDER_SAME ? PIECE : MOVED_ROWS * n_columns;

  for (gint64 first = 0; first < tensor->n_elements; first += n) {
    Piece piece = { .from = *tensor, .to = to, .order = order };

    piece.from.data += (gsize) first / n_together * size;
    piece.from.n_elements = MIN (n, tensor->n_elements - first);
    piece.from.n_bytes = (gsize) piece.from.n_elements / n_together * size;
    if (order == ORDER_SAME) {
      piece.to += first;
    } else {
      piece.first_row = first / n_columns;
      piece.n_rows = tensor->shape[0];
      piece.n_columns = n_columns;
    }
    g_array_append_val (pieces, piece);
  }
}

/* The slices of head after head become slices of all heads. */
static void
add_head_pieces (GArray           *pieces,
                 const EngBinding *binding,
                 float            *to)
{
  int n_blocks = binding->n_heads * binding->n_slices;
  EngTensor block = *binding->tensor;
  EngBinding own = *binding;

  own.tensor = &block;
  block.n_elements /= n_blocks;
  block.n_bytes /= (gsize) n_blocks;
  for (int i = 0; i < n_blocks; i++) {
    int head = i / binding->n_slices, slice = i % binding->n_slices;

    add_pieces (pieces, &own, to + (slice * binding->n_heads + head) * block.n_elements);
    block.data += block.n_bytes;
  }
}

/* Whether a slot is a member of the n bytes at base. */
static gboolean
is_in (const float **slot,
       gconstpointer base,
       gsize         n)
{
  guintptr at = (guintptr) slot, begin = (guintptr) base;

  return at >= begin && at < begin + n;
}

static int
find_group (const EngLazyWeights *self,
            const float         **slot)
{
  const EngWeights *weights = &self->loaded->weights;

  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    const EngStackWeights *stack = &weights->stacks[kind];
    int n_layers = self->loaded->spec.stacks[kind].n_layers;

    if (is_in (slot, &stack->final_norm, sizeof stack->final_norm))
      return self->first[kind] + 1 + n_layers;
    if (is_in (slot, stack, sizeof *stack))
      return self->first[kind];
    for (int layer = 0; layer < n_layers; layer++)
      if (is_in (slot, &stack->layers[layer], sizeof *stack->layers))
        return self->first[kind] + 1 + layer;
  }
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (is_in (slot, &weights->heads[task], sizeof *weights->heads))
      return self->heads + task;

  return self->heads + ENG_N_TASKS;
}

static void
widen (EngLazyWeights *self,
       const Group    *group)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));

  for (guint i = 0; i < group->lots->len; i++) {
    const Lot *lot = &g_array_index (self->lots, Lot, g_array_index (group->lots, guint, i));

    if (lot->done)
      continue;
    if (lot->binding.n_heads > 0)
      add_head_pieces (pieces, &lot->binding, lot->to);
    else
      add_pieces (pieces, &lot->binding, lot->to);
  }
  eng_pool_run ((int) pieces->len, copy_piece, pieces, NULL);

  for (guint i = 0; i < group->lots->len; i++) {
    Lot *lot = &g_array_index (self->lots, Lot, g_array_index (group->lots, guint, i));
    gint64 n = lot->binding.tensor->n_elements;

    for (gint64 k = 0; k < n && lot->binding.one_less && !lot->done; k++)
      lot->to[k] += 1;
    self->n_widened += lot->done ? 0 : (gsize) n;
    lot->done = TRUE;
  }
  if (!eng_tensor_set_check_files (self->loaded->file, NULL))
    g_atomic_int_set (&self->broken, 1);
}

static void
need (EngLazyWeights *self,
      int             number)
{
  Group *group = &self->groups[number];

  if (!group->lots || g_atomic_int_get (&group->ready))
    return;
  g_mutex_lock (&self->lock);
  if (!group->ready)
    widen (self, group);
  g_atomic_int_set (&group->ready, 1);
  g_mutex_unlock (&self->lock);
}

gboolean
eng_binding_moves (const EngBinding *self)
{
  return get_order (self) != ORDER_SAME || self->n_heads > 0;
}

EngLazyWeights *
eng_lazy_weights_new (const EngLoadedWeights *loaded)
{
  EngLazyWeights *self = g_new0 (EngLazyWeights, 1);

  self->loaded = loaded;
  g_mutex_init (&self->lock);
  self->lots = g_array_new (FALSE, FALSE, sizeof (Lot));
  self->numbers = g_hash_table_new (NULL, NULL);
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    self->first[kind] = self->heads;
    self->heads += loaded->spec.stacks[kind].n_layers + 2;
  }
  self->n_groups = self->heads + ENG_N_TASKS + 1;
  self->groups = g_new0 (Group, self->n_groups);

  return self;
}

void
eng_lazy_weights_free (EngLazyWeights *self)
{
  for (int i = 0; i < self->n_groups; i++)
    g_clear_pointer (&self->groups[i].lots, g_array_unref);
  g_free (self->groups);
  g_hash_table_unref (self->numbers);
  g_array_unref (self->lots);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
eng_lazy_weights_add (EngLazyWeights   *self,
                      const EngBinding *binding,
                      float            *to)
{
  Group *group = &self->groups[find_group (self, binding->slot)];
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, binding->tensor));

  if (number == 0) {
    Lot lot = { *binding, to, FALSE };

    g_array_append_val (self->lots, lot);
    number = self->lots->len;
    g_hash_table_insert (self->numbers, (gpointer) binding->tensor, GUINT_TO_POINTER (number));
  }
  number--;
  if (!group->lots)
    group->lots = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < group->lots->len; i++)
    if (g_array_index (group->lots, guint, i) == number)
      return;
  g_array_append_val (group->lots, number);
}

void
eng_lazy_weights_need (EngLazyWeights *self,
                       EngKind         kind,
                       int             layer)
{
  if (self)
    need (self, self->first[kind] + 1 + layer);
}

void
eng_lazy_weights_need_head (EngLazyWeights *self,
                            EngTask         task)
{
  if (!self)
    return;
  need (self, self->heads + task);
  if (self->loaded->spec.heads[task].input == ENG_HEAD_POOLED)
    need (self, self->heads + ENG_N_TASKS);
}

gboolean
eng_lazy_weights_check (const EngLazyWeights  *self,
                        GError               **error)
{
  return !self || !g_atomic_int_get (&self->broken) ||
         eng_tensor_set_check_files (self->loaded->file, error);
}

gsize
eng_lazy_weights_get_n_widened (const EngLazyWeights *self)
{
  return self->n_widened;
}
