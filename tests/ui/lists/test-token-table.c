/* SPDX-License-Identifier: MIT */
#include "ui/lists/token-table.h"

#include <string.h>

#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "ui/scene/views/factory.h"

/* 3 + 2 tokens: w0 w1 [SEP] w3 [SEP]. In head h token i gives 0.6 to i + h mod 5, 0.1 to the
 * others. */
#define N_A 3
#define N_B 2
#define N (N_A + N_B)

typedef struct {
  GtkWindow    *window;
  UiTokenTable *table;
  EngTrace     *trace;
  UiDocument   *document;
  UiItem        item;
  int           n_clicked;
} Fixture;

static void
clicked_cb (Fixture *self,
            UiItem  *item,
            gboolean extend)
{
  self->item = *item;
  self->n_clicked++;
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->table = UI_TOKEN_TABLE (ui_token_table_new ());
  self->trace = made_trace_new (N_A, N_B, 2, 1);
  self->document = ui_document_new ();
  g_signal_connect_swapped (self->table, "clicked", G_CALLBACK (clicked_cb), self);
  self->window = driver_show (GTK_WIDGET (self->table), 800, 400);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->table);
  gtk_window_destroy (self->window);
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_finalize_object (self->table);
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
  ui_token_table_set_scene (self->table, scene);
  driver_settle (GTK_WIDGET (self->table));
}

static GtkWidget *
get_view (Fixture *self)
{
  return driver_find (GTK_WIDGET (self->table), GTK_TYPE_COLUMN_VIEW, 0);
}

static gboolean
is_cell (GtkWidget *label)
{
  /* With "Widget" behind it since GTK 4.12. */
  return g_str_has_prefix (G_OBJECT_TYPE_NAME (gtk_widget_get_parent (label)),
                           "GtkColumnViewCell");
}

/* Without the marks that keep a token's direction to itself. */
static void
append_visible (GString    *text,
                const char *cell)
{
  for (const char *c = cell; *c != '\0'; c = g_utf8_next_char (c))
    if (g_utf8_get_char (c) != 0x2068 && g_utf8_get_char (c) != 0x2069)
      g_string_append_unichar (text, g_utf8_get_char (c));
}

/* The texts of the cells in sight, as a person reads them: left to right, row after row. */
static char *
read_cells (Fixture *self)
{
  GString *text = g_string_new (NULL);
  GtkWidget *label;
  double last_y = -1;

  for (int i = 0; (label = driver_find (get_view (self), GTK_TYPE_LABEL, i)) != NULL; i++) {
    double x, y;

    if (!is_cell (label) || !gtk_widget_get_mapped (label))
      continue;
    gtk_widget_translate_coordinates (label, get_view (self), 0, 0, &x, &y);
    g_string_append (text, last_y < 0 ? "" : y == last_y ? " | " : "\n");
    append_visible (text, gtk_label_get_text (GTK_LABEL (label)));
    last_y = y;
  }
  return g_string_free (text, FALSE);
}

static void
assert_cells (Fixture    *self,
              const char *expected)
{
  g_autofree char *text = read_cells (self);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_strongest (Fixture       *self,
                gconstpointer  unused)
{
  show (self);
  assert_cells (self,
                "w0 ₀ | A | w0 ₀  0.35 | w0 ₀  0.60 | w1 ₁  0.60\n"
                "w1 ₁ | A | w1 ₁  0.35 | w1 ₁  0.60 | [SEP] ₂  0.60\n"
                "[SEP] ₂ | A | [SEP] ₂  0.35 | [SEP] ₂  0.60 | w3 ₃  0.60\n"
                "w3 ₃ | B | w3 ₃  0.35 | w3 ₃  0.60 | [SEP] ₄  0.60\n"
                "[SEP] ₄ | B | w0 ₀  0.35 | [SEP] ₄  0.60 | w0 ₀  0.60");
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->table),
                                       "The key that each token reads most"));
}

