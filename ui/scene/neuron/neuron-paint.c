/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-painter.h"

#include <string.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define TOKEN_PADDING 10.0
#define CORNER 6.0
#define PIN_MARGIN 2.0
#define LANE_MARGIN 4.0
#define PIN_WIDTH 1.6

#define LANE_OPACITY 0.1
#define LEAST_WAY 1.5 /* width of the way to a key that is pointed at, however little it is read */

/* What the tokens do, in line with the scales of the columns; words that are wider than the tokens
 * begin in the line above. */
static void
paint_token_heading (const UiNeuronPainter *painter,
                     UiSide                 side)
{
  const UiHeadLayout *rows = painter->rows;
  const UiRect *column = &rows->columns[side].column;
  double padding = TOKEN_PADDING * rows->scale;
  gboolean is_keys = side == UI_SIDE_KEYS;
  double x = is_keys ? column->x + padding : column->x + column->width - padding;
  UiTextStyle style = {
    .size = UI_NEURON_SCALE_SIZE * rows->scale, .align = is_keys ? UI_ALIGN_LEFT : UI_ALIGN_RIGHT
  };
  const char *words = ui_describe_heading (&painter->self->parent.scene, is_keys);
  const char *rest = strchr (words, ' ');

  if (ui_describe_has_two_stacks (painter->self->parent.scene.trace)
      && ui_text_measure (words, &style) > column->width - padding) {
    g_autofree char *first = g_strndup (words, (gsize) (rest - words));

    ui_text_paint (painter->sink, x, UI_NEURON_TITLE_Y * rows->scale, first, &style,
                   painter->palette->dim);
    words = rest + 1;
  }
  ui_text_paint (painter->sink, x, UI_NEURON_SCALE_Y * rows->scale, words, &style,
                 painter->palette->dim);
}

static void
paint_guide (const UiLink *link,
             gpointer      sink)
{
  ((UiSink *) sink)->klass->curve (sink, link);
}

/* The way from the query to every key, as wide and as opaque as its weight. Curves one by one: a
 * raster of links goes by columns of pixels, and where a link crosses all rows in a few of them it
 * reaches beyond its ends. */
static void
paint_guides (const UiNeuronPainter *painter)
{
  UiSink *sink = painter->sink;
  UiHeadField field;

  ui_neuron_paint_init_field (painter, &painter->layout->guides, &field);
  sink->klass->push_group (sink, "guides");
  field.field.foreach (&field.field, painter->clip, paint_guide, sink);
  sink->klass->pop_group (sink);
  ui_head_field_clear (&field);
}

static void
paint_frame (const UiNeuronPainter *painter,
             const UiRect          *rect,
             double                 width)
{
  double scale = painter->rows->scale;

  painter->sink->klass->frame (painter->sink, rect, CORNER * scale, width * scale,
                               painter->palette->accent);
}

/* The token and the vector that are compared. */
static UiRect
find_compared (const UiNeuronPainter *painter)
{
  UiRect band = ui_neuron_layout_get_band (painter->layout, UI_BAND_QUERIES, painter->query);
  double left = painter->rows->columns[UI_SIDE_QUERIES].column.x;
  double margin = PIN_MARGIN * painter->rows->scale;

  return (UiRect) {
    left, band.y - margin, band.x + band.width - left + margin, band.height + 2 * margin
  };
}

static void
paint_pin (const UiNeuronPainter *painter)
{
  UiRect frame = find_compared (painter);

  paint_frame (painter, &frame, PIN_WIDTH);
}

/* Where nobody chose a query, the one that is explained. */
static void
paint_explained (const UiNeuronPainter *painter)
{
  UiRect rect = find_compared (painter);

  painter->sink->klass->fill (painter->sink, &rect, CORNER * painter->rows->scale,
                              ui_color_with_alpha (painter->palette->accent, LANE_OPACITY));
}

/* The row of a key, from its vector through products, score and weight to its token: over what stands
 * there, because bands have grounds of their own. */
