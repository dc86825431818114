/* SPDX-License-Identifier: MIT */
#include "ui/scene/views/panels-private.h"

#include "ui/scene/base/head-key.h"
#include "ui/scene/matrix/matrix-scene.h"
#include "ui/scene/numbers/alignment.h"
#include "ui/scene/sinks/shift-sink.h"
#include "ui/scene/views/factory.h"

static const UiPanelPart *
find_panel (const UiScene *scene,
            const UiItem  *item)
{
  const UiPanelsScene *self = ui_panels (scene);

  return item->panel >= 0 && item->panel < self->n ? &self->panels[item->panel] : NULL;
}

static gboolean
touches (const UiPanelPart  *panel,
         const UiRect *clip)
{
  return clip->x < panel->x + panel->scene->width && clip->x + clip->width > panel->x &&
         clip->y < panel->y + panel->scene->height && clip->y + clip->height > panel->y;
}

static void
finalize (UiScene *scene)
{
  UiPanelsScene *self = (UiPanelsScene *) scene;

  for (int i = 0; i < self->n; i++) {
    g_clear_pointer (&self->panels[i].scene, ui_scene_unref);
    ui_document_free (self->panels[i].document);
    g_clear_pointer (&self->panels[i].aligned[0], g_array_unref);
    g_clear_pointer (&self->panels[i].aligned[1], g_array_unref);
    g_strfreev (self->panels[i].title);
  }
  g_free (self->panels);
  g_clear_pointer (&self->changed_links, g_array_unref);
}

static void
paint (const UiScene *scene,
       UiSink        *sink,
       const UiRect  *clip)
{
  const UiPanelsScene *self = ui_panels (scene);

  for (int i = 0; i < self->n; i++) {
    const UiPanelPart *panel = &self->panels[i];
    UiShiftSink shifted;
    UiRect inner;

    ui_panels_paint_title (self, panel, sink);
    if (!touches (panel, clip))
      continue;
    ui_shift_sink_init (&shifted, sink, panel->x, panel->y);
    inner = ui_rect_shift (clip, -panel->x, -panel->y);
    sink->klass->push_group (sink, panel->title[0]);
    panel->scene->klass->paint (panel->scene, &shifted.parent, &inner);
    sink->klass->pop_group (sink);
  }
}

/* Where a row (side 0) or column (side 1) of one panel stands in another, -1 for nowhere: by way of
 * the first panel's. */
static int
translate (const UiPanelsScene *self,
           int                  side,
           int                  from,
           int                  to,
           int                  row)
{
  const GArray *aligned = self->panels[from].aligned[side];

  if (from == to)
    return row;
  for (guint i = 0; aligned != NULL && i < aligned->len; i++) {
    const UiAlignedToken *pair = &g_array_index (aligned, UiAlignedToken, i);

    if (pair->second == row) {
      row = pair->first;
      break;
    }
  }
  aligned = self->panels[to].aligned[side];
  for (guint i = 0; aligned != NULL && row >= 0 && i < aligned->len; i++) {
    const UiAlignedToken *pair = &g_array_index (aligned, UiAlignedToken, i);

    if (pair->first == row)
      return pair->second;
  }
  return row;
}

static gboolean
shows_head (const UiWeights *weights,
            int              head)
{
  for (int i = 0; i < weights->n_heads; i++)
    if (weights->heads[i] == head)
      return TRUE;
  return FALSE;
}

gboolean
ui_panels_find_counterpart (const UiPanelsScene *self,
                            const UiItem        *item,
                            int                  panel,
                            UiItem              *counterpart)
{
  const UiScene *scene = self->panels[panel].scene;

  *counterpart = *item;
  counterpart->panel = panel;
  if (ui_item_names_query (item->type))
    counterpart->query = translate (self, 0, item->panel, panel, item->query);
  if (ui_item_names_key (item->type))
    counterpart->key = translate (self, 1, item->panel, panel, item->key);
  if (!shows_head (&scene->weights, item->head))
    counterpart->head = scene->weights.heads[0];
  return ui_scene_has_item (scene, counterpart);
}

