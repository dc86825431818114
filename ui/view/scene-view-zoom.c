/* SPDX-License-Identifier: MIT */
#include "ui/view/scene-view-private.h"

#include <math.h>
#include <string.h>

#include "ui/document/view.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/views/panels.h"
#include "ui/view/drawn-text.h"

/* Of a view that is presented: the least room from which on it grows, and how far. */
#define PRESENTED_WIDTH 1200.0
#define PRESENTED_HEIGHT 640.0
#define MOST_MAGNIFICATION 3
#define LEGIBLE 1.25 /* times the type for who sits at the computer, of a step that is shown whole */
#define SAME_GROWTH 0.01
#define MOST_GROWTHS 3 /* tries: a drawing has fewer columns where it is larger */
/* By a notch of the wheel, and by a key. */
#define WHEEL_STEP 1.1
#define KEY_STEP 1.25
#define MOST_TRIES 4 /* of a fit */

/* Between these the drawing is as much wider everywhere as it is in the middle: its edges, and those
 * of the links of a head view, whose columns grow more than they do. In scene units, rising. */
static int
find_marks (UiSceneView *self,
            double      *marks)
{
  const UiItem query = { .type = UI_ITEM_QUERY }, key = { .type = UI_ITEM_KEY };
  UiRect left, right;
  double width, height;
  int n = 0;

  ui_scene_get_size (self->scene, &width, &height);
  marks[n++] = 0;
  if (self->document->view == UI_VIEW_HEAD && !ui_scene_is_panels (self->scene)
      && ui_scene_get_rect (self->scene, &query, &left)
      && ui_scene_get_rect (self->scene, &key, &right)) {
    marks[n++] = left.x + left.width;
    marks[n++] = right.x;
  }
  marks[n++] = width;
  return n;
}

/* Where a place of the drawing before is in the one after. */
static double
move_between_marks (const double *before,
                    const double *after,
                    int           n,
                    double        x)
{
  int i = 1;

  while (i < n - 1 && x > before[i])
    i++;
  return after[i - 1] + (x - before[i - 1]) * (after[i] - after[i - 1])
                        / MAX (before[i] - before[i - 1], 1);
}

/* Sets the zoom so that what is at (x, y) of the widget stays there. */
static void
zoom_at (UiSceneView *self,
         double       zoom,
         double       x,
         double       y)
{
  const UiRect area = ui_scene_view_get_area (self);
  double before[4], after[4];
  double width, height, new_height;
  int n;

  zoom = CLAMP (zoom, UI_LEAST_ZOOM, UI_MOST_ZOOM);
  if (zoom == self->zoom)
    return;

  self->zoom = zoom;
  if (self->scene != NULL) {
    ui_scene_get_size (self->scene, &width, &height);
    n = find_marks (self, before);
    ui_scene_view_rebuild (self);
    ui_scene_get_size (self->scene, &width, &new_height);
    find_marks (self, after);
    ui_scene_view_scroll_to (self,
                             move_between_marks (before, after, n, area.x + x) - x,
                             (area.y + y) * new_height / height - y);
    self->zooms = TRUE;
    ui_scene_view_scrolled (self);
  }
  g_object_notify (G_OBJECT (self), "zoom");
}

void
ui_scene_view_keep_place (UiSceneView *self,
                          UiViewKind   view)
{
  for (int i = 0; i < 2; i++)
    self->places[view][i] = self->adjustments[i] != NULL
                            ? gtk_adjustment_get_value (self->adjustments[i]) : 0;
}

void
ui_scene_view_return_to_place (UiSceneView *self,
                               UiViewKind   view)
{
  ui_scene_view_scroll_to (self, self->places[view][GTK_ORIENTATION_HORIZONTAL],
                           self->places[view][GTK_ORIENTATION_VERTICAL]);
}

void
ui_scene_view_begin_anew (UiSceneView *self)
{
  const UiPins *pins = &ui_scene_get_document (self->scene)->pins;
  const UiItem row = { .type = UI_ITEM_QUERY, .query = pins->n_queries > 0 ? pins->queries[0] : 0 };

  memset (self->places, 0, sizeof self->places);
  ui_scene_view_scroll_to (self, 0, 0);
  if (pins->n_queries > 0)
    ui_scene_view_show_item (self, &row);
}

/* What stays where it is from side to side: the words that read, without which links say nothing, or
 * the middle. */
static double
find_anchor (UiSceneView *self)
{
  const UiItem first = { .type = UI_ITEM_QUERY };
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  UiRect rect;
  double x;

  if (self->scene == NULL || self->document->view != UI_VIEW_HEAD
      || !ui_scene_get_rect (self->scene, &first, &rect))
    return width / 2;
  x = rect.x + rect.width - ui_scene_view_get_area (self).x;
  return x > 0 && x < width ? x : width / 2;
}

