/* SPDX-License-Identifier: MIT */
#include "ui/controls/tame-menu.h"

#define MOST_HEIGHT 460 /* of what a menu holds: 480 with its frame */
#define FRAME 40        /* what a popover has beside that, and a margin */
/* Data of the button, and of its popover. */
#define TAMED  "headlight-tamed"
#define HUSHED "headlight-hushed"
#define UNSEEN "headlight-unseen" /* nobody sees which row has the focus */
#define LATE   "headlight-late"   /* the menu that it gets when it opens */

/* Before the button's own. */
static gboolean
query_tooltip_cb (GtkWidget *button)
{
  if (g_object_get_data (G_OBJECT (button), HUSHED) != NULL)
    g_signal_stop_emission_by_name (button, "query-tooltip");
  return FALSE;
}

static gboolean
is_open (GtkMenuButton *button)
{
  GtkPopover *popover = gtk_menu_button_get_popover (button);

  return popover != NULL && gtk_widget_get_visible (GTK_WIDGET (popover));
}

static void
left_cb (GtkMenuButton *button)
{
  if (!is_open (button))
    g_object_set_data (G_OBJECT (button), HUSHED, NULL);
}

static gboolean
has_pointer (GtkWidget *button)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (button));
  GtkNative *native = gtk_widget_get_native (button);
  double x, y, left, top;

  if (native == NULL || gtk_native_get_surface (native) == NULL
      || gdk_seat_get_pointer (seat) == NULL
      || !gdk_surface_get_device_position (gtk_native_get_surface (native),
                                           gdk_seat_get_pointer (seat), &x, &y, NULL))
    return FALSE;

  gtk_native_get_surface_transform (native, &left, &top);
  gtk_widget_translate_coordinates (GTK_WIDGET (native), button, x - left, y - top, &x, &y);
  return gtk_widget_contains (button, x, y);
}

/* The window's room on the side to which the menu opens. */
static int
find_room (GtkMenuButton *button)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (button)));
  graphene_rect_t bounds;
  float room = 0;

  if (gtk_widget_compute_bounds (GTK_WIDGET (button), window, &bounds))
    room = gtk_menu_button_get_direction (button) == GTK_ARROW_UP
           ? bounds.origin.y
           : (float) gtk_widget_get_height (window) - bounds.origin.y - bounds.size.height;
  return MAX ((int) room - FRAME, MOST_HEIGHT);
}

/* A menu of GTK's has a scroller of its own. */
static void
limit_height (GtkWidget *widget,
              int        most)
{
  if (GTK_IS_SCROLLED_WINDOW (widget)) {
    gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (widget), most);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    limit_height (child, most);
}

/* NULL = none. */
static GtkWidget *
find_first_row (GtkWidget *widget)
{
  /* A scroller can have the focus, too. */
  if (gtk_widget_get_focusable (widget) && gtk_widget_is_sensitive (widget)
      && !GTK_IS_SCROLLED_WINDOW (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *row = gtk_widget_get_mapped (child) ? find_first_row (child) : NULL;

    if (row != NULL)
      return row;
  }
  return NULL;
}

/* GTK has put the focus on the first row, which after a click is not seen before a key is pressed. */
static gboolean
key_cb (GtkWidget *popover,
        guint      key)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (popover));
  const gboolean was_unseen = g_object_steal_data (G_OBJECT (popover), UNSEEN) != NULL;

  if (!was_unseen || (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
      || gtk_window_get_focus (window) != find_first_row (gtk_widget_get_first_child (popover)))
    return GDK_EVENT_PROPAGATE;
  gtk_window_set_focus_visible (window, TRUE);
  return GDK_EVENT_STOP;
}

static void
tame_popover (GtkWidget *popover)
{
  GtkEventController *keys;

  if (g_object_get_data (G_OBJECT (popover), TAMED) != NULL)
    return;
  g_object_set_data (G_OBJECT (popover), TAMED, popover);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), popover);
  gtk_widget_add_controller (popover, keys);
}

/* Opened or closed. What has a menu made anew each time has another popover. */
static void
toggled_cb (GtkMenuButton *button)
{
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));

  if (is_open (button)) {
    g_object_set_data (G_OBJECT (button), HUSHED, button);
    limit_height (popover, find_room (button));
    if (GTK_IS_POPOVER_MENU (popover))
      tame_popover (popover);
    g_object_set_data (G_OBJECT (popover), UNSEEN,
                       gtk_window_get_focus_visible (GTK_WINDOW (gtk_widget_get_root (popover)))
                       ? NULL : popover);
  } else if (!has_pointer (GTK_WIDGET (button))) {
    g_object_set_data (G_OBJECT (button), HUSHED, NULL);
  }
}

static void
tame (GtkMenuButton *button)
{
  GtkEventController *motion;

  if (g_object_get_data (G_OBJECT (button), TAMED) != NULL)
    return;
  g_object_set_data (G_OBJECT (button), TAMED, button);
  motion = gtk_event_controller_motion_new ();
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (left_cb), button);
  gtk_widget_add_controller (GTK_WIDGET (button), motion);
  g_signal_connect (button, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  /* GTK 4.8 says it of the button within alone; after the popover has come. */
  g_signal_connect_data (gtk_widget_get_first_child (GTK_WIDGET (button)), "toggled",
                         G_CALLBACK (toggled_cb), button, NULL, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

void
ui_tame_menus (GtkWidget *root)
{
  if (GTK_IS_MENU_BUTTON (root))
    tame (GTK_MENU_BUTTON (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    ui_tame_menus (child);
}

static void
make_menu_cb (GtkMenuButton *button,
              gpointer       unused)
{
  g_autoptr (GMenuModel) menu = g_object_steal_data (G_OBJECT (button), LATE);

  if (menu != NULL)
    gtk_menu_button_set_menu_model (button, menu);
}

void
ui_set_late_menu (GtkMenuButton *button,
                  GMenuModel    *menu)
{
  g_object_set_data_full (G_OBJECT (button), LATE, g_object_ref (menu), g_object_unref);
  gtk_menu_button_set_create_popup_func (button, make_menu_cb, NULL, NULL);
}

GMenuModel *
ui_get_late_menu (GtkMenuButton *button)
{
  GMenuModel *late = g_object_get_data (G_OBJECT (button), LATE);

  return late != NULL ? late : gtk_menu_button_get_menu_model (button);
}

char *
ui_menu_label (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("__", parts);
}
