/* SPDX-License-Identifier: MIT */
/* Lessons in the real window: the list, a section's state, questions, claims, files of one's own. */
#include "tests/app/parts/lessons/question-case.h"
#include "tests/support/window/real-input.h"
#include "ui/lessons/claim-row.h"
#include "ui/lessons/token-strip.h"

static guint
count_files (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "resources", "lessons", NULL);
  g_autoptr (GDir) lessons = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (lessons)) != NULL)
    n += g_str_has_suffix (name, ".md");

  return n;
}

static guint
count_rows (Fixture *fixture)
{
  GtkListBox *list = GTK_LIST_BOX (window_find (fixture->window, "lessons_list"));
  guint n = 0;

  while (gtk_list_box_get_row_at_index (list, (int) n) != NULL)
    n++;

  return n;
}

/* All lessons by keys alone: the list, one of them, its end; what was there before is back. */
static void
test_list (Fixture *fixture)
{
  g_autoptr (UiDocument) own = ui_document_copy (get_document (fixture));
  GtkWidget *list;

  if (!has_real_input ())
    return;
  press_key ("F2");
  wait_until (is_open (fixture) && count_rows (fixture) > 0);
  g_assert_cmpuint (count_rows (fixture), ==, count_files ());
  list = window_find (fixture->window, "lessons_list");
  wait_until (gtk_widget_get_focus_child (list) != NULL);
  press_key ("Down");
  press_key ("Return");
  wait_until (is_mapped (fixture, "lesson_title") && says (fixture, "lesson_title", "Read the picture"));
  wait_until (is_idle (fixture->window)
              && app_window_get_shown (fixture->window)->view == UI_VIEW_MATRIX);
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  g_assert_cmpstr (get_document (fixture)->text_a, ==, "The cat sat on the mat");
  g_assert_true (says (fixture, "lesson_count", "1 of 2"));

  press_key ("F4");
  wait_until (says (fixture, "lesson_count", "2 of 2"));
  wait_until (get_document (fixture)->view == UI_VIEW_HEAD);
  press_key ("F3");
  wait_until (says (fixture, "lesson_count", "1 of 2"));
  press_key ("F4");
  wait_until (says (fixture, "lesson_count", "2 of 2"));
  press_key ("F4");
  wait_until (is_mapped (fixture, "lessons_list"));
  g_assert_true (ui_document_equal (get_document (fixture), own));
  wait_until (g_str_has_prefix (window_get_label (fixture->window, "lessons_summary"), "0 of "));
}

/* It can be left at any time, which is a step like others. */
static void
test_leave (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("leave.md", HEADER FIRST SECOND);
  g_autoptr (UiDocument) own = ui_document_copy (get_document (fixture));

  open_file (fixture, path);
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  activate (fixture, "win.next-section");
  g_assert_cmpint (get_document (fixture)->layer, ==, 2);
  /* Out of sight it is still open. */
  app_desk_reveal_side (app_window_get_desk (fixture->window), FALSE);
  wait_until (!is_mapped (fixture, "lesson_pages"));
  activate (fixture, "win.lessons");
  wait_until (is_mapped (fixture, "lesson_title"));
  g_assert_true (says (fixture, "lesson_count", "2 of 2"));
  activate (fixture, "win.close-lesson");
  g_assert_true (ui_document_equal (get_document (fixture), own));
  g_assert_false (is_mapped (fixture, "search_header"));
  activate (fixture, "win.undo");
  g_assert_cmpint (get_document (fixture)->layer, ==, 2);
  activate (fixture, "win.redo");
  g_assert_true (ui_document_equal (get_document (fixture), own));
}

/* With little room the page lies over the picture; either says how to get the other. */
static void
test_little_room (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("room.md", HEADER FIRST);
  AppDesk *desk = app_window_get_desk (fixture->window);

  open_file (fixture, path);
  g_assert_false (is_mapped (fixture, "lesson_picture"));
  g_assert_false (is_mapped (fixture, "lesson_return"));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 500, 600);
  wait_until (app_desk_folds_side (desk) && is_mapped (fixture, "lesson_return"));
  activate (fixture, "win.lessons");
  wait_until (is_open (fixture) && is_mapped (fixture, "lesson_picture"));
  g_assert_false (is_mapped (fixture, "lesson_return"));
  g_signal_emit_by_name (window_find (fixture->window, "lesson_picture"), "clicked");
  wait_until (is_mapped (fixture, "lesson_return"));
  activate (fixture, "win.close-lesson");
  wait_until (!is_mapped (fixture, "lesson_return"));
}

