/* SPDX-License-Identifier: MIT */
#include "ui/scene-view.h"

#include <math.h>
#include <string.h>

#include "ui/color.h"
#include "ui/hint.h"
#include "ui/scene/raster.h"
#include "ui/tile-cache.h"

#define FALLBACK_WIDTH 640
#define FALLBACK_HEIGHT 480
#define SCROLL_STEP 30
#define CURSOR_RADIUS 6

struct _UiSceneView {
  GtkWidget      parent_instance;

  EngTrace      *trace;
  UiDocument    *document;
  UiTheme        theme;
  UiScene       *scene;
  UiTileCache   *tiles;
  int            built_width;         /* size that the scene was built for */
  int            built_height;

  GtkAdjustment *adjustments[2];      /* GtkOrientation → adjustment */
  guint          scroll_policies[2];

  UiItem         hover;
  UiItem         cursor;
  gboolean       pointer_inside;
  gboolean       pointer_leads;       /* the pointer moved after the keyboard's cursor did */
  double         pointer_x;
  double         pointer_y;

  PangoLayout   *hint;                /* of the sentence of shown */
  GdkTexture    *overlay;             /* what the item shown adds, over overlay_area */
  UiRect         overlay_area;
  UiItem         shown;
};

enum {
  PROP_0,
  PROP_SCENE,
  N_OWN_PROPS,
  PROP_HADJUSTMENT = N_OWN_PROPS,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY
};

enum { SIGNAL_CLICKED, SIGNAL_UNPINNED, SIGNAL_HOVERED, SIGNAL_CURSOR_MOVED, N_SIGNALS };

static GParamSpec *properties[N_OWN_PROPS];
static guint signals[N_SIGNALS];

static const UiItem no_item = { .type = UI_ITEM_NONE };

G_DEFINE_FINAL_TYPE_WITH_CODE (UiSceneView, ui_scene_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static gboolean
item_equal (const UiItem *a,
            const UiItem *b)
{
  if (a->type == UI_ITEM_NONE || b->type == UI_ITEM_NONE)
    return a->type == b->type;

  return a->type == b->type && a->head == b->head && a->query == b->query && a->key == b->key &&
         a->dimension == b->dimension;
}

static double
get_scroll (UiSceneView    *self,
            GtkOrientation  orientation)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (self->adjustments[orientation] == NULL)
    return 0;

  /* Tiles lie on whole device pixels, or scrolling would blur them. */
  return round (gtk_adjustment_get_value (self->adjustments[orientation]) * scale) / scale;
}

static double
get_header (UiSceneView *self)
{
  return self->scene != NULL ? ui_scene_get_header (self->scene) : 0;
}

/* What of the scene the widget shows; the header hides the top of it. */
static UiRect
get_visible_area (UiSceneView *self)
{
  return (UiRect) {
    get_scroll (self, GTK_ORIENTATION_HORIZONTAL),
    get_scroll (self, GTK_ORIENTATION_VERTICAL),
    gtk_widget_get_width (GTK_WIDGET (self)),
    gtk_widget_get_height (GTK_WIDGET (self)),
  };
}

static void
find_item (UiSceneView *self,
           double       x,
           double       y,
           UiItem      *item)
{
  const UiRect area = get_visible_area (self);
  const double scene_y = y < get_header (self) ? y : y + area.y;

  if (self->scene == NULL || !ui_scene_hit (self->scene, x + area.x, scene_y, item))
    *item = no_item;
}

static void
announce (UiSceneView *self,
          const char  *sentence)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence,
                                  -1);
}

