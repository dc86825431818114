/* SPDX-License-Identifier: MIT */
/* Scenes that take long to build in the real window: the picture before stays until they are there,
 * what is chosen meanwhile comes instead, and their numbers are those that are computed at once. */
#include "tests/support/window/window-test.h"

#include "engine/trace/trace-file.h"
#include "tests/support/made-trace.h"
#include "tests/support/temporary.h"
#include "ui/view/minimap.h"

/* One layer is drawn at once, a rollout of all is not. */
#define N_TOKENS 256
#define N_HEADS 4
#define N_LAYERS 8

/* The file of a made trace, in a folder that *folder becomes. */
static char *
write_trace (int    n_tokens,
             char **folder)
{
  g_autoptr (EngTrace) trace = made_trace_new (n_tokens / 2, n_tokens / 2, N_HEADS, N_LAYERS);
  g_autoptr (GError) error = NULL;
  char *path;

  *folder = temporary_new ();
  path = g_build_filename (*folder, "trace.safetensors", NULL);
  made_trace_forget_vectors (trace);
  g_assert_true (eng_trace_file_write (trace, path, &error));
  g_assert_no_error (error);
  return path;
}

/* The last layer's cells under its weights. Returns the file. */
static char *
open_long (AppWindow  *window,
           char      **folder)
{
  char *path = write_trace (N_TOKENS, folder);
  UiDocument *document;

  window_open_trace (window, path);
  wait_until (is_idle (window)
              && eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_ENCODER)
                                  == N_TOKENS);
  document = ui_document_copy (app_window_get_document (window));
  document->view = UI_VIEW_MATRIX;
  document->layer = N_LAYERS - 1;
  window_change (window, document);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, N_LAYERS - 1);
  return path;
}

static void
remove_trace (char *path,
              char *folder)
{
  g_free (path);
  temporary_free (folder);
}

static UiScene *
get_scene (AppWindow *window)
{
  return ui_scene_view_get_scene (window_view (window));
}

/* Without waiting for what comes of it. */
static void
choose (AppWindow  *window,
        const char *measure)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.measure", "s", measure));
}

/* A file without queries and keys says so where its neurons would stand, and nowhere else. */
static void
test_no_vectors (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);
  GtkWidget *page = window_find (window, "lacking_page");

  g_assert_false (gtk_widget_get_mapped (page));
  activate (window, "win.view::neuron");
  wait_until (gtk_widget_get_mapped (page));
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (page)),
                            "of layer 7 makes its weights"));
  activate (window, "win.table");
  g_assert_false (gtk_widget_get_visible (page));
  activate (window, "win.table");
  activate (window, "win.view::head");
  wait_until (!gtk_widget_get_visible (page));
  remove_trace (path, folder);
}

/* The scene may have been laid out anew, to make room for the progress. */
static void
assert_weights (AppWindow *window)
{
  g_assert_cmpint (app_window_get_shown (window)->measure, ==, ENG_MEASURE_WEIGHT);
  g_assert_cmpint (ui_scene_get_document (get_scene (window))->measure, ==, ENG_MEASURE_WEIGHT);
}

/* The numbers of the picture beside those of the same file that nobody has drawn. */
static void
assert_rollout (AppWindow  *window,
                const char *path,
                int         layer)
{
  const UiWeights *weights = ui_scene_get_weights (get_scene (window));
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = eng_trace_file_open (path, &error);
  g_autoptr (EngAttention) rollout = NULL;
  gsize n = (gsize) N_TOKENS * N_TOKENS * sizeof *rollout->weights;

  g_assert_no_error (error);
  rollout = eng_measures_dup_block (trace, ENG_KIND_ENCODER, layer, ENG_MEASURE_ROLLOUT, NULL,
                                    &error);
  g_assert_no_error (error);
  g_assert_cmpint (app_window_get_shown (window)->measure, ==, ENG_MEASURE_ROLLOUT);
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, layer);
  g_assert_cmpint (weights->attention->n_queries, ==, N_TOKENS);
  g_assert_cmpmem (weights->attention->weights, n, rollout->weights, n);
}

static void
test_rollout (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);
  UiScene *before = get_scene (window);

  choose (window, "rollout");
  g_assert_true (window_awaits_picture (window));
  g_assert_cmpint (window_get_wanted (window)->measure, ==, ENG_MEASURE_ROLLOUT);
  g_assert_cmpint (app_window_get_shown (window)->measure, ==, ENG_MEASURE_WEIGHT);
  g_assert_true (get_scene (window) == before);
  wait_until (is_idle (window));
  assert_rollout (window, path, N_LAYERS - 1);
  g_assert_false (window_has_drawing (window));
  remove_trace (path, folder);
}

