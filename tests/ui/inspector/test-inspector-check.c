/* SPDX-License-Identifier: MIT */
/* How the inspector checks the numbers of a cell. */
#include "tests/ui/inspector/inspector-case.h"

#include <string.h>

#include "engine/trace/trace-file.h"
#include "engine/trace/trace-private.h"

static void
set_neuron_view (Fixture *self)
{
  self->document->view = UI_VIEW_NEURON;
  ui_head_set_only (&self->document->heads, 1);
}

/* √5 ln 0.6 = -1.142 for q·k of the strong key; ÷ √5 = -0.511; e^-0.511 ÷ Σ = 0.6. */
static void
test_check (Fixture       *self,
            gconstpointer  unused)
{
  GtkWidget *verdict;

  set_neuron_view (self);
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  assert_text (self, "“w1” (1) reads “[SEP]” (2) with weight 0.60 in head 1 of layer 0.");
  assert_text (self, "q · k = −1.142");
  assert_text (self, "÷ √5 = −0.511");
  assert_text (self, "e^−0.511 ÷ Σ = 0.6000");
  verdict = driver_find_label (GTK_WIDGET (self->inspector), "The model says 0.6000");
  g_assert_nonnull (verdict);
  g_assert_true (gtk_widget_has_css_class (verdict, "success"));

  /* The cell follows the pointer along the pinned row. √5 ln 0.1 = -5.149. */
  point_at (self, &(UiItem) { .type = UI_ITEM_SOFTMAX, .query = 1, .key = 4 });
  assert_text (self, "q · k = −5.149");
  assert_text (self, "e^−2.303 ÷ Σ = 0.1000");
  assert_row (self, 0, "Dimension 4: q −5.149 × k 1.000 = −5.15");
}

/* From the weight on to the output of the head; numbers of torch (fixtures/scene/flies.json). */
static void
test_check_output (Fixture       *self,
                   gconstpointer  unused)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "scene", "flies.safetensors", NULL);
  g_autoptr (GError) error = NULL;

  set_neuron_view (self);
  ui_pins_click (&self->document->pins, FALSE, 2, FALSE);
  show (self);
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "Σ softmax × v"));

  eng_trace_unref (self->trace);
  self->trace = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  ui_head_set_only (&self->document->heads, 8);
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_VALUE_CELL, .query = 2, .key = 8 });
  assert_text (self, "× ‖v‖ 2.776 = 0.3901\n‖Σ softmax × v‖ = 0.7087, from weights and values");
  point_at (self, &(UiItem) { .type = UI_ITEM_SOFTMAX, .query = 2, .key = 0 });
  assert_text (self, "× ‖v‖ 0.302 = 0.1023\n‖Σ softmax × v‖ = 0.7087, from weights and values");
}

/* What an edit makes of the head's output is part of what is said of it. */
static void
test_check_scaled (Fixture       *self,
                   gconstpointer  unused)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "scene", "flies.safetensors", NULL);
  g_autoptr (GError) error = NULL;

  set_neuron_view (self);
  ui_pins_click (&self->document->pins, FALSE, 2, FALSE);
  eng_trace_unref (self->trace);
  self->trace = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  g_strfreev (self->trace->edit_texts);
  self->trace->edit_texts = g_strdupv ((char *[]) { "scale 0.8 0.5", NULL });
  ui_head_set_only (&self->document->heads, 8);
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_VALUE_CELL, .query = 2, .key = 8 });
  assert_text (self, "× ‖v‖ 2.776 = 0.3901\n‖0.5 × Σ softmax × v‖ = 0.3544, from weights and "
                     "values");
}

static void
test_check_differs (Fixture       *self,
                    gconstpointer  unused)
{
  GtkWidget *verdict;

  made_trace_falsify (self->trace, 0, 1, 1, 4, 0.1001f);
  set_neuron_view (self);
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_SOFTMAX, .query = 1, .key = 4 });
  verdict = driver_find_label (GTK_WIDGET (self->inspector), "The model says 0.1001\n✗ differs");
  g_assert_nonnull (verdict);
  g_assert_true (gtk_widget_has_css_class (verdict, "error"));
  g_assert_false (gtk_widget_has_css_class (verdict, "success"));

  /* Its neighbour is still right, and no longer red. */
  point_at (self, &(UiItem) { .type = UI_ITEM_SOFTMAX, .query = 1, .key = 3 });
  verdict = driver_find_label (GTK_WIDGET (self->inspector), "The model says");
  g_assert_nonnull (verdict);
  g_assert_false (gtk_widget_has_css_class (verdict, "error"));
}

/* In every view a row is not what its queries and keys give, whichever of its cells is shown. */
static void
test_wrong_row (Fixture       *self,
                gconstpointer  unused)
{
  const UiViewKind views[] = { UI_VIEW_HEAD, UI_VIEW_NEURON, UI_VIEW_MATRIX };

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    GtkWidget *wrong;

    self->document->view = views[i];
    ui_head_set_only (&self->document->heads, 1);
    ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
    show (self);
    g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "✗"));
    made_trace_falsify (self->trace, 0, 1, 1, 4, 0.25f);
    show (self);
    wrong = driver_find_label (GTK_WIDGET (self->inspector), "✗ The weight of “w1” (1) to ");
    g_assert_nonnull (wrong);
    g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (wrong)),
                              " in head 1 is 0.2500, but queries and keys give 0.1000."));
    g_assert_true (gtk_widget_has_css_class (wrong, "error"));
    made_trace_falsify (self->trace, 0, 1, 1, 4, 0.1f);
    ui_pins_clear (&self->document->pins);
    show (self);
    g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "✗"));
  }
}

static void
test_check_without_vectors (Fixture       *self,
                            gconstpointer  unused)
{
  made_trace_forget_vectors (self->trace);
  set_neuron_view (self);
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector), "no queries and keys"));
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "q · k ="));
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "Dimensions that decide"));
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("check", test_check);
  ADD ("check-output", test_check_output);
  ADD ("check-scaled", test_check_scaled);
  ADD ("check-differs", test_check_differs);
  ADD ("wrong-row", test_wrong_row);
  ADD ("check-without-vectors", test_check_without_vectors);
  return g_test_run ();
}
