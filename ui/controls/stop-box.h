/* SPDX-License-Identifier: MIT */
/* A row of controls that is one stop for Tab; arrows move between them, and stay at either end. */
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

/* The focus() of a widget that is one stop: Tab leaves it, or comes to entry, NULL = to the first;
 * arrows go as in its parent class, along the row no further than its ends. */
gboolean ui_stop_box_move (GtkWidget        *widget,
                           GtkDirectionType  direction,
                           GtkWidget        *entry,
                           GtkWidgetClass   *parent_class);

G_END_DECLS
