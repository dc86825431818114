/* SPDX-License-Identifier: MIT */
/* The keys of the real window, and the list of them. */
#include "app/desk/part.h"
#include "app/desk/shortcuts.h"
#include "app/parts/export/export.h"
#include "app/shell/help-window.h"
#include "app/shell/shortcuts-window.h"
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

static gboolean
is_head_on (Fixture *fixture,
            int      head)
{
  return ui_head_set_has (&get_drawn_document (fixture)->heads, head);
}

static void
test_head_keys (Fixture *fixture)
{
  if (!has_real_input ())
    return;

  wait_until (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
  press_key ("alt+2");
  wait_until (!is_head_on (fixture, 2));
  /* With Shift the key types an exclamation mark. */
  press_key ("alt+shift+1");
  wait_until (!is_head_on (fixture, 11));
  press_key ("alt+shift+0");
  wait_until (!is_head_on (fixture, 10));
  press_key ("alt+shift+1");
  wait_until (is_head_on (fixture, 11));
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 10);
}

static GtkWidget *
find_focused_row (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;
}

/* The action of the button that has the focus, or "". */
static const char *
get_focused_action (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  const char *action = GTK_IS_BUTTON (focus)
                       ? gtk_actionable_get_action_name (GTK_ACTIONABLE (focus)) : NULL;

  return action != NULL ? action : "";
}

/* The open model has the focus, also once the list was read anew; arrows go on to the entries below
 * it and back; the program can be left from there. */
static void
test_model_menu_keys (Fixture *fixture)
{
  gconstpointer entries;

  if (!has_real_input ())
    return;

  press_key ("ctrl+m");
  wait_until (find_focused_row (fixture) != NULL);
  g_assert_true (gtk_window_get_focus_visible (GTK_WINDOW (fixture->window)));
  press_key ("Escape");
  wait_until (find_focused_row (fixture) == NULL);

  entries = window_get_model_entries (fixture->window);
  press_key ("ctrl+m");
  wait_until (window_get_model_entries (fixture->window) != entries
              && find_focused_row (fixture) != NULL);
  while (find_focused_row (fixture) != NULL) {
    GtkWidget *row = find_focused_row (fixture);

    press_key ("Down");
    wait_until (find_focused_row (fixture) != row);
  }
  g_assert_cmpstr (get_focused_action (fixture), ==, "win.open-model");
  press_key ("Down");
  wait_until (g_str_equal (get_focused_action (fixture), "win.open-trace"));
  press_key ("Up");
  press_key ("Up");
  wait_until (find_focused_row (fixture) != NULL);

  press_key ("ctrl+q");
  wait_until (gtk_application_get_windows (GTK_APPLICATION (fixture->application)) == NULL);
}

/* No two keys of a line say the same, as "Ctrl −" of the keypad and of the letters do. */
static void
assert_differ (const char *accelerators)
{
  g_auto (GStrv) keys = g_strsplit (accelerators, " ", -1);

  for (int i = 0; keys[i] != NULL; i++)
    for (int j = 0; j < i; j++) {
      GdkModifierType modifiers[2];
      guint values[2];

      if (gtk_accelerator_parse (keys[i], &values[0], &modifiers[0])
          && gtk_accelerator_parse (keys[j], &values[1], &modifiers[1])) {
        g_autofree char *label = gtk_accelerator_get_label (values[0], modifiers[0]);
        g_autofree char *other = gtk_accelerator_get_label (values[1], modifiers[1]);

        g_assert_cmpstr (label, !=, other);
      }
    }
}

/* Of keys that say the same the first stands there. */
static gboolean
shortcuts_window_has (GtkWidget  *root,
                      const char *accelerators)
{
  if (GTK_IS_SHORTCUT_LABEL (root)) {
    const char *shown = gtk_shortcut_label_get_accelerator (GTK_SHORTCUT_LABEL (root));

    assert_differ (shown);
    return g_str_has_prefix (accelerators, shown);
  }

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shortcuts_window_has (child, accelerators))
      return TRUE;
  return FALSE;
}

static const AppShortcut *
find_shortcut (const char *action)
{
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);
  gsize length = strlen (action);

  /* "win.view" is listed as "win.view::head", "win.head" as "win.head(0)". */
  for (int i = 0; i < n_shortcuts; i++)
    if (shortcuts[i].action != NULL && strncmp (shortcuts[i].action, action, length) == 0
        && strchr (":(", shortcuts[i].action[length]) != NULL)
      return &shortcuts[i];
  return NULL;
}

