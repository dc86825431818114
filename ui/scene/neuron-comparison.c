/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron-painter.h"

#include <math.h>

#include "ui/scene/text.h"

/* At 100 % text. */
#define NUMBER_SIZE 12.5
#define NUMBER_PART_OF_ROW 0.66
#define BAR_PART_OF_ROW 0.5
#define BAR_CORNER 1.5
#define AXIS 0.75
#define LINK_GAP 3.0 /* between what is linked and the ends of a link */

#define SMALLEST_SHOWN 0.0005

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

static void
paint_score (const UiNeuronPainter *painter,
             int                    key,
             double                 full)
{
  const UiNeuronLayout *layout = painter->layout;
  const UiPalette *palette = painter->palette;
  double score = ui_neuron_get_score (painter->self, painter->query, key);
  double half = layout->score_bars.width / 2;
  double length = full > 0 ? fabs (score) / full * half : 0;
  double x = layout->score_bars.x + half - (score < 0 ? length : 0);
  double number_x = layout->score_numbers.x + layout->score_numbers.width;
  double y = painter->rows->columns[UI_SIDE_KEYS].y[key];
  g_autofree char *number = ui_neuron_describe_number (score);
  UiTextStyle style = get_number_style (painter, UI_ALIGN_RIGHT);

  paint_bar (painter, x, length, key, score < 0 ? palette->negative : palette->positive);
  ui_neuron_paint_text (painter, number_x, y, number, &style, palette->dim);
}

static void
paint_weight (const UiNeuronPainter *painter,
              int                    key)
{
  const UiNeuronLayout *layout = painter->layout;
  const UiPalette *palette = painter->palette;
  double weight = ui_neuron_get_weight (painter->self, painter->query, key);
  double y = painter->rows->columns[UI_SIDE_KEYS].y[key];
  UiColor color = ui_palette_head (painter->theme, painter->self->head);
  UiTextStyle style = get_number_style (painter, UI_ALIGN_LEFT);
  gboolean small = weight < SMALLEST_SHOWN;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  /* A weight that is not 0 is not called 0. */
  if (small && weight > 0)
    g_strlcpy (number, "<0.001", sizeof number);
  else
    g_ascii_formatd (number, sizeof number, "%.3f", weight);
  paint_bar (painter, layout->softmax_bars.x, weight * layout->softmax_bars.width, key, color);
  ui_neuron_paint_text (painter, layout->softmax_numbers.x, y, number, &style,
                        small ? palette->dim : palette->text);
}

static void
paint_masked (const UiNeuronPainter *painter,
              int                    key)
{
  const UiNeuronLayout *layout = painter->layout;
  const UiPalette *palette = painter->palette;
  UiSink *sink = painter->sink;
  UiRect band = ui_neuron_layout_get_band (layout, UI_BAND_PRODUCTS, key);
  UiRect bars = band;
  UiTextStyle style = get_number_style (painter, UI_ALIGN_LEFT);

  bars.x = layout->score_bars.x;
  bars.width = layout->softmax_bars.x + layout->softmax_bars.width - bars.x;
  sink->klass->hatch (sink, &band, palette->hatch);
  sink->klass->hatch (sink, &bars, palette->hatch);
  style.italic = TRUE;
  ui_neuron_paint_text (painter, layout->softmax_numbers.x, band.y + band.height / 2, "masked",
                        &style, palette->dim);
}

/* Thin lines for a score of 0 and a weight of 0. */
static void
paint_axes (const UiNeuronPainter *painter)
{
  const UiNeuronLayout *layout = painter->layout;
  const UiRect *rows = &painter->rows->columns[UI_SIDE_KEYS].column;
  double zeros[] = {
    layout->score_bars.x + layout->score_bars.width / 2, layout->softmax_bars.x
  };

  for (gsize i = 0; i < G_N_ELEMENTS (zeros); i++)
    painter->sink->klass->line (painter->sink, zeros[i], rows->y, zeros[i], rows->y + rows->height,
                                AXIS, painter->palette->rule);
}

static void
paint_headings (const UiNeuronPainter *painter,
                double                 score_scale)
{
  const UiNeuronLayout *layout = painter->layout;
  double room = layout->score_bars.width + layout->score_numbers.width;
  UiTextStyle style = { .size = UI_NEURON_TITLE_SIZE * painter->rows->scale, .bold = TRUE };
  g_autofree char *formula = ui_neuron_describe_score (painter->self);
  gboolean fits = ui_text_measure (formula, &style) <= room;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *scale = NULL;

  g_ascii_formatd (number, sizeof number, "%.2f", score_scale);
  scale = g_strdup_printf ("full ±%s", number);
  /* A formula that is too long stands in the legend alone. */
  ui_neuron_paint_heading (painter, layout->score_bars.x, fits ? formula : "score", scale);
  ui_neuron_paint_heading (painter, layout->softmax_bars.x, "softmax", "full 1");
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

void
ui_neuron_paint_comparison (const UiNeuronPainter *painter)
{
  const UiNeuronScene *self = painter->self;
  double product_scale = ui_neuron_get_product_scale (self, painter->query);
  double score_scale = ui_neuron_get_score_scale (self, painter->query);
  UiSink *sink = painter->sink;

  ui_neuron_paint_band (painter, UI_BAND_PRODUCTS, "q × k", product_scale);
  sink->klass->push_group (sink, "scores and weights");
  paint_headings (painter, score_scale);
  paint_axes (painter);
  for (int key = 0; key < painter->rows->columns[UI_SIDE_KEYS].n; key++) {
    if (!ui_neuron_paint_reaches (painter, UI_SIDE_KEYS, key))
      continue;
    if (ui_neuron_is_masked (self, painter->query, key)) {
      paint_masked (painter, key);
    } else {
      paint_score (painter, key, score_scale);
      paint_weight (painter, key);
    }
  }
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
}
