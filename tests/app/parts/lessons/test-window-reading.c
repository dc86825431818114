/* SPDX-License-Identifier: MIT */
/* A lesson in the real window: what it shows before a question is answered. */
#include "tests/app/parts/lessons/question-case.h"
#include "ui/boxes/columns.h"
#include "tests/support/window/real-input.h"
#include "ui/lessons/token-strip.h"
#include "ui/map/head-card.h"
#include "ui/map/head-list.h"

/* (transfer full) */
static char *
dup_caption (Fixture *fixture)
{
  return app_picture_describe (app_desk_get_picture (app_window_get_desk (fixture->window)));
}

/* Whether the line above the picture, as it stands there, has a text. */
static gboolean
caption_has (Fixture    *fixture,
             const char *text)
{
  return strstr (window_get_label (fixture->window, "caption"), text) != NULL;
}

/* Neither the line above the picture nor the page of numbers says the answer; both do once there is
 * one, and again where there is no question. */
static void
test_held_back (Fixture *fixture)
{
  GtkWidget *inspector;
  UiQuestionBox *box;
  g_autofree char *asked = NULL;
  g_autofree char *answered = NULL;

  open_asked (fixture, "answered.md");
  asked = dup_caption (fixture);
  g_assert_cmpstr (asked, ==, "<b>Head 6 of layer 1</b>, “cat” (2): answer first.");
  g_assert_true (caption_has (fixture, "Head 6 of layer 1, “cat” (2): answer first."));
  inspector = show_page (fixture, "inspector");
  g_assert_true (driver_shows_text (inspector, "Answer first: the numbers come then."));
  g_assert_false (driver_shows_text (inspector, "reads"));

  show_page (fixture, "lesson");
  box = UI_QUESTION_BOX (driver_find (find_content (fixture), UI_TYPE_QUESTION_BOX, 0));
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  ui_question_box_choose_token (box, 0, 1);
  wait_until (ui_question_box_is_whole (box));
  g_signal_emit_by_name (box, "answered");
  wait_until (shows (fixture, "Behind."));
  answered = dup_caption (fixture);
  assert_contains (answered, "reads “the” (1) most, with weight");
  g_assert_true (caption_has (fixture, "reads “the” (1) most, with weight"));
  show_page (fixture, "inspector");
  g_assert_false (driver_shows_text (inspector, "Answer first: the numbers come then."));
  g_assert_true (driver_shows_text (inspector, "reads"));
}

static const char *
get_of_card (Fixture *fixture)
{
  return ui_head_card_get_sentence (UI_HEAD_CARD (window_find (fixture->window, "map_card")));
}

/* What the picture tells a screen reader, of itself and of the token that is pointed at. */
static void
assert_spoken (Fixture    *fixture,
               const char *of_all,
               const char *of_token)
{
  GtkWidget *view = GTK_WIDGET (window_view (fixture->window));
  AppPicture *picture = app_desk_get_picture (app_window_get_desk (fixture->window));
  const UiItem cat = { .type = UI_ITEM_QUERY, .query = 2 };
  g_autofree char *summary = ui_scene_summarise (app_picture_get_scene (picture));
  g_autofree char *said = ui_scene_describe (app_picture_get_scene (picture), &cat);

  assert_contains (summary, of_all);
  assert_contains (said, of_token);
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL, summary);
}

/* Whether the table, which is in sight, has a number. */
static gboolean
has_table_numbers (Fixture *fixture)
{
  return driver_find_label (window_find (fixture->window, "table"), "0.0") != NULL;
}

/* All else that has the numbers of the picture waits, too: the map, what a screen reader is told, the
 * table; it comes back with the answer, and waits again where one asks again. */
