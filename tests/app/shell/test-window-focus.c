/* SPDX-License-Identifier: MIT */
/* Keys go somewhere, whatever has closed: after menus of menus, popovers and drop-downs, in the
 * real window and in a small one that has each of them. */
#include "app/shell/focus.h"
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

#define MOST_ROWS 60
#define MENU_MS   200 /* until all rows of a menu are where they stay */

/* What the row of a menu that has the focus says; "" where none has it. */
static char *
get_focused_row (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  char *text = NULL;

  if (focus != NULL && g_object_class_find_property (G_OBJECT_GET_CLASS (focus), "text") != NULL)
    g_object_get (focus, "text", &text, NULL);
  return text != NULL ? text : g_strdup ("");
}

static gboolean
is_on_row (GtkWindow  *window,
           const char *text)
{
  g_autofree char *row = get_focused_row (window);

  return g_str_equal (row, text);
}

/* By keys alone. */
static void
choose (GtkWindow  *window,
        const char *text)
{
  let_pass (MENU_MS);
  for (int i = 0; i < MOST_ROWS && !is_on_row (window, text); i++) {
    g_autofree char *row = get_focused_row (window);

    press_key ("Down");
    wait_until (!is_on_row (window, row));
  }
  if (!is_on_row (window, text))
    g_error ("no menu has the row %s", text);
  press_key ("Return");
}

static gboolean
has_focus (GtkWidget *widget)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (widget));
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget))
         && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER)
            == gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER);
}

static gboolean
is_in_menu (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL
         && gtk_widget_get_mapped (focus);
}

/* The real window. */

static gboolean
is_edited (Fixture    *fixture,
           const char *expected)
{
  g_autofree char *edits =
    g_strjoinv ("; ", app_window_get_document (fixture->window)->edits);

  return g_str_equal (edits, expected);
}

static void
test_nested_choice (Fixture *fixture)
{
  GtkWindow *window = GTK_WINDOW (fixture->window);
  GtkWidget *view = GTK_WIDGET (window_view (fixture->window));

  if (!has_real_input ())
    return;

  press_key ("alt+k");
  wait_until (is_in_menu (window));
  choose (window, "Copy As");
  wait_until (is_in_menu (window));
  choose (window, "JSON");
  wait_until (has_focus (view));
  press_key ("ctrl+2");
  wait_until (app_window_get_document (fixture->window)->view == UI_VIEW_MODEL);
  press_key ("ctrl+1");
  wait_until (app_window_get_document (fixture->window)->view == UI_VIEW_HEAD);

  activate (fixture, "win.edit-menu");
  wait_until (is_in_menu (window));
  choose (window, "Head of Layer 0");
  choose (window, "Head 1");
  choose (window, "Zero");
  wait_until (is_edited (fixture, "zero 0.1") && has_focus (view) && is_idle (fixture->window));
  press_key ("ctrl+z");
  wait_until (is_edited (fixture, ""));
  press_key ("F10");
  wait_until (is_in_menu (window));
  press_key ("Escape");
  wait_until (has_focus (view));
}

/* After a click no row is seen to have the focus: the first arrow goes to the first one. */
static void
test_first_row (Fixture *fixture)
{
  GtkWindow *window = GTK_WINDOW (fixture->window);
  GtkWidget *button = window_find (fixture->window, "more_button");

  if (!has_real_input ())
    return;

  gtk_window_set_focus_visible (window, FALSE);
  click_widget (button, "1");
  wait_until (is_in_menu (window));
  let_pass (MENU_MS);
  press_key ("Down");
  wait_until (gtk_window_get_focus_visible (window));
  g_assert_true (is_on_row (window, "Table of the Numbers"));
  press_key ("Down");
  wait_until (is_on_row (window, "Ablate Each Head…"));
  press_key ("Escape");
  wait_until (!is_in_menu (window));
}

/* Where there is no picture to be seen, what is in its place has the keys. */
static void
test_table (Fixture *fixture)
{
  GtkWindow *window = GTK_WINDOW (fixture->window);

  if (!has_real_input ())
    return;

  activate (fixture, "win.table");
  press_key ("alt+k");
  wait_until (is_in_menu (window));
  choose (window, "Copy As");
  choose (window, "JSON");
  wait_until (has_focus (window_find (fixture->window, "page_table")));
}