/* A panel's overlay may cover its own ground, but not its neighbours'. */
static void
paint_panel_overlay (const UiPanelPart *panel,
                     const UiItem      *hover,
                     UiSink            *sink,
                     const UiRect      *clip)
{
  UiRect own = { panel->x, panel->y, panel->scene->width, panel->scene->height };
  UiRect inner = ui_rect_shift (clip, -panel->x, -panel->y);
  UiShiftSink shifted;

  ui_shift_sink_init (&shifted, sink, panel->x, panel->y);
  sink->klass->push_clip (sink, &own);
  panel->scene->klass->paint_overlay (panel->scene, hover, &shifted.parent, &inner);
  sink->klass->pop_clip (sink);
}

/* What is pointed at in one panel stands out in all of them. */
static void
paint_overlay (const UiScene *scene,
               const UiItem  *hover,
               UiSink        *sink,
               const UiRect  *clip)
{
  const UiPanelsScene *self = ui_panels (scene);
  UiItem item;

  for (int i = 0; i < self->n; i++)
    if (touches (&self->panels[i], clip) && ui_panels_find_counterpart (self, hover, i, &item))
      paint_panel_overlay (&self->panels[i], &item, sink, clip);
}

static UiScene *
get_part (UiScene      *scene,
          const UiItem *item)
{
  return find_panel (scene, item)->scene;
}

static gboolean
find_first (const UiScene *scene,
            const UiItem  *item,
            UiItem        *first)
{
  return ui_panels_find_counterpart (ui_panels (scene), item, 0, first);
}

/* The first side's; an item of it is one of the first panel. */
static gboolean
get_subject (const UiScene *scene,
             UiItem        *subject)
{
  return ui_scene_get_subject (ui_panels (scene)->panels[0].scene, subject);
}

static gboolean
has_item (const UiScene *scene,
          const UiItem  *item)
{
  const UiPanelPart *panel = find_panel (scene, item);

  return panel != NULL && ui_scene_has_item (panel->scene, item);
}

static gboolean
hit (const UiScene *scene,
     double         x,
     double         y,
     UiItem        *item)
{
  const UiPanelsScene *self = ui_panels (scene);

  for (int i = 0; i < self->n; i++) {
    const UiPanelPart *panel = &self->panels[i];

    if (!touches (panel, &(UiRect) { x, y, 0, 0 }))
      continue;
    if (!ui_scene_hit (panel->scene, x - panel->x, y - panel->y, item))
      return FALSE;
    item->panel = i;
    return TRUE;
  }
  return FALSE;
}

/* Left and right go on to the next panel where the panel's own scene ends. */
static gboolean
move (const UiScene *scene,
      UiMove         move,
      UiItem        *item)
{
  const UiPanelsScene *self = ui_panels (scene);
  int panel = item->type == UI_ITEM_NONE ? 0 : item->panel;
  int step = move == UI_MOVE_RIGHT ? 1 : move == UI_MOVE_LEFT ? -1 : 0;

  if (ui_scene_move (self->panels[panel].scene, move, item)) {
    item->panel = panel;
    return TRUE;
  }
  if (step == 0 || panel + step < 0 || panel + step >= self->n)
    return FALSE;

  *item = (UiItem) { 0 };
  if (!ui_scene_move (self->panels[panel + step].scene, UI_MOVE_FIRST, item))
    return FALSE;
  item->panel = panel + step;
  return TRUE;
}

static gboolean
get_rect (const UiScene *scene,
          const UiItem  *item,
          UiRect        *rect)
{
  const UiPanelPart *panel = find_panel (scene, item);

  if (!ui_scene_get_rect (panel->scene, item, rect))
    return FALSE;
  *rect = ui_rect_shift (rect, panel->x, panel->y);
  return TRUE;
}

