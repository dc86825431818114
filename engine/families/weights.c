/* SPDX-License-Identifier: MIT */
#include "engine/families/weights.h"

#include "engine/families/weights-heads.h"
#include "engine/families/weights-place.h"
#include "engine/families/weights-written.h"

#include <string.h>

#define MAX_MADE (G_GINT64_CONSTANT (1) << 31)

typedef EngWeightsLoader Loader;

static void
loader_clear (Loader *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->bindings, g_array_unref);
  g_clear_pointer (&self->made, g_ptr_array_unref);
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
    g_autofree char *name = eng_family_normalise_name (self->config->family, tensor->name);
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

/* A tensor of a model without a file. */
static const EngTensor *
make_tensor (Loader       *self,
             const char   *name,
             int           rank,
             const gint64 *shape)
{
  EngTensor *tensor = g_new0 (EngTensor, 1);

  tensor->name = g_strdup (name);
  tensor->type = ENG_TYPE_F32;
  tensor->type_name = eng_type_get_name (ENG_TYPE_F32);
  tensor->rank = rank;
  tensor->n_elements = 1;
  for (int i = 0; i < rank; i++) {
    tensor->shape[i] = shape[i];
    tensor->n_elements *= shape[i];
  }
  g_ptr_array_add (self->made, tensor);
  g_hash_table_insert (self->names, g_strdup (name), tensor);

  return tensor;
}

/* Names of one thing, the first that is there counts. */
typedef struct {
  const char        *name;
  const char *const *aliases;   /* NULL, or [n_aliases], NULL where there are fewer */
  int                n_aliases;
  const char *const *stand_ins; /* the same for tied tensors */
  int                n_stand_ins;
} Names;

static const EngTensor *
find_first (const Loader      *self,
            const char *const *names,
            int                n)
{
  for (int i = 0; i < n && names[i]; i++) {
    const EngTensor *tensor = g_hash_table_lookup (self->names, names[i]);

    if (tensor)
      return tensor;
  }

  return NULL;
}

/* The earliest in the file of tensor and those of names that hold the same bytes. */
static const EngTensor *
find_twin (const Loader      *self,
           const EngTensor   *tensor,
           const char *const *names,
           int                n)
{
  for (int i = 0; i < n && names[i]; i++) {
    const EngTensor *other = g_hash_table_lookup (self->names, names[i]);

    if (other && other < tensor && other->type == tensor->type &&
        other->n_bytes == tensor->n_bytes && other->n_bytes > 0 &&
        (other->data == tensor->data ||
         memcmp (other->data, tensor->data, tensor->n_bytes) == 0))
      tensor = other;
  }

  return tensor;
}

/* The tensor of a name, else what stands in for it; NULL when there is none. Tied tensors with the
 * same bytes become one, so that a widened model does not keep its largest table twice. */
