/* SPDX-License-Identifier: MIT */
#include "ui/controls/head-chips.h"

#include <string.h>

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"
#include "ui/controls/head-chip.h"

typedef struct {
  GtkWindow   *window;
  UiHeadChips *chips;
  EngTrace    *trace;
  int          n_changed;
} Fixture;

static void
changed_cb (Fixture *self)
{
  self->n_changed++;
}

static void
show_trace (Fixture *self,
            int      n_a,
            int      n_b,
            int      n_heads)
{
  g_autoptr (EngAttention) attention = NULL;
  const EngTokens *tokens;

  g_clear_pointer (&self->trace, eng_trace_unref);
  self->trace = made_trace_new (n_a, n_b, n_heads, 1);
  attention = eng_trace_dup_attention (self->trace, ENG_KIND_ENCODER, 0);
  tokens = eng_trace_get_query_tokens (self->trace, ENG_KIND_ENCODER);
  ui_head_chips_set_attention (self->chips, attention, tokens, tokens);
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->chips = UI_HEAD_CHIPS (ui_head_chips_new ());
  g_signal_connect_swapped (self->chips, "changed", G_CALLBACK (changed_cb), self);
  show_trace (self, 5, 5, 4);
  self->window = driver_show (GTK_WIDGET (self->chips), 600, 100);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->chips);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->chips);
  eng_trace_unref (self->trace);
}

static GtkWidget *
get_chip (Fixture *self,
          int      head)
{
  return driver_find (GTK_WIDGET (self->chips), UI_TYPE_HEAD_CHIP, head);
}

/* "1101": which heads are on; the set and the accessible states of the chips must say the same. */
static void
assert_heads (Fixture    *self,
              const char *expected)
{
  for (int head = 0; expected[head] != '\0'; head++) {
    const gboolean on = expected[head] == '1';
    const GtkAccessibleTristate pressed =
      on ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE;

    g_assert_cmpint (ui_head_set_has (ui_head_chips_get_heads (self->chips), head), ==, on);
    gtk_test_accessible_assert_state (get_chip (self, head), GTK_ACCESSIBLE_STATE_PRESSED,
                                      pressed);
  }
}

static void
click (Fixture *self,
       int      head,
       int      n_press)
{
  driver_click_at (get_chip (self, head), n_press, 10, 10);
}

static void
double_click (Fixture *self,
              int      head)
{
  click (self, head, 1);
  click (self, head, 2);
}

static void
test_click (Fixture       *self,
            gconstpointer  unused)
{
  assert_heads (self, "1111");
  click (self, 2, 1);
  assert_heads (self, "1101");
  click (self, 0, 1);
  click (self, 1, 1);
  assert_heads (self, "0001");
  g_assert_cmpint (self->n_changed, ==, 3);

  /* The last one stays on. */
  click (self, 3, 1);
  assert_heads (self, "0001");
  click (self, 1, 1);
  assert_heads (self, "0101");
}

static void
assert_tooltip_says (Fixture    *self,
                     int         head,
                     const char *words)
{
  GtkWidget *chip = get_chip (self, head);
  g_autofree char *tooltip = ui_head_chip_describe (UI_HEAD_CHIP (chip));

  g_assert_true (gtk_widget_get_has_tooltip (chip));
  g_assert_nonnull (strstr (tooltip, words));
}

static void
test_double_click (Fixture       *self,
                   gconstpointer  unused)
{
  assert_tooltip_says (self, 1, "Click turns it off, double click shows it alone");
  double_click (self, 1);
  assert_heads (self, "0100");
  assert_tooltip_says (self, 0, "Click turns it on, double click shows it alone");
  assert_tooltip_says (self, 1, "stays on, double click brings all heads back");
  double_click (self, 1);
  assert_heads (self, "1111");
  assert_tooltip_says (self, 1, "Click turns it off, double click shows it alone");

  /* Of a head that is off. */
  click (self, 2, 1);
  double_click (self, 2);
  assert_heads (self, "0010");
  double_click (self, 3);
  assert_heads (self, "0001");
}

static void
test_keyboard (Fixture       *self,
               gconstpointer  unused)
{
  gtk_widget_grab_focus (get_chip (self, 0));
  g_assert_true (driver_press_key (get_chip (self, 0), "space"));
  assert_heads (self, "0111");

  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (self->chips), GTK_DIR_RIGHT));
  g_assert_true (gtk_window_get_focus (self->window) == get_chip (self, 1));
  g_assert_true (driver_press_key (get_chip (self, 1), "Return"));
  assert_heads (self, "0100");
  g_assert_true (driver_press_key (get_chip (self, 1), "Return"));
  assert_heads (self, "1111");

  /* The strip is one stop of Tab. */
  g_assert_false (gtk_widget_child_focus (GTK_WIDGET (self->chips), GTK_DIR_TAB_FORWARD));
}

