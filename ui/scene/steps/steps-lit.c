/* SPDX-License-Identifier: MIT */
/* Which blocks of the model the stage is in. */
#include "ui/scene/steps/steps-builder.h"

static EngKind
get_stack (const UiStepsScene *self)
{
  const EngKind kind = eng_way_get_kind (self->way);

  return kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
}

int
ui_steps_find_group (const UiStepsScene *self)
{
  return self->diagram->group_of_layer[get_stack (self)][eng_way_get_layer (self->way)];
}

/* The next block of a type from one on, in steps of 1 or -1 and in the same group; -1 = there is
 * none. */
static int
seek (const EngDiagram *diagram,
      EngBlockType      type,
      int               from,
      int               step)
{
  const int group = from >= 0 && from < diagram->n_blocks ? diagram->blocks[from].group : -1;

  for (int i = from; i >= 0 && i < diagram->n_blocks && diagram->blocks[i].group == group;
       i += step)
    if (diagram->blocks[i].type == type)
      return i;
  return -1;
}

/* Around a sub-layer stand its norm and what adds it to what it read. */
static int
find_around (const UiStepsScene *self,
             int                 block,
             EngStageId          begins)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  const int first = eng_way_find_stage (self->way, stage->part, begins);
  int found = block;

  if (block < 0)
    return -1;
  if (stage->id == ENG_STAGE_RESIDUAL)
    found = seek (self->diagram, ENG_BLOCK_ADD, block, 1);
  else if (stage->id == ENG_STAGE_NORM)
    found = seek (self->diagram, ENG_BLOCK_NORM, block, self->step < first ? -1 : 1);
  return found >= 0 ? found : block;
}

static int
find_in_group (const UiStepsScene *self,
               EngBlockType        type)
{
  return seek (self->diagram, type, self->diagram->groups[ui_steps_find_group (self)].first, 1);
}

static int
find_of_input (const UiStepsScene *self)
{
  static const struct { EngStageId stage; EngBlockType block; } blocks[] = {
    { ENG_STAGE_TOKENS, ENG_BLOCK_TOKENS },
    { ENG_STAGE_NORM, ENG_BLOCK_NORM },
    { ENG_STAGE_WIDEN, ENG_BLOCK_WIDEN },
  };
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  EngBlockType type = ENG_BLOCK_EMBEDDING;

  for (gsize i = 0; i < G_N_ELEMENTS (blocks); i++)
    if (blocks[i].stage == stage->id)
      type = blocks[i].block;
  for (int i = 0; i < self->diagram->n_blocks; i++)
    if (self->diagram->blocks[i].type == type && self->diagram->blocks[i].group < 0
        && self->diagram->blocks[i].stack == get_stack (self))
      return i;
  return -1;
}

/* begins: its first stage behind its norm, where that stands before it. */
static int
find_attention (const UiStepsScene *self,
                gboolean            crosses,
                EngStageId          begins)
{
  return find_around (self, find_in_group (self, crosses ? ENG_BLOCK_CROSS_ATTENTION
                                                         : ENG_BLOCK_ATTENTION),
                      begins);
}

int
ui_steps_find_answering (const UiStepsScene *self)
{
  EngTask task;
  int n, token;

  eng_way_get_candidates (self->way, &n, &task, &token);
  for (int i = 0; i < self->diagram->n_blocks && n > 0; i++)
    if (self->diagram->blocks[i].type == ENG_BLOCK_HEAD
        && self->diagram->blocks[i].task == (int) task)
      return i;
  return -1;
}

/* The last block of the encoder, which a decoder reads. */
static int
find_handing (const UiStepsScene *self)
{
  int found = -1;

  for (int i = 0; i < self->diagram->n_blocks; i++)
    if (self->diagram->blocks[i].stack == ENG_KIND_ENCODER)
      found = i;
  return found;
}

/* The norm at the end of the stack; -1 = it has none. */
static int
find_final_norm (const UiStepsScene *self)
{
  const EngDiagram *diagram = self->diagram;
  gboolean is_behind = FALSE;

  for (int i = 0; i < diagram->n_blocks; i++) {
    const EngDiagramBlock *block = &diagram->blocks[i];

    if (block->stack != get_stack (self))
      continue;
    is_behind = is_behind || block->group >= 0;
    if (is_behind && block->group < 0 && block->type == ENG_BLOCK_NORM)
      return i;
  }
  return -1;
}

/* Of layers from one on: all blocks of their groups. */
static UiStepsSpan
find_layers (const UiStepsScene *self,
             int                 first_layer,
             int                 n_layers)
{
  const EngDiagram *diagram = self->diagram;
  UiStepsSpan span = { diagram->n_blocks, -1 };

  for (int layer = first_layer; layer < first_layer + n_layers; layer++) {
    const EngDiagramGroup *group =
      &diagram->groups[diagram->group_of_layer[get_stack (self)][layer]];

    span.first = MIN (span.first, group->first);
    span.last = MAX (span.last, group->first + group->n - 1);
  }
  return span;
}

/* The last layer leaves what has passed the final norm. */
static UiStepsSpan
find_layers_behind (const UiStepsScene *self)
{
  const int layer = eng_way_get_layer (self->way);
  const int norm = find_final_norm (self);
  const int n_layers = self->diagram->n_layers[get_stack (self)];
  UiStepsSpan span = find_layers (self, layer + 1, n_layers - layer - 1);

  span.last = MAX (span.last, norm);
  return span;
}

static int
find_end (const UiStepsScene *self)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  const EngDiagramGroup *group = &self->diagram->groups[ui_steps_find_group (self)];
  const int n_layers = self->diagram->n_layers[get_stack (self)];
  const gboolean is_last = eng_way_get_layer (self->way) == n_layers - 1;
  const int norm = is_last ? find_final_norm (self) : -1;
  const gboolean is_normed = stage->id == ENG_STAGE_NORM && norm >= 0;

  if (!is_normed && (stage->id == ENG_STAGE_CONVOLUTION || stage->id == ENG_STAGE_SUM
                     || stage->id == ENG_STAGE_NORM))
    return seek (self->diagram, ENG_BLOCK_CONVOLUTION, group->first - 1, -1);
  return norm >= 0 && stage->id != ENG_STAGE_PADDING ? norm : group->first + group->n - 1;
}

/* The block that the stage is in. */
static int
find_block (const UiStepsScene *self)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  const gboolean crosses = eng_way_get_kind (self->way) == ENG_KIND_CROSS;

  if (stage->id == ENG_STAGE_TO_DECODER)
    return find_handing (self);
  switch (stage->part) {
  case ENG_PART_INPUT:
    return find_of_input (self);
  case ENG_PART_OTHER:
    return find_attention (self, !crosses, ENG_STAGE_HEADS);
  case ENG_PART_ATTENTION:
    return find_attention (self, crosses, ENG_STAGE_PROJECTIONS);
  case ENG_PART_FEED_FORWARD:
    return find_around (self, find_in_group (self, ENG_BLOCK_FEED_FORWARD), ENG_STAGE_UP);
  case ENG_PART_END:
    return find_end (self);
  case ENG_PART_ANSWER:
  default:
    return ui_steps_find_answering (self);
  }
}

UiStepsSpan
ui_steps_find_lit (const UiStepsScene *self)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  int block;

  if (self->is_whole)
    return (UiStepsSpan) { -1, -1 };
  if (stage->id == ENG_STAGE_LAYERS)
    return stage->part == ENG_PART_BEFORE ? find_layers (self, 0, eng_way_get_layer (self->way))
                                          : find_layers_behind (self);
  block = find_block (self);
  return (UiStepsSpan) { block, block };
}
