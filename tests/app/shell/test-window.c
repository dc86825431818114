/* SPDX-License-Identifier: MIT */
/* The real window as a whole: its first picture, what it says, how it begins and ends. */
#include <signal.h>

#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

static void
test_first_picture (Fixture *fixture)
{
  AppWindow *window = fixture->window;

  assert_drawn (fixture, "[CLS] the cat sat on the mat [SEP] the cat lay on the rug [SEP]");
  g_assert_cmpstr (window_get_label (window, "model_name"), ==, "headlight-mini");
  g_assert_cmpstr (window_get_label (window, "model_size"), ==, "6 × 12");
  g_assert_cmpstr (window_get_label (window, "selection_status"), ==, "layer 0, 12 of 12 heads");
  g_assert_true (g_str_has_prefix (window_get_label (window, "pass_status"), "15 tokens · "));
  g_assert_cmpstr (window_get_label (window, "legend"), !=, "");
  g_assert_false (has_notice (fixture));
}

static void
test_icon (Fixture *fixture)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (fixture->window));
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (display);

  g_assert_true (gtk_icon_theme_has_icon (theme, gtk_window_get_default_icon_name ()));
}

static gboolean
is_control (GtkWidget *widget)
{
  return (GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget)
          || GTK_IS_SWITCH (widget)) && gtk_widget_get_mapped (widget);
}

/* Every control that can be seen says what it does; those of GTK itself (window buttons) are GTK's
 * matter. */
static void
assert_explained (GtkWidget *widget)
{
  if (GTK_IS_WINDOW_CONTROLS (widget) || GTK_IS_POPOVER (widget))
    return;
  if (is_control (widget) && !GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget))) {
    if (gtk_widget_get_tooltip_text (widget) == NULL) {
      g_test_message ("%s “%s” has no tooltip", G_OBJECT_TYPE_NAME (widget),
                      GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : "");
      g_test_fail ();
    }
  }

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_explained (child);
}

static void
test_explained (Fixture *fixture)
{
  /* Tooltips come after the first picture. */
  driver_settle (GTK_WIDGET (fixture->window));
  assert_explained (GTK_WIDGET (fixture->window));
  activate (fixture, "win.view::neuron");
  assert_explained (GTK_WIDGET (fixture->window));

  gtk_test_accessible_assert_property (window_find (fixture->window, "entry_a"),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Sentence A");
  gtk_test_accessible_assert_property (window_find (fixture->window, "entry_b"),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Sentence B");
}

static void
test_table (Fixture *fixture)
{
  GtkStack *stack = GTK_STACK (window_find (fixture->window, "stack"));

  activate (fixture, "win.table");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "table");
  /* How links are read says nothing of a table, which has a caption of its own. */
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "legend")));
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "rule_button")));
  type (fixture, "a cat", "");
  activate (fixture, "win.table");
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "legend")));
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "rule_button")));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "picture");
  assert_drawn (fixture, "[CLS] a cat [SEP]");
}

static void
return_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  g_task_return_boolean (task, TRUE);
}

static void
returned_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  gboolean *is_done = data;

  *is_done = APP_IS_WINDOW (source) && g_task_propagate_boolean (G_TASK (result), NULL);
}

/* A thread may hold its task when the window closes, and lets go of no window with it. */
static void
test_task_outlives_window (Fixture *fixture)
{
  gboolean is_done = FALSE;
  g_autoptr (GTask) task = window_task_new (fixture->window, returned_cb, &is_done);
  gpointer window = fixture->window;

  g_object_add_weak_pointer (window, &window);
  g_task_run_in_thread (task, return_thread);
  wait_until (is_done);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  wait_until (window == NULL);
}

/* In a narrow window map, inspector and search lie on the picture, which must not shine through. */
static void
assert_opaque (GtkWidget *column)
{
  g_autoptr (GdkTexture) picture = NULL;
  g_autofree guint32 *pixels = NULL;
  gsize n_pixels;

  driver_settle (column);
  picture = driver_take_picture (column);
  n_pixels = (gsize) gdk_texture_get_width (picture) * gdk_texture_get_height (picture);
  pixels = g_new (guint32, n_pixels);
  gdk_texture_download (picture, (guchar *) pixels, gdk_texture_get_width (picture) * 4);
  for (gsize i = 0; i < n_pixels; i++)
    g_assert_cmphex (pixels[i] >> 24, ==, 0xff);
}

