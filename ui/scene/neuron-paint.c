/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron-scene.h"

#include <math.h>

#include "ui/scene/text.h"

/* At 100 % text. */
#define HEADING_SIZE 13.0
#define SCALE_SIZE 11.0
#define FIRST_LINE 14.0
#define SECOND_LINE 32.0
#define NUMBER_SIZE 12.5
#define NUMBER_PART_OF_ROW 0.66
#define HINT_SIZE 13.5
#define HINT_LINE 20.0
#define HINT_CORNER 6.0
#define HINT "It is multiplied with every key, dimension by dimension; the sum is the score, and softmax makes it a weight."
#define PIN_WIDTH 1.6
#define PIN_CORNER 6.0
#define BAR_PART_OF_ROW 0.5

#define GUIDE_GAP 3.0      /* between a band and the guides that reach it */
#define ASIDE 0.35         /* opacity of the queries that are not compared */
#define LARGEST_GAP 1.0    /* between bars */
#define GAP_PART_OF_CELL 0.2
#define N_LEVELS 256       /* of opacity */

typedef struct {
  const UiNeuronScene *self;
  const UiPalette     *palette;
  UiSink              *sink;
  const UiRect        *clip;
  UiPins               pins;  /* what is compared: the pinned query or the one under the pointer */
  int                  query; /* the same, -1 = none */
} Painter;

/* Cells of one sign and opacity are filled together. */
typedef struct {
  const Painter *painter;
  double         full;     /* value of the full height or colour */
  double         opacity;
  GArray        *rects[2][N_LEVELS]; /* negative, positive; NULL = none yet */
} Cells;

static void
draw_text (const Painter     *painter,
           double             x,
           double             y,
           const char        *text,
           const UiTextStyle *style,
           UiColor            color)
{
  painter->sink->klass->text (painter->sink, x, ui_text_baseline (y, style->size), text, style, color);
}

static gboolean
is_row_visible (const Painter *painter,
                UiSide         side,
                int            row)
{
  const UiHeadLayout *rows = painter->self->layout.rows;
  double y = rows->columns[side].y[row];

  return y + rows->row > painter->clip->y && y - rows->row < painter->clip->y + painter->clip->height;
}

static void
cells_add (Cells        *cells,
           const UiRect *cell,
           double        value)
{
  double strength = cells->full > 0 ? MIN (fabs (value) / cells->full, 1) : 0;
  gboolean bars = cells->painter->self->parent.scene.document->bands == UI_BANDS_BARS;
  UiRect rect = *cell;
  int level = N_LEVELS - 1;
  GArray **rects;

  if (bars) {
    double gap = MIN (LARGEST_GAP, cell->width * GAP_PART_OF_CELL);

    rect.height = strength * cell->height / 2;
    rect.y += cell->height / 2 - (value > 0 ? rect.height : 0);
    rect.x += gap / 2;
    rect.width -= gap;
  } else {
    level = (int) lround (strength * (N_LEVELS - 1));
  }
  if (level == 0 || rect.height <= 0)
    return;
  rects = &cells->rects[value > 0][level];
  if (*rects == NULL)
    *rects = g_array_new (FALSE, FALSE, sizeof (UiRect));
  g_array_append_val (*rects, rect);
}

static void
cells_paint (Cells *cells)
{
  const Painter *painter = cells->painter;

  for (int sign = 0; sign < 2; sign++) {
    UiColor color = sign ? painter->palette->positive : painter->palette->negative;

    for (int level = 0; level < N_LEVELS; level++) {
      GArray *rects = cells->rects[sign][level];

      if (rects == NULL)
        continue;
      painter->sink->klass->fill_many (painter->sink, (UiRect *) rects->data, (int) rects->len,
                                       ui_color_with_alpha (color, cells->opacity * level / (N_LEVELS - 1)));
      g_array_unref (rects);
    }
  }
}

static double
get_cell_value (const Painter *painter,
                UiBand         band,
                int            row,
                int            dimension)
{
  const UiNeuronScene *self = painter->self;

  if (band == UI_BAND_QUERIES)
    return ui_neuron_get_query (self, row, dimension);
  if (band == UI_BAND_KEYS)
    return ui_neuron_get_key (self, row, dimension);
  return ui_neuron_get_query (self, painter->query, dimension) * ui_neuron_get_key (self, row, dimension);
}

static gboolean
is_hidden (const Painter *painter,
           int            key)
{
  return ui_neuron_is_masked (painter->self, painter->query, key);
}

