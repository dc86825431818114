/* SPDX-License-Identifier: MIT */
/* What keys and the pointer do in the view. */
#include "tests/support/wait.h"
#include "tests/ui/view/scene-view-case.h"

static void
test_keyboard (Fixture       *self,
               gconstpointer  unused)
{
  GtkWidget *view = GTK_WIDGET (self->view);
  g_autofree char *sentence = NULL;

  g_assert_true (driver_press_key (view, "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 0);
  g_assert_true (driver_press_key (view, "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 1);
  g_assert_true (driver_press_key (view, "Right"));
  assert_item (&self->item, UI_ITEM_KEY, 1);
  g_assert_true (driver_press_key (view, "End"));
  assert_item (&self->item, UI_ITEM_KEY, 8);
  g_assert_cmpint (self->n_moved, ==, 4);
  /* At the edge it stays, and so does the focus. */
  g_assert_true (driver_press_key (view, "Down"));
  g_assert_cmpint (self->n_moved, ==, 4);

  sentence = ui_scene_describe (ui_scene_view_get_scene (self->view), &self->item);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_KEY, 8);

  g_assert_true (driver_press_key (view, "Return"));
  assert_item (&self->item, UI_ITEM_KEY, 8);
  g_assert_false (self->extend);
  g_assert_true (driver_press_key (view, "<Shift>space"));
  g_assert_true (self->extend);
  g_assert_cmpint (self->n_clicked, ==, 2);
}

static void
test_escape (Fixture       *self,
             gconstpointer  unused)
{
  g_assert_false (driver_press_key (GTK_WIDGET (self->view), "Escape"));
  g_assert_cmpint (self->n_unpinned, ==, 0);

  ui_pins_click (&self->document->pins, FALSE, 2, FALSE);
  show (self);
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Escape"));
  g_assert_cmpint (self->n_unpinned, ==, 1);
}

static void
test_pointer (Fixture       *self,
              gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 3 };
  const UiItem next = { .type = UI_ITEM_QUERY, .query = 5 };
  g_autofree char *sentence = ui_scene_describe (ui_scene_view_get_scene (self->view), &token);
  double x, y;

  find_middle (self, &token, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  assert_item (&self->item, UI_ITEM_QUERY, 3);
  g_assert_cmpint (self->n_hovered, ==, 1);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 3);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);

  /* Moving within an item says nothing new. */
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  g_assert_cmpint (self->n_hovered, ==, 1);
  settle (self);

  driver_click_at (GTK_WIDGET (self->view), 1, x, y);
  g_assert_cmpint (self->n_clicked, ==, 1);
  assert_item (&self->item, UI_ITEM_QUERY, 3);

  /* The keyboard leads until the pointer moves: not when a menu above it closes, nor when the
   * drawing moves under it. */
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  ui_scene_view_set_cursor (self->view, &next);
  driver_point_away (GTK_WIDGET (self->view));
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 5);
  gtk_widget_set_margin_top (GTK_WIDGET (self->view), 20);
  settle (self);
  driver_point_at (GTK_WIDGET (self->view), x + 1, y - 20);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 5);
  gtk_widget_set_margin_top (GTK_WIDGET (self->view), 0);
  settle (self);
  ui_scene_view_set_cursor (self->view, &token);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  self->n_hovered = 1;

  driver_point_away (GTK_WIDGET (self->view));
  g_assert_cmpint (self->item.type, ==, UI_ITEM_NONE);
  g_assert_cmpint (self->n_hovered, ==, 2);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");

  /* The keyboard goes on from the token that was clicked. */
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 4);
}

/* The pointer keeps its token while the drawing becomes another one; what another drawing brings
 * under it is not pointed at before it moves. */
static void
test_pointer_at_rest (Fixture       *self,
                      gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  double x, y;

  find_middle (self, &token, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  self->document->layer = 1;
  show (self);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 2);

  self->document->view = UI_VIEW_MATRIX;
  show (self);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  self->document->view = UI_VIEW_HEAD;
  show (self);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 2);

  ui_scene_view_let_go_of_pointer (self->view);
  g_assert_cmpint (self->item.type, ==, UI_ITEM_NONE);
  show (self);
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 2);
}

