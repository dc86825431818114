/* SPDX-License-Identifier: MIT */
#include "ui/view/minimap.h"

#include <math.h>
#include <string.h>

#include "ui/document/view.h"
#include "ui/view/color.h"
#include "ui/view/picture.h"

/* Application pixels. */
#define MOST_SIZE 160
#define LEAST_SIZE 40
#define FRAME_WIDTH 2
#define EDGE_WIDTH 1

/* Device pixels along the longer side. */
#define MOST_PIXELS 4096

/* Drawings less than this many times as large as what is in sight need no map, such as two sides
 * below each other. */
#define WORTHWHILE 4
/* A view has this many times the width of the map: else it would cover what is read. */
#define ROOM 4
/* Between the map and the columns of tokens beside it. */
#define GAP 8
/* From the edges of the view, or of the cells. */
#define EDGE 16
/* The edge of a cell of a matrix from which on it has a number, at 100 % text. */
#define NUMBER_CELL 21
/* The drawing must have been the same for so long; a zoom makes many. */
#define REST_MS 150
/* It stays for so long after the last movement. */
#define LINGER_MS 1500
#define RESTING "resting"

struct _UiMinimap {
  GtkWidget    parent_instance;

  UiSceneView *view;
  UiPicture   *picture;     /* of the view's scene; NULL = not asked for yet */
  UiPicture   *former;      /* shown until then */
  gboolean     is_full;     /* no preview: the scene has none */
  int          width;       /* of the map */
  int          height;
  UiRect       in_sight;    /* frame and size at the last movement, as parts of the drawing */
  gboolean     is_hovered;
  guint        linger_source;
  guint        rest_source;
  guint        update_source;
};

enum { PROP_0, PROP_VIEW, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (UiMinimap, ui_minimap, GTK_TYPE_WIDGET)

static void
get_scene_size (UiMinimap *self,
                double    *width,
                double    *height)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);

  *width = *height = 0;
  if (scene != NULL)
    ui_scene_get_size (scene, width, height);
}

/* What is in sight, in pixels of the map. */
static UiRect
get_frame (UiMinimap *self)
{
  const UiRect area = ui_scene_view_get_area (self->view);
  double width, height, left, top, right, bottom;

  get_scene_size (self, &width, &height);
  left = CLAMP (area.x / width, 0, 1);
  top = CLAMP (area.y / height, 0, 1);
  right = CLAMP ((area.x + area.width) / width, 0, 1);
  bottom = CLAMP ((area.y + area.height) / height, 0, 1);

  return (UiRect) {
    left * self->width, top * self->height,
    (right - left) * self->width, (bottom - top) * self->height
  };
}

static void
picture_done_cb (gpointer data)
{
  gtk_widget_queue_draw (data);
}

/* Large enough for a sharp map: a long drawing is squeezed along its length. */
static void
request_picture (UiMinimap     *self,
                 UiPictureKind  kind)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);
  UiRect all = { 0 };
  double scale;

  get_scene_size (self, &all.width, &all.height);
  scale = MAX (self->width / all.width, self->height / all.height);
  scale *= gtk_widget_get_scale_factor (GTK_WIDGET (self));
  scale = MIN (scale, MOST_PIXELS / MAX (all.width, all.height));

  self->is_full = kind == UI_PICTURE_FULL;
  g_clear_pointer (&self->picture, ui_picture_drop);
  self->picture = ui_picture_new (scene, kind, NULL, &all, scale);
  ui_picture_request (self->picture, UI_PICTURE_LAST, picture_done_cb, self);
}

static gboolean
rest_cb (gpointer data)
{
  UiMinimap *self = data;

  self->rest_source = 0;
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    request_picture (self, UI_PICTURE_PREVIEW);
  return G_SOURCE_REMOVE;
}

/* Another drawing. The map of the one before stays until there is one of it. */
static void
forget_picture (UiMinimap *self)
{
  if (self->picture != NULL && ui_picture_is_done (self->picture)) {
    g_clear_pointer (&self->former, ui_picture_drop);
    self->former = g_steal_pointer (&self->picture);
  }
  g_clear_pointer (&self->picture, ui_picture_drop);
  g_clear_handle_id (&self->rest_source, g_source_remove);
}

/* FALSE where it keeps its size. */
static gboolean
measure_map (UiMinimap *self)
{
  const int former_width = self->width, former_height = self->height;
  double width, height, scale;

  get_scene_size (self, &width, &height);
  scale = MIN (MOST_SIZE / MAX (width, 1), MOST_SIZE / MAX (height, 1));
  self->width = CLAMP ((int) (width * scale), LEAST_SIZE, MOST_SIZE);
  self->height = CLAMP ((int) (height * scale), LEAST_SIZE, MOST_SIZE);
  return self->width != former_width || self->height != former_height;
}

static void
describe (UiMinimap *self)
{
  const UiRect frame = get_frame (self);
  g_autofree char *sentence =
    g_strdup_printf ("In sight: %d to %d %% of its width, %d to %d %% of its height",
                     (int) (100 * frame.x / self->width),
                     (int) (100 * (frame.x + frame.width) / self->width),
                     (int) (100 * frame.y / self->height),
                     (int) (100 * (frame.y + frame.height) / self->height));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence,
                                  -1);
}

