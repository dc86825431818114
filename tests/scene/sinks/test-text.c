/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/text.h"

#include <math.h>
#include <string.h>

#include "engine/tokenizer/base/byte-text.h"
#include "ui/scene/sinks/shorten.h"

typedef struct {
  const char *text;
  const char *visible;
} Case;

static const Case cases[] = {
  { "cat", "cat" },
  { " cat", "cat" },
  { "  cat", "␣cat" },
  { " ", "␣" },
  { "   ", "␣␣␣" },
  { "", "" },
  { "\n", "⏎" },
  { "a\r\nb", "a⏎⏎b" },
  { "a\tb", "a⇥b" },
  { "a ", "a␣" },
  { "a      ", "a ␣×6" },
  { " a b  ", "a b␣␣" },
  { "    ", "␣␣␣␣" },
  { "            ", "␣×12" },
  { "       x", "␣×6 x" },
  { "\u200b", "<U+200B>" },                 /* zero width space */
  { "a\u202eb", "a<U+202E>b" },             /* right-to-left override */
  { "\u2066", "<U+2066>" },                 /* isolate */
  { "\ufeff", "<U+FEFF>" },
  { "a\u00ad", "a<U+00AD>" },                   /* soft hyphen */
  { "\u00a0", "<U+00A0>" },
  { "\u3000", "<U+3000>" },
  { "\u2028", "⏎" },                        /* line separator */
  { "\u3164", "<U+3164>" },                 /* Hangul filler */
  { "\U000e0067", "<U+E0067>" },            /* a tag on its own */
  { "\u0301", "\u25cc\u0301" },         /* lone acute */
  { "e\u0301", "e\u0301" },
  { "👩\u200d💻", "👩\u200d💻" },     /* joined emoji stays one */
  { "\u200d💻", "<U+200D>💻" },
  { "👩\u200d", "👩<U+200D>" },
  { "می\u200cخواهم", "می\u200cخواهم" }, /* the non-joiner is spelling */
  { "🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e007f" }, /* flag made of tags */
  { "\u0600", "\u0600" },                     /* Arabic number sign: a format with a shape */
  { "العالم", "العالم" },
  { "北京", "北京" },
  { "<0xF0>", "<0xF0>" },
  { "a" ENG_ZERO_BYTE, "a<U+0000>" },
  { "##ing", "##ing" },
};

static void
test_make_visible (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *visible = ui_text_make_visible (cases[i].text);

    g_assert_cmpstr (visible, ==, cases[i].visible);
  }
}

/* Whatever comes in, what is drawn is text of one line without controls. */
static void
test_make_visible_any (void)
{
  for (gunichar c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 37) {
    char text[8] = { 0 };
    g_autofree char *visible = NULL;

    if (c >= 0xd800 && c < 0xe000)
      continue;
    g_unichar_to_utf8 (c, text);
    visible = ui_text_make_visible (text);
    g_assert_true (g_utf8_validate (visible, -1, NULL));
    for (const char *p = visible; *p != '\0'; p = g_utf8_next_char (p))
      g_assert_false (g_unichar_iscntrl (g_utf8_get_char (p)));
  }
  {
    g_autofree char *broken = ui_text_make_visible ("a\xff" "b");

    g_assert_true (g_utf8_validate (broken, -1, NULL));
  }
}

/* Without hinting of metrics a text of twice the size is twice as wide. */
static void
test_measure_scales (void)
{
  static const char *const texts[] = {
    "The cat sat on the mat", "WAVE", "0.123", "العالم", "[CLS]"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    UiTextStyle style = { .size = 15 }, twice = { .size = 30 };
    double width = ui_text_measure (texts[i], &style);

    g_assert_cmpfloat (width, >, 0);
    g_assert_cmpfloat_with_epsilon (ui_text_measure (texts[i], &twice), 2 * width, 0.01 * width);
  }
}

static void
test_styles_differ (void)
{
  UiTextStyle plain = { .size = 15 }, bold = { .size = 15, .bold = TRUE };
  UiTextStyle tabular = { .size = 15, .tabular = TRUE };

  g_assert_cmpfloat (ui_text_measure ("mat", &bold), >, ui_text_measure ("mat", &plain));
  g_assert_cmpfloat_with_epsilon (ui_text_measure ("0.11", &tabular),
                                  ui_text_measure ("0.88", &tabular), 0.05);
}