static void
paint_lane (const UiNeuronPainter *painter,
            int                    key)
{
  const UiHeadLayout *rows = painter->rows;
  const UiRect *tokens = &rows->columns[UI_SIDE_KEYS].column;
  double left = painter->layout->bands[UI_BAND_KEYS].x - LANE_MARGIN * rows->scale;
  UiRect lane = {
    left, rows->columns[UI_SIDE_KEYS].y[key] - rows->row / 2, tokens->x + tokens->width - left,
    rows->row
  };
  UiColor color = ui_color_with_alpha (painter->palette->accent, LANE_OPACITY);

  painter->sink->klass->fill (painter->sink, &lane, CORNER * rows->scale, color);
}

/* The row where the query's way leads; none where all is hidden from it. */
static void
paint_main_lane (const UiNeuronPainter *painter)
{
  int key = ui_neuron_find_key (painter->self, painter->query);

  if (key >= 0)
    paint_lane (painter, key);
}

/* From the query through the row that is pointed at, in sight however small its weight is. */
static void
paint_way (const UiNeuronPainter *painter,
           int                    key)
{
  const UiHeadColumn *columns = painter->rows->columns;
  double scale = painter->rows->scale;
  double weight = ui_neuron_get_weight (painter->self, painter->query, key);
  UiHeadField field;
  UiLink link;

  ui_neuron_paint_init_field (painter, &painter->layout->guides, &field);
  link = (UiLink) {
    .x0 = field.frame.x0,
    .y0 = columns[UI_SIDE_QUERIES].y[painter->query],
    .x1 = field.frame.x1,
    .y1 = columns[UI_SIDE_KEYS].y[key],
    .width = MAX (ui_head_field_get_width (&field, weight), LEAST_WAY * scale),
    .color = ui_palette_head (painter->theme, painter->self->head),
    .head = painter->self->head,
  };
  ui_head_field_clear (&field);
  if (!ui_neuron_is_masked (painter->self, painter->query, key))
    painter->sink->klass->curve (painter->sink, &link);
  if (key != ui_neuron_find_key (painter->self, painter->query))
    paint_lane (painter, key);
}

static void
paint_cell_frame (const UiNeuronPainter *painter,
                  UiBand                 band,
                  int                    row,
                  int                    position)
{
  UiRect cell = ui_neuron_layout_get_cell (painter->layout, band, row, position);

  painter->sink->klass->frame (painter->sink, &cell, 1, 1, painter->palette->accent);
}

/* The dimension of the output under the pointer, and in all values that it is the sum of. */
static void
paint_value_frames (const UiNeuronPainter *painter,
                    const UiItem          *hover)
{
  const UiRect *rows = &painter->rows->columns[UI_SIDE_KEYS].column;
  UiRect output = ui_neuron_layout_get_output (painter->layout, hover->dimension);
  UiRect column = { output.x, rows->y, output.width, rows->height };
  UiSink *sink = painter->sink;

  if (hover->type == UI_ITEM_VALUE_CELL)
    paint_cell_frame (painter, UI_BAND_VALUES, hover->key, hover->dimension);
  else
    sink->klass->frame (sink, &column, 1, 1, painter->palette->accent);
  sink->klass->frame (sink, &output, 1, 1, painter->palette->accent);
}

/* The dimension under the pointer, in every band of its rows. */
static void
paint_cell_frames (const UiNeuronPainter *painter,
                   const UiItem          *hover)
{
  int position = ui_neuron_find_position (painter->self, UI_BAND_QUERIES, hover->dimension);

  if (hover->type == UI_ITEM_VALUE_CELL || hover->type == UI_ITEM_OUTPUT_CELL) {
    paint_value_frames (painter, hover);
  } else if (hover->type == UI_ITEM_QUERY_CELL) {
    paint_cell_frame (painter, UI_BAND_QUERIES, hover->query, position);
  } else {
    paint_cell_frame (painter, UI_BAND_KEYS, hover->key, position);
    paint_cell_frame (painter, UI_BAND_QUERIES, painter->query, position);
    paint_cell_frame (painter, UI_BAND_PRODUCTS, hover->key, position);
  }
}