static void
zoom_at_middle (UiSceneView *self,
                double       zoom)
{
  zoom_at (self, zoom, find_anchor (self), gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

static gboolean
wheel_cb (UiSceneView        *self,
          double              dx,
          double              dy,
          GtkEventController *controller)
{
  const GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  ui_scene_view_take_hand (self);
  if ((state & GDK_CONTROL_MASK) == 0)
    return GDK_EVENT_PROPAGATE;

  if (self->pointer_inside)
    zoom_at (self, self->zoom * pow (WHEEL_STEP, -dy), self->pointer_x, self->pointer_y);
  else
    zoom_at_middle (self, self->zoom * pow (WHEEL_STEP, -dy));
  return GDK_EVENT_STOP;
}

static void
pinch_begin_cb (UiSceneView *self)
{
  self->pinch_zoom = self->zoom;
}

static void
pinch_cb (UiSceneView *self,
          double       scale,
          GtkGesture  *gesture)
{
  double x, y;

  ui_scene_view_take_hand (self);
  if (gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    zoom_at (self, self->pinch_zoom * scale, x, y);
}

static void
show_hand (UiSceneView *self,
           const char  *cursor)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor);
}

static void
pan_begin_cb (UiSceneView    *self,
              double          x,
              double          y,
              GtkGestureDrag *gesture)
{
  const guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (self->scene == NULL || (button != GDK_BUTTON_MIDDLE && !self->space_held)) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }

  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->pan_x = ui_scene_view_get_area (self).x;
  self->pan_y = ui_scene_view_get_area (self).y;
  self->space_panned = TRUE;
  show_hand (self, "grabbing");
}

static void
pan_cb (UiSceneView *self,
        double       dx,
        double       dy)
{
  ui_scene_view_scroll_to (self, self->pan_x - dx, self->pan_y - dy);
}

static void
pan_end_cb (UiSceneView *self)
{
  show_hand (self, self->space_held ? "grab" : NULL);
}

static gboolean
key_pressed_cb (UiSceneView     *self,
                guint            key,
                guint            keycode,
                GdkModifierType  state)
{
  if (key != GDK_KEY_space || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;

  /* A key that is held repeats. */
  if (!self->space_held) {
    self->space_held = TRUE;
    self->space_panned = FALSE;
    show_hand (self, "grab");
  }
  return GDK_EVENT_STOP;
}

static void
release_space (UiSceneView *self,
               gboolean     clicks)
{
  if (!self->space_held)
    return;

  self->space_held = FALSE;
  show_hand (self, NULL);
  /* Where Return opens a head, space collects it. */
  if (clicks && !self->space_panned && !ui_scene_view_step (self, 1))
    ui_scene_view_click_cursor (self, self->cursor.type == UI_ITEM_HEAD);
}

static void
key_released_cb (UiSceneView *self,
                 guint        key)
{
  if (key == GDK_KEY_space)
    release_space (self, TRUE);
}

/* The key is let go where this widget does not hear of it. */
static void
focus_lost_cb (UiSceneView *self)
{
  release_space (self, FALSE);
}

static void
add_pan (UiSceneView *self,
         guint        button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (pan_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (pan_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (pan_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
ui_scene_view_init_zoom (UiSceneView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *wheel =
    gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_swapped (wheel, "scroll", G_CALLBACK (wheel_cb), self);
  gtk_widget_add_controller (widget, wheel);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect_swapped (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (widget, keys);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_lost_cb), self);
  gtk_widget_add_controller (widget, focus);
  add_pan (self, GDK_BUTTON_MIDDLE);
  add_pan (self, GDK_BUTTON_PRIMARY);
}

double
ui_scene_view_get_zoom (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), 1);

  return self->zoom;
}

void
ui_scene_view_set_zoom (UiSceneView *self,
                        double       zoom)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  zoom_at_middle (self, zoom);
}

void
ui_scene_view_zoom_in (UiSceneView *self)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  zoom_at_middle (self, self->zoom * KEY_STEP);
}

void
ui_scene_view_zoom_out (UiSceneView *self)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  zoom_at_middle (self, self->zoom / KEY_STEP);
}

void
ui_scene_view_zoom_to_fit (UiSceneView *self)
{
  double width, height;

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (self->scene == NULL)
    return;

  /* A matrix is as wide as the view at any zoom below, which says nothing of how much larger it may
   * be. */
  if (self->zoom < 1)
    zoom_at_middle (self, 1);
  /* Panels may stand otherwise at another zoom, and need a smaller one yet. */
  for (int i = 0; i < MOST_TRIES; i++) {
    double fit;

    ui_scene_get_size (self->scene, &width, &height);
    fit = MIN (gtk_widget_get_width (GTK_WIDGET (self)) / width,
               gtk_widget_get_height (GTK_WIDGET (self)) / height);
    if (i > 0 && fit >= 1)
      break;
    zoom_at_middle (self, self->zoom * fit);
  }
}

/* Before people at a distance. */

double
ui_scene_view_get_magnification (UiSceneView *self)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!self->is_presented)
    return 1;
  return CLAMP (MIN (width / PRESENTED_WIDTH, height / PRESENTED_HEIGHT), 1, MOST_MAGNIFICATION);
}

