/* SPDX-License-Identifier: MIT */
/* Edits of the second side in the real window. */
#include "tests/app/parts/compare-case.h"

#include "ui/controls/edit-chips.h"

static char *
join_edits (char **edits)
{
  return edits != NULL ? g_strjoinv ("; ", edits) : g_strdup ("");
}

static void
assert_edits (AppWindow  *window,
              const char *first,
              const char *second)
{
  g_autofree char *edits = join_edits (app_window_get_document (window)->edits);
  g_autofree char *own = join_edits (app_window_get_document (window)->compare_edits);

  g_assert_cmpstr (edits, ==, first);
  g_assert_cmpint (app_window_get_document (window)->compare_edits_set, ==, second != NULL);
  if (second != NULL)
    g_assert_cmpstr (own, ==, second);
  g_assert_true (gtk_widget_get_visible (window_find (window, "second_chips"))
                 == (second != NULL && *second != '\0'));
}

/* Opens the menu of what the cursor is on. */
static gboolean
open_menu (AppWindow    *window,
           const UiItem *item)
{
  driver_settle (GTK_WIDGET (window));
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), item);
  return driver_press_key (GTK_WIDGET (window_view (window)), "Menu");
}

/* The targets of the items of the menu that is open, of one action, those of its submenus too. */
static void
append_targets (GMenuModel *model,
                const char *action,
                GString    *text)
{
  for (int i = 0; i < g_menu_model_get_n_items (model); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (model, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenuModel) below = g_menu_model_get_item_link (model, i, G_MENU_LINK_SUBMENU);
    g_autofree char *name = NULL;
    g_autofree char *target = NULL;

    if (section != NULL)
      append_targets (section, action, text);
    if (below != NULL)
      append_targets (below, action, text);
    if (g_menu_model_get_item_attribute (model, i, G_MENU_ATTRIBUTE_ACTION, "s", &name)
        && g_menu_model_get_item_attribute (model, i, G_MENU_ATTRIBUTE_TARGET, "s", &target)
        && g_str_equal (name, action))
      g_string_append_printf (text, "%s\n", target);
  }
}

static void
assert_menu (AppWindow  *window,
             const char *action,
             const char *expected)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (window));
  g_autoptr (GString) text = g_string_new (NULL);

  while (child != NULL && !GTK_IS_POPOVER_MENU (child))
    child = gtk_widget_get_next_sibling (child);
  g_assert_nonnull (child);
  append_targets (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (child)), action, text);
  g_assert_cmpstr (text->str, ==, expected);
  driver_settle (GTK_WIDGET (window));
  gtk_popover_popdown (GTK_POPOVER (child));
}

/* What is pointed at in a panel is done to its side. */
static void
test_menu (AppWindow *window)
{
  const char *longer = "the old cat sat on the mat and the dog lay on the rug by the fire all day";
  const UiItem beyond = { .type = UI_ITEM_QUERY, .query = N_TOKENS + 1, .panel = 1 };
  const UiItem first = { .type = UI_ITEM_QUERY, .query = 2 };

  activate (window, "win.compare::sides");
  type (window, 0, longer);
  wait_until (shows_second_text (window, longer) && is_idle (window));
  g_assert_true (open_menu (window, &beyond));
  assert_menu (window, "win.edit", "");
  assert_menu (window, "win.second-edit", "mask 16\nknock-out 16\ndelete 16\n");
  g_assert_true (open_menu (window, &first));
  assert_menu (window, "win.second-edit", "");
  assert_menu (window, "win.edit", "mask 2\nknock-out 2\ndelete 2\n");
}

/* A link of the second side is one of its layer. */
static void
test_menu_layer (AppWindow *window)
{
  const UiItem link = { .type = UI_ITEM_LINK, .head = 4, .query = 2, .key = 5, .panel = 1 };

  change (window, "compare-layer", "3");
  activate (window, "win.compare::sides");
  g_assert_true (open_menu (window, &link));
  assert_menu (window, "win.second-edit",
               "cut 3.4 2 5\ncut 3.4 2 5 renormalise\ncut 3.* 2 5\ncut 3.* 2 5 renormalise\n"
               "zero 3.4\nuniform 3.4\n");
}

static float
get_weight (EngTrace *trace,
            int       head,
            int       query,
            int       key)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);

  return attention->weights[((gsize) head * N_TOKENS + query) * N_TOKENS + key];
}

/* The second side begins with the edits of the first, and goes its own way. */
static void
test_second_edits (AppWindow *window)
{
  change (window, "edit", "uniform 0.1");
  change (window, "compare", "sides");
  assert_edits (window, "uniform 0.1", NULL);

  activate (window, "win.second-edit::cut 0.2 3 5");
  wait_until (window_has_other_trace (window));
  assert_edits (window, "uniform 0.1", "uniform 0.1; cut 0.2 3 5");
  g_assert_cmpint (ui_edit_chips_get_n (UI_EDIT_CHIPS (window_find (window, "second_chips"))), ==,
                   2);
  g_assert_cmpfloat (get_weight (window_get_second_trace (window), 2, 3, 5), ==, 0);
  g_assert_cmpfloat (get_weight (app_window_get_trace (window), 2, 3, 5), >, 0);
  assert_status (window, "beside other edits");

  g_signal_emit_by_name (window_find (window, "second_chips"), "moved", 1, 0);
  assert_edits (window, "uniform 0.1", "cut 0.2 3 5; uniform 0.1");
  g_signal_emit_by_name (window_find (window, "second_chips"), "switched", 0);
  assert_edits (window, "uniform 0.1", "off cut 0.2 3 5; uniform 0.1");
  g_signal_emit_by_name (window_find (window, "second_chips"), "removed", 1);
  assert_edits (window, "uniform 0.1", "off cut 0.2 3 5");
  for (int i = 0; i < 4; i++)
    activate (window, "win.undo");
  assert_edits (window, "uniform 0.1", NULL);
  g_assert_true (window_get_second_trace (window) == app_window_get_trace (window));
  activate (window, "win.redo");
  g_signal_emit_by_name (window_find (window, "second_chips"), "cleared");
  assert_edits (window, "uniform 0.1", "");
}

static void
click_word (AppWindow *window,
            int        panel,
            int        token)
{
  const UiItem item = { .type = UI_ITEM_QUERY, .query = token, .panel = panel };

  g_signal_emit_by_name (window_view (window), "clicked", &item, FALSE);
  wait_until (is_idle (window));
}

/* Words change places within a side. */
static void
test_second_swap (AppWindow *window)
{
  activate (window, "win.compare::sides");
  activate (window, "win.second-swap-word::swap 2");
  click_word (window, 0, 6);
  assert_edits (window, "", NULL);
  activate (window, "win.second-swap-word::swap 2");
  click_word (window, 1, 6);
  assert_edits (window, "", "swap 2 6");
  wait_until (window_has_other_trace (window));
  g_assert_cmpstr (eng_trace_get_query_tokens (window_get_second_trace (window),
                                               ENG_KIND_ENCODER)->texts[2],
                   ==, "mat");
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-compare/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("menu", test_menu);
  ADD ("menu-layer", test_menu_layer);
  ADD ("second-edits", test_second_edits);
  ADD ("second-swap", test_second_swap);
  return g_test_run ();
}
