/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-painter.h"

#include <math.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define NUMBER_SIZE 12.5
#define FORMULA_GAP 5.0
#define NUMBER_PART_OF_ROW 0.66
#define BAR_PART_OF_ROW 0.5
#define BAR_CORNER 1.5
#define AXIS 0.75
#define LINK_GAP 3.0 /* between what is linked and the ends of a link */

#define SMALLEST_SHOWN 0.0005 /* with three decimals */

static UiTextStyle
get_number_style (const UiNeuronPainter *painter,
                  UiAlign                align)
{
  const UiHeadLayout *rows = painter->rows;
  double size = MIN (NUMBER_SIZE * rows->scale, rows->row * NUMBER_PART_OF_ROW);

  return (UiTextStyle) { .size = size, .tabular = TRUE, .align = align };
}

static void
paint_bar (const UiNeuronPainter *painter,
           double                 x,
           double                 width,
           int                    key,
           UiColor                color)
{
  double height = painter->rows->row * BAR_PART_OF_ROW;
  UiRect bar = { x, painter->rows->columns[UI_SIDE_KEYS].y[key] - height / 2, width, height };

  painter->sink->klass->fill (painter->sink, &bar, BAR_CORNER * painter->rows->scale, color);
}

/* A number with its bar to both sides of a zero line in the middle. */
static void
paint_signed (const UiNeuronPainter *painter,
              UiGauge                gauge,
              int                    key,
              double                 value,
              double                 full)
{
  const UiSpan *bars = &painter->layout->bars[gauge];
  const UiSpan *numbers = &painter->layout->numbers[gauge];
  const UiPalette *palette = painter->palette;
  double length = full > 0 ? fabs (value) / full * bars->width / 2 : 0;
  double x = bars->x + bars->width / 2 - (value < 0 ? length : 0);
  double y = painter->rows->columns[UI_SIDE_KEYS].y[key];
  g_autofree char *number = ui_neuron_describe_number (value);
  UiTextStyle style = get_number_style (painter, UI_ALIGN_RIGHT);

  if (bars->width > 0)
    paint_bar (painter, x, length, key, value < 0 ? palette->negative : palette->positive);
  ui_scene_paint_reading (&painter->self->parent.scene, painter->sink, numbers->x + numbers->width, y,
                          number, &style, palette->dim);
}

/* The terms of a score have its scale, so that bars can be added by eye. */
static void
paint_score (const UiNeuronPainter *painter,
             int                    key,
             double                 full)
{
  const UiNeuronScene *self = painter->self;
  double score = ui_neuron_get_score (self, painter->query, key);
  double bias = ui_neuron_get_bias (self, painter->query, key);

  if (self->n_biases > 0)
    paint_signed (painter, UI_GAUGE_PRODUCT, key, score - bias, full);
  for (int i = 0; i < self->n_biases; i++)
    paint_signed (painter, UI_GAUGE_BIAS + i, key,
                  ui_neuron_get_bias_term (self, i, painter->query, key), full);
  paint_signed (painter, UI_GAUGE_SCORE, key, score, full);
}

/* A number that is not negative, with its bar from the left. */
static void
paint_amount (const UiNeuronPainter *painter,
              UiGauge                gauge,
              int                    key,
              double                 value,
              double                 full)
{
  const UiSpan *bars = &painter->layout->bars[gauge];
  const UiPalette *palette = painter->palette;
  double y = painter->rows->columns[UI_SIDE_KEYS].y[key];
  UiColor color = ui_palette_head (painter->theme, painter->self->head);
  UiTextStyle style = get_number_style (painter, UI_ALIGN_LEFT);
  gboolean small = value < SMALLEST_SHOWN;
  g_autofree char *number = ui_describe_amount (value, value < 99.9995 ? 3 : 1);

  paint_bar (painter, bars->x, full > 0 ? value / full * bars->width : 0, key, color);
  ui_scene_paint_reading (&painter->self->parent.scene, painter->sink,
                          painter->layout->numbers[gauge].x, y, number, &style,
                          small ? palette->dim : palette->text);
}

