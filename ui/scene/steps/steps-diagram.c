/* SPDX-License-Identifier: MIT */
/* The blocks of the model from left to right, on as many lines as it takes, each stack on lines of
 * its own; the one that the stage is in is lit. Several heads stand on lines of their own, and a line
 * leads to each from what all of them read. Where a window has no room for all of that the line
 * with the lit block stands for it. */
#include "ui/scene/sinks/text.h"
#include "ui/scene/steps/steps-builder.h"

/* At 100 % text. */
#define NAME_SIZE 11.0
#define SHAPE_SIZE 10.0
#define PADDING 7.0
#define HEIGHT 36.0
#define NAME_Y 12.0
#define SHAPE_Y 26.0
#define LINE_GAP 8.0
#define FORK_GAP 16.0    /* above a line of heads, instead */
#define FORK_EDGE 3.0    /* of what leads to further lines of them */
#define BELOW 10.0
#define SIGN "+"
#define MOST_PART 0.32 /* of a window's height, for all lines */

static gboolean
has_layer (const EngDiagramGroup *group,
           int                    layer)
{
  return layer >= group->first_layer && layer < group->first_layer + group->n_layers;
}

/* The group that stands for the layer; where sorts of layers take turns, the last that begins before
 * it. */
static int
find_group (const UiStepsScene *self)
{
  const EngDiagram *diagram = self->diagram;
  const EngKind kind = eng_way_get_kind (self->way);
  const EngKind stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  const int layer = eng_way_get_layer (self->way);
  int found = -1;

  for (int i = 0; i < diagram->n_groups; i++) {
    const EngDiagramGroup *group = &diagram->groups[i];

    if (group->stack == stack && group->first_layer <= layer
        && (found < 0 || has_layer (group, layer)))
      found = i;
  }
  return found;
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
  const int group = find_group (self);

  return group >= 0 ? seek (self->diagram, type, self->diagram->groups[group].first, 1) : -1;
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
    if (self->diagram->blocks[i].type == type && self->diagram->blocks[i].group < 0)
      return i;
  return -1;
}

static int
find_attention (const UiStepsScene *self,
                gboolean            crosses)
{
  return find_around (self, find_in_group (self, crosses ? ENG_BLOCK_CROSS_ATTENTION
                                                         : ENG_BLOCK_ATTENTION),
                      ENG_STAGE_PROJECTIONS);
}

static int
find_answering (const UiStepsScene *self)
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

/* The block that the stage is in, -1 where it is several. */
static int
find_block (const UiStepsScene *self)
{
  const gboolean crosses = eng_way_get_kind (self->way) == ENG_KIND_CROSS;

  if (eng_way_get_stage (self->way, self->step)->id == ENG_STAGE_TO_DECODER)
    return find_handing (self);
  switch (eng_way_get_stage (self->way, self->step)->part) {
  case ENG_PART_INPUT:
    return find_of_input (self);
  case ENG_PART_OTHER:
    return find_attention (self, !crosses);
  case ENG_PART_ATTENTION:
    return find_attention (self, crosses);
  case ENG_PART_FEED_FORWARD:
    return find_around (self, find_in_group (self, ENG_BLOCK_FEED_FORWARD), ENG_STAGE_UP);
  case ENG_PART_ANSWER:
    return find_answering (self);
  default:
    return -1;
  }
}

static double
measure (UiStepsBuilder *builder,
         const char     *text,
         double          size)
{
  const UiTextStyle style = { .size = size * builder->scale };

  return ui_text_measure (text, &style);
}

static gboolean
is_head (const EngDiagram *diagram,
         int               block)
{
  return block >= 0 && block < diagram->n_blocks
         && diagram->blocks[block].type == ENG_BLOCK_HEAD;
}

/* One of several, none of which reads the one before it. */
static gboolean
is_of_fork (const EngDiagram *diagram,
            int               block)
{
  return is_head (diagram, block)
         && (is_head (diagram, block - 1) || is_head (diagram, block + 1));
}

/* Before a block. */
static void
break_line (UiStepsBuilder *builder,
            int             block,
            double         *x)
{
  const gboolean is_below = is_of_fork (builder->self->diagram, block);

  *x = builder->left;
  builder->y += (HEIGHT + (is_below ? FORK_GAP : LINE_GAP)) * builder->scale;
}