static void
assert_view_keys (Fixture    *fixture,
                  const char *box)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (fixture->window));
  GtkWidget *button;
  int n_views = 0;

  for (int i = 0; (button = driver_find (window_find (fixture->window, box),
                                         GTK_TYPE_TOGGLE_BUTTON, i)) != NULL; i++) {
    const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (button));
    GVariant *target = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (button));

    if (g_strcmp0 (action, "win.view") == 0) {
      g_autofree char *name = g_action_print_detailed_name (action, target);
      g_autofree char *key = g_strdup_printf ("<Control>%d", ++n_views);
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, name);

      g_assert_cmpstr (accels[0], ==, key);
    }
  }
  g_assert_cmpint (n_views, ==, 5);
}

/* Ctrl+1 is the first view of the header, Ctrl+2 the second; so they are at the foot. */
static void
test_view_keys (Fixture *fixture)
{
  assert_view_keys (fixture, "view_switch");
  assert_view_keys (fixture, "view_bar");
}

/* The views are one stop for Tab, at the chosen one; arrows move between them. */
static void
test_views_are_one_stop (Fixture *fixture)
{
  GtkWidget *views = window_find (fixture->window, "view_switch");
  GtkWidget *chosen = window_find (fixture->window, "matrix_button");

  activate (fixture, "win.view::matrix");
  g_assert_true (gtk_widget_child_focus (views, GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_widget_has_focus (chosen));
  g_assert_true (gtk_widget_child_focus (views, GTK_DIR_LEFT));
  g_assert_true (gtk_widget_has_focus (window_find (fixture->window, "neurons_button")));
  g_assert_false (gtk_widget_child_focus (views, GTK_DIR_TAB_FORWARD));
  gtk_widget_grab_focus (GTK_WIDGET (window_view (fixture->window)));
  g_assert_true (gtk_widget_child_focus (views, GTK_DIR_TAB_BACKWARD));
  g_assert_true (gtk_widget_has_focus (chosen));
}

/* Every action has a line in the table, every line an action and its keys, and Ctrl+? shows them
 * all. */
static void
test_shortcuts (Fixture *fixture)
{
  /* These have their words in menus: those that Alt+E, Alt+V and Ctrl+Shift+D open, that of what is
   * pointed at, that of the second side's model, and buttons below a head or of the family tree. */
  static const char *const in_menus[] = {
    "example", "edit", "scale-head", "swap-word", "second-edit",
    "second-scale-head", "second-swap-word", "compare-model", "compare-open-model",
    "compare-open-trace", "only-head", "explain", "explain-head", "go-to-token", "open-head",
    "collect-head", "what-if-zero", "restore-head", "take-back", "second-take-back",
    "compare-with", "compare-difference", "download-named", NULL
  };
  g_auto (GStrv) actions = g_action_group_list_actions (G_ACTION_GROUP (fixture->window));
  GtkWidget *list = app_shortcuts_window_new (GTK_WINDOW (fixture->window));
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);

  for (int i = 0; actions[i] != NULL; i++) {
    g_autofree char *name = g_strconcat ("win.", actions[i], NULL);

    if (find_shortcut (name) == NULL && !g_strv_contains (in_menus, actions[i])) {
      g_test_message ("%s has no shortcut", name);
      g_test_fail ();
    }
  }

  for (int i = 0; i < n_shortcuts; i++) {
    const AppShortcut *shortcut = &shortcuts[i];
    g_auto (GStrv) accels = NULL;

    wait_until (shortcuts_window_has (list, shortcut->accels));
    if (shortcut->action == NULL || shortcut->is_local)
      continue;
    accels = gtk_application_get_accels_for_action (GTK_APPLICATION (fixture->application),
                                                    shortcut->action);
    if (accels[0] == NULL) {
      g_test_message ("%s has no accelerator", shortcut->action);
      g_test_fail ();
    }
    if (g_str_has_prefix (shortcut->action, "win.")) {
      g_autoptr (GVariant) target = NULL;
      g_autofree char *name = NULL;

      g_assert_true (g_action_parse_detailed_name (shortcut->action, &name, &target, NULL));
      g_assert_true (g_action_group_has_action (G_ACTION_GROUP (fixture->window),
                                                name + strlen ("win.")));
    }
  }
  gtk_window_destroy (GTK_WINDOW (list));
}

