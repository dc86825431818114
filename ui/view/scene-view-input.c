/* SPDX-License-Identifier: MIT */
#include "ui/view/scene-view-private.h"

#define SCROLL_REST_MS 80
/* From a turn of the wheel to what it moves. */
#define HAND_LEAD_US   100000
/* Places in the window come through transformations, whose last bits differ. */
#define LEAST_MOVE     0.5

enum {
  SIGNAL_CLICKED,
  SIGNAL_ACTIVATED,
  SIGNAL_UNPINNED,
  SIGNAL_HOVERED,
  SIGNAL_CURSOR_MOVED,
  SIGNAL_STEPPED,
  SIGNAL_REBUILT,
  SIGNAL_MOVED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

void
ui_scene_view_follow_pointer (UiSceneView *self)
{
  UiItem item = { .type = UI_ITEM_NONE };

  g_clear_handle_id (&self->scroll_rest, g_source_remove);
  self->zooms = FALSE;
  if (self->pointer_inside && !self->pointer_is_let_go)
    ui_scene_view_find_item (self, self->pointer_x, self->pointer_y, &item);
  ui_scene_view_set_hover (self, &item);
}

void
ui_scene_view_keep_pointer (UiSceneView *self)
{
  UiItem item = { .type = UI_ITEM_NONE };

  if (self->pointer_inside)
    ui_scene_view_find_item (self, self->pointer_x, self->pointer_y, &item);
  if (!ui_scene_view_is_same_item (&item, &self->hover))
    self->pointer_is_let_go = TRUE;
  ui_scene_view_follow_pointer (self);
}

void
ui_scene_view_let_go_of_pointer (UiSceneView *self)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  self->pointer_is_let_go = TRUE;
  ui_scene_view_follow_pointer (self);
}

static gboolean
scroll_rest_cb (gpointer data)
{
  UiSceneView *self = data;

  self->scroll_rest = 0;
  /* Keys and other sizes move a drawing, too, under a pointer that nobody touches. */
  if (self->hand_time + HAND_LEAD_US < self->scroll_start) {
    ui_scene_view_keep_pointer (self);
  } else {
    self->pointer_is_let_go = FALSE;
    ui_scene_view_follow_pointer (self);
  }
  return G_SOURCE_REMOVE;
}

void
ui_scene_view_take_hand (UiSceneView *self)
{
  self->hand_time = g_get_monotonic_time ();
}

void
ui_scene_view_scrolled (UiSceneView *self)
{
  if (self->scroll_rest == 0)
    self->scroll_start = g_get_monotonic_time ();
  g_clear_handle_id (&self->scroll_rest, g_source_remove);
  self->scroll_rest = g_timeout_add (SCROLL_REST_MS, scroll_rest_cb, self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  ui_scene_view_emit_moved (self);
}

void
ui_scene_view_emit_moved (UiSceneView *self)
{
  g_signal_emit (self, signals[SIGNAL_MOVED], 0);
}

void
ui_scene_view_emit_hovered (UiSceneView *self)
{
  g_signal_emit (self, signals[SIGNAL_HOVERED], 0, &self->hover);
}

void
ui_scene_view_emit_cursor_moved (UiSceneView *self)
{
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, &self->cursor);
}

void
ui_scene_view_emit_rebuilt (UiSceneView *self)
{
  g_signal_emit (self, signals[SIGNAL_REBUILT], 0);
}

static void
motion_cb (UiSceneView *self,
           double       x,
           double       y)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));
  double root_x = x, root_y = y;
  gboolean has_moved;

  /* A drawing that changes or moves under a pointer at rest sends motion, too, and so does a menu
   * above it that closes. */
  gtk_widget_translate_coordinates (GTK_WIDGET (self), root, x, y, &root_x, &root_y);
  has_moved = fabs (root_x - self->root_x) >= LEAST_MOVE
              || fabs (root_y - self->root_y) >= LEAST_MOVE;
  if (has_moved) {
    ui_scene_view_take_hand (self);
    self->pointer_leads = TRUE;
    self->pointer_is_let_go = FALSE;
    self->root_x = root_x;
    self->root_y = root_y;
  }
  self->pointer_inside = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->scroll_rest != 0)
    return;
  if (has_moved)
    ui_scene_view_follow_pointer (self);
  else
    ui_scene_view_keep_pointer (self);
}

