/* SPDX-License-Identifier: MIT */
/* The popover with the ways in which a model writes: what it shows, and what a person's choice
 * makes of a document. */
#include "ui/controls/writing-settings.h"

#include "tests/support/window/widget-driver.h"

typedef struct {
  GtkWidget     *settings;
  GtkWindow     *window;
  UiDocument    *document; /* changed as the window would */
  EngGeneration *own;      /* what the model says */
  guint          n_changes;
} Fixture;

/* The document's fields on top of the model's own; the engine's side of it is tested elsewhere. */
static void
show (Fixture *fixture)
{
  g_autoptr (EngGeneration) settings = eng_generation_copy (fixture->own);
  const UiDocument *document = fixture->document;

  if (document->max_new_tokens_set)
    settings->max_new_tokens = document->max_new_tokens;
  if (document->seed_set || document->beams_set) {
    settings->sample = document->seed_set;
    settings->n_beams = document->beams_set ? document->beams : 1;
  }
  if (document->temperature_set)
    settings->temperature = document->temperature;
  if (document->top_k_set)
    settings->top_k = document->top_k;
  ui_writing_settings_set (UI_WRITING_SETTINGS (fixture->settings), document, settings,
                           (guint64) document->seed);
}

static void
changed_cb (UiWritingSettings *settings,
            Fixture           *fixture)
{
  fixture->n_changes++;
  ui_writing_settings_apply (settings, fixture->document);
  show (fixture);
}

static void
set_up (Fixture       *fixture,
        gconstpointer  unused)
{
  fixture->document = ui_document_new ();
  fixture->own = eng_generation_new ();
  fixture->own->max_new_tokens = 33;
  fixture->settings = ui_writing_settings_new ();
  g_signal_connect (fixture->settings, "changed", G_CALLBACK (changed_cb), fixture);
  show (fixture);
  fixture->window = driver_show (fixture->settings, 400, 400);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  unused)
{
  gtk_window_destroy (fixture->window);
  ui_document_free (fixture->document);
  eng_generation_free (fixture->own);
}

static GtkWidget *
find_method (Fixture    *fixture,
             const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (fixture->settings, GTK_TYPE_TOGGLE_BUTTON, i)); i++)
    if (g_str_equal (gtk_button_get_label (GTK_BUTTON (button)), label))
      return button;
  g_assert_not_reached ();
}

static void
choose (Fixture    *fixture,
        const char *label)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_method (fixture, label)), TRUE);
}

static gboolean
is_chosen (Fixture    *fixture,
           const char *label)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find_method (fixture, label)));
}

/* The number beside a label; NULL when it is not in sight. */
static GtkSpinButton *
find_number (Fixture    *fixture,
             const char *label)
{
  GtkWidget *name = driver_find_label (fixture->settings, label);

  return name != NULL ? GTK_SPIN_BUTTON (gtk_widget_get_next_sibling (name)) : NULL;
}

static char *
get_field (Fixture    *fixture,
           const char *name)
{
  return ui_document_get (fixture->document, ui_fields_find (name));
}

static void
assert_field (Fixture    *fixture,
              const char *name,
              const char *expected)
{
  g_autofree char *value = get_field (fixture, name);

  g_assert_cmpstr (value, ==, expected);
}

static void
test_shown (Fixture       *fixture,
            gconstpointer  unused)
{
  g_assert_true (is_chosen (fixture, "Likeliest"));
  g_assert_cmpfloat (gtk_spin_button_get_value (find_number (fixture, "New tokens")), ==, 33);
  g_assert_null (find_number (fixture, "Beams"));
  g_assert_null (find_number (fixture, "Temperature"));
  g_assert_cmpuint (fixture->n_changes, ==, 0);

  fixture->own->n_beams = 5;
  show (fixture);
  driver_settle (fixture->settings);
  g_assert_true (is_chosen (fixture, "Search"));
  g_assert_cmpfloat (gtk_spin_button_get_value (find_number (fixture, "Beams")), ==, 5);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
}

static void
test_methods (Fixture       *fixture,
              gconstpointer  unused)
{
  choose (fixture, "Draw");
  driver_settle (fixture->settings);
  assert_field (fixture, "seed", "0");
  assert_field (fixture, "beams", "1");
  assert_field (fixture, "temperature", "");
  g_assert_nonnull (find_number (fixture, "Seed"));
  g_assert_null (find_number (fixture, "Beams"));

  gtk_spin_button_set_value (find_number (fixture, "Temperature"), 0.7);
  assert_field (fixture, "temperature", "0.7");
  gtk_spin_button_set_value (find_number (fixture, "Top k"), 40);
  assert_field (fixture, "top-k", "40");

  /* A method that draws nothing leaves none of its fields. */
  choose (fixture, "Search");
  driver_settle (fixture->settings);
  assert_field (fixture, "seed", "");
  assert_field (fixture, "temperature", "");
  assert_field (fixture, "top-k", "");
  assert_field (fixture, "beams", "4");
  choose (fixture, "Likeliest");
  assert_field (fixture, "beams", "1");
}

static void
test_reset (Fixture       *fixture,
            gconstpointer  unused)
{
  GtkWidget *reset = gtk_widget_get_last_child (gtk_widget_get_first_child (fixture->settings));

  g_assert_false (gtk_widget_get_sensitive (reset));
  gtk_spin_button_set_value (find_number (fixture, "New tokens"), 12);
  assert_field (fixture, "max-new-tokens", "12");
  g_assert_true (gtk_widget_get_sensitive (reset));
  g_signal_emit_by_name (reset, "clicked");
  assert_field (fixture, "max-new-tokens", "");
  g_assert_false (gtk_widget_get_sensitive (reset));
  g_assert_cmpfloat (gtk_spin_button_get_value (find_number (fixture, "New tokens")), ==, 33);
}

#define ADD(name, func) \
  g_test_add ("/writing-settings/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("shown", test_shown);
  ADD ("methods", test_methods);
  ADD ("reset", test_reset);
  return g_test_run ();
}
