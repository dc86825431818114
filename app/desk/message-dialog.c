/* SPDX-License-Identifier: MIT */
#include "app/desk/message-dialog.h"

#include "ui/controls/dialog-keys.h"

/* The dialog has its heading twice, in large letters on one line and in smaller ones on several.
 * Which is shown depends on the width, but both are measured at it, and GTK, newer than 4.8, warns
 * of a line that is measured at less than it needs. One that could be cut needs next to nothing;
 * where it would be cut the other is shown. */
static void
relax_headings (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "title-2")
      && !gtk_label_get_wrap (GTK_LABEL (widget)))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_END);

  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL;
       child = gtk_widget_get_next_sibling (child))
    relax_headings (child);
}

GtkWidget *
app_message_dialog_new (GtkWindow  *parent,
                        const char *heading)
{
  GtkWidget *dialog = adw_message_dialog_new (parent, heading, NULL);

  relax_headings (dialog);
  ui_dialog_share_keys (GTK_WINDOW (dialog));
  return dialog;
}