/* Where F6 leads, and back: past what is not in sight, and the table for the picture. */
static void
assert_region (Fixture    *fixture,
               const char *action,
               const char *id)
{
  activate (fixture, action);
  driver_settle (GTK_WIDGET (fixture->window));
  if (!has_focus (window_find (fixture->window, id)))
    g_error ("%s does not lead to %s", action, id);
}

static gboolean
is_seen (Fixture    *fixture,
         const char *id)
{
  return gtk_widget_get_mapped (window_find (fixture->window, id));
}

static void
test_regions (Fixture *fixture)
{
  UiDocument *document = ui_document_copy (app_window_get_document (fixture->window));

  ui_pins_click (&document->pins, FALSE, 2, FALSE);
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
  gtk_widget_grab_focus (GTK_WIDGET (window_view (fixture->window)));
  assert_region (fixture, "win.next-region", "inspector");
  assert_region (fixture, "win.next-region", "map");
  assert_region (fixture, "win.next-region", "entry_a");
  assert_region (fixture, "win.next-region", "scene_view");
  assert_region (fixture, "win.previous-region", "entry_a");
  assert_region (fixture, "win.previous-region", "map");
  assert_region (fixture, "win.previous-region", "inspector");

  activate (fixture, "win.inspector");
  activate (fixture, "win.map");
  activate (fixture, "win.table");
  wait_until (is_seen (fixture, "strip") && !is_seen (fixture, "inspector")
              && !is_seen (fixture, "scene_view"));
  gtk_widget_grab_focus (window_find (fixture->window, "menu_button"));
  assert_region (fixture, "win.next-region", "page_table");
  assert_region (fixture, "win.next-region", "strip");
  assert_region (fixture, "win.previous-region", "page_table");
  assert_region (fixture, "win.previous-region", "entry_a");
}

static gboolean
has_keys (Fixture    *fixture,
          const char *id)
{
  GtkWidget *widget = window_find (fixture->window, id);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* What is laid over the picture gets the keys, and goes when they go on to the picture. */
static void
test_regions_over_each_other (Fixture *fixture)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 700, 640);
  wait_until (is_seen (fixture, "strip") && !is_seen (fixture, "inspector"));
  driver_settle (GTK_WIDGET (fixture->window));
  activate (fixture, "win.map");
  wait_until (has_keys (fixture, "map"));
  assert_region (fixture, "win.next-region", "entry_a");
  g_assert_false (is_seen (fixture, "map"));
  assert_region (fixture, "win.previous-region", "strip");

  gtk_widget_grab_focus (GTK_WIDGET (window_view (fixture->window)));
  activate (fixture, "win.inspector");
  wait_until (has_keys (fixture, "inspector"));
  activate (fixture, "win.inspector");
  wait_until (has_keys (fixture, "scene_view"));

  /* It would hide the view that is asked for. */
  activate (fixture, "win.map");
  wait_until (has_keys (fixture, "map"));
  activate (fixture, "win.view::matrix");
  wait_until (!is_seen (fixture, "map") && has_keys (fixture, "scene_view"));
}

/* A small window. */

typedef struct {
  GtkWindow *window;
  GtkWidget *entry;
  GtkWidget *menu_button;
  GtkWidget *drop_down;
  GtkWidget *popover_button;
  GtkWidget *inner_drop_down; /* in the popover */
  GtkWidget *picture;
  AppFocus  *focus;
} Small;

static GtkWidget *
drop_down_new (void)
{
  return gtk_drop_down_new_from_strings ((const char *const[]) { "one", "two", "three", NULL });
}

static void
fill (Small *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *popover = gtk_popover_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) submenu = g_menu_new ();

  g_menu_append (submenu, "Close Nothing", "small.nothing");
  g_menu_append_submenu (menu, "More", G_MENU_MODEL (submenu));
  self->entry = gtk_entry_new ();
  self->menu_button = g_object_new (GTK_TYPE_MENU_BUTTON, "menu-model", menu, NULL);
  self->drop_down = drop_down_new ();
  self->inner_drop_down = drop_down_new ();
  gtk_popover_set_child (GTK_POPOVER (popover), self->inner_drop_down);
  self->popover_button = g_object_new (GTK_TYPE_MENU_BUTTON, "popover", popover, NULL);
  self->picture = gtk_drawing_area_new ();
  gtk_widget_set_focusable (self->picture, TRUE);
  gtk_widget_set_vexpand (self->picture, TRUE);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->menu_button);
  gtk_box_append (GTK_BOX (box), self->drop_down);
  gtk_box_append (GTK_BOX (box), self->popover_button);
  gtk_box_append (GTK_BOX (box), self->picture);
  self->window = driver_show (box, 400, 500);
}

