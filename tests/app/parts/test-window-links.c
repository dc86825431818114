/* SPDX-License-Identifier: MIT */
/* Looking for the heads that link two words, in the real window. */
#include <stdlib.h>
#include <string.h>

#include "tests/app/parts/search-case.h"
#include "ui/lists/link-results.h"

#define CAT 2
#define MAT 6

static void
pin (AppWindow *window,
     int        query,
     int        key)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));

  ui_pins_clear (&document->pins);
  if (query >= 0)
    ui_pins_click (&document->pins, FALSE, query, TRUE);
  if (key >= 0)
    ui_pins_click (&document->pins, TRUE, key, TRUE);
  window_change (window, document);
  wait_until (is_idle (window));
}

/* What Return does on a token. */
static void
press_token (AppWindow *window,
             int        query)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = query };

  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), &item);
  g_assert_true (driver_press_key (GTK_WIDGET (window_view (window)), "Return"));
  wait_until (is_idle (window));
}

/* Two pinned tokens: found at once, in both directions; a row opens its head and the list stays. */
static void
test_pinned (AppWindow *window)
{
  GtkWidget *side = window_find (window, "side");
  int layer = -1, head = -1, layer_back = -1, head_back = -1;
  const double there = find_strongest (app_window_get_trace (window), CAT, MAT, &layer, &head);
  const double back = find_strongest (app_window_get_trace (window), MAT, CAT, &layer_back,
                                      &head_back);
  g_autofree char *summary = g_strdup_printf ("%d links by weight, strongest first",
                                              2 * N_LAYERS * N_HEADS);

  pin (window, CAT, MAT);
  activate (window, "win.view::model");
  activate (window, "win.threshold(0.9)");
  activate (window, "win.find-heads");
  g_assert_true (window_shows_side (window, "links"));
  g_assert_false (window_picks_words (window));
  wait_until (driver_shows_text (side, summary));

  open_row (side, 0);
  wait_until (is_idle (window));
  if (there >= back)
    assert_opened (window, layer, head, CAT, MAT);
  else
    assert_opened (window, layer_back, head_back, MAT, CAT);
  g_assert_cmpfloat (app_window_get_shown (window)->threshold, <, 0.005);
  g_assert_true (window_shows_side (window, "links"));
  g_assert_true (driver_shows_text (side, summary));
}

static GtkToggleButton *
find_direction (AppWindow  *window,
                const char *text)
{
  GtkWidget *label = driver_find_label (window_find (window, "link_results"), text);

  g_assert_nonnull (label);
  return GTK_TOGGLE_BUTTON (gtk_widget_get_ancestor (label, GTK_TYPE_TOGGLE_BUTTON));
}

static void
test_direction (AppWindow *window)
{
  GtkWidget *side = window_find (window, "side");
  g_autofree char *summary = g_strdup_printf ("%d links by weight, strongest first",
                                              N_LAYERS * N_HEADS);
  int layer = -1, head = -1;

  find_strongest (app_window_get_trace (window), MAT, CAT, &layer, &head);
  pin (window, CAT, MAT);
  activate (window, "win.find-heads");
  driver_settle (side);
  gtk_toggle_button_set_active (find_direction (window, "→ cat ₂"), TRUE);
  wait_until (driver_shows_text (side, summary));
  open_row (side, 0);
  wait_until (is_idle (window));
  assert_opened (window, layer, head, MAT, CAT);
}

/* Buttons of a direction name unknown words by what was typed: their note has no room there. */
static void
test_unknown_direction (AppWindow *window)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));

  ui_replace_text (&document->text_a, "слово cat Łódź");
  window_change (window, document);
  wait_until (is_idle (window));
  pin (window, 1, 3);
  activate (window, "win.find-heads");
  driver_settle (window_find (window, "side"));
  g_assert_nonnull (find_direction (window, "?\u2009слово ₁ → ?\u2009Łódź ₃"));
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
  strongest = find_strongest (app_window_get_trace (window), CAT, MAT, &layer, &head);
  driver_settle (window_find (window, "side"));
  gtk_toggle_button_set_active (find_direction (window, "cat ₂ →"), TRUE);
  csv = ui_link_results_to_csv (UI_LINK_RESULTS (window_find (window, "link_results")));
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

  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "the zanzibars sat");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  wait_until (is_idle (window));
  last = eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_ENCODER) - 2;
  g_assert_cmpint (last, >, 3);
  pin (window, last, last - 1);
  activate (window, "win.words");
  activate (window, "win.find-heads");
  driver_settle (window_find (window, "side"));
  csv = ui_link_results_to_csv (UI_LINK_RESULTS (window_find (window, "link_results")));
  g_assert_nonnull (strstr (csv, ",sat,zanzibars,"));
  g_assert_null (strstr (csv, "##"));
}

