/* SPDX-License-Identifier: MIT */
/* The window before people, and that of who speaks. */
#include "app/parts/lessons/cue.h"
#include "tests/app/shell/stage-case.h"
#include "ui/lessons/token-strip.h"
#include "ui/scene/steps/steps-scene.h"
#include "ui/view/stage-light.h"

/* Before people the line says one sentence after the other: heading, question, answer, heading. */
static void
test_presented (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("presented.md", HEADER "## *One*\n\n"
    STATE ("--layer 1 --heads 6") "Words.\n\nask: token Which?\nanswer: \"cat\"\n\n"
    "note: Slowly.\n\ntry: Another one.\n\n" SECOND);
  AppLessonsPart *lessons = app_window_get_part (fixture->window, APP_TYPE_LESSONS_PART);
  g_autofree char *notes = NULL;
  g_autofree char *next = NULL;
  g_autofree char *end = NULL;

  open_file (fixture, path);
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  activate (fixture, "win.present");
  wait_until (is_idle (fixture->window));
  assert_says (fixture, "<i>One</i>\n<span size=\"80%\">Words.</span>");
  notes = app_lessons_part_dup_notes (lessons);
  g_assert_cmpstr (notes, ==, "<b>Slowly.</b>\n\nWords.\n\n<b>Try it.</b> Another one.");
  next = app_lessons_part_dup_next (lessons);
  g_assert_cmpstr (next, ==, "Which?");
  activate (fixture, "win.stage-next");
  assert_says (fixture, "Which?");
  /* It is computed once more, in the place where it is shown. */
  activate (fixture, "win.stage-next");
  wait_until (window_says (fixture, "Which? <b>“cat”</b>"));
  activate (fixture, "win.stage-next");
  assert_says (fixture, "Two");
  g_assert_cmpint (get_document (fixture)->layer, ==, 2);
  end = app_lessons_part_dup_next (lessons);
  g_assert_null (end);
  activate (fixture, "win.stage-next");
  assert_says (fixture, "Two");
  activate (fixture, "win.stage-back");
  wait_until (window_says (fixture, "Which? <b>“cat”</b>"));
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  activate (fixture, "win.present");
  wait_until (is_open (fixture));
  g_assert_false (window_says (fixture, "Which? <b>“cat”</b>"));
}

/* The bar of a model that writes is not for people. */
static void
test_writing (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("writes.md", "---\ntitle: A\nminutes: 5\n"
    "model: headlight-causal\n---\n\n## One\n\n```headlight\n"
    "headlight render -o a.svg 'Thank you'\n```\n");

  open_file (fixture, path);
  wait_until (is_mapped (fixture, "writing_bar"));
  activate (fixture, "win.present");
  wait_until (!is_mapped (fixture, "writing_bar"));
  activate (fixture, "win.present");
  wait_until (is_mapped (fixture, "writing_bar"));
}

/* Keys work in either window; what was left out comes back, also where the full screen is left. */
static void
test_stage (Fixture *fixture)
{
  const int layer = get_document (fixture)->layer;
  GtkWidget *strip = window_find (fixture->window, "column_strip");
  GtkWidget *light;

  if (!has_real_input ())
    return;
  g_assert_false (is_enabled (fixture, "stage-spot"));
  press_key ("F5");
  wait_until (find_speaker () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_speaker ())));
  g_assert_false (gtk_widget_get_visible (strip));
  light = driver_find (GTK_WIDGET (fixture->window), UI_TYPE_STAGE_LIGHT, 0);
  g_assert_true (gtk_widget_get_mapped (light));
  press_key ("Page_Down");
  wait_until (get_document (fixture)->layer == layer + 1);
  press_key ("s");
  wait_until (window_has_state (fixture, "stage-spot"));
  press_key ("f");
  wait_until (window_has_state (fixture, "stage-freeze"));
  activate (fixture, "win.fullscreen");
  wait_until (find_speaker () == NULL);
  g_assert_true (gtk_widget_get_visible (strip));
  g_assert_false (window_has_state (fixture, "stage-spot"));
  g_assert_false (window_has_state (fixture, "stage-freeze"));
  g_assert_false (window_has_state (fixture, "present"));
  g_assert_false (gtk_widget_get_mapped (light));
}

