/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-scene.h"

#include <math.h>
#include <stdlib.h>

#include "engine/trace/measure.h"
#include "ui/scene/base/edit-words.h"
#include "ui/scene/model/model-facts.h"
#include "ui/scene/sinks/cells.h"

/* A map of a rollout is as large as in a grid of so many heads. */
#define ROLLOUT_COLUMNS 6

#define PAPER_PIXELS 192.0 /* an inch, as a PNG has them */
#define MOST_CELLS_PER_UNIT 2 /* that are drawn as rectangles */

#define MOST_SUMMED (8 << 20) /* weights, in some milliseconds */

struct _UiModelSlot {
  GMutex       lock;       /* over the maps */
  gboolean     is_made;
  UiThumbnail *maps;       /* [n_heads]; NULL = none yet, or the layer cannot be shown */
  GMutex       facts_lock; /* so that no two threads measure the same heads */
};

static UiModelScene *
model_scene (UiScene *scene)
{
  return (UiModelScene *) scene;
}

static const UiModelScene *
const_model_scene (const UiScene *scene)
{
  return (const UiModelScene *) scene;
}

gboolean
ui_model_scene_init_weights (const UiModelScene *self,
                             int                 layer,
                             UiWeights          *weights)
{
  const UiScene *scene = &self->scene;

  return self->present[layer]
         && ui_weights_init (weights, scene->trace, self->cell_document, scene->kind, layer, NULL,
                             NULL);
}

/* On paper as many as an eye, or a PNG, can tell apart: of finer ones these would take the mean over
 * keys, too. */
int
ui_model_scene_get_map_size (const UiModelScene *self)
{
  const UiScene *scene = &self->scene;
  const double on_paper = scene->document->width_cm / 2.54 * PAPER_PIXELS / scene->width;

  return (int) (self->layout.cell * (scene->options.key ? on_paper : 1));
}

/* A map of so few cells that a figure draws each as a rectangle, and hatching as strokes. */
static gboolean
has_vector_cells (const UiModelScene *self)
{
  const UiScene *scene = &self->scene;

  return scene->options.key && (gsize) scene->queries->n * scene->keys->n <= UI_MOST_VECTOR_CELLS
         && MAX (scene->queries->n, scene->keys->n) <= MOST_CELLS_PER_UNIT * self->layout.cell;
}

/* (transfer full) NULL where the layer cannot be shown. */
static UiThumbnail *
make_maps (const UiModelScene *self,
           int                 layer)
{
  UiThumbnail *maps;
  UiWeights weights;

  if (!ui_model_scene_init_weights (self, layer, &weights))
    return NULL;
  maps = g_new (UiThumbnail, self->n_heads);
  for (int head = 0; head < self->n_heads; head++)
    if (has_vector_cells (self))
      ui_thumbnail_init_cells (&maps[head], &weights, head, self->scene.options.theme);
    else
      ui_thumbnail_init (&maps[head], &weights, head, self->scene.options.theme,
                         ui_model_scene_get_map_size (self));
  ui_weights_clear (&weights);
  return maps;
}

const UiThumbnail *
ui_model_scene_get_maps (const UiModelScene *self,
                         int                 layer)
{
  UiModelSlot *slot = &self->slots[layer];

  g_mutex_lock (&slot->lock);
  if (!slot->is_made)
    slot->maps = make_maps (self, layer);
  slot->is_made = TRUE;
  g_mutex_unlock (&slot->lock);

  return slot->maps;
}

const EngHeadFacts *
ui_model_scene_get_facts (const UiModelScene *self,
                          int                 layer)
{
  UiModelSlot *slot = &self->slots[layer];
  const EngHeadFacts *facts;

  if (self->is_rollout || !self->present[layer])
    return NULL;
  g_mutex_lock (&slot->facts_lock);
  facts = eng_trace_get_head_facts (self->scene.trace, self->scene.kind, layer);
  g_mutex_unlock (&slot->facts_lock);

  return facts;
}

double
ui_model_scene_get_number (const UiModelScene *self,
                           const EngHeadFacts *facts)
{
  switch (self->scene.document->order) {
  case UI_ORDER_ENTROPY:
    return facts->entropy;
  case UI_ORDER_TRAFFIC:
    return facts->traffic_ab;
  case UI_ORDER_PATTERN:
    return facts->scores[facts->label];
  case UI_ORDER_LAYER:
  default:
    return self->has_pair ? facts->pair_share : facts->scores[facts->label];
  }
}

