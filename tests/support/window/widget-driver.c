/* SPDX-License-Identifier: MIT */
#include "tests/support/window/widget-driver.h"

#include <adwaita.h>
#include <string.h>

#include "tests/support/temporary.h"
#include "ui/controls/steady-label.h"

#define MOST_FRAMES 8 /* after which what draws nothing is empty */

static char *home;

static void
remove_home (void)
{
  temporary_free (home);
}

/* What a program keeps of its own, and the desktop's list of recent files: a test that was ended
 * leaves nothing for the next, and nothing in the account of who runs it. */
static void
use_home (void)
{
  home = temporary_new ();
  g_setenv ("XDG_STATE_HOME", home, TRUE);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  atexit (remove_home);
}

gboolean
driver_init (int    *argc,
             char ***argv)
{
  g_test_init (argc, argv, NULL);
  use_home ();
  if (!gtk_init_check ())
    return FALSE;

  adw_init ();
  /* Pictures shall not depend on when they are taken. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  return TRUE;
}

GtkWindow *
driver_show (GtkWidget *widget,
             int        width,
             int        height)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());

  gtk_window_set_decorated (window, FALSE);
  gtk_window_set_default_size (window, width, height);
  gtk_window_set_child (window, widget);
  gtk_window_present (window);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  driver_settle (widget);
  return window;
}

void
driver_settle (GtkWidget *widget)
{
  gtk_test_widget_wait_for_draw (GTK_WIDGET (gtk_widget_get_root (widget)));
  while (g_main_context_iteration (NULL, FALSE));
}

static GdkTexture *
blank_new (int width,
           int height)
{
  const gsize stride = (gsize) width * 4;
  const gsize n_bytes = stride * height;
  g_autoptr (GBytes) pixels = g_bytes_new_take (g_malloc0 (n_bytes), n_bytes);

  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, pixels, stride);
}

/* NULL = it draws nothing, or is about to be drawn anew. */
static GskRenderNode *
take_node (GtkWidget *widget,
           int        width,
           int        height)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, width, height);

  return gtk_snapshot_free_to_node (snapshot);
}

GdkTexture *
driver_take_picture (GtkWidget *widget)
{
  const int width = MAX (gtk_widget_get_width (widget), 1);
  const int height = MAX (gtk_widget_get_height (widget), 1);
  g_autoptr (GskRenderNode) node = take_node (widget, width, height);

  for (int i = 0; i < MOST_FRAMES && node == NULL; i++) {
    driver_settle (widget);
    node = take_node (widget, width, height);
  }
  if (node == NULL)
    return blank_new (width, height);

  return gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)),
                                      node,
                                      &GRAPHENE_RECT_INIT (0, 0, width, height));
}

/* A click of the driver is one of the primary button. */
static gboolean
is_of_other_button (GtkEventController *controller)
{
  return GTK_IS_GESTURE_SINGLE (controller)
         && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) > GDK_BUTTON_PRIMARY;
}

static GtkEventController *
find_controller (GtkWidget *widget,
                 GType      type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type) && !is_of_other_button (controller))
      return controller;
  }
  return NULL;
}

static gboolean
activate_binding (GtkWidget  *widget,
                  GListModel *shortcuts,
                  const char *key)
{
  for (guint i = 0; i < g_list_model_get_n_items (shortcuts); i++) {
    g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, i);
    g_autofree char *trigger = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));

    if (g_str_equal (trigger, key))
      return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                           gtk_shortcut_get_arguments (shortcut));
  }
  return FALSE;
}

gboolean
driver_press_key (GtkWidget  *widget,
                  const char *key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_SHORTCUT_CONTROLLER (controller) &&
        activate_binding (widget, G_LIST_MODEL (controller), key))
      return TRUE;
  }
  return FALSE;
}

void
driver_point_at (GtkWidget *widget,
                 double     x,
                 double     y)
{
  g_signal_emit_by_name (find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x,
                         y);
}

void
driver_point_away (GtkWidget *widget)
{
  g_signal_emit_by_name (find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_MOTION), "leave");
}

void
driver_click_at (GtkWidget *widget,
                 int        n_press,
                 double     x,
                 double     y)
{
  g_signal_emit_by_name (find_controller (widget, GTK_TYPE_GESTURE_CLICK), "released", n_press, x,
                         y);
}

static GtkWidget *
find_counting (GtkWidget *widget,
               GType      type,
               int       *index)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && (*index)-- == 0)
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_counting (child, type, index);

    if (found != NULL)
      return found;
  }
  return NULL;
}

GtkWidget *
driver_find (GtkWidget *widget,
             GType      type,
             int        index)
{
  return find_counting (widget, type, &index);
}

typedef gboolean (*Comparison) (const char *text, const char *wanted);

static gboolean
contains (const char *text,
          const char *wanted)
{
  return strstr (text, wanted) != NULL;
}

static gboolean
equals (const char *text,
        const char *wanted)
{
  return g_str_equal (text, wanted);
}

/* NULL = not a label. */
static const char *
get_label_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_text (GTK_LABEL (widget));
  if (UI_IS_STEADY_LABEL (widget))
    return ui_steady_label_get_text (UI_STEADY_LABEL (widget));
  return NULL;
}

static GtkWidget *
find_label (GtkWidget  *widget,
            Comparison  matches,
            const char *wanted)
{
  const char *text = get_label_text (widget);

  if (text != NULL && gtk_widget_get_mapped (widget) && matches (text, wanted))
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_label (child, matches, wanted);

    if (found != NULL)
      return found;
  }
  return NULL;
}

gboolean
driver_shows_text (GtkWidget  *widget,
                   const char *text)
{
  return find_label (widget, equals, text) != NULL;
}

GtkWidget *
driver_find_label (GtkWidget  *widget,
                   const char *part)
{
  return find_label (widget, contains, part);
}
