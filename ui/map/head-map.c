/* SPDX-License-Identifier: MIT */
#include "ui/map/head-map.h"

#include <string.h>

#include "ui/map/map-layout.h"
#include "ui/map/map-paint.h"
#include "ui/scene/base/pattern-glyph.h"
#include "ui/view/color.h"

/* As high as this without being asked to: then half of a window is left for what stands below. */
#define NATURAL_HEIGHT 432
#define RADIUS 3
#define FRAME 2
#define DOT 6
#define LEAST_DOT_CELL 9
#define OTHER_STRENGTH 0.28
#define LEAST_STRENGTH 0.25 /* of a glyph: a weak pattern is still seen */
#define LABEL_END 8 /* from the numbers of the layers to the cells */

struct _UiHeadMap {
  GtkWidget    parent_instance;

  UiHeadTiles *tiles;   /* NULL = none */
  int          n_layers;
  int          n_heads;
  guint8      *marks;   /* [n_layers, n_heads] */
  UiTheme      theme;

  UiMapLayout  layout;  /* of the last allocation */
  GdkTexture  *texture; /* of all cells; NULL = to be made */
  int          cursor_layer;
  int          cursor_head;
  int          pointed_layer; /* by the pointer; -1 = nothing */
  int          pointed_head;
};

enum { SIGNAL_CHOSEN, SIGNAL_LAYER_CHOSEN, SIGNAL_POINTED, SIGNAL_LEFT, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiHeadMap, ui_head_map, GTK_TYPE_WIDGET)

static guint8
get_marks (UiHeadMap *self,
           int        layer,
           int        head)
{
  return self->marks[layer * self->n_heads + head];
}

/* Painting. */

static void
forget_pixels (UiHeadMap *self)
{
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static UiTileInk
get_ink (UiHeadMap *self,
         int        layer,
         int        head)
{
  const guint8 marks = get_marks (self, layer, head);
  UiTileInk ink = { .plate = ui_tile_get_plate (self->theme), .strength = 1 };

  ink.ink = marks & UI_HEAD_DRAWN ? ui_palette_head (self->theme, head)
                                  : ui_palette_get (self->theme)->text;
  if (marks & UI_HEAD_OTHER)
    ink.strength = OTHER_STRENGTH;
  return ink;
}

static void
paint_cell (UiHeadMap *self,
            int        layer,
            int        head,
            int        size,
            guint32   *pixels,
            gsize      stride)
{
  const guint8 *alphas = ui_head_tiles_get (self->tiles, layer, head);
  UiTile tile = {
    alphas, ui_head_tiles_get_width (self->tiles), ui_head_tiles_get_height (self->tiles)
  };
  UiTileInk ink = get_ink (self, layer, head);
  g_autofree guint8 *glyph = NULL;

  if (self->layout.cell < UI_MAP_LEAST_THUMBNAIL) {
    const EngHeadFacts *facts = ui_head_tiles_get_facts (self->tiles, layer, head);

    glyph = g_malloc ((gsize) size * size);
    ui_pattern_glyph_paint (facts->label, size, glyph);
    tile = (UiTile) { glyph, size, size };
    ink.strength *= CLAMP (facts->scores[facts->label], LEAST_STRENGTH, 1);
  }
  ui_tile_paint (&tile, &ink, size, pixels, stride);
}

/* All cells in one picture: nothing between them. */
static GdkTexture *
new_texture (UiHeadMap *self)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int width = self->layout.width * scale, height = self->layout.height * scale;
  guint32 *pixels = g_new0 (guint32, (gsize) width * height);
  g_autoptr (GBytes) bytes = NULL;

  for (int layer = 0; layer < self->n_layers; layer++)
    for (int head = 0; head < self->n_heads; head++) {
      UiMapPlace place = ui_map_layout_get_place (&self->layout, layer, head);

      if (ui_head_tiles_get (self->tiles, layer, head) != NULL)
        paint_cell (self, layer, head, place.size * scale,
                    pixels + (gsize) place.y * scale * width + place.x * scale, width);
    }
  bytes = g_bytes_new_take (pixels, (gsize) width * height * sizeof *pixels);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes,
                                 (gsize) width * sizeof *pixels);
}

