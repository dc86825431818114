/* SPDX-License-Identifier: MIT */
/* What a trace file has of a way: the tokens, and the attention from q, k and v on. What these are
 * made of, and what becomes of what is read, the checkpoint's weights would say. */
#include "engine/steps/make-private.h"

static void
add_tokens (EngWalk *self)
{
  const EngTokens *tokens = self->way->query_tokens;

  self->part = ENG_PART_INPUT;
  eng_walk_begin_stage (self, ENG_STAGE_TOKENS);
  eng_walk_add_token_column (self, ENG_NUMBERS_IDS, tokens->ids);
}

guint
eng_file_find_useful_knobs (const EngTrace *trace,
                            EngKind         kind,
                            int             layer)
{
  const EngLayerTrace *data = &trace->blocks[kind].layers[layer];
  /* Terms of positions are products with q and k, too, and are given. */
  const gboolean can_zero = data->content_position == NULL && data->position_content == NULL;

  return 1 << ENG_KNOB_SCALE | 1 << ENG_KNOB_TEMPERATURE | 1 << ENG_KNOB_MASK
         | (can_zero ? 1 << ENG_KNOB_DIMENSION : 0);
}

void
eng_walk_file (EngWalk *self)
{
  EngWay *way = self->way;
  const EngBlockTrace *block = &way->trace->blocks[way->kind];
  const EngWalkAttention attention = {
    .kind = way->kind,
    .block = block,
    .trace = &block->layers[way->layer],
  };

  way->useful_knobs = eng_file_find_useful_knobs (way->trace, way->kind, way->layer);
  way->last_tokens = way->query_tokens;
  self->n_tokens = way->query_tokens->n;
  eng_walk_find_queries (self);
  add_tokens (self);
  self->part = ENG_PART_ATTENTION;
  eng_walk_attend (self, &attention);
}
