/* SPDX-License-Identifier: MIT */
#include "engine/steps/diagram.h"

#include "engine/steps/make.h"
#include "engine/steps/way-private.h"
#include "engine/transformer/model-private.h"

typedef struct {
  const EngSpec         *spec;
  const EngWeights      *weights;
  const EngStackSpec    *stack;
  const EngStackWeights *stack_weights;
  EngKind                kind;
  int                    n_tokens;
  int                    group;    /* of blocks that are added; -1 = none */
  GArray                *blocks;   /* of EngDiagramBlock */
  GArray                *groups;   /* of EngDiagramGroup */
  EngDiagram            *made;     /* for groups of layers */
} Drawing;

/* Of [tokens, columns] with so many parameters; name and detail (nullable) are taken. Returns the
 * index. */
static int
add (Drawing      *self,
     EngBlockType  type,
     const char   *name,
     char         *detail,
     int           columns,
     gint64        n_parameters)
{
  EngDiagramBlock block = {
    .type = type,
    .stack = self->kind,
    .group = self->group,
    .name = g_strdup (name),
    .detail = detail,
    .rows = self->n_tokens,
    .columns = columns,
    .n_parameters = n_parameters,
    .residual = ENG_RESIDUAL_NONE,
    .reads = (int) self->blocks->len - 1,
    .task = -1,
  };

  g_array_append_val (self->blocks, block);

  return (int) self->blocks->len - 1;
}

static EngDiagramBlock *
get_last (const Drawing *self)
{
  return &g_array_index (self->blocks, EngDiagramBlock, self->blocks->len - 1);
}

static gint64
count_linear (const EngLinear *linear)
{
  return linear->weight == NULL
         ? 0 : (gint64) linear->out * linear->in + (linear->bias != NULL ? linear->out : 0);
}

static void
add_norm (Drawing           *self,
          const EngNormSpec *spec,
          const EngNorm     *norm,
          int                size)
{
  gint64 n = (norm->weight != NULL ? size : 0) + (norm->bias != NULL ? size : 0);

  add (self, ENG_BLOCK_NORM, spec->kind == ENG_NORM_RMS ? "RMS norm" : "Layer norm", NULL, size, n);
}

static char *
describe_embedding (const Drawing *self)
{
  const EngStackWeights *weights = self->stack_weights;

  return g_strdup_printf ("word%s%s%s", weights->position != NULL ? " + position" : "",
                          weights->type != NULL ? " + segment" : "",
                          weights->language != NULL ? " + language" : "");
}

static void
add_embedding (Drawing *self)
{
  const EngEmbeddingSpec *spec = &self->spec->embedding;
  const EngStackWeights *weights = self->stack_weights;
  int size = eng_spec_get_embedding_size (self->spec);
  gint64 n_rows = self->stack->vocab_size;

  n_rows += weights->position != NULL ? spec->n_positions : 0;
  n_rows += weights->type != NULL ? spec->n_types : 0;
  n_rows += weights->language != NULL ? spec->n_languages : 0;
  add (self, ENG_BLOCK_TOKENS, "Tokens", NULL, 1, 0);
  get_last (self)->reads = ENG_RESIDUAL_NONE;
  add (self, ENG_BLOCK_EMBEDDING, "Embedding", describe_embedding (self), size, n_rows * size);
  if (spec->has_norm && !spec->projects_first)
    add_norm (self, &self->spec->norm, &weights->embedding_norm, size);
  if (spec->size > 0)
    add (self, ENG_BLOCK_WIDEN, "Projection", NULL, self->spec->hidden_size,
         count_linear (&weights->projection));
  if (spec->has_norm && spec->projects_first)
    add_norm (self, &self->spec->norm, &weights->embedding_norm, self->spec->hidden_size);
}

static const char *
describe_positions (const Drawing          *self,
                    const EngAttentionSpec *spec,
                    gboolean                crosses)
{
  if (crosses)
    return "";
  if (spec->rotary.size > 0)
    return ", rotary positions";
  if (self->stack->relative_positions.span > 0)
    return ", positions apart";

  return self->stack->relative_bias.n_buckets > 0 ? ", bias by distance" : "";
}

static char *
describe_attention (const Drawing          *self,
                    const EngAttentionSpec *spec,
                    gboolean                crosses)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%d heads of %d", spec->n_heads, spec->head_size);
  if (spec->n_kv_heads != spec->n_heads)
    g_string_append_printf (text, ", %d of keys", spec->n_kv_heads);
  if (spec->causal)
    g_string_append (text, ", causal");
  if (spec->window > 0)
    g_string_append_printf (text, ", %d tokens", eng_attention_spec_get_span (spec));
  if (spec->blocks.size > 0)
    g_string_append_printf (text, ", blocks of %d", spec->blocks.size);
  g_string_append (text, describe_positions (self, spec, crosses));
  if (spec->qk_norm != ENG_QK_NORM_NONE)
    g_string_append (text, ", norm of q and k");
  if (spec->soft_cap != 0) {
    char cap[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_printf (text, ", cap %s", g_ascii_formatd (cap, sizeof cap, "%g", spec->soft_cap));
  }

  return g_string_free (text, FALSE);
}