/* Keys and a window that is laid out anew move the drawing, too; what comes under a pointer that nobody
 * touches meanwhile is not pointed at once it rests. */
static void
test_pointer_while_moved (Fixture       *self,
                          gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  UiItem item;
  double x, y;

  find_middle (self, &token, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 2);
  /* Longer than a hand leads, and than a movement needs to rest. */
  let_pass (200);
  ui_scene_view_set_zoom (self->view, 1.6);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  let_pass (200);
  ui_scene_view_find_item (self->view, x, y, &item);
  g_assert_cmpint (item.type, !=, UI_ITEM_NONE);
  g_assert_false (item.type == UI_ITEM_QUERY && item.query == 2);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, item.type);

  /* Under a hand that moves they follow one another. */
  let_pass (200);
  ui_scene_view_set_zoom (self->view, 1);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  let_pass (200);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 2);
}

/* What is pointed at elsewhere stands out in the drawing; the reader is where it was. */
static void
test_aim (Fixture       *self,
          gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 3 };
  const UiItem other = { .type = UI_ITEM_KEY, .key = 1 };
  const UiItem link = { .type = UI_ITEM_LINK, .head = 1, .query = 3, .key = 4 };
  const UiItem none = { .type = UI_ITEM_NONE };
  const UiItem beyond = { .type = UI_ITEM_LINK, .head = 1, .query = 3, .key = 40 };
  g_autofree char *sentence = ui_scene_describe (ui_scene_view_get_scene (self->view), &link);
  g_autofree char *of_token = ui_scene_describe (ui_scene_view_get_scene (self->view), &token);
  g_autofree char *of_other = NULL;
  double x, y;

  ui_scene_view_set_cursor (self->view, &token);
  ui_scene_view_set_aim (self->view, &link);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 3);
  /* It outlives another scene that has it. */
  ui_pins_click (&self->document->pins, FALSE, 3, FALSE);
  show (self);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
  ui_scene_view_set_aim (self->view, &beyond);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, of_token);
  ui_scene_view_set_aim (self->view, &link);
  /* Who points at the picture again sees that. */
  of_other = ui_scene_describe (ui_scene_view_get_scene (self->view), &other);
  find_middle (self, &other, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_KEY, 1);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, of_other);
  driver_point_away (GTK_WIDGET (self->view));
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
  ui_scene_view_set_aim (self->view, &none);
  ui_scene_view_set_cursor (self->view, &token);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, of_token);
}

/* A hover is painted on top: what lies below it is not drawn anew, and comes back. */
static void
test_hover_leaves_no_trace (Fixture       *self,
                            gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_KEY, .key = 1 };
  g_autoptr (GdkTexture) before = NULL;
  g_autoptr (GdkTexture) hovered = NULL;
  g_autoptr (GBytes) before_bytes = NULL;
  g_autoptr (GBytes) hovered_bytes = NULL;
  double x, y;

  gtk_window_set_focus (self->window, NULL);
  settle (self);
  before = driver_take_picture (GTK_WIDGET (self->view));
  before_bytes = gdk_texture_save_to_png_bytes (before);

  find_middle (self, &token, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  settle (self);
  hovered = driver_take_picture (GTK_WIDGET (self->view));
  hovered_bytes = gdk_texture_save_to_png_bytes (hovered);
  g_assert_false (g_bytes_equal (before_bytes, hovered_bytes));

  driver_point_away (GTK_WIDGET (self->view));
  settle (self);
  assert_picture (self, &(UiRect) { 0, 0, WIDTH, HEIGHT }, 0);
}

static GtkEventController *
find_keys (Fixture *self)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
      return controller;
  }
  g_assert_not_reached ();
}

