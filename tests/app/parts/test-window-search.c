/* SPDX-License-Identifier: MIT */
/* Looking for heads over a text file, in the real window. */
#include <string.h>

#include "tests/support/temporary.h"
#include "tests/app/parts/search-case.h"

/* So many that no test waits for the last of them. */
#define MANY_LINES 200000

static char *
write_file (const char *folder,
            const char *content)
{
  char *path = g_build_filename (folder, "lines.txt", NULL);

  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  return path;
}

static void
search (AppWindow  *window,
        const char *path)
{
  activate (window, "win.search-file");
  g_assert_true (window_shows_side (window, "file"));
  window_search_file (window, path);
  g_signal_emit_by_name (window_find (window, "search_results"), "search");
}

/* In sight, by its tooltip. */
static GtkWidget *
find_button (GtkWidget  *side,
             const char *tooltip)
{
  for (int i = 0; ; i++) {
    GtkWidget *button = driver_find (side, GTK_TYPE_BUTTON, i);

    g_assert_nonnull (button);
    if (gtk_widget_get_mapped (button)
        && g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0)
      return button;
  }
}

static void
test_file (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "The dog ran\n\nTom\tis\there\n\xff\n"
                                              "A cat sat\tThe cat lay down\n");
  GtkWidget *side = window_find (window, "side");
  GtkWidget *button;

  search (window, path);
  wait_until (!window_has_job (window));
  wait_until (driver_find_label (side, "2 of 2 lines of lines.txt") != NULL);
  g_assert_nonnull (driver_find_label (side, "2 lines, best"));

  button = gtk_widget_get_ancestor (driver_find_label (side, "3 lines were left out"),
                                    GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  wait_until (driver_find_label (side, "Line 4") != NULL);
  g_assert_nonnull (driver_find_label (side, "Line 2"));
  g_assert_nonnull (driver_find_label (side, "Line 3"));

  g_signal_emit_by_name (find_button (side, "Back to the heads (Escape)"), "clicked");
  wait_until (driver_find_label (side, "2 of 2 lines of lines.txt") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat sat / The cat lay down") != NULL);
  g_assert_nonnull (driver_find_label (side, "The dog ran"));
  temporary_free (g_steal_pointer (&folder));
}

/* A line opens with its texts, that head, and the strongest link of the pattern pinned. */
static void
test_line (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat sat\tThe cat lay down\n");
  GtkWidget *side = window_find (window, "side");
  int layer, head, query;
  int best_layer = -1, best_head = -1;

  activate (window, "win.measure::value-norm");
  activate (window, "win.threshold(0.9)");
  activate (window, "win.mass(0.1)");
  activate (window, "win.compare::difference");
  search (window, path);
  wait_until (!window_has_job (window));
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat sat / The cat lay down") != NULL);
  open_row (side, 0);
  wait_until (is_idle (window));

  g_assert_cmpstr (app_window_get_shown (window)->text_a, ==, "A cat sat");
  g_assert_cmpstr (app_window_get_shown (window)->text_b, ==, "The cat lay down");
  g_assert_cmpint (app_window_get_shown (window)->measure, ==, ENG_MEASURE_WEIGHT);
  g_assert_cmpfloat (app_window_get_shown (window)->threshold, <, 0.005);
  g_assert_cmpfloat (app_window_get_shown (window)->mass, ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->compare, ==, UI_COMPARE_OFF);
  layer = app_window_get_shown (window)->layer;
  head = ui_head_set_first (&app_window_get_shown (window)->heads, N_HEADS);
  g_assert_cmpint (app_window_get_shown (window)->pins.n_queries, ==, 1);
  query = app_window_get_shown (window)->pins.queries[0];
  assert_opened (window, layer, head, query, query + 1);
  /* The pattern is "next": what is pinned is a link of the head that has it most. */
  g_assert_cmpfloat (find_strongest (app_window_get_trace (window), query, query + 1, &best_layer,
                                     &best_head), >,
                     0.5);
  g_assert_true (window_shows_side (window, "file"));
  temporary_free (g_steal_pointer (&folder));
}

/* Keys go on from the button that started the search to what it found. */
static void
test_focus (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat sat\n");
  GtkWidget *side = window_find (window, "side");
  GtkWidget *button;

  activate (window, "win.search-file");
  window_search_file (window, path);
  button = gtk_widget_get_ancestor (driver_find_label (side, "Search"), GTK_TYPE_BUTTON);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (window)));
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  g_assert_nonnull (gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                             GTK_TYPE_LIST_VIEW));
  temporary_free (g_steal_pointer (&folder));
}