/* One Escape leaves, in either window; what the section shows stays. */
static void
test_escape (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("pinned.md", HEADER "## One\n\n"
    STATE ("--layer 1 --heads 6 --pin 2") "Words.\n");
  g_autoptr (UiDocument) state = NULL;

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
  state = ui_document_copy (get_document (fixture));
  g_assert_true (ui_pins_has (&state->pins, FALSE, 2));
  press_key ("F5");
  wait_until (find_speaker () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_speaker ())));
  press_key ("Escape");
  wait_until (find_speaker () == NULL);
  g_assert_false (window_has_state (fixture, "present"));
  g_assert_false (window_has_state (fixture, "fullscreen"));
  g_assert_true (ui_document_equal (state, get_document (fixture)));
  g_assert_true (is_open (fixture));
}

/* The page that had the keys goes: nothing of the picture is taken for what the speaker looks at. */
static void
test_focus (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("focus.md", HEADER "## One\n\n"
    STATE ("--layer 1 --heads 6") "ask: token Which?\nanswer: \"cat\"\n");
  GtkWidget *view = GTK_WIDGET (window_view (fixture->window));

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  wait_until (gtk_widget_get_focus_child (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                       0)) != NULL);
  press_key ("F5");
  wait_until (find_speaker () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_speaker ())));
  wait_until (gtk_widget_is_focus (view));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_cmpint (ui_scene_view_get_item (UI_SCENE_VIEW (view))->type, ==, UI_ITEM_NONE);
  press_key ("F5");
  wait_until (find_speaker () == NULL);
}

static int
count_screens (Fixture *fixture)
{
  int n;

  ui_steps_get_screen (get_scene (fixture), &n);
  return n;
}

static gboolean
is_at_screen (Fixture *fixture,
              int      step,
              int      screen)
{
  int n;

  return is_at_step (fixture, step) && ui_steps_get_screen (get_scene (fixture), &n) == screen;
}

/* One key a screen of the step that is shown, and one more. */
static void
press_on_to (Fixture *fixture,
             int      step)
{
  int n;

  for (int screen = ui_steps_get_screen (get_scene (fixture), &n); !is_at_step (fixture, step);
       screen++) {
    g_assert_true (is_at_screen (fixture, step - 1, screen));
    activate (fixture, "win.stage-next");
    wait_until (is_at_step (fixture, step) || is_at_screen (fixture, step - 1, screen + 1));
  }
}

/* Without a lesson a key is a step of the same token, which the speaker reads at once, also where it
 * was gone another way. */
static void
test_steps (Fixture *fixture)
{
  UiScene *scene;
  int layer, query, last;

  activate (fixture, "win.view::steps");
  wait_until (ui_steps_get_n (app_picture_get_scene (get_picture (fixture))) > 0);
  layer = get_document (fixture)->layer;
  scene = app_picture_get_scene (get_picture (fixture));
  last = ui_steps_get_n (scene) - 1;
  query = eng_way_get_query (ui_steps_scene_cast (scene)->way);
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL && speaker_says ("tep 0 of"));
  for (int step = 1; step <= last; step++) {
    g_autofree char *expected = g_strdup_printf ("tep %d of %d", step, last);
    g_autofree char *name = NULL;

    scene = app_picture_get_scene (get_picture (fixture));
    name = ui_steps_dup_name (scene, step);
    while (ui_scene_view_turn (window_view (fixture->window), 1))
      g_assert_true (is_at_step (fixture, step - 1));
    g_assert_true (driver_shows_text (GTK_WIDGET (find_speaker ()), name));
    activate (fixture, step % 2 == 0 ? "win.stage-next" : "win.step-forward");
    wait_until (ui_steps_get_step (app_picture_get_scene (get_picture (fixture))) == step);
    wait_until (speaker_says (expected));
  }
  while (ui_scene_view_turn (window_view (fixture->window), 1))
    g_assert_true (is_at_step (fixture, last));
  scene = app_picture_get_scene (get_picture (fixture));
  g_assert_true (speaker_says ("The end"));
  activate (fixture, "win.stage-next");
  g_assert_true (speaker_says ("The end"));
  g_assert_cmpint (get_document (fixture)->step, ==, last);
  g_assert_cmpint (get_document (fixture)->layer, ==, layer);
  g_assert_cmpint (eng_way_get_query (ui_steps_scene_cast (scene)->way), ==, query);
}

