/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-scene.h"

#include <string.h>

#include "engine/trace/check.h"
#include "ui/scene/base/describe.h"

#define NO_VECTORS \
  "The trace holds no queries and keys of this layer, so only the links of the head can be shown."

static void
neuron_scene_finalize (UiScene *scene)
{
  UiNeuronScene *self = (UiNeuronScene *) scene;

  g_free (self->order);
  g_free (self->norms);
  ui_head_scene_clear (&self->parent);
}

/* The columns of the layout that can be pointed at, from left to right; the output stands below the
 * values. */
typedef enum {
  ZONE_QUERIES,
  ZONE_QUERY_CELLS,
  ZONE_KEY_CELLS,
  ZONE_PRODUCTS,
  ZONE_SCALED,
  ZONE_BIAS,
  ZONE_SECOND_BIAS,
  ZONE_SCORES,
  ZONE_MASK,
  ZONE_SOFTMAX,
  ZONE_MEASURE,
  ZONE_VALUES,
  ZONE_KEYS,
  ZONE_OUTPUT,
  ZONE_NONE
} Zone;
#define LAST_COLUMN ZONE_KEYS

#define NO_BAND UI_N_BANDS

static const struct {
  UiItemType type;
  UiBand     band;     /* whose cells it has, NO_BAND = none */
  gboolean   of_query; /* it is about the query that is compared */
} zones[] = {
  [ZONE_QUERIES] = { UI_ITEM_QUERY, NO_BAND, FALSE },
  [ZONE_QUERY_CELLS] = { UI_ITEM_QUERY_CELL, UI_BAND_QUERIES, FALSE },
  [ZONE_KEY_CELLS] = { UI_ITEM_KEY_CELL, UI_BAND_KEYS, FALSE },
  [ZONE_PRODUCTS] = { UI_ITEM_PRODUCT_CELL, UI_BAND_PRODUCTS, TRUE },
  [ZONE_SCALED] = { UI_ITEM_SCALED_PRODUCT, NO_BAND, TRUE },
  [ZONE_BIAS] = { UI_ITEM_BIAS, NO_BAND, TRUE },
  [ZONE_SECOND_BIAS] = { UI_ITEM_SECOND_BIAS, NO_BAND, TRUE },
  [ZONE_SCORES] = { UI_ITEM_SCORE, NO_BAND, TRUE },
  [ZONE_MASK] = { UI_ITEM_MASK, NO_BAND, TRUE },
  [ZONE_SOFTMAX] = { UI_ITEM_SOFTMAX, NO_BAND, TRUE },
  [ZONE_MEASURE] = { UI_ITEM_MEASURE, NO_BAND, TRUE },
  [ZONE_VALUES] = { UI_ITEM_VALUE_CELL, UI_BAND_VALUES, FALSE },
  [ZONE_KEYS] = { UI_ITEM_KEY, NO_BAND, FALSE },
  [ZONE_OUTPUT] = { UI_ITEM_OUTPUT_CELL, UI_BAND_VALUES, TRUE },
  [ZONE_NONE] = { UI_ITEM_NONE, NO_BAND, FALSE },
};

static Zone
find_zone (const UiItem *item)
{
  for (int zone = 0; zone < ZONE_NONE; zone++)
    if (zones[zone].type == item->type)
      return (Zone) zone;
  return ZONE_NONE;
}

static UiSide
get_zone_side (Zone zone)
{
  return zone == ZONE_QUERIES || zone == ZONE_QUERY_CELLS ? UI_SIDE_QUERIES : UI_SIDE_KEYS;
}

static gboolean
has_cells (Zone zone)
{
  return zones[zone].band != NO_BAND;
}

static UiSpan
join_spans (const UiNeuronLayout *layout,
            UiGauge               gauge)
{
  const UiSpan *left = &layout->bars[gauge];
  const UiSpan *right = &layout->numbers[gauge];

  return (UiSpan) { left->x, right->x + right->width - left->x };
}

static UiSpan
get_zone_span (const UiNeuronScene *self,
               Zone                 zone)
{
  const UiNeuronLayout *layout = &self->layout;
  const UiRect *queries = &layout->rows->columns[UI_SIDE_QUERIES].column;
  const UiRect *keys = &layout->rows->columns[UI_SIDE_KEYS].column;

  if (has_cells (zone))
    return layout->bands[zones[zone].band];
  switch (zone) {
  case ZONE_QUERIES:
    return (UiSpan) { 0, queries->x + queries->width };
  case ZONE_SCALED:
    return join_spans (layout, UI_GAUGE_PRODUCT);
  case ZONE_BIAS:
    return join_spans (layout, UI_GAUGE_BIAS);
  case ZONE_SECOND_BIAS:
    return join_spans (layout, UI_GAUGE_SECOND_BIAS);
  case ZONE_SCORES:
    return join_spans (layout, UI_GAUGE_SCORE);
  case ZONE_MASK:
    return layout->mask;
  case ZONE_SOFTMAX:
    return join_spans (layout, UI_GAUGE_SOFTMAX);
  case ZONE_MEASURE:
    return join_spans (layout, UI_GAUGE_MEASURE);
  default:
    return (UiSpan) { keys->x, self->parent.scene.width - keys->x };
  }
}