static void
hatch_span (const UiNeuronPainter *painter,
            double                 left,
            double                 right,
            int                    key)
{
  UiRect rect = ui_neuron_layout_get_band (painter->layout, UI_BAND_PRODUCTS, key);

  rect.x = left;
  rect.width = right - left;
  painter->sink->klass->hatch (painter->sink, &rect, painter->palette->hatch);
}

static void
paint_masked (const UiNeuronPainter *painter,
              int                    key)
{
  const UiNeuronLayout *layout = painter->layout;
  const UiSpan *products = &layout->bands[UI_BAND_PRODUCTS];
  const UiSpan *softmax = &layout->bars[UI_GAUGE_SOFTMAX];
  const UiSpan *scores = &layout->numbers[UI_GAUGE_SCORE];
  UiGauge first = layout->columns.n_biases > 0 ? UI_GAUGE_PRODUCT : UI_GAUGE_SCORE;
  UiTextStyle style = get_number_style (painter, UI_ALIGN_LEFT);

  hatch_span (painter, products->x, products->x + products->width, key);
  hatch_span (painter, layout->bars[first].x, scores->x + scores->width, key);
  hatch_span (painter, softmax->x, softmax->x + softmax->width, key);
  style.italic = TRUE;
  ui_text_paint (painter->sink, layout->numbers[UI_GAUGE_SOFTMAX].x,
                 painter->rows->columns[UI_SIDE_KEYS].y[key], "masked", &style,
                 painter->palette->dim);
}

/* Open for what the query sees, hatched for what is hidden from it. */
static void
paint_mask_cell (const UiNeuronPainter *painter,
                 int                    key,
                 gboolean               hidden)
{
  UiRect cell = ui_neuron_layout_get_band (painter->layout, UI_BAND_PRODUCTS, key);
  double corner = BAR_CORNER * painter->rows->scale;
  UiSink *sink = painter->sink;

  cell.x = painter->layout->mask.x;
  cell.width = painter->layout->mask.width;
  if (hidden)
    sink->klass->hatch (sink, &cell, painter->palette->hatch);
  sink->klass->frame (sink, &cell, corner, AXIS, painter->palette->rule);
}

/* Thin lines for a score of 0 and a weight of 0. */
static void
paint_axes (const UiNeuronPainter *painter)
{
  const UiRect *rows = &painter->rows->columns[UI_SIDE_KEYS].column;

  for (int gauge = 0; gauge < UI_N_GAUGES; gauge++) {
    const UiSpan *bars = &painter->layout->bars[gauge];
    double x = bars->x + (gauge <= UI_GAUGE_SCORE ? bars->width / 2 : 0);

    if (bars->width > 0)
      painter->sink->klass->line (painter->sink, x, rows->y, x, rows->y + rows->height, AXIS,
                                  painter->palette->rule);
  }
}

static double
get_gauge_width (const UiNeuronPainter *painter,
                 UiGauge                gauge)
{
  return painter->layout->bars[gauge].width + painter->layout->numbers[gauge].width;
}

/* A formula that is too long, or would touch what stands beside it, stands in the legend alone. */
static void
paint_formula (const UiNeuronPainter *painter,
               UiGauge                gauge,
               const char            *formula,
               const char            *brief,
               const char            *scale)
{
  UiTextStyle style = { .size = UI_NEURON_TITLE_SIZE * painter->rows->scale, .bold = TRUE };
  gboolean fits = ui_text_measure (formula, &style) + FORMULA_GAP * painter->rows->scale
                  <= get_gauge_width (painter, gauge);

  ui_neuron_paint_heading (painter, painter->layout->bars[gauge].x, fits ? formula : brief, scale);
}

static void
paint_score_headings (const UiNeuronPainter *painter,
                      const char            *scale)
{
  g_autofree char *product = ui_neuron_describe_product (painter->self);

  if (painter->self->n_biases == 0) {
    paint_formula (painter, UI_GAUGE_SCORE, product, "score", scale);
    return;
  }
  paint_formula (painter, UI_GAUGE_PRODUCT, product, "scaled", NULL);
  for (int i = 0; i < painter->self->n_biases; i++) {
    g_autofree char *added = g_strconcat ("+ ", painter->self->biases[i].symbol, NULL);

    paint_formula (painter, UI_GAUGE_BIAS + i, added, added, NULL);
  }
  paint_formula (painter, UI_GAUGE_SCORE, "= score", "score", scale);
}

