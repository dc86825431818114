/* SPDX-License-Identifier: MIT */
/* Drives a widget as a person does, as far as GTK 4.8 lets a test: keys through the widget's own
 * bindings, the pointer through its own controllers. */
#pragma once

#include <gtk/gtk.h>

/* Starts GTK; FALSE without a display: return 77 then. */
gboolean    driver_init          (int         *argc,
                                  char      ***argv);

/* A window of that size around the widget, drawn once. Free it with gtk_window_destroy(). */
GtkWindow  *driver_show          (GtkWidget   *widget,
                                  int          width,
                                  int          height);
/* Waits until everything that is queued was laid out and drawn. */
void        driver_settle        (GtkWidget   *widget);
/* What the widget looks like; one pixel a unit. Transparent where nothing was drawn, as with a
 * widget that is hidden or was not drawn yet: wait for what must come. (transfer full) */
GdkTexture *driver_take_picture  (GtkWidget   *widget);

/* key as in "<Shift>Return". FALSE when the widget binds no such key or let the event pass. */
gboolean    driver_press_key     (GtkWidget   *widget,
                                  const char  *key);
void        driver_point_at      (GtkWidget   *widget,
                                  double       x,
                                  double       y);
void        driver_point_away    (GtkWidget   *widget);
/* n_press 2 = the second click of a double click. */
void        driver_click_at      (GtkWidget   *widget,
                                  int          n_press,
                                  double       x,
                                  double       y);

/* The index-th descendant of the type in tree order, or NULL. */
GtkWidget  *driver_find          (GtkWidget   *widget,
                                  GType        type,
                                  int          index);
/* Whether a label in sight below the widget says this. */
gboolean    driver_shows_text    (GtkWidget   *widget,
                                  const char  *text);
/* A label in sight below the widget that says part of this, or NULL. */
GtkWidget  *driver_find_label    (GtkWidget   *widget,
                                  const char  *part);
