/* SPDX-License-Identifier: MIT */
/* Looking for heads in the real window: of two words, and over a text file. */
#include "app/window-private.h"

#include <stdlib.h>
#include <string.h>

#include "app/application.h"
#include "tests/support/temporary.h"
#include "tests/support/wait.h"
#include "tests/support/widget-driver.h"

#define N_LAYERS 6
#define N_HEADS 12
#define CAT 2
#define MAT 6
/* Words; more than what evidence is kept of. */
#define LONG_LINE 140
/* So many that no test waits for the last of them. */
#define MANY_LINES 200000

static gboolean
is_idle (AppWindow *window)
{
  return window->shown != NULL && window->complete && !window->waiting
         && window->submit_source == 0 && window->link_job == NULL;
}

static void
run_body (GApplication *application,
          gpointer      data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  void (*body) (AppWindow *) = data;

  wait_until (is_idle (APP_WINDOW (window)));
  body (APP_WINDOW (window));
  gtk_window_destroy (window);
}

static void
run_test (gconstpointer body)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  AppApplication *application = app_application_new (document);

  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), (gpointer) body);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
}

static void
activate (AppWindow  *window,
          const char *detailed_name)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed_name, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), name, target));
  wait_until (is_idle (window));
}

static void
pin (AppWindow *window,
     int        query,
     int        key)
{
  UiDocument *document = ui_document_copy (window->document);

  ui_pins_clear (&document->pins);
  if (query >= 0)
    ui_pins_click (&document->pins, FALSE, query, TRUE);
  if (key >= 0)
    ui_pins_click (&document->pins, TRUE, key, TRUE);
  app_window_change (window, document);
  wait_until (is_idle (window));
}

/* What Return does on a token. */
static void
press_token (AppWindow *window,
             int        query)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = query };

  gtk_widget_grab_focus (GTK_WIDGET (window->scene_view));
  ui_scene_view_set_cursor (window->scene_view, &item);
  g_assert_true (driver_press_key (GTK_WIDGET (window->scene_view), "Return"));
  wait_until (is_idle (window));
}

/* What Return does on a row of the list in sight. */
static void
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
static double
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

