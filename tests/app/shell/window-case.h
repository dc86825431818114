/* SPDX-License-Identifier: MIT */
/* A test in the real window with the real worker and the bundled model: what a person does is done
 * to its controls and actions, and what a person would see is read from its widgets. */
#pragma once

#include <string.h>

#include "app/shell/application.h"
#include "tests/support/wait.h"
#include "tests/support/window/window-access.h"

typedef struct {
  AppApplication *application;
  AppWindow      *window;
} Fixture;

static inline gboolean
is_idle (AppWindow *window)
{
  return !window_is_waiting (window) && !window_will_submit (window);
}

/* The body of a test, in the running application, once the first picture is there. */
static inline void
run_body (GApplication *application,
          gpointer      data)
{
  Fixture fixture = { .application = APP_APPLICATION (application) };
  void (*body) (Fixture *) = data;

  fixture.window = APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  wait_until (window_is_idle (fixture.window));
  body (&fixture);
  if (gtk_application_get_windows (GTK_APPLICATION (application)) != NULL)
    gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static inline void
run_application (AppApplication  *application,
                 gconstpointer    body)
{
  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), (gpointer) body);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
}

static inline void
run_test (gconstpointer data)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  run_application (app_application_new (document), data);
}

static inline void
activate (Fixture    *fixture,
          const char *detailed_name)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed_name, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->window), name, target));
}

static inline gboolean
is_enabled (Fixture    *fixture,
            const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), name);
}

static inline void
type (Fixture    *fixture,
      const char *text_a,
      const char *text_b)
{
  gtk_editable_set_text (GTK_EDITABLE (window_find (fixture->window, "entry_a")), text_a);
  gtk_editable_set_text (GTK_EDITABLE (window_find (fixture->window, "entry_b")), text_b);
  wait_until (is_idle (fixture->window));
}

/* "[CLS] the cat … [SEP]" of what is drawn. */
static inline char *
get_drawn_text (Fixture *fixture)
{
  UiScene *scene = ui_scene_view_get_scene (window_view (fixture->window));
  const EngTokens *tokens = eng_trace_get_query_tokens (ui_scene_get_trace (scene),
                                                        ENG_KIND_ENCODER);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", tokens->texts[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static inline void
assert_drawn (Fixture    *fixture,
              const char *expected)
{
  g_autofree char *text = get_drawn_text (fixture);

  g_assert_cmpstr (text, ==, expected);
}

static inline const UiDocument *
get_drawn_document (Fixture *fixture)
{
  return ui_scene_get_document (ui_scene_view_get_scene (window_view (fixture->window)));
}

static inline gboolean
has_notice (Fixture *fixture)
{
  return window_reveals (fixture->window, "notice_revealer");
}

static inline void
assert_contains (const char *text,
                 const char *words)
{
  if (strstr (text, words) == NULL) {
    g_test_message ("“%s” does not contain “%s”", text, words);
    g_test_fail ();
  }
}
