/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-painter.h"

#include <math.h>

#include "ui/document/amount.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define NUMBER_SIZE 12.0
#define LANE_NUMBER_SIZE 11.0
#define LANE_HEAD_SIZE 10.5
#define MIN_LANE_HEAD_SIZE 8.0
#define LANE_HEAD_GAP 3.0
#define LANES_GAP 6.0
#define HEADING_PLACE 0.45 /* of the height of the band */
#define LETTER_BAR 8.0 /* of a sentence, from the plate to its outer edge */
#define MIN_LANE 16.0  /* of a window: a bar that is narrower cannot be read */
#define MEAN_WIDTH 34.0
#define MEAN_LINE 12.0 /* of a heading in two lines */
#define MEAN_GAP 14.0 /* between a heading that needs more than that and the lanes */
#define NUMBER_WIDTH 30.0
#define WIDE_LANE 46.0
#define MAX_STANDING_BAR 14.0
#define BAR_ROW_GAP 5.0 /* between a bar of full length and the row over it */
#define MAX_LANE 120.0

/* Every number where the lanes are wide enough, else every second, fifth or tenth. */
static int
find_number_step (const UiHeadScene *self,
                  const UiHeadLanes *lanes,
                  const UiTextStyle *style)
{
  static const int steps[] = { 1, 2, 5, 10, 20 };
  const UiWeights *weights = &self->scene.weights;
  g_autofree char *last = ui_describe_lane (weights, weights->heads[weights->n_heads - 1]);
  double needed = ui_text_measure (last, style) + LANE_HEAD_GAP * self->layout.scale;
  gsize i = 0;

  while (i + 1 < G_N_ELEMENTS (steps) && steps[i] * lanes->width < needed)
    i++;
  return steps[i];
}

/* Links that a bar stands for. */
static int
count_summed (const UiPins *pins)
{
  return ui_head_get_bar_side (pins) == UI_SIDE_KEYS ? pins->n_queries : pins->n_keys;
}

/* Over the column beside the lanes: of several pinned tokens the mean, over heads, of sums. */
static const char *
name_means (const UiPins *pins)
{
  return count_summed (pins) > 1 ? "mean sum" : "mean";
}

/* Names of lanes, smaller where they have less room. */
static UiTextStyle
get_lane_style (const UiHeadScene *self,
                const UiHeadLanes *lanes)
{
  const UiWeights *weights = &self->scene.weights;
  const double scale = self->layout.scale;
  UiTextStyle style = { .size = LANE_HEAD_SIZE * scale, .bold = TRUE, .align = UI_ALIGN_CENTER };
  g_autofree char *last = ui_describe_lane (weights, weights->heads[weights->n_heads - 1]);
  const double room = lanes->width - LANE_HEAD_GAP * scale;

  style.size = CLAMP (style.size * room / ui_text_measure (last, &style),
                      MIN_LANE_HEAD_SIZE * scale, LANE_HEAD_SIZE * scale);
  if (lanes->wide)
    style.align = UI_ALIGN_LEFT;
  return style;
}

/* A window's bars are wide enough to be read and have their names, or are left out. */
static gboolean
is_readable (const UiHeadScene *self,
             const UiHeadLanes *lanes)
{
  const UiTextStyle style = get_lane_style (self, lanes);

  return self->scene.options.view_height <= 0
         || (lanes->width >= MIN_LANE * self->layout.scale
             && find_number_step (self, lanes, &style) == 1);
}

static UiTextStyle
get_means_style (const UiHeadScene *self)
{
  return (UiTextStyle) { .size = LANE_HEAD_SIZE * self->layout.scale, .align = UI_ALIGN_RIGHT };
}

static double
get_means_width (const UiHeadScene *self,
                 const UiPins      *pins)
{
  const double scale = self->layout.scale;
  const UiTextStyle style = get_means_style (self);

  if (count_summed (pins) < 2)
    return MEAN_WIDTH * scale;
  return MAX (MEAN_WIDTH * scale, ui_text_measure (name_means (pins), &style) + MEAN_GAP * scale);
}

static void
paint_lane_headings (const UiHeadPainter *painter,
                     const UiHeadLanes   *lanes)
{
  const UiHeadScene *self = painter->self;
  const UiWeights *weights = &self->scene.weights;
  double y = self->layout.header * HEADING_PLACE;
  double middle = lanes->wide ? 0 : lanes->width / 2;
  UiTextStyle style = get_lane_style (self, lanes);
  int step = find_number_step (self, lanes, &style);

  for (int i = 0; i < lanes->n; i += step) {
    g_autofree char *number = ui_describe_lane (weights, weights->heads[i]);

    ui_text_paint (painter->sink, lanes->x + i * lanes->width + middle, y, number, &style,
                   ui_head_color_get (weights, self->scene.options.theme,
                                      weights->heads[i]));
  }
}

/* Over the numbers: what they are, in two lines where one has no room, or the name of the only
 * head. */