static void
append_frame (GtkSnapshot      *snapshot,
              const UiMapPlace *place,
              double            outset,
              double            width,
              GdkRGBA           color)
{
  const double size = place->size + 2 * outset;
  GskRoundedRect frame;

  gsk_rounded_rect_init_from_rect (
    &frame, &GRAPHENE_RECT_INIT (place->x - outset, place->y - outset, size, size), RADIUS);
  gtk_snapshot_append_border (snapshot, &frame, (const float[4]) { width, width, width, width },
                              (const GdkRGBA[4]) { color, color, color, color });
}

/* At the upper right corner, with a rim of the ground. */
static void
append_dot (UiHeadMap        *self,
            GtkSnapshot      *snapshot,
            const UiMapPlace *place)
{
  const UiPalette *palette = ui_palette_get (self->theme);

  for (int rim = 1; rim >= 0; rim--) {
    const GdkRGBA color = ui_color_to_rgba (rim ? palette->ground : palette->accent);
    const double size = DOT + 2 * rim;
    GskRoundedRect circle;

    gsk_rounded_rect_init_from_rect (
      &circle, &GRAPHENE_RECT_INIT (place->x + place->size - DOT - rim, place->y - rim, size, size),
      size / 2);
    gtk_snapshot_push_rounded_clip (snapshot, &circle);
    gtk_snapshot_append_color (snapshot, &color, &circle.bounds);
    gtk_snapshot_pop (snapshot);
  }
}

/* Through the cell from corner to corner, cased so that it is seen on any pattern. */
static void
append_stroke (UiHeadMap        *self,
               GtkSnapshot      *snapshot,
               const UiMapPlace *place)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const UiColor colors[] = { palette->ground, palette->warning };
  const double widths[] = { place->size >= 20 ? 4.5 : 3, place->size >= 20 ? 2 : 1.5 };
  cairo_t *cr = gtk_snapshot_append_cairo (
    snapshot, &GRAPHENE_RECT_INIT (place->x, place->y, place->size, place->size));

  for (gsize i = 0; i < G_N_ELEMENTS (colors); i++) {
    const GdkRGBA color = ui_color_to_rgba (colors[i]);

    gdk_cairo_set_source_rgba (cr, &color);
    cairo_set_line_width (cr, widths[i]);
    cairo_move_to (cr, place->x + 1, place->y + place->size - 1);
    cairo_line_to (cr, place->x + place->size - 1, place->y + 1);
    cairo_stroke (cr);
  }
  cairo_destroy (cr);
}

static void
append_marks (UiHeadMap   *self,
              GtkSnapshot *snapshot,
              int          layer,
              int          head)
{
  const guint8 marks = get_marks (self, layer, head);
  UiMapPlace place = ui_map_layout_get_place (&self->layout, layer, head);
  const UiPalette *palette = ui_palette_get (self->theme);

  if (ui_head_tiles_get (self->tiles, layer, head) == NULL)
    append_frame (snapshot, &place, 0, 1, ui_color_to_rgba (palette->rule));
  if (marks & UI_HEAD_EDITED)
    append_stroke (self, snapshot, &place);
  if ((marks & UI_HEAD_BEST) && place.size >= LEAST_DOT_CELL)
    append_dot (self, snapshot, &place);
  if (marks & UI_HEAD_DRAWN)
    append_frame (snapshot, &place, FRAME, FRAME,
                  ui_color_to_rgba (ui_palette_head (self->theme, head)));
}

static void
append_label (UiHeadMap   *self,
              GtkSnapshot *snapshot,
              int          layer)
{
  const int top = ui_map_layout_get_top (&self->layout, layer);
  const int height = self->layout.n_lines * (self->layout.cell + self->layout.gap);
  const GdkRGBA color = ui_color_to_rgba (ui_palette_get (self->theme)->dim);
  g_autofree char *text = g_strdup_printf ("%d", layer);
  g_autoptr (PangoLayout) label = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int text_width, text_height;

  pango_layout_get_pixel_size (label, &text_width, &text_height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT (UI_MAP_LABELS - LABEL_END - text_width,
                                                top + (height - text_height) / 2));
  gtk_snapshot_append_layout (snapshot, label, &color);
  gtk_snapshot_restore (snapshot);
}