/* Keys that come faster than pictures each count, and the last one is what is shown. */
static void
test_latest (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);

  choose (window, "rollout");
  for (int i = 0; i < 3; i++)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.previous-layer", NULL);
  g_assert_cmpint (app_window_get_document (window)->layer, ==, N_LAYERS - 4);
  wait_until (is_idle (window));
  assert_rollout (window, path, N_LAYERS - 4);
  remove_trace (path, folder);
}

static void
test_leave (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);

  choose (window, "rollout");
  choose (window, "weight");
  g_assert_false (window_awaits_picture (window));
  wait_until (!window_has_drawing (window));
  assert_weights (window);
  /* What was left is not lost for good. */
  choose (window, "rollout");
  wait_until (is_idle (window));
  assert_rollout (window, path, N_LAYERS - 1);
  remove_trace (path, folder);
}

static void
test_escape (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);

  choose (window, "rollout");
  g_assert_true (driver_press_key (GTK_WIDGET (window), "Escape"));
  g_assert_cmpint (app_window_get_document (window)->measure, ==, ENG_MEASURE_WEIGHT);
  g_assert_false (window_awaits_picture (window));
  wait_until (!window_has_drawing (window));
  assert_weights (window);
  remove_trace (path, folder);
}

/* Another trace while the numbers of the first are put together. */
static void
test_other_trace (AppWindow *window)
{
  char *folder, *small_folder;
  char *path = open_long (window, &folder);
  char *small = write_trace (6, &small_folder);

  choose (window, "rollout");
  window_open_trace (window, small);
  wait_until (is_idle (window) && !window_has_drawing (window));
  g_assert_cmpint (eng_trace_get_n_queries (ui_scene_get_trace (get_scene (window)),
                                            ENG_KIND_ENCODER), ==, 6);
  g_assert_cmpint (app_window_get_shown (window)->measure, ==, ENG_MEASURE_ROLLOUT);
  remove_trace (path, folder);
  remove_trace (small, small_folder);
}

/* Both sides are long. */
static void
test_difference (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);
  UiDocument *document = ui_document_copy (app_window_get_document (window));

  document->compare = UI_COMPARE_DIFFERENCE;
  document->compare_layer_set = TRUE;
  document->compare_layer = 0;
  document->measure = ENG_MEASURE_ROLLOUT;
  window_change (window, document);
  g_assert_true (window_awaits_picture (window));
  wait_until (is_idle (window) && window_get_second_trace (window) != NULL);
  g_assert_cmpint (app_window_get_shown (window)->compare, ==, UI_COMPARE_DIFFERENCE);
  g_assert_true (get_scene (window) != NULL && !window_has_drawing (window));
  remove_trace (path, folder);
}

/* The window waits for the thread, which ends soon. */
static void
test_close (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);

  choose (window, "rollout");
  g_assert_true (window_has_drawing (window));
  remove_trace (path, folder);
}

static void
count_cb (int *n)
{
  *n += 1;
}

/* At rest nothing asks for another layout, the small map of a long picture neither: it follows each, and
 * would have the window laid out for ever. */
static void
test_rest (AppWindow *window)
{
  char *folder;
  char *path = open_long (window, &folder);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  UiDocument *document = ui_document_copy (app_window_get_document (window));
  int n_layouts = 0;

  document->view = UI_VIEW_HEAD;
  window_change (window, document);
  wait_until (is_idle (window) && ui_scene_view_is_complete (window_view (window)));
  g_assert_true (gtk_widget_get_visible (driver_find (GTK_WIDGET (window), UI_TYPE_MINIMAP, 0)));
  /* What fades, and what is said for a while. */
  let_pass (4000);
  g_signal_connect_swapped (clock, "layout", G_CALLBACK (count_cb), &n_layouts);
  let_pass (1000);
  g_assert_cmpint (n_layouts, <=, 3);
  g_signal_handlers_disconnect_by_func (clock, count_cb, &n_layouts);
  remove_trace (path, folder);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-drawing/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("rollout", test_rollout);
  ADD ("latest", test_latest);
  ADD ("leave", test_leave);
  ADD ("escape", test_escape);
  ADD ("other-trace", test_other_trace);
  ADD ("difference", test_difference);
  ADD ("no-vectors", test_no_vectors);
  ADD ("rest", test_rest);
  ADD ("close", test_close);

  return g_test_run ();
}