/* Follows hover and cursor: sentence, overlay and accessible description of what the reader is at. */
static void
update_shown (UiSceneView *self)
{
  const UiItem *item = ui_scene_view_get_item (self);

  if (item_equal (item, &self->shown))
    return;

  self->shown = *item;
  g_clear_object (&self->hint);
  g_clear_object (&self->overlay);
  if (item->type != UI_ITEM_NONE) {
    g_autofree char *sentence = ui_scene_describe (self->scene, item);

    self->hint = ui_hint_layout_new (GTK_WIDGET (self), sentence);
    announce (self, sentence);
  } else
    announce (self, "");

  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_hover (UiSceneView  *self,
           const UiItem *item)
{
  if (!item_equal (item, &self->hover)) {
    self->hover = *item;
    g_signal_emit (self, signals[SIGNAL_HOVERED], 0, &self->hover);
  }

  update_shown (self);
  /* The hint moves with the pointer. */
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
update_hover (UiSceneView *self)
{
  UiItem item = no_item;

  if (self->pointer_inside)
    find_item (self, self->pointer_x, self->pointer_y, &item);
  set_hover (self, &item);
}

static double
get_text_scale (UiSceneView *self)
{
  int dpi = 0;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? dpi / (96.0 * 1024) : 1;
}

static UiScene *
build_scene (UiSceneView       *self,
             EngTrace          *trace,
             const UiDocument  *document,
             GError           **error)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  const UiSceneOptions options = {
    .theme = self->theme,
    .width = width > 0 ? width : FALLBACK_WIDTH,
    .view_height = height > 0 ? height : FALLBACK_HEIGHT,
    .text_scale = get_text_scale (self),
  };

  return ui_scene_new (trace, document, &options, error);
}

static void
configure_adjustments (UiSceneView *self)
{
  const int sizes[] = {
    gtk_widget_get_width (GTK_WIDGET (self)),
    gtk_widget_get_height (GTK_WIDGET (self)),
  };
  double scene_size[2] = { 0, 0 };

  if (self->scene != NULL)
    ui_scene_get_size (self->scene, &scene_size[0], &scene_size[1]);

  for (int i = 0; i < 2; i++) {
    GtkAdjustment *adjustment = self->adjustments[i];
    const double upper = MAX (ceil (scene_size[i]), sizes[i]);

    if (adjustment != NULL)
      gtk_adjustment_configure (adjustment,
                                CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - sizes[i]),
                                0,
                                upper,
                                SCROLL_STEP,
                                0.9 * sizes[i],
                                sizes[i]);
  }
}

/* Puts a scene in place of the one that is drawn; takes it over. Cursor and hover stay where they still exist. */
static void
replace_scene (UiSceneView *self,
               UiScene     *scene)
{
  UiRect rect;

  g_clear_pointer (&self->scene, ui_scene_unref);
  self->scene = scene;
  self->built_width = gtk_widget_get_width (GTK_WIDGET (self));
  self->built_height = gtk_widget_get_height (GTK_WIDGET (self));
  ui_tile_cache_set_scene (self->tiles, scene, gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  if (scene == NULL || !ui_scene_get_rect (scene, &self->cursor, &rect))
    self->cursor = no_item;

  self->shown = no_item;
  g_clear_object (&self->hint);
  g_clear_object (&self->overlay);
  configure_adjustments (self);
  update_hover (self);
}

/* The same trace and document at another size, scale or theme. */
static void
rebuild (UiSceneView *self)
{
  g_autoptr (UiScene) scene = NULL;

  if (self->scene == NULL)
    return;

  /* Size and theme cannot make a document invalid that was shown before. */
  scene = build_scene (self, self->trace, self->document, NULL);
  if (scene != NULL)
    replace_scene (self, g_steal_pointer (&scene));
}

static void
update_summary (UiSceneView *self)
{
  g_autofree char *summary = NULL;

  summary = self->scene != NULL ? ui_scene_summarise (self->scene) : g_strdup ("No drawing yet");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, summary,
                                  -1);
}

static void
scroll_to (UiSceneView    *self,
           GtkOrientation  orientation,
           double          start,
           double          end)
{
  if (self->adjustments[orientation] != NULL)
    gtk_adjustment_clamp_page (self->adjustments[orientation], start, end);
}

static void
show_cursor (UiSceneView *self)
{
  UiRect rect;

  if (!ui_scene_get_rect (self->scene, &self->cursor, &rect))
    return;

  scroll_to (self, GTK_ORIENTATION_HORIZONTAL, rect.x, rect.x + rect.width);
  /* What stands right below the header is hidden by it. */
  scroll_to (self, GTK_ORIENTATION_VERTICAL, rect.y - get_header (self), rect.y + rect.height);
}

static void
set_cursor (UiSceneView  *self,
            const UiItem *item)
{
  const gboolean moved = !item_equal (item, &self->cursor);

  self->cursor = *item;
  self->pointer_leads = FALSE;
  show_cursor (self);
  update_shown (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (moved)
    g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, &self->cursor);
}

static void
motion_cb (UiSceneView *self,
           double       x,
           double       y)
{
  /* A drawing that changes under a pointer at rest sends motion, too. */
  if (!self->pointer_inside || x != self->pointer_x || y != self->pointer_y)
    self->pointer_leads = TRUE;
  self->pointer_inside = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  update_hover (self);
}

