/* SPDX-License-Identifier: MIT */
/* What a person may do next, in the inspector, and the tour. */
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

#define N_TOUR_STEPS 7
#define MOST_SHADOW 32

static gboolean
is_mapped (Fixture    *fixture,
           const char *id)
{
  return gtk_widget_get_mapped (window_find (fixture->window, id));
}

static void
choose (Fixture    *fixture,
        const char *id)
{
  GtkWidget *row = window_find (fixture->window, id);

  g_assert_true (gtk_widget_activate (row));
  driver_settle (GTK_WIDGET (fixture->window));
}

static void
press (Fixture    *fixture,
       const char *id)
{
  g_signal_emit_by_name (window_find (fixture->window, id), "clicked");
}

static gboolean
has_focus_in (Fixture    *fixture,
              const char *id)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  GtkWidget *widget = window_find (fixture->window, id);

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static gboolean
has_settled (Fixture *fixture)
{
  driver_settle (GTK_WIDGET (fixture->window));
  return TRUE;
}

/* A row leaves once it was used, the card with the last one. */
static void
test_start (Fixture *fixture)
{
  int start, end;

  wait_until (is_mapped (fixture, "ways_start"));
  g_assert_false (is_mapped (fixture, "ways_next"));
  choose (fixture, "ways_type");
  g_assert_true (has_focus_in (fixture, "entry_a"));
  g_assert_true (gtk_editable_get_selection_bounds (
                   GTK_EDITABLE (window_find (fixture->window, "entry_a")), &start, &end));
  g_assert_cmpint (start, ==, 0);
  g_assert_cmpint (end, ==, (int) strlen ("The bird sang on the roof"));
  g_assert_false (is_mapped (fixture, "ways_type"));

  activate (fixture, "win.only-head((1, 6))");
  wait_until (is_idle (fixture->window));
  g_assert_false (is_mapped (fixture, "ways_head"));
  g_assert_true (is_mapped (fixture, "ways_tour"));
  choose (fixture, "ways_tour");
  wait_until (is_mapped (fixture, "tour_card"));
  g_assert_false (is_mapped (fixture, "ways_start"));
}

/* But for the shadow of its frame, and where it cannot be as small. */
static gboolean
is_sized (Fixture       *fixture,
          GtkOrientation orientation,
          int            size)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  const int now = orientation == GTK_ORIENTATION_HORIZONTAL ? gtk_widget_get_width (window)
                                                            : gtk_widget_get_height (window);
  int least;

  gtk_widget_measure (window, orientation, -1, &least, NULL, NULL, NULL);
  return ABS (now - MAX (size, least)) < MOST_SHADOW;
}

static void
resize (Fixture *fixture,
        int      width,
        int      height)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  wait_until (has_settled (fixture) && is_sized (fixture, GTK_ORIENTATION_HORIZONTAL, width)
              && is_sized (fixture, GTK_ORIENTATION_VERTICAL, height));
}

static graphene_rect_t
find_place (Fixture   *fixture,
            GtkWidget *widget)
{
  graphene_rect_t place;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (fixture->window), &place));
  return place;
}

/* The whole of it, in what is in sight of the inspector. */
static gboolean
has_row (Fixture *fixture)
{
  GtkWidget *row = window_find (fixture->window, "ways_tour");
  graphene_rect_t own, sight;

  if (!gtk_widget_get_mapped (row))
    return FALSE;
  own = find_place (fixture, row);
  sight = find_place (fixture, gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW));
  return graphene_rect_contains_rect (&sight, &own);
}

/* Whole, within the window, and on none of what is read and used there. */
static void
assert_whole_offer (Fixture *fixture)
{
  static const char *const others[] = {
    "picture_scroller", "steps_bar", "caption_place", "status_line", "foot_bar", "toolbar",
  };
  GtkWidget *window = GTK_WIDGET (fixture->window);
  const graphene_rect_t frame = { { 0, 0 }, { (float) gtk_widget_get_width (window),
                                              (float) gtk_widget_get_height (window) } };
  static const char *const words[] = { "New here?", "Take the Tour" };
  const graphene_rect_t own = find_place (fixture, window_find (fixture->window, "ways_offer"));

  g_assert_true (graphene_rect_contains_rect (&frame, &own));
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++) {
    GtkWidget *label = driver_find_label (window, words[i]);
    const graphene_rect_t place = find_place (fixture, label);

    g_assert_true (graphene_rect_contains_rect (&own, &place));
    g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  }
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
    GtkWidget *other = window_find (fixture->window, others[i]);
    graphene_rect_t place;

    if (!gtk_widget_get_mapped (other))
      continue;
    place = find_place (fixture, other);
    if (graphene_rect_intersection (&own, &place, &place) && place.size.width > 1
        && place.size.height > 1)
      g_error ("the offer lies on %s", others[i]);
  }
}