/* As many numbers as have room, of layers with the same distance. */
static void
append_labels (UiHeadMap   *self,
               GtkSnapshot *snapshot)
{
  const int pitch = ui_map_layout_get_top (&self->layout, 1);
  g_autoptr (PangoLayout) digit = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0");
  int height, step = 1;

  pango_layout_get_pixel_size (digit, NULL, &height);
  while (step * pitch < height)
    step *= 2;
  for (int layer = 0; layer < self->n_layers; layer += step)
    append_label (self, snapshot, layer);
}

static void
ui_head_map_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);

  if (self->tiles == NULL)
    return;
  append_labels (self, snapshot);
  if (self->texture == NULL)
    self->texture = new_texture (self);
  gtk_snapshot_append_texture (
    snapshot, self->texture, &GRAPHENE_RECT_INIT (0, 0, self->layout.width, self->layout.height));
  for (int layer = 0; layer < self->n_layers; layer++)
    for (int head = 0; head < self->n_heads; head++)
      append_marks (self, snapshot, layer, head);
  if (gtk_widget_has_visible_focus (widget)) {
    UiMapPlace place =
      ui_map_layout_get_place (&self->layout, self->cursor_layer, self->cursor_head);

    append_frame (snapshot, &place, 2 * FRAME, FRAME,
                  ui_color_to_rgba (ui_palette_get (self->theme)->accent));
  }
}

/* Room. */

static GtkSizeRequestMode
ui_head_map_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ui_head_map_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);
  UiMapLayout layout;

  *minimum = *natural = 0;
  if (self->n_heads == 0)
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = *natural = UI_MAP_LABELS + 2 * UI_MAP_LEAST_CELL;
    return;
  }
  ui_map_layout_init (&layout, self->n_layers, self->n_heads, for_size < 0 ? G_MAXINT : for_size,
                      NATURAL_HEIGHT);
  *natural = layout.height;
  ui_map_layout_init (&layout, self->n_layers, self->n_heads, for_size < 0 ? G_MAXINT : for_size,
                      0);
  *minimum = MIN (layout.height, *natural);
}

static void
ui_head_map_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);
  UiMapLayout before = self->layout;

  if (self->n_heads == 0)
    return;
  ui_map_layout_init (&self->layout, self->n_layers, self->n_heads, width, height);
  if (memcmp (&before, &self->layout, sizeof before) != 0)
    forget_pixels (self);
}

/* What is pointed at. */

static void
emit_pointed (UiHeadMap *self)
{
  const gboolean has_cursor = gtk_widget_has_focus (GTK_WIDGET (self)) && self->n_heads > 0;

  if (self->pointed_layer >= 0)
    g_signal_emit (self, signals[SIGNAL_POINTED], 0, self->pointed_layer, self->pointed_head);
  else if (has_cursor)
    g_signal_emit (self, signals[SIGNAL_POINTED], 0, self->cursor_layer, self->cursor_head);
  else
    g_signal_emit (self, signals[SIGNAL_POINTED], 0, -1, -1);
}

static void
set_pointed (UiHeadMap *self,
             int        layer,
             int        head)
{
  if (layer == self->pointed_layer && head == self->pointed_head)
    return;

  self->pointed_layer = layer;
  self->pointed_head = head;
  emit_pointed (self);
}

static void
motion_cb (UiHeadMap *self,
           double     x,
           double     y)
{
  UiMapHit hit = ui_map_layout_hit (&self->layout, x, y);

  if (self->n_heads == 0 || hit.type != UI_MAP_HIT_HEAD)
    set_pointed (self, -1, -1);
  else
    set_pointed (self, hit.layer, hit.head);
}

static void
leave_cb (UiHeadMap *self)
{
  set_pointed (self, -1, -1);
}

static void
released_cb (UiHeadMap  *self,
             int         n_press,
             double      x,
             double      y,
             GtkGesture *click)
{
  const GdkModifierType state =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  UiMapHit hit = ui_map_layout_hit (&self->layout, x, y);

  if (self->n_heads == 0 || hit.type == UI_MAP_HIT_NONE)
    return;
  if (hit.type == UI_MAP_HIT_LAYER) {
    g_signal_emit (self, signals[SIGNAL_LAYER_CHOSEN], 0, hit.layer);
    return;
  }
  self->cursor_layer = hit.layer;
  self->cursor_head = hit.head;
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, hit.layer, hit.head,
                 (state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) != 0);
}