static gboolean
get_spot (const UiScene *scene,
          int            index,
          UiItem        *item)
{
  const UiPanelsScene *self = ui_panels (scene);

  for (int i = 0; i < self->n; i++) {
    const UiScene *panel = self->panels[i].scene;
    int n = panel->queries->n + panel->keys->n;

    if (index < n) {
      gboolean is_there = ui_scene_get_spot (panel, index, item);

      item->panel = i;
      return is_there;
    }
    index -= n;
  }
  return FALSE;
}

/* Where the panels' own scenes have one: one for all, as a head has the same colour in each. */
static UiKey *
create_key (const UiScene *scene)
{
  const UiPanelsScene *self = ui_panels (scene);
  g_autofree const UiScene **scenes = g_new (const UiScene *, self->n);

  if (self->panels[0].scene->klass->create_key == NULL)
    return NULL;
  for (int i = 0; i < self->n; i++)
    scenes[i] = self->panels[i].scene;
  return ui_key_new_for_heads (scenes, self->n);
}

static UiScene *resize (UiScene              *scene,
                        const UiDocument     *document,
                        const UiSceneOptions *options);

static const UiSceneClass panels_scene_class = {
  .finalize = finalize,
  .paint = paint,
  .paint_overlay = paint_overlay,
  .has_item = has_item,
  .hit = hit,
  .describe = ui_panels_describe,
  .legend = ui_panels_legend,
  .explain = ui_panels_explain,
  .headline = ui_panels_headline,
  .summarise = ui_panels_summarise,
  .caption = ui_panels_caption,
  .move = move,
  .get_rect = get_rect,
  .get_spot = get_spot,
  .numbers = ui_panels_numbers,
  .create_key = create_key,
  .resize = resize,
  .get_part = get_part,
  .find_first = find_first,
  .get_subject = get_subject,
};

/* Builds the scene of a panel, or one of another size where there is one. */
static gboolean
create_panel (UiPanelPart           *self,
              const UiPanel         *panel,
              UiScene               *resized,
              const UiSceneOptions  *options,
              GError               **error)
{
  self->document = ui_document_copy (panel->document);
  self->scene = resized != NULL ? ui_scene_new_resized (resized, self->document, options)
                                : ui_scene_new (panel->trace, self->document, options, error);
  return self->scene != NULL;
}

static void
align (const UiPanelPart *first,
       UiPanelPart       *panel)
{
  if (panel->scene->queries != first->scene->queries)
    panel->aligned[0] = ui_alignment_new (first->scene->queries, panel->scene->queries);
  if (panel->scene->keys != first->scene->keys)
    panel->aligned[1] = ui_alignment_new (first->scene->keys, panel->scene->keys);
}

/* Numbers that are read beside each other have the same decimals: as many as the finest need. */
static void
share_note_unit (UiPanelsScene *self)
{
  double unit = G_MAXDOUBLE;

  for (int i = 0; i < self->n; i++) {
    const UiMatrixScene *matrix = ui_matrix_scene_cast (self->panels[i].scene);

    if (matrix == NULL)
      return;
    unit = MIN (unit, ui_matrix_scene_find_largest_note (matrix));
  }
  for (int i = 0; i < self->n; i++)
    ui_matrix_scene_set_note_unit (self->panels[i].scene, unit);
}