/* Without pins the window asks for two words, and takes them from the picture. */
static void
test_picking (AppWindow *window)
{
  GtkWidget *side = window_find (window, "side");

  activate (window, "win.find-heads");
  g_assert_true (window_picks_words (window));
  g_assert_true (window_reveals (window, "notice_revealer"));
  g_assert_nonnull (strstr (window_get_label (window, "notice"), "Click a word"));

  press_token (window, CAT);
  g_assert_true (window_picks_words (window));
  g_assert_nonnull (strstr (window_get_label (window, "notice"), "“cat” (2)"));
  g_assert_cmpint (app_window_get_document (window)->pins.n_queries, ==, 0);
  press_token (window, MAT);
  g_assert_false (window_picks_words (window));
  g_assert_false (window_reveals (window, "notice_revealer"));
  g_assert_cmpint (window_get_link_word (window, 0), ==, CAT);
  g_assert_cmpint (window_get_link_word (window, 1), ==, MAT);
  wait_until (driver_find_label (side, "links by weight") != NULL);

  /* After that a token is pinned again. */
  press_token (window, CAT);
  g_assert_cmpint (app_window_get_document (window)->pins.n_queries, ==, 1);
}

/* The answer to another text is there and its picture is still being drawn: what is clicked is a
 * word of the text before, which the new one may not have. */
static void
test_picking_before_picture (AppWindow *window)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = MAT };
  g_autoptr (EngTrace) shorter = NULL;
  EngTrace *drawn;

  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "a");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  wait_until (is_idle (window));
  shorter = eng_trace_ref (app_window_get_trace (window));
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "the cat sat on the mat");
  wait_until (is_idle (window));
  g_assert_cmpint (eng_trace_get_n_queries (shorter, ENG_KIND_ENCODER), <, MAT);

  activate (window, "win.find-heads");
  drawn = app_window_get_trace (window);
  window_set_trace (window, shorter);
  g_signal_emit_by_name (window_view (window), "clicked", &item, FALSE);
  window_set_trace (window, drawn);
  g_assert_true (window_picks_words (window));
  g_assert_cmpint (window_get_link_word (window, 0), ==, -1);
  press_token (window, MAT);
  g_assert_cmpint (window_get_link_word (window, 0), ==, MAT);
}

static gboolean
asks (AppWindow  *window,
      const char *words)
{
  return window_reveals (window, "notice_revealer")
         && strstr (window_get_label (window, "notice"), words) != NULL;
}

/* An answer leaves the pick; what is asked names the word that stands there now. */
static void
test_picking_follows (AppWindow *window)
{
  GtkEditable *entry = GTK_EDITABLE (window_find (window, "entry_a"));

  activate (window, "win.find-heads");
  gtk_editable_set_text (entry, "A dog ran to me");
  wait_until (is_idle (window));
  g_assert_true (window_picks_words (window));
  g_assert_true (asks (window, "Click a word"));

  press_token (window, CAT);
  g_assert_true (asks (window, "“dog” (2)"));
  gtk_editable_set_text (entry, "The mat sat");
  wait_until (is_idle (window) && asks (window, "“mat” (2)"));
  g_assert_true (window_picks_words (window));

  /* The word is gone with the text. */
  window_set_link_word (window, 0, MAT);
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  wait_until (is_idle (window) && asks (window, "Click a word"));
}

/* The model view has no words; the list goes on with what is chosen beside it. */
static void
test_picking_of_all_heads (AppWindow *window)
{
  activate (window, "win.find-heads");
  press_token (window, CAT);
  activate (window, "win.view::model");
  wait_until (!window_picks_words (window));
  g_assert_false (window_reveals (window, "notice_revealer"));
  g_assert_true (window_shows_side (window, "links"));
  g_assert_cmpint (window_get_link_word (window, 0), ==, CAT);
  activate (window, "win.view::head");
  g_assert_false (window_picks_words (window));
}

static struct { int n_taken, n_ended, n_cancelled; } other;

static gboolean
take_other (const UiItem *item,
            gpointer      data)
{
  other.n_taken++;
  return TRUE;
}