static void
test_all_held_back (Fixture *fixture)
{
  GtkWidget *list = window_find (fixture->window, "map_list");
  GtkEditable *search = GTK_EDITABLE (window_find (fixture->window, "map_search"));
  g_autoptr (UiDocument) state = NULL;

  open_asked (fixture, "all.md");
  state = ui_document_copy (get_document (fixture));
  wait_until (driver_shows_text (list, "Answer first: what heads read comes then."));
  g_assert_false (ui_head_list_choose_first (UI_HEAD_LIST (list)));
  g_assert_cmpstr (get_of_card (fixture), ==, "Head 6 of layer 1");
  assert_spoken (fixture, "Answer first.", "“cat” (2): answer first.");
  /* Return leads to no head, and whoever looks for a pattern is told of none. */
  g_signal_emit_by_name (search, "activate");
  gtk_editable_set_text (search, "previous");
  g_signal_emit_by_name (search, "activate");
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (says (fixture, "map_heading", "Heads found"));
  g_assert_true (driver_shows_text (list, "Answer first: what heads read comes then."));
  g_assert_true (ui_document_equal (get_document (fixture), state));
  gtk_editable_set_text (search, "");
  activate (fixture, "win.table");
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (driver_shows_text (window_find (fixture->window, "table"), "–"));
  g_assert_false (has_table_numbers (fixture));

  answer_token (fixture, 1);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (has_table_numbers (fixture));
  g_assert_false (driver_shows_text (list, "Answer first: what heads read comes then."));
  assert_contains (get_of_card (fixture), "Head 6 of layer 1, the word before, ");
  assert_spoken (fixture, "Strongest: ", "reads “the” (1) most, with weight ");

  g_signal_emit_by_name (find_button (fixture, "Ask again"), "clicked");
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_false (has_table_numbers (fixture));
  g_assert_true (driver_shows_text (list, "Answer first: what heads read comes then."));
}

#define HEAD_ASKED HEADER FIRST "ask: head Which?\nanswer: 0.0\n\nBehind.\n"

/* No head is chosen until somebody chooses one, whole. */
static void
test_no_head (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("head.md", HEAD_ASKED);
  UiQuestionBox *box;
  GtkWidget *spins[2];
  int layer, head;

  open_file (fixture, path);
  box = find_question (fixture, 0);
  for (int i = 0; i < 2; i++)
    spins[i] = driver_find (GTK_WIDGET (box), GTK_TYPE_SPIN_BUTTON, i);
  wait_until (gtk_widget_is_sensitive (spins[0]));
  wait_until (is_idle (fixture->window));
  ui_question_box_get_head (box, &layer, &head);
  g_assert_cmpint (layer, ==, -1);
  g_assert_cmpint (head, ==, -1);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spins[0])), ==, "");
  g_assert_false (gtk_widget_get_sensitive (find_button (fixture, "Answer")));

  gtk_editable_set_text (GTK_EDITABLE (spins[0]), "0");
  g_assert_false (gtk_widget_get_sensitive (find_button (fixture, "Answer")));
  gtk_editable_set_text (GTK_EDITABLE (spins[1]), "12");
  g_assert_false (gtk_widget_get_sensitive (find_button (fixture, "Answer")));
  gtk_editable_set_text (GTK_EDITABLE (spins[1]), "0");
  g_assert_true (gtk_widget_get_sensitive (find_button (fixture, "Answer")));
  ui_question_box_get_head (box, &layer, &head);
  g_assert_cmpint (layer, ==, 0);
  g_assert_cmpint (head, ==, 0);
  g_signal_emit_by_name (box, "answered");
  wait_until (shows (fixture, "Right. It is 0.0."));
}