/* Where the inspector has no room for its row the tour is offered below the picture, as soon as the
 * window has that size, until it was taken. */
static void
test_offer (Fixture *fixture)
{
  wait_until (has_row (fixture));
  g_assert_false (is_mapped (fixture, "ways_offer"));
  resize (fixture, 500, 600);
  wait_until (is_mapped (fixture, "ways_offer"));
  press (fixture, "ways_take");
  wait_until (is_mapped (fixture, "tour_card") && !is_mapped (fixture, "ways_offer"));
  activate (fixture, "win.close-lesson");
  activate (fixture, "win.only-head((1, 7))");
  wait_until (is_idle (fixture->window) && has_settled (fixture));
  g_assert_false (is_mapped (fixture, "ways_offer"));
}

/* Wherever that is by now: the picture follows the window's size. */
static gboolean
points_at_token (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2, .key = -1 };
  static int n_moves;
  UiRect rect;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (view), &token, &rect));
  /* A pointer that stays where it is points at nothing new. */
  driver_point_at (GTK_WIDGET (view), rect.x + rect.width / 2 + n_moves++ % 2,
                   rect.y + rect.height / 2);
  return has_settled (fixture);
}

/* Also where the inspector stands, and its row is below its edge. */
static void
test_offer_row (Fixture *fixture)
{
  resize (fixture, 900, 520);
  wait_until (is_mapped (fixture, "ways_offer"));
  g_assert_true (is_mapped (fixture, "inspector"));
  g_assert_false (has_row (fixture));
  resize (fixture, 900, 760);
  wait_until (!is_mapped (fixture, "ways_offer"));
  g_assert_true (has_row (fixture));

  /* What is pointed at has more to say in the inspector: that moves no picture. */
  wait_until (points_at_token (fixture) && !has_row (fixture));
  g_assert_true (has_settled (fixture));
  g_assert_false (is_mapped (fixture, "ways_offer"));
  driver_point_away (GTK_WIDGET (window_view (fixture->window)));
  wait_until (has_row (fixture) && has_settled (fixture));
  g_assert_false (is_mapped (fixture, "ways_offer"));
}

/* In every window, with letters of every size, in every view: whole, and in one place. */
static void
test_offer_whole (Fixture *fixture)
{
  static const int sizes[][2] = { { 420, 760 }, { 900, 700 }, { 1280, 800 } };
  static const char *const views[] = { "head", "model", "steps" };
  int n_offers = 0, n_rows = 0, dpi;

  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
  for (int scale = 2; scale <= 4; scale++) {
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * scale / 2, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
      resize (fixture, sizes[i][0], sizes[i][1]);
      for (gsize k = 0; k < G_N_ELEMENTS (views); k++) {
        g_autofree char *name = g_strdup_printf ("win.view('%s')", views[k]);

        activate (fixture, name);
        wait_until (window_is_idle (fixture->window) && has_settled (fixture)
                    && has_row (fixture) != is_mapped (fixture, "ways_offer")
                    && has_settled (fixture));
        if (has_row (fixture)) {
          n_rows++;
        } else {
          /* What has just come into sight gets its place in the frame that follows. */
          driver_settle (GTK_WIDGET (fixture->window));
          assert_whole_offer (fixture);
          n_offers++;
        }
      }
    }
  }
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", dpi, NULL);
  g_assert_cmpint (n_rows, >=, 2);
  g_assert_cmpint (n_offers, >=, 18);
}

/* Nobody is offered what was begun, however that was. */
static void
test_offer_opened (Fixture *fixture)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "resources", "lessons", "00-tour.md", NULL);

  resize (fixture, 500, 600);
  wait_until (is_mapped (fixture, "ways_offer"));
  app_window_open_file (fixture->window, path);
  wait_until (is_mapped (fixture, "tour_card") && !is_mapped (fixture, "ways_offer"));
}

