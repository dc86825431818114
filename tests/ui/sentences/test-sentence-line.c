/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-line.h"

#include "tests/support/window/widget-driver.h"

#define SHORT "<b>Head 11</b> &amp; more"
#define LONG "A sentence that is too long for the one line that it has, <b>which ends in these words.</b>"
#define BRIEF "<b>which ends in these words.</b>"

static GtkWidget *
show (GtkWidget **line,
      int         width)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  *line = ui_sentence_line_new ();
  gtk_box_append (GTK_BOX (box), *line);
  ui_sentence_line_set (UI_SENTENCE_LINE (*line), SHORT, NULL);
  return GTK_WIDGET (driver_show (box, width, 60));
}

static void
test_name (void)
{
  GtkWidget *line;
  GtkWidget *window = show (&line, 300);

  gtk_test_accessible_assert_role (line, GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_test_accessible_assert_property (line, GTK_ACCESSIBLE_PROPERTY_LABEL, "Head 11 & more");
  g_assert_cmpstr (ui_sentence_line_get_text (UI_SENTENCE_LINE (line)), ==, "Head 11 & more");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
count_cb (int *n)
{
  ++*n;
}

/* Whatever it says, it asks for no layout, and stays as high as it is. */
static void
test_no_layout (void)
{
  static const char *const sentences[] = { LONG, SHORT };
  GtkWidget *line;
  GtkWidget *window = show (&line, 200);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  const int height = gtk_widget_get_height (line);
  int n_layouts = 1;

  driver_settle (line);
  g_signal_connect_swapped (clock, "layout", G_CALLBACK (count_cb), &n_layouts);
  for (int i = 0; i < 10 && n_layouts > 0; i++) {
    n_layouts = 0;
    ui_sentence_line_set (UI_SENTENCE_LINE (line), sentences[i % 2], NULL);
    ui_sentence_line_set_dots (UI_SENTENCE_LINE (line), &(UiColor) { 1, 2, 3, 255 }, i % 2);
    driver_settle (line);
  }
  g_assert_cmpint (n_layouts, ==, 0);
  g_assert_cmpint (gtk_widget_get_height (line), ==, height);
  g_signal_handlers_disconnect_by_func (clock, count_cb, &n_layouts);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* As wide as its sentence, so that what follows stands behind it; narrower where there is less. */
static void
test_hugs (void)
{
  GtkWidget *line;
  GtkWidget *window = show (&line, 700);
  int narrow, wide;

  ui_sentence_line_set_hugs (UI_SENTENCE_LINE (line), TRUE);
  driver_settle (line);
  narrow = gtk_widget_get_width (line);
  ui_sentence_line_set (UI_SENTENCE_LINE (line), LONG, BRIEF);
  driver_settle (line);
  wide = gtk_widget_get_width (line);
  g_assert_cmpint (narrow, >, 60);
  g_assert_cmpint (wide, >, 2 * narrow);
  gtk_window_destroy (GTK_WINDOW (window));

  window = show (&line, 260);
  ui_sentence_line_set_hugs (UI_SENTENCE_LINE (line), TRUE);
  ui_sentence_line_set (UI_SENTENCE_LINE (line), LONG, BRIEF);
  driver_settle (line);
  g_assert_cmpint (gtk_widget_get_width (line), <, wide);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
has_tooltip (GtkWidget *line)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows = FALSE;

  g_signal_emit_by_name (line, "query-tooltip", 0, 0, FALSE, tooltip, &shows);
  return shows;
}

/* What a line cuts is in its tooltip; what stands beside it gives way before. */
static void
test_cut (void)
{
  GtkWidget *line;
  GtkWidget *window = show (&line, 460);
  GtkWidget *beside = gtk_label_new ("beside");

  gtk_widget_set_hexpand (line, TRUE);
  driver_settle (line);
  g_assert_false (has_tooltip (line));
  ui_sentence_line_set (UI_SENTENCE_LINE (line), LONG LONG, NULL);
  driver_settle (line);
  g_assert_true (has_tooltip (line));

  gtk_label_set_ellipsize (GTK_LABEL (beside), PANGO_ELLIPSIZE_END);
  gtk_label_set_text (GTK_LABEL (beside), LONG LONG);
  gtk_box_append (GTK_BOX (gtk_widget_get_parent (line)), beside);
  driver_settle (line);
  g_assert_cmpint (gtk_widget_get_width (line), >=, 280);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A line that hugs, in a window of a width. (transfer full) */
static GdkTexture *
draw_narrow (const char *markup,
             const char *brief,
             gboolean   *is_cut)
{
  GtkWidget *line;
  GtkWidget *window = show (&line, 200);
  GdkTexture *picture;

  gtk_widget_set_hexpand (line, TRUE);
  ui_sentence_line_set_hugs (UI_SENTENCE_LINE (line), TRUE);
  ui_sentence_line_set (UI_SENTENCE_LINE (line), markup, brief);
  driver_settle (line);
  *is_cut = has_tooltip (line);
  picture = driver_take_picture (line);
  gtk_window_destroy (GTK_WINDOW (window));
  return picture;
}

static GBytes *
get_pixels (GdkTexture *texture)
{
  const gsize stride = (gsize) gdk_texture_get_width (texture) * 4;
  const gsize size = stride * (gsize) gdk_texture_get_height (texture);
  guchar *pixels = g_malloc (size);

  gdk_texture_download (texture, pixels, stride);
  return g_bytes_new_take (pixels, size);
}

/* Its first words in bold are whole, with no torn ones behind them, and the rest is in the tooltip. */
static void
test_core (void)
{
  gboolean is_core_cut, is_brief_cut;
  g_autoptr (GdkTexture) core = draw_narrow ("<b>Dark is much.</b>", NULL, &is_core_cut);
  g_autoptr (GdkTexture) brief =
    draw_narrow (LONG, "<b>Dark is much.</b> Dashed: the heads that were edited.", &is_brief_cut);
  g_autoptr (GBytes) expected = get_pixels (core);
  g_autoptr (GBytes) pixels = get_pixels (brief);

  g_assert_false (is_core_cut);
  g_assert_true (is_brief_cut);
  g_assert_true (g_bytes_equal (pixels, expected));
}

/* With large text what stands beside it gives way for as many words. */
static void
test_large_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi, minimum, large;
  GtkWidget *line;
  GtkWidget *window = show (&line, 700);

  gtk_widget_measure (line, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * PANGO_SCALE, NULL);
  driver_settle (line);
  gtk_widget_measure (line, GTK_ORIENTATION_HORIZONTAL, -1, &large, NULL, NULL, NULL);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  g_assert_cmpint (large, >, minimum * 3 / 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Two lines before anything is cut, however wide the line is, wherever it is high enough. */
static void
test_two_lines (void)
{
  GtkWidget *line;
  GtkWidget *window = show (&line, 460);

  gtk_widget_set_hexpand (line, TRUE);
  gtk_widget_set_size_request (line, -1, 42);
  driver_settle (line);
  ui_sentence_line_set (UI_SENTENCE_LINE (line), LONG, NULL);
  driver_settle (line);
  g_assert_false (has_tooltip (line));
  g_assert_false (gtk_widget_get_focusable (line));

  gtk_widget_set_size_request (line, -1, -1);
  gtk_widget_set_valign (line, GTK_ALIGN_CENTER);
  driver_settle (line);
  g_assert_true (has_tooltip (line));
  gtk_widget_set_size_request (line, -1, 42);
  driver_settle (line);
  g_assert_false (has_tooltip (line));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_open (GtkWidget *line)
{
  GtkWidget *popover = gtk_widget_get_first_child (line);

  return popover != NULL && gtk_widget_get_visible (popover)
         && driver_find_label (popover, "which ends in these words.") != NULL;
}

/* What is cut is opened with the mouse, and, as a stop of Tab, with the keys. */
static void
test_opens (void)
{
  GtkWidget *line;
  GtkWidget *window = show (&line, 300);

  gtk_widget_set_hexpand (line, TRUE);
  driver_settle (line);
  g_assert_false (gtk_widget_get_focusable (line));
  driver_click_at (line, 1, 20, 5);
  g_assert_false (is_open (line));

  ui_sentence_line_set (UI_SENTENCE_LINE (line), LONG LONG, NULL);
  driver_settle (line);
  g_assert_true (gtk_widget_get_focusable (line));
  driver_click_at (line, 1, 20, 5);
  g_assert_true (is_open (line));
  g_assert_false (has_tooltip (line));
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_first_child (line)));
  driver_settle (line);
  g_assert_false (is_open (line));
  g_assert_true (gtk_widget_grab_focus (line));
  g_assert_true (driver_press_key (line, "Return"));
  g_assert_true (is_open (line));

  ui_sentence_line_set (UI_SENTENCE_LINE (line), SHORT, NULL);
  driver_settle (line);
  g_assert_false (gtk_widget_get_focusable (line));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/sentence-line/name", test_name);
  g_test_add_func ("/sentence-line/no-layout", test_no_layout);
  g_test_add_func ("/sentence-line/hugs", test_hugs);
  g_test_add_func ("/sentence-line/cut", test_cut);
  g_test_add_func ("/sentence-line/core", test_core);
  g_test_add_func ("/sentence-line/large-text", test_large_text);
  g_test_add_func ("/sentence-line/two-lines", test_two_lines);
  g_test_add_func ("/sentence-line/opens", test_opens);
  return g_test_run ();
}