static gboolean
has_zone (const UiNeuronScene *self,
          Zone                 zone)
{
  return get_zone_span (self, zone).width > 0;
}

int
ui_neuron_get_dimension (const UiNeuronScene *self,
                         UiBand               band,
                         int                  position)
{
  return band == UI_BAND_VALUES ? position : self->order[position];
}

int
ui_neuron_find_position (const UiNeuronScene *self,
                         UiBand               band,
                         int                  dimension)
{
  int n = ui_neuron_layout_get_n_cells (&self->layout, band);

  for (int position = 0; position < n; position++)
    if (ui_neuron_get_dimension (self, band, position) == dimension)
      return position;
  return 0;
}

gboolean
ui_neuron_has_item (const UiNeuronScene *self,
                    const UiItem        *item)
{
  Zone zone = find_zone (item);

  if (zone == ZONE_NONE || !has_zone (self, zone))
    return FALSE;
  return !has_cells (zone)
         || (item->dimension >= 0
             && item->dimension < ui_neuron_layout_get_n_cells (&self->layout, zones[zone].band));
}

static UiItem
make_item (const UiNeuronScene *self,
           Zone                 zone,
           int                  row,
           int                  position)
{
  gboolean is_query = get_zone_side (zone) == UI_SIDE_QUERIES;
  int compared = self->is_pinned || zones[zone].of_query ? self->query : -1;
  UiBand band = has_cells (zone) ? zones[zone].band : UI_BAND_QUERIES;

  return (UiItem) {
    .type = zones[zone].type,
    .head = self->head,
    .query = is_query ? row : compared,
    .key = is_query || zone == ZONE_OUTPUT ? -1 : row,
    .dimension = ui_neuron_get_dimension (self, band, position),
  };
}

static gboolean
is_within (UiSpan span,
           double x)
{
  return x >= span.x && x < span.x + span.width;
}

static gboolean
hit_output (const UiNeuronScene *self,
            double               x,
            double               y,
            UiItem              *item)
{
  const UiRect *output = &self->layout.output;
  int position;

  if (!has_zone (self, ZONE_OUTPUT) || y < output->y || y >= output->y + output->height
      || !ui_neuron_layout_find_position (&self->layout, UI_BAND_VALUES, x, &position))
    return FALSE;
  *item = make_item (self, ZONE_OUTPUT, 0, position);
  return TRUE;
}

static gboolean
neuron_scene_hit (const UiScene *scene,
                  double         x,
                  double         y,
                  UiItem        *item)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;

  for (int zone = 0; zone <= LAST_COLUMN; zone++) {
    int row = ui_head_layout_find_row (self->layout.rows, get_zone_side ((Zone) zone), y);
    int position = 0;

    if (row < 0 || !has_zone (self, (Zone) zone)
        || !is_within (get_zone_span (self, (Zone) zone), x))
      continue;
    if (has_cells ((Zone) zone))
      ui_neuron_layout_find_position (&self->layout, zones[zone].band, x, &position);
    *item = make_item (self, (Zone) zone, row, position);
    return TRUE;
  }
  return hit_output (self, x, y, item);
}

/* One step to the left or right: over the cells of a band, else to the next column. */
static gboolean
step_across (const UiNeuronScene *self,
             int                  step,
             Zone                *zone,
             int                 *position)
{
  int start = *zone == ZONE_OUTPUT ? ZONE_VALUES : (int) *zone;
  int next = start + step;

  if (has_cells (*zone) && *position + step >= 0
      && *position + step < ui_neuron_layout_get_n_cells (&self->layout, zones[*zone].band)) {
    *position += step;
    return TRUE;
  }
  while (next >= 0 && next <= LAST_COLUMN && !has_zone (self, (Zone) next))
    next += step;
  if (next < 0 || next > LAST_COLUMN)
    return FALSE;
  *zone = (Zone) next;
  *position = 0;
  if (step < 0 && has_cells (*zone))
    *position = ui_neuron_layout_get_n_cells (&self->layout, zones[*zone].band) - 1;
  return TRUE;
}