void
ui_scene_view_set_most_text (UiSceneView *self,
                             double       most_text)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (most_text == self->most_text)
    return;
  self->most_text = most_text;
  ui_scene_view_rebuild (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* With which so much of a step is in sight. */
static double
find_growth_for (UiSceneView *self,
                 UiStageRoom  room,
                 double       view_height)
{
  return self->growth * view_height / ui_scene_get_stage_height (self->scene, room);
}

/* How much larger the drawing can be, with type between least and most. All of a step is in sight
 * where that leaves its type legible, or its picture; else type is as large as its beginning
 * allows. */
static double
find_growth (UiSceneView *self,
             double       view_width,
             double       view_height)
{
  const double magnification = ui_scene_view_get_magnification (self);
  const double scale = ui_drawn_text_get_scale (GTK_WIDGET (self));
  const double part = find_growth_for (self, UI_STAGE_BEGINNING, view_height);
  gboolean is_legible = FALSE;
  double growth = part;
  double width;

  for (UiStageRoom room = UI_STAGE_WHOLE; room > UI_STAGE_BEGINNING && !is_legible; room--) {
    const double more = find_growth_for (self, room, view_height);

    is_legible = more < part && more * magnification >= LEGIBLE;
    if (is_legible)
      growth = more;
  }

  ui_scene_get_size (self->scene, &width, NULL);
  if (width > view_width)
    growth = MIN (growth, self->growth * view_width / width);

  if (self->most_text > 0)
    growth = MIN (growth, self->most_text / (UI_TOKEN_SIZE * scale * magnification));

  return CLAMP (growth, is_legible ? LEGIBLE / magnification : 1,
                MOST_MAGNIFICATION / magnification);
}

/* A grid of all heads has its own ways to fill the room: its names are as large as for people or for
 * who needs large text, not as both together, and its maps have the rest. */
static double
get_growth_of_grid (UiSceneView *self)
{
  return 1 / MIN (ui_scene_view_get_magnification (self),
                  MAX (ui_drawn_text_get_scale (GTK_WIDGET (self)), 1));
}

void
ui_scene_view_grow (UiSceneView *self)
{
  const double view_width = gtk_widget_get_width (GTK_WIDGET (self));
  const double view_height = gtk_widget_get_height (GTK_WIDGET (self));

  /* What a person has zoomed is as large as they want it. */
  if (!self->is_presented || self->zoom != 1 || self->scene == NULL || view_width <= 0
      || view_height <= 0)
    return;

  for (int i = 0; i < MOST_GROWTHS; i++) {
    const double growth = ui_view_get (self->document->view)->has_all_heads
                          ? get_growth_of_grid (self) : find_growth (self, view_width, view_height);

    if (fabs (growth / self->growth - 1) < SAME_GROWTH)
      break;
    self->growth = growth;
    ui_scene_view_resize (self);
  }
}

static UiScene *
get_steps (UiSceneView *self)
{
  return self->scene != NULL && ui_steps_get_n (self->scene) > 0 ? self->scene : NULL;
}

void
ui_scene_view_enter (UiSceneView   *self,
                     const UiScene *next)
{
  const UiScene *before = get_steps (self);
  const int step = ui_steps_get_step (next);

  if (before != NULL && ui_steps_get_n (next) > 0 && ui_steps_get_step (before) == step
      && ui_steps_is_whole (before) == ui_steps_is_whole (next))
    return;
  self->screen = self->turns_back && before != NULL && step < ui_steps_get_step (before)
                 ? G_MAXINT : 1;
  self->turns_back = FALSE;
}

void
ui_scene_view_set_screens (UiSceneView *self,
                           gboolean     has_screens)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (has_screens == self->has_screens)
    return;
  self->has_screens = has_screens;
  self->screen = 1;
  ui_scene_view_rebuild (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
show_screen (UiSceneView *self,
             int          screen)
{
  self->screen = screen;
  ui_scene_view_resize (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify (G_OBJECT (self), "scene");
}

gboolean
ui_scene_view_turn (UiSceneView *self,
                    int          by)
{
  const UiScene *steps;
  int n, screen;

  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), FALSE);

  steps = get_steps (self);
  self->turns_back = by < 0;
  if (!self->has_screens || steps == NULL)
    return FALSE;
  /* There may be fewer than there were. */
  screen = ui_steps_get_screen (steps, &n) + by;
  if (screen < 0 || screen >= n)
    return FALSE;
  show_screen (self, screen + 1);
  return TRUE;
}

void
ui_scene_view_turn_to_first (UiSceneView *self)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  self->turns_back = FALSE;
  if (self->has_screens && get_steps (self) != NULL && self->screen != 1)
    show_screen (self, 1);
}

void
ui_scene_view_scroll_to (UiSceneView *self,
                         double       x,
                         double       y)
{
  const double places[] = { x, y };

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  for (int i = 0; i < 2; i++)
    if (self->adjustments[i] != NULL)
      gtk_adjustment_set_value (self->adjustments[i], places[i]);
}