static gboolean
linger_cb (gpointer data)
{
  UiMinimap *self = data;

  self->linger_source = 0;
  gtk_widget_add_css_class (GTK_WIDGET (self), RESTING);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  return G_SOURCE_REMOVE;
}

/* It lies over the picture, so it is there while the drawing moves, or the pointer is on it; below
 * one that has faded is the drawing's own. */
static void
reveal (UiMinimap *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self), RESTING);
  gtk_widget_set_can_target (GTK_WIDGET (self), TRUE);
  g_clear_handle_id (&self->linger_source, g_source_remove);
  if (!self->is_hovered && !gtk_widget_in_destruction (GTK_WIDGET (self)))
    self->linger_source = g_timeout_add (LINGER_MS, linger_cb, self);
}

/* The view says that it moved wherever it may have. */
static gboolean
has_moved (UiMinimap *self)
{
  const UiRect area = ui_scene_view_get_area (self->view);
  double width, height;
  UiRect in_sight;
  gboolean has_moved;

  get_scene_size (self, &width, &height);
  in_sight = (UiRect) {
    area.x / width, area.y / height, area.width / width, area.height / height
  };
  has_moved = memcmp (&in_sight, &self->in_sight, sizeof in_sight) != 0;
  self->in_sight = in_sight;
  return has_moved;
}

static gboolean
is_worthwhile (UiMinimap *self)
{
  const UiRect area = ui_scene_view_get_area (self->view);
  double width, height;

  get_scene_size (self, &width, &height);
  return width * height > WORTHWHILE * area.width * area.height &&
         area.width > ROOM * MOST_SIZE && area.height > MOST_SIZE;
}

/* In the lower right corner of the cells of a matrix, off what stands beside and below them. FALSE
 * where cells are so large that they have numbers. */
static gboolean
take_corner (UiMinimap *self,
             UiScene   *scene)
{
  const UiWeights *weights = ui_scene_get_weights (scene);
  const UiRect area = ui_scene_view_get_area (self->view);
  const UiItem last = {
    .type = UI_ITEM_LINK, .head = weights->heads[0],
    .query = weights->block.queries->n - 1, .key = weights->block.keys->n - 1
  };
  UiRect cell;
  double beside, below;

  if (!ui_scene_get_rect (scene, &last, &cell) ||
      cell.width >= NUMBER_CELL * ui_scene_get_text_size (scene) / UI_TOKEN_SIZE)
    return FALSE;

  beside = area.x + area.width - (cell.x + cell.width);
  below = area.y + area.height - (cell.y + cell.height);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_END);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 0);
  gtk_widget_set_margin_end (GTK_WIDGET (self), EDGE + (int) ceil (MAX (beside, 0)));
  gtk_widget_set_margin_bottom (GTK_WIDGET (self), EDGE + (int) ceil (MAX (below, 0)));
  return TRUE;
}

/* The map lies on nothing that one reads: between two columns of tokens, where there are links
 * alone, and in a corner where there are cells. FALSE where there is no such place. */
static gboolean
take_place (UiMinimap *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);
  const UiView *kind = ui_view_get (ui_scene_get_document (scene)->view);
  const UiRect area = ui_scene_view_get_area (self->view);
  const UiItem first_query = { .type = UI_ITEM_QUERY }, first_key = { .type = UI_ITEM_KEY };
  UiRect query, key;
  double left, right;

  if (kind->has_all_heads || kind->has_vectors)
    return FALSE;
  if (!ui_scene_get_rect (scene, &first_query, &query) ||
      !ui_scene_get_rect (scene, &first_key, &key) || key.x < query.x + query.width)
    return take_corner (self, scene);

  left = MAX (query.x + query.width - area.x, 0) + GAP;
  right = MIN (key.x - area.x, area.width) - GAP;
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 0);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self), EDGE);
  gtk_widget_set_margin_start (GTK_WIDGET (self),
                               (int) MAX ((left + right - self->width) / 2, 0));
  return right - left >= self->width;
}

static gboolean
update_cb (gpointer data)
{
  UiMinimap *self = data;
  gboolean is_shown;

  self->update_source = 0;
  /* Nothing else asks for a layout: after each the view says once more that it may have moved. */
  if (measure_map (self))
    gtk_widget_queue_resize (GTK_WIDGET (self));
  is_shown = is_worthwhile (self) && take_place (self);
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown) {
    self->in_sight = (UiRect) { 0 };
    forget_picture (self);
    g_clear_pointer (&self->former, ui_picture_drop);
    return G_SOURCE_REMOVE;
  }

  if (has_moved (self)) {
    reveal (self);
    describe (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
  }
  if (self->picture == NULL && self->rest_source == 0)
    self->rest_source = g_timeout_add (REST_MS, rest_cb, self);
  return G_SOURCE_REMOVE;
}

/* Soon: the view says so while it is laid out, when nothing may be shown or hidden. */
static void
queue_update (UiMinimap *self)
{
  if (self->update_source == 0)
    self->update_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_cb, self, NULL);
}