static void
assert_opened (AppWindow *window,
               int        layer,
               int        head,
               int        query,
               int        key)
{
  const UiDocument *shown = window->shown;

  g_assert_cmpint (shown->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (shown->layer, ==, layer);
  g_assert_cmpint (ui_head_set_count (&shown->heads, N_HEADS), ==, 1);
  g_assert_true (ui_head_set_has (&shown->heads, head));
  g_assert_cmpint (shown->pins.n_queries, ==, 1);
  g_assert_cmpint (shown->pins.queries[0], ==, query);
  g_assert_cmpint (shown->pins.n_keys, ==, 1);
  g_assert_cmpint (shown->pins.keys[0], ==, key);
}

/* Two pinned tokens: found at once, in both directions; a row opens its head and the list stays. */
static void
test_pinned (AppWindow *window)
{
  GtkWidget *side = GTK_WIDGET (window->side);
  int layer = -1, head = -1, layer_back = -1, head_back = -1;
  const double there = find_strongest (window->trace, CAT, MAT, &layer, &head);
  const double back = find_strongest (window->trace, MAT, CAT, &layer_back, &head_back);
  g_autofree char *summary = g_strdup_printf ("%d links by weight, strongest first",
                                              2 * N_LAYERS * N_HEADS);

  pin (window, CAT, MAT);
  activate (window, "win.view::model");
  activate (window, "win.threshold(0.9)");
  activate (window, "win.find-heads");
  g_assert_true (app_window_shows_side (window, "links"));
  g_assert_false (window->picks_words);
  wait_until (driver_shows_text (side, summary));

  open_row (side, 0);
  wait_until (is_idle (window));
  if (there >= back)
    assert_opened (window, layer, head, CAT, MAT);
  else
    assert_opened (window, layer_back, head_back, MAT, CAT);
  g_assert_cmpfloat (window->shown->threshold, <, 0.005);
  g_assert_true (app_window_shows_side (window, "links"));
  g_assert_true (driver_shows_text (side, summary));
}

static GtkToggleButton *
find_direction (AppWindow  *window,
                const char *text)
{
  GtkWidget *label = driver_find_label (GTK_WIDGET (window->link_results), text);

  g_assert_nonnull (label);
  return GTK_TOGGLE_BUTTON (gtk_widget_get_ancestor (label, GTK_TYPE_TOGGLE_BUTTON));
}

static void
test_direction (AppWindow *window)
{
  GtkWidget *side = GTK_WIDGET (window->side);
  g_autofree char *summary = g_strdup_printf ("%d links by weight, strongest first",
                                              N_LAYERS * N_HEADS);
  int layer = -1, head = -1;

  find_strongest (window->trace, MAT, CAT, &layer, &head);
  pin (window, CAT, MAT);
  activate (window, "win.find-heads");
  driver_settle (side);
  gtk_toggle_button_set_active (find_direction (window, "→ \u2068cat\u2069 2"), TRUE);
  wait_until (driver_shows_text (side, summary));
  open_row (side, 0);
  wait_until (is_idle (window));
  assert_opened (window, layer, head, MAT, CAT);
}

/* The list in sight: one direction, strongest first. */
static void
test_links_csv (AppWindow *window)
{
  int layer = -1, head = -1;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) cells = NULL;
  g_autofree char *csv = NULL;
  double strongest;

  pin (window, CAT, MAT);
  activate (window, "win.find-heads");
  strongest = find_strongest (window->trace, CAT, MAT, &layer, &head);
  driver_settle (GTK_WIDGET (window->side));
  gtk_toggle_button_set_active (find_direction (window, "\u2068cat\u2069 2 →"), TRUE);
  csv = ui_link_results_to_csv (window->link_results);
  lines = g_strsplit (csv, "\n", -1);
  /* The heading, and what follows the last line feed. */
  g_assert_cmpint (g_strv_length (lines), ==, N_LAYERS * N_HEADS + 2);
  g_assert_cmpstr (lines[0], ==, "layer,head,query,key,reads,is read,weight");
  cells = g_strsplit (lines[1], ",", -1);
  g_assert_cmpint (g_strv_length (cells), ==, 7);
  g_assert_cmpint (atoi (cells[0]), ==, layer);
  g_assert_cmpint (atoi (cells[1]), ==, head);
  g_assert_cmpstr (cells[2], ==, "2");
  g_assert_cmpstr (cells[3], ==, "6");
  g_assert_cmpstr (cells[4], ==, "cat");
  g_assert_cmpstr (cells[5], ==, "mat");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[6], NULL), strongest, 1e-6);
}

/* The number is that of the whole word, and so is the name. */
static void
test_merged_words (AppWindow *window)
{
  g_autofree char *csv = NULL;
  int last = -1;

  gtk_editable_set_text (GTK_EDITABLE (window->entry_a), "the zanzibars sat");
  gtk_editable_set_text (GTK_EDITABLE (window->entry_b), "");
  wait_until (is_idle (window));
  last = eng_trace_get_n_queries (window->trace, ENG_KIND_ENCODER) - 2;
  g_assert_cmpint (last, >, 3);
  pin (window, last, last - 1);
  activate (window, "win.words");
  activate (window, "win.find-heads");
  driver_settle (GTK_WIDGET (window->side));
  csv = ui_link_results_to_csv (window->link_results);
  g_assert_nonnull (strstr (csv, ",sat,zanzibars,"));
  g_assert_null (strstr (csv, "##"));
}

/* Without pins the window asks for two words, and takes them from the picture. */
static void
test_picking (AppWindow *window)
{
  GtkWidget *side = GTK_WIDGET (window->side);

  activate (window, "win.find-heads");
  g_assert_true (window->picks_words);
  g_assert_true (gtk_revealer_get_reveal_child (window->notice_revealer));
  g_assert_nonnull (strstr (gtk_label_get_label (window->notice), "Click a word"));

  press_token (window, CAT);
  g_assert_true (window->picks_words);
  g_assert_nonnull (strstr (gtk_label_get_label (window->notice), "“cat” (2)"));
  g_assert_cmpint (window->document->pins.n_queries, ==, 0);
  press_token (window, MAT);
  g_assert_false (window->picks_words);
  g_assert_false (gtk_revealer_get_reveal_child (window->notice_revealer));
  g_assert_cmpint (window->link_words[0], ==, CAT);
  g_assert_cmpint (window->link_words[1], ==, MAT);
  wait_until (driver_find_label (side, "links by weight") != NULL);

  /* After that a token is pinned again. */
  press_token (window, CAT);
  g_assert_cmpint (window->document->pins.n_queries, ==, 1);
}