static void
leave_cb (UiSceneView *self)
{
  self->pointer_inside = FALSE;
  update_hover (self);
}

static void
focus_cb (UiSceneView *self)
{
  update_shown (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
has_shift (GtkEventController *controller)
{
  return (gtk_event_controller_get_current_event_state (controller) & GDK_SHIFT_MASK) != 0;
}

static void
released_cb (UiSceneView     *self,
             int              n_press,
             double           x,
             double           y,
             GtkGestureClick *gesture)
{
  UiItem item;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  find_item (self, x, y, &item);
  if (item.type == UI_ITEM_NONE)
    return;

  /* The keyboard goes on from where the pointer clicked, but the pointer keeps the lead. */
  if (item.type == UI_ITEM_QUERY || item.type == UI_ITEM_KEY)
    self->cursor = item;
  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item,
                 has_shift (GTK_EVENT_CONTROLLER (gesture)));
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  UiItem item = self->cursor;

  if (self->scene == NULL || !ui_scene_move (self->scene, g_variant_get_int32 (args), &item))
    return GDK_EVENT_PROPAGATE;

  set_cursor (self, &item);
  return GDK_EVENT_STOP;
}

static gboolean
click_cursor_cb (GtkWidget *widget,
                 GVariant  *args,
                 gpointer   unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  const UiItem item = self->cursor;

  if (item.type == UI_ITEM_NONE)
    return GDK_EVENT_PROPAGATE;

  self->pointer_leads = FALSE;
  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item, g_variant_get_boolean (args));
  return GDK_EVENT_STOP;
}

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);

  if (self->document == NULL || ui_pins_is_empty (&self->document->pins))
    return GDK_EVENT_PROPAGATE;

  g_signal_emit (self, signals[SIGNAL_UNPINNED], 0);
  return GDK_EVENT_STOP;
}

static void
scrolled_cb (UiSceneView *self)
{
  g_clear_object (&self->overlay);
  update_hover (self);
}

static void
set_adjustment (UiSceneView    *self,
                GtkOrientation  orientation,
                GtkAdjustment  *adjustment)
{
  if (self->adjustments[orientation] != NULL)
    g_signal_handlers_disconnect_by_func (self->adjustments[orientation], scrolled_cb, self);

  g_set_object (&self->adjustments[orientation], adjustment);
  if (adjustment != NULL)
    g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self);
  configure_adjustments (self);
}

/* Renders what the shown item adds over the visible area. Drawn anew when it scrolls: one token's links are few. */
static void
update_overlay (UiSceneView  *self,
                const UiRect *area)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int width = (int) area->width * scale;
  const int height = (int) area->height * scale;
  const int stride = width * 4;
  guint8 *pixels;
  UiSink *sink;
  g_autoptr (GBytes) bytes = NULL;

  if (self->overlay != NULL && memcmp (area, &self->overlay_area, sizeof *area) == 0)
    return;

  g_clear_object (&self->overlay);
  pixels = g_malloc0 ((gsize) stride * height);
  bytes = g_bytes_new_take (pixels, (gsize) stride * height);
  sink = ui_raster_sink_new (pixels, width, height, stride, area, scale);
  ui_scene_paint_overlay (self->scene, &self->shown, sink, area);
  ui_raster_sink_free (sink);
  self->overlay = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
  self->overlay_area = *area;
}

static void
append_overlay (UiSceneView  *self,
                GtkSnapshot  *snapshot,
                const UiRect *area)
{
  update_overlay (self, area);
  gtk_snapshot_append_texture (snapshot, self->overlay,
                               &GRAPHENE_RECT_INIT (area->x, area->y, area->width, area->height));
}

/* Appends an area of the scene, moved by (dx, dy) into the widget. */
static void
snapshot_area (UiSceneView  *self,
               GtkSnapshot  *snapshot,
               const UiRect *area,
               double        dx,
               double        dy,
               gboolean      overlay)
{
  if (area->width <= 0 || area->height <= 0)
    return;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (dx, dy));
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (area->x, area->y, area->width, area->height));
  ui_tile_cache_snapshot (self->tiles, snapshot, area);
  if (overlay)
    append_overlay (self, snapshot, area);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

