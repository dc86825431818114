/* SPDX-License-Identifier: MIT */
/* The popover with what is drawn: what it shows, and what a person's choice makes of a document. */
#include "ui/controls/display-settings.h"

#include "tests/support/window/widget-driver.h"

typedef struct {
  UiDisplaySettings *settings;
  GtkWindow         *window;
  UiDocument        *document; /* changed as the window would */
  guint              n_changes;
} Fixture;

static void
changed_cb (UiDisplaySettings *settings,
            Fixture           *self)
{
  self->n_changes++;
  ui_display_settings_apply (settings, self->document);
  ui_display_settings_set (settings, self->document);
}

/* half: "amount" or what is measured. */
static void
set_up (Fixture       *self,
        gconstpointer  half)
{
  self->document = ui_document_new ();
  self->settings = UI_DISPLAY_SETTINGS (ui_display_settings_new (half != NULL));
  g_signal_connect (self->settings, "changed", G_CALLBACK (changed_cb), self);
  ui_display_settings_set (self->settings, self->document);
  self->window = driver_show (GTK_WIDGET (self->settings), 400, 600);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->settings);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->settings);
  ui_document_free (self->document);
}

static GtkWidget *
find_check (Fixture    *self,
            const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (GTK_WIDGET (self->settings), GTK_TYPE_CHECK_BUTTON, i));
       i++)
    if (g_str_equal (gtk_check_button_get_label (GTK_CHECK_BUTTON (button)), label))
      return button;
  g_assert_not_reached ();
}

static void
assert_field (Fixture    *self,
              const char *field,
              const char *expected)
{
  g_autofree char *value = ui_document_get (self->document, ui_fields_find (field));

  g_assert_cmpstr (value, ==, expected);
}

/* The index-th slider: threshold, mass, gain. */
static GtkRange *
find_slider (Fixture *self,
             int      index)
{
  return GTK_RANGE (driver_find (GTK_WIDGET (self->settings), GTK_TYPE_SCALE, index));
}

static void
test_measure (Fixture       *self,
              gconstpointer  unused)
{
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (find_check (self, "Weight"))));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (self, "Rollout up to this layer")),
                               TRUE);
  assert_field (self, "measure", "rollout");
  g_assert_cmpuint (self->n_changes, ==, 1);
  g_assert_false (gtk_check_button_get_active (GTK_CHECK_BUTTON (find_check (self, "Weight"))));
}

/* Buttons in their order: each, mean, max of heads; one, mean, max of layers. */
static void
test_aggregates (Fixture       *self,
                 gconstpointer  unused)
{
  gtk_toggle_button_set_active (
    GTK_TOGGLE_BUTTON (driver_find (GTK_WIDGET (self->settings), GTK_TYPE_TOGGLE_BUTTON, 2)), TRUE);
  gtk_toggle_button_set_active (
    GTK_TOGGLE_BUTTON (driver_find (GTK_WIDGET (self->settings), GTK_TYPE_TOGGLE_BUTTON, 4)), TRUE);
  assert_field (self, "aggregate", "max");
  assert_field (self, "layers", "mean");
  g_assert_cmpuint (self->n_changes, ==, 2);
}

/* What a slider says is what the document holds, and the thumb stays where it was put. */
static void
test_sliders (Fixture       *self,
              gconstpointer  unused)
{
  g_assert_true (driver_shows_text (GTK_WIDGET (self->settings), "0.39 %"));
  g_assert_true (driver_shows_text (GTK_WIDGET (self->settings), "all"));
  g_assert_true (driver_shows_text (GTK_WIDGET (self->settings), "× 1.5"));

  /* 0.3³ = 0.027 */
  gtk_range_set_value (find_slider (self, 0), 0.3);
  assert_field (self, "threshold", "0.027");
  g_assert_true (driver_shows_text (GTK_WIDGET (self->settings), "2.7 %"));
  g_assert_cmpfloat (gtk_range_get_value (find_slider (self, 0)), ==, 0.3);
  gtk_range_set_value (find_slider (self, 0), 0);
  g_assert_true (driver_shows_text (GTK_WIDGET (self->settings), "none"));

  /* 0.01 + 0.99 · 0.5 = 0.505 */
  gtk_range_set_value (find_slider (self, 1), 0.5);
  g_assert_cmpfloat_with_epsilon (self->document->mass, 0.505, 0.006);
  /* 0.25 · 80^½ = 2.236 */
  gtk_range_set_value (find_slider (self, 2), 0.5);
  assert_field (self, "gain", "2.2");
  g_assert_cmpuint (self->n_changes, ==, 4);
}

