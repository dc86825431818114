/* SPDX-License-Identifier: MIT */
#include "ui/controls/choice-box.h"

struct _UiChoiceBox {
  GtkBox parent_instance;
};

G_DEFINE_FINAL_TYPE (UiChoiceBox, ui_choice_box, GTK_TYPE_BOX)

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

static gboolean
ui_choice_box_focus (GtkWidget        *widget,
                     GtkDirectionType  direction)
{
  const gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  GtkWidget *chosen = find_chosen (widget);

  if (!is_tab || (chosen == NULL && gtk_widget_get_focus_child (widget) == NULL))
    return GTK_WIDGET_CLASS (ui_choice_box_parent_class)->focus (widget, direction);
  if (gtk_widget_get_focus_child (widget) != NULL)
    return GDK_EVENT_PROPAGATE;
  return gtk_widget_grab_focus (chosen);
}

static void
ui_choice_box_class_init (UiChoiceBoxClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = ui_choice_box_focus;
}

static void
ui_choice_box_init (UiChoiceBox *self)
{
}
