/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron-scene.h"

#include <string.h>

#define NO_VECTORS \
  "The trace holds no queries and keys of this layer, so only the links of the head can be shown."

static void
neuron_scene_finalize (UiScene *scene)
{
  UiNeuronScene *self = (UiNeuronScene *) scene;

  g_free (self->order);
  ui_head_scene_clear (&self->parent);
}

/* The columns of the layout that can be pointed at, from left to right. */
typedef enum {
  ZONE_QUERIES,
  ZONE_QUERY_CELLS,
  ZONE_KEY_CELLS,
  ZONE_PRODUCTS,
  ZONE_SCORES,
  ZONE_SOFTMAX,
  ZONE_KEYS,
  ZONE_NONE
} Zone;

static const UiItemType zone_items[] = {
  [ZONE_QUERIES] = UI_ITEM_QUERY,
  [ZONE_QUERY_CELLS] = UI_ITEM_QUERY_CELL,
  [ZONE_KEY_CELLS] = UI_ITEM_KEY_CELL,
  [ZONE_PRODUCTS] = UI_ITEM_PRODUCT_CELL,
  [ZONE_SCORES] = UI_ITEM_SCORE,
  [ZONE_SOFTMAX] = UI_ITEM_SOFTMAX,
  [ZONE_KEYS] = UI_ITEM_KEY,
  [ZONE_NONE] = UI_ITEM_NONE,
};

static Zone
find_zone (const UiItem *item)
{
  for (int zone = 0; zone < ZONE_NONE; zone++)
    if (zone_items[zone] == item->type)
      return (Zone) zone;
  return ZONE_NONE;
}

static UiSide
get_zone_side (Zone zone)
{
  return zone == ZONE_QUERIES || zone == ZONE_QUERY_CELLS ? UI_SIDE_QUERIES : UI_SIDE_KEYS;
}

/* The band of a zone of cells; FALSE for the other zones. */
static gboolean
get_zone_band (Zone    zone,
               UiBand *band)
{
  switch (zone) {
  case ZONE_QUERY_CELLS:
    *band = UI_BAND_QUERIES;
    return TRUE;
  case ZONE_KEY_CELLS:
    *band = UI_BAND_KEYS;
    return TRUE;
  case ZONE_PRODUCTS:
    *band = UI_BAND_PRODUCTS;
    return TRUE;
  default:
    return FALSE;
  }
}

static UiSpan
join_spans (UiSpan left,
            UiSpan right)
{
  return (UiSpan) { left.x, right.x + right.width - left.x };
}

static UiSpan
get_zone_span (const UiNeuronScene *self,
               Zone                 zone)
{
  const UiNeuronLayout *layout = &self->layout;
  const UiRect *queries = &layout->rows->columns[UI_SIDE_QUERIES].column;
  const UiRect *keys = &layout->rows->columns[UI_SIDE_KEYS].column;
  UiBand band;

  if (get_zone_band (zone, &band))
    return layout->bands[band];
  switch (zone) {
  case ZONE_QUERIES:
    return (UiSpan) { 0, queries->x + queries->width };
  case ZONE_SCORES:
    return join_spans (layout->score_bars, layout->score_numbers);
  case ZONE_SOFTMAX:
    return join_spans (layout->softmax_bars, layout->softmax_numbers);
  default:
    return (UiSpan) { keys->x, self->parent.scene.width - keys->x };
  }
}

/* Products, scores and weights belong to a pinned query; without one they cannot be pointed at. */
static gboolean
has_zone (const UiNeuronScene *self,
          Zone                 zone)
{
  return self->query >= 0 || (zone != ZONE_PRODUCTS && zone != ZONE_SCORES && zone != ZONE_SOFTMAX);
}

gboolean
ui_neuron_has_item (const UiNeuronScene *self,
                    const UiItem        *item)
{
  Zone zone = find_zone (item);
  UiBand band;

  if (zone == ZONE_NONE || !has_zone (self, zone))
    return FALSE;
  return !get_zone_band (zone, &band)
         || (item->dimension >= 0 && item->dimension < self->layout.n_dimensions);
}

static UiItem
make_item (const UiNeuronScene *self,
           Zone                 zone,
           int                  row,
           int                  position)
{
  gboolean is_query = get_zone_side (zone) == UI_SIDE_QUERIES;

  return (UiItem) {
    .type = zone_items[zone],
    .head = self->head,
    .query = is_query ? row : self->query,
    .key = is_query ? -1 : row,
    .dimension = self->order[position],
  };
}

static int
find_position (const UiNeuronScene *self,
               int                  dimension)
{
  for (int position = 0; position < self->layout.n_dimensions; position++)
    if (self->order[position] == dimension)
      return position;
  return 0;
}

static gboolean
neuron_scene_hit (const UiScene *scene,
                  double         x,
                  double         y,
                  UiItem        *item)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;

  for (int zone = 0; zone < ZONE_NONE; zone++) {
    UiSpan span = get_zone_span (self, (Zone) zone);
    int row = ui_head_layout_find_row (self->layout.rows, get_zone_side ((Zone) zone), y);
    int position = 0;
    UiBand band;

    if (row < 0 || !has_zone (self, (Zone) zone) || x < span.x || x >= span.x + span.width)
      continue;
    if (get_zone_band ((Zone) zone, &band))
      ui_neuron_layout_find_position (&self->layout, band, x, &position);
    *item = make_item (self, (Zone) zone, row, position);
    return TRUE;
  }
  return FALSE;
}

