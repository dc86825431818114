/* SPDX-License-Identifier: MIT */
#include "engine/families/weights-written.h"

#include "engine/families/lazy-weights.h"

#include <string.h>

/* Whether the base model is saved by itself: "BertModel". */
static gboolean
is_alone (const EngConfig *config)
{
  g_autofree char *name = g_strconcat (config->family->class_prefix, "Model", NULL);

  return g_strcmp0 (config->architecture, name) == 0;
}

/* The base model's tensors have its name before theirs, those of heads have none. */
static const char *
intern_name (const EngWeightsLoader *loader,
             const EngBinding       *binding)
{
  const guint8 *slot = (const guint8 *) binding->slot;
  const EngHeadWeights *heads = loader->loaded->weights.heads;
  gboolean of_head = slot >= (const guint8 *) heads &&
                     slot < (const guint8 *) (heads + ENG_N_TASKS);
  const char *prefix = of_head || is_alone (loader->config) ? ""
                                                            : loader->config->family->tensor_prefix;
  g_autofree char *name = g_strconcat (prefix, binding->tensor->name, NULL);

  return g_intern_string (name);
}

void
eng_weights_list_written (const EngWeightsLoader *loader)
{
  EngLoadedWeights *loaded = loader->loaded;
  g_autoptr (GHashTable) listed = g_hash_table_new (NULL, NULL);

  loaded->written = g_array_new (FALSE, FALSE, sizeof (EngWrittenTensor));
  for (guint i = 0; i < loader->bindings->len; i++) {
    const EngBinding *binding = &g_array_index (loader->bindings, EngBinding, i);
    EngWrittenTensor tensor = {
      .name = intern_name (loader, binding),
      .rank = binding->tensor->rank,
      .n_elements = (gsize) binding->tensor->n_elements,
      .place = (gsize) (*binding->slot - binding->first - loaded->widened),
      .transposed = binding->transposed,
      .n_heads = binding->n_heads,
      .n_slices = binding->n_slices,
      .one_less = binding->one_less,
    };

    if (!g_hash_table_add (listed, (gpointer) binding->tensor))
      continue;
    memcpy (tensor.shape, binding->tensor->shape, sizeof tensor.shape);
    g_array_append_val (loaded->written, tensor);
  }
}
