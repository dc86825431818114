/* SPDX-License-Identifier: MIT */
/* The menu of examples, and those that open a model that comes with the program. */
#include "app/parts/texts/examples.h"

#include <unistd.h>

#include "tests/support/temporary.h"
#include "tests/support/window/real-input.h"
#include "tests/support/window/window-test.h"

#define LABELS_OPTION "--labels" /* prints the menu and ends */

/* Labels as they stand: headings end with ":", rows of a submenu begin with ">". */
static void
list_labels (GMenuModel *menu,
             const char *prefix,
             GString    *text)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
    g_autofree char *label = NULL;

    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
      g_string_append_printf (text, "%s%s%s\n", prefix, label,
                              section != NULL || below != NULL ? ":" : "");
    if (section != NULL)
      list_labels (section, "", text);
    if (below != NULL)
      list_labels (below, ">", text);
  }
}

static char *
dup_labels (const EngModel *open)
{
  g_autoptr (GMenuModel) menu = app_examples_new_menu (open);
  GString *text = g_string_new (NULL);

  list_labels (menu, "", text);
  return g_string_free (text, FALSE);
}

static void
assert_order (const char        *labels,
              const char *const *parts)
{
  for (const char *at = labels; *parts; parts++) {
    at = strstr (at, *parts);
    if (at == NULL)
      g_error ("“%s” is not there, or too early, in\n%s", *parts, labels);
  }
}

static int
find_example (const char *text_a)
{
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);

  for (int i = 0; i < n_examples; i++)
    if (g_str_equal (examples[i].text_a, text_a))
      return i;
  g_assert_not_reached ();
}

static void
choose (AppWindow  *window,
        const char *text_a)
{
  g_autofree char *action = g_strdup_printf ("win.example(%d)", find_example (text_a));

  activate (window, action);
  wait_until (is_idle (window) && !window_get_written (window)->is_running);
}

static void
assert_model (AppWindow  *window,
              const char *name)
{
  g_assert_cmpstr (eng_model_get_info (window_get_model (window))->name, ==, name);
}

/* Each row once, whatever model is open; headings say what opens, those of the open model first. */
static void
test_menu (AppWindow *window)
{
  g_autofree char *encoder = dup_labels (window_get_model (window));
  g_autofree char *causal = NULL, *translator = NULL;
  int n_examples;

  app_examples_get (&n_examples);
  g_assert_cmpint (n_examples, ==, 16);
  assert_order (encoder, (const char *const[]) {
    "The bird sang on the roof / The dog slept on the grass\n",
    "\nBert is a yellow muppet character\nContinued by headlight-causal:\n>I don't know what you\n",
    "Translated by headlight-en-fr:\n>The cat is asleep.\n>She reads", NULL });
  choose (window, "Would you like a cup of");
  causal = dup_labels (window_get_model (window));
  assert_order (causal, (const char *const[]) {
    "Continued by the open model:\nI don't know what you\n", "Read by the open model:\n",
    "Translated by headlight-en-fr:\n>The cat is asleep.\n", NULL });
  choose (window, "The cat is asleep.");
  translator = dup_labels (window_get_model (window));
  assert_order (translator, (const char *const[]) {
    "Translated by headlight-en-fr:\nThe cat is asleep.\n", "Read by the open model:\n",
    "Continued by headlight-causal:\n>I don't know what you\n", NULL });
  g_assert_true (g_str_has_prefix (encoder, "The bird"));
  g_assert_true (g_str_has_prefix (causal, "Continued"));
  g_assert_true (g_str_has_prefix (translator, "Translated"));
}

/* The menu button makes it anew. */
static void
test_button (AppWindow *window)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "examples_button"));
  static const char *const texts[] = { "The bird sang on the roof", "I don't know what you" };

  for (int i = 0; i < 2; i++) {
    GMenuModel *menu;
    g_autofree char *label = NULL;

    choose (window, texts[i]);
    gtk_menu_button_popup (button);
    menu = gtk_menu_button_get_menu_model (button);
    g_menu_model_get_item_attribute (menu, 0, G_MENU_ATTRIBUTE_LABEL, "s", &label);
    g_assert_cmpstr (label, ==, i == 0 ? NULL : "Continued by the open model");
    gtk_menu_button_popdown (button);
  }
}

/* Whether somewhere in a row of pixels stands the colour that nothing but a ring has there: blue. */
static gboolean
has_ring (GdkTexture *picture,
          int         y)
{
  const int width = gdk_texture_get_width (picture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * gdk_texture_get_height (picture));
  int n_blue = 0;

  gdk_texture_download (picture, (guchar *) pixels, (gsize) width * sizeof *pixels);
  for (int x = 0; x < width; x++) {
    const guint32 pixel = pixels[y * width + x];

    n_blue += (pixel & 0xff) > (pixel >> 16 & 0xff) + 60;
  }
  return n_blue > width / 2;
}

/* Along its upper edge, within so many pixels. */
static gboolean
is_ringed (GtkWidget *widget,
           int        within)
{
  g_autoptr (GdkTexture) picture = driver_take_picture (widget);

  for (int y = 0; y < within; y++)
    if (has_ring (picture, y))
      return TRUE;
  return FALSE;
}

/* Where the window has room for all of it the menu does not scroll. By its keys the first row is
 * ringed, and nothing around the rows is. */