/* The inspector that is opened over the picture says it itself. */
static void
test_offer_goes (Fixture *fixture)
{
  AppDesk *desk = app_window_get_desk (fixture->window);

  resize (fixture, 500, 780);
  wait_until (is_mapped (fixture, "ways_offer"));
  app_desk_reveal_side (desk, TRUE);
  wait_until (has_row (fixture) && !is_mapped (fixture, "ways_offer"));
  app_desk_reveal_side (desk, FALSE);
  wait_until (is_mapped (fixture, "ways_offer"));
}

/* No audience sees it, nor who reads a lesson; closed it does not come back. */
static void
test_offer_away (Fixture *fixture)
{
  AppDesk *desk = app_window_get_desk (fixture->window);

  resize (fixture, 500, 600);
  wait_until (is_mapped (fixture, "ways_offer"));
  app_desk_set_presented (desk, TRUE);
  wait_until (!is_mapped (fixture, "ways_offer"));
  app_desk_set_presented (desk, FALSE);
  wait_until (is_mapped (fixture, "ways_offer"));
  app_desk_show_side (desk, "lesson");
  wait_until (!is_mapped (fixture, "ways_offer"));
  app_desk_close_lesson (desk);
  wait_until (is_mapped (fixture, "ways_offer"));
  press (fixture, "ways_decline");
  g_assert_false (is_mapped (fixture, "ways_offer"));
  resize (fixture, 420, 600);
  app_desk_refresh (desk);
  wait_until (is_idle (fixture->window) && has_settled (fixture));
  g_assert_false (is_mapped (fixture, "ways_offer"));
}

/* Nor does it keep back what the window has to say. */
static void
test_offer_makes_room (Fixture *fixture)
{
  AppDesk *desk = app_window_get_desk (fixture->window);

  resize (fixture, 500, 600);
  wait_until (is_mapped (fixture, "ways_offer"));
  app_desk_toast (desk, "Something happened");
  wait_until (driver_find_label (GTK_WIDGET (fixture->window), "Something happened") != NULL);
}

static void
run_offer_makes_room (void)
{
  run_application (app_application_new_example (), test_offer_makes_room);
}

static void
run_offer_opened (void)
{
  run_application (app_application_new_example (), test_offer_opened);
}

static void
run_offer_away (void)
{
  run_application (app_application_new_example (), test_offer_away);
}

static void
run_offer_row (void)
{
  run_application (app_application_new_example (), test_offer_row);
}

static void
run_offer_whole (void)
{
  run_application (app_application_new_example (), test_offer_whole);
}

static void
run_offer_goes (void)
{
  run_application (app_application_new_example (), test_offer_goes);
}

static void
run_offer (void)
{
  run_application (app_application_new_example (), test_offer);
}

static void
run_start (void)
{
  run_application (app_application_new_example (), test_start);
}

/* After the tenth start nothing of it is news. */
static void
test_eleventh (Fixture *fixture)
{
  g_assert_cmpint (window_get_settings (fixture->window)->starts, ==, 1);
  window_get_settings (fixture->window)->starts = 10;
  app_desk_refresh (app_window_get_desk (fixture->window));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (is_mapped (fixture, "ways_start"));
  window_get_settings (fixture->window)->starts = 11;
  app_desk_refresh (app_window_get_desk (fixture->window));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_false (is_mapped (fixture, "ways_start"));
}