#define CLAIMS HEADER FIRST "claim: size(tokens) = 5\nclaim: size(tokens) = 6\n" \
  "claim: weight(1.6, \"dog\", 0) > 0\n"

static const char *
get_said (Fixture *fixture,
          int      index)
{
  return ui_claim_row_get_said (
    UI_CLAIM_ROW (driver_find (find_content (fixture), UI_TYPE_CLAIM_ROW, index)));
}

static void
test_claims (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("claims.md", CLAIMS);

  open_file (fixture, path);
  wait_until (g_str_equal (get_said (fixture, 0), "true: the value is 5"));
  g_assert_cmpstr (get_said (fixture, 1), ==, "false: the value is 5");
  g_assert_cmpstr (get_said (fixture, 2), ==,
                   "false: claims.md:15:20: “dog” is no token here; these are [CLS] the cat sat "
                   "[SEP]");
}

#define UNANSWERABLE HEADER FIRST "ask: token Which?\nanswer: \"dog\"\n\n" \
  "ask: number How many?\nanswer: 3 / 0\n\nBehind.\n"

/* A question whose answer cannot be says so, with its place, and does not wait for one. */
static void
test_unanswerable (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("unanswerable.md", UNANSWERABLE);

  open_file (fixture, path);
  wait_until (shows (fixture, "It cannot be answered: unanswerable.md:14:9: “dog” is no token here; "
                              "these are [CLS] the cat sat [SEP]."));
  g_assert_true (shows (fixture, "It cannot be answered: unanswerable.md:17:11: the quotient is no "
                                 "finite number."));
  g_assert_true (shows (fixture, "Behind."));
  g_assert_false (gtk_widget_get_mapped (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                      0)));
}

#define ASKED HEADER FIRST "Before.\n\nask: token Which?\nanswer: \"cat\"\n\nBetween.\n\n" \
  "ask: number How many tokens?\nanswer: size(tokens)\n\nBehind.\n\nclaim: size(tokens) = 5\n"

/* Chosen in the picture, judged, kept, and known when the lesson is opened once more. */
static void
test_token (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("asked.md", ASKED);
  const UiItem cat = { .type = UI_ITEM_QUERY, .head = -1, .query = 2, .key = -1 };

  open_file (fixture, path);
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  wait_until (is_idle (fixture->window));
  g_assert_true (shows (fixture, "Before."));
  g_assert_false (shows (fixture, "Between."));
  g_assert_false (shows (fixture, "“cat”"));
  g_assert_false (ui_question_box_is_whole (find_question (fixture, 0)));

  g_signal_emit_by_name (window_view (fixture->window), "clicked", &cat, FALSE);
  g_assert_cmpint (ui_question_box_get_token (find_question (fixture, 0), 0), ==, 2);
  answer (fixture, 0);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (shows (fixture, "Right. It is “cat”."));
  g_assert_true (shows (fixture, "Between."));
  g_assert_false (shows (fixture, "Behind."));
  g_assert_true (says (fixture, "lesson_score", "1 of 1 right"));

  ui_question_box_choose_number (find_question (fixture, 1), 4);
  answer (fixture, 1);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (shows (fixture, "Not quite. The answer is 5."));
  g_assert_true (shows (fixture, "Behind."));
  g_assert_true (says (fixture, "lesson_score", "1 of 2 right"));

  activate (fixture, "win.close-lesson");
  open_file (fixture, path);
  wait_until (shows (fixture, "Behind."));
  g_assert_cmpint (ui_question_box_get_token (find_question (fixture, 0), 0), ==, 2);
  g_assert_cmpfloat (ui_question_box_get_number (find_question (fixture, 1)), ==, 4);
}

#define CELL_AND_HEAD HEADER FIRST "ask: cell Which?\nanswer: \"sat\", \"cat\"\n\n" \
  "ask: head Which?\nanswer: 3.11\n\nask: option Which?\noption: no\noption: **yes**\n" \
  "answer: **yes**\n\nBehind.\n"

