/* SPDX-License-Identifier: MIT */
#include "ui/controls/quiet.h"

void
ui_quiet_set_label (GtkMenuButton *button,
                    const char    *label)
{
  if (g_strcmp0 (gtk_menu_button_get_label (button), label) != 0)
    gtk_menu_button_set_label (button, label);
}

/* Before the button's own. */
static gboolean
query_tooltip_cb (GtkMenuButton *button)
{
  GtkPopover *popover = gtk_menu_button_get_popover (button);

  if (popover != NULL && gtk_widget_get_visible (GTK_WIDGET (popover)))
    g_signal_stop_emission_by_name (button, "query-tooltip");
  return FALSE;
}

void
ui_quiet_hush_open_menu (GtkMenuButton *button)
{
  g_signal_handlers_disconnect_by_func (button, query_tooltip_cb, NULL);
  g_signal_connect (button, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
}

void
ui_quiet_set_tooltip (GtkWidget  *widget,
                      const char *text)
{
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) != 0)
    gtk_widget_set_tooltip_text (widget, text);
}
