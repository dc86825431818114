/* SPDX-License-Identifier: MIT */
#include "engine/transformer/stack-private.h"

#include "engine/kernels/linalg.h"
#include "engine/spec/positions.h"
#include "engine/transformer/rows.h"

/* Rows of the table, normed or not: [P, D]. */
static const float *
get_table (const EngStackPass *self)
{
  int first;

  if (self->relative_positions != NULL)
    return self->relative_positions;

  eng_relative_positions_count_rows (&self->stack->relative_positions, self->n_past + self->n,
                                     &first);
  return self->weights->relative_positions + (gsize) first * self->spec->hidden_size;
}

gsize
eng_stack_positions_n_scratch (const EngStackPass *self)
{
  int n_rows = self->blocks[0].n_position_rows;

  return n_rows > 0 ? eng_products_n_scratch (n_rows, self->spec->hidden_size) : 0;
}

void
eng_stack_lay_out_positions (EngStackPass *self,
                             EngArena     *arena)
{
  gsize n = (gsize) self->blocks[0].n_position_rows * self->spec->hidden_size;

  if (self->stack->relative_positions.has_norm)
    self->relative_positions = eng_arena_floats (arena, n);
}

void
eng_stack_begin_positions (const EngStackPass *self)
{
  EngRows rows = { self->blocks[0].n_position_rows, self->spec->hidden_size, self->cancel };
  int first;

  if (self->relative_positions == NULL)
    return;

  eng_relative_positions_count_rows (&self->stack->relative_positions, self->n_past + self->n,
                                     &first);
  eng_rows_add_norm (&rows, &self->spec->norm, &self->weights->relative_norm,
                     self->weights->relative_positions + (gsize) first * self->spec->hidden_size,
                     NULL, self->relative_positions);
}

void
eng_stack_project_positions (const EngStackPass *self,
                             int                 layer)
{
  const EngRelativePositions *positions = &self->stack->relative_positions;
  const EngAttentionWeights *weights = &self->weights->layers[layer].self;
  gboolean shares = positions->shares_projections;
  int n_rows = self->blocks[0].n_position_rows, n_products = 0;
  gsize n = (gsize) n_rows * eng_attention_spec_get_size (eng_stack_spec_get_heads (self->stack));
  EngProduct products[2];

  if (self->position_keys != NULL)
    products[n_products++] = (EngProduct) {
      shares ? &weights->key : &weights->position_key, self->position_keys + layer * n,
    };
  if (self->position_queries != NULL)
    products[n_products++] = (EngProduct) {
      shares ? &weights->query : &weights->position_query, self->position_queries + layer * n,
    };
  if (n_products > 0)
    eng_products (products, n_products, get_table (self), n_rows, ENG_ACTIVATION_LINEAR,
                  self->products, self->cancel);
}