/* A link of the picture, a head that is shown, words. */
static void
test_other_choices (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("others.md", CELL_AND_HEAD);
  const UiItem link = { .type = UI_ITEM_LINK, .head = 6, .query = 3, .key = 2 };
  int layer, head;

  open_file (fixture, path);
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    1)));
  wait_until (is_idle (fixture->window));
  g_signal_emit_by_name (window_view (fixture->window), "clicked", &link, FALSE);
  answer (fixture, 0);
  g_assert_true (shows (fixture, "Right. The answer: “sat” reads “cat”."));
  activate (fixture, "win.only-head((3, 11))");
  wait_until (is_idle (fixture->window));
  ui_question_box_get_head (find_question (fixture, 1), &layer, &head);
  g_assert_cmpint (layer, ==, 3);
  g_assert_cmpint (head, ==, 11);
  answer (fixture, 1);
  g_assert_true (shows (fixture, "Right. It is 3.11."));
  g_assert_false (ui_question_box_is_whole (find_question (fixture, 2)));
  ui_question_box_choose_option (find_question (fixture, 2), 0);
  answer (fixture, 2);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (shows (fixture, "Not quite. The answer: yes."));
  g_assert_true (shows (fixture, "Behind."));
}

/* The choice by keys: to the tokens, along them, to the button. */
static void
test_keys (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("keys.md", ASKED);

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  /* The first of the tokens has the keys once they are known. */
  wait_until (gtk_widget_get_focus_child (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                       0)) != NULL);
  press_key ("Right");
  press_key ("space");
  wait_until (ui_question_box_get_token (find_question (fixture, 0), 0) == 1);
  press_key ("Tab");
  press_key ("Return");
  wait_until (shows (fixture, "Not quite. The answer is “cat”."));
  /* On in the next question. */
  press_key ("5");
  press_key ("Return");
  wait_until (shows (fixture, "Right. It is 5."));
}

/* The same without the button: Return chooses what is not chosen, and answers where it is. */
static void
test_return (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("return.md", HEADER FIRST
    "ask: option Who sits?\noption: nobody\noption: everybody\nanswer: everybody\n\n"
    "ask: token Which?\nanswer: \"cat\"\n");
  UiQuestionBox *first;

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  first = find_question (fixture, 0);
  wait_until (gtk_widget_get_focus_child (GTK_WIDGET (first)) != NULL);
  press_key ("Return");
  wait_until (ui_question_box_is_whole (first));
  g_assert_true (ui_question_box_is_asked (first));
  press_key ("Down");
  wait_until (ui_question_box_get_option (first) == 1);
  press_key ("Return");
  wait_until (shows (fixture, "Right. The answer: everybody."));
  wait_until (gtk_widget_get_focus_child (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                       0)) != NULL);
  press_key ("Return");
  wait_until (ui_question_box_get_token (find_question (fixture, 1), 0) == 0);
  g_assert_true (ui_question_box_is_asked (find_question (fixture, 1)));
  press_key ("Return");
  wait_until (shows (fixture, "Not quite. The answer is “cat”."));
}

#define LONG_TEXT "Read this first, in some lines that fill the page.\n\n"

/* A section opens at its heading, however far below its question is; the keys scroll to it, and Tab
 * goes there. */
static void
test_heading (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("heading.md", HEADER FIRST
    LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT
    LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT
    "ask: number How many?\nanswer: size(tokens)\n\n" SECOND LONG_TEXT);
  GtkAdjustment *place;
  GtkWidget *scroller, *question;

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  scroller = window_find (fixture->window, "lesson_scroller");
  place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  for (int i = 0; i < 2; i++) {
    question = GTK_WIDGET (find_question (fixture, 0));
    wait_until (ui_question_box_is_asked (UI_QUESTION_BOX (question))
                && gtk_window_get_focus (GTK_WINDOW (fixture->window)) == scroller);
    g_assert_cmpfloat (gtk_adjustment_get_upper (place), >, gtk_adjustment_get_page_size (place));
    g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 0);
    press_key ("Down");
    wait_until (gtk_adjustment_get_value (place) > 0);
    g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == scroller);
    press_key ("Tab");
    wait_until (gtk_widget_get_focus_child (question) != NULL);
    press_key ("F4");
    wait_until (says (fixture, "lesson_count", "2 of 2"));
    wait_until (gtk_adjustment_get_value (place) == 0);
    press_key ("F3");
    wait_until (says (fixture, "lesson_count", "1 of 2"));
  }
}

