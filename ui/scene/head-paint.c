/* SPDX-License-Identifier: MIT */
#include "ui/scene/head-scene.h"

#include <math.h>

#include "ui/scene/describe.h"
#include "ui/scene/mask.h"
#include "ui/scene/text.h"

/* At 100 % text. */
#define COLUMN_PADDING 10.0
#define PLATE_CORNER 6.0
#define BAR_DISTANCE 8.0   /* from the plate to the outer edge of a sentence's bar */
#define BAR_WIDTH 4.0
#define LETTER_DISTANCE 20.0
#define HEADING_SIZE 12.5
#define LETTER_SIZE 13.0
#define NUMBER_SIZE 12.0
#define LANE_NUMBER_SIZE 11.0
#define LANE_HEAD_SIZE 10.5
#define MIN_LANE_HEAD_SIZE 8.0
#define LANE_HEAD_GAP 3.0
#define LANES_GAP 6.0
#define MEAN_WIDTH 34.0
#define NUMBER_WIDTH 30.0
#define WIDE_LANE 46.0
#define MAX_STANDING_BAR 14.0
#define BAR_ROW_GAP 5.0 /* between a bar of full length and the row over it */
#define MAX_LANE 120.0
#define JOINT_DISTANCE 4.5 /* of the line that joins the pieces of a word, from the plate's edge */
#define TOKEN_FRAME 9.0

/* A token that reads or is read this much on average stays in full colour beside a pinned one. */
#define STRONG 0.05
/* Part of the ground over the links while one of them is pointed at. */
#define VEIL 0.72

typedef struct {
  const UiHeadScene *self;
  const UiPalette   *palette;
  const UiPins      *pins;
  UiSink            *sink;
  const UiRect      *clip;
} Painter;

static gboolean
is_row_visible (const Painter *painter,
                double         y)
{
  double row = painter->self->layout.row;

  return y + row > painter->clip->y && y - row < painter->clip->y + painter->clip->height;
}

static double
get_text_x (const UiHeadLayout *layout,
            UiSide              side)
{
  const UiRect *column = &layout->columns[side].column;
  double padding = COLUMN_PADDING * layout->scale;

  return side == UI_SIDE_QUERIES ? column->x + column->width - padding : column->x + padding;
}

/* The two parts of a token side by side, set flush with the column's inner edge. */
typedef struct {
  UiTextStyle style;
  double      prefix_x; /* where the texts are flush */
  double      text_x;
  double      left;
  double      width;
} TokenBox;

static TokenBox
measure_token (const UiHeadScene *self,
               UiSide             side,
               int                token)
{
  const UiHeadLayout *layout = &self->layout;
  const UiHeadToken *set = &self->tokens[side][token];
  TokenBox box = { .style = { .size = layout->text_size, .italic = set->special } };
  double room = layout->columns[side].column.width - 2 * COLUMN_PADDING * layout->scale;
  double prefix = *set->prefix != '\0' ? ui_text_measure (set->prefix, &box.style) : 0;
  double edge = get_text_x (layout, side);
  double text;

  box.style.max_width = room - prefix;
  text = ui_text_measure (set->text, &box.style);
  box.width = prefix + text;
  if (side == UI_SIDE_QUERIES) {
    box.style.align = UI_ALIGN_RIGHT;
    box.text_x = edge;
    box.prefix_x = edge - text;
    box.left = edge - box.width;
  } else {
    box.prefix_x = box.left = edge;
    box.text_x = edge + prefix;
  }
  return box;
}

UiRect
ui_head_get_token_rect (const UiHeadScene *self,
                        UiSide             side,
                        int                token)
{
  const UiHeadLayout *layout = &self->layout;
  TokenBox box = measure_token (self, side, token);
  double margin = TOKEN_FRAME * layout->scale;
  double height = MIN (layout->row - 2, layout->text_size * 1.6);

  return (UiRect) {
    box.left - margin, layout->columns[side].y[token] - height / 2, box.width + 2 * margin, height
  };
}

static void
draw_text (const Painter     *painter,
           double             x,
           double             y,
           const char        *text,
           const UiTextStyle *style,
           UiColor            color)
{
  double baseline = ui_text_baseline (y, style->size);

  painter->sink->klass->text (painter->sink, x, baseline, text, style, color);
}