/* Keys. */

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);
  int layers, heads;

  if (self->n_heads == 0)
    return GDK_EVENT_PROPAGATE;
  g_variant_get (args, "(ii)", &layers, &heads);
  self->cursor_layer = CLAMP (self->cursor_layer + layers, 0, self->n_layers - 1);
  self->cursor_head = CLAMP (self->cursor_head + heads, 0, self->n_heads - 1);
  gtk_widget_queue_draw (widget);
  emit_pointed (self);
  return GDK_EVENT_STOP;
}

/* Up and down go by lines, from one layer into the next. */
static gboolean
line_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);
  int step = g_variant_get_int32 (args);
  int line;

  if (self->n_heads == 0)
    return GDK_EVENT_PROPAGATE;
  line = self->cursor_layer * self->layout.n_lines + self->cursor_head / self->layout.n_columns;
  line += step;
  if (line >= 0 && line < self->n_layers * self->layout.n_lines) {
    int column = self->cursor_head % self->layout.n_columns;

    self->cursor_layer = line / self->layout.n_lines;
    self->cursor_head = MIN (line % self->layout.n_lines * self->layout.n_columns + column,
                             self->n_heads - 1);
  }
  gtk_widget_queue_draw (widget);
  emit_pointed (self);
  return GDK_EVENT_STOP;
}

static gboolean
choose_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   unused)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);

  if (self->n_heads == 0)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, self->cursor_layer, self->cursor_head,
                 g_variant_get_boolean (args));
  return GDK_EVENT_STOP;
}

static gboolean
choose_layer_cb (GtkWidget *widget,
                 GVariant  *args,
                 gpointer   unused)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);

  if (self->n_heads == 0)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[SIGNAL_LAYER_CHOSEN], 0, self->cursor_layer);
  return GDK_EVENT_STOP;
}

static gboolean
leave_key_cb (GtkWidget *widget,
              GVariant  *args,
              gpointer   unused)
{
  g_signal_emit (widget, signals[SIGNAL_LEFT], 0);
  return GDK_EVENT_STOP;
}

static void
add_bindings (GtkWidgetClass *klass)
{
  static const struct {
    guint key;
    int   layers;
    int   heads;
  } moves[] = {
    { GDK_KEY_Left, 0, -1 },
    { GDK_KEY_Right, 0, 1 },
    { GDK_KEY_Page_Up, -1, 0 },
    { GDK_KEY_Page_Down, 1, 0 },
    { GDK_KEY_Home, 0, -UI_MAX_HEADS },
    { GDK_KEY_End, 0, UI_MAX_HEADS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_class_add_binding (klass, moves[i].key, 0, move_cb, "(ii)", moves[i].layers,
                                  moves[i].heads);
  gtk_widget_class_add_binding (klass, GDK_KEY_Up, 0, line_cb, "i", -1);
  gtk_widget_class_add_binding (klass, GDK_KEY_Down, 0, line_cb, "i", 1);
  gtk_widget_class_add_binding (klass, GDK_KEY_Return, 0, choose_cb, "b", FALSE);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Enter, 0, choose_cb, "b", FALSE);
  gtk_widget_class_add_binding (klass, GDK_KEY_space, 0, choose_cb, "b", TRUE);
  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, leave_key_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_a, GDK_CONTROL_MASK, choose_layer_cb, NULL);
}

static void
focus_cb (UiHeadMap *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  emit_pointed (self);
}

static void
ui_head_map_dispose (GObject *object)
{
  UiHeadMap *self = UI_HEAD_MAP (object);

  g_clear_object (&self->texture);
  g_clear_pointer (&self->tiles, ui_head_tiles_unref);
  G_OBJECT_CLASS (ui_head_map_parent_class)->dispose (object);
}

static void
ui_head_map_finalize (GObject *object)
{
  g_free (UI_HEAD_MAP (object)->marks);
  G_OBJECT_CLASS (ui_head_map_parent_class)->finalize (object);
}

