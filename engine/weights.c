/* SPDX-License-Identifier: MIT */
#include "engine/weights.h"

#include "engine/families/family.h"
#include "engine/pool.h"
#include "engine/safetensors.h"
#include "engine/shards.h"

#include <string.h>
#include <sys/mman.h>

#define WEIGHTS_FILE "model.safetensors"
#define WEIGHTS_INDEX "model.safetensors.index.json"
#define HUGE_PAGE ((gsize) 2 << 20)
#define ALIGNMENT 16     /* floats: a cache line */
#define PIECE (1 << 18)  /* elements widened at once */

/* A pointer to be set once all tensors are known to be right. */
typedef struct {
  const float     **slot;
  const EngTensor  *tensor;
} Binding;

typedef struct {
  EngLoadedWeights *loaded;
  const EngConfig  *config;
  const char       *path;
  GHashTable       *names;    /* normalised name → EngTensor */
  GArray           *bindings; /* of Binding */
} Loader;

static void
loader_clear (Loader *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->bindings, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loader, loader_clear)

static gboolean
index_names (Loader  *self,
             GError **error)
{
  const EngTensorSet *file = self->loaded->file;

  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (file); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (file, i);
    g_autofree char *name = eng_weights_normalise_name (self->config->family, tensor->name);
    const EngTensor *other = g_hash_table_lookup (self->names, name);

    if (other) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                   "%s: the tensors %s and %s are the same part of the model",
                   self->path, other->name, tensor->name);
      return FALSE;
    }
    g_hash_table_insert (self->names, g_steal_pointer (&name), (gpointer) tensor);
  }

  return TRUE;
}

/* The tensor of a name, else what stands in for it. Two tied tensors with the same bytes become
 * one, the earlier in the file, so that a widened model does not keep its largest table twice. */
static const EngTensor *
find_tensor (Loader      *self,
             const char  *name,
             const char  *stand_in,
             GError     **error)
{
  const EngTensor *tensor = g_hash_table_lookup (self->names, name);
  const EngTensor *other = stand_in ? g_hash_table_lookup (self->names, stand_in) : NULL;

  if (!tensor && !other)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: the tensor %s is missing", self->path,
                 name);

  if (!tensor)
    return other;
  if (other && other < tensor && other->type == tensor->type && other->n_bytes == tensor->n_bytes &&
      memcmp (other->data, tensor->data, tensor->n_bytes) == 0)
    return other;

  return tensor;
}

static gboolean
check_tensor (const Loader    *self,
              const EngTensor *tensor,
              int              rank,
              const gint64    *shape,
              GError         **error)
{
  if (!eng_tensor_has_shape (tensor, rank, shape)) {
    EngTensor expected = { .rank = rank };
    g_autofree char *found_text = eng_tensor_dup_shape (tensor);
    g_autofree char *expected_text = NULL;

    memcpy (expected.shape, shape, (gsize) rank * sizeof *shape);
    expected_text = eng_tensor_dup_shape (&expected);
    g_set_error (error, ENG_ERROR, ENG_ERROR_SHAPE,
                 "%s: the tensor %s has the shape %s, expected %s from the sizes in config.json",
                 self->path, tensor->name, found_text, expected_text);
    return FALSE;
  }

  switch (tensor->type) {
  case ENG_TYPE_F32:
  case ENG_TYPE_F16:
  case ENG_TYPE_BF16:
  case ENG_TYPE_F64:
    return TRUE;
  default:
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: the tensor %s is stored as %s, expected F32, F16, BF16 or F64",
                 self->path, tensor->name, tensor->type_name);
    return FALSE;
  }
}

static gboolean
bind (Loader        *self,
      const float  **slot,
      const char    *name,
      const char    *stand_in,
      int            rank,
      const gint64  *shape,
      GError       **error)
{
  Binding binding = { slot, find_tensor (self, name, stand_in, error) };

  if (!binding.tensor || !check_tensor (self, binding.tensor, rank, shape, error))
    return FALSE;
  g_array_append_val (self->bindings, binding);

  return TRUE;
}

/* weight_name: the tensor whose rows count where the config states no labels. */
static gint64
get_size (const Loader *self,
          EngSize       size,
          const char   *weight_name)
{
  const EngSpec *spec = &self->config->spec;
  const EngTensor *weight;

  switch (size) {
  case ENG_SIZE_HIDDEN:
    return spec->hidden_size;
  case ENG_SIZE_INTERMEDIATE:
    return spec->intermediate_size;
  case ENG_SIZE_VOCABULARY:
    return spec->vocab_size;
  case ENG_SIZE_POSITIONS:
    return spec->n_positions;
  case ENG_SIZE_TYPES:
    return spec->n_types;
  case ENG_SIZE_LABELS:
    weight = g_hash_table_lookup (self->names, weight_name);
    if (self->config->n_labels == 0 && weight && weight->rank > 0 &&
        weight->shape[0] <= G_MAXUINT16)
      return MAX (weight->shape[0], 1);
    return MAX (self->config->n_labels, 1);
  case ENG_SIZE_TWO:
    return 2;
  }

  g_return_val_if_reached (0);
}