/* Stays at the section; what is broken is said, with its place, and the lesson stays as it was. */
static void
test_reload (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("reload.md", HEADER FIRST SECOND);
  g_autofree char *changed = NULL;
  g_autofree char *broken = NULL;
  g_autofree char *mended = NULL;

  open_file (fixture, path);
  activate (fixture, "win.next-section");
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (shows (fixture, "Two"));
  changed = write_lesson ("reload.md", HEADER FIRST SECOND "New words.\n");
  wait_until (shows (fixture, "New words."));
  g_assert_true (says (fixture, "lesson_count", "2 of 2"));
  broken = write_lesson ("reload.md", HEADER FIRST SECOND "clam: size(tokens) = 5\n");
  wait_until (is_mapped (fixture, "lesson_fault"));
  assert_contains (window_get_label (fixture->window, "lesson_fault"),
                   "reload.md:19:1: “clam:” begins no line of a lesson");
  g_assert_true (shows (fixture, "New words."));
  mended = write_lesson ("reload.md", HEADER FIRST "## Other\n\n" STATE ("--layer 4 --heads 0"));
  wait_until (!is_mapped (fixture, "lesson_fault"));
  wait_until (shows (fixture, "Other"));
  g_assert_cmpint (get_document (fixture)->layer, ==, 4);
}

/* One sentence with line and column, and what was on show stays. */
static void
test_broken (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("broken.md", HEADER FIRST "claim: wait(0.0, 0, 0) >= 0\n");
  g_autoptr (UiDocument) own = ui_document_copy (get_document (fixture));

  app_window_open_file (fixture->window, path);
  wait_until (window_reveals (fixture->window, "refusal_revealer"));
  assert_contains (window_get_label (fixture->window, "refusal_label"),
                   "broken.md:13:8: there is no function “wait”");
  g_assert_true (ui_document_equal (get_document (fixture), own));
  g_assert_false (window_shows_side (fixture->window, "lesson"));
}

/* A model that is not here: the page says so and how to get it, no other model's picture is seen,
 * and a question about it does not wait for what nobody can choose. */
static void
test_absent (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("absent.md", HEADER FIRST "## Two\n\n```headlight\n"
    "headlight render --model no-such-model -o a.svg 'A'\n```\n\nclaim: size(layers) = 6\n\n"
    "ask: token Which?\nanswer: 1\n");

  open_file (fixture, path);
  activate (fixture, "win.next-section");
  wait_until (is_mapped (fixture, "lesson_fault"));
  assert_contains (window_get_label (fixture->window, "lesson_fault"), "no-such-model is not on");
  assert_contains (window_get_label (fixture->window, "lesson_fault"), "Download a Model…");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window_view (fixture->window))));
  wait_until (g_str_has_prefix (get_said (fixture, 0), "not computed: no-such-model is not on"));
  g_assert_true (shows (fixture, "It is answered from the picture of no-such-model, which is not on "
                                 "this computer."));
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  g_assert_false (window_reveals (fixture->window, "refusal_revealer"));
  activate (fixture, "win.previous-section");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window_view (fixture->window))));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_false (is_mapped (fixture, "lesson_fault"));
}

/* The sentence above the picture is of tokens where these are put together to words. */
static void
test_pieces (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("pieces.md", HEADER "## One\n\n```headlight\n"
    "headlight render --view matrix --words --layer 1 --heads 6 -o a.svg "
    "'tokenization of embeddings'\n```\n");
  g_autofree char *caption = NULL;

  open_file (fixture, path);
  wait_until (is_idle (fixture->window) && app_window_get_shown (fixture->window)->words);
  caption = app_picture_describe (app_desk_get_picture (app_window_get_desk (fixture->window)));
  assert_contains (caption, "Head 6 of layer 1");
  assert_contains (caption, "read the one before");
}

static void
begin_tour (Fixture *fixture)
{
  activate (fixture, "win.tour");
  wait_until (is_mapped (fixture, "tour_card"));
}

static void
begin_last_step (Fixture *fixture)
{
  begin_tour (fixture);
  for (int i = 1; i < 7; i++)
    activate (fixture, "win.next-section");
  g_assert_true (says (fixture, "tour_count", "7 of 7"));
}

/* The tour: Escape gives back what was there, its end keeps the sentence that was typed, and so does
 * Escape there. */