static void
ui_head_map_class_init (UiHeadMapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = ui_head_map_dispose;
  object_class->finalize = ui_head_map_finalize;
  widget_class->get_request_mode = ui_head_map_get_request_mode;
  widget_class->measure = ui_head_map_measure;
  widget_class->size_allocate = ui_head_map_size_allocate;
  widget_class->snapshot = ui_head_map_snapshot;

  signals[SIGNAL_CHOSEN] =
    g_signal_new ("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                  G_TYPE_INT, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[SIGNAL_LAYER_CHOSEN] =
    g_signal_new ("layer-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_INT);
  signals[SIGNAL_POINTED] =
    g_signal_new ("pointed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                  G_TYPE_INT, G_TYPE_INT);
  signals[SIGNAL_LEFT] =
    g_signal_new ("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  add_bindings (widget_class);
  gtk_widget_class_set_css_name (widget_class, "headmap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ui_head_map_init (UiHeadMap *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->pointed_layer = self->pointed_head = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_cb), NULL);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (forget_pixels), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Map of the heads", -1);
}

GtkWidget *
ui_head_map_new (void)
{
  return g_object_new (UI_TYPE_HEAD_MAP, NULL);
}

void
ui_head_map_set_tiles (UiHeadMap   *self,
                       UiHeadTiles *tiles)
{
  const int n_layers = tiles != NULL ? ui_head_tiles_get_n_layers (tiles) : 0;
  const int n_heads = tiles != NULL ? ui_head_tiles_get_n_heads (tiles) : 0;

  g_return_if_fail (UI_IS_HEAD_MAP (self));

  if (tiles != NULL)
    ui_head_tiles_ref (tiles);
  g_clear_pointer (&self->tiles, ui_head_tiles_unref);
  self->tiles = tiles;
  if (n_layers != self->n_layers || n_heads != self->n_heads) {
    self->n_layers = n_layers;
    self->n_heads = n_heads;
    g_free (self->marks);
    self->marks = g_malloc0 ((gsize) n_layers * n_heads + 1);
    self->cursor_layer = self->cursor_head = 0;
    self->pointed_layer = self->pointed_head = -1;
    self->layout = (UiMapLayout) { 0 };
    gtk_widget_queue_resize (GTK_WIDGET (self));
  }
  forget_pixels (self);
}

void
ui_head_map_update (UiHeadMap *self)
{
  g_return_if_fail (UI_IS_HEAD_MAP (self));

  forget_pixels (self);
}

void
ui_head_map_set_marks (UiHeadMap    *self,
                       const guint8 *marks)
{
  const gsize n = (gsize) self->n_layers * self->n_heads;

  g_return_if_fail (UI_IS_HEAD_MAP (self));

  if (n == 0 || memcmp (self->marks, marks, n) == 0)
    return;
  memcpy (self->marks, marks, n);
  forget_pixels (self);
}

void
ui_head_map_set_theme (UiHeadMap *self,
                       UiTheme    theme)
{
  g_return_if_fail (UI_IS_HEAD_MAP (self));

  self->theme = theme;
  forget_pixels (self);
}

void
ui_head_map_set_cursor (UiHeadMap *self,
                        int        layer,
                        int        head)
{
  g_return_if_fail (UI_IS_HEAD_MAP (self));

  if (self->n_heads == 0)
    return;
  self->cursor_layer = CLAMP (layer, 0, self->n_layers - 1);
  self->cursor_head = CLAMP (head, 0, self->n_heads - 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ui_head_map_find (UiHeadMap    *self,
                  double        x,
                  double        y,
                  int          *layer,
                  int          *head,
                  GdkRectangle *at)
{
  UiMapHit hit = { UI_MAP_HIT_HEAD, self->cursor_layer, self->cursor_head };
  UiMapPlace place;

  g_return_val_if_fail (UI_IS_HEAD_MAP (self), FALSE);

  if (self->n_heads == 0)
    return FALSE;
  if (x >= 0)
    hit = ui_map_layout_hit (&self->layout, x, y);
  if (hit.type == UI_MAP_HIT_NONE)
    return FALSE;

  *layer = hit.layer;
  *head = hit.type == UI_MAP_HIT_HEAD ? hit.head : -1;
  place = ui_map_layout_get_place (&self->layout, hit.layer, MAX (*head, 0));
  *at = (GdkRectangle) { *head < 0 ? 0 : place.x, place.y, place.size, place.size };
  return TRUE;
}

void
ui_head_map_describe (UiHeadMap  *self,
                      const char *sentence)
{
  g_return_if_fail (UI_IS_HEAD_MAP (self));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sentence, -1);
}
