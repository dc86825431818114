/* SPDX-License-Identifier: MIT */
#include "engine/families/weights-place.h"

#include "engine/families/family.h"
#include "engine/kernels/memory.h"
#include "engine/kernels/pool.h"
#include "engine/spec/positions.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((gsize) 2 << 20)
#define ALIGNMENT 16     /* floats: a cache line */
#define PIECE (1 << 18)  /* elements widened at once */
#define MOVED_ROWS 32    /* rows of a file that are moved at once */
#define DEVIATION 0.02f  /* of the weights of an untrained model */

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

/* Uniform in (0, 1), of a linear congruential generator (Knuth's MMIX). */
static float
draw (guint64 *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;

  return ((float) (*state >> 41) + 0.5f) / (float) (1 << 23);
}

/* Norms are vectors called weight, biases vectors called anything else. */
static void
make_up (const EngTensor *tensor,
         guint64         *state,
         float           *out)
{
  gboolean is_norm = tensor->rank == 1 && g_str_has_suffix (tensor->name, "weight");

  for (gint64 i = 0; i < tensor->n_elements; i++)
    out[i] = tensor->rank > 1 ? DEVIATION * sqrtf (-2 * logf (draw (state))) *
                                  cosf (2 * (float) G_PI * draw (state))
                              : (float) is_norm;
}

static gsize
round_up (gsize n)
{
  return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void
reserve (EngLoadedWeights *self,
         gsize             n,
         gsize            *place)
{
  *place = self->n_widened;
  self->n_widened += round_up (n);
}

/* Counts each tensor once and finds the room that those take which cannot be used where they lie.
 * Returns tensor → its place in the widened block, G_MAXSIZE for a view into the file. */
static GHashTable *
lay_out (EngLoadedWeights *self,
         const GArray     *bindings)
{
  GHashTable *places = g_hash_table_new (NULL, NULL);
  const EngTensor *telling = NULL;

  for (guint i = 0; i < bindings->len; i++) {
    const EngBinding *binding = &g_array_index (bindings, EngBinding, i);
    const EngTensor *tensor = binding->tensor;
    gsize place = G_MAXSIZE;

    if (g_hash_table_contains (places, tensor))
      continue;
    self->n_parameters += tensor->n_elements;
    if (eng_tensor_tells_more (tensor, telling)) {
      telling = tensor;
      self->stored_type = tensor->type;
      self->stored_type_name = g_intern_string (tensor->type_name);
    }
    if (!tensor->data || get_order (binding) != ORDER_SAME || binding->n_heads > 0 ||
        binding->one_less || !eng_tensor_is_plain_f32 (tensor))
      reserve (self, (gsize) tensor->n_elements, &place);
    g_hash_table_insert (places, (gpointer) tensor, GSIZE_TO_POINTER (place));
  }

  return places;
}

/* Whether a stack needs a table of sines because no tensor is one. */
static gboolean
lacks_table (const EngLoadedWeights *self,
             const EngConfig        *config,
             const GArray           *bindings,
             int                     kind)
{
  if (!config->family->sinusoid || self->spec.stacks[kind].n_layers == 0)
    return FALSE;
  for (guint i = 0; i < bindings->len; i++)
    if (g_array_index (bindings, EngBinding, i).slot == &self->weights.stacks[kind].position)
      return FALSE;

  return TRUE;
}

static gboolean
check_memory (gsize        n_bytes,
              const char  *what,
              GError     **error)
{
  gint64 available = eng_memory_get_available ();

  if (n_bytes <= (guint64) available)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: its weights take %" G_GSIZE_FORMAT " MB as float32, and %" G_GINT64_FORMAT
               " MB of memory are free; a file that holds them as F32 is read where it lies", what,
               n_bytes / 1000000, available / 1000000);

  return FALSE;
}

static gboolean
allocate (EngLoadedWeights  *self,
          const char        *what,
          GError           **error)
{
  gsize n_bytes = self->n_widened * sizeof (float);

  if (!check_memory (n_bytes, what, error))
    return FALSE;
  if (n_bytes > 0)
    self->widened = g_aligned_alloc (1, n_bytes, HUGE_PAGE);
  /* A hint alone: without huge pages the first touch costs a fault every 4 KiB. */
  if (n_bytes >= HUGE_PAGE)
    madvise (self->widened, n_bytes, MADV_HUGEPAGE);

  return TRUE;
}

/* What a file holds that is one less than the weight. */
static void
add_ones (EngLoadedWeights *self,
          GHashTable       *places,
          const GArray     *bindings)
{
  for (guint i = 0; i < bindings->len; i++) {
    const EngBinding *binding = &g_array_index (bindings, EngBinding, i);
    gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (places, binding->tensor));

    if (!binding->one_less || !binding->tensor->data)
      continue;
    for (gint64 k = 0; k < binding->tensor->n_elements; k++)
      self->widened[place + k] += 1;
  }
}

gboolean
eng_weights_place (EngLoadedWeights  *self,
                   const EngConfig   *config,
                   const GArray      *bindings,
                   const guint32     *seed,
                   const char        *what,
                   GError           **error)
{
  g_autoptr (GHashTable) places = lay_out (self, bindings);
  g_autoptr (GHashTable) added = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  guint64 state = seed ? *seed : 0;
  gboolean lacks[] = { lacks_table (self, config, bindings, 0),
                       lacks_table (self, config, bindings, 1) };
  gsize table = 0;

  if (lacks[0] || lacks[1])
    reserve (self, (gsize) self->spec.embedding.n_positions * self->spec.hidden_size, &table);
  if (!allocate (self, what, error))
    return FALSE;

  for (guint i = 0; i < bindings->len; i++) {
    const EngBinding *binding = &g_array_index (bindings, EngBinding, i);
    gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (places, binding->tensor));

    if (place == G_MAXSIZE) {
      *binding->slot = (const float *) (gconstpointer) binding->tensor->data + binding->first;
      self->reads_file = TRUE;
      continue;
    }
    *binding->slot = self->widened + place + binding->first;
    if (!g_hash_table_add (added, (gpointer) binding->tensor))
      continue;
    if (!binding->tensor->data && seed)
      make_up (binding->tensor, &state, self->widened + place);
    else if (!binding->tensor->data)
      memset (self->widened + place, 0,
              round_up ((gsize) binding->tensor->n_elements) * sizeof (float));
    else if (binding->n_heads > 0)
      add_head_pieces (pieces, binding, self->widened + place);
    else
      add_pieces (pieces, binding, self->widened + place);
  }
  eng_pool_run ((int) pieces->len, copy_piece, pieces, NULL);
  add_ones (self, places, bindings);

  /* One table for all stacks that lack theirs. */
  if (lacks[0] || lacks[1])
    eng_positions_fill_sinusoid (config->family->sinusoid, self->spec.embedding.position_offset,
                                 self->spec.embedding.n_positions, self->spec.hidden_size,
                                 self->widened + table);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (lacks[kind])
      self->weights.stacks[kind].position = self->widened + table;

  return TRUE;
}
