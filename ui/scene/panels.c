/* SPDX-License-Identifier: MIT */
#include "ui/scene/panels.h"

#include <math.h>
#include <string.h>

#include "ui/scene/describe.h"
#include "ui/scene/scene-private.h"
#include "ui/scene/shift-sink.h"
#include "ui/scene/text.h"

/* At 100 % text. */
#define GAP         28.0
#define TITLE_SIZE  14.0
#define TITLE_LINE  19.0
#define TITLE_SPACE 8.0

typedef struct {
  UiScene *scene;
  char   **title; /* lines; the first begins with the letter */
  double   x;     /* where the panel's own drawing begins */
  double   y;
} Panel;

typedef struct {
  UiScene scene;  /* of the first panel's trace and document */
  Panel  *panels; /* [n] */
  int     n;
} UiPanelsScene;

static const UiPanelsScene *
const_panels (const UiScene *scene)
{
  return (const UiPanelsScene *) scene;
}

/* The narrowest column in which a view can be read. */
static double
get_narrowest (UiViewKind view)
{
  switch (view) {
  case UI_VIEW_MATRIX:
    return 250;
  case UI_VIEW_NEURON:
    return 900;
  case UI_VIEW_MODEL:
    return 500;
  case UI_VIEW_HEAD:
  default:
    return 330;
  }
}

/* As many columns as fit, no more than even rows need. */
static int
count_columns (const UiSceneOptions *options,
               UiViewKind            view,
               int                   n_panels)
{
  double gap = GAP * options->text_scale;
  double narrowest = get_narrowest (view) * options->text_scale;
  int most = CLAMP ((int) floor ((options->width + gap) / (narrowest + gap)), 1, n_panels);
  int n_rows = (n_panels + most - 1) / most;

  return (n_panels + n_rows - 1) / n_rows;
}

static const Panel *
find_panel (const UiScene *scene,
            const UiItem  *item)
{
  const UiPanelsScene *self = const_panels (scene);

  return item->panel >= 0 && item->panel < self->n ? &self->panels[item->panel] : NULL;
}

static gboolean
touches (const Panel  *panel,
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
    g_strfreev (self->panels[i].title);
  }
  g_free (self->panels);
}

static void
paint_title (const UiPanelsScene *self,
             const Panel         *panel,
             UiSink              *sink)
{
  double scale = self->scene.options.text_scale;
  UiTextStyle style = { .size = TITLE_SIZE * scale, .bold = TRUE };
  int n_lines = (int) g_strv_length (panel->title);

  for (int i = 0; i < n_lines; i++) {
    double y = panel->y - (TITLE_SPACE + (n_lines - i - 0.5) * TITLE_LINE) * scale;

    sink->klass->text (sink, panel->x, ui_text_baseline (y, style.size), panel->title[i], &style,
                       ui_palette_get (self->scene.options.theme)->text);
  }
}

static void
paint (const UiScene *scene,
       UiSink        *sink,
       const UiRect  *clip)
{
  const UiPanelsScene *self = const_panels (scene);

  for (int i = 0; i < self->n; i++) {
    const Panel *panel = &self->panels[i];
    UiShiftSink shifted;
    UiRect inner;

    paint_title (self, panel, sink);
    if (!touches (panel, clip))
      continue;
    ui_shift_sink_init (&shifted, sink, panel->x, panel->y);
    inner = ui_rect_shift (clip, -panel->x, -panel->y);
    sink->klass->push_group (sink, panel->title[0]);
    panel->scene->klass->paint (panel->scene, &shifted.parent, &inner);
    sink->klass->pop_group (sink);
  }
}

static void
paint_overlay (const UiScene *scene,
               const UiItem  *hover,
               UiSink        *sink,
               const UiRect  *clip)
{
  const Panel *panel = find_panel (scene, hover);
  UiShiftSink shifted;
  UiRect inner = ui_rect_shift (clip, -panel->x, -panel->y);

  /* A panel's overlay may cover its own ground, but not its neighbours'. */
  UiRect own = { panel->x, panel->y, panel->scene->width, panel->scene->height };

  ui_shift_sink_init (&shifted, sink, panel->x, panel->y);
  sink->klass->push_clip (sink, &own);
  panel->scene->klass->paint_overlay (panel->scene, hover, &shifted.parent, &inner);
  sink->klass->pop_clip (sink);
}

static gboolean
has_item (const UiScene *scene,
          const UiItem  *item)
{
  const Panel *panel = find_panel (scene, item);

  return panel != NULL && ui_scene_has_item (panel->scene, item);
}

static gboolean
hit (const UiScene *scene,
     double         x,
     double         y,
     UiItem        *item)
{
  const UiPanelsScene *self = const_panels (scene);

  for (int i = 0; i < self->n; i++) {
    const Panel *panel = &self->panels[i];

    if (!touches (panel, &(UiRect) { x, y, 0, 0 }))
      continue;
    if (!ui_scene_hit (panel->scene, x - panel->x, y - panel->y, item))
      return FALSE;
    item->panel = i;
    return TRUE;
  }
  return FALSE;
}