static void
test_columns_are_opaque (Fixture *fixture)
{
  assert_opaque (window_find (fixture->window, "map_column"));
  assert_opaque (gtk_widget_get_parent (window_find (fixture->window, "search_header")));
}

static graphene_rect_t
get_place (Fixture    *fixture,
           const char *name)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (window_find (fixture->window, name),
                                            GTK_WIDGET (fixture->window), &bounds));
  return bounds;
}

static gboolean
is_seen (Fixture    *fixture,
         const char *name)
{
  return gtk_widget_get_mapped (window_find (fixture->window, name));
}

/* The button goes down there. */
static void
press_at (GtkWidget *widget,
          double     x,
          double     y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_GESTURE_CLICK (controller))
      g_signal_emit_by_name (controller, "pressed", 1, x, y);
  }
}

/* Columns without room fold away; asked for they lie over the picture, which stays as it is, and a
 * click beside them closes them. */
static void
test_narrow_window (Fixture *fixture)
{
  graphene_rect_t before;

  g_assert_true (is_seen (fixture, "map") && is_seen (fixture, "inspector"));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 640);
  wait_until (!is_seen (fixture, "map") && is_seen (fixture, "inspector"));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 720, 640);
  wait_until (!is_seen (fixture, "inspector"));
  driver_settle (GTK_WIDGET (fixture->window));
  before = get_place (fixture, "picture_scroller");

  activate (fixture, "win.inspector");
  wait_until (is_seen (fixture, "inspector"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_cmpfloat (get_place (fixture, "picture_scroller").size.width, ==, before.size.width);
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "map") && !is_seen (fixture, "inspector"));
  driver_settle (GTK_WIDGET (fixture->window));
  press_at (window_find (fixture->window, "columns"), 700, 300);
  wait_until (!is_seen (fixture, "map"));
  g_assert_true (ui_pins_is_empty (&app_window_get_document (fixture->window)->pins));

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 640);
  wait_until (is_seen (fixture, "map") && is_seen (fixture, "inspector"));
}

/* The picture and its legend alone, until Escape; what was beside it comes back. */
static void
test_present (Fixture *fixture)
{
  activate (fixture, "win.inspector");
  wait_until (!is_seen (fixture, "inspector"));
  activate (fixture, "win.fullscreen");
  wait_until (!is_seen (fixture, "header") && !is_seen (fixture, "entry_a")
              && !is_seen (fixture, "toolbar") && !is_seen (fixture, "map"));
  g_assert_true (is_seen (fixture, "picture_scroller"));
  g_assert_true (is_seen (fixture, "legend"));
  g_assert_true (driver_press_key (GTK_WIDGET (fixture->window), "Escape"));
  wait_until (is_seen (fixture, "header") && is_seen (fixture, "entry_a")
              && is_seen (fixture, "toolbar") && is_seen (fixture, "map"));
  g_assert_false (is_seen (fixture, "inspector"));
}

/* Of the window, whose shadow stands at the corner of the display. */
static void
move_pointer (Fixture *fixture,
              int      x,
              int      y)
{
  g_autofree char *across = NULL;
  g_autofree char *down = NULL;
  double left, top;

  gtk_native_get_surface_transform (GTK_NATIVE (fixture->window), &left, &top);
  across = g_strdup_printf ("%d", (int) left + x);
  down = g_strdup_printf ("%d", (int) top + y);
  run_xdotool ((const char *const[]) { "xdotool", "mousemove", across, down, NULL });
}