static void
paint_means_heading (const UiHeadPainter *painter,
                     const UiHeadLanes   *lanes)
{
  const UiHeadScene *self = painter->self;
  const UiWeights *weights = &self->scene.weights;
  UiTextStyle style = get_means_style (self);
  double y = self->layout.header * HEADING_PLACE;
  double line = MEAN_LINE * self->layout.scale / 2;

  if (weights->n_heads == 1) {
    g_autofree char *name = ui_describe_lane (weights, weights->heads[0]);

    style.bold = TRUE;
    style.max_width = lanes->mean_width;
    ui_text_paint (painter->sink, lanes->mean_x, y, name, &style,
                   ui_head_color_get (weights, self->scene.options.theme, weights->heads[0]));
  } else if (ui_text_measure (name_means (painter->pins), &style) > lanes->mean_width) {
    ui_text_paint (painter->sink, lanes->mean_x, y - line, "mean", &style, painter->palette->dim);
    ui_text_paint (painter->sink, lanes->mean_x, y + line, "sum", &style, painter->palette->dim);
  } else {
    ui_text_paint (painter->sink, lanes->mean_x, y, name_means (painter->pins), &style,
                   painter->palette->dim);
  }
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
fill_rects (const UiHeadPainter *painter,
            const GArray        *rects,
            UiColor              color)
{
  if (rects->len > 0)
    painter->sink->klass->fill_many (painter->sink, (const UiRect *) rects->data, (int) rects->len,
                                     color);
}

/* The bar of one link stands where the link is drawn; a sum of several has the threshold alone. */
static gboolean
is_drawn (const UiHeadPainter *painter,
          int                  head,
          UiSide               side,
          int                  token,
          double               weight)
{
  const UiWeights *weights = &painter->self->scene.weights;
  const UiPins *pins = painter->pins;

  if (count_summed (pins) > 1)
    return weight >= weights->threshold && weight > 0;
  return ui_weights_draws (weights, head, side == UI_SIDE_KEYS ? pins->queries[0] : token, weight);
}

static void
paint_lane (const UiHeadPainter *painter,
            const UiHeadLanes   *lanes,
            UiSide               side,
            int                  i)
{
  const UiHeadScene *self = painter->self;
  const UiHeadColumn *column = &self->layout.columns[side];
  const UiWeights *weights = &self->scene.weights;
  double scale = self->layout.scale;
  int head = weights->heads[i];
  UiColor color = ui_head_color_get (weights, self->scene.options.theme, head);
  UiTextStyle style = { .size = LANE_NUMBER_SIZE * scale, .tabular = TRUE };
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int token = 0; token < column->n; token++) {
    double y = column->y[token];
    double weight = ui_weights_sum (weights, painter->pins, head, side == UI_SIDE_KEYS, token);
    UiRect bar = get_bar (self, lanes, lanes->x + i * lanes->width, y, weight);

    if (!is_drawn (painter, head, side, token, weight) || !ui_head_painter_reaches (painter, y))
      continue;
    g_array_append_val (bars, bar);
    if (lanes->wide) {
      g_autofree char *number = ui_describe_value (weights, weight);
      double x = bar.x + bar.width + 4 * scale;

      ui_scene_paint_reading (&self->scene, painter->sink, x, y, number, &style,
                              painter->palette->dim);
    }
  }
  fill_rects (painter, bars, color);
}

/* What the bars stand on: the foot of each row, or the left side of each lane. A masked token has
 * no bars, not bars of 0. */
static void
paint_zero_lines (const UiHeadPainter *painter,
                  const UiHeadLanes   *lanes,
                  UiSide               side)
{
  const UiHeadLayout *layout = &painter->self->layout;
  const UiHeadColumn *column = &layout->columns[side];
  int n_heads = painter->self->scene.weights.n_heads;
  g_autofree guint8 *masked = ui_head_mark_masked (painter, side);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int i = 0; lanes->wide && i < n_heads; i++) {
    UiRect line = { lanes->x + i * lanes->width - 1, column->column.y, 1, column->column.height };

    g_array_append_val (lines, line);
  }
  for (int token = 0; !lanes->wide && token < column->n; token++) {
    double foot = column->y[token] + (layout->row - BAR_ROW_GAP * layout->scale) / 2;
    UiRect line = { lanes->x, foot, lanes->width * n_heads, 1 };

    if (ui_head_painter_reaches (painter, column->y[token]) && (masked == NULL || !masked[token]))
      g_array_append_val (lines, line);
  }
  fill_rects (painter, lines, painter->palette->rule);
}

static void
paint_means (const UiHeadPainter *painter,
             const UiHeadLanes   *lanes,
             UiSide               side)
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
    double y = column->y[token];
    double mean = ui_weights_mean (weights, painter->pins, side == UI_SIDE_KEYS, token);
    g_autofree char *number = ui_describe_value (weights, mean);

    if (mean < weights->threshold || mean <= 0 || !ui_head_painter_reaches (painter, y))
      continue;
    ui_scene_paint_reading (&self->scene, painter->sink, lanes->mean_x, y, number, &style,
                            ui_weights_get_strength (weights, mean) >= UI_HEAD_STRONG
                            ? painter->palette->text : painter->palette->dim);
  }
}