static void
test_masked (Fixture       *self,
             gconstpointer  unused)
{
  g_autoptr (EngTrace) causal = scene_trace_new_masked (SCENE_MASK_CAUSAL, 3, 1);

  eng_trace_unref (self->trace);
  self->trace = eng_trace_ref (causal);
  ui_pins_click (&self->document->pins, FALSE, 0, FALSE);
  show (self);
  assert_cells (self, "w0 ₀ | 1.00\nw1 ₁ | masked\nw2 ₂ | masked");
}

static void
test_pinned_query (Fixture       *self,
                   gconstpointer  unused)
{
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  assert_cells (self,
                "w0 ₀ | A | 0.10 | 0.10 | 0.10\n"
                "w1 ₁ | A | 0.35 | 0.60 | 0.10\n"
                "[SEP] ₂ | A | 0.35 | 0.10 | 0.60\n"
                "w3 ₃ | B | 0.10 | 0.10 | 0.10\n"
                "[SEP] ₄ | B | 0.10 | 0.10 | 0.10");
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->table), "What “w1” (1) reads"));
}

static void
test_pinned_key (Fixture       *self,
                 gconstpointer  unused)
{
  ui_pins_click (&self->document->pins, TRUE, 1, FALSE);
  ui_head_set_only (&self->document->heads, 1);
  show (self);
  assert_cells (self,
                "w0 ₀ | A | 0.60\n"
                "w1 ₁ | A | 0.10\n"
                "[SEP] ₂ | A | 0.10\n"
                "w3 ₃ | B | 0.10\n"
                "[SEP] ₄ | B | 0.10");
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->table), "Who reads “w1” (1)"));
}

#define WITHOUT "Without What if, which is not fed forward."

/* What is tried in the picture is none of the table's numbers, which it says; other views show nothing of
 * it. */
static void
test_what_if (Fixture       *self,
              gconstpointer  unused)
{
  self->document->view = UI_VIEW_STEPS;
  self->document->if_temperature = 2;
  ui_head_set_only (&self->document->heads, 1);
  ui_pins_click (&self->document->pins, FALSE, 0, FALSE);
  show (self);
  assert_cells (self,
                "w0 ₀ | A | 0.10\n"
                "w1 ₁ | A | 0.60\n"
                "[SEP] ₂ | A | 0.10\n"
                "w3 ₃ | B | 0.10\n"
                "[SEP] ₄ | B | 0.10");
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->table), "What “w0” (0) reads"));
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->table), WITHOUT));

  self->document->view = UI_VIEW_HEAD;
  show (self);
  g_assert_null (driver_find_label (GTK_WIDGET (self->table), WITHOUT));
  self->document->view = UI_VIEW_STEPS;
  self->document->if_temperature = 1;
  show (self);
  g_assert_null (driver_find_label (GTK_WIDGET (self->table), WITHOUT));
}

/* q·k = √5 ln w, score = ln w. */
static void
test_scores (Fixture       *self,
             gconstpointer  unused)
{
  self->document->view = UI_VIEW_NEURON;
  ui_head_set_only (&self->document->heads, 1);
  ui_pins_click (&self->document->pins, FALSE, 0, FALSE);
  show (self);
  assert_cells (self,
                "w0 ₀ | A | −5.149 | −2.303 | 0.10\n"
                "w1 ₁ | A | −1.142 | −0.511 | 0.60\n"
                "[SEP] ₂ | A | −5.149 | −2.303 | 0.10\n"
                "w3 ₃ | B | −5.149 | −2.303 | 0.10\n"
                "[SEP] ₄ | B | −5.149 | −2.303 | 0.10");
}

/* Another text: rows come and go, no sentence column without B. */
static void
test_other_text (Fixture       *self,
                 gconstpointer  unused)
{
  show (self);
  eng_trace_unref (self->trace);
  self->trace = made_trace_new (2, 0, 2, 1);
  show (self);
  assert_cells (self, "w0 ₀ | w0 ₀  0.50 | w0 ₀  0.60 | [SEP] ₁  0.60\n"
                      "[SEP] ₁ | w0 ₀  0.50 | [SEP] ₁  0.60 | w0 ₀  0.60");
  ui_token_table_set_scene (self->table, NULL);
  driver_settle (GTK_WIDGET (self->table));
  assert_cells (self, "");
}