/* The answer to another text is there and its picture is still being drawn: what is clicked is a
 * word of the text before, which the new one may not have. */
static void
test_picking_before_picture (AppWindow *window)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = MAT };
  g_autoptr (EngTrace) shorter = NULL;
  EngTrace *drawn;

  gtk_editable_set_text (GTK_EDITABLE (window->entry_a), "a");
  gtk_editable_set_text (GTK_EDITABLE (window->entry_b), "");
  wait_until (is_idle (window));
  shorter = eng_trace_ref (window->trace);
  gtk_editable_set_text (GTK_EDITABLE (window->entry_a), "the cat sat on the mat");
  wait_until (is_idle (window));
  g_assert_cmpint (eng_trace_get_n_queries (shorter, ENG_KIND_ENCODER), <, MAT);

  activate (window, "win.find-heads");
  drawn = window->trace;
  window->trace = shorter;
  g_signal_emit_by_name (window->scene_view, "clicked", &item, FALSE);
  window->trace = drawn;
  g_assert_true (window->picks_words);
  g_assert_cmpint (window->link_words[0], ==, -1);
  press_token (window, MAT);
  g_assert_cmpint (window->link_words[0], ==, MAT);
}

/* One pin is the first word; closing the page ends the question. */
static void
test_one_pin (AppWindow *window)
{
  pin (window, CAT, -1);
  activate (window, "win.find-heads");
  g_assert_true (window->picks_words);
  g_assert_cmpint (window->link_words[0], ==, CAT);
  g_assert_cmpint (window->link_words[1], ==, -1);

  activate (window, "win.close-search");
  g_assert_false (window->picks_words);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->side), ==, "inspector");
  g_assert_false (gtk_revealer_get_reveal_child (window->notice_revealer));
}

/* The words are chosen beside the picture, too; the list follows the measure and the text. */
static void
test_follows (AppWindow *window)
{
  GtkWidget *side = GTK_WIDGET (window->side);
  GtkWidget *choice;

  activate (window, "win.find-heads");
  for (int i = 0; i < 2; i++) {
    choice = driver_find (GTK_WIDGET (window->link_results), GTK_TYPE_DROP_DOWN, i);
    gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), (guint) (i == 0 ? CAT : MAT) + 1);
  }
  wait_until (driver_find_label (side, "links by weight") != NULL);
  g_assert_false (window->picks_words);

  activate (window, "win.measure::rollout");
  wait_until (driver_find_label (side, "layers by rollout") != NULL);
  g_assert_nonnull (driver_find_label (side, "12 layers"));
  activate (window, "win.measure::weight");
  gtk_editable_set_text (GTK_EDITABLE (window->entry_a), "A dog ran to me");
  wait_until (is_idle (window));
  g_assert_true (window->link_question.trace == window->trace);
  wait_until (driver_find_label (side, "dog") != NULL);

  /* The second word is gone with the text. */
  gtk_editable_set_text (GTK_EDITABLE (window->entry_b), "");
  gtk_editable_set_text (GTK_EDITABLE (window->entry_a), "A dog");
  wait_until (is_idle (window));
  wait_until (driver_find_label (side, "Choose the second word") != NULL);
  g_assert_null (window->link_question.trace);
}

/* A long text is searched beside the window. */
static void
test_long_text (AppWindow *window)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int layer = -1, head = -1;
  double strongest;

  for (int i = 0; i < LONG_LINE; i++)
    g_string_append (text, i % 2 == 0 ? "the " : "dog ");
  gtk_editable_set_text (GTK_EDITABLE (window->entry_b), "");
  gtk_editable_set_text (GTK_EDITABLE (window->entry_a), text->str);
  wait_until (is_idle (window));
  pin (window, CAT, CAT);
  strongest = find_strongest (window->trace, CAT, CAT, &layer, &head);
  g_assert_cmpfloat (strongest, >, 0);

  g_action_group_activate_action (G_ACTION_GROUP (window), "find-heads", NULL);
  g_assert_nonnull (window->link_job);
  wait_until (is_idle (window));
  wait_until (driver_find_label (GTK_WIDGET (window->side), "links by weight") != NULL);
  open_row (GTK_WIDGET (window->side), 0);
  wait_until (is_idle (window));
  assert_opened (window, layer, head, CAT, CAT);
}