static void
paint_headings (const UiNeuronPainter *painter,
                double                 score_scale,
                double                 measure_scale)
{
  const UiNeuronLayout *layout = painter->layout;
  g_autofree char *scale = ui_neuron_paint_scale (painter, score_scale, TRUE);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *measure = NULL;

  paint_score_headings (painter, scale);
  if (layout->columns.has_mask)
    ui_neuron_paint_heading (painter, layout->mask.x, "mask", NULL);
  ui_neuron_paint_heading (painter, layout->bars[UI_GAUGE_SOFTMAX].x, "softmax", "full 1");
  if (layout->columns.has_measure) {
    g_ascii_formatd (number, sizeof number, "%.2f", measure_scale);
    measure = g_strconcat ("full ", number, NULL);
    ui_neuron_paint_heading (painter, layout->bars[UI_GAUGE_MEASURE].x, "α × norm", measure);
  }
}

/* From the weight of each key on to its token. */
static void
paint_links_on (const UiNeuronPainter *painter)
{
  UiSink *sink = painter->sink;
  UiHeadField field;

  ui_neuron_paint_init_field (painter, &painter->layout->links, &field);
  sink->klass->push_group (sink, "links");
  for (int key = 0; key < painter->rows->columns[UI_SIDE_KEYS].n; key++) {
    UiLink link;

    if (!ui_neuron_paint_reaches (painter, UI_SIDE_KEYS, key)
        || !ui_head_field_get_link (&field, 0, painter->query, key, &link))
      continue;
    link.y0 = link.y1;
    sink->klass->curve (sink, &link);
  }
  sink->klass->pop_group (sink);
  ui_head_field_clear (&field);
}

/* All columns of one key. */
static void
paint_key (const UiNeuronPainter *painter,
           int                    key,
           double                 score_scale,
           double                 measure_scale)
{
  const UiNeuronScene *self = painter->self;
  gboolean hidden = ui_neuron_is_masked (self, painter->query, key);

  if (painter->layout->columns.has_mask)
    paint_mask_cell (painter, key, hidden);
  if (hidden) {
    paint_masked (painter, key);
    return;
  }
  paint_score (painter, key, score_scale);
  paint_amount (painter, UI_GAUGE_SOFTMAX, key,
                ui_neuron_get_weight (self, painter->query, key), 1);
  if (painter->layout->columns.has_measure)
    paint_amount (painter, UI_GAUGE_MEASURE, key,
                  ui_neuron_get_measured (self, painter->query, key), measure_scale);
}

void
ui_neuron_paint_comparison (const UiNeuronPainter *painter)
{
  const UiNeuronScene *self = painter->self;
  double product_scale = ui_neuron_get_product_scale (self, painter->query);
  double score_scale = ui_neuron_get_score_scale (self, painter->query);
  double measure_scale = ui_neuron_get_measure_scale (self, painter->query);
  UiSink *sink = painter->sink;

  ui_neuron_paint_band (painter, UI_BAND_PRODUCTS, product_scale);
  sink->klass->push_group (sink, "scores and weights");
  paint_headings (painter, score_scale, measure_scale);
  paint_axes (painter);
  for (int key = 0; key < painter->rows->columns[UI_SIDE_KEYS].n; key++)
    if (ui_neuron_paint_reaches (painter, UI_SIDE_KEYS, key))
      paint_key (painter, key, score_scale, measure_scale);
  sink->klass->pop_group (sink);
  paint_links_on (painter);
}

void
ui_neuron_paint_init_field (const UiNeuronPainter *painter,
                            const UiSpan          *span,
                            UiHeadField           *field)
{
  const UiHeadLayout *rows = painter->rows;
  UiFieldFrame frame = {
    .x0 = span->x + LINK_GAP * rows->scale,
    .x1 = span->x + span->width - LINK_GAP * rows->scale,
    .query_y = rows->columns[UI_SIDE_QUERIES].y,
    .key_y = rows->columns[UI_SIDE_KEYS].y,
    .scale = rows->scale,
  };

  ui_head_field_init (field, &painter->self->parent.scene.weights, &frame, painter->theme,
                      &painter->pins);
  ui_head_field_set_edited (field, painter->self->parent.edited);
}
