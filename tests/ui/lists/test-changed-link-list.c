/* SPDX-License-Identifier: MIT */
#include "ui/lists/changed-link-list.h"

#include <string.h>

#include "tests/support/scene-trace.h"
#include "tests/support/window/widget-driver.h"
#include "ui/lists/token-label.h"
#include "ui/scene/views/factory.h"

#define WIDTH 260 /* of the inspector's narrow column */

static const char *const words_a[] = {
  "cat", "internationalization", "institutionalization", NULL
};
static const char *const words_b[] = { "mat", NULL };

static UiScene *
create_scene (EngTrace *trace)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  UiScene *scene = ui_scene_new (trace, document, &options, &error);

  g_assert_no_error (error);
  return scene;
}

/* 0: the token that reads, 1: the one that is read. */
static UiTokenLabel *
get_token (UiRowList *list,
           int        row,
           int        i)
{
  return UI_TOKEN_LABEL (driver_find (ui_row_list_get_row_widget (list, row),
                                      UI_TYPE_TOKEN_LABEL, i));
}

static GtkWindow *
show_list (GtkWidget          **list,
           const char *const   *a,
           const char *const   *b,
           const UiLinkChange  *changes,
           guint                n_changes)
{
  g_autoptr (EngTrace) trace = scene_trace_new (a, b, 1);
  g_autoptr (UiScene) scene = create_scene (trace);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (UiLinkChange));
  GtkWindow *window;

  *list = ui_changed_link_list_new ();
  g_array_append_vals (links, changes, n_changes);
  ui_changed_link_list_set (UI_CHANGED_LINK_LIST (*list), links, scene, scene, UI_THEME_LIGHT);
  window = driver_show (*list, WIDTH, 200);
  driver_settle (*list);
  g_assert_cmpint (gtk_widget_get_width (*list), <=, WIDTH);
  return window;
}

static gboolean
has_tooltip (GtkWidget *row)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows = FALSE;

  g_signal_emit_by_name (row, "query-tooltip", 0, 0, FALSE, tooltip, &shows);
  return shows;
}

/* Both tokens of the first row are too long, one of the second is, none of the third. A row that
 * says all has no tooltip over the rows below it. */
static void
test_long_tokens (void)
{
  const UiLinkChange changes[] = {
    { .queries = { 2, 2 }, .keys = { 3, 3 }, .values = { 0.9, 0.1 } },
    { .queries = { 1, 1 }, .keys = { 3, 3 }, .values = { 0.1, 0.6 } },
    { .queries = { 1, 1 }, .keys = { 5, 5 }, .values = { 0.1, 0.6 } },
  };
  GtkWidget *list;
  GtkWindow *window = show_list (&list, words_a, words_b, changes, G_N_ELEMENTS (changes));

  for (int row = 0; row < 3; row++) {
    UiTokenLabel *query = get_token (UI_ROW_LIST (list), row, 0);
    UiTokenLabel *key = get_token (UI_ROW_LIST (list), row, 1);
    GtkWidget *widget = ui_row_list_get_row_widget (UI_ROW_LIST (list), row);

    g_assert_cmpint (ui_token_label_is_cut (query), ==, row == 0);
    g_assert_cmpint (ui_token_label_is_cut (key), ==, row < 2);
    g_assert_nonnull (driver_find_label (widget, " \u2192 "));
    g_assert_cmpint (has_tooltip (widget), ==, row < 2);
    /* Cut in its middle: the letter of the sentence is its end. */
    g_assert_true (g_str_has_suffix (ui_token_label_get_text (query), "A"));
    g_assert_true (g_str_has_suffix (ui_token_label_get_text (key), row < 2 ? "A" : "B"));
  }
  gtk_window_destroy (window);
}

/* A text alone has its tokens by number, which is not cut. */
static void
test_numbers (void)
{
  const UiLinkChange changes[] = {
    { .queries = { 12, 12 }, .keys = { 13, 13 }, .values = { 0.9, 0.1 } },
  };
  static const char *const words[] = {
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
    "internationalization", "institutionalization", NULL
  };
  GtkWidget *list;
  GtkWindow *window = show_list (&list, words, NULL, changes, 1);

  for (int i = 0; i < 2; i++) {
    const char *text = ui_token_label_get_text (get_token (UI_ROW_LIST (list), 0, i));

    g_assert_nonnull (strstr (text, "\u2026"));
    g_assert_true (g_str_has_suffix (text, i == 0 ? " ₁₂" : " ₁₃"));
  }
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/ui/changed-link-list/long-tokens", test_long_tokens);
  g_test_add_func ("/ui/changed-link-list/numbers", test_numbers);
  return g_test_run ();
}