/* A pinned token's own colour, full for what it reads or what reads it, faint for the rest and for
 * padding, which no token sees. */
static UiColor
get_token_color (const Painter *painter,
                 UiSide         side,
                 int            token)
{
  const UiPalette *palette = painter->palette;
  const UiWeights *weights = &painter->self->scene.weights;
  gboolean special = painter->self->tokens[side][token].special;
  const guint8 *passes = side == UI_SIDE_QUERIES ? weights->query_passes : weights->key_passes;

  if (ui_pins_has (painter->pins, side == UI_SIDE_KEYS, token))
    return palette->accent_text;
  if (!passes[token] || (painter->self->hidden[side] != NULL && painter->self->hidden[side][token]))
    return palette->faint;
  if (!ui_pins_is_empty (painter->pins) &&
      ui_weights_mean (weights, painter->pins, side == UI_SIDE_KEYS, token) < STRONG)
    return palette->faint;
  return special ? palette->dim : palette->text;
}

static void
paint_token (const Painter *painter,
             UiSide         side,
             int            token)
{
  const UiHeadScene *self = painter->self;
  const UiHeadToken *set = &self->tokens[side][token];
  double y = self->layout.columns[side].y[token];
  TokenBox box = measure_token (self, side, token);
  UiColor color = get_token_color (painter, side, token);
  UiColor prefix_color = color;

  if (ui_pins_has (painter->pins, side == UI_SIDE_KEYS, token)) {
    UiRect rect = ui_head_get_token_rect (self, side, token);

    painter->sink->klass->fill (painter->sink, &rect, rect.height / 2, painter->palette->accent);
  }
  prefix_color.a = (guint8) (color.a * 0.5);
  if (*set->prefix != '\0')
    draw_text (painter, box.prefix_x, y, set->prefix, &box.style, prefix_color);
  draw_text (painter, box.text_x, y, set->text, &box.style, color);
}

/* A thin line along the pieces of one word. */
static void
paint_joints (const Painter *painter,
              UiSide         side)
{
  const UiHeadLayout *layout = &painter->self->layout;
  const UiHeadColumn *column = &layout->columns[side];
  double edge = column->column.x + (side == UI_SIDE_QUERIES ? column->column.width : 0);
  double x = edge + (side == UI_SIDE_QUERIES ? -1 : 1) * JOINT_DISTANCE * layout->scale;
  double half = layout->text_size * 0.42;

  for (int first = 0, last; first < column->n; first = last + 1) {
    last = first;
    while (last + 1 < column->n && painter->self->tokens[side][last + 1].continues)
      last++;
    if (last > first)
      painter->sink->klass->line (painter->sink, x, column->y[first] - half,
                                  x, column->y[last] + half,
                                  1.5 * layout->scale, painter->palette->faint);
  }
}

static void
paint_sentence (const Painter     *painter,
                UiSide             side,
                const UiHeadGroup *group)
{
  const UiHeadLayout *layout = &painter->self->layout;
  UiRect plate = ui_head_layout_get_plate (layout, side, group);
  UiColor color = painter->palette->sentence[group->sentence != 0];
  double scale = layout->scale;
  double outer = side == UI_SIDE_QUERIES ? plate.x : plate.x + plate.width;
  double sign = side == UI_SIDE_QUERIES ? -1 : 1;
  UiRect bar = {
    outer + (side == UI_SIDE_QUERIES ? -BAR_DISTANCE : BAR_DISTANCE - BAR_WIDTH) * scale,
    plate.y, BAR_WIDTH * scale, plate.height
  };
  UiTextStyle style = { .size = LETTER_SIZE * scale, .bold = TRUE, .align = UI_ALIGN_CENTER };

  painter->sink->klass->fill (painter->sink, &plate, PLATE_CORNER * scale, painter->palette->plate);
  if (!layout->has_pair)
    return;
  painter->sink->klass->fill (painter->sink, &bar, BAR_WIDTH * scale / 2, color);
  draw_text (painter, outer + sign * LETTER_DISTANCE * scale, plate.y + plate.height / 2,
             group->sentence ? "B" : "A", &style, color);
}

/* What a mask hides from the pinned tokens of the other side; without these what it hides from
 * all. */
