/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/context-menu.h"

#define BY_KEYBOARD (-1.0)
#define MENU "headlight-context-menu"
/* A menu that has room neither below nor above what it is of would be given less than nothing. */
#define MOST_ANCHOR 48

typedef struct {
  GtkWidget         *widget;
  UiContextMenuFunc  func;
  gpointer           data;
} Attachment;

static gboolean
show_at (Attachment *self,
         double      x,
         double      y)
{
  GdkRectangle at = { (int) x, (int) y, 1, 1 };
  GMenuModel *model = self->func (self->widget, x, y, &at, self->data);

  if (model == NULL)
    return FALSE;

  ui_context_menu_show (self->widget, model, &at);
  return TRUE;
}

static void
pressed_cb (Attachment      *self,
            int              n_press,
            double           x,
            double           y,
            GtkGestureClick *gesture)
{
  if (show_at (self, x, y))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
long_pressed_cb (Attachment *self,
                 double      x,
                 double      y,
                 GtkGesture *gesture)
{
  if (show_at (self, x, y))
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static gboolean
key_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   data)
{
  return show_at (data, BY_KEYBOARD, BY_KEYBOARD);
}

static void
add_key (GtkEventController *controller,
         guint               key,
         GdkModifierType     modifiers,
         Attachment         *attachment)
{
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
    gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                      gtk_callback_action_new (key_cb, attachment, NULL)));
}

/* The window has no room for it in its layout, so it takes leave of the window itself. */
static void
drop_menu (GtkWidget *root)
{
  GtkWidget *menu = g_object_steal_data (G_OBJECT (root), MENU);

  g_clear_pointer (&menu, gtk_widget_unparent);
}

/* GTK lets go of the focus with the menu that had it. */
static void
closed_cb (GtkWidget *focus)
{
  if (gtk_widget_get_root (focus) != NULL)
    gtk_widget_grab_focus (focus);
}

/* GTK puts the titles of sections in when it is idle; a menu that was up by then would have no room
 * for them. */
static gboolean
popup_cb (gpointer menu)
{
  if (gtk_widget_get_parent (menu) != NULL)
    gtk_popover_popup (menu);
  return G_SOURCE_REMOVE;
}

void
ui_context_menu_attach (GtkWidget         *widget,
                        UiContextMenuFunc  func,
                        gpointer           data)
{
  Attachment *self = g_new (Attachment, 1);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  *self = (Attachment) { widget, func, data };
  g_object_set_data_full (G_OBJECT (widget), "headlight-context-attachment", self, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (long_pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (press));
  add_key (keys, GDK_KEY_Menu, 0, self);
  add_key (keys, GDK_KEY_F10, GDK_SHIFT_MASK, self);
  gtk_widget_add_controller (widget, keys);
}

void
ui_context_menu_show (GtkWidget          *widget,
                      GMenuModel         *model,
                      const GdkRectangle *at)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));
  GtkWidget *menu = gtk_popover_menu_new_from_model (model);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (root));
  GdkRectangle place = *at;
  double x, y;

  g_object_unref (model);
  g_signal_connect_object (menu, "closed", G_CALLBACK (closed_cb),
                           focus != NULL ? focus : widget, G_CONNECT_SWAPPED);
  drop_menu (root);
  gtk_widget_translate_coordinates (widget, root, at->x, at->y, &x, &y);
  /* What the cursor is on may have been scrolled out of sight, and off the display. */
  place.x = CLAMP ((int) x, 0, MAX (gtk_widget_get_width (root) - 1, 0));
  place.y = CLAMP ((int) y, 0, MAX (gtk_widget_get_height (root) - 1, 0));
  place.width = CLAMP (at->width, 1, MAX (gtk_widget_get_width (root) - place.x, 1));
  place.height = CLAMP (at->height, 1, MOST_ANCHOR);
  gtk_widget_set_parent (menu, root);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &place);
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  if (g_object_get_data (G_OBJECT (root), "headlight-context-leave") == NULL) {
    g_object_set_data (G_OBJECT (root), "headlight-context-leave", root);
    g_signal_connect (root, "destroy", G_CALLBACK (drop_menu), NULL);
  }
  g_object_set_data (G_OBJECT (root), MENU, menu);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, popup_cb, g_object_ref (menu), g_object_unref);
}