static void
test_ellipsis (void)
{
  const char *text = "Donaudampfschifffahrtsgesellschaft";
  UiTextStyle style = { .size = 15, .max_width = 108 };
  UiTextStyle loose = { .size = 15, .max_width = 1000 };
  UiTextStyle unlimited = { .size = 15 };

  g_assert_cmpfloat (ui_text_measure (text, &style), <=, 108.01);
  g_assert_cmpfloat (ui_text_measure (text, &style), >, 60);
  g_assert_true (ui_text_is_cut (text, &style));
  g_assert_false (ui_text_is_cut (text, &loose));
  g_assert_cmpfloat_with_epsilon (ui_text_measure (text, &loose),
                                  ui_text_measure (text, &unlimited), 0.01);
}

/* Between the two ends of a word that is cut is nothing but the ellipsis: no room that is left over
 * is drawn as a blank. */
static void
test_no_gap (void)
{
  const char *text = "Donaudampfschifffahrtsgesellschaft";
  UiTextStyle unlimited = { .size = 15 };

  for (double width = 40; width < 200; width += 3.7) {
    UiTextStyle style = { .size = 15, .max_width = width };
    g_autofree char *drawn = g_strdup (pango_layout_get_text (ui_text_layout (text, &style)));

    g_assert_nonnull (strstr (drawn, "…"));
    g_assert_cmpfloat_with_epsilon (ui_text_measure (text, &style),
                                    ui_text_measure (drawn, &unlimited), 0.01);
  }
}

