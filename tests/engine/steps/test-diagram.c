/* SPDX-License-Identifier: MIT */
/* The blocks of a model: of a known one word by word, of random ones by what must hold. */
#include "engine/steps/make.h"

#include "tests/support/checkpoint-folder.h"
#include "tests/support/random-model.h"

#define N_SPECS 150

static void
test_bundled (void)
{
  static const char *const names[] = {
    "Tokens", "Embedding", "Layer norm", "Self-attention", "Add", "Layer norm", "Feed-forward",
    "Add",
    "Layer norm",
  };
  g_autofree char *folder = checkpoint_get_bundled ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (EngDiagram) diagram = NULL;
  const EngModelInfo *info;

  g_assert_no_error (error);
  info = eng_model_get_info (model);
  diagram = eng_diagram_new (model, 7, 0);
  g_assert_cmpint (diagram->n_groups, ==, 1);
  g_assert_cmpint (diagram->groups[0].n_layers, ==, info->n_layers);
  g_assert_cmpint (diagram->groups[0].first, ==, 3);
  g_assert_cmpint (diagram->groups[0].n, ==, 6);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_assert_cmpstr (diagram->blocks[i].name, ==, names[i]);
    g_assert_cmpint (diagram->blocks[i].rows, ==, 7);
    g_assert_cmpint (diagram->blocks[i].columns, ==, i == 0 ? 1 : info->hidden_size);
  }
  g_assert_cmpstr (diagram->blocks[1].detail, ==, "word + position + segment");
  g_assert_cmpint (diagram->blocks[4].residual, ==, ENG_RESIDUAL_INPUT);
  g_assert_cmpint (diagram->blocks[7].residual, ==, 5);
  g_assert_cmpint (diagram->blocks[6].reads, ==, 5);
  g_assert_cmpint (diagram->blocks[9].type, ==, ENG_BLOCK_HEAD);
}

static int
count_blocks (const EngDiagram *diagram,
              EngBlockType      type)
{
  int n = 0;

  for (int i = 0; i < diagram->n_blocks; i++)
    n += diagram->blocks[i].type == type;

  return n;
}

/* Of layers that do not share weights, each counted. */
static gint64
count_sub_layer_parameters (const EngDiagram *diagram)
{
  gint64 n = 0;

  for (int i = 0; i < diagram->n_blocks; i++) {
    const EngDiagramBlock *block = &diagram->blocks[i];

    if (block->type == ENG_BLOCK_ATTENTION || block->type == ENG_BLOCK_CROSS_ATTENTION
        || block->type == ENG_BLOCK_FEED_FORWARD)
      n += block->n_parameters;
  }

  return n;
}

static gint64
count_weights (const EngLinear *linear)
{
  return linear->weight ? (gint64) linear->in * linear->out + (linear->bias ? linear->out : 0) : 0;
}

/* Of all products of the first layer that the spec has. */
static gint64
count_first_layer (const EngStackWeights *weights,
                   gboolean               apart)
{
  const EngLayerWeights *layer = &weights->layers[0];
  const EngLinear *all[] = {
    &layer->self.query, &layer->self.key, &layer->self.value, &layer->self.output,
    &layer->cross.query, &layer->cross.key, &layer->cross.value, &layer->cross.output, &layer->gate,
    &layer->up, &layer->down, &layer->self.position_query, &layer->self.position_key,
  };
  gint64 n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (all) - (apart ? 0 : 2); i++)
    n += count_weights (all[i]);

  return n;
}

static void
check_blocks (const EngDiagram *diagram)
{
  for (int i = 0; i < diagram->n_blocks; i++) {
    const EngDiagramBlock *block = &diagram->blocks[i];

    g_assert_cmpint (block->reads, <, i);
    g_assert_cmpint (block->residual, <, i);
    g_assert_cmpint (block->type == ENG_BLOCK_ADD, ==, block->residual != ENG_RESIDUAL_NONE);
    g_assert_cmpint (block->rows, >, 0);
    g_assert_cmpint (block->columns, >, 0);
    g_assert_true (block->group < diagram->n_groups);
    if (block->group >= 0) {
      g_assert_cmpint (i, >=, diagram->groups[block->group].first);
      g_assert_cmpint (i, <, diagram->groups[block->group].first + diagram->groups[block->group].n);
    }
  }
}

static void
test_random_specs (void)
{
  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    EngSpec spec;
    EngWeights *weights;
    g_autoptr (EngModel) model = NULL;
    g_autoptr (EngDiagram) diagram = NULL;
    int n_stacks = 0, n_layers = 0, n_heads = 0, n_grouped = 0;
    gint64 n_parameters = 0;

    test_random_spec (&spec, &state);
    model = test_random_model_new (&spec, seed, &weights);
    diagram = eng_diagram_new (model, 9, 5);
    for (int kind = 0; kind < ENG_N_STACKS; kind++)
      if (spec.stacks[kind].n_layers > 0) {
        n_stacks++;
        n_layers += spec.stacks[kind].n_layers;
        n_parameters += count_first_layer (&weights->stacks[kind],
                                           spec.stacks[kind].relative_positions.span > 0);
      }
    for (int task = 0; task < ENG_N_TASKS; task++)
      n_heads += spec.heads[task].present;
    for (int i = 0; i < diagram->n_groups; i++)
      n_grouped += diagram->groups[i].n_layers;
    g_assert_cmpint (count_blocks (diagram, ENG_BLOCK_TOKENS), ==, n_stacks);
    g_assert_cmpint (count_blocks (diagram, ENG_BLOCK_HEAD), ==, n_heads);
    g_assert_cmpint (n_grouped, ==, n_layers);
    check_blocks (diagram);
    if (diagram->n_groups == n_stacks)
      g_assert_cmpint (count_sub_layer_parameters (diagram), ==, n_parameters);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/bundled", test_bundled);
  g_test_add_func ("/diagram/random-specs", test_random_specs);

  return g_test_run ();
}