static guint8 *
mark_masked (const Painter *painter,
             UiSide         side)
{
  const UiHeadScene *self = painter->self;
  const EngAttention *attention = self->scene.attention;
  const UiPins *pins = painter->pins;

  if (side == UI_SIDE_QUERIES)
    return pins->n_keys > 0 ? ui_mask_mark_queries (attention, pins->keys, pins->n_keys) : NULL;
  if (pins->n_queries > 0)
    return ui_mask_mark_keys (attention, pins->queries, pins->n_queries);
  return g_memdup2 (self->hidden[side], self->hidden[side] != NULL ? (gsize) attention->n_keys : 0);
}

/* Hatching over the rows of masked tokens, in one piece where they stand together. */
static void
paint_masked (const Painter *painter,
              UiSide         side)
{
  const UiHeadColumn *column = &painter->self->layout.columns[side];
  double row = painter->self->layout.row;
  g_autofree guint8 *masked = mark_masked (painter, side);

  for (int i = 0; i < column->n_groups && masked != NULL; i++) {
    const UiHeadGroup *group = &column->groups[i];

    for (int first = group->first, end; first <= group->last; first = end + 1) {
      UiRect rect = { column->column.x, column->y[first] - row / 2, column->column.width };

      for (end = first; end <= group->last && masked[end]; end++)
        rect.height += row;
      if (rect.height > 0)
        painter->sink->klass->hatch (painter->sink, &rect, painter->palette->hatch);
    }
  }
}

static void
paint_tokens (const Painter *painter,
              UiSide         side)
{
  static const char *const names[] = { "tokens that read", "tokens that are read" };
  const UiHeadColumn *column = &painter->self->layout.columns[side];

  painter->sink->klass->push_group (painter->sink, names[side]);
  for (int i = 0; i < column->n_groups; i++)
    paint_sentence (painter, side, &column->groups[i]);
  paint_masked (painter, side);
  paint_joints (painter, side);
  for (int token = 0; token < column->n; token++) {
    if (is_row_visible (painter, column->y[token]))
      paint_token (painter, side, token);
  }
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_headings (const Painter *painter)
{
  const UiHeadLayout *layout = &painter->self->layout;
  const UiScene *scene = &painter->self->scene;
  UiTextStyle style = { .size = HEADING_SIZE * layout->scale, .align = UI_ALIGN_RIGHT };
  UiColor color = painter->palette->dim;
  double y = layout->header * 0.45;

  draw_text (painter, get_text_x (layout, UI_SIDE_QUERIES), y, ui_describe_heading (scene, FALSE),
             &style, color);
  style.align = UI_ALIGN_LEFT;
  draw_text (painter, get_text_x (layout, UI_SIDE_KEYS), y, ui_describe_heading (scene, TRUE),
             &style, color);
}

/* Every number where the lanes are wide enough, else every second, fifth or tenth. */
static int
find_number_step (const Painter     *painter,
                  const UiHeadLanes *lanes,
                  const UiTextStyle *style)
{
  static const int steps[] = { 1, 2, 5, 10, 20 };
  const UiWeights *weights = &painter->self->scene.weights;
  g_autofree char *last = g_strdup_printf ("%d", weights->heads[weights->n_heads - 1]);
  double needed = ui_text_measure (last, style) + LANE_HEAD_GAP * painter->self->layout.scale;
  gsize i = 0;

  while (i + 1 < G_N_ELEMENTS (steps) && steps[i] * lanes->width < needed)
    i++;
  return steps[i];
}

static void
paint_lane_heading (const Painter     *painter,
                    const UiHeadLanes *lanes)
{
  const UiHeadScene *self = painter->self;
  const UiWeights *weights = &self->scene.weights;
  double scale = self->layout.scale;
  double y = self->layout.header * 0.45;
  double middle = lanes->wide ? 0 : lanes->width / 2;
  UiTextStyle style = {
    .size = CLAMP (lanes->width * 0.82, MIN_LANE_HEAD_SIZE * scale, LANE_HEAD_SIZE * scale),
    .bold = TRUE,
    .align = lanes->wide ? UI_ALIGN_LEFT : UI_ALIGN_CENTER
  };
  UiTextStyle mean = { .size = LANE_HEAD_SIZE * scale, .align = UI_ALIGN_RIGHT };
  int step = find_number_step (painter, lanes, &style);

  for (int i = 0; i < weights->n_heads; i += step) {
    g_autofree char *number = g_strdup_printf ("%d", weights->heads[i]);

    draw_text (painter, lanes->x + i * lanes->width + middle, y, number, &style,
               ui_palette_head (self->scene.options.theme, weights->heads[i]));
  }
  if (weights->n_heads > 1)
    draw_text (painter, lanes->mean_x, y, "mean", &mean, painter->palette->dim);
}

/* The rectangle of a bar in the lane at x. */
static UiRect
get_bar (const UiHeadScene *self,
         const UiHeadLanes *lanes,
         double             x,
         double             y,
         double             weight)
{
  double scale = self->layout.scale;
  double part = weight / lanes->full;

  if (lanes->wide) {
    double height = self->layout.row * 0.5;

    return (UiRect) { x, y - height / 2, (lanes->width - NUMBER_WIDTH * scale) * part, height };
  } else {
    double room = self->layout.row - BAR_ROW_GAP * scale;
    double gap = MIN (1.5 * scale, lanes->width / 4);
    double width = MIN (lanes->width - gap, MAX_STANDING_BAR * scale);

    return (UiRect) {
      x + (lanes->width - width) / 2, y + room / 2 - room * part, width, room * part
    };
  }
}

static void
fill_rects (const Painter *painter,
            const GArray  *rects,
            UiColor        color)
{
  if (rects->len > 0)
    painter->sink->klass->fill_many (painter->sink, (const UiRect *) rects->data, (int) rects->len,
                                     color);
}

static void
paint_lane (const Painter     *painter,
            const UiHeadLanes *lanes,
            UiSide             side,
            int                i)
{
  const UiHeadScene *self = painter->self;
  const UiHeadColumn *column = &self->layout.columns[side];
  const UiWeights *weights = &self->scene.weights;
  double scale = self->layout.scale;
  int head = weights->heads[i];
  UiColor color = ui_palette_head (self->scene.options.theme, head);
  UiTextStyle style = { .size = LANE_NUMBER_SIZE * scale, .tabular = TRUE };
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int token = 0; token < column->n; token++) {
    double y = column->y[token];
    double weight = ui_weights_sum (weights, painter->pins, head, side == UI_SIDE_KEYS, token);
    UiRect bar = get_bar (self, lanes, lanes->x + i * lanes->width, y, weight);

    if (weight < weights->threshold || weight <= 0 || !is_row_visible (painter, y))
      continue;
    g_array_append_val (bars, bar);
    if (lanes->wide) {
      g_autofree char *number = ui_describe_weight (weight);
      double x = bar.x + bar.width + 4 * scale;

      draw_text (painter, x, y, number, &style, painter->palette->dim);
    }
  }
  fill_rects (painter, bars, color);
}

