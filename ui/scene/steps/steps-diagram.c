/* SPDX-License-Identifier: MIT */
/* The blocks of the model from left to right, on as many lines as it takes, each stack on lines of
 * its own; the one that the stage is in is lit. Several heads stand on lines of their own, and a line
 * leads to each from what all of them read. Where a window has no room for all of that one line
 * stands for it: the lit block with its neighbours, and how many more there are at either side. */
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
#define MORE "…"        /* stands beside a line that has not all blocks */
#define MOST_PART 0.32 /* of a window's height, for all lines */

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

static gboolean
has_two_stacks (const EngDiagram *diagram)
{
  return diagram->blocks[0].stack != diagram->blocks[diagram->n_blocks - 1].stack;
}

static const char *
name_stack (EngKind stack)
{
  return stack == ENG_KIND_ENCODER ? "Encoder" : "Decoder";
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
  const int group = block > 0 ? of[-1].group : -1;

  if (has_two_stacks (diagram) && (block == 0 || of->stack != of[-1].stack)) {
    if (block > 0)
      break_line (builder, block, x);
    add_name (builder, block, name_stack (of->stack), x);
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

/* A head that the way does not end with stands back. */
static UiStepsColor
find_color (const UiStepsScene *self,
            const UiStepsBox   *box)
{
  if (box->is_lit)
    return UI_STEPS_COLOR_ACCENT;
  return self->diagram->blocks[box->block].type == ENG_BLOCK_HEAD
         && box->block != ui_steps_find_answering (self) ? UI_STEPS_COLOR_DIM
                                                         : UI_STEPS_COLOR_TEXT;
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
    text->color = find_color (builder->self, box);
    if (box->shape == NULL || builder->self->scene.options.holds_back)
      continue;
    text = ui_steps_add_text (builder, g_strdup (box->shape), middle,
                              box->rect.y + SHAPE_Y * builder->scale, SHAPE_SIZE);
    text->align = UI_ALIGN_CENTER;
    text->room = box->rect.width;
    text->color = UI_STEPS_COLOR_DIM;
  }
}

/* One line of blocks for all. */

/* Of a line the blocks from first to last, and the words that it has before, between and behind
 * them. */
typedef struct {
  UiStepsBuilder *builder;
  UiStepsSpan     lit;
  GArray         *blocks;   /* int: those that may stand on it, in their order */
  int             first;    /* of blocks */
  int             last;
  double          x;
  double          right;    /* its end */
  gboolean        is_terse; /* no room for words that can be done without */
} Line;

static int
get_block (const Line *self,
           int         index)
{
  return g_array_index (self->blocks, int, index);
}

/* Of several heads the one that is lit, else the first: they do not read each other. */
static gboolean
stands_on_line (const EngDiagram  *diagram,
                const UiStepsSpan *lit,
                int                block)
{
  const gboolean has_lit_head = is_of_fork (diagram, lit->first);

  return !is_of_fork (diagram, block)
         || (has_lit_head ? block == lit->first : !is_of_fork (diagram, block - 1));
}

/* What stands on the line before, within and behind its blocks, one after the other. */
static void
add_words (Line       *self,
           const char *words)
{
  UiStepsBuilder *builder = self->builder;
  UiStepsText *text =
    ui_steps_add_text (builder, g_strdup (words), self->x,
                       builder->y + HEIGHT / 2 * builder->scale, NAME_SIZE);

  text->color = UI_STEPS_COLOR_DIM;
  self->x += measure (builder, words, NAME_SIZE) + LINE_GAP * builder->scale;
}

/* Layers are named where their blocks begin, or the line does. */
static gboolean
names_layers (const Line *self,
              int         index)
{
  const EngDiagramBlock *blocks = self->builder->self->diagram->blocks;
  const int group = blocks[get_block (self, index)].group;

  return group >= 0 && !self->is_terse
         && (index == self->first || blocks[get_block (self, index - 1)].group != group);
}

static void
add_line_box (Line *self,
              int   index)
{
  UiStepsBuilder *builder = self->builder;
  const EngDiagram *diagram = builder->self->diagram;
  UiStepsBox box = { .block = get_block (self, index) };
  double width = describe_box (builder, box.block, &box.name, &box.shape);

  if (names_layers (self, index)) {
    const EngDiagramBlock *block = &diagram->blocks[box.block];
    g_autofree char *name = g_strdup_printf ("%s:", diagram->groups[block->group].layers);

    add_words (self, name);
  }
  if (self->is_terse)
    width = MIN (width, self->right - self->x - measure (builder, MORE, NAME_SIZE)
                        - LINE_GAP * builder->scale);
  box.is_lit = box.block >= self->lit.first && box.block <= self->lit.last;
  box.rect = (UiRect) { self->x, builder->y, width, HEIGHT * builder->scale };
  g_array_append_val (builder->layout->boxes, box);
  self->x += width + LINE_GAP * builder->scale;
}

/* That more stands there than the line has room for. */
static void
add_more (Line       *self,
          int         n,
          const char *words)
{
  g_autofree char *counted = self->is_terse ? g_strdup (MORE) : g_strdup_printf (words, n);

  if (n > 0)
    add_words (self, counted);
}

/* Whether it has room. */
static gboolean
add_line (Line *self)
{
  UiStepsBuilder *builder = self->builder;
  const EngDiagram *diagram = builder->self->diagram;
  const int first = get_block (self, self->first);

  self->x = builder->left;
  g_array_set_size (builder->layout->boxes, 0);
  g_array_set_size (builder->layout->texts, 0);
  if (has_two_stacks (diagram)) {
    g_autofree char *name = g_strdup_printf ("%s:", name_stack (diagram->blocks[first].stack));

    add_words (self, name);
  }
  add_more (self, first, "%d more " MORE);
  for (int i = self->first; i <= self->last; i++)
    add_line_box (self, i);
  add_more (self, diagram->n_blocks - first - (self->last - self->first + 1), MORE " %d more");
  return self->x - LINE_GAP * builder->scale <= self->right;
}

/* One block more at a side, of the same stack. */
static gboolean
grow (Line *self,
      int   side)
{
  const EngDiagramBlock *blocks = self->builder->self->diagram->blocks;
  int *end = side < 0 ? &self->first : &self->last;
  const int next = *end + side;

  if (next < 0 || next >= (int) self->blocks->len
      || blocks[get_block (self, next)].stack != blocks[get_block (self, *end)].stack)
    return FALSE;
  *end = next;
  if (add_line (self))
    return TRUE;
  *end -= side;
  return FALSE;
}

/* Around the lit block, or what is lit of several, as many as have room, for all lines that have
 * been laid out from top on. */
static void
keep_line (UiStepsBuilder    *builder,
           const UiStepsSpan *lit,
           double             top)
{
  const EngDiagram *diagram = builder->self->diagram;
  const int kept = lit->first >= 0
                   ? lit->first : diagram->groups[ui_steps_find_group (builder->self)].first;
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (int));
  Line line = { .builder = builder, .lit = *lit, .blocks = blocks,
                .right = builder->left + builder->room };
  gboolean grows;

  for (int i = 0; i < diagram->n_blocks; i++) {
    if (i == kept)
      line.first = line.last = (int) blocks->len;
    if (stands_on_line (diagram, lit, i))
      g_array_append_val (blocks, i);
  }
  builder->y = top;
  grows = add_line (&line);
  line.is_terse = !grows;
  while (grows) {
    const gboolean grows_right = grow (&line, 1);

    grows = grow (&line, -1) || grows_right;
  }
  add_line (&line);
  /* What they come from stands on another line. */
  g_array_set_size (builder->layout->forks, 0);
}

void
ui_steps_lay_out_diagram (UiStepsBuilder *builder)
{
  const UiStepsScene *self = builder->self;
  const EngDiagram *diagram = self->diagram;
  const double view_height = self->scene.options.view_height;
  const double top = builder->y;
  const double below = (HEIGHT + BELOW) * builder->scale;
  double x = builder->left;
  UiStepsSpan lit;

  if (diagram == NULL || diagram->n_blocks == 0)
    return;
  lit = ui_steps_find_lit (self);
  for (int i = 0; i < diagram->n_blocks; i++) {
    add_names (builder, i, &x);
    add_box (builder, i, i >= lit.first && i <= lit.last, &x);
  }
  add_forks (builder);
  if (view_height > 0 && builder->y > top && builder->y + below > MOST_PART * view_height)
    keep_line (builder, &lit, top);
  add_box_texts (builder);
  builder->y += below;
}
