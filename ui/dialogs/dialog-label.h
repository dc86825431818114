/* SPDX-License-Identifier: MIT */
/* What a dialog says below its rows. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of any number of lines, empty; a person can select it, but the focus passes it by. role: a status or
 * an alert is said when it changes. */
GtkWidget *ui_dialog_label_new (const char        *css_class,
                                GtkAccessibleRole  role);

G_END_DECLS
