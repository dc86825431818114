/* SPDX-License-Identifier: MIT */
#include "ui/controls/choice-box.h"

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