/* One step to the left or right: over the cells of a band, else to the next column. */
static gboolean
step_across (const UiNeuronScene *self,
             int                  step,
             Zone                *zone,
             int                 *position)
{
  int n = self->layout.n_dimensions;
  int next = (int) *zone + step;
  UiBand band;

  if (get_zone_band (*zone, &band) && *position + step >= 0 && *position + step < n) {
    *position += step;
    return TRUE;
  }
  while (next >= 0 && next < ZONE_NONE && !has_zone (self, (Zone) next))
    next += step;
  if (next < 0 || next >= ZONE_NONE)
    return FALSE;
  *zone = (Zone) next;
  *position = step > 0 ? 0 : n - 1;
  return TRUE;
}

/* Up and down by rows, left and right by cells and columns; first and last are the columns of
 * tokens. */
static gboolean
neuron_scene_move (const UiScene *scene,
                   UiMove         move,
                   UiItem        *item)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  Zone zone = find_zone (item);
  UiItem before = *item;
  int position;
  int row;
  int n;

  if (zone == ZONE_NONE) {
    *item = make_item (self, ZONE_QUERIES, 0, 0);
    return TRUE;
  }
  position = find_position (self, item->dimension);
  row = get_zone_side (zone) == UI_SIDE_QUERIES ? item->query : item->key;
  if (move == UI_MOVE_UP || move == UI_MOVE_DOWN)
    row += move == UI_MOVE_UP ? -1 : 1;
  else if (move == UI_MOVE_FIRST || move == UI_MOVE_LAST)
    zone = move == UI_MOVE_FIRST ? ZONE_QUERIES : ZONE_KEYS;
  else if (!step_across (self, move == UI_MOVE_LEFT ? -1 : 1, &zone, &position))
    return FALSE;
  n = self->layout.rows->columns[get_zone_side (zone)].n;
  *item = make_item (self, zone, CLAMP (row, 0, n - 1), position);
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
  UiBand band;
  UiSpan span;

  if (!ui_neuron_has_item (self, item))
    return FALSE;
  if (get_zone_band (zone, &band)) {
    int position = find_position (self, item->dimension);

    *rect = ui_neuron_layout_get_cell (&self->layout, band, row, position);
    return TRUE;
  }
  span = get_zone_span (self, zone);
  if (zone == ZONE_QUERIES || zone == ZONE_KEYS)
    span = (UiSpan) { column->column.x, column->column.width };
  *rect = (UiRect) { span.x, column->y[row] - height / 2, span.width, height };
  return TRUE;
}

static const UiSceneClass neuron_scene_class = {
  .finalize = neuron_scene_finalize,
  .paint = ui_neuron_paint,
  .paint_overlay = ui_neuron_paint_overlay,
  .hit = neuron_scene_hit,
  .describe = ui_neuron_describe,
  .legend = ui_neuron_legend,
  .move = neuron_scene_move,
  .get_rect = neuron_scene_get_rect,
  .numbers = ui_neuron_numbers,
};

static gboolean
load_vectors (UiNeuronScene      *self,
              const UiSceneParts *parts)
{
  EngTrace *trace = parts->trace;
  EngKind kind = parts->kind;
  int layer = parts->document->layer;
  int head = parts->weights.heads[0];

  self->head = head;
  self->scale = eng_trace_get_scale (trace, kind, layer);
  if (!eng_trace_get_position_bias (trace, kind, layer, head, &self->bias))
    self->bias = (EngMatrix) { 0 };
  return eng_trace_get_queries (trace, kind, layer, head, &self->query_vectors)
         && eng_trace_get_keys (trace, kind, layer, head, &self->key_vectors);
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

UiScene *
ui_neuron_scene_new (const UiSceneParts *parts)
{
  UiSceneOptions row_options = ui_neuron_layout_get_row_options (parts->options);
  const UiSceneOptions *options = parts->options;
  UiSceneParts row_parts = *parts;
  UiNeuronScene *self;
  UiScene *scene;

  self = g_new0 (UiNeuronScene, 1);
  scene = &self->parent.scene;
  row_parts.options = &row_options;
  if (parts->document->collapsed || !load_vectors (self, parts)) {
    g_free (self);
    return create_collapsed (parts);
  }
  ui_head_scene_init (&self->parent, &neuron_scene_class, &row_parts);
  scene->options = *options;
  self->query = parts->document->pins.n_queries > 0 ? parts->document->pins.queries[0] : -1;
  ui_neuron_layout_init (&self->layout, &self->parent.layout, scene->queries, scene->keys,
                         self->query_vectors.cols, options);
  self->band_scale = ui_neuron_get_band_scale (self);
  self->order = ui_neuron_get_order (self);
  scene->width = self->layout.rows->width;
  scene->height = self->layout.rows->height;
  scene->header = self->layout.rows->header;
  return scene;
}
