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
#define MEAN_WIDTH 34.0
#define MEAN_GAP 14.0 /* between a heading that needs more than that and the lanes */
#define NUMBER_WIDTH 30.0
#define WIDE_LANE 46.0
#define MAX_STANDING_BAR 14.0
#define BAR_ROW_GAP 5.0 /* between a bar of full length and the row over it */
#define MAX_LANE 120.0

/* Every number where the lanes are wide enough, else every second, fifth or tenth. */
static int
find_number_step (const UiHeadPainter *painter,
                  const UiHeadLanes   *lanes,
                  const UiTextStyle   *style)
{
  static const int steps[] = { 1, 2, 5, 10, 20 };
  const UiWeights *weights = &painter->self->scene.weights;
  g_autofree char *last = ui_describe_lane (weights, weights->heads[weights->n_heads - 1]);
  double needed = ui_text_measure (last, style) + LANE_HEAD_GAP * painter->self->layout.scale;
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
paint_lane_heading (const UiHeadPainter *painter,
                    const UiHeadLanes   *lanes)
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
  UiTextStyle mean = get_means_style (self);
  int step = find_number_step (painter, lanes, &style);

  for (int i = 0; i < weights->n_heads; i += step) {
    g_autofree char *number = ui_describe_lane (weights, weights->heads[i]);

    ui_text_paint (painter->sink, lanes->x + i * lanes->width + middle, y, number, &style,
                   ui_head_color_get (weights, self->scene.options.theme,
                                      weights->heads[i]));
  }
  if (weights->n_heads > 1)
    ui_text_paint (painter->sink, lanes->mean_x, y, name_means (painter->pins), &mean,
                   painter->palette->dim);
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

      ui_text_paint (painter->sink, x, y, number, &style, painter->palette->dim);
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
    ui_text_paint (painter->sink, lanes->mean_x, y, number, &style,
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

void
ui_head_paint_bars (const UiHeadPainter *painter)
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
