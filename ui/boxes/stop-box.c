/* SPDX-License-Identifier: MIT */
#include "ui/boxes/stop-box.h"

G_DEFINE_TYPE (UiStopBox, ui_stop_box, GTK_TYPE_BOX)

/* Backwards, too, Tab comes to the first. */
gboolean
ui_stop_box_move (GtkWidget        *widget,
                  GtkDirectionType  direction,
                  GtkWidget        *entry,
                  GtkWidgetClass   *parent_class)
{
  const gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  const gboolean is_along = direction == GTK_DIR_LEFT || direction == GTK_DIR_RIGHT;
  const gboolean is_inside = gtk_widget_get_focus_child (widget) != NULL;

  if (!is_tab)
    return parent_class->focus (widget, direction) || (is_along && is_inside);
  if (is_inside)
    return GDK_EVENT_PROPAGATE;
  if (entry != NULL)
    return gtk_widget_grab_focus (entry);
  return parent_class->focus (widget, GTK_DIR_TAB_FORWARD);
}

static gboolean
ui_stop_box_focus (GtkWidget        *widget,
                   GtkDirectionType  direction)
{
  const UiStopBoxClass *klass = UI_STOP_BOX_GET_CLASS (widget);
  GtkWidget *entry = klass->find_entry != NULL ? klass->find_entry (UI_STOP_BOX (widget)) : NULL;

  return ui_stop_box_move (widget, direction, entry, GTK_WIDGET_CLASS (ui_stop_box_parent_class));
}

static void
ui_stop_box_class_init (UiStopBoxClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = ui_stop_box_focus;
}

static void
ui_stop_box_init (UiStopBox *self)
{
}

/* One of several. */

struct _UiChoiceBox {
  UiStopBox parent_instance;
};

G_DEFINE_FINAL_TYPE (UiChoiceBox, ui_choice_box, UI_TYPE_STOP_BOX)

/* Of the buttons that can be seen, in rows or alone. */
static GtkWidget *
find_chosen (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *chosen = !gtk_widget_get_visible (child) ? NULL
                        : !GTK_IS_TOGGLE_BUTTON (child) ? find_chosen (child)
                        : gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (child)) ? child : NULL;

    if (chosen != NULL)
      return chosen;
  }
  return NULL;
}

static GtkWidget *
find_entry (UiStopBox *self)
{
  return find_chosen (GTK_WIDGET (self));
}

static void
ui_choice_box_class_init (UiChoiceBoxClass *klass)
{
  UI_STOP_BOX_CLASS (klass)->find_entry = find_entry;
}

static void
ui_choice_box_init (UiChoiceBox *self)
{
}