/* Bars come over the picture, which stays, and go when the pointer does. */
static void
test_bars_of_presenter (Fixture *fixture)
{
  GtkMenuButton *menu;
  graphene_rect_t before, after;

  if (!has_real_input ())
    return;
  move_pointer (fixture, 400, 500);
  activate (fixture, "win.fullscreen");
  wait_until (!is_seen (fixture, "menu_button"));
  driver_settle (GTK_WIDGET (fixture->window));
  before = get_place (fixture, "picture_scroller");
  move_pointer (fixture, 400, 1);
  wait_until (is_seen (fixture, "menu_button") && is_seen (fixture, "entry_a")
              && is_seen (fixture, "toolbar"));
  driver_settle (GTK_WIDGET (fixture->window));
  after = get_place (fixture, "picture_scroller");
  g_assert_true (graphene_rect_equal (&before, &after));
  move_pointer (fixture, 400, 60);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (is_seen (fixture, "toolbar"));
  move_pointer (fixture, 400, 500);
  wait_until (!is_seen (fixture, "menu_button"));
  activate (fixture, "win.fullscreen");
  wait_until (is_seen (fixture, "menu_button") && is_seen (fixture, "toolbar"));

  /* The menu is there by its key. A window may be closed meanwhile. */
  activate (fixture, "win.fullscreen");
  wait_until (!is_seen (fixture, "menu_button"));
  driver_settle (GTK_WIDGET (fixture->window));
  press_key ("F10");
  menu = GTK_MENU_BUTTON (window_find (fixture->window, "menu_button"));
  wait_until (is_seen (fixture, "menu_button") && gtk_menu_button_get_popover (menu) != NULL
              && gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (menu))));
  press_key ("Escape");
  wait_until (!is_seen (fixture, "menu_button"));
}

/* All of its lines have room. */
static void
assert_whole (GtkLabel *label)
{
  int height;

  pango_layout_get_pixel_size (gtk_label_get_layout (label), NULL, &height);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (label)), >=, height);
}

/* It can be selected, and is not from the beginning; a long one has all its lines. */
static void
test_rule (Fixture *fixture)
{
  GtkLabel *rule = GTK_LABEL (window_find (fixture->window, "rule"));

  /* A popover of a window that has no place on a screen yet has none either. */
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)) && is_idle (fixture->window));
  driver_settle (GTK_WIDGET (fixture->window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (window_find (fixture->window, "rule_button")));
  wait_until (is_seen (fixture, "rule"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (gtk_label_get_selectable (rule));
  assert_whole (rule);
  g_assert_false (gtk_label_get_selection_bounds (rule, NULL, NULL));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (window_find (fixture->window, "rule_button")));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.edit", "s",
                                             "zero 3.11"));
  activate (fixture, "win.compare-with::edits");
  wait_until (strstr (gtk_label_get_label (rule), "This") != NULL);
  gtk_menu_button_popup (GTK_MENU_BUTTON (window_find (fixture->window, "rule_button")));
  wait_until (is_seen (fixture, "rule"));
  driver_settle (GTK_WIDGET (fixture->window));
  assert_whole (rule);
}

/* Nor is its last line cut with a token pinned, in any view. */
static void
test_rule_of_pinned (Fixture *fixture)
{
  static const char *const views[] = { "win.view::head", "win.view::neuron", "win.view::matrix" };
  GtkLabel *rule = GTK_LABEL (window_find (fixture->window, "rule"));
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (fixture->window, "rule_button"));
  UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };

  g_signal_emit_by_name (window_view (fixture->window), "clicked", &token, FALSE);
  wait_until (is_idle (fixture->window));
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    activate (fixture, views[i]);
    wait_until (is_idle (fixture->window));
    gtk_menu_button_popup (button);
    wait_until (is_seen (fixture, "rule"));
    driver_settle (GTK_WIDGET (fixture->window));
    assert_whole (rule);
    gtk_menu_button_popdown (button);
    driver_settle (GTK_WIDGET (fixture->window));
  }
}

/* The tooltip is the pointer's: keys that come there see none over the picture. */
static void
test_rule_tooltip (Fixture *fixture)
{
  GtkWidget *button = window_find (fixture->window, "rule_button");
  graphene_rect_t place;

  if (!has_real_input ())
    return;
  move_pointer (fixture, 400, 400);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (gtk_widget_child_focus (button, GTK_DIR_TAB_FORWARD));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_false (gtk_widget_get_has_tooltip (button));
  place = get_place (fixture, "rule_button");
  move_pointer (fixture, (int) (place.origin.x + place.size.width / 2),
                (int) (place.origin.y + place.size.height / 2));
  wait_until (gtk_widget_get_has_tooltip (button));
  move_pointer (fixture, 400, 400);
  wait_until (!gtk_widget_get_has_tooltip (button));
}