/* Whether a legend may look at all weights of a layer. */
static gboolean
can_sum (const UiModelScene *self,
         int                 layer)
{
  const UiScene *scene = &self->scene;
  gsize n = (gsize) self->n_layers * self->n_heads * scene->queries->n * scene->keys->n;
  EngMatrix queries;

  return scene->options.caption
         || (n <= MOST_SUMMED
             && (eng_trace_get_edits (scene->trace)[0] != NULL
                 || !eng_trace_get_queries (scene->trace, scene->kind, layer, 0, &queries)));
}

void
ui_model_scene_find_row_sums (const UiModelScene *self,
                              UiRowSums          *sums)
{
  const UiScene *scene = &self->scene;

  ui_row_sums_init (sums);
  if (scene->weights.block.measure != ENG_MEASURE_WEIGHT)
    return;
  for (int layer = 0; layer < self->n_layers; layer++) {
    UiWeights weights;

    if (!self->present[layer] || !can_sum (self, layer)
        || !ui_model_scene_init_weights (self, layer, &weights))
      continue;
    ui_row_sums_add (sums, &weights);
    ui_weights_clear (&weights);
  }
}

gboolean
ui_model_scene_is_framed (const UiModelScene *self,
                          int                 layer,
                          int                 head)
{
  const UiScene *scene = &self->scene;

  return layer == scene->layer && !self->is_rollout
         && ui_head_set_count (&scene->document->heads, self->n_heads) < self->n_heads
         && ui_head_set_has (&scene->document->heads, head);
}

gboolean
ui_model_scene_is_edited (const UiModelScene *self,
                          int                 layer,
                          int                 head)
{
  const UiScene *scene = &self->scene;

  return !self->is_rollout && ui_edit_is_of_head (scene->trace, scene->kind, layer, head);
}

gboolean
ui_model_scene_has_edited (const UiModelScene *self)
{
  for (int i = 0; i < self->layout.n_cells; i++) {
    const UiModelCell *cell = &self->layout.cells[i];

    if (cell->row >= 0 && cell->head >= 0 && ui_model_scene_is_edited (self, cell->layer, cell->head))
      return TRUE;
  }
  return FALSE;
}

/* A cell of a flow and what decides about its place. */
typedef struct {
  UiModelCell cell;
  double      value; /* cells of a group stand by it, smallest first; NAN = behind the others */
} Entry;

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *first = a, *second = b;

  if (first->cell.group != second->cell.group)
    return first->cell.group - second->cell.group;
  if (isnan (first->value) != isnan (second->value))
    return isnan (first->value) - isnan (second->value);
  if (first->value != second->value && !isnan (first->value))
    return first->value < second->value ? -1 : 1;
  if (first->cell.layer != second->cell.layer)
    return first->cell.layer - second->cell.layer;
  return first->cell.head - second->cell.head;
}

static int
get_group (const UiModelScene *self,
           const EngHeadFacts *facts)
{
  if (self->scene.document->order != UI_ORDER_PATTERN)
    return 0;
  /* Heads of layers without facts stand last, too. */
  return (int) (facts != NULL ? facts->label : ENG_PATTERN_BROAD);
}

/* What is marked stays in sight, however many heads of its group are clearer. */
static gboolean
is_marked (const UiModelScene *self,
           int                 layer,
           int                 head)
{
  const UiScene *scene = &self->scene;

  return ui_model_scene_is_framed (self, layer, head)
         || ui_cells_has (&scene->document->panels, layer, head);
}

static Entry
make_entry (const UiModelScene *self,
            int                 layer,
            int                 head)
{
  const UiScene *scene = &self->scene;
  const EngHeadFacts *facts = NULL;
  Entry entry = { .cell = { .layer = layer, .head = head }, .value = NAN };

  if (self->is_rollout)
    return entry;
  facts = eng_trace_get_head_facts (scene->trace, scene->kind, layer);
  if (facts != NULL)
    entry.value = ui_model_scene_get_number (self, &facts[head]);
  if (scene->document->order != UI_ORDER_ENTROPY)
    entry.value = -entry.value;
  entry.cell.group = get_group (self, facts != NULL ? &facts[head] : NULL);
  entry.cell.is_kept = is_marked (self, layer, head);
  return entry;
}

/* (transfer full) */
static UiModelCell *
sort_cells (const UiModelScene *self,
            int                *n_cells)
{
  g_autofree Entry *entries = g_new (Entry, MAX ((gsize) self->n_layers * self->n_heads, 1));
  UiModelCell *cells;
  int n = 0;

  for (int layer = 0; layer < self->n_layers; layer++)
    for (int head = 0; head < self->n_heads && self->present[layer]; head++)
      entries[n++] = make_entry (self, layer, head);
  qsort (entries, (gsize) n, sizeof *entries, compare_entries);

  cells = g_new (UiModelCell, MAX (n, 1));
  for (int i = 0; i < n; i++)
    cells[i] = entries[i].cell;
  *n_cells = n;
  return cells;
}