/* Grounds of all bands in one go, then their zero lines. */
static void
paint_grounds (const Painter *painter,
               UiBand         band)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  UiSide side = ui_neuron_layout_get_side (band);
  int n = layout->rows->columns[side].n;
  g_autoptr (GArray) grounds = g_array_new (FALSE, FALSE, sizeof (UiRect));
  g_autoptr (GArray) zeros = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int row = 0; row < n; row++) {
    UiRect ground = ui_neuron_layout_get_band (layout, band, row);
    UiRect zero = { ground.x, ground.y + ground.height / 2 - 0.25, ground.width, 0.5 };

    if (!is_row_visible (painter, side, row))
      continue;
    g_array_append_val (grounds, ground);
    g_array_append_val (zeros, zero);
  }
  painter->sink->klass->fill_many (painter->sink, (UiRect *) grounds->data, (int) grounds->len, painter->palette->plate);
  if (painter->self->parent.scene.document->bands == UI_BANDS_BARS)
    painter->sink->klass->fill_many (painter->sink, (UiRect *) zeros->data, (int) zeros->len, painter->palette->rule);
}

/* The rows of a band for which aside says the same. */
static void
paint_cells (const Painter *painter,
             UiBand         band,
             double         full,
             gboolean       aside)
{
  const UiNeuronScene *self = painter->self;
  UiSide side = ui_neuron_layout_get_side (band);
  Cells cells = { .painter = painter, .full = full, .opacity = aside ? ASIDE : 1 };

  for (int row = 0; row < self->layout.rows->columns[side].n; row++) {
    gboolean is_aside = band == UI_BAND_QUERIES && painter->query >= 0 && row != painter->query;

    if (!is_row_visible (painter, side, row) || is_aside != aside
        || (band == UI_BAND_PRODUCTS && is_hidden (painter, row)))
      continue;
    for (int position = 0; position < self->layout.n_dimensions; position++) {
      UiRect cell = ui_neuron_layout_get_cell (&self->layout, band, row, position);

      cells_add (&cells, &cell, get_cell_value (painter, band, row, self->order[position]));
    }
  }
  cells_paint (&cells);
}