/* The body moves with the scroll, the header stays at the top. */
static void
snapshot_scene (UiSceneView *self,
                GtkSnapshot *snapshot)
{
  const UiRect view = get_visible_area (self);
  const double header = MIN (get_header (self), view.height);
  const UiRect body = { view.x, view.y + header, view.width, view.height - header };
  const UiRect band = { view.x, 0, view.width, header };

  snapshot_area (self, snapshot, &body, -view.x, -view.y, self->shown.type != UI_ITEM_NONE);
  snapshot_area (self, snapshot, &band, -view.x, 0, FALSE);
}

/* The rectangle of an item in widget coordinates. */
static gboolean
find_widget_rect (UiSceneView  *self,
                  const UiItem *item,
                  UiRect       *rect)
{
  const UiRect view = get_visible_area (self);

  if (!ui_scene_get_rect (self->scene, item, rect))
    return FALSE;

  rect->x -= view.x;
  rect->y -= view.y;
  return TRUE;
}

static void
snapshot_cursor (UiSceneView     *self,
                 GtkSnapshot     *snapshot,
                 const UiPalette *palette)
{
  const GdkRGBA color = ui_color_to_rgba (palette->accent);
  const float widths[4] = { 2, 2, 2, 2 };
  GskRoundedRect outline;
  UiRect rect;

  if (!gtk_widget_has_visible_focus (GTK_WIDGET (self)) || !find_widget_rect (self, &self->cursor, &rect))
    return;

  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (rect.x, rect.y, rect.width, rect.height),
                                   CURSOR_RADIUS);
  gtk_snapshot_append_border (snapshot, &outline, widths,
                              (GdkRGBA[4]) { color, color, color, color });
}

static void
snapshot_hint (UiSceneView     *self,
               GtkSnapshot     *snapshot,
               const UiPalette *palette)
{
  const UiRect view = get_visible_area (self);
  UiRect target = { self->pointer_x, self->pointer_y, 0, 0 };

  if (self->hint == NULL)
    return;
  if (!self->pointer_leads && !find_widget_rect (self, &self->cursor, &target))
    return;

  ui_hint_snapshot (snapshot, self->hint, palette, &target, view.width, view.height);
}

static void
ui_scene_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA ground = ui_color_to_rgba (palette->ground);
  const UiRect view = get_visible_area (self);
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, view.width, view.height);

  gtk_snapshot_push_clip (snapshot, &bounds);
  gtk_snapshot_append_color (snapshot, &ground, &bounds);
  if (self->scene != NULL) {
    snapshot_scene (self, snapshot);
    snapshot_cursor (self, snapshot, palette);
    snapshot_hint (self, snapshot, palette);
  }
  gtk_snapshot_pop (snapshot);
}

static void
ui_scene_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);

  if (width != self->built_width || height != self->built_height)
    rebuild (self);
  configure_adjustments (self);
}

static void
ui_scene_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = 0;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? FALLBACK_WIDTH : FALLBACK_HEIGHT;
}

static void
ui_scene_view_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ui_scene_view_parent_class)->root (widget);
  g_signal_connect_object (gtk_widget_get_settings (widget), "notify::gtk-xft-dpi",
                           G_CALLBACK (rebuild), widget, G_CONNECT_SWAPPED);
}

static void
ui_scene_view_unroot (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_widget_get_settings (widget), rebuild, widget);
  GTK_WIDGET_CLASS (ui_scene_view_parent_class)->unroot (widget);
}

