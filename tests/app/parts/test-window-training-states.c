/* SPDX-License-Identifier: MIT */
/* The states that a training has kept, in the real window: gone through by hand, by keys and by
 * themselves; each of them in every view, edited and compared. The first test makes a training, which
 * the others open. */
#include "tests/app/parts/training-case.h"
#include "ui/lists/score-curve.h"

#define NAME "states"
/* Kept before the newest weights. */
#define N_KEPT 3

static gboolean
is_settled (AppWindow *window)
{
  return is_idle (window) && window_is_complete (window);
}

/* "states at step 10" */
static gboolean
shows_place (AppWindow *window,
             int        place)
{
  g_autofree char *label = g_strdup (window_get_label (window, "training_step"));
  g_autofree char *name = place == get_last_place (window)
                            ? g_strdup (NAME) : g_strdup_printf (NAME " at %s", label);

  return get_place (window) == place && shows_model (window, name);
}

static void
open_states (AppWindow *window)
{
  g_autofree char *folder = dup_folder (NAME);

  window_open_model (window, folder);
  wait_until (says (window, "Paused at step ") && is_settled (window));
  g_assert_cmpint (get_last_place (window), >=, N_KEPT);
}

static void
go_to (AppWindow *window,
       int        place)
{
  gtk_range_set_value (get_timeline (window), place);
  wait_until (is_settled (window) && shows_place (window, place));
}

/* The model that is shown is that of the place: with the sentence and the head as they were, and
 * weights that are another state's. */
static void
test_timeline (AppWindow *window)
{
  g_autofree char *folder = dup_folder (NAME);
  g_autoptr (UiDocument) before = NULL, after = NULL;
  g_autoptr (EngAttention) last = NULL, first = NULL;
  EngTrace *trace;

  begin_toy (window, NAME);
  wait_until (get_last_place (window) >= N_KEPT);
  activate (window, "win.pause-training");
  wait_until (says (window, "Paused at step ") && is_settled (window));
  before = ui_document_copy (app_window_get_document (window));
  g_assert_cmpstr (before->model, ==, folder);
  g_assert_cmpint (get_place (window), ==, get_last_place (window));
  last = eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_DECODER, 0);

  go_to (window, 0);
  g_assert_true (shows_model (window, NAME " at step 0"));
  g_assert_cmpstr (window_get_label (window, "training_step"), ==, "step 0");
  g_assert_true (gtk_widget_get_visible (window_find (window, "training_bar")));
  trace = app_window_get_trace (window);
  first = eng_trace_dup_attention (trace, ENG_KIND_DECODER, 0);
  g_assert_cmpint (first->n_keys, ==, last->n_keys);
  g_assert_cmpint (memcmp (first->weights, last->weights,
                           (gsize) (first->n_heads * first->n_keys * first->n_keys)
                             * sizeof (float)), !=, 0);
  after = ui_document_copy (app_window_get_document (window));
  ui_replace_text (&after->model, before->model);
  g_assert_true (ui_document_equal (after, before));

  /* One step takes the place back. */
  activate (window, "win.undo");
  wait_until (is_settled (window) && shows_place (window, get_last_place (window)));
}

static void
press_key (AppWindow  *window,
           const char *key,
           int         place)
{
  g_assert_true (driver_press_key (GTK_WIDGET (get_timeline (window)), key));
  wait_until (is_settled (window) && shows_place (window, place));
}

/* A key goes on by one state, to the first or to the last, and not beyond them. */
static void
test_keys (AppWindow *window)
{
  int last;

  open_states (window);
  last = get_last_place (window);
  press_key (window, "Home", 0);
  press_key (window, "Left", 0);
  press_key (window, "Right", 1);
  press_key (window, "Right", 2);
  press_key (window, "Left", 1);
  press_key (window, "End", last);
  press_key (window, "Right", last);
  press_key (window, "Left", last - 1);
}

static gboolean
plays (AppWindow *window)
{
  GtkButton *button = GTK_BUTTON (window_find (window, "play_training_button"));

  return g_str_equal (gtk_button_get_icon_name (button), "media-playback-pause-symbolic");
}