static void
other_ended (gboolean is_cancelled,
             gpointer data)
{
  other.n_ended++;
  other.n_cancelled += is_cancelled;
}

/* A new pick ends the one before, whosever it is. */
static void
test_one_pick (AppWindow *window)
{
  static const AppPickClass klass = { .take = take_other, .ended = other_ended };
  AppPicture *picture = app_desk_get_picture (app_window_get_desk (window));

  app_picture_begin_pick (picture, "Click another thing", &klass, NULL);
  g_assert_true (asks (window, "another thing"));
  activate (window, "win.find-heads");
  g_assert_cmpint (other.n_ended, ==, 1);
  g_assert_true (asks (window, "Click a word"));
  app_picture_end_pick (picture, &klass);
  g_assert_true (asks (window, "Click a word"));

  press_token (window, CAT);
  g_assert_cmpint (other.n_taken, ==, 0);
  app_picture_begin_pick (picture, "Click another thing", &klass, NULL);
  press_token (window, MAT);
  g_assert_cmpint (other.n_taken, ==, 1);
  g_assert_cmpint (window_get_link_word (window, 1), ==, -1);
  g_assert_true (asks (window, "another thing"));

  g_assert_true (app_picture_cancel_pick (picture));
  g_assert_cmpint (other.n_ended, ==, 2);
  g_assert_cmpint (other.n_cancelled, ==, 1);
  g_assert_false (window_picks_words (window));
}

/* One pin is the first word; closing the page ends the question. */
static void
test_one_pin (AppWindow *window)
{
  pin (window, CAT, -1);
  activate (window, "win.find-heads");
  g_assert_true (window_picks_words (window));
  g_assert_cmpint (window_get_link_word (window, 0), ==, CAT);
  g_assert_cmpint (window_get_link_word (window, 1), ==, -1);

  activate (window, "win.close-search");
  g_assert_false (window_picks_words (window));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (window_find (window, "side"))), ==,
                   "inspector");
  g_assert_false (window_reveals (window, "notice_revealer"));
}

/* The words are chosen beside the picture, too; the list follows the measure and the text. */
static void
test_follows (AppWindow *window)
{
  GtkWidget *side = window_find (window, "side");
  GtkWidget *choice;

  activate (window, "win.find-heads");
  for (int i = 0; i < 2; i++) {
    choice = driver_find (window_find (window, "link_results"), GTK_TYPE_DROP_DOWN, i);
    gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), (guint) (i == 0 ? CAT : MAT) + 1);
  }
  wait_until (driver_find_label (side, "links by weight") != NULL);
  g_assert_false (window_picks_words (window));

  activate (window, "win.measure::rollout");
  wait_until (driver_find_label (side, "layers by rollout") != NULL);
  g_assert_nonnull (driver_find_label (side, "12 layers"));
  activate (window, "win.measure::weight");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "A dog ran to me");
  wait_until (is_idle (window));
  g_assert_true (window_get_link_trace (window) == app_window_get_trace (window));
  wait_until (driver_find_label (side, "dog") != NULL);

  /* The second word is gone with the text. */
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "A dog");
  wait_until (is_idle (window));
  wait_until (driver_find_label (side, "Choose the second word") != NULL);
  g_assert_null (window_get_link_trace (window));
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
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), text->str);
  wait_until (is_idle (window));
  pin (window, CAT, CAT);
  strongest = find_strongest (app_window_get_trace (window), CAT, CAT, &layer, &head);
  g_assert_cmpfloat (strongest, >, 0);

  g_action_group_activate_action (G_ACTION_GROUP (window), "find-heads", NULL);
  g_assert_true (window_has_link_job (window));
  wait_until (is_idle (window));
  wait_until (driver_find_label (window_find (window, "side"), "links by weight") != NULL);
  open_row (window_find (window, "side"), 0);
  wait_until (is_idle (window));
  assert_opened (window, layer, head, CAT, CAT);
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
  ADD ("unknown-direction", test_unknown_direction);
  ADD ("links-csv", test_links_csv);
  ADD ("merged-words", test_merged_words);
  ADD ("picking", test_picking);
  ADD ("picking-before-picture", test_picking_before_picture);
  ADD ("picking-follows", test_picking_follows);
  ADD ("picking-of-all-heads", test_picking_of_all_heads);
  ADD ("one-pick", test_one_pick);
  ADD ("one-pin", test_one_pin);
  ADD ("follows", test_follows);
  ADD ("long-text", test_long_text);
  return g_test_run ();
}