/* How many rows of the list of shortcuts are in sight, those below the fold among them. */
static int
count_rows (GtkWidget *root)
{
  int n_rows = GTK_IS_LIST_BOX_ROW (root) && gtk_widget_get_mapped (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n_rows += count_rows (child);
  return n_rows;
}

/* By words of any case and order, by a heading or by a key; nothing found is said. */
static void
test_find_shortcuts (Fixture *fixture)
{
  GtkWidget *list = app_shortcuts_window_new (GTK_WINDOW (fixture->window));
  GtkWidget *entry = driver_find (list, GTK_TYPE_SEARCH_ENTRY, 0);
  g_autofree char *keys = gtk_accelerator_get_label (GDK_KEY_t, GDK_CONTROL_MASK); /* "Strg+T" */
  int n_shortcuts, n_of_neurons = 0;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);

  for (int i = 0; i < n_shortcuts; i++)
    n_of_neurons += strstr (shortcuts[i].group, "Neuron") != NULL;
  n_of_neurons++; /* and the view itself */

  gtk_window_present (GTK_WINDOW (list));
  wait_until (count_rows (list) == n_shortcuts);
  gtk_editable_set_text (GTK_EDITABLE (entry), "ABOUT headlight");
  wait_until (count_rows (list) == 1);
  g_assert_true (driver_shows_text (list, "About Headlight"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "neuron view");
  wait_until (count_rows (list) == n_of_neurons);
  gtk_editable_set_text (GTK_EDITABLE (entry), keys);
  wait_until (count_rows (list) == 1 && driver_shows_text (list, "The numbers as a table"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "xyzzy");
  wait_until (driver_shows_text (list, "No Shortcut Found"));

  /* Escape ends the search, then closes the list. */
  g_signal_emit_by_name (entry, "stop-search");
  wait_until (count_rows (list) == n_shortcuts);
  g_object_add_weak_pointer (G_OBJECT (list), (gpointer *) &list);
  g_signal_emit_by_name (entry, "stop-search");
  wait_until (list == NULL);
}

/* F1 shows a page that is searched: what is found stands below its heading, with the keys that the
 * table of shortcuts has. */
static void
test_help (Fixture *fixture)
{
  GtkWidget *help = app_help_window_new (GTK_WINDOW (fixture->window));
  GtkWidget *entry = driver_find (help, GTK_TYPE_SEARCH_ENTRY, 0);
  g_autofree char *undo = gtk_accelerator_get_label (GDK_KEY_z, GDK_CONTROL_MASK);
  g_auto (GStrv) actions =
    gtk_application_get_actions_for_accel (GTK_APPLICATION (fixture->application), "F1");
  int n_rows;

  g_assert_cmpstr (actions[0], ==, "win.help");
  gtk_window_present (GTK_WINDOW (help));
  wait_until (count_rows (help) > 0);
  n_rows = count_rows (help);
  g_assert_null (driver_find_label (help, "{"));
  g_assert_nonnull (driver_find_label (help, undo));

  gtk_editable_set_text (GTK_EDITABLE (entry), "DELETE swap");
  wait_until (count_rows (help) == 2);
  g_assert_true (driver_shows_text (help, "Edit: does it matter?"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "xyzzy");
  wait_until (driver_shows_text (help, "Nothing Found"));
  g_signal_emit_by_name (entry, "stop-search");
  wait_until (count_rows (help) == n_rows);
  gtk_window_destroy (GTK_WINDOW (help));
}

/* No accelerator stands for two actions. */
static void
assert_one_action (Fixture    *fixture,
                   const char *accel)
{
  g_auto (GStrv) actions =
    gtk_application_get_actions_for_accel (GTK_APPLICATION (fixture->application), accel);

  g_assert_cmpint (g_strv_length (actions), ==, 1);
}

static void
test_accelerators_differ (Fixture *fixture)
{
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);

  for (int i = 0; i < n_shortcuts; i++) {
    g_auto (GStrv) accels = g_strsplit (shortcuts[i].accels, " ", -1);

    if (shortcuts[i].action == NULL || shortcuts[i].is_local)
      continue;
    for (int j = 0; accels[j] != NULL; j++)
      assert_one_action (fixture, accels[j]);
  }
}

static int n_escapes;

static gboolean
count_escape (AppPart *part)
{
  n_escapes++;
  return FALSE;
}

static void
pin_token (Fixture *fixture)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = 2 };

  g_signal_emit_by_name (window_view (fixture->window), "clicked", &item, FALSE);
  wait_until (!ui_pins_is_empty (&get_drawn_document (fixture)->pins));
}

/* Each part is asked in turn, whether or not something is pinned; what is open takes the key before
 * them. */