static void
lay_out (UiModelScene *self)
{
  const UiScene *scene = &self->scene;
  gboolean has_groups = scene->document->order == UI_ORDER_PATTERN && !self->is_rollout;
  int n_columns = self->is_rollout ? ROLLOUT_COLUMNS
                                   : eng_trace_get_n_heads (scene->trace, scene->kind);
  UiModelLabelWidths labels = ui_model_labels_measure (self);
  UiModelCell *cells;
  int n_cells;

  if (scene->document->order == UI_ORDER_LAYER && !self->is_rollout) {
    ui_model_layout_init_grid (&self->layout, &scene->options, &labels, self->present,
                               self->windows, self->n_layers, self->n_heads, self->is_growing);
    return;
  }
  cells = sort_cells (self, &n_cells);
  (has_groups ? ui_model_layout_init_groups : ui_model_layout_init_flow)
    (&self->layout, &scene->options, &labels, cells, n_cells, n_columns);
}

/* Large text gives up some of its size where all maps are in sight then; at another zoom it is as
 * large as at that one. */
static void
init_layout (UiModelScene *self)
{
  UiSceneOptions *options = &self->scene.options;
  const UiSceneOptions wanted = *options;
  gboolean fits = FALSE;

  options->zoom = 1;
  for (double scale = wanted.text_scale; !fits && ui_scene_may_shrink_to (&wanted, scale);
       scale -= UI_TEXT_STEP) {
    options->text_scale = scale;
    lay_out (self);
    fits = self->layout.height <= options->view_height;
    ui_model_layout_clear (&self->layout);
  }
  options->zoom = wanted.zoom;
  if (!fits)
    options->text_scale = wanted.text_scale;
  lay_out (self);
}

static void
finalize (UiScene *scene)
{
  UiModelScene *self = model_scene (scene);

  for (int layer = 0; layer < self->n_layers; layer++) {
    UiModelSlot *slot = &self->slots[layer];

    for (int head = 0; head < self->n_heads && slot->maps != NULL; head++)
      ui_thumbnail_clear (&slot->maps[head]);
    g_free (slot->maps);
    g_mutex_clear (&slot->lock);
    g_mutex_clear (&slot->facts_lock);
  }
  g_free (self->slots);
  g_free (self->present);
  g_free (self->windows);
  ui_document_free (self->cell_document);
  ui_model_labels_clear (self);
  ui_model_layout_clear (&self->layout);
}

static UiItem
make_item (const UiModelScene *self,
           int                 index)
{
  const UiModelCell *cell = &self->layout.cells[index];

  if (cell->head < 0)
    return (UiItem) { .type = UI_ITEM_GROUP, .pattern = cell->group };
  return (UiItem) { .type = UI_ITEM_HEAD, .layer = cell->layer, .head = cell->head };
}

int
ui_model_scene_find_cell (const UiModelScene *self,
                          const UiItem       *item)
{
  if (item->type == UI_ITEM_GROUP)
    return ui_model_layout_find_opener (&self->layout, item->pattern);
  return item->type == UI_ITEM_HEAD ? ui_model_layout_find (&self->layout, item->layer, item->head)
                                    : -1;
}

static gboolean
has_item (const UiScene *scene,
          const UiItem  *item)
{
  return ui_model_scene_find_cell (const_model_scene (scene), item) >= 0;
}

static gboolean
hit (const UiScene *scene,
     double         x,
     double         y,
     UiItem        *item)
{
  const UiModelScene *self = const_model_scene (scene);
  int cell = ui_model_layout_hit (&self->layout, x, y);

  if (cell < 0)
    return FALSE;
  *item = make_item (self, cell);
  return TRUE;
}

static int
find_shown (const UiModelScene *self,
            const UiItem       *item)
{
  int cell = ui_model_scene_find_cell (self, item);

  return cell >= 0 && self->layout.cells[cell].row >= 0 ? cell : -1;
}

/* The cursor begins at the marked head, where there is one. */
static gboolean
move (const UiScene *scene,
      UiMove         move,
      UiItem        *item)
{
  const UiModelScene *self = const_model_scene (scene);
  const UiDocument *document = scene->document;
  const UiItem marked = {
    .type = UI_ITEM_HEAD, .layer = document->layer,
    .head = ui_head_set_first (&document->heads, self->n_heads),
  };
  int from = find_shown (self, item);
  int cell;

  if (self->layout.n_cells == 0 || (move >= UI_MOVE_GROUP_BEFORE && !self->layout.is_grouped))
    return FALSE;
  cell = from >= 0 ? ui_model_layout_move (&self->layout, move, from)
                   : MAX (find_shown (self, &marked), 0);
  if (cell == from)
    return FALSE;
  *item = make_item (self, cell);
  return TRUE;
}

