/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-painter.h"

#include "ui/scene/base/describe.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define TOKEN_PADDING 10.0
#define HINT_SIZE 13.5
#define HINT_LINE 20.0
#define HINT_LINES 5 /* from the top of the plate to the middle of the hint, in lines */
#define HINT_PADDING 24.0
#define PLATE_CORNER 6.0
#define PIN_MARGIN 2.0
#define PIN_WIDTH 1.6

#define HINT_IN_WINDOW "Click a token to pin its query"
#define HINT_IN_FILE "No query is pinned"
#define HINT_MORE \
  "It is multiplied with every key, dimension by dimension; the sum is the score, and softmax " \
  "makes it a weight."
#define HINT_VALUES " The values, each times its weight, add up to the output of the head."

/* What the tokens do, in line with the scales of the columns. */
static void
paint_token_headings (const UiNeuronPainter *painter)
{
  const UiScene *scene = &painter->self->parent.scene;
  const UiHeadLayout *rows = painter->rows;
  const UiRect *left = &rows->columns[UI_SIDE_QUERIES].column;
  const UiRect *right = &rows->columns[UI_SIDE_KEYS].column;
  double padding = TOKEN_PADDING * rows->scale;
  double y = UI_NEURON_SCALE_Y * rows->scale;
  UiTextStyle style = { .size = UI_NEURON_SCALE_SIZE * rows->scale };

  ui_text_paint (painter->sink, right->x + padding, y, ui_describe_heading (scene, TRUE), &style,
                 painter->palette->dim);
  style.align = UI_ALIGN_RIGHT;
  ui_text_paint (painter->sink, left->x + left->width - padding, y,
                 ui_describe_heading (scene, FALSE), &style, painter->palette->dim);
}

/* The way from the query to every key, as wide and as opaque as its weight; without a query the
 * ways of all. */
static void
paint_guides (const UiNeuronPainter *painter)
{
  UiSink *sink = painter->sink;
  UiHeadField field;

  ui_neuron_paint_init_field (painter, &painter->layout->guides, &field);
  sink->klass->push_group (sink, "guides");
  sink->klass->links (sink, &field.field);
  sink->klass->pop_group (sink);
  ui_head_field_clear (&field);
}

static void
paint_hint_lines (const UiNeuronPainter *painter,
                  const UiRect          *plate)
{
  double scale = painter->rows->scale;
  gboolean in_window = painter->self->parent.scene.options.view_height > 0;
  UiTextStyle style = { .size = HINT_SIZE * scale, .align = UI_ALIGN_CENTER };
  gboolean has_values = painter->layout->columns.n_value_dimensions > 0;
  const char *more = has_values ? HINT_MORE HINT_VALUES : HINT_MORE;
  g_auto (GStrv) lines = ui_text_wrap (more, &style, plate->width - 2 * HINT_PADDING * scale);
  double line = HINT_LINE * scale;
  double x = plate->x + plate->width / 2;
  double y = plate->y + MIN (plate->height / 2, HINT_LINES * line);

  for (int i = 0; lines[i] != NULL; i++)
    ui_text_paint (painter->sink, x, y + (i + 0.2) * line, lines[i], &style,
                   painter->palette->dim);
  style.bold = TRUE;
  ui_text_paint (painter->sink, x, y - line, in_window ? HINT_IN_WINDOW : HINT_IN_FILE, &style,
                 painter->palette->text);
}

/* What stands where a comparison would. */
static void
paint_hint (const UiNeuronPainter *painter)
{
  const UiNeuronLayout *layout = painter->layout;
  const UiRect *rows = &painter->rows->columns[UI_SIDE_KEYS].column;
  double left = layout->bands[UI_BAND_PRODUCTS].x;
  UiGauge last = layout->columns.has_measure ? UI_GAUGE_MEASURE : UI_GAUGE_SOFTMAX;
  double right = layout->numbers[last].x + layout->numbers[last].width;
  UiRect plate = { left, rows->y, right - left, rows->height };
  UiSink *sink = painter->sink;

  sink->klass->push_group (sink, "hint");
  sink->klass->fill (sink, &plate, PLATE_CORNER * painter->rows->scale, painter->palette->plate);
  paint_hint_lines (painter, &plate);
  sink->klass->pop_group (sink);
}