/* What stays at the end stays whole, and a colour stays on its letter. */
static void
test_kept (void)
{
  static const char *const names[] = { "watchmaker 289", "🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪 289", "éééééééééé 289" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (int width = 300; width > 0; width -= 20) {
      g_autoptr (PangoLayout) layout =
        pango_layout_copy (ui_text_layout (names[i], &(UiTextStyle) { .size = 15 }));
      PangoAttrList *attributes = pango_attr_list_new ();
      PangoAttribute *strong = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
      PangoAttrIterator *iterator;
      const char *text;
      int start, end;

      strong->start_index = (guint) strlen (names[i]) - 1;
      strong->end_index = (guint) strlen (names[i]);
      pango_attr_list_insert (attributes, strong);
      pango_layout_set_attributes (layout, attributes);
      pango_attr_list_unref (attributes);
      if (!ui_layout_shorten (layout, width * PANGO_SCALE, strlen (" 289")))
        continue;
      text = pango_layout_get_text (layout);
      g_assert_true (g_str_has_suffix (text, " 289"));
      g_assert_true (g_utf8_validate (text, -1, NULL));
      iterator = pango_attr_list_get_iterator (pango_layout_get_attributes (layout));
      do
        pango_attr_iterator_range (iterator, &start, &end);
      while (pango_attr_iterator_get (iterator, PANGO_ATTR_WEIGHT) == NULL
             && pango_attr_iterator_next (iterator));
      g_assert_cmpint (start, ==, (int) strlen (text) - 1);
      g_assert_cmpint (end, ==, (int) strlen (text));
      pango_attr_iterator_destroy (iterator);
    }
}

static void
test_forget (void)
{
  UiTextStyle style = { .size = 15 };
  PangoLayout *layout = ui_text_layout ("kept", &style);

  g_object_add_weak_pointer (G_OBJECT (layout), (gpointer *) &layout);
  g_assert_true (ui_text_layout ("kept", &style) == layout);
  ui_text_forget ();
  ui_text_measure ("another", &style);
  g_assert_null (layout);
}

static void
test_one_line (void)
{
  UiTextStyle style = { .size = 15 };

  PangoLayout *layout = ui_text_layout ("one\ntwo\u2029three", &style);

  g_assert_cmpint (pango_layout_get_line_count (layout), ==, 1);
}

static void
test_wrap (void)
{
  const char *text = "Opacity = weight × 1.5, at most 1; strongest last. Links under 0.004 are not "
                     "drawn.";
  UiTextStyle style = { .size = 12 };
  g_auto (GStrv) lines = ui_text_wrap (text, &style, 150);
  g_autofree char *joined = g_strjoinv (" ", lines);
  g_auto (GStrv) empty = ui_text_wrap ("", &style, 150);
  g_auto (GStrv) narrow = ui_text_wrap ("a Donaudampfschifffahrt b", &style, 20);

  g_assert_cmpint (g_strv_length (lines), >, 2);
  g_assert_cmpstr (joined, ==, text);
  for (int i = 0; lines[i] != NULL; i++)
    g_assert_cmpfloat (ui_text_measure (lines[i], &style), <=, 150);
  g_assert_cmpint (g_strv_length (empty), ==, 1);
  g_assert_cmpint (g_strv_length (narrow), ==, 3);
}

/* At every width, and in as few lines as a plain wrap needs. */
static void
test_wrap_leaves_no_orphan (void)
{
  const char *text =
    "Rows read, columns are read. Opacity = weight × 1.5, at most 1; strongest last. "
    "Links under 0.004 are not drawn. Bars: weight by head, up to 1.";
  UiTextStyle style = { .size = 12 };
  double whole = ui_text_measure (text, &style);

  for (double width = 300; width < whole; width += 7) {
    g_auto (GStrv) lines = ui_text_wrap (text, &style, width);
    g_autofree char *joined = g_strjoinv (" ", lines);
    guint n = g_strv_length (lines);

    g_assert_cmpstr (joined, ==, text);
    g_assert_cmpfloat (ui_text_measure (lines[n - 1], &style), >, 0.15 * width);
    g_assert_cmpfloat (n, <=, ceil (whole / (width - 80)));
  }
}

/* A line with a sign at its end would leave what it stands for to the next. */
static void
test_wrap_keeps_signs (void)
{
  const char *text = "Stronger colour = more attention. Names: prev. = the word before; = and =";
  UiTextStyle style = { .size = 12 };

  for (double width = 80; width < 500; width += 7) {
    g_auto (GStrv) lines = ui_text_wrap (text, &style, width);
    g_autofree char *joined = g_strjoinv (" ", lines);

    g_assert_cmpstr (joined, ==, text);
    for (int i = 0; lines[i + 1] != NULL; i++) {
      g_assert_false (g_str_has_suffix (lines[i], " ="));
      g_assert_false (g_str_has_prefix (lines[i + 1], "="));
    }
  }
}

static gpointer
measure_in_thread (gpointer data)
{
  UiTextStyle style = { .size = 15 };
  double *width = data;

  for (int i = 0; i < 200; i++) {
    g_autofree char *text = g_strdup_printf ("token %d", i % 20);

    *width += ui_text_measure (text, &style);
  }
  return NULL;
}

static void
test_threads (void)
{
  double widths[4] = { 0 };
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("text", measure_in_thread, &widths[i]);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  for (int i = 1; i < 4; i++)
    g_assert_cmpfloat (widths[i], ==, widths[0]);
}

/* More distinct texts than are kept. */
static void
test_many_texts (void)
{
  UiTextStyle style = { .size = 15 };
  double first = ui_text_measure ("text 0", &style);

  for (int i = 0; i < 6000; i++) {
    g_autofree char *text = g_strdup_printf ("text %d", i);

    g_assert_cmpfloat (ui_text_measure (text, &style), >, 0);
  }
  g_assert_cmpfloat (ui_text_measure ("text 0", &style), ==, first);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/text/make-visible", test_make_visible);
  g_test_add_func ("/scene/text/make-visible-any", test_make_visible_any);
  g_test_add_func ("/scene/text/measure-scales", test_measure_scales);
  g_test_add_func ("/scene/text/styles-differ", test_styles_differ);
  g_test_add_func ("/scene/text/ellipsis", test_ellipsis);
  g_test_add_func ("/scene/text/no-gap", test_no_gap);
  g_test_add_func ("/scene/text/kept", test_kept);
  g_test_add_func ("/scene/text/forget", test_forget);
  g_test_add_func ("/scene/text/one-line", test_one_line);
  g_test_add_func ("/scene/text/wrap", test_wrap);
  g_test_add_func ("/scene/text/wrap-keeps-signs", test_wrap_keeps_signs);
  g_test_add_func ("/scene/text/wrap-leaves-no-orphan", test_wrap_leaves_no_orphan);
  g_test_add_func ("/scene/text/threads", test_threads);
  g_test_add_func ("/scene/text/many-texts", test_many_texts);
  return g_test_run ();
}