/* From the first state, where the last one is shown, to the last one, through each of them. */
static void
test_play (AppWindow *window)
{
  open_states (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.play-training", NULL);
  g_assert_true (plays (window));
  for (int place = 0; place <= get_last_place (window); place++)
    wait_until (shows_place (window, place));
  wait_until (!plays (window));

  /* The same button stops it on its way, and what is shown stays. */
  go_to (window, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.play-training", NULL);
  wait_until (shows_place (window, 1));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.play-training", NULL);
  g_assert_false (plays (window));
  let_pass (1500);
  g_assert_true (shows_place (window, 1));
}

/* The picture is of the state that is shown, in every view. */
static void
look_at_views (AppWindow *window,
               int        place)
{
  static const char *const views[] = { "head", "neuron", "model", "matrix", "steps" };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autofree char *action = g_strconcat ("win.view::", views[i], NULL);
    UiScene *scene;

    activate (window, action);
    wait_until (is_settled (window) && shows_place (window, place));
    scene = ui_scene_view_get_scene (window_view (window));
    g_assert_nonnull (scene);
    g_assert_true (ui_scene_get_trace (scene) == app_window_get_trace (window));
    g_assert_cmpint (app_window_get_shown (window)->view, ==, (int) i);
    g_assert_false (window_reveals (window, "notice_revealer"));
  }
  activate (window, "win.view::head");
}

/* Head 0 of layer 0 reads nothing, at the state that is shown, and is itself again without. */
static void
edit_state (AppWindow *window,
            int        place)
{
  g_autoptr (EngAttention) edited = NULL, plain = NULL;
  const int n = eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_DECODER);

  plain = eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_DECODER, 0);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", "uniform 0.0"));
  wait_until (is_settled (window) && shows_place (window, place));
  edited = eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_DECODER, 0);
  for (int key = 0; key < n; key++)
    g_assert_cmpfloat_with_epsilon (edited->weights[(n - 1) * n + key], 1.0 / n, 1e-6);
  g_assert_cmpint (memcmp (edited->weights, plain->weights,
                           (gsize) (n * n) * sizeof (float)), !=, 0);
  activate (window, "win.clear-edits");
  wait_until (is_settled (window));
}

static void
test_views (AppWindow *window)
{
  int places[3];

  open_states (window);
  places[0] = 0;
  places[1] = get_last_place (window) / 2;
  places[2] = get_last_place (window);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    go_to (window, places[i]);
    look_at_views (window, places[i]);
    edit_state (window, places[i]);
  }
}

/* The state that is shown beside the newest one, by the comparison of models; where that is on show,
 * the first one is. */
static void
test_compare (AppWindow *window)
{
  g_autofree char *folder = dup_folder (NAME);

  open_states (window);
  for (int place = get_last_place (window); place >= 0; place--) {
    const UiDocument *document;
    g_autofree char *step = NULL;

    activate (window, "win.compare::off");
    go_to (window, place);
    step = g_strdup (place == get_last_place (window)
                       ? "0" : window_get_label (window, "training_step") + strlen ("step "));
    activate (window, "win.compare-steps");
    wait_until (is_settled (window) && window_get_second_trace (window) != NULL);
    document = app_window_get_document (window);
    g_assert_cmpint (document->compare, ==, UI_COMPARE_SIDES);
    g_assert_cmpstr (document->compare_model, ==, folder);
    g_assert_true (g_str_has_suffix (document->model, step));
  }
}

/* By its name, as the model menu and the command line open it, it is the newest state, too. */
static void
test_name (AppWindow *window)
{
  window_open_model (window, NAME);
  wait_until (says (window, "Paused at step ") && is_settled (window));
  g_assert_cmpstr (app_window_get_document (window)->model, ==, NAME);
  g_assert_cmpint (get_last_place (window), >=, N_KEPT);
  g_assert_true (shows_place (window, get_last_place (window)));
  g_assert_true (g_str_has_prefix (window_get_label (window, "training_step"), "step "));
}

/* Each head has a line, which is said in words. */
static void
test_scores (AppWindow *window)
{
  UiScoreCurve *curve;
  g_autofree char *words = NULL;

  open_states (window);
  curve = UI_SCORE_CURVE (window_find (window, "training_scores"));
  wait_until ((words = ui_score_curve_dup_words (curve), g_str_has_prefix (words, "head "))
              || (g_free (words), FALSE));
  g_assert_nonnull (strstr (words, " at step "));
}

#define ADD(name, func)                                                                           \
  g_test_add_data_func ("/window-training-states/" name, func, run_test)

int
main (int    argc,
      char **argv)
{
  if (!begin_tests (&argc, &argv))
    return 77;

  ADD ("timeline", test_timeline);
  ADD ("keys", test_keys);
  ADD ("play", test_play);
  ADD ("views", test_views);
  ADD ("compare", test_compare);
  ADD ("name", test_name);
  ADD ("scores", test_scores);

  return end_tests ();
}