static void
paint_frame (const UiNeuronPainter *painter,
             const UiRect          *rect,
             double                 width)
{
  double scale = painter->rows->scale;

  painter->sink->klass->frame (painter->sink, rect, PLATE_CORNER * scale, width * scale,
                               painter->palette->accent);
}

/* Around the token and the vector that are compared. */
static void
paint_pin (const UiNeuronPainter *painter)
{
  UiRect band = ui_neuron_layout_get_band (painter->layout, UI_BAND_QUERIES, painter->query);
  double left = painter->rows->columns[UI_SIDE_QUERIES].column.x;
  double margin = PIN_MARGIN * painter->rows->scale;
  UiRect frame = {
    left, band.y - margin, band.x + band.width - left + margin, band.height + 2 * margin
  };

  paint_frame (painter, &frame, PIN_WIDTH);
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
  if (painter->query >= 0)
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
    if (painter->query >= 0) {
      paint_cell_frame (painter, UI_BAND_QUERIES, painter->query, position);
      paint_cell_frame (painter, UI_BAND_PRODUCTS, hover->key, position);
    }
  }
}

/* A comparison that is only looked at covers what stood in its place. */
static void
paint_preview (const UiNeuronPainter *painter)
{
  const UiNeuronLayout *layout = painter->layout;
  double height = painter->rows->height;
  double left = layout->bands[UI_BAND_PRODUCTS].x;
  UiRect guides = { layout->guides.x, 0, layout->guides.width, height };
  UiRect rest = { left, 0, layout->links.x + layout->links.width - left, height };
  UiSink *sink = painter->sink;

  sink->klass->fill (sink, &guides, 0, painter->palette->ground);
  sink->klass->fill (sink, &rest, 0, painter->palette->ground);
  paint_guides (painter);
  ui_neuron_paint_comparison (painter);
  ui_neuron_paint_output (painter);
  paint_pin (painter);
}

static UiNeuronPainter
make_painter (const UiScene *scene,
              UiSink        *sink,
              const UiRect  *clip)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  UiNeuronPainter painter = {
    .self = self,
    .layout = &self->layout,
    .rows = self->layout.rows,
    .palette = ui_palette_get (scene->options.theme),
    .theme = scene->options.theme,
    .sink = sink,
    .clip = clip,
    .pins = scene->document->pins,
    .query = self->query,
  };

  painter.pins.n_queries = MIN (painter.pins.n_queries, 1);
  return painter;
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

  paint_token_headings (&painter);
  ui_head_paint_column (&self->parent, UI_SIDE_QUERIES, &painter.pins, sink, clip);
  ui_head_paint_column (&self->parent, UI_SIDE_KEYS, &painter.pins, sink, clip);
  paint_guides (&painter);
  ui_neuron_paint_band (&painter, UI_BAND_QUERIES, "query q", self->band_scale);
  ui_neuron_paint_band (&painter, UI_BAND_KEYS, "key k", self->band_scale);
  if (self->value_vectors.data != NULL)
    ui_neuron_paint_band (&painter, UI_BAND_VALUES, "value v", self->value_scale);
  if (painter.query >= 0) {
    ui_neuron_paint_comparison (&painter);
    ui_neuron_paint_output (&painter);
    paint_pin (&painter);
  } else {
    paint_hint (&painter);
  }
}

void
ui_neuron_paint_overlay (const UiScene *scene,
                         const UiItem  *hover,
                         UiSink        *sink,
                         const UiRect  *clip)
{
  UiNeuronPainter painter = make_painter (scene, sink, clip);
  gboolean on_query = hover->type == UI_ITEM_QUERY || hover->type == UI_ITEM_QUERY_CELL;
  gboolean previews = painter.query < 0 && on_query;
  UiRect rect;

  if (!ui_neuron_has_item (painter.self, hover))
    return;
  if (previews) {
    painter.query = hover->query;
    painter.pins.queries = (int *) &hover->query;
    painter.pins.n_queries = 1;
    paint_preview (&painter);
  }
  if (is_cell (hover->type))
    paint_cell_frames (&painter, hover);
  else if (!previews && scene->klass->get_rect (scene, hover, &rect))
    paint_frame (&painter, &rect, 1);
}
