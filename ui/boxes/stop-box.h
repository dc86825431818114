/* SPDX-License-Identifier: MIT */
/* Rows of controls that are one stop for Tab; arrows move between them, and stay at either end. Of
 * toggle buttons of which one is chosen Tab comes to that one. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_STOP_BOX (ui_stop_box_get_type ())
G_DECLARE_DERIVABLE_TYPE (UiStopBox, ui_stop_box, UI, STOP_BOX, GtkBox)

struct _UiStopBoxClass {
  GtkBoxClass parent_class;

  /* Where Tab comes to; NULL = to the first. Nullable. */
  GtkWidget *(*find_entry) (UiStopBox *self);
};

#define UI_TYPE_CHOICE_BOX (ui_choice_box_get_type ())
G_DECLARE_FINAL_TYPE (UiChoiceBox, ui_choice_box, UI, CHOICE_BOX, UiStopBox)

/* The focus() of a widget that is one stop: Tab leaves it, or comes to entry, NULL = to the first;
 * arrows go as in its parent class, along the row no further than its ends. */
gboolean ui_stop_box_move (GtkWidget        *widget,
                           GtkDirectionType  direction,
                           GtkWidget        *entry,
                           GtkWidgetClass   *parent_class);

G_END_DECLS
