/* SPDX-License-Identifier: MIT */
/* A test in the real window: run_test() starts the application with the example pair, waits for its
 * picture, and calls the body, a void (*) (AppWindow *). What the others do, they wait for. */
#pragma once

#include "app/shell/application.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"

static inline gboolean
is_idle (AppWindow *window)
{
  return window_is_idle (window) && !window_awaits_picture (window);
}

static inline void
run_body (GApplication *application,
          gpointer      data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  void (*body) (AppWindow *) = data;

  wait_until (is_idle (APP_WINDOW (window)));
  body (APP_WINDOW (window));
  gtk_window_destroy (window);
}

static inline void
run_test (gconstpointer body)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  AppApplication *application = app_application_new (document);

  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), (gpointer) body);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
}

static inline void
activate (AppWindow  *window,
          const char *detailed_name)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed_name, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), name, target));
  wait_until (is_idle (window));
}