static void
paint_band (const Painter *painter,
            UiBand         band,
            const char    *name,
            double         full)
{
  painter->sink->klass->push_group (painter->sink, name);
  paint_grounds (painter, band);
  paint_cells (painter, band, full, FALSE);
  if (band == UI_BAND_QUERIES && painter->query >= 0)
    paint_cells (painter, band, full, TRUE);
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_heading (const Painter *painter,
               double         x,
               const char    *title,
               const char    *scale)
{
  const UiPalette *palette = painter->palette;
  double unit = painter->self->layout.rows->scale;
  UiTextStyle style = { .size = HEADING_SIZE * unit, .bold = TRUE };

  draw_text (painter, x, FIRST_LINE * unit, title, &style, palette->text);
  style = (UiTextStyle) { .size = SCALE_SIZE * unit };
  draw_text (painter, x, SECOND_LINE * unit, scale, &style, palette->dim);
}

/* The title of a column of bands and the value of its full height. */
static void
paint_band_heading (const Painter *painter,
                    UiBand         band,
                    const char    *title,
                    double         full)
{
  gboolean bars = painter->self->parent.scene.document->bands == UI_BANDS_BARS;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *scale = NULL;

  g_ascii_formatd (number, sizeof number, "%.2f", full);
  scale = g_strdup_printf ("full %s ±%s", bars ? "height" : "colour", number);
  paint_heading (painter, painter->self->layout.bands[band].x, title, scale);
}

/* What the tokens do stands in line with the scales. */
static void
paint_token_headings (const Painter *painter)
{
  const UiHeadLayout *rows = painter->self->layout.rows;
  const UiRect *left = &rows->columns[UI_SIDE_QUERIES].column;
  const UiRect *right = &rows->columns[UI_SIDE_KEYS].column;
  UiTextStyle style = { .size = SCALE_SIZE * rows->scale, .align = UI_ALIGN_RIGHT };
  double padding = 10 * rows->scale;

  draw_text (painter, left->x + left->width - padding, SECOND_LINE * rows->scale, "reads", &style, painter->palette->dim);
  style.align = UI_ALIGN_LEFT;
  draw_text (painter, right->x + padding, SECOND_LINE * rows->scale, "is read", &style, painter->palette->dim);
}

/* The way from the query to every key, as wide and as opaque as its weight; without a query the way of all. */
static void
paint_guides (const Painter *painter)
{
  const UiNeuronScene *self = painter->self;
  const UiHeadLayout *rows = self->layout.rows;
  UiFieldFrame frame = {
    .x0 = self->layout.guides.x + GUIDE_GAP * rows->scale,
    .x1 = self->layout.guides.x + self->layout.guides.width - GUIDE_GAP * rows->scale,
    .query_y = rows->columns[UI_SIDE_QUERIES].y,
    .key_y = rows->columns[UI_SIDE_KEYS].y,
    .scale = rows->scale,
  };
  UiHeadField field;

  ui_head_field_init (&field, &self->parent.scene.weights, &frame, self->parent.scene.options.theme, &painter->pins);
  painter->sink->klass->push_group (painter->sink, "guides");
  painter->sink->klass->links (painter->sink, &field.field);
  painter->sink->klass->pop_group (painter->sink);
  ui_head_field_clear (&field);
}

/* From the weight of each key on to its token. */
static void
paint_links_on (const Painter *painter)
{
  const UiNeuronScene *self = painter->self;
  const UiHeadLayout *rows = self->layout.rows;
  UiFieldFrame frame = {
    .x0 = self->layout.links.x,
    .x1 = self->layout.links.x + self->layout.links.width - GUIDE_GAP * rows->scale,
    .query_y = rows->columns[UI_SIDE_QUERIES].y,
    .key_y = rows->columns[UI_SIDE_KEYS].y,
    .scale = rows->scale,
  };
  UiHeadField field;

  ui_head_field_init (&field, &self->parent.scene.weights, &frame, self->parent.scene.options.theme, &painter->pins);
  painter->sink->klass->push_group (painter->sink, "links");
  for (int key = 0; key < rows->columns[UI_SIDE_KEYS].n; key++) {
    UiLink link;

    if (!is_row_visible (painter, UI_SIDE_KEYS, key)
        || !ui_head_field_get_link (&field, 0, painter->query, key, &link))
      continue;
    link.y0 = link.y1;
    painter->sink->klass->curve (painter->sink, &link);
  }
  painter->sink->klass->pop_group (painter->sink);
  ui_head_field_clear (&field);
}

static UiTextStyle
get_number_style (const Painter *painter,
                  UiAlign        align)
{
  const UiHeadLayout *rows = painter->self->layout.rows;

  return (UiTextStyle) {
    .size = MIN (NUMBER_SIZE * rows->scale, rows->row * NUMBER_PART_OF_ROW), .tabular = TRUE, .align = align
  };
}

static void
paint_score (const Painter *painter,
             int            key,
             double         full)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  double y = layout->rows->columns[UI_SIDE_KEYS].y[key];
  double score = ui_neuron_get_score (painter->self, painter->query, key);
  double half = layout->score_bars.width / 2;
  double length = full > 0 ? fabs (score) / full * half : 0;
  double height = layout->rows->row * BAR_PART_OF_ROW;
  UiRect bar = {
    layout->score_bars.x + half - (score < 0 ? length : 0), y - height / 2, length, height
  };
  g_autofree char *number = ui_neuron_describe_number (score);
  UiTextStyle style = get_number_style (painter, UI_ALIGN_RIGHT);

  painter->sink->klass->fill (painter->sink, &bar, 1.5,
                              score < 0 ? painter->palette->negative : painter->palette->positive);
  draw_text (painter, layout->score_numbers.x + layout->score_numbers.width, y, number, &style, painter->palette->dim);
}

static void
paint_softmax (const Painter *painter,
               int            key)
{
  const UiNeuronScene *self = painter->self;
  const UiNeuronLayout *layout = &self->layout;
  double y = layout->rows->columns[UI_SIDE_KEYS].y[key];
  double weight = ui_neuron_get_weight (self, painter->query, key);
  double height = layout->rows->row * BAR_PART_OF_ROW;
  UiRect bar = { layout->softmax_bars.x, y - height / 2, weight * layout->softmax_bars.width, height };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  UiTextStyle style = get_number_style (painter, UI_ALIGN_LEFT);

  g_ascii_formatd (number, sizeof number, "%.3f", weight);
  painter->sink->klass->fill (painter->sink, &bar, 1.5,
                              ui_palette_head (self->parent.scene.options.theme, self->head));
  draw_text (painter, layout->softmax_numbers.x, y, number, &style, painter->palette->text);
}