static gboolean
get_rect (const UiScene *scene,
          const UiItem  *item,
          UiRect        *rect)
{
  const UiModelScene *self = const_model_scene (scene);
  int cell = find_shown (self, item);

  if (cell < 0)
    return FALSE;
  *rect = ui_model_layout_get_map (&self->layout, cell);
  rect->height += self->layout.label;
  return TRUE;
}

static gboolean
get_spot (const UiScene *scene,
          int            index,
          UiItem        *item)
{
  const UiModelScene *self = const_model_scene (scene);

  if (index >= self->n_layers * self->n_heads)
    return FALSE;
  *item = (UiItem) {
    .type = UI_ITEM_HEAD, .layer = index / self->n_heads, .head = index % self->n_heads,
  };
  return TRUE;
}

static const UiSceneClass model_scene_class = {
  .finalize = finalize,
  .paint = ui_model_paint,
  .paint_preview = ui_model_paint_preview,
  .paint_overlay = ui_model_paint_overlay,
  .has_item = has_item,
  .hit = hit,
  .describe = ui_model_describe,
  .legend = ui_model_legend,
  .explain = ui_model_explain,
  .headline = ui_model_headline,
  .summarise = ui_model_summarise,
  .caption = ui_model_caption,
  .move = move,
  .get_rect = get_rect,
  .get_spot = get_spot,
  .numbers = ui_model_numbers,
  .create_key = ui_model_create_key,
};

static void
init_layers (UiModelScene *self)
{
  const UiScene *scene = &self->scene;

  self->n_layers = eng_trace_get_n_layers (scene->trace, scene->kind);
  self->present = g_new (guint8, MAX (self->n_layers, 1));
  self->windows = g_new (int, MAX (self->n_layers, 1));
  self->slots = g_new0 (UiModelSlot, MAX (self->n_layers, 1));
  for (int layer = 0; layer < self->n_layers; layer++) {
    self->present[layer] = (guint8) eng_trace_has_layer (scene->trace, scene->kind, layer);
    self->windows[layer] = eng_trace_get_window (scene->trace, scene->kind, layer);
    g_mutex_init (&self->slots[layer].lock);
    g_mutex_init (&self->slots[layer].facts_lock);
  }
}

gboolean
ui_model_has_grown (const UiScene *scene)
{
  const UiModelScene *self = const_model_scene (scene);

  for (int layer = 0; layer < self->n_layers; layer++)
    if (!self->present[layer] && eng_trace_has_layer (scene->trace, scene->kind, layer))
      return TRUE;
  return FALSE;
}

gboolean
ui_model_make_map (const UiScene *scene,
                   int            layer,
                   int            head,
                   UiTheme        theme,
                   int            size,
                   UiThumbnail   *map)
{
  UiWeights weights;

  if (!ui_model_scene_init_weights (const_model_scene (scene), layer, &weights))
    return FALSE;
  ui_thumbnail_init (map, &weights, head, theme, size);
  ui_weights_clear (&weights);
  return TRUE;
}

gboolean
ui_model_scene_lacks_names (const UiScene *scene)
{
  return scene->klass == &model_scene_class && !const_model_scene (scene)->is_rollout
         && !ui_model_layout_has_names (&const_model_scene (scene)->layout);
}

UiScene *
ui_model_scene_new (const UiSceneParts *parts)
{
  UiModelScene *self = g_new0 (UiModelScene, 1);
  UiScene *scene = &self->scene;

  /* A trace that grows meanwhile has at most more than what is looked for below. */
  self->is_growing = !eng_trace_is_complete (parts->trace);
  ui_scene_init (scene, &model_scene_class, parts);
  self->cell_document = ui_document_copy (parts->document);
  self->cell_document->heads = (UiHeadSet) { .all = TRUE };
  ui_pins_clear (&self->cell_document->pins);
  self->is_rollout = scene->document->measure == ENG_MEASURE_ROLLOUT;
  self->n_heads = self->is_rollout ? 1 : eng_trace_get_n_heads (scene->trace, scene->kind);
  /* All of cross attention crosses. */
  self->has_pair = scene->kind != ENG_KIND_CROSS &&
                   eng_measure_has_pair (eng_trace_get_query_tokens (scene->trace, scene->kind),
                                         eng_trace_get_key_tokens (scene->trace, scene->kind));
  init_layers (self);
  ui_model_labels_init (self);
  init_layout (self);
  scene->width = self->layout.width;
  scene->height = self->layout.height;
  scene->header = self->layout.header;
  return scene;
}