static void
add_attention (Drawing                   *self,
               const EngAttentionSpec    *spec,
               const EngAttentionWeights *weights,
               gboolean                   crosses)
{
  gint64 n = count_linear (&weights->query) + count_linear (&weights->key)
             + count_linear (&weights->value) + count_linear (&weights->output);

  if (!crosses && eng_stack_spec_sets_positions_apart (self->stack))
    n += count_linear (&weights->position_query) + count_linear (&weights->position_key);
  add (self, crosses ? ENG_BLOCK_CROSS_ATTENTION : ENG_BLOCK_ATTENTION,
       crosses ? "Cross-attention" : "Self-attention", describe_attention (self, spec, crosses),
       self->spec->hidden_size, n);
}

static void
add_feed_forward (Drawing                  *self,
                  const EngFeedForwardSpec *spec,
                  const EngLayerWeights    *weights)
{
  char *detail = g_strdup_printf ("%d neurons, %s%s", spec->intermediate_size,
                                  eng_activation_get_name (spec->activation),
                                  weights->gate.weight != NULL ? ", gated" : "");

  add (self, ENG_BLOCK_FEED_FORWARD, "Feed-forward", detail, self->spec->hidden_size,
       count_linear (&weights->gate) + count_linear (&weights->up) + count_linear (&weights->down));
}

typedef enum { SELF, CROSS, FEED_FORWARD } SubLayer;

static void
add_block (Drawing               *self,
           SubLayer               which,
           const EngLayerSpec    *spec,
           const EngLayerWeights *weights)
{
  if (which == FEED_FORWARD)
    add_feed_forward (self, &spec->feed_forward, weights);
  else if (which == CROSS)
    add_attention (self, &spec->cross, &weights->cross, TRUE);
  else
    add_attention (self, &spec->self, &weights->self, FALSE);
}

/* base: index of the block whose output the sub-layer's result is added to. Returns that of the
 * block that ends it. */
static int
add_sub_layer (Drawing               *self,
               SubLayer               which,
               const EngLayerSpec    *spec,
               const EngLayerWeights *weights,
               int                    base)
{
  EngNormPlacement placement = which == FEED_FORWARD ? spec->feed_forward_norm
    : spec->attention_norm;
  const EngNorm *norm = which == FEED_FORWARD ? &weights->feed_forward_norm
                        : which == CROSS      ? &weights->cross.norm
                                              : &weights->self.norm;
  const EngNorm *output_norm = which == FEED_FORWARD ? &weights->feed_forward_output_norm
                               : which == CROSS      ? &weights->cross.output_norm
                                                     : &weights->self.output_norm;
  guint first = self->blocks->len;
  int size = self->spec->hidden_size;

  if (placement == ENG_NORM_PRE || placement == ENG_NORM_BOTH)
    add_norm (self, &spec->norm, norm, size);
  add_block (self, which, spec, weights);
  g_array_index (self->blocks, EngDiagramBlock, first).reads = spec->parallel ? ENG_RESIDUAL_INPUT
    : base;
  if (placement == ENG_NORM_MIXED || placement == ENG_NORM_BOTH)
    add_norm (self, &spec->norm, placement == ENG_NORM_MIXED ? norm : output_norm, size);
  add (self, ENG_BLOCK_ADD, "Add", NULL, size, 0);
  get_last (self)->residual = base;
  if (placement == ENG_NORM_POST)
    add_norm (self, &spec->norm, norm, size);

  return (int) self->blocks->len - 1;
}

/* Which layers are of a sort: "layer 3", "layers 0 to 11", "layers 0, 2 and 4". */
static char *
list_layers (const EngStackSpec *stack,
             int                 sort,
             int                 first,
             int                 n)
{
  GString *text;
  int last = -1, n_left = n;

  for (int layer = 0; layer < stack->n_layers; layer++)
    if (stack->sort_of_layer[layer] == sort)
      last = layer;
  if (n == 1)
    return g_strdup_printf ("layer %d", first);
  if (last - first + 1 == n)
    return g_strdup_printf ("layers %d to %d", first, last);

  text = g_string_new ("layers ");
  for (int layer = 0; layer < stack->n_layers; layer++) {
    if (stack->sort_of_layer[layer] != sort)
      continue;
    g_string_append_printf (text, n_left == n ? "%d" : n_left == 1 ? " and %d" : ", %d", layer);
    n_left--;
  }

  return g_string_free (text, FALSE);
}