/* A file. */

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
  g_assert_true (app_window_shows_side (window, "file"));
  app_window_search_file (window, path);
  g_signal_emit_by_name (window->search_results, "search");
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
  GtkWidget *side = GTK_WIDGET (window->side);
  GtkWidget *button;

  search (window, path);
  wait_until (window->job == NULL);
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
  GtkWidget *side = GTK_WIDGET (window->side);
  int layer, head, query;
  int best_layer = -1, best_head = -1;

  activate (window, "win.measure::value-norm");
  activate (window, "win.threshold(0.9)");
  activate (window, "win.mass(0.1)");
  activate (window, "win.compare::difference");
  search (window, path);
  wait_until (window->job == NULL);
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat sat / The cat lay down") != NULL);
  open_row (side, 0);
  wait_until (is_idle (window));

  g_assert_cmpstr (window->shown->text_a, ==, "A cat sat");
  g_assert_cmpstr (window->shown->text_b, ==, "The cat lay down");
  g_assert_cmpint (window->shown->measure, ==, ENG_MEASURE_WEIGHT);
  g_assert_cmpfloat (window->shown->threshold, <, 0.005);
  g_assert_cmpfloat (window->shown->mass, ==, 1);
  g_assert_cmpint (window->shown->compare, ==, UI_COMPARE_OFF);
  layer = window->shown->layer;
  head = ui_head_set_first (&window->shown->heads, N_HEADS);
  g_assert_cmpint (window->shown->pins.n_queries, ==, 1);
  query = window->shown->pins.queries[0];
  assert_opened (window, layer, head, query, query + 1);
  /* The pattern is "next": what is pinned is a link of the head that has it most. */
  g_assert_cmpfloat (find_strongest (window->trace, query, query + 1, &best_layer, &best_head), >,
                     0.5);
  g_assert_true (app_window_shows_side (window, "file"));
  temporary_free (g_steal_pointer (&folder));
}

/* Keys go on from the button that started the search to what it found. */
static void
test_focus (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat sat\n");
  GtkWidget *side = GTK_WIDGET (window->side);
  GtkWidget *button;

  activate (window, "win.search-file");
  app_window_search_file (window, path);
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
  GtkWidget *results = GTK_WIDGET (window->search_results);

  activate (window, "win.search-file");
  app_window_search_file (window, path);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (driver_find (results, GTK_TYPE_DROP_DOWN, 0)), 0);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (results, GTK_TYPE_ENTRY, 0)), from);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (results, GTK_TYPE_ENTRY, 1)), to);
  g_signal_emit_by_name (driver_find (results, GTK_TYPE_ENTRY, 1), "activate");
}

/* A line opens with its head and the two words pinned. */
static void
test_words (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A dog\nThe cat ran, it hid\nIt saw no CAT\n");
  GtkWidget *side = GTK_WIDGET (window->side);
  int layer, head;

  search_words (window, path, "It", "cat");
  wait_until (window->job == NULL);
  wait_until (driver_find_label (side, "2 of 3 lines of lines.txt hold both words") != NULL);
  g_assert_nonnull (driver_find_label (side, "“It” reads “cat”"));
  open_row (side, 0);
  wait_until (driver_find_label (side, "It saw no CAT") != NULL);
  open_row (side, 1);
  wait_until (is_idle (window));

  layer = window->shown->layer;
  head = ui_head_set_first (&window->shown->heads, N_HEADS);
  if (g_str_equal (window->shown->text_a, "It saw no CAT"))
    assert_opened (window, layer, head, 1, 4);
  else
    assert_opened (window, layer, head, 5, 2);
  g_assert_false (window->shown->words);

  /* The numbers of what was opened are a tab away, and the lines stay. */
  gtk_stack_set_visible_child_name (window->side, "inspector");
  g_assert_true (driver_shows_text (side, "2 tokens pinned, summed"));
  gtk_stack_set_visible_child_name (window->side, "file");
  g_assert_nonnull (driver_find_label (side, "It saw no CAT"));
  temporary_free (g_steal_pointer (&folder));
}

