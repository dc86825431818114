/* SPDX-License-Identifier: MIT */
/* The steps of a trace file in the real window: what it has, what it cannot tell, and that a number
 * which somebody changed is told before all else. */
#include <string.h>

#include "engine/trace/trace-file.h"
#include "tests/app/shell/window-case.h"
#include "tests/support/temporary.h"
#include "tests/support/window/widget-driver.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-scene.h"

static UiScene *
get_scene (Fixture *fixture)
{
  return ui_scene_view_get_scene (window_view (fixture->window));
}

static void
open_trace (Fixture    *fixture,
            const char *path)
{
  UiDocument *document = ui_document_copy (app_window_get_document (fixture->window));

  g_free (document->trace_file);
  document->trace_file = g_strdup (path);
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
}

/* The pass on show as a file, whose head 11 of layer 3 has another weight of token changed to token 5;
 * -1 = none is changed. */
static char *
write_trace (Fixture    *fixture,
             const char *folder,
             int         changed)
{
  EngTrace *trace = app_window_get_trace (fixture->window);
  char *path = g_build_filename (folder, changed >= 0 ? "changed.safetensors" : "trace.safetensors",
                                 NULL);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 3);
  const gsize n = (gsize) attention->n_keys;
  g_autofree char *contents = NULL;
  float weight = 0.25f;
  char *found;
  gsize size;

  g_assert_true (eng_trace_file_write (trace, path, NULL));
  if (changed < 0)
    return path;
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  found = memmem (contents, size, attention->weights,
                  (gsize) attention->n_heads * n * n * sizeof (float));
  g_assert_nonnull (found);
  memcpy (found + ((11 * n + (gsize) changed) * n + 5) * sizeof (float), &weight, sizeof weight);
  g_assert_true (g_file_set_contents (path, contents, (gssize) size, NULL));
  return path;
}

static void
open_steps (Fixture    *fixture,
            const char *path)
{
  UiDocument *document;

  open_trace (fixture, path);
  activate (fixture, "win.view::steps");
  wait_until (ui_steps_get_n (get_scene (fixture)) > 0 && is_idle (fixture->window));
  document = ui_document_copy (app_window_get_document (fixture->window));
  document->layer = 3;
  ui_head_set_only (&document->heads, 11);
  ui_pins_clear (&document->pins);
  ui_pins_click (&document->pins, FALSE, 2, FALSE);
  document->step = eng_way_find_stage (ui_steps_scene_cast (get_scene (fixture))->way,
                                       ENG_PART_ATTENTION, ENG_STAGE_SOFTMAX);
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window) && get_drawn_document (fixture)->step > 0);
}

/* What the card of the softmax says of the number that it explains. */
static char *
read_check (Fixture  *fixture,
            gboolean *agrees)
{
  const UiStepsScene *steps = ui_steps_scene_cast (get_scene (fixture));
  const UiStepsPlace place = ui_steps_find_explained (steps, steps->step);

  return ui_steps_describe_check (steps, &place, agrees);
}

static GtkWidget *
find_button (GtkWidget  *box,
             const char *label)
{
  GtkWidget *button = NULL;

  for (int i = 0; (button = driver_find (box, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0)
      break;
  g_assert_nonnull (button);
  return button;
}

static void
test_plain (Fixture *fixture)
{
  char *folder = temporary_new ();
  g_autofree char *path = write_trace (fixture, folder, -1);
  g_autofree char *check = NULL;
  g_autofree char *said = NULL;
  GtkWidget *box = window_find (fixture->window, "what_if");
  const UiStepsScene *steps;
  gboolean agrees;

  open_steps (fixture, path);
  steps = ui_steps_scene_cast (get_scene (fixture));
  g_assert_false (eng_way_has_weights (steps->way));
  check = read_check (fixture, &agrees);
  g_assert_true (agrees);
  said = ui_steps_explain_stage (steps, eng_way_get_n_stages (steps->way) - 1);
  assert_contains (said, "a trace file ends here");
  g_assert_null (driver_find_label (window_find (fixture->window, "inspector"), "✗"));
  /* Nothing of other layers stands beside it. */
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "beside")));

  /* What needs no weights can be tried, and goes no further. */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (driver_find (box, GTK_TYPE_SPIN_BUTTON, 1)), 2);
  wait_until (eng_way_is_what_if (ui_steps_scene_cast (get_scene (fixture))->way)
              && is_idle (fixture->window));
  g_assert_false (gtk_widget_get_sensitive (find_button (box, "Feed Forward")));
  g_assert_false (gtk_widget_get_sensitive (driver_find (box, GTK_TYPE_CHECK_BUTTON, 4)));
  temporary_free (folder);
}

static void
test_changed (Fixture *fixture)
{
  char *folder = temporary_new ();
  g_autofree char *path = write_trace (fixture, folder, 2);
  g_autofree char *check = NULL;
  GtkWidget *wrong;
  gboolean agrees;

  open_steps (fixture, path);
  check = read_check (fixture, &agrees);
  g_assert_false (agrees);
  g_assert_true (g_str_has_prefix (check, "✗ The weight of “cat” (2) to "));
  assert_contains (check, " in head 11 of layer 3 is 0.2500, but queries and keys give 0.0000.");

  activate (fixture, "win.view::head");
  wait_until (get_drawn_document (fixture)->view == UI_VIEW_HEAD && is_idle (fixture->window));
  wrong = driver_find_label (window_find (fixture->window, "inspector"), "✗ The weight of ");
  g_assert_nonnull (wrong);
  assert_contains (gtk_label_get_label (GTK_LABEL (wrong)), " in head 11 of layer 3 is 0.2500, but ");
  temporary_free (folder);
}

static int
get_query (Fixture *fixture)
{
  return eng_way_get_query (ui_steps_scene_cast (get_scene (fixture))->way);
}

static void
open_unpinned (Fixture    *fixture,
               const char *path)
{
  UiDocument *document;

  open_steps (fixture, path);
  wait_until (get_query (fixture) == 2);
  document = ui_document_copy (app_window_get_document (fixture->window));
  ui_pins_clear (&document->pins);
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window) && get_query (fixture) != 2);
}

/* Where nobody has chosen a token, one whose row is wrong is shown: its line is red at once. */
static void
test_unpinned (Fixture *fixture)
{
  char *folder = temporary_new ();
  g_autofree char *plain = write_trace (fixture, folder, -1);
  g_autofree char *changed = write_trace (fixture, folder, 10);
  g_autofree char *check = NULL;
  gboolean agrees;

  open_unpinned (fixture, plain);
  g_assert_cmpint (get_query (fixture), !=, 10);
  open_unpinned (fixture, changed);
  g_assert_cmpint (get_query (fixture), ==, 10);
  check = read_check (fixture, &agrees);
  g_assert_false (agrees);
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_data_func ("/window-steps-file/plain", test_plain, run_test);
  g_test_add_data_func ("/window-steps-file/changed", test_changed, run_test);
  g_test_add_data_func ("/window-steps-file/unpinned", test_unpinned, run_test);
  return g_test_run ();
}
