/* SPDX-License-Identifier: MIT */
/* Parts of random architectures that stacks have which read whole texts. */
#include "tests/support/random-model.h"

/* Of stacks that read whole texts, instead of a bias by distance and where nothing is turned. */
static void
draw_positions_apart (EngSpec *spec,
                      guint32 *state)
{
  /* One more than a prime, because then no border between two rows is a whole number. */
  static const int distances[] = { 12, 14, 18, 30, 54 };
  EngStackSpec *stack = &spec->stacks[ENG_KIND_ENCODER];
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);
  gboolean shares_rows = test_random_range (state, 0, 1);
  int terms = test_random_range (state, 1, 3);

  if (spec->stacks[ENG_KIND_DECODER].n_layers > 0 || heads->rotary.size > 0 ||
      test_random_range (state, 0, 1))
    return;
  stack->relative_bias = (EngRelativeBias) { 0 };
  stack->relative_positions = (EngRelativePositions) {
    .span = test_random_range (state, 2, shares_rows ? 20 : 40),
    .max_distance = shares_rows
                    ? distances[test_random_range (state, 0, G_N_ELEMENTS (distances) - 1)] : 0,
    .content_position = (terms & 1) != 0,
    .position_content = (terms & 2) != 0,
    .shares_projections = heads->n_kv_heads == heads->n_heads && test_random_range (state, 0, 1),
    .has_norm = test_random_range (state, 0, 1),
  };
}

/* Padding that is not hidden would be convolved into its neighbours. */
static void
draw_convolution (EngSpec *spec,
                  guint32 *state)
{
  int n_groups = test_random_range (state, 1, 4);

  if (spec->stacks[ENG_KIND_DECODER].n_layers > 0 || test_random_range (state, 0, 1))
    return;
  spec->stacks[ENG_KIND_ENCODER].convolution = (EngConvolution) {
    .kernel_size = 1 + 2 * test_random_range (state, 0, 3),
    .n_groups = spec->hidden_size % n_groups == 0 ? n_groups : 1,
    .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
  };
  spec->embedding.hides_padding = TRUE;
}

void
test_draw_whole_text_parts (EngSpec *spec,
                            guint32 *state)
{
  draw_positions_apart (spec, state);
  draw_convolution (spec, state);
}
