/* SPDX-License-Identifier: MIT */
/* A test in the real window with a model that writes or answers. It is untrained; its texts are token
 * ids unless a real tokenizer lies beside the project. */
#pragma once

#include <unistd.h>

#include "app/shell/application.h"
#include "tests/support/untrained.h"
#include "tests/support/wait.h"
#include "tests/support/window/window-access.h"

typedef struct {
  AppWindow *window;
  char      *folder;
} Fixture;

typedef struct {
  void      (*body) (Fixture *fixture);
  const char *config;
  const char *tokenizer; /* folder of the shared data; NULL = texts are ids */
  const char *text_a;
  const char *text_b;
  int         max_new_tokens;
  int         written;
  gboolean    is_trained; /* opens without random weights, which is refused */
} Test;

static const Test *running;
static char *running_folder;

static inline gboolean
is_idle (AppWindow *window)
{
  return window_is_idle (window) && !window_get_written (window)->is_running;
}

static inline void
run_body (GApplication *application,
          gpointer      unused)
{
  Fixture fixture = { .folder = running_folder };

  fixture.window = APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  wait_until (app_window_get_shown (fixture.window) != NULL);
  running->body (&fixture);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static inline void
copy_tokenizer (const char *tokenizer,
                const char *folder)
{
  g_autofree char *target = g_build_filename (folder, "tokenizer.json", NULL);

  g_assert_cmpint (symlink (tokenizer, target), ==, 0);
}

static inline UiDocument *
make_document (const Test *test,
               const char *folder)
{
  UiDocument *document = ui_document_new ();

  g_free (document->text_a);
  g_free (document->text_b);
  document->model = g_strdup (folder);
  document->random_weights_set = !test->is_trained;
  document->random_weights = 5;
  document->max_new_tokens_set = test->max_new_tokens > 0;
  document->max_new_tokens = test->max_new_tokens;
  document->written = test->written;
  document->text_a = g_strdup (test->text_a);
  document->text_b = g_strdup (test->text_b);

  return document;
}

static inline void
run_test (gconstpointer data)
{
  const Test *test = data;
  g_autofree char *folder = NULL;
  g_autofree char *tokenizer = NULL;
  g_autoptr (UiDocument) document = NULL;
  AppApplication *application;

  if (test->tokenizer != NULL) {
    tokenizer = g_build_filename (g_getenv ("HEADLIGHT_SHARED"), "data", "tokenizers",
                                  test->tokenizer, "tokenizer.json", NULL);
    if (!g_file_test (tokenizer, G_FILE_TEST_EXISTS)) {
      g_test_skip ("no shared data");
      return;
    }
  }

  folder = untrained_new (test->config);
  if (tokenizer != NULL)
    copy_tokenizer (tokenizer, folder);
  document = make_document (test, folder);
  running = test;
  running_folder = folder;
  application = app_application_new (document);
  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), NULL);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
  temporary_free (g_steal_pointer (&folder));
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

static inline void
type (Fixture    *fixture,
      const char *text_a,
      const char *text_b)
{
  gtk_editable_set_text (GTK_EDITABLE (window_find (fixture->window, "entry_a")), text_a);
  gtk_editable_set_text (GTK_EDITABLE (window_find (fixture->window, "entry_b")), text_b);
}