static void
ui_scene_view_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  UiSceneView *self = UI_SCENE_VIEW (object);

  switch (id) {
  case PROP_SCENE:
    g_value_set_pointer (value, self->scene);
    break;
  case PROP_HADJUSTMENT:
  case PROP_VADJUSTMENT:
    g_value_set_object (value, self->adjustments[id - PROP_HADJUSTMENT]);
    break;
  case PROP_HSCROLL_POLICY:
  case PROP_VSCROLL_POLICY:
    g_value_set_enum (value, (int) self->scroll_policies[id - PROP_HSCROLL_POLICY]);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_scene_view_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  UiSceneView *self = UI_SCENE_VIEW (object);

  switch (id) {
  case PROP_HADJUSTMENT:
  case PROP_VADJUSTMENT:
    set_adjustment (self, id - PROP_HADJUSTMENT, g_value_get_object (value));
    break;
  case PROP_HSCROLL_POLICY:
  case PROP_VSCROLL_POLICY:
    self->scroll_policies[id - PROP_HSCROLL_POLICY] = (guint) g_value_get_enum (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_scene_view_dispose (GObject *object)
{
  UiSceneView *self = UI_SCENE_VIEW (object);

  set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, NULL);
  set_adjustment (self, GTK_ORIENTATION_VERTICAL, NULL);
  g_clear_object (&self->hint);
  g_clear_object (&self->overlay);
  g_clear_pointer (&self->tiles, ui_tile_cache_free);
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->trace, eng_trace_unref);
  G_OBJECT_CLASS (ui_scene_view_parent_class)->dispose (object);
}

static void
add_move_binding (GtkWidgetClass *widget_class,
                  guint           key,
                  guint           keypad_key,
                  UiMove          move)
{
  gtk_widget_class_add_binding (widget_class, key, 0, move_cb, "i", move);
  gtk_widget_class_add_binding (widget_class, keypad_key, 0, move_cb, "i", move);
}

static void
add_click_binding (GtkWidgetClass *widget_class,
                   guint           key)
{
  gtk_widget_class_add_binding (widget_class, key, 0, click_cursor_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, key, GDK_SHIFT_MASK, click_cursor_cb, "b", TRUE);
}

static void
install_properties (GObjectClass *object_class)
{
  properties[PROP_SCENE] =
    g_param_spec_pointer ("scene", NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_OWN_PROPS, properties);

  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
}

static void
install_signals (GType type)
{
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  signals[SIGNAL_UNPINNED] =
    g_signal_new ("unpinned", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HOVERED] =
    g_signal_new ("hovered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_CURSOR_MOVED] =
    g_signal_new ("cursor-moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ui_scene_view_class_init (UiSceneViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ui_scene_view_get_property;
  object_class->set_property = ui_scene_view_set_property;
  object_class->dispose = ui_scene_view_dispose;
  widget_class->measure = ui_scene_view_measure;
  widget_class->size_allocate = ui_scene_view_size_allocate;
  widget_class->snapshot = ui_scene_view_snapshot;
  widget_class->root = ui_scene_view_root;
  widget_class->unroot = ui_scene_view_unroot;

  install_properties (object_class);
  install_signals (G_TYPE_FROM_CLASS (klass));

  add_move_binding (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, UI_MOVE_UP);
  add_move_binding (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, UI_MOVE_DOWN);
  add_move_binding (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, UI_MOVE_LEFT);
  add_move_binding (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, UI_MOVE_RIGHT);
  add_move_binding (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, UI_MOVE_FIRST);
  add_move_binding (widget_class, GDK_KEY_End, GDK_KEY_KP_End, UI_MOVE_LAST);
  add_click_binding (widget_class, GDK_KEY_Return);
  add_click_binding (widget_class, GDK_KEY_KP_Enter);
  add_click_binding (widget_class, GDK_KEY_space);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "sceneview");
}

static void
ui_scene_view_init (UiSceneView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->tiles = ui_tile_cache_new ();
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (focus_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (widget, focus);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (rebuild), NULL);
  update_summary (self);
}

GtkWidget *
ui_scene_view_new (void)
{
  return g_object_new (UI_TYPE_SCENE_VIEW, NULL);
}

gboolean
ui_scene_view_show (UiSceneView       *self,
                    EngTrace          *trace,
                    const UiDocument  *document,
                    GError           **error)
{
  UiScene *scene;

  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), FALSE);

  scene = build_scene (self, trace, document, error);
  if (scene == NULL)
    return FALSE;

  eng_trace_ref (trace);
  g_clear_pointer (&self->trace, eng_trace_unref);
  self->trace = trace;
  g_clear_pointer (&self->document, ui_document_free);
  self->document = ui_document_copy (document);

  replace_scene (self, scene);
  update_summary (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
  return TRUE;
}

void
ui_scene_view_clear (UiSceneView *self)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->document, ui_document_free);
  replace_scene (self, NULL);
  update_summary (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
}

void
ui_scene_view_set_theme (UiSceneView *self,
                         UiTheme      theme)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (theme == self->theme)
    return;

  self->theme = theme;
  rebuild (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

UiScene *
ui_scene_view_get_scene (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), NULL);

  return self->scene;
}

const UiItem *
ui_scene_view_get_item (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), &no_item);

  if (self->pointer_leads && self->hover.type != UI_ITEM_NONE)
    return &self->hover;
  if (!self->pointer_leads && gtk_widget_has_focus (GTK_WIDGET (self)))
    return &self->cursor;

  return &no_item;
}

void
ui_scene_view_set_cursor (UiSceneView  *self,
                          const UiItem *item)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (self->scene != NULL)
    set_cursor (self, item);
}
