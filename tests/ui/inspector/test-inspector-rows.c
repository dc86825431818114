/* SPDX-License-Identifier: MIT */
/* What the inspector's rows are for. */
#include "ui/inspector/inspector.h"

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"
#include "ui/controls/bar-row.h"
#include "ui/document/bidi.h"
#include "ui/lists/reading-list.h"
#include "ui/scene/views/factory.h"

/* 3 + 2 tokens: w0 w1 [SEP] w3 [SEP]. */
#define N_A 3
#define N_B 2

typedef struct {
  GtkWindow   *window;
  UiInspector *inspector;
  EngTrace    *trace;
  UiDocument  *document;
  UiItem       aim;       /* of the last signals of rows */
  UiItem       clicked;
  UiItem       opened;
  gboolean     extend;
} Fixture;

static void
aimed_cb (Fixture      *self,
          const UiItem *item)
{
  self->aim = *item;
}

static void
clicked_cb (Fixture      *self,
            const UiItem *item,
            const UiItem *token,
            gboolean      extend)
{
  self->clicked = *item;
  self->extend = extend;
}

static void
opened_cb (Fixture      *self,
           const UiItem *token)
{
  self->opened = *token;
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->inspector = UI_INSPECTOR (ui_inspector_new ());
  self->trace = made_trace_new (N_A, N_B, 2, 1);
  self->document = ui_document_new ();
  g_signal_connect_swapped (self->inspector, "row-aimed", G_CALLBACK (aimed_cb), self);
  g_signal_connect_swapped (self->inspector, "row-clicked", G_CALLBACK (clicked_cb), self);
  g_signal_connect_swapped (self->inspector, "row-opened", G_CALLBACK (opened_cb), self);
  self->window = driver_show (GTK_WIDGET (self->inspector), 300, 900);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->inspector);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->inspector);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
}

static void
show (Fixture *self)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_scene_new (self->trace, self->document, &options, &error);

  g_assert_no_error (error);
  ui_inspector_set_scene (self->inspector, scene);
  driver_settle (GTK_WIDGET (self->inspector));
}

static void
assert_link (const UiItem *item,
             int           head,
             int           query,
             int           key)
{
  g_assert_cmpint (item->type, ==, UI_ITEM_LINK);
  g_assert_cmpint (item->head, ==, head);
  g_assert_cmpint (item->query, ==, query);
  g_assert_cmpint (item->key, ==, key);
}

/* Middle of a row in the list, and in the inspector. */
static void
find_row (GtkWidget *list,
          GtkWidget *widget,
          int        row,
          double    *x,
          double    *y)
{
  GtkWidget *bar = ui_row_list_get_row_widget (UI_ROW_LIST (list), row);

  gtk_widget_translate_coordinates (bar, widget, gtk_widget_get_width (bar) / 2.0,
                                    gtk_widget_get_height (bar) / 2.0, x, y);
}

static void
assert_name (GtkWidget  *list,
             int         row,
             const char *name)
{
  GtkWidget *bar = ui_row_list_get_row_widget (UI_ROW_LIST (list), row);
  gboolean is_cut;
  g_autofree char *drawn = ui_bar_row_dup_name (UI_BAR_ROW (bar), &is_cut);

  g_assert_cmpstr (drawn, ==, name);
  g_assert_false (is_cut);
}

static void
make_unknown (EngTokens  *tokens,
              int         token,
              const char *typed)
{
  g_free (tokens->texts[token]);
  tokens->texts[token] = g_strdup ("[UNK]");
  tokens->typed[token] = g_strdup (typed);
}

/* The letter of its sentence tells a token; where that has the word twice, its index does, too. */
static void
test_twice (Fixture       *self,
            gconstpointer  unused)
{
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (self->trace, ENG_KIND_ENCODER);
  GtkWidget *inspector = GTK_WIDGET (self->inspector);

  ui_head_set_only (&self->document->heads, 1);
  show (self);
  assert_name (driver_find (inspector, UI_TYPE_READING_LIST, 1), 0, "w0A → w1A");
  g_free (tokens->texts[1]);
  tokens->texts[1] = g_strdup ("w0");
  show (self);
  assert_name (driver_find (inspector, UI_TYPE_READING_LIST, 1), 0,
               "w0 ₀A → w0 ₁A");
}

/* The note of an unknown word gives way where both have no room, and the typed words of a link stay
 * in their order. */
static void
test_unknown (Fixture       *self,
              gconstpointer  unused)
{
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (self->trace, ENG_KIND_ENCODER);

  make_unknown (tokens, 0, "و");
  make_unknown (tokens, 1, "المكتبة");
  ui_head_set_only (&self->document->heads, 1);
  show (self);
  assert_name (driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 1), 0,
               UI_BIDI_OPEN "?\u2009و" UI_BIDI_CLOSE "A → " UI_BIDI_OPEN "?\u2009المكتبة" UI_BIDI_CLOSE "A");
  ui_pins_click (&self->document->pins, FALSE, 0, FALSE);
  show (self);
  assert_name (driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 2), 0,
               UI_BIDI_OPEN "?\u2009المكتبة" UI_BIDI_CLOSE "A");
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  assert_name (driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 3), 0,
               UI_BIDI_OPEN "[UNK] و" UI_BIDI_CLOSE "A");
}

