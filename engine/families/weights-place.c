/* SPDX-License-Identifier: MIT */
#include "engine/families/weights-place.h"

#include "engine/families/family.h"
#include "engine/kernels/memory.h"
#include "engine/spec/positions.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((gsize) 2 << 20)
#define ALIGNMENT 16     /* floats: a cache line */
#define DEVIATION 0.02f  /* of the weights of an untrained model */

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
    if (!tensor->data || eng_binding_moves (binding) || binding->one_less ||
        !eng_tensor_is_plain_f32 (tensor))
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

gboolean
eng_weights_place (EngLoadedWeights  *self,
                   const EngConfig   *config,
                   const GArray      *bindings,
                   const guint32     *seed,
                   const char        *what,
                   GError           **error)
{
  g_autoptr (GHashTable) places = lay_out (self, bindings);
  g_autoptr (GHashTable) made = g_hash_table_new (NULL, NULL);
  guint64 state = seed ? *seed : 0;
  gboolean lacks[] = { lacks_table (self, config, bindings, 0),
                       lacks_table (self, config, bindings, 1) };
  gsize table = 0;

  if (lacks[0] || lacks[1])
    reserve (self, (gsize) self->spec.embedding.n_positions * self->spec.hidden_size, &table);
  if (!allocate (self, what, error))
    return FALSE;
  self->lazy = self->weights.lazy = eng_lazy_weights_new (self);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    self->weights.stacks[kind].lazy = self->lazy;

  for (guint i = 0; i < bindings->len; i++) {
    const EngBinding *binding = &g_array_index (bindings, EngBinding, i);
    gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (places, binding->tensor));

    if (place == G_MAXSIZE) {
      *binding->slot = (const float *) (gconstpointer) binding->tensor->data + binding->first;
      self->reads_file = TRUE;
      continue;
    }
    *binding->slot = self->widened + place + binding->first;
    if (binding->tensor->data)
      eng_lazy_weights_add (self->lazy, binding, self->widened + place);
    else if (!g_hash_table_add (made, (gpointer) binding->tensor))
      continue;
    else if (seed)
      make_up (binding->tensor, &state, self->widened + place);
    else
      memset (self->widened + place, 0,
              round_up ((gsize) binding->tensor->n_elements) * sizeof (float));
  }

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