static void
test_tour_end (Fixture *fixture)
{
  g_autoptr (UiDocument) own = ui_document_copy (get_document (fixture));

  begin_tour (fixture);
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
  g_signal_emit_by_name (window_find (fixture->window, "tour_end"), "clicked");
  g_assert_true (ui_document_equal (get_document (fixture), own));

  begin_last_step (fixture);
  g_assert_true (says (fixture, "tour_next", "Done"));
  type (fixture, "My own words", "");
  activate (fixture, "win.next-section");
  g_assert_false (is_mapped (fixture, "tour_card"));
  g_assert_cmpstr (get_document (fixture)->text_a, ==, "My own words");

  begin_last_step (fixture);
  type (fixture, "My dog eats fish", "");
  for (int i = 0; i < 3 && is_mapped (fixture, "tour_card"); i++)
    driver_press_key (GTK_WIDGET (fixture->window), "Escape");
  g_assert_false (is_mapped (fixture, "tour_card"));
  g_assert_cmpstr (get_document (fixture)->text_a, ==, "My dog eats fish");
}

/* In a low window, which has no room for the entries, its end brings them, and they have the keys. */
static void
test_tour_low (Fixture *fixture)
{
  GtkWidget *folded = window_find (fixture->window, "folded_button");

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 900, 420);
  wait_until (gtk_widget_get_mapped (folded));
  begin_last_step (fixture);
  g_assert_true (is_mapped (fixture, "tour_card"));
  wait_until (is_mapped (fixture, "entry_a") && !gtk_widget_get_mapped (folded));
  g_assert_true (gtk_widget_get_state_flags (window_find (fixture->window, "entry_a"))
                 & GTK_STATE_FLAG_FOCUS_WITHIN);
  activate (fixture, "win.next-section");
  g_assert_false (is_mapped (fixture, "tour_card"));
}

static gboolean
is_choosing (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (GTK_IS_FILE_CHOOSER_DIALOG (window))
      return TRUE;
  }
  return FALSE;
}

/* What is on show becomes a section of the lesson that is open, which is read anew; Return says so,
 * as it asks for a new one where none is open. */
static void
test_add_view (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("add.md", HEADER FIRST);
  g_autofree char *text = NULL;
  GtkEditable *heading;

  activate (fixture, "win.add-to-lesson");
  wait_until (find_dialog () != NULL);
  g_assert_cmpstr (adw_message_dialog_get_default_response (ADW_MESSAGE_DIALOG (find_dialog ())), ==,
                   "new");
  gtk_window_close (GTK_WINDOW (find_dialog ()));
  wait_until (find_dialog () == NULL);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_false (is_choosing ());
  open_file (fixture, path);
  activate (fixture, "win.only-head((3, 11))");
  wait_until (is_idle (fixture->window) && window_is_idle (fixture->window));
  activate (fixture, "win.add-to-lesson");
  wait_until (find_dialog () != NULL);
  heading = GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0));
  gtk_editable_set_text (heading, "Mine");
  driver_settle (find_dialog ());
  g_signal_emit_by_name (gtk_editable_get_delegate (heading), "activate");
  wait_until (says (fixture, "lesson_count", "1 of 2"));
  activate (fixture, "win.next-section");
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (shows (fixture, "Mine"));
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_contains (text, "--layer 3 --heads 11");
}

static void
saved_cb (GObject      *study,
          GAsyncResult *result,
          gpointer      data)
{
  g_autofree char *path = app_study_save_finish (APP_STUDY (study), result, NULL);

  g_assert_nonnull (path);
}

/* A window that closes within a lesson asks nothing: what it shows is no change of a session. */
static void
test_session (Fixture *fixture)
{
  g_autofree char *lesson = write_lesson ("in-session.md", HEADER FIRST);
  g_autofree char *session = g_build_filename (folder, "own.headlight", NULL);
  AppStudy *study = app_desk_get_study (app_window_get_desk (fixture->window));

  g_assert_true (app_study_save_async (study, session, saved_cb, NULL));
  wait_until (app_study_get_path (study) != NULL);
  open_file (fixture, lesson);
  gtk_window_close (GTK_WINDOW (fixture->window));
  g_assert_null (gtk_application_get_windows (GTK_APPLICATION (fixture->application)));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-lessons/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("list", test_list);
  ADD ("leave", test_leave);
  ADD ("little-room", test_little_room);
  ADD ("claims", test_claims);
  ADD ("unanswerable", test_unanswerable);
  ADD ("token", test_token);
  ADD ("other-choices", test_other_choices);
  ADD ("keys", test_keys);
  ADD ("return", test_return);
  ADD ("heading", test_heading);
  ADD ("reload", test_reload);
  ADD ("broken", test_broken);
  ADD ("absent", test_absent);
  ADD ("pieces", test_pieces);
  ADD ("tour-end", test_tour_end);
  ADD ("tour-low", test_tour_low);
  ADD ("add-view", test_add_view);
  ADD ("session", test_session);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