static void
paint_masked (const Painter *painter,
              int            key)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  UiRect band = ui_neuron_layout_get_band (layout, UI_BAND_PRODUCTS, key);
  UiRect rest = {
    layout->score_bars.x, band.y, layout->softmax_bars.x + layout->softmax_bars.width - layout->score_bars.x, band.height
  };
  UiTextStyle style = get_number_style (painter, UI_ALIGN_LEFT);

  painter->sink->klass->hatch (painter->sink, &band, painter->palette->hatch);
  painter->sink->klass->hatch (painter->sink, &rest, painter->palette->hatch);
  style.italic = TRUE;
  draw_text (painter, layout->softmax_numbers.x, band.y + band.height / 2, "masked", &style, painter->palette->dim);
}

/* Thin lines for a score of 0 and a weight of 0. */
static void
paint_axes (const Painter *painter)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  const UiRect *rows = &layout->rows->columns[UI_SIDE_KEYS].column;
  double zeros[] = { layout->score_bars.x + layout->score_bars.width / 2, layout->softmax_bars.x };

  for (gsize i = 0; i < G_N_ELEMENTS (zeros); i++)
    painter->sink->klass->line (painter->sink, zeros[i], rows->y, zeros[i], rows->y + rows->height,
                                0.75, painter->palette->rule);
}

static void
paint_comparison_headings (const Painter *painter,
                           double         product_scale,
                           double         score_scale)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  UiTextStyle style = { .size = HEADING_SIZE * layout->rows->scale, .bold = TRUE };
  g_autofree char *formula = ui_neuron_describe_score (painter->self);
  double room = layout->score_bars.width + layout->score_numbers.width;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *scale = NULL;

  g_ascii_formatd (number, sizeof number, "%.2f", score_scale);
  scale = g_strdup_printf ("full ±%s", number);
  paint_band_heading (painter, UI_BAND_PRODUCTS, "q × k", product_scale);
  /* A formula that is too long stands in the legend alone. */
  paint_heading (painter, layout->score_bars.x, ui_text_measure (formula, &style) > room ? "score" : formula, scale);
  paint_heading (painter, layout->softmax_bars.x, "softmax", "full 1");
}

/* The query against every key: products, scores, weights and the way on. */
static void
paint_comparison (const Painter *painter)
{
  const UiNeuronScene *self = painter->self;
  double product_scale = ui_neuron_get_product_scale (self, painter->query);
  double score_scale = ui_neuron_get_score_scale (self, painter->query);

  paint_comparison_headings (painter, product_scale, score_scale);
  paint_band (painter, UI_BAND_PRODUCTS, "products", product_scale);
  painter->sink->klass->push_group (painter->sink, "scores and weights");
  paint_axes (painter);
  for (int key = 0; key < self->layout.rows->columns[UI_SIDE_KEYS].n; key++) {
    if (!is_row_visible (painter, UI_SIDE_KEYS, key))
      continue;
    if (is_hidden (painter, key)) {
      paint_masked (painter, key);
    } else {
      paint_score (painter, key, score_scale);
      paint_softmax (painter, key);
    }
  }
  painter->sink->klass->pop_group (painter->sink);
  paint_links_on (painter);
}

/* What stands where a comparison would. */
static void
paint_hint (const Painter *painter)
{
  const UiNeuronScene *self = painter->self;
  const UiNeuronLayout *layout = &self->layout;
  const UiRect *rows = &layout->rows->columns[UI_SIDE_KEYS].column;
  double scale = layout->rows->scale;
  UiRect plate = {
    layout->bands[UI_BAND_PRODUCTS].x, rows->y,
    layout->softmax_numbers.x + layout->softmax_numbers.width - layout->bands[UI_BAND_PRODUCTS].x, rows->height
  };
  UiTextStyle style = { .size = HINT_SIZE * scale, .align = UI_ALIGN_CENTER };
  g_auto (GStrv) lines = ui_text_wrap (HINT, &style, plate.width - 8 * HINT_CORNER * scale);
  double x = plate.x + plate.width / 2;
  double y = plate.y + MIN (plate.height / 2, 5 * HINT_LINE * scale) - HINT_LINE * scale;

  painter->sink->klass->push_group (painter->sink, "hint");
  painter->sink->klass->fill (painter->sink, &plate, HINT_CORNER * scale, painter->palette->plate);
  style.bold = TRUE;
  draw_text (painter, x, y, self->parent.scene.options.view_height > 0 ? "Click a token to pin its query" : "No query is pinned",
             &style, painter->palette->text);
  style.bold = FALSE;
  for (int i = 0; lines[i] != NULL; i++)
    draw_text (painter, x, y + (i + 1.2) * HINT_LINE * scale, lines[i], &style, painter->palette->dim);
  painter->sink->klass->pop_group (painter->sink);
}