/* What the bars stand on: the foot of each row, or the left side of each lane. A masked token has
 * no bars, not bars of 0. */
static void
paint_zero_lines (const Painter     *painter,
                  const UiHeadLanes *lanes,
                  UiSide             side)
{
  const UiHeadLayout *layout = &painter->self->layout;
  const UiHeadColumn *column = &layout->columns[side];
  int n_heads = painter->self->scene.weights.n_heads;
  g_autofree guint8 *masked = mark_masked (painter, side);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int i = 0; lanes->wide && i < n_heads; i++) {
    UiRect line = { lanes->x + i * lanes->width - 1, column->column.y, 1, column->column.height };

    g_array_append_val (lines, line);
  }
  for (int token = 0; !lanes->wide && token < column->n; token++) {
    double foot = column->y[token] + (layout->row - BAR_ROW_GAP * layout->scale) / 2;
    UiRect line = { lanes->x, foot, lanes->width * n_heads, 1 };

    if (is_row_visible (painter, column->y[token]) && (masked == NULL || !masked[token]))
      g_array_append_val (lines, line);
  }
  fill_rects (painter, lines, painter->palette->rule);
}

static void
paint_means (const Painter     *painter,
             const UiHeadLanes *lanes,
             UiSide             side)
{
  const UiHeadScene *self = painter->self;
  const UiHeadColumn *column = &self->layout.columns[side];
  const UiWeights *weights = &self->scene.weights;
  UiTextStyle style = {
    .size = MIN (NUMBER_SIZE * self->layout.scale, self->layout.text_size),
    .tabular = TRUE,
    .align = UI_ALIGN_RIGHT
  };

  for (int token = 0; token < column->n; token++) {
    double mean = ui_weights_mean (weights, painter->pins, side == UI_SIDE_KEYS, token);
    g_autofree char *number = ui_describe_weight (mean);

    if (mean < weights->threshold || mean <= 0 || !is_row_visible (painter, column->y[token]))
      continue;
    draw_text (painter, lanes->mean_x, column->y[token], number, &style,
               mean >= STRONG ? painter->palette->text : painter->palette->dim);
  }
}

