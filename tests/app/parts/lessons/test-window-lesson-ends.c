/* SPDX-License-Identifier: MIT */
/* When a lesson is done, what a number is, and what is added to a lesson in two languages. */
#include "app/parts/lessons/lessons-private.h"
#include "app/store/paths.h"
#include "tests/app/parts/lessons/question-case.h"
#include "tests/support/window/real-input.h"
#include "ui/lessons/token-strip.h"

static gboolean
is_done (Fixture    *fixture,
         const char *summary)
{
  return is_mapped (fixture, "lessons_list")
         && g_str_has_prefix (window_get_label (fixture->window, "lessons_summary"), summary);
}

/* Done is what was read to the end with its question answered; the list says how well. */
static void
test_done (Fixture *fixture)
{
  g_autofree char *lessons = app_paths_get_lessons ();
  g_autofree char *path = g_build_filename (lessons, "01-read-the-picture.md", NULL);

  open_file (fixture, path);
  activate (fixture, "win.next-section");
  activate (fixture, "win.next-section");
  wait_until (is_done (fixture, "0 of "));
  g_assert_false (driver_shows_text (window_find (fixture->window, "lessons_list"),
                                     "0 of 1 right"));
  open_file (fixture, path);
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  ui_question_box_choose_token (find_question (fixture, 0), 0, 1);
  answer (fixture, 0);
  activate (fixture, "win.next-section");
  activate (fixture, "win.next-section");
  wait_until (is_done (fixture, "1 of "));
  g_assert_nonnull (driver_find_label (window_find (fixture->window, "lessons_list"),
                                       "0 of 1 right"));
}

/* A question that cannot be answered does not stand in the way; what waits for an answer does. */
static void
test_refused (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("refused.md", HEADER FIRST
    "ask: token Which?\nanswer: \"dog\"\n\n" SECOND);
  g_autofree char *name = app_score_sheet_name (path);
  AppScoreSheet *scores;

  open_file (fixture, path);
  wait_until (!ui_question_box_is_asked (find_question (fixture, 0)));
  activate (fixture, "win.next-section");
  activate (fixture, "win.next-section");
  wait_until (is_mapped (fixture, "lessons_list"));
  scores = app_lessons_part_get_scores (app_window_get_part (fixture->window,
                                                             APP_TYPE_LESSONS_PART));
  g_assert_true (app_score_sheet_is_done (scores, name));
}

/* What is no number is not only refused: it is said what one is. */
static void
test_number (Fixture *fixture)
{
  static const struct { const char *text; gboolean is_said; } cases[] = {
    { "six", TRUE }, { "", FALSE }, { "-", FALSE }, { "-0.", FALSE }, { "6", FALSE },
    { "6 heads", TRUE }, { "0,5", FALSE }, { "nan", TRUE },
  };
  g_autofree char *path = write_lesson ("number.md", HEADER FIRST
                                        "ask: number How many?\nanswer: 6\n");
  GtkEditable *entry;

  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
  entry = GTK_EDITABLE (driver_find (find_content (fixture), GTK_TYPE_ENTRY, 0));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    gtk_editable_set_text (entry, cases[i].text);
    driver_settle (GTK_WIDGET (fixture->window));
    g_test_message ("“%s”", cases[i].text);
    g_assert_cmpint (shows (fixture, "A number, such as 6"), ==, cases[i].is_said);
  }
}

#define SIX_LINES "Read\n\nthis\n\nfirst,\n\nline\n\nby\n\nline.\n\n"

/* What is typed where a section is read is meant for its question, however far below that is. */
static void
test_typed (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("typed.md", HEADER FIRST
    SIX_LINES SIX_LINES SIX_LINES SIX_LINES
    "ask: number How many?\nanswer: 0.5\n\n" SECOND);

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  wait_until (ui_question_box_is_asked (find_question (fixture, 0))
              && gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == window_find (fixture->window, "lesson_scroller"));
  press_key ("0");
  press_key ("period");
  press_key ("5");
  press_key ("Return");
  wait_until (!ui_question_box_is_asked (find_question (fixture, 0)));
  wait_until (says (fixture, "lesson_score", "1 of 1 right"));
}

/* While a question is open, what is shown has no sentence; both languages of a lesson get the
 * section. */
static void
test_languages (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("pair.md", HEADER FIRST "ask: token Which?\n"
                                        "answer: \"cat\"\n");
  g_autofree char *german = write_lesson ("pair.de.md", HEADER FIRST "ask: token Welches?\n"
                                          "answer: \"cat\"\n");
  GtkEditable *heading;

  open_file (fixture, german);
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  activate (fixture, "win.add-to-lesson");
  wait_until (find_dialog () != NULL);
  heading = GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (driver_find (find_dialog (),
                                                                     ADW_TYPE_ENTRY_ROW, 1))),
                   ==, "");
  gtk_editable_set_text (heading, "Mine");
  driver_settle (find_dialog ());
  g_signal_emit_by_name (gtk_editable_get_delegate (heading), "activate");
  wait_until (says (fixture, "lesson_count", "1 of 2"));
  wait_until (driver_find_label (GTK_WIDGET (fixture->window),
                                 "Added to pair.md and pair.de.md") != NULL);
  for (int i = 0; i < 2; i++) {
    g_autofree char *text = NULL;

    g_assert_true (g_file_get_contents (i == 0 ? path : german, &text, NULL, NULL));
    assert_contains (text, "\n## Mine\n");
    g_assert_null (strstr (text, "answer first"));
  }
}

/* Its title, the larger or the smaller one. */
static GtkWidget *
find_title (GtkWidget *widget)
{
  GtkWidget *title = NULL;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
      && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), "Add This View to a Lesson"))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && title == NULL;
       child = gtk_widget_get_next_sibling (child))
    title = find_title (child);

  return title;
}

/* The text that is proposed is of what is shown, whatever the pointer is at; the title is whole with
 * the four buttons that a lesson of one's own brings. */
static void
test_proposed (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("proposed.md", HEADER FIRST);
  UiSceneView *view = window_view (fixture->window);
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2, .key = -1 };
  UiRect rect, area;
  GtkWidget *title;

  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (view), &token, &rect));
  area = ui_scene_view_get_area (view);
  driver_point_at (GTK_WIDGET (view), rect.x + rect.width / 2 - area.x,
                   rect.y + rect.height / 2 - area.y);
  wait_until (ui_scene_view_get_item (view)->type == UI_ITEM_QUERY);
  activate (fixture, "win.add-to-lesson");
  wait_until (find_dialog () != NULL);
  driver_settle (find_dialog ());
  g_assert_true (g_str_has_prefix (
    gtk_editable_get_text (GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 1))),
    "Head 6 of layer 1"));
  wait_until ((title = find_title (find_dialog ())) != NULL);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (title))));
  gtk_window_close (GTK_WINDOW (find_dialog ()));
  wait_until (find_dialog () == NULL);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-lesson-ends/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("done", test_done);
  ADD ("refused", test_refused);
  ADD ("number", test_number);
  ADD ("typed", test_typed);
  ADD ("languages", test_languages);
  ADD ("proposed", test_proposed);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