static char *
describe (const UiScene *scene,
          const UiItem  *item)
{
  return ui_scene_describe (find_panel (scene, item)->scene, item);
}

/* Panels that are read alike say so once. */
static char *
legend (const UiScene *scene)
{
  const UiPanelsScene *self = const_panels (scene);
  g_autofree char *first = ui_scene_legend (self->panels[0].scene);
  gboolean are_alike = TRUE;
  GString *text = g_string_new (NULL);

  for (int i = 1; i < self->n && are_alike; i++) {
    g_autofree char *other = ui_scene_legend (self->panels[i].scene);

    are_alike = g_str_equal (first, other);
  }
  for (int i = 0; i < self->n && !are_alike; i++) {
    g_autofree char *one = ui_scene_legend (self->panels[i].scene);

    g_string_append_printf (text, "%s(%c) %s", i > 0 ? " " : "", 'a' + i, one);
  }
  if (are_alike)
    g_string_append (text, first);
  return g_string_free (text, FALSE);
}

static gboolean
share_a_trace (const UiPanelsScene *self)
{
  for (int i = 1; i < self->n; i++)
    if (self->panels[i].scene->trace != self->panels[0].scene->trace)
      return FALSE;
  return TRUE;
}

/* A panel in the caption: its heads, and all of its own caption where traces differ. */
static char *
describe_panel (const UiPanelsScene *self,
                int                  i)
{
  const UiScene *panel = self->panels[i].scene;
  g_autofree char *words = share_a_trace (self) ? ui_describe_scope (panel, FALSE)
                                                : ui_scene_caption (panel);

  return g_strdup_printf ("(%c) %s", 'a' + i, words);
}

/* "MODEL · (a) head 9 of layer 2; (b) head 1 of layer 3 · texts", or every panel's own caption. */
static char *
caption (const UiScene *scene)
{
  const UiPanelsScene *self = const_panels (scene);
  g_autoptr (GString) subject = g_string_new (NULL);

  for (int i = 0; i < self->n; i++) {
    g_autofree char *words = describe_panel (self, i);

    g_string_append_printf (subject, "%s%s", i > 0 ? "; " : "", words);
  }
  return share_a_trace (self) ? ui_describe_caption_of (scene, subject->str)
                              : g_string_free (g_steal_pointer (&subject), FALSE);
}

static char *
summarise (const UiScene *scene)
{
  const UiPanelsScene *self = const_panels (scene);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%d panels.", self->n);
  for (int i = 0; i < self->n; i++) {
    g_autofree char *one = ui_scene_summarise (self->panels[i].scene);

    g_string_append_printf (text, " (%c) %s", 'a' + i, one);
  }
  return g_string_free (text, FALSE);
}

/* Left and right go on to the next panel where the panel's own scene ends. */
static gboolean
move (const UiScene *scene,
      UiMove         move,
      UiItem        *item)
{
  const UiPanelsScene *self = const_panels (scene);
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
  const Panel *panel = find_panel (scene, item);

  if (!ui_scene_get_rect (panel->scene, item, rect))
    return FALSE;
  *rect = ui_rect_shift (rect, panel->x, panel->y);
  return TRUE;
}

/* One table: what its lines have before their own columns is the panel. */
static char *
numbers (const UiScene *scene)
{
  const UiPanelsScene *self = const_panels (scene);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < self->n; i++) {
    g_autofree char *own = ui_scene_numbers (self->panels[i].scene);
    g_auto (GStrv) lines = g_strsplit (own, "\n", -1);

    for (int line = i == 0 ? 0 : 1; lines[line] != NULL && *lines[line] != '\0'; line++) {
      if (line == 0)
        g_string_append_printf (text, "panel\t%s\n", lines[line]);
      else
        g_string_append_printf (text, "%c\t%s\n", 'a' + i, lines[line]);
    }
  }
  return g_string_free (text, FALSE);
}

static const UiSceneClass panels_scene_class = {
  .finalize = finalize,
  .paint = paint,
  .paint_overlay = paint_overlay,
  .has_item = has_item,
  .hit = hit,
  .describe = describe,
  .legend = legend,
  .summarise = summarise,
  .caption = caption,
  .move = move,
  .get_rect = get_rect,
  .numbers = numbers,
};

static gboolean
create_panels (UiPanelsScene         *self,
               const UiPanel         *panels,
               const UiSceneOptions  *options,
               GError               **error)
{
  for (int i = 0; i < self->n; i++) {
    self->panels[i].scene = ui_scene_new (panels[i].trace, panels[i].document, options, error);
    if (self->panels[i].scene == NULL) {
      g_prefix_error (error, "Panel (%c): ", 'a' + i);
      return FALSE;
    }
  }
  return TRUE;
}

typedef const char *(*TraceText) (const EngTrace *trace);