/* Token 1 reads itself by head 0 and token 2 by head 1; token 0 reads it by head 1. */
static void
test_rows (Fixture       *self,
           gconstpointer  unused)
{
  GtkWidget *reads, *is_read_by;
  GdkRectangle at;
  UiItem item;
  double x, y;

  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  reads = driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 2);
  is_read_by = driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 3);

  find_row (reads, reads, 1, &x, &y);
  driver_point_at (reads, x, y);
  assert_link (&self->aim, 1, 1, 2);
  driver_click_at (reads, 1, x, y);
  assert_link (&self->clicked, 1, 1, 2);
  g_assert_false (self->extend);
  driver_point_away (reads);
  gtk_window_set_focus (self->window, NULL);
  g_assert_cmpint (self->aim.type, ==, UI_ITEM_NONE);

  find_row (is_read_by, GTK_WIDGET (self->inspector), 0, &x, &y);
  g_assert_true (ui_inspector_find_row (self->inspector, x, y, &item, &at));
  assert_link (&item, 1, 0, 1);
  find_row (is_read_by, is_read_by, 0, &x, &y);
  driver_point_at (is_read_by, x, y);
  assert_link (&self->aim, 1, 0, 1);
  /* The keyboard is at another. */
  gtk_widget_grab_focus (reads);
  assert_link (&self->aim, 1, 0, 1);
  /* What is pinned is another token, what is pointed at the same row. */
  ui_pins_click (&self->document->pins, FALSE, 3, FALSE);
  show (self);
  g_assert_cmpint (self->aim.key, ==, 3);
  ui_inspector_set_scene (self->inspector, NULL);
  g_assert_cmpint (self->aim.type, ==, UI_ITEM_NONE);
}

/* A list is one Tab stop. */
static void
test_row_keys (Fixture       *self,
               gconstpointer  unused)
{
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  GtkWidget *reads, *is_read_by;
  GdkRectangle at;
  UiItem item;

  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  reads = driver_find (inspector, UI_TYPE_READING_LIST, 2);
  is_read_by = driver_find (inspector, UI_TYPE_READING_LIST, 3);
  gtk_window_set_focus (self->window, NULL);
  while (gtk_window_get_focus (self->window) != reads)
    g_assert_true (gtk_widget_child_focus (GTK_WIDGET (self->window), GTK_DIR_TAB_FORWARD));
  assert_link (&self->aim, 0, 1, 1);
  g_assert_true (driver_press_key (reads, "Down"));
  assert_link (&self->aim, 1, 1, 2);
  g_assert_true (ui_inspector_find_row (self->inspector, -1, -1, &item, &at));
  assert_link (&item, 1, 1, 2);
  g_assert_cmpint (at.height, >, 0);
  g_assert_true (driver_press_key (reads, "Return"));
  g_assert_cmpint (self->opened.type, ==, UI_ITEM_KEY);
  g_assert_cmpint (self->opened.key, ==, 2);
  g_assert_true (driver_press_key (reads, "<Shift>space"));
  assert_link (&self->clicked, 1, 1, 2);
  g_assert_true (self->extend);
  g_assert_true (driver_press_key (reads, "Home"));
  assert_link (&self->aim, 0, 1, 1);
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (self->window), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_window_get_focus (self->window) == is_read_by);
  assert_link (&self->aim, 1, 0, 1);
}

/* Nothing is chosen: the strongest links of the only head, of equals the one above first. */
static void
test_strongest (Fixture       *self,
                gconstpointer  unused)
{
  GtkWidget *strongest;
  double x, y;

  show (self);
  strongest = driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 1);
  g_assert_false (gtk_widget_get_mapped (strongest));

  ui_head_set_only (&self->document->heads, 1);
  show (self);
  g_assert_true (gtk_widget_get_mapped (strongest));
  find_row (strongest, strongest, 3, &x, &y);
  driver_point_at (strongest, x, y);
  assert_link (&self->aim, 1, 3, 4);
  driver_click_at (strongest, 1, x, y);
  assert_link (&self->clicked, 1, 3, 4);
  driver_point_away (strongest);
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  g_assert_false (gtk_widget_get_mapped (strongest));
}

/* Of several tokens together a row is no link of one. */
static void
test_rows_of_pins (Fixture       *self,
                   gconstpointer  unused)
{
  GtkWidget *reads;

  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  ui_pins_click (&self->document->pins, FALSE, 3, TRUE);
  show (self);
  reads = driver_find (GTK_WIDGET (self->inspector), UI_TYPE_READING_LIST, 2);
  gtk_widget_grab_focus (reads);
  g_assert_cmpint (self->aim.type, ==, UI_ITEM_KEY);
}

#define ADD(name, test) \
  g_test_add ("/ui/inspector-rows/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("unknown", test_unknown);
  ADD ("twice", test_twice);
  ADD ("rows", test_rows);
  ADD ("strongest", test_strongest);
  ADD ("keys", test_row_keys);
  ADD ("rows-of-pins", test_rows_of_pins);
  return g_test_run ();
}