/* F4 from the picture leads to what is asked, and to no button where nothing is. */
static void
test_to_question (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("to-question.md", HEADER FIRST "Text.\n\n"
    "## Asked\n\nask: option Which?\noption: no\noption: yes\nanswer: yes\n\n"
    "## Token\n\nask: token Which?\nanswer: \"cat\"\n\n## Last\n\nText.\n");
  GtkWidget *view = GTK_WIDGET (window_view (fixture->window));

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
  for (int i = 0; i < 2; i++) {
    gtk_widget_grab_focus (view);
    press_key ("F4");
    wait_until (driver_find (find_content (fixture), UI_TYPE_QUESTION_BOX, 0) != NULL
                && gtk_widget_get_focus_child (GTK_WIDGET (find_question (fixture, 0))) != NULL);
  }
  gtk_widget_grab_focus (view);
  press_key ("F4");
  wait_until (says (fixture, "lesson_count", "4 of 4"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == view);
}

/* What was answered is asked anew where the file came to ask something else. */
static void
test_asked_anew (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("anew.md", HEADER PINNED);
  g_autofree char *same = NULL;

  open_file (fixture, path);
  answer_token (fixture, 1);
  g_assert_true (says (fixture, "lesson_score", "1 of 1 right"));
  activate (fixture, "win.close-lesson");
  same = write_lesson ("anew.md", HEADER "## One\n\n" STATE ("--layer 1 --heads 6 --pin 2")
                       "ask: token Which token does “cat” read least?\nanswer: \"the\"\n\nBehind.\n");
  open_file (fixture, same);
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  g_assert_true (ui_question_box_is_asked (find_question (fixture, 0)));
  g_assert_false (shows (fixture, "Behind."));
  g_assert_false (is_mapped (fixture, "lesson_score"));
}

/* Whoever leaves, or goes on, sees all of it. */
static void
test_left (Fixture *fixture)
{
  AppPicture *picture = app_desk_get_picture (app_window_get_desk (fixture->window));

  open_asked (fixture, "left.md");
  g_assert_true (app_picture_is_asked (picture));
  activate (fixture, "win.next-section");
  g_assert_false (app_picture_is_asked (picture));
  activate (fixture, "win.previous-section");
  g_assert_true (app_picture_is_asked (picture));
  activate (fixture, "win.close-lesson");
  g_assert_false (app_picture_is_asked (picture));
}

static gboolean
has_focus_on (Fixture *fixture,
              int      row)
{
  GtkListBox *list = GTK_LIST_BOX (window_find (fixture->window, "lessons_list"));
  GtkListBoxRow *wanted = gtk_list_box_get_row_at_index (list, row);

  return wanted != NULL
         && gtk_window_get_focus (GTK_WINDOW (fixture->window)) == GTK_WIDGET (wanted);
}

/* The list goes on behind the lesson that was done, and with one that was only left. */
static void
test_next_row (Fixture *fixture)
{
  GtkListBox *list;

  activate (fixture, "win.lessons");
  wait_until (is_open (fixture) && has_focus_on (fixture, 0));
  list = GTK_LIST_BOX (window_find (fixture->window, "lessons_list"));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 2));
  wait_until (is_mapped (fixture, "lesson_title") && says (fixture, "lesson_title",
                                                           "What sums to one"));
  activate (fixture, "win.lessons");
  wait_until (is_mapped (fixture, "lessons_list") && has_focus_on (fixture, 2));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 2));
  wait_until (is_mapped (fixture, "lesson_title"));
  while (is_mapped (fixture, "lesson_title"))
    activate (fixture, "win.next-section");
  wait_until (is_mapped (fixture, "lessons_list") && has_focus_on (fixture, 3));
}

/* Where the picture comes to need the room, as one of larger text does, a lesson's page stays in
 * front of it, until a person closes it. */
static void
test_in_front (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *centre = gtk_label_new ("picture");
  GtkWidget *columns = g_object_new (UI_TYPE_COLUMNS, "start", gtk_label_new ("map"),
                                     "centre", centre, "end", gtk_label_new ("page"), NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 800, 300);
  gtk_window_set_child (GTK_WINDOW (window), columns);
  ui_columns_reveal (UI_COLUMNS (columns), UI_COLUMN_START, FALSE);
  ui_columns_keep (UI_COLUMNS (columns), UI_COLUMN_END, TRUE);
  ui_columns_reveal (UI_COLUMNS (columns), UI_COLUMN_END, TRUE);
  gtk_window_present (GTK_WINDOW (window));
  driver_settle (window);
  g_assert_false (ui_columns_is_folded (UI_COLUMNS (columns), UI_COLUMN_END));
  gtk_widget_set_size_request (centre, 700, -1);
  driver_settle (window);
  g_assert_true (ui_columns_is_folded (UI_COLUMNS (columns), UI_COLUMN_END));
  g_assert_true (ui_columns_is_revealed (UI_COLUMNS (columns), UI_COLUMN_END));
  ui_columns_reveal (UI_COLUMNS (columns), UI_COLUMN_END, FALSE);
  driver_settle (window);
  g_assert_false (ui_columns_is_revealed (UI_COLUMNS (columns), UI_COLUMN_END));
  gtk_window_destroy (GTK_WINDOW (window));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-reading/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("held-back", test_held_back);
  ADD ("all-held-back", test_all_held_back);
  ADD ("no-head", test_no_head);
  ADD ("to-question", test_to_question);
  ADD ("asked-anew", test_asked_anew);
  ADD ("left", test_left);
  ADD ("next-row", test_next_row);
  g_test_add_func ("/ui/window-reading/in-front", test_in_front);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