static const EngTensor *
find_tensor (const Loader *self,
             const Names  *names)
{
  const EngTensor *tensor = g_hash_table_lookup (self->names, names->name);

  if (!tensor)
    tensor = find_first (self, names->aliases, names->n_aliases);
  if (!tensor)
    tensor = find_first (self, names->stand_ins, names->n_stand_ins);
  if (!tensor || self->made)
    return tensor;

  tensor = find_twin (self, tensor, names->aliases, names->n_aliases);
  return find_twin (self, tensor, names->stand_ins, names->n_stand_ins);
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

  if (eng_type_is_quantised (tensor->type))
    return TRUE;
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

/* weight_name: the tensor whose rows count where the config states no labels. */
static gint64
get_size (const Loader *self,
          EngSize       size,
          const char   *weight_name)
{
  const EngTensor *weight;

  if (size != ENG_SIZE_LABELS)
    return eng_family_get_size (size, &self->loaded->spec, self->stack, self->layer);

  weight = g_hash_table_lookup (self->names, weight_name);
  if (self->config->n_labels == 0 && weight && weight->rank > 0 &&
      weight->shape[0] <= G_MAXUINT16)
    return MAX (weight->shape[0], 1);
  return MAX (self->config->n_labels, self->made ? 2 : 1);
}

/* Rows of the tensor that holds a part of n rows; *before (out): of those before the part. */
static gint64
count_rows (const Loader  *self,
            const EngPart *part,
            gint64         n,
            gint64        *before)
{
  gint64 total = 0;

  *before = 0;
  for (int i = 0; i < part->n_slices; i++) {
    total += get_size (self, part->slices[i], NULL);
    *before += i < part->slice ? total - *before : 0;
  }
  return part->n_slices > 0 ? total : n;
}

static gboolean
bind_tensor (Loader          *self,
             const float    **slot,
             const EngTensor *tensor,
             const EngPart   *part,
             int              rank,
             const gint64    *shape,
             GError         **error)
{
  gint64 n_before, n_rows = count_rows (self, part, shape[0], &n_before);
  gint64 stored[3] = { n_rows, rank > 1 ? shape[1] : 1, rank > 2 ? shape[2] : 1 };
  EngBinding binding = {
    .slot = slot,
    .tensor = tensor,
    .transposed = part->transposed && rank == 2 && !tensor->form.turned,
    .n_heads = part->by_head && !tensor->form.sliced ? self->layer->self.n_heads : 0,
    .n_slices = part->n_slices,
    .first = n_before * stored[1],
    .one_less = part->one_less && !tensor->form.whole,
  };

  if (binding.transposed) {
    gint64 rows = stored[0];

    stored[0] = stored[1];
    stored[1] = rows;
  }
  /* A bias with a row of its own, [1, n], is the same numbers. */
  if (rank == 1 && tensor->rank == 2 && tensor->shape[0] == 1) {
    stored[1] = stored[0];
    stored[0] = 1;
    rank = 2;
  }
  if (!check_tensor (self, tensor, rank, stored, error))
    return FALSE;
  g_array_append_val (self->bindings, binding);

  return TRUE;
}

/* needed FALSE: the slot stays NULL where no tensor is there. */
static gboolean
bind (Loader         *self,
      const float   **slot,
      const Names    *names,
      const EngPart  *part,
      gboolean        needed,
      int             rank,
      const gint64   *shape,
      GError        **error)
{
  const EngTensor *tensor = find_tensor (self, names);

  if (!tensor && self->made) {
    gboolean shared = self->lays_out && part->is_shared &&
                      eng_spec_has_cross (&self->loaded->spec);
    gint64 n_before, n_rows = count_rows (self, part, shape[0], &n_before);
    gint64 whole[3] = { n_rows, rank > 1 ? shape[1] : 1, rank > 2 ? shape[2] : 1 };
    gint64 turned[2] = { whole[1], whole[0] };

    tensor = make_tensor (self, shared ? names->aliases[0] : names->name, rank,
                          part->transposed && rank == 2 ? turned : whole);
  }
  if (!tensor && !needed)
    return TRUE;
  if (!tensor) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: the tensor %s is missing", self->path,
                 names->name);
    return FALSE;
  }

  return bind_tensor (self, slot, tensor, part, rank, shape, error);
}

/* name: that of a bias beside the weight; prefix: of the part's own names. */
static gboolean
bind_bias (Loader         *self,
           const float   **slot,
           const EngPart  *part,
           const char     *prefix,
           const char     *name,
           const gint64   *shape,
           GError        **error)
{
  g_autofree char *own = part->bias_name ? g_strconcat (prefix, part->bias_name, NULL) : NULL;
  const char *const aliases[] = { own };
  Names names = { .name = name, .aliases = aliases, .n_aliases = 1 };
  EngPart whole = *part;
  EngBias bias = part->bias;

  if (own && !g_hash_table_contains (self->names, name)) {
    whole.n_slices = 0;
    whole.by_head = FALSE;
    part = &whole;
    names.name = self->made ? own : name;
  }

  if (bias == ENG_BIAS_OF_ATTENTION)
    bias = self->layer->self.has_bias ? ENG_BIAS_NEEDED : ENG_BIAS_NONE;
  if (bias == ENG_BIAS_OF_FEED_FORWARD)
    bias = self->layer->feed_forward.has_bias ? ENG_BIAS_NEEDED : ENG_BIAS_NONE;
  if (bias == ENG_BIAS_OF_NORM)
    bias = self->layer->norm.has_bias ? ENG_BIAS_NEEDED : ENG_BIAS_NONE;
  if (bias == ENG_BIAS_IF_THERE && self->lays_out && part->bias_is_row)
    make_tensor (self, own, 2, (const gint64[]) { 1, shape[0] });
  else if (bias == ENG_BIAS_NONE || (bias == ENG_BIAS_IF_THERE && self->made))
    return TRUE;

  return bind (self, slot, &names, part, bias == ENG_BIAS_NEEDED, 1, shape, error);
}