/* One step up or down: to the next row; below the last value stands the output. */
static void
step_along (const UiNeuronScene *self,
            int                  step,
            Zone                *zone,
            int                 *row)
{
  int last = self->layout.rows->columns[get_zone_side (*zone)].n - 1;

  if (*zone == ZONE_OUTPUT)
    *zone = step < 0 ? ZONE_VALUES : ZONE_OUTPUT;
  else if (*zone == ZONE_VALUES && *row + step > last && has_zone (self, ZONE_OUTPUT))
    *zone = ZONE_OUTPUT;
  else
    *row += step;
}

/* Up and down by rows, left and right by cells and columns; first and last are the columns of
 * tokens. */
static gboolean
neuron_scene_move (const UiScene *scene,
                   UiMove         move,
                   UiItem        *item)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  Zone zone = ui_neuron_has_item (self, item) ? find_zone (item) : ZONE_NONE;
  UiItem before = *item;
  int position = 0;
  int row;
  int n;

  if (zone == ZONE_NONE) {
    *item = make_item (self, ZONE_QUERIES, 0, 0);
    return TRUE;
  }
  if (has_cells (zone))
    position = ui_neuron_find_position (self, zones[zone].band, item->dimension);
  row = get_zone_side (zone) == UI_SIDE_QUERIES ? item->query : item->key;
  if (zone == ZONE_OUTPUT)
    row = self->layout.rows->columns[UI_SIDE_KEYS].n - 1;
  if (move == UI_MOVE_UP || move == UI_MOVE_DOWN)
    step_along (self, move == UI_MOVE_UP ? -1 : 1, &zone, &row);
  else if (move == UI_MOVE_FIRST || move == UI_MOVE_LAST)
    zone = move == UI_MOVE_FIRST ? ZONE_QUERIES : ZONE_KEYS;
  else if (!step_across (self, move == UI_MOVE_LEFT ? -1 : 1, &zone, &position))
    return FALSE;
  n = self->layout.rows->columns[get_zone_side (zone)].n;
  *item = make_item (self, zone, CLAMP (row, 0, n - 1), has_cells (zone) ? position : 0);
  return memcmp (item, &before, sizeof before) != 0;
}

static gboolean
neuron_scene_get_rect (const UiScene *scene,
                       const UiItem  *item,
                       UiRect        *rect)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  Zone zone = find_zone (item);
  UiSide side = get_zone_side (zone);
  int row = side == UI_SIDE_QUERIES ? item->query : item->key;
  const UiHeadColumn *column = &self->layout.rows->columns[side];
  double height = self->layout.rows->row;
  UiSpan span;

  if (!ui_neuron_has_item (self, item))
    return FALSE;
  if (has_cells (zone)) {
    UiBand band = zones[zone].band;
    int position = ui_neuron_find_position (self, band, item->dimension);

    *rect = zone == ZONE_OUTPUT ? ui_neuron_layout_get_output (&self->layout, position)
                                : ui_neuron_layout_get_cell (&self->layout, band, row, position);
    return TRUE;
  }
  span = get_zone_span (self, zone);
  if (zone == ZONE_QUERIES || zone == ZONE_KEYS)
    span = (UiSpan) { column->column.x, column->column.width };
  *rect = (UiRect) { span.x, column->y[row] - height / 2, span.width, height };
  return TRUE;
}

static gboolean
neuron_scene_get_subject (const UiScene *scene,
                          UiItem        *subject)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;

  *subject = (UiItem) { .type = UI_ITEM_LINK, .head = self->head, .query = self->query,
                        .key = ui_neuron_find_key (self, self->query) };
  return TRUE;
}

static const UiSceneClass neuron_scene_class = {
  .finalize = neuron_scene_finalize,
  .paint = ui_neuron_paint,
  .paint_overlay = ui_neuron_paint_overlay,
  .hit = neuron_scene_hit,
  .describe = ui_neuron_describe,
  .legend = ui_neuron_legend,
  .explain = ui_neuron_explain,
  .headline = ui_neuron_headline,
  .summarise = ui_describe_summary,
  .caption = ui_describe_caption,
  .move = neuron_scene_move,
  .get_rect = neuron_scene_get_rect,
  .get_subject = neuron_scene_get_subject,
  .numbers = ui_neuron_numbers,
};

