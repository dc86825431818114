/* SPDX-License-Identifier: MIT */
/* A lesson in the real window: what it shows before a question is answered. */
#include "tests/app/parts/lesson-case.h"
#include "ui/boxes/columns.h"
#include "ui/lessons/question-box.h"
#include "ui/lessons/token-strip.h"

#define PINNED "## One\n\n" STATE ("--layer 1 --heads 6 --pin 2") \
  "ask: token Which token does “cat” read most?\nanswer: \"the\"\n\nBehind.\n\n"

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

static void
open_asked (Fixture    *fixture,
            const char *name)
{
  g_autofree char *path = write_lesson (name, HEADER PINNED SECOND);

  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
}

/* The page of numbers, or the lesson's, comes to the front. */
static GtkWidget *
show_page (Fixture    *fixture,
           const char *name)
{
  AppDesk *desk = app_window_get_desk (fixture->window);
  GtkWidget *inspector = GTK_WIDGET (app_desk_get_inspector (desk));

  gtk_stack_set_visible_child_name (
    GTK_STACK (gtk_widget_get_ancestor (inspector, GTK_TYPE_STACK)), name);
  driver_settle (GTK_WIDGET (fixture->window));
  return inspector;
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
  ADD ("left", test_left);
  ADD ("next-row", test_next_row);
  g_test_add_func ("/ui/window-reading/in-front", test_in_front);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