/* A word of several pieces is shown as one. */
static void
test_word_of_pieces (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat and its embeddings\n");
  GtkWidget *side = GTK_WIDGET (window->side);

  search_words (window, path, "embeddings", "");
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt holds “embeddings” and") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat and its embeddings") != NULL);
  open_row (side, 0);
  wait_until (is_idle (window));
  g_assert_true (window->shown->words);
  g_assert_cmpint (window->shown->pins.queries[0], ==, 5);
  temporary_free (g_steal_pointer (&folder));
}

static void
test_no_words (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = write_file (folder, "A cat\nA dog\n");
  GtkWidget *side = GTK_WIDGET (window->side);
  GtkWidget *button;

  search_words (window, path, "cat", "dog");
  wait_until (driver_find_label (side, "None of 2 lines of lines.txt holds both words.") != NULL);
  search_words (window, path, "", "New York");
  wait_until (driver_find_label (side, "“New York” is 2 words to this model") != NULL);

  /* Any word that reads any word is no question. */
  search_words (window, path, " ", "");
  g_assert_null (window->job);
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
  GtkWidget *side = gtk_widget_get_parent (window->search_header);

  search (window, path);
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  open_row (side, 0);
  wait_until (driver_find_label (side, "A cat sat") != NULL);
  g_assert_true (press_escape (side));
  wait_until (driver_find_label (side, "1 of 1 line of lines.txt") != NULL);
  g_assert_true (press_escape (side));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->side), ==, "inspector");
  g_assert_false (gtk_widget_get_visible (window->search_header));
  /* Then it is none of the side's keys. */
  g_assert_false (press_escape (side));

  activate (window, "win.search-file");
  g_assert_nonnull (driver_find_label (side, "1 of 1 line of lines.txt"));

  /* While words are picked it is one of the window's: it keeps what was chosen. */
  activate (window, "win.find-heads");
  window->link_words[0] = 1;
  press_escape (GTK_WIDGET (window));
  g_assert_false (window->picks_words);
  g_assert_true (gtk_widget_get_visible (window->search_header));
  activate (window, "win.find-heads");
  g_assert_true (window->picks_words);
  press_escape (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_visible (window->search_header));
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
  wait_until (driver_find_label (GTK_WIDGET (window->side), "1 of 1 line of") != NULL);
  open_row (GTK_WIDGET (window->side), 0);
  open_row (GTK_WIDGET (window->side), 0);
  wait_until (is_idle (window));
  wait_until (window->shown->pins.n_queries == 1);
  query = window->shown->pins.queries[0];
  g_assert_cmpint (window->shown->pins.n_keys, ==, 1);
  g_assert_cmpint (window->shown->pins.keys[0], ==, query + 1);

  /* The pins are a part of the step that opened the line. */
  activate (window, "win.undo");
  g_assert_cmpint (window->shown->pins.n_queries, ==, 0);
  g_assert_cmpstr (window->shown->text_a, !=, line->str);
  temporary_free (g_steal_pointer (&folder));
}

static void
test_refused_file (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "none.txt", NULL);

  search (window, path);
  wait_until (window->job == NULL);
  wait_until (driver_find_label (GTK_WIDGET (window->side), "none.txt cannot be read") != NULL);
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
  wait_until (strstr (gtk_label_get_label (window->job_label), " lines") != NULL);
  activate (window, "win.cancel-job");
  wait_until (window->job == NULL);
  wait_until (driver_find_label (GTK_WIDGET (window->side), "Cancelled before the end") != NULL);
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
  g_assert_nonnull (window->job);
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

  ADD ("pinned", test_pinned);
  ADD ("direction", test_direction);
  ADD ("links-csv", test_links_csv);
  ADD ("merged-words", test_merged_words);
  ADD ("picking", test_picking);
  ADD ("picking-before-picture", test_picking_before_picture);
  ADD ("one-pin", test_one_pin);
  ADD ("follows", test_follows);
  ADD ("long-text", test_long_text);
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