/* Several pinned tokens are added, so that a bar may stand for more than the unit; a full lane is
 * the next whole number, of a norm the next round one. */
static double
find_full_lane (const UiHeadScene *self,
                const UiPins      *pins,
                UiSide             side)
{
  const UiWeights *weights = &self->scene.weights;
  double most = weights->block.unit;

  for (int i = 0; i < weights->n_heads && count_summed (pins) > 1; i++) {
    for (int token = 0; token < self->layout.columns[side].n; token++) {
      double sum = ui_weights_sum (weights, pins, weights->heads[i], side == UI_SIDE_KEYS, token);

      most = MAX (most, sum);
    }
  }
  return weights->block.unit == 1 ? ceil (most - 1e-4) : ui_amount_round_up_digit (most);
}

UiSide
ui_head_get_bar_side (const UiPins *pins)
{
  return pins->n_queries > 0 ? UI_SIDE_KEYS : UI_SIDE_QUERIES;
}

/* Where bars have no room: the numbers alone, or where there is not the room
 * for that either, over the letters of the sentences, or not at all. */
static void
place_means_alone (UiHeadLanes       *lanes,
                   const UiHeadScene *self,
                   const UiPins      *pins,
                   UiSide             side)
{
  const UiHeadLayout *layout = &self->layout;
  const UiHeadColumn *column = &layout->columns[side];
  const double scale = layout->scale;
  const UiTextStyle style = get_means_style (self);
  const double least = MAX (ui_text_measure ("mean", &style), NUMBER_WIDTH * scale);
  const double gap = LANES_GAP * scale;
  double room = column->lanes.width - gap;
  double inner; /* from the plate to the numbers */

  lanes->takes_letters = layout->has_letters && room < least;
  inner = side == UI_SIDE_KEYS ? column->lanes.x - column->column.x - column->column.width
                               : column->column.x - column->lanes.x - column->lanes.width;
  inner += gap;
  if (lanes->takes_letters) {
    room += inner - gap - LETTER_BAR * scale;
    inner = LETTER_BAR * scale + gap;
  }
  lanes->n = 0;
  lanes->has_means = room >= least;
  lanes->takes_letters &= lanes->has_means;
  lanes->mean_width = MIN (room, MAX (least, get_means_width (self, pins)));
  lanes->mean_x = side == UI_SIDE_KEYS
                  ? column->column.x + column->column.width + inner + lanes->mean_width
                  : column->column.x - inner;
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
  /* Left of the lanes it stands apart from them, too. */
  double gaps = LANES_GAP * scale * (n_heads > 1 && side == UI_SIDE_QUERIES ? 2 : 1);
  double mean = n_heads > 1 ? get_means_width (self, pins) : 0;
  double room = rect->width - gaps - mean;

  *lanes = (UiHeadLanes) {
    .n = n_heads,
    .width = MIN (room / n_heads, MAX_LANE * scale),
    .has_means = n_heads > 1,
    .mean_width = mean,
    .full = find_full_lane (self, pins, side),
  };
  lanes->wide = lanes->width >= WIDE_LANE * scale;
  if (!is_readable (self, lanes)) {
    place_means_alone (lanes, self, pins, side);
  } else if (side == UI_SIDE_KEYS) {
    lanes->x = rect->x + LANES_GAP * scale;
    lanes->mean_x = lanes->x + n_heads * lanes->width + mean;
  } else {
    lanes->x = rect->x + rect->width - LANES_GAP * scale - n_heads * lanes->width;
    lanes->mean_x = lanes->x - 6 * scale;
  }
}

gboolean
ui_head_bars_take_letters (const UiHeadScene *self,
                           const UiPins      *pins,
                           UiSide             side)
{
  UiHeadLanes lanes;

  if (side != ui_head_get_bar_side (pins))
    return FALSE;
  ui_head_lanes_init (&lanes, self, pins);
  return lanes.takes_letters;
}

void
ui_head_paint_bars (const UiHeadPainter *painter)
{
  UiSide side = ui_head_get_bar_side (painter->pins);
  UiHeadLanes lanes;

  ui_head_lanes_init (&lanes, painter->self, painter->pins);
  painter->sink->klass->push_group (painter->sink, "bars by head");
  if (lanes.n > 0)
    paint_lane_headings (painter, &lanes);
  if (lanes.has_means)
    paint_means_heading (painter, &lanes);
  if (lanes.n > 0)
    paint_zero_lines (painter, &lanes, side);
  for (int i = 0; i < lanes.n; i++)
    paint_lane (painter, &lanes, side, i);
  if (lanes.has_means)
    paint_means (painter, &lanes, side);
  painter->sink->klass->pop_group (painter->sink);
}