/* One stop for Tab, with arrows inside. */
static void
test_stop (Fixture *fixture)
{
  GtkWidget *start = window_find (fixture->window, "ways_start");
  GtkWindow *window = GTK_WINDOW (fixture->window);

  wait_until (is_mapped (fixture, "ways_start"));
  g_assert_true (gtk_widget_child_focus (start, GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_window_get_focus (window) == window_find (fixture->window, "ways_tour"));
  g_assert_true (driver_press_key (window_find (fixture->window, "ways_start_list"), "Down"));
  g_assert_true (gtk_window_get_focus (window) == window_find (fixture->window, "ways_type"));
  g_assert_false (gtk_widget_child_focus (start, GTK_DIR_TAB_FORWARD));
  g_assert_false (gtk_widget_child_focus (start, GTK_DIR_TAB_BACKWARD));
}

/* The link of head 11 from token 2 to token 10, in all views; then the run without it beside. */
static void
test_next (Fixture *fixture)
{
  const UiItem link = { .type = UI_ITEM_LINK, .head = 11, .query = 2, .key = 10 };
  const UiDocument *shown;

  g_signal_emit_by_name (window_view (fixture->window), "clicked", &link, FALSE);
  wait_until (is_mapped (fixture, "ways_next"));
  g_assert_false (is_mapped (fixture, "ways_start"));
  g_assert_false (is_mapped (fixture, "ways_heads"));
  choose (fixture, "ways_neurons");
  wait_until (app_window_get_shown (fixture->window)->view == UI_VIEW_NEURON);
  wait_until (is_mapped (fixture, "ways_heads"));
  g_assert_true (is_mapped (fixture, "ways_matrix"));
  choose (fixture, "ways_heads");
  wait_until (app_window_get_shown (fixture->window)->view == UI_VIEW_HEAD);
  wait_until (is_mapped (fixture, "ways_cut"));
  choose (fixture, "ways_cut");
  wait_until (is_idle (fixture->window)
              && app_window_get_shown (fixture->window)->compare == UI_COMPARE_SIDES);
  shown = app_window_get_document (fixture->window);
  g_assert_cmpstr (shown->edits[0], ==, "cut 3.11 2 10");
  g_assert_null (shown->edits[1]);
  g_assert_true (shown->compare_edits_set);
  /* A comparison has ways of its own. */
  g_assert_false (is_mapped (fixture, "ways_cut"));
}

static void
run_next (void)
{
  run_application (app_application_new_example (), test_next);
}

/* By keys through all steps and back; the window is used meanwhile. */
static void
test_tour (Fixture *fixture)
{
  GtkWidget *card = window_find (fixture->window, "tour_card");
  g_autofree char *first = NULL;

  if (!has_real_input ())
    return;
  activate (fixture, "win.tour");
  wait_until (gtk_widget_get_mapped (card));
  g_assert_cmpstr (window_get_label (fixture->window, "tour_count"), ==, "1 of 7");
  /* Its numbers are the model's: 6 layers of 12 heads. */
  g_assert_nonnull (strstr (window_get_label (fixture->window, "tour_text"), "72 heads"));
  first = g_strdup (window_get_label (fixture->window, "tour_title"));
  press_key ("Right");
  wait_until (g_str_equal (window_get_label (fixture->window, "tour_count"), "2 of 7"));
  press_key ("Return");
  wait_until (g_str_equal (window_get_label (fixture->window, "tour_count"), "3 of 7"));
  for (int i = 3; i < N_TOUR_STEPS; i++)
    press (fixture, "tour_next");
  g_assert_cmpstr (window_get_label (fixture->window, "tour_count"), ==, "7 of 7");
  for (int i = 2; i < N_TOUR_STEPS; i++)
    press (fixture, "tour_back");
  press_key ("Left");
  wait_until (g_str_equal (window_get_label (fixture->window, "tour_title"), first));

  type (fixture, "a cat sat", "");
  g_assert_true (gtk_widget_get_mapped (card));
  press_key ("Escape");
  wait_until (!gtk_widget_get_mapped (card));
  g_assert_true (has_focus_in (fixture, "scene_view"));
}

/* By keys: the sentence is typed at once, no letter of it presses Done, to which F6 leads. */
static void
test_typing (Fixture *fixture)
{
  GtkWidget *card = window_find (fixture->window, "tour_card");

  if (!has_real_input ())
    return;
  activate (fixture, "win.tour");
  wait_until (gtk_widget_get_mapped (card));
  for (int i = 1; i < N_TOUR_STEPS; i++)
    press_key ("F4");
  wait_until (g_str_equal (window_get_label (fixture->window, "tour_count"), "7 of 7"));
  wait_until (has_focus_in (fixture, "entry_a"));
  press_key ("h");
  press_key ("space");
  press_key ("u");
  press_key ("Return");
  wait_until (g_strcmp0 (app_window_get_document (fixture->window)->text_a, "h u") == 0);
  wait_until (is_idle (fixture->window));
  g_assert_true (gtk_widget_get_mapped (card));
  press_key ("F6");
  wait_until (has_focus_in (fixture, "tour_next"));
  press_key ("space");
  wait_until (!gtk_widget_get_mapped (card));
  g_assert_cmpstr (app_window_get_document (fixture->window)->text_a, ==, "h u");
}

/* The tour's card stands right of all words that are read. */
static gboolean
is_beside_words (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);
  const double left = ui_scene_view_get_area (view).x;
  graphene_rect_t card;

  if (!gtk_widget_compute_bounds (window_find (fixture->window, "tour_card"), GTK_WIDGET (view),
                                  &card))
    return FALSE;
  for (int key = 0; key < 15; key++) {
    const UiItem token = { .type = UI_ITEM_KEY, .query = -1, .key = key };
    UiRect rect;

    if (!ui_scene_get_rect (ui_scene_view_get_scene (view), &token, &rect)
        || card.origin.x <= rect.x + rect.width - left)
      return FALSE;
  }
  return TRUE;
}