static void
test_escape_chain (Fixture *fixture)
{
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");
  AppPartClass *klass =
    APP_PART_GET_CLASS (app_window_get_part (fixture->window, APP_TYPE_EXPORT_PART));

  if (xdotool == NULL) {
    g_test_skip ("no xdotool");
    return;
  }

  n_escapes = 0;
  klass->escape = count_escape;
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
  press_key ("Escape");
  wait_until (n_escapes == 1);

  pin_token (fixture);
  g_assert_true (driver_press_key (GTK_WIDGET (fixture->window), "Escape"));
  g_assert_cmpint (n_escapes, ==, 2);
  g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins));

  /* From the picture, which takes the key itself. */
  pin_token (fixture);
  g_assert_true (driver_press_key (GTK_WIDGET (window_view (fixture->window)), "Escape"));
  g_assert_cmpint (n_escapes, ==, 3);
  g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins));

  press_key ("ctrl+m");
  wait_until (find_focused_row (fixture) != NULL);
  press_key ("Escape");
  wait_until (find_focused_row (fixture) == NULL);
  g_assert_cmpint (n_escapes, ==, 3);
  press_key ("Escape");
  wait_until (n_escapes == 4);
  klass->escape = NULL;
}

static gboolean
has_picture_keys (Fixture *fixture)
{
  return gtk_window_get_focus (GTK_WINDOW (fixture->window))
         == GTK_WIDGET (window_view (fixture->window));
}

static void
press_escape (Fixture *fixture)
{
  g_assert_true (driver_press_key (GTK_WIDGET (fixture->window), "Escape"));
  wait_until (is_idle (fixture->window));
  driver_settle (GTK_WIDGET (fixture->window));
}

/* One thing a press: an entry is left, whose text stays, as pins do; elsewhere the table in
 * the picture's place goes, then the pins; where nothing is left the keys go to the picture. */
static void
test_escape_steps (Fixture *fixture)
{
  static const char *const places[] = { "toolbar", "entry_a", "map_search" };
  g_autofree char *text = g_strdup (window_get_text (fixture->window, "entry_a"));

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++) {
    GtkWidget *place = window_find (fixture->window, places[i]);
    const gboolean is_entry = i > 0;

    pin_token (fixture);
    wait_until (is_idle (fixture->window));
    g_assert_true (gtk_widget_child_focus (place, GTK_DIR_TAB_FORWARD)
                   || gtk_widget_grab_focus (place));
    press_escape (fixture);
    g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins) == !is_entry);
    g_assert_true (has_picture_keys (fixture) == is_entry);
    press_escape (fixture);
    g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins));
    g_assert_true (has_picture_keys (fixture));
  }
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==, text);

  pin_token (fixture);
  activate (fixture, "win.table");
  press_escape (fixture);
  g_assert_true (gtk_widget_get_mapped (window_find (fixture->window, "picture_scroller")));
  g_assert_true (has_picture_keys (fixture));
  g_assert_false (ui_pins_is_empty (&get_drawn_document (fixture)->pins));
}

/* First the pin, then what the keys are on; its place is kept for the next arrow. */
static void
test_escape_cursor (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);
  g_autofree char *whole = g_strdup (window_get_label (fixture->window, "caption"));

  for (int i = 0; i < 3; i++)
    g_assert_true (driver_press_key (GTK_WIDGET (view), "Down"));
  g_assert_cmpstr (window_get_label (fixture->window, "caption"), !=, whole);
  press_escape (fixture);
  g_assert_cmpint (ui_scene_view_get_item (view)->type, ==, UI_ITEM_NONE);
  g_assert_cmpstr (window_get_label (fixture->window, "caption"), ==, whole);

  g_assert_true (driver_press_key (GTK_WIDGET (view), "Down"));
  g_assert_cmpint (ui_scene_view_get_item (view)->query, ==, 3);
  g_assert_true (driver_press_key (GTK_WIDGET (view), "Return"));
  wait_until (!ui_pins_is_empty (&get_drawn_document (fixture)->pins));
  press_escape (fixture);
  g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins));
  g_assert_cmpint (ui_scene_view_get_item (view)->query, ==, 3);
  press_escape (fixture);
  g_assert_cmpint (ui_scene_view_get_item (view)->type, ==, UI_ITEM_NONE);
  g_assert_cmpstr (window_get_label (fixture->window, "caption"), ==, whole);
}

#define ADD(path, func) g_test_add_data_func ("/window/" path, func, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  ADD ("head-keys", test_head_keys);
  ADD ("escape-chain", test_escape_chain);
  ADD ("model-menu-keys", test_model_menu_keys);
  ADD ("view-keys", test_view_keys);
  ADD ("views-are-one-stop", test_views_are_one_stop);
  ADD ("shortcuts", test_shortcuts);
  ADD ("find-shortcuts", test_find_shortcuts);
  ADD ("help", test_help);
  ADD ("accelerators-differ", test_accelerators_differ);

  ADD ("escape-steps", test_escape_steps);
  ADD ("escape-cursor", test_escape_cursor);
  return g_test_run ();
}