/* What lies below goes on unseen: no part of what is frozen lets it through. */
static void
test_freeze (Fixture *fixture)
{
  g_autoptr (GdkTexture) picture = NULL;
  g_autofree guint32 *pixels = NULL;
  GtkWidget *light;
  int width, height;

  activate (fixture, "win.view::steps");
  wait_until (ui_steps_get_n (app_picture_get_scene (get_picture (fixture))) > 0);
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL);
  driver_settle (GTK_WIDGET (fixture->window));
  light = driver_find (GTK_WIDGET (fixture->window), UI_TYPE_STAGE_LIGHT, 0);
  activate (fixture, "win.stage-freeze");
  driver_settle (light);
  picture = driver_take_picture (light);
  width = gdk_texture_get_width (picture);
  height = gdk_texture_get_height (picture);
  pixels = g_new (guint32, width * height);
  gdk_texture_download (picture, (guchar *) pixels, (gsize) width * 4);
  for (int i = 0; i < width * height; i++)
    g_assert_cmpuint (pixels[i] >> 24, ==, 0xff);
  activate (fixture, "win.present");
  wait_until (find_speaker () == NULL);
}

/* Who goes through steps by keys needs no bar; with the others it comes back. */
static void
test_bars (Fixture *fixture)
{
  GtkWidget *bar = window_find (fixture->window, "steps_bar");
  GtkWidget *parent = gtk_widget_get_parent (bar);
  GtkWidget *before = gtk_widget_get_prev_sibling (bar);

  activate (fixture, "win.view::steps");
  wait_until (gtk_widget_get_mapped (bar));
  activate (fixture, "win.present");
  wait_until (!gtk_widget_get_mapped (bar));
  press_on_to (fixture, 1);
  g_assert_false (gtk_widget_get_mapped (bar));
  if (has_real_input ()) {
    /* At the upper edge, beside the speaker's window. */
    run_xdotool ((const char *const[]) { "xdotool", "mousemove", "1000", "300", "mousemove", "1000",
                                         "1", NULL });
    wait_until (gtk_widget_get_mapped (bar));
  }
  activate (fixture, "win.present");
  wait_until (find_speaker () == NULL && gtk_widget_get_mapped (bar));
  g_assert_true (gtk_widget_get_parent (bar) == parent);
  g_assert_true (gtk_widget_get_prev_sibling (bar) == before);
}

/* In a small window, too, the sentence is what is left, and not the legend. */
static void
test_narrow (Fixture *fixture)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 440, 500);
  wait_until (gtk_widget_get_width (GTK_WIDGET (fixture->window)) < 481
              && gtk_widget_get_prev_sibling (window_find (fixture->window, "caption_place"))
                 == window_find (fixture->window, "foot_line"));
  activate (fixture, "win.present");
  wait_until (!is_mapped (fixture, "status_line"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (is_mapped (fixture, "caption"));
  activate (fixture, "win.present");
  wait_until (is_mapped (fixture, "status_line"));
}

/* How to leave is nothing for people; who fills the screen for themselves is told. */
static void
test_hint (Fixture *fixture)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);

  activate (fixture, "win.present");
  /* Not even for a moment. */
  g_assert_null (driver_find_label (window, "leaves the full screen"));
  wait_until (find_speaker () != NULL);
  driver_settle (window);
  g_assert_null (driver_find_label (window, "leaves the full screen"));
  activate (fixture, "win.present");
  wait_until (find_speaker () == NULL);
  activate (fixture, "win.fullscreen");
  wait_until (driver_find_label (window, "leaves the full screen") != NULL);
}

/* Without a lesson and steps a key is a layer, until there is none. */
static void
test_layers (Fixture *fixture)
{
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL && speaker_says ("The next layer"));
  while (is_enabled (fixture, "next-layer")) {
    const int layer = get_document (fixture)->layer;

    activate (fixture, "win.stage-next");
    wait_until (is_idle (fixture->window));
    g_assert_cmpint (get_document (fixture)->layer, ==, layer + 1);
  }
  wait_until (speaker_says ("The end"));
  g_assert_false (speaker_says ("The next layer"));
  activate (fixture, "win.stage-back");
  wait_until (speaker_says ("The next layer"));
}

static double
get_text_size (Fixture *fixture)
{
  return ui_scene_get_text_size (ui_scene_view_get_scene (window_view (fixture->window)));
}

/* Letters are as large as the room allows for a step of the text's tokens, and as large in all
 * steps. */
static void
test_large_steps (Fixture *fixture)
{
  double usual, large;

  activate (fixture, "win.view::steps");
  wait_until (is_at_step (fixture, 0));
  usual = get_text_size (fixture);
  activate (fixture, "win.present");
  wait_until (get_text_size (fixture) > 1.25 * usual);
  driver_settle (GTK_WIDGET (window_view (fixture->window)));
  large = get_text_size (fixture);
  g_assert_cmpfloat (large, <=, 3 * usual + 0.01);
  for (int step = 1; step < 12; step++) {
    press_on_to (fixture, step);
    g_assert_cmpfloat_with_epsilon (get_text_size (fixture), large, 0.05 * large);
  }
  activate (fixture, "win.present");
  wait_until (get_text_size (fixture) == usual);
}