/* Whether the part's name is a tensor's. */
static gboolean
is_bare (const EngPart *part)
{
  return part->kind == ENG_PART_TABLE || part->kind == ENG_PART_VECTOR;
}

/* Finds the tensors of a part; base is the struct that part->offset counts in. */
static gboolean
bind_part (Loader         *self,
           const EngPart  *part,
           const char     *prefix,
           gpointer        base,
           GError        **error)
{
  g_autofree char *name = eng_family_dup_part_name (prefix, part->name);
  g_autofree char *weight_name =
    g_strconcat (name, is_bare (part) ? NULL : ".weight", NULL);
  g_autofree char *bias_name = g_strconcat (name, ".bias", NULL);
  Names names = {
    weight_name, part->aliases, G_N_ELEMENTS (part->aliases),
    part->tied_to, self->config->tied ? G_N_ELEMENTS (part->tied_to) : 0
  };
  gpointer member = G_STRUCT_MEMBER_P (base, part->offset);
  gint64 shape[3];
  EngLinear *linear = member;
  EngNorm *norm = member;

  if (part->applies && !part->applies (&self->loaded->spec, self->layer))
    return TRUE;
  if (part->optional && (self->made || !find_tensor (self, &names)))
    return TRUE;

  shape[0] = get_size (self, part->rows, weight_name);
  shape[1] = get_size (self, part->cols, weight_name);
  switch (part->kind) {
  case ENG_PART_TABLE:
    return bind (self, member, &names, part, TRUE, 2, shape, error);
  case ENG_PART_VECTOR:
    return bind (self, member, &names, part, TRUE, 1, shape, error);
  case ENG_PART_NORM:
    return bind (self, &norm->weight, &names, part, TRUE, 1, shape, error) &&
           bind_bias (self, &norm->bias, part, prefix, bias_name, shape, error);
  case ENG_PART_LINEAR:
  case ENG_PART_CONVOLUTION:
    shape[2] = part->kind == ENG_PART_LINEAR ? 1 : self->stack->convolution.kernel_size;
    linear->out = (int) shape[0];
    linear->in = (int) (shape[1] * shape[2]);
    return bind (self, &linear->weight, &names, part, TRUE, part->kind == ENG_PART_LINEAR ? 2 : 3,
                 shape, error) &&
           bind_bias (self, &linear->bias, part, prefix, bias_name, shape, error);
  }

  g_return_val_if_reached (FALSE);
}

gboolean
eng_weights_bind_parts (EngWeightsLoader  *self,
                        const EngPart     *parts,
                        int                n_parts,
                        const char        *prefix,
                        gpointer           base,
                        GError           **error)
{
  for (int i = 0; i < n_parts; i++)
    if (!bind_part (self, &parts[i], prefix, base, error))
      return FALSE;

  return TRUE;
}

void
eng_weights_begin_stack (EngWeightsLoader *self,
                         EngKind           kind)
{
  self->stack = &self->loaded->spec.stacks[kind];
  self->layer = &self->stack->sorts[0];
}

static gboolean
bind_stack (Loader   *self,
            EngKind   kind,
            GError  **error)
{
  const EngStackParts *parts = eng_family_get_stack (self->config->family, kind);
  EngStackWeights *weights = &self->loaded->weights.stacks[kind];

  eng_weights_begin_stack (self, kind);
  if (self->stack->n_layers == 0)
    return TRUE;
  if (!eng_weights_bind_parts (self, parts->parts, parts->n_parts, "", weights, error))
    return FALSE;

  weights->layers = g_new0 (EngLayerWeights, self->stack->n_layers);
  for (int i = 0; i < self->stack->n_layers; i++) {
    g_autofree char *prefix = eng_family_dup_layer_name (parts, self->stack, i);

    self->layer = eng_stack_spec_get_layer (self->stack, i);
    if (!eng_weights_bind_parts (self, parts->layer_parts, parts->n_layer_parts, prefix,
                                 &weights->layers[i], error))
      return FALSE;
  }

  return TRUE;
}