/* The step about the picture leaves all its words and links in sight. */
static void
test_tour_beside (Fixture *fixture)
{
  /* Low: nor is there room above. */
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 540);
  wait_until (gtk_widget_get_width (GTK_WIDGET (fixture->window)) > 1200
              && is_mapped (fixture, "inspector") && is_idle (fixture->window));
  activate (fixture, "win.tour");
  wait_until (is_mapped (fixture, "tour_card"));
  press (fixture, "tour_next");
  wait_until (g_str_equal (window_get_label (fixture->window, "tour_count"), "2 of 7"));
  wait_until (is_beside_words (fixture));
}

/* A column without room opens for its step, and goes with it; the keys stay with the tour. */
static void
test_narrow_tour (Fixture *fixture)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 600, 800);
  wait_until (!is_mapped (fixture, "inspector"));
  activate (fixture, "win.tour");
  wait_until (is_mapped (fixture, "tour_card") && is_mapped (fixture, "map_card")
              && has_settled (fixture));
  g_assert_true (has_focus_in (fixture, "tour_next"));
  for (int i = 0; i < 3; i++)
    press (fixture, "tour_next");
  g_assert_cmpstr (window_get_label (fixture->window, "tour_count"), ==, "4 of 7");
  wait_until (is_mapped (fixture, "inspector") && has_settled (fixture));
  g_assert_true (has_focus_in (fixture, "tour_next"));
  press (fixture, "tour_next");
  wait_until (!is_mapped (fixture, "inspector"));
  press (fixture, "tour_end");
  g_assert_true (has_focus_in (fixture, "scene_view"));
}

/* What lay over the picture does not lie over the sentence that is to be typed. */
static void
test_narrow_type (Fixture *fixture)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 600, 800);
  wait_until (!is_mapped (fixture, "inspector"));
  app_desk_reveal_side (app_window_get_desk (fixture->window), TRUE);
  wait_until (is_mapped (fixture, "ways_type") && has_settled (fixture));
  choose (fixture, "ways_type");
  wait_until (!is_mapped (fixture, "inspector"));
  g_assert_true (has_focus_in (fixture, "entry_a"));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-ways/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/ui/window-ways/start", run_start);
  g_test_add_func ("/ui/window-ways/offer", run_offer);
  g_test_add_func ("/ui/window-ways/offer-row", run_offer_row);
  g_test_add_func ("/ui/window-ways/offer-whole", run_offer_whole);
  g_test_add_func ("/ui/window-ways/offer-goes", run_offer_goes);
  g_test_add_func ("/ui/window-ways/offer-opened", run_offer_opened);
  g_test_add_func ("/ui/window-ways/offer-away", run_offer_away);
  g_test_add_func ("/ui/window-ways/offer-makes-room", run_offer_makes_room);
  ADD ("eleventh", test_eleventh);
  ADD ("stop", test_stop);
  g_test_add_func ("/ui/window-ways/next", run_next);
  ADD ("tour", test_tour);
  ADD ("tour-typing", test_typing);
  ADD ("tour-beside", test_tour_beside);
  ADD ("narrow-tour", test_narrow_tour);
  ADD ("narrow-type", test_narrow_type);

  return g_test_run ();
}