static void
nothing (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
}

static void
run_small (gconstpointer data)
{
  static const GActionEntry entries[] = { { "nothing", nothing } };
  void (*body) (Small *) = data;
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  Small self;

  if (!has_real_input ())
    return;

  fill (&self);
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), NULL);
  gtk_widget_insert_action_group (GTK_WIDGET (self.window), "small", G_ACTION_GROUP (actions));
  self.focus = app_focus_new (self.window, self.picture, gtk_window_get_child (self.window));
  gtk_widget_grab_focus (self.picture);
  body (&self);
  app_focus_free (self.focus);
  gtk_window_destroy (self.window);
}

/* The pointer leaves the keys with the picture. */
static void
test_clicks (Small *self)
{
  GtkWidget *const buttons[] = { self->menu_button, self->drop_down, self->popover_button };

  for (gsize i = 0; i < G_N_ELEMENTS (buttons); i++) {
    click_widget (buttons[i], "1");
    wait_until (is_in_menu (self->window));
    press_key ("Escape");
    wait_until (has_focus (self->picture));
    let_pass (MENU_MS);
  }
  click_widget (self->menu_button, "1");
  wait_until (is_in_menu (self->window));
  choose (self->window, "More");
  choose (self->window, "Close Nothing");
  wait_until (has_focus (self->picture));
}

/* Who goes from control to control by keys goes on from there. */
static void
test_keys (Small *self)
{
  GtkWidget *const buttons[] = { self->menu_button, self->drop_down, self->popover_button };

  gtk_widget_grab_focus (self->entry);
  for (gsize i = 0; i < G_N_ELEMENTS (buttons); i++) {
    press_key ("Tab");
    wait_until (has_focus (buttons[i]));
    press_key ("space");
    wait_until (is_in_menu (self->window));
    press_key ("Escape");
    wait_until (has_focus (buttons[i]));
  }
}

/* A list that closes in a popover leaves the keys in it. */
static void
test_inner (Small *self)
{
  click_widget (self->popover_button, "1");
  wait_until (has_focus (self->inner_drop_down));
  press_key ("space");
  wait_until (!has_focus (self->inner_drop_down) && is_in_menu (self->window));
  press_key ("Down");
  press_key ("Return");
  wait_until (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->inner_drop_down)) == 1);
  wait_until (has_focus (self->inner_drop_down));
  press_key ("Escape");
  wait_until (has_focus (self->picture));
}

/* The menu of an entry, and its chooser of emoji. */
static void
test_entry (Small *self)
{
  gtk_widget_grab_focus (self->entry);
  press_key ("shift+F10");
  wait_until (is_in_menu (self->window));
  press_key ("Escape");
  wait_until (has_focus (self->entry));
  let_pass (MENU_MS);
  click_widget (self->entry, "3");
  wait_until (is_in_menu (self->window));
  press_key ("Escape");
  wait_until (has_focus (self->entry));
  press_key ("ctrl+period");
  wait_until (is_in_menu (self->window));
  press_key ("Escape");
  wait_until (has_focus (self->entry));
  press_key ("x");
  wait_until (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->entry)), "x"));
}

#define ADD(path, func) g_test_add_data_func ("/window-focus/" path, func, run_test)
#define ADD_SMALL(path, func) g_test_add_data_func ("/window-focus/" path, func, run_small)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("nested-choice", test_nested_choice);
  ADD ("first-row", test_first_row);
  ADD ("table", test_table);
  ADD ("regions", test_regions);
  ADD ("regions-over-each-other", test_regions_over_each_other);
  ADD_SMALL ("clicks", test_clicks);
  ADD_SMALL ("keys", test_keys);
  ADD_SMALL ("inner", test_inner);
  ADD_SMALL ("entry", test_entry);

  return g_test_run ();
}
