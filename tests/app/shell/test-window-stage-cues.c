/* SPDX-License-Identifier: MIT */
/* A lesson before people: its sentences, and how they are seen. */
#include "app/parts/lessons/cue.h"
#include "tests/app/shell/stage-case.h"
#include "tests/support/window/real-input.h"
#include "ui/sentences/sentence-line.h"
#include "ui/view/stage-light.h"

#define TOKEN "ask: token Which?\nanswer: \"cat\"\n\n"
#define LETTERS 0.05 /* of the height of the screen */

static void
present (Fixture    *fixture,
         const char *name,
         const char *sections)
{
  g_autofree char *text = g_strconcat (HEADER, sections, NULL);
  g_autofree char *path = write_lesson (name, text);

  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL);
  driver_settle (GTK_WIDGET (fixture->window));
}

/* What stands above the picture. */
static const char *
get_sentence (Fixture *fixture)
{
  return ui_sentence_line_get_text (UI_SENTENCE_LINE (window_find (fixture->window, "caption")));
}

/* Until the next call. */
static const char *
get_said (Fixture *fixture)
{
  static char *said;

  g_free (said);
  said = app_picture_describe (get_picture (fixture));
  return said;
}

static void
leave (Fixture *fixture)
{
  activate (fixture, "win.present");
  wait_until (find_speaker () == NULL);
}

/* The window of who speaks may lie over the picture. */
static void
point_at (Fixture *fixture,
          int      query)
{
  UiSceneView *view = window_view (fixture->window);
  const UiItem item = { .type = UI_ITEM_QUERY, .query = query };
  const UiRect area = ui_scene_view_get_area (view);
  graphene_rect_t bounds;
  UiRect rect;
  g_autofree char *x = NULL;
  g_autofree char *y = NULL;

  gtk_widget_set_visible (GTK_WIDGET (find_speaker ()), FALSE);
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (view), &item, &rect));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (view), GTK_WIDGET (fixture->window),
                                            &bounds));
  x = g_strdup_printf ("%d", (int) (bounds.origin.x + rect.x - area.x + rect.width / 2));
  y = g_strdup_printf ("%d", (int) (bounds.origin.y + rect.y - area.y + rect.height / 2));
  run_xdotool ((const char *const[]) { "xdotool", "mousemove", "1", "1", "mousemove", x, y, NULL });
  wait_until (ui_scene_view_get_hovered (view)->type == UI_ITEM_QUERY);
}

/* What the hand of the speaker rests on does not take the place of what the lesson says. */
static void
test_hovered (Fixture *fixture)
{
  if (!has_real_input ())
    return;
  present (fixture, "hovered.md", FIRST TOKEN);
  point_at (fixture, 2);
  assert_says (fixture, "One");
  activate (fixture, "win.stage-next");
  assert_says (fixture, "Which?");
  g_assert_cmpstr (get_sentence (fixture), ==, "Which?");
  activate (fixture, "win.stage-next");
  wait_until (window_says (fixture, "Which? <b>“cat”</b>"));
  point_at (fixture, 1);
  assert_says (fixture, "Which? <b>“cat”</b>");
  leave (fixture);
}

static guint
get_alpha (GtkWidget *widget,
           int        x,
           int        y)
{
  g_autoptr (GdkTexture) picture = driver_take_picture (widget);
  const int width = gdk_texture_get_width (picture);
  g_autofree guint32 *pixels = g_new (guint32, width * gdk_texture_get_height (picture));

  gdk_texture_download (picture, (guchar *) pixels, (gsize) width * 4);
  return pixels[y * width + x] >> 24;
}

/* All is dark but the spot and the sentence. */
static void
test_spot (Fixture *fixture)
{
  GtkWidget *light;
  graphene_rect_t words;
  int x, y;

  present (fixture, "spot.md", FIRST);
  light = driver_find (GTK_WIDGET (fixture->window), UI_TYPE_STAGE_LIGHT, 0);
  ui_stage_light_move (UI_STAGE_LIGHT (light), gtk_widget_get_width (light),
                       gtk_widget_get_height (light));
  activate (fixture, "win.stage-spot");
  driver_settle (light);
  g_assert_true (gtk_widget_compute_bounds (window_find (fixture->window, "caption"), light,
                                            &words));
  x = (int) words.origin.x;
  y = (int) words.origin.y;
  g_assert_cmpuint (get_alpha (light, x, y), ==, 0);
  g_assert_cmpuint (get_alpha (light, x + (int) words.size.width / 2,
                               y + (int) words.size.height - 1), ==, 0);
  g_assert_cmpuint (get_alpha (light, x, gtk_widget_get_height (light) / 2), >, 0x80);
  leave (fixture);
}