/* Finds the tensors of a part; base is the struct that part->offset counts in. */
static gboolean
bind_part (Loader         *self,
           const EngPart  *part,
           const char     *prefix,
           gpointer        base,
           GError        **error)
{
  g_autofree char *name = g_strconcat (prefix, part->name, NULL);
  g_autofree char *weight_name =
    g_strconcat (name, part->kind == ENG_PART_TABLE ? NULL : ".weight", NULL);
  g_autofree char *bias_name = g_strconcat (name, ".bias", NULL);
  const char *tied_to = self->config->tied ? part->tied_to : NULL;
  gint64 shape[2] = { get_size (self, part->rows, weight_name),
                      get_size (self, part->cols, weight_name) };
  gpointer member = G_STRUCT_MEMBER_P (base, part->offset);
  EngLinear *linear = member;
  EngNorm *norm = member;

  switch (part->kind) {
  case ENG_PART_TABLE:
    return bind (self, member, weight_name, tied_to, 2, shape, error);
  case ENG_PART_NORM:
    return bind (self, &norm->weight, weight_name, NULL, 1, shape, error) &&
           bind (self, &norm->bias, bias_name, NULL, 1, shape, error);
  case ENG_PART_LINEAR:
    linear->out = (int) shape[0];
    linear->in = (int) shape[1];
    return bind (self, &linear->weight, weight_name, tied_to, 2, shape, error) &&
           bind (self, &linear->bias, bias_name, part->bias_name, 1, shape, error);
  }

  g_return_val_if_reached (FALSE);
}

static gboolean
bind_parts (Loader         *self,
            const EngPart  *parts,
            int             n_parts,
            const char     *prefix,
            gpointer        base,
            GError        **error)
{
  for (int i = 0; i < n_parts; i++)
    if (!bind_part (self, &parts[i], prefix, base, error))
      return FALSE;

  return TRUE;
}