/* Around the token and the vector that are compared. */
static void
paint_pin (const Painter *painter)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  UiRect band = ui_neuron_layout_get_band (layout, UI_BAND_QUERIES, painter->query);
  double left = layout->rows->columns[UI_SIDE_QUERIES].column.x;
  double margin = 2 * layout->rows->scale;
  UiRect frame = {
    left, band.y - margin, band.x + band.width - left + margin, band.height + 2 * margin
  };

  painter->sink->klass->frame (painter->sink, &frame, PIN_CORNER * layout->rows->scale,
                               PIN_WIDTH * layout->rows->scale, painter->palette->accent);
}

static Painter
make_painter (const UiScene *scene,
              UiSink        *sink,
              const UiRect  *clip)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  Painter painter = {
    .self = self,
    .palette = ui_palette_get (scene->options.theme),
    .sink = sink,
    .clip = clip,
    .pins = scene->document->pins,
    .query = self->query,
  };

  painter.pins.n_queries = MIN (painter.pins.n_queries, 1);
  return painter;
}

/* The dimension under the pointer, in every band of its rows. */
static void
paint_cell_frames (const Painter *painter,
                   const UiItem  *hover)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  int rows[UI_N_BANDS] = { painter->query, hover->key, painter->query >= 0 ? hover->key : -1 };
  int position = 0;

  if (hover->type == UI_ITEM_QUERY_CELL)
    rows[UI_BAND_QUERIES] = hover->query;
  while (position + 1 < layout->n_dimensions && painter->self->order[position] != hover->dimension)
    position++;
  for (int band = 0; band < UI_N_BANDS; band++) {
    UiRect cell;

    if (rows[band] < 0)
      continue;
    cell = ui_neuron_layout_get_cell (layout, (UiBand) band, rows[band], position);
    painter->sink->klass->frame (painter->sink, &cell, 1, 1, painter->palette->accent);
  }
}

/* A comparison that is only looked at covers what stood in its place. */
static void
paint_preview (const Painter *painter)
{
  const UiNeuronLayout *layout = &painter->self->layout;
  UiRect guides = { layout->guides.x, 0, layout->guides.width, painter->self->parent.scene.height };
  UiRect rest = {
    layout->bands[UI_BAND_PRODUCTS].x, 0,
    layout->links.x + layout->links.width - layout->bands[UI_BAND_PRODUCTS].x, layout->rows->height
  };

  guides.height = layout->rows->height;
  painter->sink->klass->fill (painter->sink, &guides, 0, painter->palette->ground);
  painter->sink->klass->fill (painter->sink, &rest, 0, painter->palette->ground);
  paint_guides (painter);
  paint_comparison (painter);
  paint_pin (painter);
}

void
ui_neuron_paint (const UiScene *scene,
                 UiSink        *sink,
                 const UiRect  *clip)
{
  Painter painter = make_painter (scene, sink, clip);
  const UiNeuronScene *self = painter.self;

  paint_token_headings (&painter);
  paint_band_heading (&painter, UI_BAND_QUERIES, "query q", self->band_scale);
  paint_band_heading (&painter, UI_BAND_KEYS, "key k", self->band_scale);
  ui_head_paint_column (&self->parent, UI_SIDE_QUERIES, &painter.pins, sink, clip);
  ui_head_paint_column (&self->parent, UI_SIDE_KEYS, &painter.pins, sink, clip);
  paint_guides (&painter);
  paint_band (&painter, UI_BAND_QUERIES, "queries", self->band_scale);
  paint_band (&painter, UI_BAND_KEYS, "keys", self->band_scale);
  if (painter.query >= 0) {
    paint_comparison (&painter);
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
  Painter painter = make_painter (scene, sink, clip);
  gboolean is_query = hover->type == UI_ITEM_QUERY || hover->type == UI_ITEM_QUERY_CELL;
  gboolean framed = FALSE;
  UiRect rect;

  if (!ui_neuron_has_item (painter.self, hover))
    return;
  if (painter.query < 0 && is_query) {
    painter.query = hover->query;
    painter.pins.queries = (int *) &hover->query;
    painter.pins.n_queries = 1;
    paint_preview (&painter);
    framed = TRUE;
  }
  if (hover->type == UI_ITEM_QUERY_CELL || hover->type == UI_ITEM_KEY_CELL || hover->type == UI_ITEM_PRODUCT_CELL)
    paint_cell_frames (&painter, hover);
  else if (!framed && scene->klass->get_rect (scene, hover, &rect))
    sink->klass->frame (sink, &rect, PIN_CORNER * painter.self->layout.rows->scale, 1, painter.palette->accent);
}