/* What is chosen and typed to search for words. */
static void
search_words (AppWindow  *window,
              const char *path,
              const char *from,
              const char *to)
{
  GtkWidget *results;

  activate (window, "win.search-file");
  window_search_file (window, path);
  results = window_find (window, "search_results");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (driver_find (results, GTK_TYPE_DROP_DOWN, 0)), 0);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (results, GTK_TYPE_ENTRY, 0)), from);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (results, GTK_TYPE_ENTRY, 1)), to);
  g_signal_emit_by_name (driver_find (results, GTK_TYPE_ENTRY, 1), "activate");
}

/* “It” reads “CAT” */
static char *
describe_pins (AppWindow *window)
{
  const UiDocument *shown = app_window_get_shown (window);
  EngTrace *trace = app_window_get_trace (window);

  return g_strdup_printf (
    "“%s” reads “%s”",
    eng_trace_get_query_tokens (trace, shown->kind)->texts[shown->pins.queries[0]],
    eng_trace_get_key_tokens (trace, shown->kind)->texts[shown->pins.keys[0]]);
}

/* A line opens with its head and the two words pinned. */
static void
test_words (AppWindow *window)
{
  g_autofree char *title = NULL;
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A dog\nThe cat ran, it hid\nIt saw no CAT\n");
  GtkWidget *side = window_find (window, "side");
  int layer, head;

  search_words (window, path, "It", "cat");
  wait_until (!window_has_job (window));
  wait_until (driver_find_label (side, "2 of 3 lines of lines.txt hold both words") != NULL);
  g_assert_nonnull (driver_find_label (side, "“It” reads “cat”"));
  open_row (side, 0);
  wait_until (driver_find_label (side, "It saw no CAT") != NULL);
  open_row (side, 1);
  wait_until (is_idle (window));

  layer = app_window_get_shown (window)->layer;
  head = ui_head_set_first (&app_window_get_shown (window)->heads, N_HEADS);
  if (g_str_equal (app_window_get_shown (window)->text_a, "It saw no CAT"))
    assert_opened (window, layer, head, 1, 4);
  else
    assert_opened (window, layer, head, 5, 2);
  g_assert_false (app_window_get_shown (window)->words);

  /* The numbers of what was opened are a tab away, and the lines stay. */
  gtk_stack_set_visible_child_name (GTK_STACK (window_find (window, "side")), "inspector");
  title = describe_pins (window);
  g_assert_true (driver_shows_text (side, title));
  gtk_stack_set_visible_child_name (GTK_STACK (window_find (window, "side")), "file");
  g_assert_nonnull (driver_find_label (side, "It saw no CAT"));
  temporary_free (g_steal_pointer (&folder));
}

/* A word of several pieces is shown as one. */
static void
test_word_of_pieces (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat and its embeddings\n");
  GtkWidget *side = window_find (window, "side");

  search_words (window, path, "embeddings", "");
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt holds “embeddings” and") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat and its embeddings") != NULL);
  open_row (side, 0);
  wait_until (is_idle (window));
  g_assert_true (app_window_get_shown (window)->words);
  g_assert_cmpint (app_window_get_shown (window)->pins.queries[0], ==, 5);
  temporary_free (g_steal_pointer (&folder));
}

static void
test_no_words (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat\nA dog\n");
  GtkWidget *side = window_find (window, "side");
  GtkWidget *button;

  search_words (window, path, "cat", "dog");
  wait_until (driver_find_label (side, "None of 2 lines of lines.txt holds both words.") != NULL);
  search_words (window, path, "", "New York");
  wait_until (driver_find_label (side, "“New York” is 2 words to this model") != NULL);

  /* Any word that reads any word is no question. */
  search_words (window, path, " ", "");
  g_assert_false (window_has_job (window));
  button = gtk_widget_get_ancestor (driver_find_label (side, "Search"), GTK_TYPE_BUTTON);
  g_assert_false (gtk_widget_get_sensitive (button));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (button), ==, "Type one of the two words at least");
  temporary_free (g_steal_pointer (&folder));
}