static gboolean
differ (const UiPanelsScene *self,
        TraceText            get)
{
  for (int i = 1; i < self->n; i++)
    if (g_strcmp0 (get (self->panels[i].scene->trace), get (self->panels[0].scene->trace)) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
have_edits (const UiPanelsScene *self)
{
  for (int i = 0; i < self->n; i++)
    if (eng_trace_get_edits (self->panels[i].scene->trace)[0] != NULL)
      return TRUE;
  return FALSE;
}

static void
append_text (GString    *title,
             const char *text)
{
  if (text != NULL && *text != '\0')
    g_string_append_printf (title, " · “%s”", text);
}

/* The letter, the heads, and of model, texts and edits what is not the same in all panels; the
 * caption has it all. (transfer full) */
static char *
create_title (const UiPanelsScene *self,
              int                  i)
{
  const UiScene *panel = self->panels[i].scene;
  const char *const *edits = eng_trace_get_edits (panel->trace);
  const char *model = eng_trace_get_model_name (panel->trace);
  g_autofree char *scope = ui_describe_scope (panel, FALSE);
  g_autofree char *listed = g_strjoinv (", ", (char **) edits);
  GString *title = g_string_new (NULL);

  g_string_append_printf (title, "(%c) ", 'a' + i);
  if (differ (self, eng_trace_get_model_name) && model != NULL)
    g_string_append_printf (title, "%s · ", model);
  g_string_append (title, scope);
  if (differ (self, eng_trace_get_text_a) || differ (self, eng_trace_get_text_b)) {
    append_text (title, eng_trace_get_text_a (panel->trace));
    append_text (title, eng_trace_get_text_b (panel->trace));
  }
  if (have_edits (self) && !share_a_trace (self))
    g_string_append_printf (title, " · %s", *listed != '\0' ? listed : "without edits");
  return g_string_free (title, FALSE);
}

static void
set_titles (UiPanelsScene *self,
            double         width)
{
  UiTextStyle style = { .size = TITLE_SIZE * self->scene.options.text_scale, .bold = TRUE };

  for (int i = 0; i < self->n; i++) {
    g_autofree char *title = create_title (self, i);

    self->panels[i].title = ui_text_wrap (title, &style, width);
  }
}

static void
lay_out (UiPanelsScene *self,
         int            n_columns)
{
  double scale = self->scene.options.text_scale;
  double gap = GAP * scale;
  double column = 0, y = 0;

  for (int i = 0; i < self->n; i++)
    column = MAX (column, self->panels[i].scene->width);
  set_titles (self, column);
  for (int first = 0; first < self->n; first += n_columns) {
    int last = MIN (first + n_columns, self->n);
    double title = 0, height = 0;

    for (int i = first; i < last; i++) {
      title = MAX (title, g_strv_length (self->panels[i].title) * TITLE_LINE * scale);
      height = MAX (height, self->panels[i].scene->height);
    }
    y += title + TITLE_SPACE * scale;
    for (int i = first; i < last; i++) {
      self->panels[i].x = (i - first) * (column + gap);
      self->panels[i].y = y;
    }
    y += height + gap;
  }
  self->scene.width = n_columns * column + (n_columns - 1) * gap;
  self->scene.height = y - gap;
}

UiScene *
ui_panels_scene_new (const UiPanel         *panels,
                     int                    n_panels,
                     const UiSceneOptions  *options,
                     GError               **error)
{
  UiSceneOptions inner = *options;
  UiSceneParts parts;
  UiPanelsScene *self;
  int n_columns;

  if (n_panels < 1 || n_panels > UI_MAX_PANELS) {
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                 "%d panels cannot be drawn, expected 1 to %d", n_panels, UI_MAX_PANELS);
    return NULL;
  }

  if (!ui_scene_parts_init (&parts, panels[0].trace, panels[0].document, options, error))
    return NULL;

  self = g_new0 (UiPanelsScene, 1);
  self->panels = g_new0 (Panel, n_panels);
  self->n = n_panels;
  n_columns = count_columns (options, panels[0].document->view, n_panels);
  inner.width = (options->width - (n_columns - 1) * GAP * options->text_scale) / n_columns;
  inner.caption = FALSE;
  if (!create_panels (self, panels, &inner, error)) {
    ui_weights_clear (&parts.weights);
    finalize (&self->scene);
    g_free (self);
    return NULL;
  }
  ui_scene_init (&self->scene, &panels_scene_class, &parts);
  lay_out (self, n_columns);
  ui_scene_add_caption (&self->scene);
  return &self->scene;
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

  for (int i = 0; i < heads->n; i++) {
    UiDocument *own = ui_document_copy (document);

    ui_cells_clear (&own->panels);
    if (own->view == UI_VIEW_MODEL)
      own->view = UI_VIEW_HEAD;
    own->layer = heads->cells[i].layer;
    ui_head_set_only (&own->heads, heads->cells[i].head);
    g_ptr_array_add (documents, own);
    panels[i] = (UiPanel) { trace, own };
  }
  return ui_panels_scene_new (panels, heads->n, options, error);
}