/* Held it drags, so that it clicks when it is let go. */
static void
test_space (Fixture       *self,
            gconstpointer  unused)
{
  gboolean handled = FALSE;

  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Down"));
  for (int i = 0; i < 3; i++) {
    g_signal_emit_by_name (find_keys (self), "key-pressed", GDK_KEY_space, 65, 0, &handled);
    g_assert_true (handled);
  }
  g_assert_cmpint (self->n_clicked, ==, 0);
  g_signal_emit_by_name (find_keys (self), "key-released", GDK_KEY_space, 65, 0);
  g_assert_cmpint (self->n_clicked, ==, 1);
  assert_item (&self->item, UI_ITEM_QUERY, 0);

  /* Let go elsewhere. */
  g_signal_emit_by_name (find_keys (self), "key-pressed", GDK_KEY_space, 65, 0, &handled);
  gtk_window_set_focus (self->window, NULL);
  g_signal_emit_by_name (find_keys (self), "key-released", GDK_KEY_space, 65, 0);
  g_assert_cmpint (self->n_clicked, ==, 1);
}

static void
test_focus_lost (Fixture       *self,
                 gconstpointer  unused)
{
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Home"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 0);
  gtk_window_set_focus (self->window, NULL);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
}

static void
give_keys_back (Fixture *self)
{
  gtk_window_set_focus (self->window, NULL);
  settle (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  settle (self);
}

/* Keys that come back by themselves, and a click, name no token; Tab and an arrow do, and go on from
 * where the cursor was. */
static void
test_cursor_shows (Fixture       *self,
                   gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 5 };
  const UiItem link = { .type = UI_ITEM_LINK, .head = 1, .query = 3, .key = 4 };
  const UiItem none = { .type = UI_ITEM_NONE };
  GtkWidget *view = GTK_WIDGET (self->view);
  double x, y;

  give_keys_back (self);
  g_assert_false (ui_scene_view_let_go_of_cursor (self->view));
  g_assert_true (driver_press_key (view, "Down"));
  g_assert_true (driver_press_key (view, "Down"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 1);
  give_keys_back (self);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");

  gtk_window_set_focus (self->window, NULL);
  settle (self);
  g_assert_true (gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 1);
  g_assert_true (ui_scene_view_let_go_of_cursor (self->view));
  g_assert_cmpint (self->item.type, ==, UI_ITEM_NONE);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  g_assert_false (ui_scene_view_let_go_of_cursor (self->view));
  g_assert_true (driver_press_key (view, "Down"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 2);

  find_middle (self, &token, &x, &y);
  driver_point_at (view, x, y);
  driver_click_at (view, 1, x, y);
  driver_point_away (view);
  ui_scene_view_set_aim (self->view, &link);
  ui_scene_view_set_aim (self->view, &none);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  g_assert_true (driver_press_key (view, "Down"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 6);
}

/* A shorter text: the cursor's token is gone. */
static void
test_cursor_of_gone_token (Fixture       *self,
                           gconstpointer  unused)
{
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Home"));
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "End"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 8);
  eng_trace_unref (self->trace);
  self->trace = made_trace_new (3, 0, 4, 2);
  show (self);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 0);
}

#define ADD(path, set_up, test) \
  g_test_add ("/scene-view/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("keyboard", set_up, test_keyboard);
  ADD ("escape", set_up, test_escape);
  ADD ("pointer", set_up, test_pointer);
  ADD ("pointer-at-rest", set_up, test_pointer_at_rest);
  ADD ("pointer-while-moved", set_up, test_pointer_while_moved);
  ADD ("aim", set_up, test_aim);
  ADD ("hover-leaves-no-trace", set_up, test_hover_leaves_no_trace);
  ADD ("space", set_up, test_space);
  ADD ("focus-lost", set_up, test_focus_lost);
  ADD ("cursor-shows", set_up, test_cursor_shows);
  ADD ("cursor-of-gone-token", set_up, test_cursor_of_gone_token);
  return g_test_run ();
}