static gboolean
bind_layers (Loader  *self,
             GError **error)
{
  const EngFamily *family = self->config->family;
  EngWeights *weights = &self->loaded->weights;

  weights->layers = g_new0 (EngLayerWeights, self->config->spec.n_layers);
  for (int i = 0; i < self->config->spec.n_layers; i++) {
    g_autofree char *prefix = g_strdup_printf ("%s%d.", family->layer_prefix, i);

    if (!bind_parts (self, family->layer_parts, family->n_layer_parts, prefix,
                     &weights->layers[i], error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
bind_heads (Loader  *self,
            GError **error)
{
  const EngFamily *family = self->config->family;
  EngLoadedWeights *loaded = self->loaded;
  g_autofree char *pooler_weight = g_strconcat (family->pooler->name, ".weight", NULL);
  gboolean pooled = g_hash_table_contains (self->names, pooler_weight);

  for (int i = 0; i < family->n_heads; i++) {
    const EngHeadParts *head = &family->heads[i];
    EngHeadWeights *weights = &loaded->weights.heads[head->task];

    if (!g_hash_table_contains (self->names, head->marker) ||
        (head->applies && !head->applies (self->config, self->names)))
      continue;
    if (!bind_parts (self, head->parts, head->n_parts, "", weights, error))
      return FALSE;

    loaded->spec.heads[head->task] = (EngHeadSpec) {
      .present = TRUE,
      .input = head->input,
      .has_transform = head->has_transform,
      .activation = self->config->spec.activation,
      .n_classes = weights->output.out,
    };
    pooled |= head->input == ENG_HEAD_POOLED;
  }

  return !pooled || bind_part (self, family->pooler, "", &loaded->weights, error);
}

/* Counts each tensor once and finds the room that those take which cannot be used where they lie.
 * Returns tensor → its place in the widened block, G_MAXSIZE for a view into the file. */
static GHashTable *
lay_out (Loader *self)
{
  EngLoadedWeights *loaded = self->loaded;
  GHashTable *places = g_hash_table_new (NULL, NULL);
  gint64 largest = 0;

  for (guint i = 0; i < self->bindings->len; i++) {
    const EngTensor *tensor = g_array_index (self->bindings, Binding, i).tensor;
    gsize place = G_MAXSIZE;

    if (g_hash_table_contains (places, tensor))
      continue;
    loaded->n_parameters += tensor->n_elements;
    if (tensor->n_elements > largest) {
      largest = tensor->n_elements;
      loaded->stored_type = tensor->type;
      loaded->stored_type_name = g_intern_string (tensor->type_name);
    }
    if (!eng_tensor_is_plain_f32 (tensor)) {
      place = loaded->n_widened;
      loaded->n_widened += ((gsize) tensor->n_elements + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    g_hash_table_insert (places, (gpointer) tensor, GSIZE_TO_POINTER (place));
  }

  return places;
}

/* Pieces of tensors to widen, of a size that keeps every thread busy to the end. */
typedef struct {
  EngTensor  from;
  float     *to;
} Piece;

static void
widen_piece (int      chunk,
             int      worker,
             gpointer data)
{
  const Piece *piece = &g_array_index ((GArray *) data, Piece, chunk);

  eng_tensor_widen (&piece->from, piece->to);
}

static void
add_pieces (GArray          *pieces,
            const EngTensor *tensor,
            float           *to)
{
  gsize size = eng_type_get_size (tensor->type);

  for (gint64 first = 0; first < tensor->n_elements; first += PIECE) {
    Piece piece = { *tensor, to + first };

    piece.from.data += (gsize) first * size;
    piece.from.n_elements = MIN (PIECE, tensor->n_elements - first);
    piece.from.n_bytes = (gsize) piece.from.n_elements * size;
    g_array_append_val (pieces, piece);
  }
}

static void
place_tensors (Loader *self)
{
  EngLoadedWeights *loaded = self->loaded;
  g_autoptr (GHashTable) places = lay_out (self);
  g_autoptr (GHashTable) added = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  gsize n_bytes = loaded->n_widened * sizeof (float);

  if (n_bytes > 0)
    loaded->widened = g_aligned_alloc (1, n_bytes, HUGE_PAGE);
  /* A hint alone: without huge pages the first touch costs a fault every 4 KiB. */
  if (n_bytes >= HUGE_PAGE)
    madvise (loaded->widened, n_bytes, MADV_HUGEPAGE);

  for (guint i = 0; i < self->bindings->len; i++) {
    const Binding *binding = &g_array_index (self->bindings, Binding, i);
    gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (places, binding->tensor));

    if (place == G_MAXSIZE) {
      *binding->slot = (const float *) (gconstpointer) binding->tensor->data;
      continue;
    }
    *binding->slot = loaded->widened + place;
    if (g_hash_table_add (added, (gpointer) binding->tensor))
      add_pieces (pieces, binding->tensor, loaded->widened + place);
  }
  eng_pool_run ((int) pieces->len, widen_piece, pieces, NULL);
}

EngTensorSet *
eng_weights_open_file (const char  *folder,
                       GError     **error)
{
  g_autofree char *path = g_build_filename (folder, WEIGHTS_FILE, NULL);
  g_autofree char *index = g_build_filename (folder, WEIGHTS_INDEX, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return eng_safetensors_open (path, error);
  if (g_file_test (index, G_FILE_TEST_EXISTS))
    return eng_shards_open (index, eng_safetensors_open, error);

  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: is a link to a file that is not there",
                 path);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: no weights in this folder, expected %s or %s", folder, WEIGHTS_FILE,
                 WEIGHTS_INDEX);

  return NULL;
}

char *
eng_weights_normalise_name (const EngFamily *family,
                            const char      *name)
{
  static const struct {
    const char *old;
    const char *now;
  } suffixes[] = { { "LayerNorm.gamma", "weight" }, { "LayerNorm.beta", "bias" } };

  if (g_str_has_prefix (name, "module."))
    name += strlen ("module.");
  if (g_str_has_prefix (name, family->tensor_prefix))
    name += strlen (family->tensor_prefix);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i].old)) {
      int stem = (int) (strrchr (name, '.') - name);

      return g_strdup_printf ("%.*s.%s", stem, name, suffixes[i].now);
    }

  return g_strdup (name);
}

EngLoadedWeights *
eng_weights_load (EngTensorSet     *file,
                  const EngConfig  *config,
                  GError          **error)
{
  g_autoptr (EngLoadedWeights) loaded = g_new0 (EngLoadedWeights, 1);
  g_auto (Loader) loader = { .loaded = loaded, .config = config,
                             .path = eng_tensor_set_get_path (file) };

  loaded->file = eng_tensor_set_ref (file);
  loaded->spec = config->spec;
  loader.bindings = g_array_new (FALSE, FALSE, sizeof (Binding));

  if (!index_names (&loader, error) ||
      !bind_parts (&loader, config->family->parts, config->family->n_parts, "", &loaded->weights,
                   error) ||
      !bind_layers (&loader, error) ||
      !bind_heads (&loader, error))
    return NULL;
  place_tensors (&loader);

  return g_steal_pointer (&loaded);
}

void
eng_weights_free (EngLoadedWeights *self)
{
  g_clear_pointer (&self->file, eng_tensor_set_unref);
  g_aligned_free (self->widened);
  g_free (self->weights.layers);
  g_free (self);
}