/* What there is to choose from stands there with the question, and with the answer which it is. */
static void
test_options (Fixture *fixture)
{
  AppLessonsPart *lessons = app_window_get_part (fixture->window, APP_TYPE_LESSONS_PART);
  g_autofree char *next = NULL;

  present (fixture, "options.md", "## One\n\n" STATE ("--layer 1 --heads 6")
           "ask: option It is …\noption: *less*\noption: more\nanswer: more\n");
  next = app_lessons_part_dup_next (lessons);
  g_assert_cmpstr (next, ==, "It is …\n<b>a</b>\u00a0<i>less</i>\u2003 <b>b</b>\u00a0more");
  activate (fixture, "win.stage-next");
  assert_says (fixture, next);
  g_assert_true (speaker_says ("a\u00a0less"));
  g_assert_cmpstr (get_sentence (fixture), ==,
                   "It is …\na\u00a0less\u2003 b\u00a0more");
  activate (fixture, "win.stage-next");
  wait_until (window_says (fixture, "It is …\n<span alpha=\"60%\">a\u00a0<i>less</i></span>\u2003 "
                                    "<b>✓\u00a0b\u00a0more</b>"));
  g_assert_true (speaker_says ("✓\u00a0b\u00a0more"));
  leave (fixture);
}

/* An answer alone does not say what it means: the lesson's words behind it do. */
static void
test_comment (Fixture *fixture)
{
  present (fixture, "comment.md", "## One\n\n" STATE ("--layer 1 --heads 6") "Before.\n\n" TOKEN
           "claim: size(tokens) = 5\n\nIt *sits*.\n\nFurther.\n\n"
           "ask: number How many?\nanswer: 5\n\nask: number And now?\nanswer: 6\n\nSix.\n");
  activate (fixture, "win.stage-next");
  assert_says (fixture, "Which?");
  activate (fixture, "win.stage-next");
  wait_until (window_says (fixture, "Which? <b>“cat”</b>\n"
                                    "<span size=\"80%\">It <i>sits</i>.</span>"));
  activate (fixture, "win.stage-next");
  activate (fixture, "win.stage-next");
  assert_says (fixture, "How many? <b>5</b>");
  activate (fixture, "win.stage-next");
  activate (fixture, "win.stage-next");
  assert_says (fixture, "And now? <b>6</b>\n<span size=\"80%\">Six.</span>");
  leave (fixture);
}

/* A room reads while it listens: some words of the lesson, no page of it. */
static void
test_brief (Fixture *fixture)
{
  present (fixture, "brief.md", "## One\n\n" STATE ("--layer 1 --heads 6")
           "It has 3.11 of **them, all.** And more? Yes. Then a sentence that is so long that nobody in "
           "the last row reads it to its end while somebody speaks of something else.\n\nFurther.\n");
  assert_says (fixture, "One\n<span size=\"80%\">It has 3.11 of <b>them, all.</b> And more? Yes.</span>");
  leave (fixture);
}

/* What the claims of a section are about is seen once nothing is asked any more, in numbers. */
static void
test_predictions (Fixture *fixture)
{
  static const char *const expected =
    "\n<span size=\"80%\">“her”\u00a00.72, first · unedited “her”\u00a00.72 · “is”\u00a0&lt;0.001 · "
    "after 6 layers “her”\u00a00.72, first · “his”, number\u00a0";

  present (fixture, "predictions.md", "## One\n\n"
           "```headlight\nheadlight render --layer 5 --heads 2 -o a.svg 'She lost [MASK] key.'\n```\n\n"
           "ask: option Which?\noption: her\noption: his\nanswer: her\n\n"
           "claim: rank(\"her\") = 1\n\nclaim: probability(\"her\") >= 0.5\n\n"
           "claim: unedited.probability(\"her\") >= 0.5\n\nclaim: probability(\"is\") <= 0.5\n\n"
           "claim: lens(6, \"her\") >= 0.5\n\nclaim: lens-rank(6, \"her\") = 1\n\n"
           "claim: rank(\"his\") >= 2\n\n"
           "claim: probability(\"her\") - probability(\"his\") >= 0\n");
  assert_says (fixture, "One");
  activate (fixture, "win.stage-next");
  g_assert_false (speaker_says ("0.72"));
  activate (fixture, "win.stage-next");
  wait_until (strstr (get_said (fixture), expected) != NULL);
  leave (fixture);
}

static int
get_screen (Fixture *fixture,
            int     *n)
{
  return ui_steps_get_screen (get_scene (fixture), n);
}

/* What has no room is gone through before it is asked about, and once more with the answer: both
 * begin at its beginning. */