/* "layers 0 to 5:", before the blocks that it names. */
static void
add_name (UiStepsBuilder *builder,
          int             block,
          const char     *words,
          double         *x)
{
  g_autofree char *name = g_strdup_printf ("%s:", words);
  const double width = measure (builder, name, NAME_SIZE);
  UiStepsText *text;

  if (*x + width > builder->left + builder->room)
    break_line (builder, block, x);
  text = ui_steps_add_text (builder, g_steal_pointer (&name), *x,
                            builder->y + HEIGHT / 2 * builder->scale, NAME_SIZE);
  text->color = UI_STEPS_COLOR_DIM;
  text->room = builder->room;
  *x += MIN (width, builder->room) + LINE_GAP * builder->scale;
}

/* The name and, below it, the shape (NULL = none, else transfer full) of a block. Returns how wide it
 * is. */
static double
describe_box (UiStepsBuilder  *builder,
              int              block,
              const char     **name,
              char           **shape)
{
  const EngDiagramBlock *of = &builder->self->diagram->blocks[block];
  const gboolean is_sign = of->type == ENG_BLOCK_ADD;
  double width;

  *name = is_sign ? SIGN : of->name;
  *shape = is_sign ? NULL
           : g_strdup_printf (of->type == ENG_BLOCK_CROSS_ATTENTION
                              ? "%d × %d, reads the encoder" : "%d × %d", of->rows, of->columns);
  width = MAX (measure (builder, *name, NAME_SIZE),
               *shape != NULL ? measure (builder, *shape, SHAPE_SIZE) : 0)
          + 2 * PADDING * builder->scale;
  return MIN (width, builder->room);
}

/* On a line of their own, by their name where the first of them has room beside it: what leads to
 * it would else run over the name. */
static void
begin_fork (UiStepsBuilder *builder,
            int             block,
            double         *x)
{
  const char *words = "heads, each on its own";
  const char *name;
  g_autofree char *shape = NULL;
  const double width = describe_box (builder, block, &name, &shape);

  break_line (builder, block, x);
  if (measure (builder, words, NAME_SIZE) + width + 3 * LINE_GAP * builder->scale <= builder->room)
    add_name (builder, block, words, x);
}

/* What begins with a block: a stack of two, layers that are alike, heads of which none reads the
 * one before it. */
static void
add_names (UiStepsBuilder *builder,
           int             block,
           double         *x)
{
  const EngDiagram *diagram = builder->self->diagram;
  const EngDiagramBlock *of = &diagram->blocks[block];
  const gboolean has_two = diagram->blocks[0].stack != diagram->blocks[diagram->n_blocks - 1].stack;
  const int group = block > 0 ? of[-1].group : -1;

  if (has_two && (block == 0 || of->stack != of[-1].stack)) {
    if (block > 0)
      break_line (builder, block, x);
    add_name (builder, block, of->stack == ENG_KIND_ENCODER ? "Encoder" : "Decoder", x);
  }
  if (of->group != group && of->group >= 0)
    add_name (builder, block, diagram->groups[of->group].layers, x);
  if (is_of_fork (diagram, block) && !is_head (diagram, block - 1))
    begin_fork (builder, block, x);
}

static void
add_box (UiStepsBuilder *builder,
         int             block,
         gboolean        is_lit,
         double         *x)
{
  UiStepsBox box = { .block = block, .is_lit = is_lit };
  const double width = describe_box (builder, block, &box.name, &box.shape);

  if (*x + width > builder->left + builder->room && *x > builder->left)
    break_line (builder, block, x);
  box.rect = (UiRect) { *x, builder->y, width, HEIGHT * builder->scale };
  g_array_append_val (builder->layout->boxes, box);
  *x += width + LINE_GAP * builder->scale;
}

static void
add_bend (UiStepsFork *fork,
          double       x,
          double       y)
{
  fork->x[fork->n] = x;
  fork->y[fork->n] = y;
  fork->n++;
}

/* To a head of the first line of them, which is at first_y, or along the left edge to one of a line
 * below that. */