/* What is compared, and with what: all that is right of the queries. */
static void
paint_keys (const UiNeuronPainter *painter,
            const UiPins          *pins)
{
  const UiNeuronScene *self = painter->self;

  ui_head_paint_column (&self->parent, UI_SIDE_KEYS, pins, painter->sink, painter->clip);
  paint_guides (painter);
  ui_neuron_paint_band (painter, UI_BAND_KEYS, self->band_scale);
  if (self->value_vectors.data != NULL)
    ui_neuron_paint_band (painter, UI_BAND_VALUES, self->value_scale);
  ui_neuron_paint_comparison (painter);
  ui_neuron_paint_output (painter);
  paint_main_lane (painter);
}

/* A comparison that is only looked at covers what stood in its place. */
static void
paint_preview (const UiNeuronPainter *painter,
               const UiPins          *pins)
{
  const UiNeuronScene *self = painter->self;
  const double left = painter->rows->columns[UI_SIDE_QUERIES].column.x;
  UiRect rest = { left, 0, painter->rows->width - left, painter->rows->height };

  painter->sink->klass->fill (painter->sink, &rest, 0, painter->palette->ground);
  paint_token_heading (painter, UI_SIDE_KEYS);
  paint_token_heading (painter, UI_SIDE_QUERIES);
  ui_head_paint_column (&self->parent, UI_SIDE_QUERIES, pins, painter->sink, painter->clip);
  ui_neuron_paint_band (painter, UI_BAND_QUERIES, self->band_scale);
  paint_keys (painter, pins);
  paint_pin (painter);
}

static UiNeuronPainter
make_painter (const UiScene *scene,
              UiSink        *sink,
              const UiRect  *clip)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;

  return (UiNeuronPainter) {
    .self = self,
    .layout = &self->layout,
    .rows = self->layout.rows,
    .palette = ui_palette_get (scene->options.theme),
    .theme = scene->options.theme,
    .sink = sink,
    .clip = clip,
    .pins = {
      .queries = (int *) &self->query,
      .n_queries = 1,
      .keys = scene->document->pins.keys,
      .n_keys = scene->document->pins.n_keys,
    },
    .query = self->query,
  };
}

static gboolean
is_cell (UiItemType type)
{
  return type == UI_ITEM_QUERY_CELL || type == UI_ITEM_KEY_CELL || type == UI_ITEM_PRODUCT_CELL
         || type == UI_ITEM_VALUE_CELL || type == UI_ITEM_OUTPUT_CELL;
}

void
ui_neuron_paint (const UiScene *scene,
                 UiSink        *sink,
                 const UiRect  *clip)
{
  UiNeuronPainter painter = make_painter (scene, sink, clip);
  const UiNeuronScene *self = painter.self;
  UiPins pins = scene->document->pins;

  /* All that are pinned look so, but the first alone is compared. */
  paint_token_heading (&painter, UI_SIDE_KEYS);
  paint_token_heading (&painter, UI_SIDE_QUERIES);
  ui_head_paint_column (&self->parent, UI_SIDE_QUERIES, &pins, sink, clip);
  ui_neuron_paint_band (&painter, UI_BAND_QUERIES, self->band_scale);
  pins.n_queries = MIN (pins.n_queries, 1);
  paint_keys (&painter, &pins);
  if (self->is_pinned)
    paint_pin (&painter);
  else if (self->query >= 0)
    paint_explained (&painter);
}

void
ui_neuron_paint_overlay (const UiScene *scene,
                         const UiItem  *hover,
                         UiSink        *sink,
                         const UiRect  *clip)
{
  UiNeuronPainter painter = make_painter (scene, sink, clip);
  gboolean on_query = hover->type == UI_ITEM_QUERY || hover->type == UI_ITEM_QUERY_CELL;
  gboolean previews = !painter.self->is_pinned && on_query;
  UiRect rect;

  if (!ui_neuron_has_item (painter.self, hover))
    return;
  if (previews) {
    painter.query = hover->query;
    painter.pins.queries = (int *) &hover->query;
    paint_preview (&painter, &scene->document->pins);
  }
  if (hover->key >= 0 && hover->query == painter.query)
    paint_way (&painter, hover->key);
  if (is_cell (hover->type))
    paint_cell_frames (&painter, hover);
  else if (!previews && scene->klass->get_rect (scene, hover, &rect))
    paint_frame (&painter, &rect, 1);
}
