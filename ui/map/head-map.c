/* SPDX-License-Identifier: MIT */
#include "ui/map/head-map-private.h"

#include <string.h>

#include "ui/view/drawn-text.h"

/* As high as this without being asked to: then half of a window is left for what stands below. */
#define NATURAL_HEIGHT 432 /* at 100 % text */

enum { SIGNAL_CHOSEN, SIGNAL_LAYER_CHOSEN, SIGNAL_POINTED, SIGNAL_STEPPED, SIGNAL_LEFT, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiHeadMap, ui_head_map, GTK_TYPE_WIDGET)

/* Room. */

/* Above and below a cell that comes into sight. */
#define MARGIN 8

static double
get_text_scale (UiHeadMap *self)
{
  return ui_drawn_text_get_scale (GTK_WIDGET (self));
}

static int
get_strip_width (UiHeadMap *self)
{
  return (int) (UI_MAP_STRIP * get_text_scale (self));
}

static void
measure_strip (UiHeadMap      *self,
               GtkOrientation  orientation,
               int            *minimum,
               int            *natural)
{
  UiMapLayout layout;

  ui_map_layout_init_strip (&layout, self->layer, self->n_heads, get_strip_width (self));
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? layout.width : layout.height;
}

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
  const double scale = get_text_scale (self);
  UiMapLayout layout;

  *minimum = *natural = 0;
  if (self->layer >= 0) {
    measure_strip (self, orientation, minimum, natural);
    return;
  }
  if (self->n_heads == 0)
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = *natural = (int) (UI_MAP_LABELS * scale) + 2 * UI_MAP_LEAST_CELL;
    return;
  }
  ui_map_layout_init (&layout, self->n_layers, self->n_heads, for_size < 0 ? G_MAXINT : for_size,
                      (int) (NATURAL_HEIGHT * scale), scale);
  *natural = layout.height;
  ui_map_layout_init (&layout, self->n_layers, self->n_heads, for_size < 0 ? G_MAXINT : for_size,
                      0, scale);
  *minimum = MIN (layout.height, *natural);
}

/* Where it is higher than the room that it is scrolled in. */
static void
show_cursor (UiHeadMap *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  UiMapPlace place;

  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (scroller == NULL || self->layout.cell == 0)
    return;
  place = ui_map_layout_get_place (&self->layout, self->cursor_layer, self->cursor_head);
  gtk_adjustment_clamp_page (
    gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), place.y - MARGIN,
    place.y + place.size + MARGIN);
}

static gboolean
show_cursor_cb (gpointer data)
{
  UiHeadMap *self = data;

  self->scroll_source = 0;
  show_cursor (self);
  return G_SOURCE_REMOVE;
}

/* Once what it is scrolled in knows its height. */
static void
show_cursor_later (UiHeadMap *self)
{
  if (self->scroll_source == 0)
    self->scroll_source = g_idle_add_full (G_PRIORITY_HIGH, show_cursor_cb, self, NULL);
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
  if (self->layer >= 0)
    ui_map_layout_init_strip (&self->layout, self->layer, self->n_heads, get_strip_width (self));
  else
    ui_map_layout_init (&self->layout, self->n_layers, self->n_heads, width, height,
                        get_text_scale (self));
  if (memcmp (&before, &self->layout, sizeof before) == 0)
    return;
  ui_head_map_forget_pixels (self);
  show_cursor_later (self);
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

static void
move_cursor (UiHeadMap *self,
             int        layer,
             int        head)
{
  self->cursor_layer = layer;
  self->cursor_head = head;
  show_cursor (self);
  emit_pointed (self);
}

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
  if (self->layer >= 0 && layers != 0)
    g_signal_emit (self, signals[SIGNAL_STEPPED], 0, layers);
  else
    move_cursor (self, CLAMP (self->cursor_layer + layers, 0, self->n_layers - 1),
                 CLAMP (self->cursor_head + heads, 0, self->n_heads - 1));
  return GDK_EVENT_STOP;
}

/* Up and down go by lines, from one layer into the next. */
static gboolean
line_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);
  const UiMapLayout *layout = &self->layout;
  int line, column;

  if (self->n_heads == 0 || layout->cell == 0)
    return GDK_EVENT_PROPAGATE;
  line = (self->cursor_layer - layout->first_layer) * layout->n_lines
         + self->cursor_head / layout->n_columns + g_variant_get_int32 (args);
  column = self->cursor_head % layout->n_columns;
  if (line >= 0 && line < layout->n_layers * layout->n_lines)
    move_cursor (self, layout->first_layer + line / layout->n_lines,
                 MIN (line % layout->n_lines * layout->n_columns + column, self->n_heads - 1));
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
  show_cursor (self);
  emit_pointed (self);
}

static void
ui_head_map_dispose (GObject *object)
{
  UiHeadMap *self = UI_HEAD_MAP (object);

  g_clear_handle_id (&self->scroll_source, g_source_remove);
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
  signals[SIGNAL_STEPPED] =
    g_signal_new ("stepped", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_INT);
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

  self->layer = -1;
  self->pointed_layer = self->pointed_head = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_cb), NULL);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (ui_head_map_forget_pixels), NULL);
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
    if (self->layer >= 0)
      self->layer = CLAMP (self->layer, 0, MAX (n_layers - 1, 0));
    self->cursor_layer = MAX (self->layer, 0);
    self->cursor_head = 0;
    self->pointed_layer = self->pointed_head = -1;
    self->layout = (UiMapLayout) { 0 };
    gtk_widget_queue_resize (GTK_WIDGET (self));
  }
  ui_head_map_forget_pixels (self);
}

void
ui_head_map_set_layer (UiHeadMap *self,
                       int        layer)
{
  g_autofree char *name = layer >= 0 ? g_strdup_printf ("Heads of layer %d", layer)
                                     : g_strdup ("Map of the heads");

  g_return_if_fail (UI_IS_HEAD_MAP (self));
  g_return_if_fail (layer < MAX (self->n_layers, 1));

  if (layer == self->layer)
    return;
  if (layer < 0 || self->layer < 0)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  self->layer = layer;
  self->cursor_layer = MAX (layer, 0);
  self->layout.first_layer = MAX (layer, 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  ui_head_map_forget_pixels (self);
}

void
ui_head_map_update (UiHeadMap *self)
{
  g_return_if_fail (UI_IS_HEAD_MAP (self));

  ui_head_map_forget_pixels (self);
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
  ui_head_map_forget_pixels (self);
}

void
ui_head_map_set_theme (UiHeadMap *self,
                       UiTheme    theme)
{
  g_return_if_fail (UI_IS_HEAD_MAP (self));

  self->theme = theme;
  ui_head_map_forget_pixels (self);
}

void
ui_head_map_set_cursor (UiHeadMap *self,
                        int        layer,
                        int        head)
{
  const int own_layer = self->layer >= 0 ? self->layer : CLAMP (layer, 0, self->n_layers - 1);
  const int own_head = CLAMP (head, 0, self->n_heads - 1);

  g_return_if_fail (UI_IS_HEAD_MAP (self));

  if (self->n_heads == 0 || (own_layer == self->cursor_layer && own_head == self->cursor_head))
    return;
  self->cursor_layer = own_layer;
  self->cursor_head = own_head;
  show_cursor (self);
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