static void
rebuilt_cb (UiMinimap *self)
{
  forget_picture (self);
  queue_update (self);
}

static void
move_to (UiMinimap *self,
         double     x,
         double     y)
{
  const UiRect area = ui_scene_view_get_area (self->view);
  double width, height;

  get_scene_size (self, &width, &height);
  ui_scene_view_scroll_to (self->view,
                           x / self->width * width - area.width / 2,
                           y / self->height * height - area.height / 2);
}

static void
drag_begin_cb (UiMinimap  *self,
               double      x,
               double      y,
               GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  move_to (self, x, y);
}

static void
drag_cb (UiMinimap      *self,
         double          dx,
         double          dy,
         GtkGestureDrag *gesture)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    move_to (self, x + dx, y + dy);
}

static void
enter_cb (UiMinimap *self)
{
  self->is_hovered = TRUE;
  reveal (self);
}

static void
leave_cb (UiMinimap *self)
{
  self->is_hovered = FALSE;
  reveal (self);
}

static void
append_outline (GtkSnapshot  *snapshot,
                const UiRect *rect,
                UiColor       color,
                float         width)
{
  const GdkRGBA rgba = ui_color_to_rgba (color);
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (rect->x, rect->y, rect->width,
                                                        rect->height), 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { width, width, width, width },
                              (GdkRGBA[4]) { rgba, rgba, rgba, rgba });
}

/* The picture of the scene, squeezed into the map. */
static void
append_picture (UiMinimap   *self,
                GtkSnapshot *snapshot)
{
  GskRenderNode *node = NULL;
  graphene_rect_t bounds;

  if (self->picture != NULL) {
    node = ui_picture_get_node (self->picture, GTK_WIDGET (self));
    if (node == NULL && ui_picture_is_done (self->picture) && !self->is_full)
      request_picture (self, UI_PICTURE_FULL);
  }
  if (node == NULL && self->former != NULL)
    node = ui_picture_get_node (self->former, GTK_WIDGET (self));
  if (node == NULL)
    return;

  gsk_render_node_get_bounds (node, &bounds);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, self->width / bounds.size.width,
                      self->height / bounds.size.height);
  gtk_snapshot_append_node (snapshot, node);
  gtk_snapshot_restore (snapshot);
}

static void
ui_minimap_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  UiMinimap *self = UI_MINIMAP (widget);
  const UiPalette *palette = ui_palette_get (ui_scene_view_get_theme (self->view));
  const GdkRGBA ground = ui_color_to_rgba (palette->ground);
  const UiRect all = { 0, 0, self->width, self->height };
  const UiRect frame = get_frame (self);

  gtk_snapshot_append_color (snapshot, &ground,
                             &GRAPHENE_RECT_INIT (0, 0, self->width, self->height));
  append_picture (self, snapshot);
  append_outline (snapshot, &all, palette->dim, EDGE_WIDTH);
  append_outline (snapshot, &frame, palette->accent, FRAME_WIDTH);
}

static void
ui_minimap_measure (GtkWidget      *widget,
                    GtkOrientation  orientation,
                    int             for_size,
                    int            *minimum,
                    int            *natural,
                    int            *minimum_baseline,
                    int            *natural_baseline)
{
  UiMinimap *self = UI_MINIMAP (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? self->width : self->height;
}

static void
set_view (UiMinimap   *self,
          UiSceneView *view)
{
  g_set_object (&self->view, view);
  g_signal_connect_object (view, "rebuilt", G_CALLBACK (rebuilt_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "moved", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
  queue_update (self);
}

static void
ui_minimap_set_property (GObject      *object,
                         guint         id,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  switch (id) {
  case PROP_VIEW:
    set_view (UI_MINIMAP (object), g_value_get_object (value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_minimap_dispose (GObject *object)
{
  UiMinimap *self = UI_MINIMAP (object);

  /* The view says that it moved while it is taken down itself. */
  if (self->view != NULL)
    g_signal_handlers_disconnect_by_data (self->view, self);
  forget_picture (self);
  g_clear_pointer (&self->former, ui_picture_drop);
  g_clear_handle_id (&self->update_source, g_source_remove);
  g_clear_handle_id (&self->linger_source, g_source_remove);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (ui_minimap_parent_class)->dispose (object);
}

static void
ui_minimap_class_init (UiMinimapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = ui_minimap_set_property;
  object_class->dispose = ui_minimap_dispose;
  widget_class->measure = ui_minimap_measure;
  widget_class->snapshot = ui_minimap_snapshot;

  properties[PROP_VIEW] =
    g_param_spec_object ("view", NULL, NULL, UI_TYPE_SCENE_VIEW,
                         G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "minimap");
}

static void
ui_minimap_init (UiMinimap *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_visible (widget, FALSE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  /* Drawings are the same from right to left. */
  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  gtk_widget_set_valign (widget, GTK_ALIGN_END);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Overview of the drawing",
                                  -1);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (enter_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
ui_minimap_new (UiSceneView *view)
{
  return g_object_new (UI_TYPE_MINIMAP, "view", view, NULL);
}