/* resized: a drawing of the same panels at another size; nullable. */
static UiScene *
create (const UiPanel         *panels,
        int                    n_panels,
        const UiPanelsScene   *resized,
        const UiSceneOptions  *options,
        GError               **error)
{
  int n_columns = ui_panels_count_columns (options, panels[0].document->view, n_panels);
  UiPanelsScene *self = g_new0 (UiPanelsScene, 1);
  UiSceneOptions enlarged = ui_scene_enlarge (options, panels[0].document->view);
  UiSceneOptions inner = *options;
  UiScene *first;

  self->panels = g_new0 (UiPanelPart, n_panels);
  self->n = n_panels;
  self->n_columns = n_columns;
  self->room = options->view_height > 0 ? options->width : 0;
  ui_panels_share_room (&inner, n_columns);
  inner.caption = inner.key = FALSE;
  for (int i = 0; i < n_panels; i++) {
    UiScene *before = resized != NULL ? resized->panels[i].scene : NULL;

    if (!create_panel (&self->panels[i], &panels[i], before, &inner, error)) {
      g_prefix_error (error, "Panel %d: ", i + 1);
      finalize (&self->scene);
      g_free (self);
      return NULL;
    }
    align (&self->panels[0], &self->panels[i]);
  }
  self->scene.options = enlarged;
  ui_panels_fit (self, &inner);
  ui_panels_mark_changes (self, resized);
  share_note_unit (self);

  first = self->panels[0].scene;
  ui_scene_init (&self->scene, &panels_scene_class, &(UiSceneParts) {
    first->trace, panels[0].document, &enlarged, first->kind, first->weights
  });
  self->scene.owner = ui_scene_ref (first->owner != NULL ? first->owner : first);
  ui_panels_lay_out (self);
  for (int i = 0; i < n_panels; i++)
    self->scene.text_size = i > 0 ? MIN (self->scene.text_size, self->panels[i].scene->text_size)
                                  : first->text_size;
  ui_scene_add_caption (&self->scene);
  return &self->scene;
}

static UiScene *
resize (UiScene              *scene,
        const UiDocument     *document,
        const UiSceneOptions *options)
{
  const UiPanelsScene *self = ui_panels (scene);
  g_autofree UiPanel *panels = g_new (UiPanel, self->n);

  for (int i = 0; i < self->n; i++)
    panels[i] = (UiPanel) { self->panels[i].scene->trace, self->panels[i].document };
  return create (panels, self->n, self, options, NULL);
}

UiScene *
ui_panels_scene_new (const UiPanel         *panels,
                     int                    n_panels,
                     const UiSceneOptions  *options,
                     GError               **error)
{
  if (n_panels < 1 || n_panels > UI_MAX_PANELS) {
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                 "%d panels cannot be drawn, expected 1 to %d", n_panels, UI_MAX_PANELS);
    return NULL;
  }
  return create (panels, n_panels, NULL, options, error);
}

UiScene *
ui_panels_scene_new_for_heads (EngTrace              *trace,
                               const UiDocument      *document,
                               const UiSceneOptions  *options,
                               GError               **error)
{
  const UiCells *heads = &document->panels;
  g_autoptr (GPtrArray) documents =
    g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  g_autofree UiPanel *panels = g_new0 (UiPanel, MAX (heads->n, 1));

  if (heads->n == 0) {
    g_set_error_literal (error, UI_ERROR, UI_ERROR_RANGE,
                         "No head was collected to be compared, expected panels such as 2.9,3.1");
    return NULL;
  }
  for (int i = 0; i < heads->n; i++) {
    UiDocument *own = ui_document_copy (document);

    ui_cells_clear (&own->panels);
    own->layer = heads->cells[i].layer;
    ui_head_set_only (&own->heads, heads->cells[i].head);
    g_ptr_array_add (documents, own);
    panels[i] = (UiPanel) { trace, own };
  }
  return ui_panels_scene_new (panels, heads->n, options, error);
}

gboolean
ui_scene_is_panels (const UiScene *scene)
{
  return scene->klass == &panels_scene_class;
}

int
ui_panels_count_heads (const UiScene *scene)
{
  return ui_scene_is_panels (scene) && !ui_panels_are_sides (ui_panels (scene))
         ? ui_panels (scene)->n : 0;
}

UiScene *
ui_panels_get_head (UiScene *scene,
                    int      i)
{
  g_return_val_if_fail (i >= 0 && i < ui_panels_count_heads (scene), NULL);

  return ui_panels (scene)->panels[i].scene;
}