static void
add_fork (UiStepsBuilder *builder,
          int             block,
          double          first_y)
{
  const UiStepsBox *boxes = (const UiStepsBox *) (gconstpointer) builder->layout->boxes->data;
  const int reads = builder->self->diagram->blocks[block].reads;
  const UiRect *from = &boxes[reads].rect;
  const UiRect *to = &boxes[block].rect;
  const double above = FORK_GAP / 2 * builder->scale;
  const double edge = builder->left - FORK_EDGE * builder->scale;
  UiStepsFork fork = { .from = reads, .to = block, .is_lit = boxes[block].is_lit };

  add_bend (&fork, from->x + from->width / 2, from->y + from->height);
  add_bend (&fork, from->x + from->width / 2, first_y - above);
  if (to->y > first_y) {
    add_bend (&fork, edge, first_y - above);
    add_bend (&fork, edge, to->y - above);
  }
  add_bend (&fork, to->x + to->width / 2, to->y - above);
  add_bend (&fork, to->x + to->width / 2, to->y);
  if (fork.is_lit)
    g_array_append_val (builder->layout->forks, fork);
  else
    g_array_prepend_val (builder->layout->forks, fork);
}

static void
add_forks (UiStepsBuilder *builder)
{
  const EngDiagram *diagram = builder->self->diagram;
  const UiStepsBox *boxes = (const UiStepsBox *) (gconstpointer) builder->layout->boxes->data;
  double first_y = -1;

  for (int i = 0; i < diagram->n_blocks; i++) {
    if (!is_of_fork (diagram, i) || diagram->blocks[i].reads < 0)
      continue;
    first_y = first_y < 0 ? boxes[i].rect.y : first_y;
    add_fork (builder, i, first_y);
  }
}

static void
add_box_texts (UiStepsBuilder *builder)
{
  for (guint i = 0; i < builder->layout->boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (builder->layout->boxes, UiStepsBox, i);
    const double middle = box->rect.x + box->rect.width / 2;
    const double name_y = box->shape != NULL ? NAME_Y : HEIGHT / 2;
    UiStepsText *text;

    text = ui_steps_add_text (builder, g_strdup (box->name), middle,
                              box->rect.y + name_y * builder->scale, NAME_SIZE);
    text->align = UI_ALIGN_CENTER;
    text->room = box->rect.width;
    text->color = box->is_lit ? UI_STEPS_COLOR_ACCENT : UI_STEPS_COLOR_TEXT;
    if (box->shape == NULL)
      continue;
    text = ui_steps_add_text (builder, g_strdup (box->shape), middle,
                              box->rect.y + SHAPE_Y * builder->scale, SHAPE_SIZE);
    text->align = UI_ALIGN_CENTER;
    text->room = box->rect.width;
    text->color = UI_STEPS_COLOR_DIM;
  }
}

/* The block that the one line which stays has. */
static int
find_kept (const UiStepsScene *self,
           int                 lit)
{
  const int group = find_group (self);

  return lit >= 0 ? lit : group >= 0 ? self->diagram->groups[group].first : 0;
}

/* Of all lines from top on the one with a block, there. */
static void
keep_line (UiStepsBuilder *builder,
           int             block,
           double          top)
{
  GArray *boxes = builder->layout->boxes;
  GArray *texts = builder->layout->texts;
  const double kept = g_array_index (boxes, UiStepsBox, block).rect.y;
  const double middle = kept + HEIGHT / 2 * builder->scale;

  for (guint i = boxes->len; i-- > 0;) {
    UiStepsBox *box = &g_array_index (boxes, UiStepsBox, i);

    if (box->rect.y != kept)
      g_array_remove_index (boxes, i);
    else
      box->rect.y = top;
  }
  for (guint i = texts->len; i-- > 0;) {
    UiStepsText *text = &g_array_index (texts, UiStepsText, i);

    if (text->y != middle)
      g_array_remove_index (texts, i);
    else
      text->y += top - kept;
  }
  /* What they come from stands on another line. */
  g_array_set_size (builder->layout->forks, 0);
  builder->y = top;
}

void
ui_steps_lay_out_diagram (UiStepsBuilder *builder)
{
  const UiStepsScene *self = builder->self;
  const EngDiagram *diagram = self->diagram;
  const double view_height = self->scene.options.view_height;
  const double top = builder->y;
  const int lit = self->is_whole ? -1 : find_block (self);
  const double below = (HEIGHT + BELOW) * builder->scale;
  double x = builder->left;

  if (diagram->n_blocks == 0)
    return;
  for (int i = 0; i < diagram->n_blocks; i++) {
    add_names (builder, i, &x);
    add_box (builder, i, i == lit, &x);
  }
  add_forks (builder);
  if (view_height > 0 && builder->y > top && builder->y + below > MOST_PART * view_height)
    keep_line (builder, find_kept (self, lit), top);
  add_box_texts (builder);
  builder->y += below;
}