/* The terms of a bias where the trace has them, else the bias. */
static void
load_biases (UiNeuronScene      *self,
             const UiSceneParts *parts)
{
  static const struct {
    gboolean   (*get) (const EngTrace *, EngKind, int, int, EngMatrix *);
    UiNeuronBias bias;
  } biases[] = {
    { eng_trace_get_content_position, { .symbol = "q·pos", .name = "query to position" } },
    { eng_trace_get_position_content, { .symbol = "pos·k", .name = "position to key" } },
    { eng_trace_get_position_bias, { .symbol = "bias", .name = "position bias" } },
  };
  const int last = G_N_ELEMENTS (biases) - 1;
  const double own_scale = eng_trace_get_scale (parts->trace, parts->kind, parts->document->layer);
  EngMatrix numbers;

  self->n_terms = 1;
  for (int i = 0; i <= last && (i < last || self->n_biases == 0); i++)
    if (biases[i].get (parts->trace, parts->kind, parts->document->layer, self->head, &numbers)) {
      self->biases[self->n_biases] = biases[i].bias;
      /* Terms of positions are scaled as the product is. */
      self->biases[self->n_biases].factor = (i < last ? self->scale / own_scale : 1)
                                            / self->temperature;
      self->biases[self->n_biases++].numbers = numbers;
      self->n_terms += i < last;
    }
}

static gboolean
load_vectors (UiNeuronScene      *self,
              const UiSceneParts *parts)
{
  EngTrace *trace = parts->trace;
  EngKind kind = parts->kind;
  int layer = parts->document->layer;
  int head = parts->weights.heads[0];

  self->head = head;
  self->scale = eng_check_get_scale (trace, kind, layer, head, &self->temperature);
  self->soft_cap = eng_trace_get_soft_cap (trace, kind, layer);
  load_biases (self, parts);
  if (!eng_trace_get_values (trace, kind, layer, head, &self->value_vectors))
    self->value_vectors = (EngMatrix) { 0 };
  if (!eng_trace_get_queries (trace, kind, layer, head, &self->query_vectors)
      || !eng_trace_get_keys (trace, kind, layer, head, &self->key_vectors))
    return FALSE;
  self->norms = ui_neuron_get_norms (self, parts);
  return TRUE;
}

/* A mask that hides nothing gets no column. */
static gboolean
hides_something (const EngAttention *attention)
{
  gsize n_cells = (gsize) attention->n_queries * (gsize) attention->n_keys;

  return attention->mask != NULL && memchr (attention->mask, 0, n_cells) != NULL;
}

/* The collapsed form is the head view with one head, all of it. */
static UiScene *
create_collapsed (const UiSceneParts *parts)
{
  g_autoptr (UiDocument) unfiltered = ui_document_copy (parts->document);
  UiSceneParts collapsed = *parts;
  UiScene *scene;

  unfiltered->filter = UI_FILTER_ALL;
  unfiltered->renormalise = FALSE;
  collapsed.document = unfiltered;
  scene = ui_head_scene_new (&collapsed);
  if (!parts->document->collapsed)
    scene->note = NO_VECTORS;
  return scene;
}

/* What is computed once. */
static void
prepare (UiNeuronScene *self)
{
  const UiPins *pins = &self->parent.scene.document->pins;

  self->factor = ui_neuron_get_factor (self);
  self->is_pinned = pins->n_queries > 0;
  self->query = self->is_pinned ? pins->queries[0] : ui_neuron_find_query (self);
  self->band_scale = ui_neuron_get_band_scale (self);
  self->value_scale = ui_neuron_get_value_scale (self);
  self->order = ui_neuron_get_order (self);
}

UiScene *
ui_neuron_scene_new (const UiSceneParts *parts)
{
  const UiSceneOptions *options = parts->options;
  UiSceneOptions row_options;
  UiSceneParts row_parts = *parts;
  UiNeuronColumns columns;
  UiNeuronScene *self;
  UiScene *scene;

  self = g_new0 (UiNeuronScene, 1);
  scene = &self->parent.scene;
  if (parts->document->collapsed || !load_vectors (self, parts)) {
    g_free (self);
    return create_collapsed (parts);
  }
  columns = (UiNeuronColumns) {
    .n_dimensions = self->query_vectors.cols,
    .n_value_dimensions = self->value_vectors.cols,
    .n_biases = self->n_biases,
    .has_mask = hides_something (parts->weights.attention),
    .has_measure = self->norms != NULL,
  };
  row_options = ui_neuron_layout_get_row_options (options, &columns);
  row_parts.options = &row_options;
  ui_head_scene_init (&self->parent, &neuron_scene_class, &row_parts);
  scene->options = *options;
  ui_neuron_layout_init (&self->layout, &self->parent.layout, scene->queries, scene->keys,
                         &columns, options);
  ui_head_scene_choose_texts (&self->parent);
  prepare (self);
  scene->width = self->layout.rows->width;
  scene->height = self->layout.rows->height;
  scene->header = self->layout.rows->header;
  return scene;
}
