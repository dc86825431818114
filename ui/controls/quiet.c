/* SPDX-License-Identifier: MIT */
#include "ui/controls/quiet.h"

void
ui_quiet_set_label (GtkMenuButton *button,
                    const char    *label)
{
  if (g_strcmp0 (gtk_menu_button_get_label (button), label) != 0)
    gtk_menu_button_set_label (button, label);
}

void
ui_quiet_set_tooltip (GtkWidget  *widget,
                      const char *text)
{
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) != 0)
    gtk_widget_set_tooltip_text (widget, text);
}

void
ui_quiet_reveal (GtkRevealer *revealer,
                 gboolean     is_revealed)
{
  if (is_revealed)
    gtk_widget_set_visible (gtk_revealer_get_child (revealer), TRUE);
  gtk_revealer_set_reveal_child (revealer, is_revealed);
}
