/* SPDX-License-Identifier: MIT */
/* Real keys and clicks, from the X server that the test has to itself: what GTK makes of them,
 * focus and popovers too, is as on a desktop. Needs xdotool. */
#pragma once

#include <gtk/gtk.h>

/* Skips the test where it is FALSE. */
static inline gboolean
has_real_input (void)
{
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");

  if (xdotool == NULL)
    g_test_skip ("no xdotool");
  return xdotool != NULL;
}

static inline void
run_xdotool (const char *const *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (command, G_SUBPROCESS_FLAGS_NONE, &error);

  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
}

/* key as in "ctrl+shift+Page_Up". */
static inline void
press_key (const char *key)
{
  run_xdotool ((const char *const[]) { "xdotool", "key", key, NULL });
}

/* In the middle of a widget of a window that stands at the corner of the display. button: "1" */
static inline void
click_widget (GtkWidget  *widget,
              const char *button)
{
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_rect_t bounds;
  g_autofree char *x = NULL;
  g_autofree char *y = NULL;
  double left, top;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (native), &bounds));
  gtk_native_get_surface_transform (native, &left, &top);
  x = g_strdup_printf ("%d", (int) (left + bounds.origin.x + bounds.size.width / 2));
  y = g_strdup_printf ("%d", (int) (top + bounds.origin.y + bounds.size.height / 2));
  run_xdotool ((const char *const[]) { "xdotool", "mousemove", x, y, "click", button, NULL });
}
