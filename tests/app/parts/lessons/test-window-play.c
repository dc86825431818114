/* SPDX-License-Identifier: MIT */
/* Every lesson that ships, played from its first section to its end in the real window: each state
 * is shown, each claim is true, each question can be answered, and nothing that is said is cut, in a
 * narrow window with large letters as in a wide one. */
#include "tests/app/parts/lesson-case.h"
#include "ui/lessons/claim-row.h"
#include "ui/lessons/question-box.h"

#define MOST_SECTIONS 40

/* Nothing is wider than the page, and no word is left out. */
static void
assert_whole (GtkWidget  *page,
              GtkWidget  *widget,
              const char *lesson)
{
  graphene_rect_t bounds, frame;

  if (!gtk_widget_get_mapped (widget))
    return;
  if (gtk_widget_compute_bounds (widget, page, &bounds)
      && gtk_widget_compute_bounds (page, page, &frame)
      && (bounds.origin.x < frame.origin.x - 1
          || bounds.origin.x + bounds.size.width > frame.origin.x + frame.size.width + 1))
    g_error ("%s: a %s is not within the page", lesson, G_OBJECT_TYPE_NAME (widget));
  if (GTK_IS_LABEL (widget)
      && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    g_error ("%s: “%s” is cut", lesson, gtk_label_get_label (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_whole (page, child, lesson);
}

static gboolean
is_computed (Fixture *fixture)
{
  GtkWidget *row;

  for (int i = 0; (row = driver_find (find_content (fixture), UI_TYPE_CLAIM_ROW, i)) != NULL; i++)
    if (g_str_has_prefix (ui_claim_row_get_said (UI_CLAIM_ROW (row)), "computing"))
      return FALSE;

  return TRUE;
}

static void
assert_true_claims (Fixture    *fixture,
                    const char *lesson)
{
  GtkWidget *row;

  for (int i = 0; (row = driver_find (find_content (fixture), UI_TYPE_CLAIM_ROW, i)) != NULL; i++)
    if (g_str_has_prefix (ui_claim_row_get_said (UI_CLAIM_ROW (row)), "false"))
      g_error ("%s: %s", lesson, ui_claim_row_get_said (UI_CLAIM_ROW (row)));
}

/* Any answer will do: what stands behind it is shown then. */
static void
answer_all (Fixture *fixture)
{
  GtkWidget *widget;

  for (int i = 0; (widget = driver_find (find_content (fixture), UI_TYPE_QUESTION_BOX, i)) != NULL;
       i++) {
    UiQuestionBox *box = UI_QUESTION_BOX (widget);

    if (!ui_question_box_is_asked (box) || ui_question_box_has_obstacle (box))
      continue;
    ui_question_box_choose_token (box, 0, 0);
    ui_question_box_choose_token (box, 1, 0);
    ui_question_box_choose_head (box, 0, 0);
    ui_question_box_choose_number (box, 0);
    ui_question_box_choose_option (box, 0);
    g_assert_true (ui_question_box_is_whole (box));
    g_signal_emit_by_name (box, "answered");
    g_assert_false (ui_question_box_is_asked (box));
  }
}

static gboolean
is_guided (Fixture *fixture)
{
  return is_mapped (fixture, "tour_card");
}

static void
play_section (Fixture    *fixture,
              const char *lesson)
{
  GtkWidget *card = window_find (fixture->window, "tour_card");

  wait_until (window_is_idle (fixture->window));
  driver_settle (GTK_WIDGET (fixture->window));
  if (is_guided (fixture)) {
    assert_whole (card, card, lesson);
    return;
  }
  wait_until (is_computed (fixture));
  assert_true_claims (fixture, lesson);
  answer_all (fixture);
  driver_settle (GTK_WIDGET (fixture->window));
  assert_whole (window_find (fixture->window, "lesson_pages"),
                window_find (fixture->window, "lesson_pages"), lesson);
}

static gboolean
is_at_end (Fixture *fixture)
{
  return says (fixture, is_guided (fixture) ? "tour_next" : "lesson_next", "Done");
}

static void
play_lesson (Fixture    *fixture,
             const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  app_window_open_file (fixture->window, path);
  wait_until (is_guided (fixture) || (is_open (fixture) && is_mapped (fixture, "lesson_next")));
  for (int i = 0; i < MOST_SECTIONS; i++) {
    play_section (fixture, name);
    if (is_at_end (fixture))
      break;
    activate (fixture, "win.next-section");
  }
  g_assert_true (is_at_end (fixture));
  activate (fixture, "win.close-lesson");
  g_assert_false (window_shows_side (fixture->window, "lesson"));
}

static void
play_all (Fixture *fixture)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "resources", "lessons", NULL);
  g_autoptr (UiDocument) own = ui_document_copy (get_document (fixture));
  g_autoptr (GDir) lessons = g_dir_open (path, 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (lessons)) != NULL) {
    g_autofree char *lesson = g_build_filename (path, name, NULL);

    if (!g_str_has_suffix (name, ".md"))
      continue;
    g_test_message ("%s", name);
    play_lesson (fixture, lesson);
    n++;
  }
  g_test_message ("%d lessons", n);
  g_assert_cmpint (n, >=, 26);
  wait_until (window_is_idle (fixture->window));
  g_assert_true (ui_document_equal (get_document (fixture), own));
}

static void
resize (Fixture *fixture,
        int      width,
        int      height,
        double   scale)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int) (96 * 1024 * scale), NULL);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  wait_until (gtk_widget_get_width (GTK_WIDGET (fixture->window)) <= width);
  driver_settle (GTK_WIDGET (fixture->window));
}

static void
test_narrow (Fixture *fixture)
{
  resize (fixture, 900, 780, 2);
  play_all (fixture);
}

static void
test_wide (Fixture *fixture)
{
  resize (fixture, 1280, 780, 1);
  play_all (fixture);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-play/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("wide", test_wide);
  ADD ("narrow", test_narrow);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
