/* SPDX-License-Identifier: MIT */
#include "app/desk/message-dialog.h"

#include "ui/controls/dialog-keys.h"

/* More than three dots take beside the margins, and less than any dialog has. */
#define LEAST_WIDTH 150 /* px */

/* The dialog has its heading twice, in large letters on one line and in smaller ones on several.
 * Which is shown depends on the width, but both are measured at the least one, which is that of the
 * widest letter of the text below them, and GTK, newer than 4.8, warns of a line that is measured at
 * less than it needs. One that could be cut needs its three dots, and where it would be cut the other
 * is shown; the least width leaves room for these. */
static void
relax_headings (GtkWidget *widget)
{
  if (gtk_widget_has_css_class (widget, "title-2"))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_END);
  else if (gtk_widget_has_css_class (widget, "body"))
    gtk_widget_set_size_request (widget, LEAST_WIDTH, -1);

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
