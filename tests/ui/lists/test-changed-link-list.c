/* SPDX-License-Identifier: MIT */
#include "ui/lists/changed-link-list.h"

#include <string.h>

#include "tests/support/scene-trace.h"
#include "tests/support/window/widget-driver.h"
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

static GtkWidget *
get_name (UiRowList *list,
          int        row,
          int        part)
{
  return driver_find (gtk_widget_get_first_child (ui_row_list_get_row_widget (list, row)),
                      GTK_TYPE_LABEL, part);
}

static gboolean
is_cut (GtkWidget *label)
{
  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

/* Both tokens of the first row are too long, one of the second is. */
static void
test_long_tokens (void)
{
  const UiLinkChange changes[] = {
    { .queries = { 2, 2 }, .keys = { 3, 3 }, .values = { 0.9, 0.1 } },
    { .queries = { 1, 1 }, .keys = { 3, 3 }, .values = { 0.1, 0.6 } },
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 1);
  g_autoptr (UiScene) scene = create_scene (trace);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (UiLinkChange));
  GtkWidget *list = ui_changed_link_list_new ();
  GtkWindow *window;

  g_array_append_vals (links, changes, G_N_ELEMENTS (changes));
  ui_changed_link_list_set (UI_CHANGED_LINK_LIST (list), links, scene, scene, UI_THEME_LIGHT);
  window = driver_show (list, WIDTH, 200);
  driver_settle (list);
  g_assert_cmpint (gtk_widget_get_width (list), <=, WIDTH);
  for (int row = 0; row < 2; row++) {
    GtkWidget *query = get_name (UI_ROW_LIST (list), row, 0);
    GtkWidget *arrow = get_name (UI_ROW_LIST (list), row, 1);
    GtkWidget *key = get_name (UI_ROW_LIST (list), row, 2);

    g_assert_cmpint (is_cut (query), ==, row == 0);
    g_assert_true (is_cut (key));
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (arrow)), ==, " \u2192 ");
    g_assert_false (is_cut (arrow));
    /* Cut in its middle: the letter of the sentence is its end. */
    g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (key)), ==, PANGO_ELLIPSIZE_MIDDLE);
    g_assert_true (g_str_has_suffix (gtk_label_get_text (GTK_LABEL (key)), "A"));
  }
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (
                              ui_row_list_get_row_widget (UI_ROW_LIST (list), 0)),
                            "internationalization"));
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/ui/changed-link-list/long-tokens", test_long_tokens);
  return g_test_run ();
}