/* What one window leaves is what the next one begins with. */
static void
test_settings (Fixture *fixture)
{
  g_autoptr (AppSettings) settings = NULL;

  activate (fixture, "win.theme::dark");
  activate (fixture, "win.high-contrast");
  activate (fixture, "win.inspector");
  window_open_model (fixture->window, "headlight-mini");
  wait_until (is_idle (fixture->window));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 640);
  wait_until (gtk_widget_get_width (GTK_WIDGET (fixture->window)) <= 1000);
  gtk_window_close (GTK_WINDOW (fixture->window));

  settings = app_settings_load ();
  g_assert_cmpint (settings->width, ==, 1000);
  g_assert_cmpint (settings->height, ==, 640);
  g_assert_cmpint (settings->theme, ==, APP_THEME_DARK);
  g_assert_true (settings->high_contrast);
  g_assert_false (settings->inspector);
  g_assert_cmpstr (settings->last_model, ==, "headlight-mini");

  settings->theme = APP_THEME_SYSTEM;
  settings->high_contrast = FALSE;
  settings->inspector = TRUE;
  app_settings_set_last_model (settings, NULL);
  app_settings_save (settings);
}

/* GTK's start may run the main loop: what the worker answers there is not lost. */
static void
test_early_answer (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  AppApplication *application = app_application_new (document);

  for (int i = 0; i < 100; i++) {
    g_usleep (10000);
    while (g_main_context_iteration (NULL, FALSE))
      ;
  }
  run_application (application, test_first_picture);
}

static void
check_bundled (Fixture *fixture)
{
  g_assert_cmpstr (window_get_label (fixture->window, "model_name"), ==, "headlight-mini");
}

/* A model that is not there any more does not keep the window from opening. */
static void
test_last_model_gone (void)
{
  g_autoptr (AppSettings) settings = app_settings_load ();

  app_settings_set_last_model (settings, "/no/such/folder");
  app_settings_save (settings);
  run_test (check_bundled);

  app_settings_set_last_model (settings, NULL);
  app_settings_save (settings);
}

static void
test_close_while_running (Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 120; i++)
    g_string_append (text, "the cat ");
  gtk_editable_set_text (GTK_EDITABLE (window_find (fixture->window, "entry_a")), text->str);
  gtk_window_close (GTK_WINDOW (fixture->window));
}

/* Toasts that are dismissed as soon as they come, while they move. */
static void
test_toasts (Fixture *fixture)
{
  GtkWidget *overlay = window_find (fixture->window, "toasts");

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  window_toast (fixture->window, "one");
  window_toast (fixture->window, "two");
  let_pass (50);
  g_assert_true (driver_press_key (overlay, "Escape"));
  let_pass (50);
  driver_press_key (overlay, "Escape");
  /* Longer than anything of them moves. */
  let_pass (1500);
  window_toast (fixture->window, "three");
  wait_until (driver_find_label (overlay, "Three") != NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

/* An orderly end: what a person chose is kept. */
static void
test_signal (Fixture *fixture)
{
  g_autoptr (AppSettings) kept = NULL;

  app_settings_set_last_model (window_get_settings (fixture->window), "kept");
  activate (fixture, "win.shortcuts");
  g_assert_cmpint (raise (SIGTERM), ==, 0);
  wait_until (gtk_application_get_windows (GTK_APPLICATION (fixture->application)) == NULL);

  kept = app_settings_load ();
  g_assert_cmpstr (kept->last_model, ==, "kept");
  app_settings_set_last_model (kept, NULL);
  app_settings_save (kept);
}

#define ADD(path, func) g_test_add_data_func ("/window/" path, func, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  ADD ("first-picture", test_first_picture);
  ADD ("icon", test_icon);
  ADD ("explained", test_explained);
  ADD ("table", test_table);
  ADD ("columns-are-opaque", test_columns_are_opaque);
  ADD ("narrow-window", test_narrow_window);
  ADD ("present", test_present);
  ADD ("bars-of-presenter", test_bars_of_presenter);
  ADD ("rule", test_rule);
  ADD ("rule-of-pinned", test_rule_of_pinned);
  ADD ("rule-tooltip", test_rule_tooltip);
  ADD ("settings", test_settings);
  g_test_add_func ("/window/early-answer", test_early_answer);
  g_test_add_func ("/window/last-model-gone", test_last_model_gone);
  ADD ("close-while-running", test_close_while_running);
  ADD ("toasts", test_toasts);
  ADD ("task-outlives-window", test_task_outlives_window);
  ADD ("signal", test_signal);

  return g_test_run ();
}