static void
leave_cb (UiSceneView *self)
{
  self->pointer_inside = FALSE;
  self->pointer_is_let_go = FALSE;
  ui_scene_view_follow_pointer (self);
}

static void
hide_cursor (UiSceneView *self)
{
  self->cursor_shows = FALSE;
  ui_scene_view_tell_item (self);
  ui_scene_view_update_shown (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ui_scene_view_let_go_of_cursor (UiSceneView *self)
{
  gboolean has_led;

  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), FALSE);

  has_led = self->cursor.type != UI_ITEM_NONE && ui_scene_view_get_item (self) == &self->cursor;
  hide_cursor (self);
  return has_led;
}

static void
focus_cb (UiSceneView *self)
{
  ui_scene_view_update_shown (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
enter_cb (UiSceneView *self)
{
  focus_cb (self);
  ui_scene_view_tell_item (self);
}

/* A menu is about what the cursor is on; from it, and from another window, keys come back. From
 * elsewhere they may come back by themselves: nobody has chosen the cursor's place then. */
static gboolean
left_cb (gpointer data)
{
  UiSceneView *self = data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  self->leaving = 0;
  if (root != NULL && gtk_window_is_active (GTK_WINDOW (root)) && focus != GTK_WIDGET (self)
      && (focus == NULL || gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) == NULL))
    hide_cursor (self);
  return G_SOURCE_REMOVE;
}

/* Where the keys go is known once they are there. */
static void
focus_leave_cb (UiSceneView *self)
{
  focus_cb (self);
  /* A view that is taken down loses the keys, too. */
  if (self->leaving == 0 && !gtk_widget_in_destruction (GTK_WIDGET (self)))
    self->leaving = g_idle_add (left_cb, self);
}

static gboolean
extends (GtkEventController *controller)
{
  return (gtk_event_controller_get_current_event_state (controller) &
          (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;
}

/* Of a group that opens, the keyboard goes on at the first head that was not there before. */
static void
toggle_group (UiSceneView  *self,
              const UiItem *opener)
{
  UiItem before = *opener, item = *opener;
  const gboolean opens = (self->open_groups & (1u << opener->pattern)) == 0;
  UiRect rect;

  ui_scene_move (self->scene, UI_MOVE_LEFT, &before);
  self->open_groups ^= 1u << opener->pattern;
  ui_scene_view_rebuild (self);
  if (opens && ui_scene_get_rect (self->scene, &before, &rect)) {
    item = before;
    ui_scene_move (self->scene, UI_MOVE_RIGHT, &item);
  }
  ui_scene_view_move_cursor (self, &item);
}

/* TRUE = it was the view's own. */
static gboolean
take_click (UiSceneView  *self,
            const UiItem *item)
{
  if (item->type == UI_ITEM_GROUP)
    toggle_group (self, &(UiItem) { .type = UI_ITEM_GROUP, .pattern = item->pattern });
  return item->type == UI_ITEM_GROUP;
}

static void
released_cb (UiSceneView     *self,
             int              n_press,
             double           x,
             double           y,
             GtkGestureClick *gesture)
{
  const gboolean extend = extends (GTK_EVENT_CONTROLLER (gesture));
  UiItem item;

  self->cursor_shows = FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  ui_scene_view_find_item (self, x, y, &item);
  if (item.type == UI_ITEM_NONE || take_click (self, &item))
    return;

  /* The keyboard goes on from where the pointer clicked, but the pointer keeps the lead. */
  if (item.type == UI_ITEM_QUERY || item.type == UI_ITEM_KEY || item.type == UI_ITEM_HEAD)
    self->cursor = item;
  if (item.type == UI_ITEM_HEAD && n_press == 2 && !extend)
    g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0, &item);
  else
    g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item, extend);
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  UiItem item = self->cursor;

  if (self->scene == NULL)
    return GDK_EVENT_PROPAGATE;

  /* At an edge the cursor stays; the toolkit would take the focus to another widget. */
  if (ui_scene_move (self->scene, g_variant_get_int32 (args), &item))
    ui_scene_view_move_cursor (self, &item);
  return GDK_EVENT_STOP;
}

/* Where there are no groups the drawing scrolls by a page. */
static gboolean
move_by_group_cb (GtkWidget *widget,
                  GVariant  *args,
                  gpointer   unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  UiItem item = self->cursor;

  if (self->scene == NULL || !ui_scene_move (self->scene, g_variant_get_int32 (args), &item))
    return GDK_EVENT_PROPAGATE;

  ui_scene_view_move_cursor (self, &item);
  return GDK_EVENT_STOP;
}

static gboolean
click_cursor_cb (GtkWidget *widget,
                 GVariant  *args,
                 gpointer   unused)
{
  return ui_scene_view_click_cursor (UI_SCENE_VIEW (widget), g_variant_get_boolean (args));
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

gboolean
ui_scene_view_step (UiSceneView *self,
                    int          by)
{
  if (self->document == NULL || !ui_view_get (self->document->view)->has_steps)
    return FALSE;

  g_signal_emit (self, signals[SIGNAL_STEPPED], 0, by);
  return TRUE;
}

static gboolean
step_back_cb (GtkWidget *widget,
              GVariant  *args,
              gpointer   unused)
{
  return ui_scene_view_step (UI_SCENE_VIEW (widget), -1);
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
  /* Space alone clicks when it is let go: held, it pans. */
  if (key != GDK_KEY_space)
    gtk_widget_class_add_binding (widget_class, key, 0, click_cursor_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, key, GDK_SHIFT_MASK, click_cursor_cb, "b", TRUE);
}

static void
install_signals (GType type)
{
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  signals[SIGNAL_ACTIVATED] =
    g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_UNPINNED] =
    g_signal_new ("unpinned", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HOVERED] =
    g_signal_new ("hovered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_CURSOR_MOVED] =
    g_signal_new ("cursor-moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_STEPPED] =
    g_signal_new ("stepped", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_INT);
  signals[SIGNAL_REBUILT] =
    g_signal_new ("rebuilt", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_MOVED] =
    g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

void
ui_scene_view_class_init_input (UiSceneViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  install_signals (G_TYPE_FROM_CLASS (klass));
  add_move_binding (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, UI_MOVE_UP);
  add_move_binding (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, UI_MOVE_DOWN);
  add_move_binding (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, UI_MOVE_LEFT);
  add_move_binding (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, UI_MOVE_RIGHT);
  add_move_binding (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, UI_MOVE_FIRST);
  add_move_binding (widget_class, GDK_KEY_End, GDK_KEY_KP_End, UI_MOVE_LAST);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Page_Up, 0, move_by_group_cb, "i",
                                UI_MOVE_GROUP_BEFORE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Page_Up, 0, move_by_group_cb, "i",
                                UI_MOVE_GROUP_BEFORE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Page_Down, 0, move_by_group_cb, "i",
                                UI_MOVE_GROUP_AFTER);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Page_Down, 0, move_by_group_cb, "i",
                                UI_MOVE_GROUP_AFTER);
  add_click_binding (widget_class, GDK_KEY_Return);
  add_click_binding (widget_class, GDK_KEY_KP_Enter);
  add_click_binding (widget_class, GDK_KEY_space);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_BackSpace, 0, step_back_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

void
ui_scene_view_init_input (UiSceneView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (enter_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (widget, focus);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

void
ui_scene_view_begin_cursor (UiSceneView *self)
{
  UiItem item = self->cursor;

  if (self->scene != NULL
      && (item.type != UI_ITEM_NONE || ui_scene_move (self->scene, UI_MOVE_FIRST, &item)))
    ui_scene_view_move_cursor (self, &item);
}

gboolean
ui_scene_view_click_cursor (UiSceneView *self,
                            gboolean     extend)
{
  UiItem item = self->cursor;

  /* Of a grid of heads the one that is framed. */
  if (item.type == UI_ITEM_NONE
      && (self->scene == NULL || !ui_scene_move (self->scene, UI_MOVE_FIRST, &item)
          || item.type != UI_ITEM_HEAD))
    return FALSE;

  self->pointer_leads = FALSE;
  self->cursor_shows = TRUE;
  if (take_click (self, &item))
    return TRUE;
  if (item.type == UI_ITEM_HEAD && !extend)
    g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0, &item);
  else
    g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item, extend);
  return TRUE;
}