static void
test_room (AppWindow *window)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "examples_button"));
  GtkWidget *popover, *scroller, *row;
  GtkAdjustment *place;

  if (!has_real_input ())
    return;
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  choose (window, "The cat is asleep.");
  press_key ("alt+e");
  wait_until (gtk_menu_button_get_popover (button) != NULL
              && gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (button))));
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  driver_settle (popover);
  scroller = driver_find (popover, GTK_TYPE_SCROLLED_WINDOW, 0);
  place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  g_assert_cmpfloat (gtk_adjustment_get_upper (place), >, 500);
  g_assert_cmpfloat (gtk_adjustment_get_page_size (place), >=, gtk_adjustment_get_upper (place));
  row = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_nonnull (driver_find_label (row, "The cat is asleep."));
  wait_until (is_ringed (row, 6));
  g_assert_false (is_ringed (scroller, 6));
  gtk_menu_button_popdown (button);
}

static void
test_translated (AppWindow *window)
{
  g_autoptr (UiDocument) before = ui_document_copy (app_window_get_document (window));

  choose (window, "The cat is asleep.");
  assert_model (window, "headlight-en-fr");
  g_assert_false (window_reveals (window, "notice_revealer"));
  g_assert_cmpint (app_window_get_shown (window)->kind, ==, ENG_KIND_CROSS);
  g_assert_cmpstr (window_get_text (window, "entry_a"), ==, "The cat is asleep.");
  g_assert_cmpstr (window_get_text (window, "entry_b"), ==, "");
  /* B is the model's own. */
  g_assert_nonnull (strstr (window_get_written (window)->text, "chat"));

  activate (window, "win.undo");
  assert_model (window, "headlight-mini");
  g_assert_true (ui_document_equal (app_window_get_document (window), before));

  /* A translation that stands there is read. */
  choose (window, "She reads a book every evening.");
  assert_model (window, "headlight-en-fr");
  g_assert_cmpstr (eng_trace_get_text_b (app_window_get_trace (window)), ==,
                   "Elle lit un livre tous les soirs.");
  g_assert_cmpint (app_window_get_shown (window)->kind, ==, ENG_KIND_CROSS);

  /* From cross-attention into a model that has none. */
  choose (window, "I don't know what you");
  assert_model (window, "headlight-causal");
  g_assert_cmpint (app_window_get_shown (window)->kind, ==, ENG_KIND_DECODER);
  g_assert_false (window_reveals (window, "notice_revealer"));
}

static void
test_continued (AppWindow *window)
{
  g_autoptr (UiDocument) before = ui_document_copy (app_window_get_document (window));

  choose (window, "I don't know what you");
  assert_model (window, "headlight-causal");
  g_assert_cmpint (window_get_written (window)->n_tokens, >, 0);
  g_assert_true (window_get_written (window)->is_done);
  g_assert_cmpstr (window_get_text (window, "entry_a"), ==, "I don't know what you");

  activate (window, "win.undo");
  assert_model (window, "headlight-mini");
  g_assert_true (ui_document_equal (app_window_get_document (window), before));
  activate (window, "win.redo");
  wait_until (is_idle (window) && !window_get_written (window)->is_running);
  assert_model (window, "headlight-causal");
  g_assert_cmpint (window_get_written (window)->n_tokens, >, 0);
}

/* Another causal model goes on with it, and no model is opened. */
static void
test_stays (AppWindow *window)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *copy = g_build_filename (folder, "own-causal", NULL);
  g_autofree char *causal = NULL;

  choose (window, "I don't know what you");
  causal = g_strdup (eng_model_get_info (window_get_model (window))->folder);
  g_assert_cmpint (symlink (causal, copy), ==, 0);
  window_open_model (window, copy);
  wait_until (is_idle (window) && !window_get_written (window)->is_running);
  assert_model (window, "own-causal");
  choose (window, "Would you like a cup of");
  assert_model (window, "own-causal");
  g_assert_cmpint (window_get_written (window)->n_tokens, >, 0);
  temporary_free (g_steal_pointer (&folder));
}

/* Moved to where no model lies beside it, the program lists what any model reads alone. */
static void
test_not_installed (void)
{
  char *folder = temporary_new ();
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *moved = g_build_filename (folder, "moved", NULL);
  g_autoptr (GFile) from = g_file_new_for_path (program);
  g_autoptr (GFile) to = g_file_new_for_path (moved);
  char *arguments[] = { moved, (char *) LABELS_OPTION, NULL };
  g_autofree char *labels = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_spawn_sync (folder, arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, &labels, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_nonnull (strstr (labels, "Bert is a yellow muppet character\n"));
  g_assert_null (strstr (labels, "headlight-"));
  g_assert_null (strstr (labels, "The cat is asleep."));
  g_assert_null (strstr (labels, "I don't know what you"));
  temporary_free (folder);
}

int
main (int   argc,
      char *argv[])
{
  if (argc == 2 && g_str_equal (argv[1], LABELS_OPTION)) {
    g_autofree char *labels = dup_labels (NULL);

    fputs (labels, stdout);
    return 0;
  }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/examples/not-installed", test_not_installed);
  g_test_add_data_func ("/window/examples/menu", test_menu, run_test);
  g_test_add_data_func ("/window/examples/button", test_button, run_test);
  g_test_add_data_func ("/window/examples/room", test_room, run_test);
  g_test_add_data_func ("/window/examples/translated", test_translated, run_test);
  g_test_add_data_func ("/window/examples/continued", test_continued, run_test);
  g_test_add_data_func ("/window/examples/stays", test_stays, run_test);

  return g_test_run ();
}