/* A value from elsewhere moves the thumb; nobody chose it here. */
static void
test_set (Fixture       *self,
          gconstpointer  unused)
{
  self->document->threshold = 0.125;
  self->document->gain = 20;
  self->document->words = TRUE;
  ui_display_settings_set (self->settings, self->document);
  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (find_slider (self, 0)), 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (find_slider (self, 2)), 1, 1e-9);
  g_assert_true (gtk_check_button_get_active (
    GTK_CHECK_BUTTON (find_check (self, "Merge word pieces"))));
  g_assert_cmpuint (self->n_changes, ==, 0);
}

static void
test_flags (Fixture       *self,
            gconstpointer  unused)
{
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (self, "Hide special tokens")), TRUE);
  assert_field (self, "hide-special", "true");
  g_assert_cmpuint (self->n_changes, ==, 1);
}

/* Each half has its own rows alone. */
static void
test_half (Fixture       *self,
           gconstpointer  is_amount)
{
  g_assert_true ((driver_find (GTK_WIDGET (self->settings), GTK_TYPE_SCALE, 0) != NULL)
                 == (is_amount != NULL));
  g_assert_true (driver_shows_text (GTK_WIDGET (self->settings), "Measure")
                 == (is_amount == NULL));
}

static void
test_reset (Fixture       *self,
            gconstpointer  unused)
{
  g_autoptr (UiDocument) plain = ui_document_new ();
  GtkWidget *reset = driver_find (GTK_WIDGET (self->settings), GTK_TYPE_BUTTON, 6);

  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (reset)), ==, "Plain Weights");
  g_assert_false (gtk_widget_get_sensitive (reset));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (self, "Weight × value norm")), TRUE);
  g_assert_true (gtk_widget_get_sensitive (reset));

  self->n_changes = 0;
  g_signal_emit_by_name (reset, "clicked");
  g_assert_true (ui_document_equal (self->document, plain));
  g_assert_cmpuint (self->n_changes, ==, 1);
  g_assert_false (gtk_widget_get_sensitive (reset));
}

static void
test_reasons (Fixture       *self,
              gconstpointer  unused)
{
  GtkWidget *rollout = find_check (self, "Rollout up to this layer");
  g_autofree char *tooltip = g_strdup (gtk_widget_get_tooltip_text (rollout));

  ui_display_settings_set_reason (self->settings, "measure", "rollout", "no");
  g_assert_false (gtk_widget_get_sensitive (rollout));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (rollout), ==, "no");
  g_assert_true (gtk_widget_get_sensitive (find_check (self, "Weight")));
  ui_display_settings_set_reason (self->settings, "measure", NULL, NULL);
  g_assert_true (gtk_widget_get_sensitive (rollout));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (rollout), ==, tooltip);
}

static void
test_label (Fixture       *self,
            gconstpointer  unused)
{
  static const struct { const char *field, *value, *label; } steps[] = {
    { "layer", "1", "weight" },
    { "aggregate", "mean", "weight · mean" },
    { "layers", "max", "weight · mean · max of layers" },
    { "measure", "output-norm", "‖α v W_O‖ · mean · max of layers" },
    { "measure", "rollout", "rollout" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autofree char *label = NULL;

    ui_document_set (self->document, ui_fields_find (steps[i].field), steps[i].value, NULL);
    label = ui_display_settings_describe (self->document);
    g_assert_cmpstr (label, ==, steps[i].label);
  }
}

#define ADD(path, half, test) \
  g_test_add ("/display-settings/" path, Fixture, half, set_up, test, tear_down)
#define MEASURE NULL
#define AMOUNT  "amount"

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("measure", MEASURE, test_measure);
  ADD ("aggregates", MEASURE, test_aggregates);
  ADD ("sliders", AMOUNT, test_sliders);
  ADD ("set", AMOUNT, test_set);
  ADD ("flags", AMOUNT, test_flags);
  ADD ("half/measure", MEASURE, test_half);
  ADD ("half/amount", AMOUNT, test_half);
  ADD ("reset", MEASURE, test_reset);
  ADD ("reasons", MEASURE, test_reasons);
  ADD ("label", MEASURE, test_label);

  return g_test_run ();
}
