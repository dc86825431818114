/* SPDX-License-Identifier: MIT */
/* A test that looks for heads in the real window. */
#pragma once

#include "app/shell/application.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"

#define N_LAYERS 6
#define N_HEADS 12
/* Words; more than what evidence is kept of. */
#define LONG_LINE 140

static inline gboolean
is_idle (AppWindow *window)
{
  return window_is_idle (window) && window_is_complete (window) && !window_has_link_job (window);
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

/* What Return does on a row of the list in sight. */
static inline void
open_row (GtkWidget *side,
          guint      index)
{
  for (int i = 0; ; i++) {
    GtkWidget *list = driver_find (side, GTK_TYPE_LIST_VIEW, i);

    g_assert_nonnull (list);
    if (gtk_widget_get_mapped (list) && gtk_widget_get_ancestor (list, GTK_TYPE_POPOVER) == NULL) {
      g_signal_emit_by_name (list, "activate", index);
      return;
    }
  }
}

/* The strongest of all heads for one link; what the trace holds. */
static inline double
find_strongest (EngTrace *trace,
                int       query,
                int       key,
                int      *best_layer,
                int      *best_head)
{
  double best = -1;

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);

    for (int head = 0; head < attention->n_heads; head++) {
      const gsize row = (gsize) head * attention->n_queries + query;
      const double weight = attention->weights[row * attention->n_keys + key];

      if (weight > best) {
        best = weight;
        *best_layer = layer;
        *best_head = head;
      }
    }
  }
  return best;
}

static inline void
assert_opened (AppWindow *window,
               int        layer,
               int        head,
               int        query,
               int        key)
{
  const UiDocument *shown = app_window_get_shown (window);

  g_assert_cmpint (shown->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (shown->layer, ==, layer);
  g_assert_cmpint (ui_head_set_count (&shown->heads, N_HEADS), ==, 1);
  g_assert_true (ui_head_set_has (&shown->heads, head));
  g_assert_cmpint (shown->pins.n_queries, ==, 1);
  g_assert_cmpint (shown->pins.queries[0], ==, query);
  g_assert_cmpint (shown->pins.n_keys, ==, 1);
  g_assert_cmpint (shown->pins.keys[0], ==, key);
}