static void
paint_bars (const Painter *painter)
{
  UiSide side = ui_head_get_bar_side (painter->pins);
  UiHeadLanes lanes;

  ui_head_lanes_init (&lanes, painter->self, painter->pins);
  painter->sink->klass->push_group (painter->sink, "bars by head");
  paint_lane_heading (painter, &lanes);
  paint_zero_lines (painter, &lanes, side);
  for (int i = 0; i < painter->self->scene.weights.n_heads; i++)
    paint_lane (painter, &lanes, side, i);
  if (painter->self->scene.weights.n_heads > 1)
    paint_means (painter, &lanes, side);
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_links (const Painter *painter)
{
  UiHeadField field;

  ui_head_field_init_for (&field, painter->self, painter->pins);
  painter->sink->klass->push_group (painter->sink, "links");
  painter->sink->klass->links (painter->sink, &field.field);
  painter->sink->klass->pop_group (painter->sink);
  ui_head_field_clear (&field);
}

UiSide
ui_head_get_bar_side (const UiPins *pins)
{
  return pins->n_queries > 0 ? UI_SIDE_KEYS : UI_SIDE_QUERIES;
}

/* Several pinned tokens are added, so that a bar may stand for more than 1; a full lane is the next
 * whole number. */
static double
find_full_lane (const UiHeadScene *self,
                const UiPins      *pins,
                UiSide             side)
{
  const UiWeights *weights = &self->scene.weights;
  double most = 1;

  for (int i = 0; i < weights->n_heads && pins->n_queries + pins->n_keys > 1; i++) {
    for (int token = 0; token < self->layout.columns[side].n; token++) {
      double sum = ui_weights_sum (weights, pins, weights->heads[i], side == UI_SIDE_KEYS, token);

      most = MAX (most, sum);
    }
  }
  return ceil (most - 1e-4);
}

void
ui_head_lanes_init (UiHeadLanes       *lanes,
                    const UiHeadScene *self,
                    const UiPins      *pins)
{
  UiSide side = ui_head_get_bar_side (pins);
  const UiRect *rect = &self->layout.columns[side].lanes;
  double scale = self->layout.scale;
  int n_heads = self->scene.weights.n_heads;
  double mean = n_heads > 1 ? MEAN_WIDTH * scale : 0;
  double room = rect->width - LANES_GAP * scale - mean;

  lanes->width = MIN (room / n_heads, MAX_LANE * scale);
  lanes->wide = lanes->width >= WIDE_LANE * scale;
  lanes->full = find_full_lane (self, pins, side);
  if (side == UI_SIDE_KEYS) {
    lanes->x = rect->x + LANES_GAP * scale;
    lanes->mean_x = lanes->x + n_heads * lanes->width + mean;
  } else {
    lanes->x = rect->x + rect->width - LANES_GAP * scale - n_heads * lanes->width;
    lanes->mean_x = lanes->x - 6 * scale;
  }
}

static Painter
get_painter (const UiHeadScene *self,
             const UiPins      *pins,
             UiSink            *sink,
             const UiRect      *clip)
{
  return (Painter) {
    .self = self,
    .palette = ui_palette_get (self->scene.options.theme),
    .pins = pins,
    .sink = sink,
    .clip = clip,
  };
}

void
ui_head_paint_column (const UiHeadScene *self,
                      UiSide             side,
                      const UiPins      *pins,
                      UiSink            *sink,
                      const UiRect      *clip)
{
  Painter painter = get_painter (self, pins, sink, clip);

  paint_tokens (&painter, side);
}

void
ui_head_paint (const UiHeadScene *self,
               const UiPins      *pins,
               UiSink            *sink,
               const UiRect      *clip)
{
  Painter painter = get_painter (self, pins, sink, clip);

  paint_headings (&painter);
  paint_links (&painter);
  paint_tokens (&painter, UI_SIDE_QUERIES);
  paint_tokens (&painter, UI_SIDE_KEYS);
  if (!ui_pins_is_empty (pins))
    paint_bars (&painter);
}

/* The link stays in its colour and at its full opacity over the others, its two tokens framed. */
static void
paint_link_hover (const UiHeadScene *self,
                  const UiItem      *hover,
                  UiSink            *sink)
{
  const UiPalette *palette = ui_palette_get (self->scene.options.theme);
  const UiWeights *weights = &self->scene.weights;
  UiRect rect = ui_head_layout_get_field (&self->layout);
  UiRect tokens[2] = {
    ui_head_get_token_rect (self, UI_SIDE_QUERIES, hover->query),
    ui_head_get_token_rect (self, UI_SIDE_KEYS, hover->key)
  };
  UiHeadField field;
  UiLink link = { 0 };

  sink->klass->fill (sink, &rect, 0, ui_color_with_alpha (palette->ground, VEIL));
  ui_head_field_init_for (&field, self, NULL);
  for (int i = 0; i < weights->n_heads; i++) {
    if (weights->heads[i] != hover->head)
      continue;
    ui_head_field_get_link (&field, i, hover->query, hover->key, &link);
    link.color.a = 255;
    sink->klass->curve (sink, &link);
  }
  ui_head_field_clear (&field);
  for (int side = 0; side < 2; side++)
    sink->klass->frame (sink, &tokens[side], tokens[side].height / 2, 1.5, link.color);
}

/* The token on a plate of its own, in full colour. */
static void
paint_token_hover (const Painter *painter,
                   UiSide         side,
                   int            token)
{
  UiRect rect = ui_head_get_token_rect (painter->self, side, token);
  Painter unpinned = *painter;
  UiPins none = { 0 };

  unpinned.pins = &none;
  painter->sink->klass->fill (painter->sink, &rect, rect.height / 2, painter->palette->ground);
  painter->sink->klass->fill (painter->sink, &rect, rect.height / 2, painter->palette->plate);
  painter->sink->klass->frame (painter->sink, &rect, rect.height / 2, 1.5,
                               painter->palette->accent);
  paint_token (&unpinned, side, token);
}

/* The pins stay as they are. Of a token on the other side the links with them stand out; its bars
 * are there already. */
static void
paint_hover_beside_pins (const Painter *painter,
                         UiSide         side,
                         int            token)
{
  const UiPins *pins = painter->pins;
  gboolean key = side == UI_SIDE_KEYS;
  UiRect field = ui_head_layout_get_field (&painter->self->layout);
  UiPins pair = {
    .queries = key ? pins->queries : &token,
    .n_queries = key ? pins->n_queries : 1,
    .keys = key ? &token : pins->keys,
    .n_keys = key ? 1 : pins->n_keys
  };

  if (ui_pins_has (pins, key, token)) {
    return;
  }
  paint_token_hover (painter, side, token);
  if (pair.n_queries > 0 && pair.n_keys > 0) {
    Painter links = *painter;

    links.pins = &pair;
    painter->sink->klass->fill (painter->sink, &field, 0,
                                ui_color_with_alpha (painter->palette->ground, VEIL));
    paint_links (&links);
  }
}

void
ui_head_paint_hover (const UiHeadScene *self,
                     const UiItem      *hover,
                     UiSink            *sink,
                     const UiRect      *clip)
{
  const UiPins *pinned = &self->scene.document->pins;
  UiPins pins = ui_scene_pins_of (hover);
  UiSide side = pins.n_keys > 0 ? UI_SIDE_KEYS : UI_SIDE_QUERIES;

  if (hover->type == UI_ITEM_LINK) {
    paint_link_hover (self, hover, sink);
  } else if (!ui_pins_is_empty (pinned)) {
    Painter painter = get_painter (self, pinned, sink, clip);

    paint_hover_beside_pins (&painter, side, side == UI_SIDE_KEYS ? hover->key : hover->query);
  } else {
    sink->klass->fill (sink, clip, 0, ui_palette_get (self->scene.options.theme)->ground);
    ui_head_paint (self, &pins, sink, clip);
  }
}