static void
test_screens (Fixture *fixture)
{
  int n;

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  driver_settle (GTK_WIDGET (fixture->window));
  present (fixture, "screens.md", "## One\n\n```headlight\nheadlight render --view steps --step 0 -o a.svg "
           "'The cat sat on the mat beside the door of the house' "
           "'The dog lay on the rug in front of the fire all day'\n```\n\n" TOKEN);
  wait_until (is_at_step (fixture, 0) && is_idle (fixture->window));
  g_assert_cmpint (get_screen (fixture, &n), ==, 0);
  g_assert_cmpint (n, >, 1);
  for (int i = 1; i < n; i++) {
    assert_says (fixture, "One");
    activate (fixture, "win.stage-next");
    g_assert_cmpint (get_screen (fixture, &n), ==, i);
  }
  activate (fixture, "win.stage-next");
  assert_says (fixture, "Which?");
  g_assert_cmpint (get_screen (fixture, &n), ==, 0);
  g_assert_false (speaker_says ("More of this step"));
  activate (fixture, "win.stage-next");
  wait_until (window_says (fixture, "Which? <b>“cat”</b>"));
  g_assert_cmpint (get_screen (fixture, &n), ==, 0);
  g_assert_true (speaker_says ("More of this step"));
  activate (fixture, "win.stage-next");
  g_assert_cmpint (get_screen (fixture, &n), ==, 1);
  leave (fixture);
}

/* A picture that is as wide as the window has no bar below it, however that is worked out. */
static void
test_no_bar (Fixture *fixture)
{
  GtkAdjustment *across;

  g_object_get (window_view (fixture->window), "hadjustment", &across, NULL);
  for (int width = 900; width <= 1270; width += 37) {
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, 760);
    driver_settle (GTK_WIDGET (fixture->window));
    present (fixture, "bar.md", "## One\n\n" STATE ("--layer 1 --heads 6 --pin 2") TOKEN);
    for (int i = 0; i < 3; i++) {
      wait_until (is_idle (fixture->window));
      driver_settle (GTK_WIDGET (fixture->window));
      g_assert_cmpfloat (gtk_adjustment_get_upper (across), ==,
                         gtk_adjustment_get_page_size (across));
      activate (fixture, "win.stage-next");
    }
    leave (fixture);
  }
  g_object_unref (across);
}

/* In a narrow window the page lies over the picture: not before people. */
static void
test_narrow (Fixture *fixture)
{
  AppDesk *desk = app_window_get_desk (fixture->window);

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 420, 700);
  driver_settle (GTK_WIDGET (fixture->window));
  wait_until (app_desk_folds_side (desk));
  present (fixture, "narrow.md", FIRST TOKEN);
  g_assert_false (app_desk_reveals_side (desk));
  leave (fixture);
  wait_until (app_desk_reveals_side (desk));
}

/* Edits are the speaker's to take back, not in sight of all. */
static void
test_chips (Fixture *fixture)
{
  present (fixture, "chips.md", "## One\n\n" STATE ("--layer 1 --heads 6 --edit 'zero 1.6'")
           "Words.\n");
  g_assert_false (is_mapped (fixture, "edit_row"));
  leave (fixture);
  wait_until (is_mapped (fixture, "edit_row"));
}

static double
get_text_size (Fixture *fixture)
{
  return ui_scene_get_text_size (ui_scene_view_get_scene (window_view (fixture->window)));
}

/* The sentence grows with the screen, and no word of the picture is larger. */
static void
test_large (Fixture *fixture)
{
  static const struct { int width, height; double scale; } screens[] = {
    { 960, 640, 1 }, { 1280, 780, 1 }, { 960, 640, 2 }, { 1280, 780, 2 },
  };
  static const char *const views[] = { "head", "matrix", "model", "neuron", "steps" };
  GtkSettings *settings = gtk_settings_get_default ();
  GtkWidget *caption = window_find (fixture->window, "caption");
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (screens); i++) {
    int height;

    g_object_set (settings, "gtk-xft-dpi", (int) (96 * 1024 * screens[i].scale), NULL);
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), screens[i].width,
                                 screens[i].height);
    driver_settle (GTK_WIDGET (fixture->window));
    present (fixture, "large.md", FIRST);
    height = gtk_widget_get_height (GTK_WIDGET (fixture->window));
    g_assert_cmpint (ABS (height - screens[i].height), <, 40);
    for (gsize view = 0; view < G_N_ELEMENTS (views); view++) {
      g_autofree char *action = g_strconcat ("win.view::", views[view], NULL);

      activate (fixture, action);
      wait_until (is_idle (fixture->window));
      driver_settle (GTK_WIDGET (fixture->window));
      g_test_message ("%s at %d, %g: %g", views[view], height, screens[i].scale,
                      get_text_size (fixture));
      g_assert_cmpfloat (get_text_size (fixture), <=, LETTERS * height);
    }
    /* Two lines, a little smaller. */
    g_assert_cmpfloat (gtk_widget_get_height (caption), >, 1.6 * LETTERS * height);
    leave (fixture);
  }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-stage-cues/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("hovered", test_hovered);
  ADD ("spot", test_spot);
  ADD ("options", test_options);
  ADD ("comment", test_comment);
  ADD ("brief", test_brief);
  ADD ("predictions", test_predictions);
  ADD ("screens", test_screens);
  ADD ("narrow", test_narrow);
  ADD ("no-bar", test_no_bar);
  ADD ("chips", test_chips);
  ADD ("large", test_large);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