static void
add_group (Drawing *self,
           int      sort,
           int      first_layer,
           int      n_layers)
{
  const EngLayerSpec *spec = &self->stack->sorts[sort];
  const EngLayerWeights *weights = &self->stack_weights->layers[first_layer];
  EngDiagramGroup group = {
    .stack = self->kind,
    .first_layer = first_layer,
    .n_layers = n_layers,
    .layers = list_layers (self->stack, sort, first_layer, n_layers),
    .parallel = spec->parallel,
    .first = (int) self->blocks->len,
  };
  int base = ENG_RESIDUAL_INPUT;

  self->group = (int) self->groups->len;
  base = add_sub_layer (self, SELF, spec, weights, base);
  if (spec->cross.n_heads > 0)
    base = add_sub_layer (self, CROSS, spec, weights, base);
  add_sub_layer (self, FEED_FORWARD, spec, weights, base);
  group.n = (int) self->blocks->len - group.first;
  self->group = -1;
  g_array_append_val (self->groups, group);
}

static void
add_convolution (Drawing *self)
{
  const EngConvolution *spec = &self->stack->convolution;

  if (spec->kernel_size == 0)
    return;
  add (self, ENG_BLOCK_CONVOLUTION, "Convolution",
       g_strdup_printf ("over %d tokens, %s, beside layer 0", spec->kernel_size,
                        eng_activation_get_name (spec->activation)),
       self->spec->hidden_size, count_linear (&self->stack_weights->convolution));
}

static void
add_stack (Drawing *self,
           EngKind  kind,
           int      n_tokens)
{
  self->kind = kind;
  self->stack = &self->spec->stacks[kind];
  self->stack_weights = &self->weights->stacks[kind];
  self->n_tokens = n_tokens;
  self->made->n_layers[kind] = self->stack->n_layers;
  self->made->group_of_layer[kind] = g_new (int, self->stack->n_layers);
  add_embedding (self);
  add_convolution (self);
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++) {
    int first = -1, n = 0;

    for (int layer = 0; layer < self->stack->n_layers; layer++) {
      if (self->stack->sort_of_layer[layer] != sort)
        continue;
      first = first < 0 ? layer : first;
      self->made->group_of_layer[kind][layer] = (int) self->groups->len;
      n++;
    }
    if (n > 0)
      add_group (self, sort, first, n);
  }
  if (self->stack->final_norm)
    add_norm (self, &self->spec->norm, &self->stack_weights->final_norm, self->spec->hidden_size);
}

/* "Fill-mask head" */
static char *
name_head (EngTask task)
{
  g_autofree char *name = g_strdup (eng_task_get_name (task));

  for (char *letter = name; *letter != '\0'; letter++)
    if (*letter == '-')
      *letter = ' ';
  *name = g_ascii_toupper (*name);

  return g_strdup_printf ("%s head", name);
}

static void
add_heads (Drawing *self)
{
  int last = (int) self->blocks->len - 1;

  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngHeadSpec *spec = &self->spec->heads[task];
    const EngHeadWeights *weights = &self->weights->heads[task];
    g_autofree char *name = name_head ((EngTask) task);

    if (!spec->present)
      continue;
    add (self, ENG_BLOCK_HEAD, name, g_strdup_printf ("%d classes", spec->n_classes),
         spec->n_classes, count_linear (&weights->transform) + count_linear (&weights->reduce)
         + count_linear (&weights->output));
    get_last (self)->rows = spec->input == ENG_HEAD_TOKENS ? self->n_tokens : 1;
    get_last (self)->reads = last;
    get_last (self)->task = task;
  }
}

EngDiagram *
eng_diagram_new (const EngModel *model,
                 int             n_tokens,
                 int             n_decoder_tokens)
{
  Drawing drawing = {
    .spec = eng_model_get_spec (model),
    .weights = eng_model_get_weights (model),
    .group = -1,
    .blocks = g_array_new (FALSE, FALSE, sizeof (EngDiagramBlock)),
    .groups = g_array_new (FALSE, FALSE, sizeof (EngDiagramGroup)),
  };
  EngKind first = eng_spec_get_first_kind (drawing.spec);
  EngDiagram *self = g_new0 (EngDiagram, 1);

  drawing.made = self;
  add_stack (&drawing, first, n_tokens);
  if (eng_spec_has_cross (drawing.spec) && first != ENG_KIND_DECODER)
    add_stack (&drawing, ENG_KIND_DECODER, n_decoder_tokens);
  add_heads (&drawing);
  self->n_blocks = (int) drawing.blocks->len;
  self->n_groups = (int) drawing.groups->len;
  self->blocks = (EngDiagramBlock *) (gpointer) g_array_free (drawing.blocks, FALSE);
  self->groups = (EngDiagramGroup *) (gpointer) g_array_free (drawing.groups, FALSE);

  return self;
}

void
eng_diagram_free (EngDiagram *self)
{
  for (int i = 0; i < self->n_blocks; i++) {
    g_free (self->blocks[i].name);
    g_free (self->blocks[i].detail);
  }
  for (int i = 0; i < self->n_groups; i++)
    g_free (self->groups[i].layers);
  for (gsize i = 0; i < G_N_ELEMENTS (self->group_of_layer); i++)
    g_free (self->group_of_layer[i]);
  g_free (self->blocks);
  g_free (self->groups);
  g_free (self);
}