/* Whether the keys of the side have a use for it. */
static gboolean
press_escape (GtkWidget *side)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (side);
  gboolean is_taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
      g_signal_emit_by_name (controller, "key-pressed", GDK_KEY_Escape, 0, 0, &is_taken);
  }
  return is_taken;
}

/* From the lines to the heads, from the heads to the picture. */
static void
test_escape (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat sat\n");
  GtkWidget *side = gtk_widget_get_parent (window_find (window, "search_header"));

  search (window, path);
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat sat") != NULL);
  g_assert_true (press_escape (side));
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  g_assert_true (press_escape (side));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (window_find (window, "side"))), ==,
                   "inspector");
  g_assert_false (gtk_widget_get_visible (window_find (window, "search_header")));
  /* Then it is none of the side's keys. */
  g_assert_false (press_escape (side));

  activate (window, "win.search-file");
  g_assert_nonnull (driver_find_label (side, "1 of 1 line of lines.txt"));

  /* While words are picked it is one of the window's: it keeps what was chosen. */
  activate (window, "win.find-heads");
  window_set_link_word (window, 0, 1);
  press_escape (GTK_WIDGET (window));
  g_assert_false (window_picks_words (window));
  g_assert_true (gtk_widget_get_visible (window_find (window, "search_header")));
  activate (window, "win.find-heads");
  g_assert_true (window_picks_words (window));
  press_escape (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_visible (window_find (window, "search_header")));
  temporary_free (g_steal_pointer (&folder));
}

/* Of a line that is too long to keep evidence of, it is found when the line is opened. */
static void
test_long_line (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree char *path = NULL;
  int query;

  for (int i = 0; i < LONG_LINE; i++)
    g_string_append (line, i % 2 == 0 ? "the " : "dog ");
  path = write_file (folder, line->str);
  search (window, path);
  wait_until (driver_find_label (window_find (window, "side"), "1 of 1 line of") != NULL);
  open_row (window_find (window, "side"), 0);
  open_row (window_find (window, "side"), 0);
  wait_until (is_idle (window));
  wait_until (app_window_get_shown (window)->pins.n_queries == 1);
  query = app_window_get_shown (window)->pins.queries[0];
  g_assert_cmpint (app_window_get_shown (window)->pins.n_keys, ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->pins.keys[0], ==, query + 1);

  /* The pins are a part of the step that opened the line. */
  activate (window, "win.undo");
  g_assert_cmpint (app_window_get_shown (window)->pins.n_queries, ==, 0);
  g_assert_cmpstr (app_window_get_shown (window)->text_a, !=, line->str);
  temporary_free (g_steal_pointer (&folder));
}

static void
test_refused_file (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "none.txt", NULL);

  search (window, path);
  wait_until (!window_has_job (window));
  wait_until (driver_find_label (window_find (window, "side"), "none.txt cannot be read") != NULL);
  temporary_free (g_steal_pointer (&folder));
}

/* What was found until then stays. */
static void
test_cancel (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *path = NULL;

  for (int i = 0; i < MANY_LINES; i++)
    g_string_append (lines, "The dog ran away\n");
  path = write_file (folder, lines->str);
  search (window, path);
  wait_until (strstr (window_get_label (window, "job_label"), " lines") != NULL);
  activate (window, "win.cancel-job");
  wait_until (!window_has_job (window));
  wait_until (driver_find_label (window_find (window, "side"), "Cancelled before the end") != NULL);
  temporary_free (g_steal_pointer (&folder));
}

/* A window that closes ends its search. */
static void
test_close (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *path = NULL;

  for (int i = 0; i < MANY_LINES; i++)
    g_string_append (lines, "The dog ran away\n");
  path = write_file (folder, lines->str);
  search (window, path);
  g_assert_true (window_has_job (window));
  temporary_free (g_steal_pointer (&folder));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-search/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("file", test_file);
  ADD ("line", test_line);
  ADD ("focus", test_focus);
  ADD ("words", test_words);
  ADD ("word-of-pieces", test_word_of_pieces);
  ADD ("no-words", test_no_words);
  ADD ("escape", test_escape);
  ADD ("long-line", test_long_line);
  ADD ("refused-file", test_refused_file);
  ADD ("cancel", test_cancel);
  ADD ("close", test_close);
  return g_test_run ();
}