static int
count_columns (Fixture *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (get_view (self)));
  int n_visible = 0;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    n_visible += gtk_column_view_column_get_visible (column);
  }
  return n_visible;
}

/* Of a table of many rows the columns that it shows anew come in parts as well. */
static void
test_many_columns (Fixture       *self,
                   gconstpointer  unused)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (UiScene) scene = NULL;

  eng_trace_unref (self->trace);
  self->trace = made_trace_new (60, 40, 12, 1);
  self->document->heads = (UiHeadSet) { 0 };
  ui_head_set_only (&self->document->heads, 3);
  show (self);
  g_assert_cmpint (count_columns (self), ==, 3);

  self->document->heads = (UiHeadSet) { .all = TRUE };
  scene = ui_scene_new (self->trace, self->document, &options, NULL);
  ui_token_table_set_scene (self->table, scene);
  g_assert_cmpint (count_columns (self), >, 3);
  g_assert_cmpint (count_columns (self), <, 3 + 12);
  /* Token, sentence, mean and twelve heads. */
  wait_until (count_columns (self) == 3 + 12);
}

/* Many rows come in parts, the first at once, and go in parts; another scene begins anew. */
static void
test_many_rows (Fixture       *self,
                gconstpointer  unused)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (UiScene) scene = NULL;
  GListModel *rows;

  eng_trace_unref (self->trace);
  self->trace = made_trace_new (60, 40, 2, 1);
  scene = ui_scene_new (self->trace, self->document, &options, NULL);
  rows = G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (get_view (self))));
  ui_token_table_set_scene (self->table, scene);
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, 0);
  g_assert_cmpuint (g_list_model_get_n_items (rows), <, 100);
  wait_until (g_list_model_get_n_items (rows) == 100);

  eng_trace_unref (self->trace);
  self->trace = made_trace_new (30, 10, 2, 1);
  show (self);
  wait_until (g_list_model_get_n_items (rows) == 40);
  ui_token_table_set_scene (self->table, NULL);
  /* Nobody can choose what is about to go. */
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, 0);
  g_signal_emit_by_name (get_view (self), "activate", 0);
  g_assert_cmpint (self->n_clicked, ==, 0);
  wait_until (g_list_model_get_n_items (rows) == 0);
}

static void
test_activate (Fixture       *self,
               gconstpointer  unused)
{
  show (self);
  g_signal_emit_by_name (get_view (self), "activate", 3);
  g_assert_cmpint (self->n_clicked, ==, 1);
  g_assert_cmpint (self->item.type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (self->item.query, ==, 3);

  ui_pins_click (&self->document->pins, FALSE, 3, FALSE);
  show (self);
  g_signal_emit_by_name (get_view (self), "activate", 1);
  g_assert_cmpint (self->item.type, ==, UI_ITEM_KEY);
  g_assert_cmpint (self->item.key, ==, 1);
}

/* The row that has the focus keeps it while the numbers change under it. */
static void
test_focus_stays (Fixture       *self,
                  gconstpointer  unused)
{
  GtkWidget *focus;

  show (self);
  gtk_widget_grab_focus (get_view (self));
  gtk_widget_child_focus (GTK_WIDGET (self->table), GTK_DIR_DOWN);
  focus = gtk_window_get_focus (self->window);
  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_is_ancestor (focus, get_view (self)));

  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  g_assert_true (gtk_window_get_focus (self->window) == focus);
}

#define ADD(path, test) g_test_add ("/token-table/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("strongest", test_strongest);
  ADD ("masked", test_masked);
  ADD ("pinned-query", test_pinned_query);
  ADD ("pinned-key", test_pinned_key);
  ADD ("what-if", test_what_if);
  ADD ("scores", test_scores);
  ADD ("other-text", test_other_text);
  ADD ("many-rows", test_many_rows);
  ADD ("many-columns", test_many_columns);
  ADD ("activate", test_activate);
  ADD ("focus-stays", test_focus_stays);
  return g_test_run ();
}