/* Mean over rows of the weight on the other sentence; 5 + 5 tokens, the strong key of token i is
 * i + h. */
static double
expected_share (int head)
{
  double share = 0;

  for (int query = 0; query < 10; query++)
    for (int key = 0; key < 10; key++)
      if ((query < 5) != (key < 5))
        share += made_trace_weight (10, 0, head, query, key) / 10;
  return share;
}

static void
test_names (Fixture       *self,
            gconstpointer  unused)
{
  for (int head = 0; head < 4; head++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *label = NULL;

    g_ascii_formatd (number, sizeof number, "%.2f", expected_share (head));
    label = g_strdup_printf ("Head %d, on, pair share %s", head, number);
    gtk_test_accessible_assert_role (get_chip (self, head), GTK_ACCESSIBLE_ROLE_BUTTON);
    gtk_test_accessible_assert_property (get_chip (self, head), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                         label);
    assert_tooltip_says (self, head, number);
  }

  click (self, 1, 1);
  show_trace (self, 6, 0, 4);
  gtk_test_accessible_assert_property (get_chip (self, 1), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Head 1, off");
}

static void
test_number_of_heads (Fixture       *self,
                      gconstpointer  unused)
{
  show_trace (self, 5, 0, 20);
  g_assert_nonnull (get_chip (self, 19));
  show_trace (self, 5, 0, 2);
  g_assert_null (get_chip (self, 2));
  ui_head_chips_set_attention (self->chips, NULL, NULL, NULL);
  g_assert_null (get_chip (self, 0));
}

static void
test_set_heads (Fixture       *self,
                gconstpointer  unused)
{
  UiHeadSet heads = { 0 };

  ui_head_set_add (&heads, 0);
  ui_head_set_add (&heads, 3);
  ui_head_chips_set_heads (self->chips, &heads);
  assert_heads (self, "1001");
  g_assert_cmpint (self->n_changed, ==, 0);
}

static void
test_wrapping (Fixture       *self,
               gconstpointer  unused)
{
  GtkWidget *widget = GTK_WIDGET (self->chips);
  int one_row, two_rows, four_rows, width;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &one_row, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width / 2, &two_rows, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width / 4, &four_rows, NULL, NULL, NULL);
  g_assert_cmpint (two_rows, >=, 2 * one_row);
  g_assert_cmpint (four_rows, >=, 2 * two_rows);
}

/* Whether a pixel of the chip's upper left part has more of one channel than of another. */
static gboolean
is_colored (GtkWidget *chip)
{
  g_autoptr (GdkTexture) texture = driver_take_picture (chip);
  const int width = gdk_texture_get_width (texture);
  const int height = gdk_texture_get_height (texture);
  g_autofree guint8 *pixels = g_malloc ((gsize) width * height * 4);

  gdk_texture_download (texture, pixels, (gsize) width * 4);
  for (int i = 0; i < width * MIN (height, width); i++)
    if (ABS (pixels[4 * i] - pixels[4 * i + 1]) > 12 ||
        ABS (pixels[4 * i + 1] - pixels[4 * i + 2]) > 12)
      return TRUE;
  return FALSE;
}

/* A head that is off is grey in both themes, one that is on shows its colour. */
static void
test_colors (Fixture       *self,
             gconstpointer  unused)
{
  UiHeadSet heads = { 0 };

  ui_head_set_add (&heads, 1);
  ui_head_chips_set_heads (self->chips, &heads);
  for (UiTheme theme = UI_THEME_LIGHT; theme <= UI_THEME_DARK; theme++) {
    ui_head_chips_set_theme (self->chips, theme);
    driver_settle (GTK_WIDGET (self->chips));
    g_assert_true (is_colored (get_chip (self, 1)));
    g_assert_false (is_colored (get_chip (self, 2)));
  }
}

#define ADD(path, test) g_test_add ("/head-chips/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("click", test_click);
  ADD ("double-click", test_double_click);
  ADD ("keyboard", test_keyboard);
  ADD ("names", test_names);
  ADD ("number-of-heads", test_number_of_heads);
  ADD ("set-heads", test_set_heads);
  ADD ("wrapping", test_wrapping);
  ADD ("colors", test_colors);
  return g_test_run ();
}