/* On a screen of 1920 × 1080, whose type is two thirds as large here, the pair's steps are in sight
 * from the name to the check. */
static void
test_whole_steps (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);
  GtkSettings *settings = gtk_settings_get_default ();
  int n, dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024 * 2 / 3, NULL);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 720);
  driver_settle (GTK_WIDGET (fixture->window));
  activate (fixture, "win.view::steps");
  wait_until (is_at_step (fixture, 0));
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL);
  driver_settle (GTK_WIDGET (view));
  n = ui_steps_get_n (ui_scene_view_get_scene (view));
  for (int step = 0; step < n; step++) {
    UiItem item = { .type = UI_ITEM_STAGE };
    UiRect rect, area;
    UiScene *scene;

    wait_until (is_at_step (fixture, step));
    driver_settle (GTK_WIDGET (view));
    scene = ui_scene_view_get_scene (view);
    item.stage = step;
    /* Twelve heads take more than any screen. */
    if (strcmp (eng_way_get_stage (ui_steps_scene_cast (scene)->way,
                                   ui_steps_get_stage (scene))->name,
                "All heads side by side") != 0)
      g_assert_cmpint (count_screens (fixture), ==, 1);
    area = ui_scene_view_get_area (view);
    g_assert_true (ui_scene_get_rect (scene, &item, &rect));
    /* Scrolling goes by whole pixels. */
    g_assert_cmpfloat (rect.y + 1, >=, area.y + ui_scene_get_header (scene));
    g_assert_cmpfloat (rect.y + rect.height, <=, area.y + area.height + 1);
    if (step + 1 < n)
      press_on_to (fixture, step + 1);
  }
  activate (fixture, "win.present");
  wait_until (find_speaker () == NULL);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

/* Nothing is scrolled: the same key goes through what does not fit, and back. */
static void
test_screens (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);
  GtkAdjustment *across, *down;
  int n, heads = -1;

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  driver_settle (GTK_WIDGET (fixture->window));
  activate (fixture, "win.view::steps");
  wait_until (is_at_step (fixture, 0));
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL);
  driver_settle (GTK_WIDGET (view));
  g_object_get (view, "hadjustment", &across, "vadjustment", &down, NULL);
  n = ui_steps_get_n (get_scene (fixture));
  for (int step = 0; step < n; step++) {
    g_autofree char *name = ui_steps_dup_name (get_scene (fixture), step);

    if (step > 0)
      press_on_to (fixture, step);
    driver_settle (GTK_WIDGET (view));
    g_assert_cmpfloat (gtk_adjustment_get_upper (down), ==, gtk_adjustment_get_page_size (down));
    g_assert_cmpfloat (gtk_adjustment_get_upper (across), ==,
                       gtk_adjustment_get_page_size (across));
    if (g_str_equal (name, "All heads side by side"))
      heads = step;
    if (step != heads)
      continue;
    g_assert_cmpint (count_screens (fixture), >, 1);
    g_assert_true (speaker_says ("More of this step: 2 of "));
    press_on_to (fixture, step + 1);
    activate (fixture, "win.stage-back");
    wait_until (is_at_screen (fixture, step, count_screens (fixture) - 1));
    g_assert_false (speaker_says ("More of this step"));
    activate (fixture, "win.stage-back");
    g_assert_true (is_at_screen (fixture, step, count_screens (fixture) - 2));
    g_assert_true (speaker_says ("More of this step"));
  }
  g_assert_cmpint (heads, >, 0);
  activate (fixture, "win.present");
  wait_until (find_speaker () == NULL);
  g_assert_cmpint (count_screens (fixture), ==, 1);
  g_object_unref (across);
  g_object_unref (down);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-stage/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("presented", test_presented);
  ADD ("writing", test_writing);
  ADD ("stage", test_stage);
  ADD ("escape", test_escape);
  ADD ("focus", test_focus);
  ADD ("steps", test_steps);
  ADD ("large-steps", test_large_steps);
  ADD ("whole-steps", test_whole_steps);
  ADD ("screens", test_screens);
  ADD ("freeze", test_freeze);
  ADD ("bars", test_bars);
  ADD ("narrow", test_narrow);
  ADD ("hint", test_hint);
  ADD ("layers", test_layers);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
