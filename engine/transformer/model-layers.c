/* SPDX-License-Identifier: MIT */
#include "engine/transformer/model-layers.h"

#include "engine/transformer/model-private.h"

static const EngStackSpec *
get_stack (const EngModel *self)
{
  const EngSpec *spec = eng_model_get_spec (self);

  return &spec->stacks[eng_spec_get_first_kind (spec)];
}

/* "0, 2 and 5 to 8": three in a row are a range. */
static char *
list_layers (const EngStackSpec *stack,
             int                 sort)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (int layer = 0, end; layer < stack->n_layers; layer = end) {
    end = layer + 1;
    if (stack->sort_of_layer[layer] != sort)
      continue;
    while (end < stack->n_layers && stack->sort_of_layer[end] == sort)
      end++;
    if (end - layer < 3)
      end = layer + 1;
    g_ptr_array_add (parts, end - layer > 1 ? g_strdup_printf ("%d to %d", layer, end - 1)
                                            : g_strdup_printf ("%d", layer));
  }
  for (guint i = 0; i < parts->len; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0 ? "" : i + 1 < parts->len ? ", " : " and ",
                            (const char *) g_ptr_array_index (parts, i));

  return g_string_free (text, FALSE);
}

/* "all layers", "layer 1", "layers 0 and 2" */
static char *
name_layers (const EngStackSpec *stack,
             int                 sort)
{
  g_autofree char *list = list_layers (stack, sort);
  int n = 0;

  for (int layer = 0; layer < stack->n_layers; layer++)
    n += stack->sort_of_layer[layer] == sort;
  if (n == stack->n_layers)
    return g_strdup ("all layers");

  return g_strdup_printf ("layer%s %s", n == 1 ? "" : "s", list);
}

static void
append_reach (const EngAttentionSpec *heads,
              GString                *text)
{
  const EngBlocks *blocks = &heads->blocks;

  if (blocks->size > 0)
    g_string_append_printf (text, ", of texts of more than %d tokens: blocks of %d tokens",
                            (5 + 2 * blocks->n_random) * blocks->size, blocks->size);
  else
    g_string_append_printf (text, ": %d tokens", eng_attention_spec_get_span (heads));
  if (heads->window > 0 && !heads->causal)
    g_string_append_printf (text, ", %d to each side", heads->window - 1);
}

char *
eng_model_describe_local_layers (const EngModel *self)
{
  const EngStackSpec *stack = get_stack (self);
  GString *text = g_string_new (NULL);

  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++) {
    const EngAttentionSpec *heads = &stack->sorts[sort].self;
    g_autofree char *layers = name_layers (stack, sort);

    if (!eng_stack_spec_uses_sort (stack, sort) ||
        (heads->window == 0 && heads->blocks.size == 0))
      continue;
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", layers);
    append_reach (heads, text);
  }

  return g_string_free (text, text->len == 0);
}

char *
eng_model_describe_shared_layers (const EngModel *self)
{
  const EngStackSpec *stack = get_stack (self);
  int n_inner = stack->sharing.n_inner;
  g_autofree char *layers = n_inner == 1 ? g_strdup ("one layer")
                                         : g_strdup_printf ("%d layers", n_inner);
  GString *text;
  int n_uses;

  if (stack->sharing.n_groups == 0)
    return NULL;
  text = g_string_new (NULL);
  for (int layer = 0; layer < stack->n_layers; layer += n_uses * n_inner) {
    n_uses = eng_stack_spec_count_uses (stack, layer);
    g_string_append_printf (text, "%s%s, read ", text->len > 0 ? "; " : "", layers);
    if (n_uses == 1)
      g_string_append (text, "once");
    else
      g_string_append_printf (text, "%d times", n_uses);
  }

  return g_string_free (text, FALSE);
}