/* A file may hold the encoder alone of a model that has a decoder by its config. */
static void
drop_absent_decoder (Loader *self)
{
  EngSpec *spec = &self->loaded->spec;
  const EngStackParts *parts = eng_family_get_stack (self->config->family, ENG_KIND_DECODER);
  GHashTableIter iter;
  gpointer name;

  if (!eng_spec_has_cross (spec))
    return;
  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (g_str_has_prefix (name, parts->layer_prefix))
      return;
  spec->stacks[ENG_KIND_DECODER] = (EngStackSpec) { 0 };
}

static gboolean
bind_all (Loader  *self,
          GError **error)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (!bind_stack (self, (EngKind) kind, error))
      return FALSE;
  eng_weights_bind_heads (self);

  return TRUE;
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
  loader.bindings = g_array_new (FALSE, FALSE, sizeof (EngBinding));

  if (!index_names (&loader, error))
    return NULL;
  drop_absent_decoder (&loader);
  if (!bind_all (&loader, error))
    return NULL;
  if (!eng_weights_place (loaded, config, loader.bindings, NULL, loader.path, error) ||
      !eng_tensor_set_check_files (file, error))
    return NULL;

  return g_steal_pointer (&loaded);
}

static void
made_tensor_free (gpointer data)
{
  EngTensor *tensor = data;

  g_free ((char *) tensor->name);
  g_free (tensor);
}

/* No file confirms the sizes of a model that is made up. */
static gboolean
check_made (const Loader  *self,
            GError       **error)
{
  gint64 n = 0;

  for (guint i = 0; i < self->made->len; i++)
    n += ((const EngTensor *) self->made->pdata[i])->n_elements;
  if (n <= MAX_MADE)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: the sizes in config.json make %" G_GINT64_FORMAT " parameters, expected at "
               "most %" G_GINT64_FORMAT " of a model without weights", self->path, n, MAX_MADE);
  return FALSE;
}

/* seed NULL: zeros. *loader is the caller's to clear. */
static EngLoadedWeights *
make (Loader           *loader,
      const EngConfig  *config,
      const char       *what,
      const guint32    *seed,
      GError          **error)
{
  g_autoptr (EngLoadedWeights) loaded = g_new0 (EngLoadedWeights, 1);

  *loader = (Loader) { .loaded = loaded, .config = config, .path = what, .lays_out = !seed };
  loaded->spec = config->spec;
  loader->bindings = g_array_new (FALSE, FALSE, sizeof (EngBinding));
  loader->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  loader->made = g_ptr_array_new_with_free_func (made_tensor_free);

  if (!bind_all (loader, error) || !check_made (loader, error))
    return NULL;
  if (!eng_weights_place (loaded, config, loader->bindings, seed, what, error))
    return NULL;

  return g_steal_pointer (&loaded);
}

EngLoadedWeights *
eng_weights_make_random (const EngConfig  *config,
                         const char       *what,
                         guint32           seed,
                         GError          **error)
{
  g_auto (Loader) loader = { 0 };

  return make (&loader, config, what, &seed, error);
}

EngLoadedWeights *
eng_weights_lay_out (const EngConfig  *config,
                     const char       *what,
                     GError          **error)
{
  g_auto (Loader) loader = { 0 };
  EngLoadedWeights *loaded = make (&loader, config, what, NULL, error);

  if (loaded)
    eng_weights_list_written (&loader);

  return loaded;
}

void
eng_weights_free (EngLoadedWeights *self)
{
  g_clear_pointer (&self->lazy, eng_lazy_weights_free);
  g_clear_pointer (&self->file, eng_tensor_set_unref);
  g_aligned_free (self->widened);
  g_clear_pointer (&self->written, g_array_unref);
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_free (self->left_out[task]);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    g_free (self->weights.stacks[kind].layers);
  g_free (self);
}
