/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/text.h"

#include <math.h>
#include <string.h>

#include "engine/tokenizer/base/byte-text.h"
#include "ui/document/bidi.h"
#include "ui/scene/sinks/shorten.h"

/* Layouts are kept by text and style; a long input has some hundred distinct ones. */
#define MAX_CACHED_LAYOUTS 1024
#define MAX_BLANKS 4 /* that are drawn one by one */
/* Parts of the width that text is wrapped to. */
#define LEAST_LAST_LINE 0.25
#define LEAST_WRAP 0.6
#define WRAP_STEP 0.02
/* Of the run that they open. */
#define LEFT_TO_RIGHT_ISOLATE "\u2066"
#define RIGHT_TO_LEFT_ISOLATE "\u2067"

typedef struct {
  PangoContext *context;
  GHashTable   *layouts; /* key string → PangoLayout */
  int           n_forgotten; /* when they were last let go of */
} ThreadText;

static int n_forgotten; /* atomic: calls of ui_text_forget() */

static void
thread_text_free (gpointer data)
{
  ThreadText *self = data;

  g_hash_table_unref (self->layouts);
  g_object_unref (self->context);
  g_free (self);
}

static GPrivate thread_text = G_PRIVATE_INIT (thread_text_free);

PangoContext *
ui_text_create_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);

  pango_context_set_round_glyph_positions (context, FALSE);
  pango_context_set_language (context, pango_language_from_string ("en"));
  return context;
}

static ThreadText *
get_thread_text (void)
{
  ThreadText *self = g_private_get (&thread_text);

  if (self == NULL) {
    self = g_new0 (ThreadText, 1);
    self->context = ui_text_create_context ();
    self->layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
    g_private_set (&thread_text, self);
  }
  return self;
}

/* Han characters look different in Chinese, Japanese and Korean fonts. The reader's own language
 * decides when it is one of these; else Chinese, which is what the models that split Han into
 * characters read. */
static PangoLanguage *
get_han_language (void)
{
  PangoLanguage *own = pango_language_get_default ();

  if (pango_language_includes_script (own, PANGO_SCRIPT_HAN))
    return own;
  return pango_language_from_string ("zh-cn");
}

static gboolean
contains_script (const char     *text,
                 GUnicodeScript  script)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    if (g_unichar_get_script (g_utf8_get_char (p)) == script)
      return TRUE;
  }
  return FALSE;
}

static PangoAttrList *
create_attributes (const char        *text,
                   const UiTextStyle *style)
{
  PangoAttrList *list = pango_attr_list_new ();

  if (style->tabular)
    pango_attr_list_insert (list, pango_attr_font_features_new ("tnum=1"));
  if (contains_script (text, G_UNICODE_SCRIPT_HAN)) {
    gboolean kana = contains_script (text, G_UNICODE_SCRIPT_HIRAGANA) ||
                    contains_script (text, G_UNICODE_SCRIPT_KATAKANA);
    PangoLanguage *language = kana ? pango_language_from_string ("ja") : get_han_language ();

    pango_attr_list_insert (list, pango_attr_language_new (language));
  }
  return list;
}

/* In pango's units of a layout, the nearest: a column may be as wide as its widest text. */
static int
get_max_width (const UiTextStyle *style)
{
  const double width = style->max_width / style->size * UI_TEXT_LAYOUT_SIZE;

  return (int) round (MIN (width * PANGO_SCALE, G_MAXINT / 2));
}

static PangoLayout *
create_layout (PangoContext      *context,
               const char        *text,
               const UiTextStyle *style)
{
  PangoLayout *layout = pango_layout_new (context);
  PangoFontDescription *font = pango_font_description_from_string (UI_FONT_FAMILIES);
  PangoAttrList *attributes = create_attributes (text, style);

  pango_font_description_set_absolute_size (font, UI_TEXT_LAYOUT_SIZE * PANGO_SCALE);
  pango_font_description_set_weight (font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_style (font, style->italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  if (style->max_width > 0)
    ui_layout_shorten (layout, get_max_width (style), 0);
  return layout;
}

/* Characters without a shape of their own, or that change the order of others. */
static gboolean
is_invisible (gunichar c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_SURROGATE:
    return TRUE;
  case G_UNICODE_FORMAT:
    /* Signs that span digits in Arabic, Syriac and Kaithi are formats with a shape. */
    return !((c >= 0x600 && c <= 0x605) || c == 0x6dd || c == 0x70f || c == 0x890 || c == 0x891 ||
             c == 0x8e2 || c == 0x110bd || c == 0x110cd);
  case G_UNICODE_SPACE_SEPARATOR:
    return c != ' ';
  default:
    return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || c == 0x3164 ||
           c == 0xffa0;
  }
}

/* Joiners between two visible characters, and the tags behind a flag, belong to one picture or
 * word. */
static gboolean
is_joining (gunichar    previous,
            gunichar    c,
            const char *rest)
{
  gunichar next = g_utf8_get_char (rest);

  if (previous == 0)
    return FALSE;
  if (c >= 0xe0020 && c <= 0xe007f)
    return previous == 0x1f3f4 || (previous >= 0xe0020 && previous <= 0xe007f);
  return (c == 0x200c || c == 0x200d) &&
         next != 0 && !is_invisible (previous) && !is_invisible (next);
}

/* n blanks. Code has long runs of them, which are counted; a real one stands between them and the
 * word before or behind. */
static void
append_blanks (GString    *text,
               gsize       n,
               const char *before,
               const char *behind)
{
  if (n > MAX_BLANKS)
    g_string_append_printf (text, "%s␣×%zu%s", before, n, behind);
  for (gsize i = 0; i < n && n <= MAX_BLANKS; i++)
    g_string_append (text, "␣");
}

char *
ui_text_make_visible (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  gsize length = strlen (valid);
  gsize n_before = strspn (valid, " ");
  gsize n_behind = 0;
  gunichar previous = 0;
  GString *visible = g_string_new (NULL);

  while (n_behind < length - n_before && valid[length - n_behind - 1] == ' ')
    n_behind++;
  valid[length - n_behind] = '\0';
  /* Of the blanks before a word the first one is its mark. */
  append_blanks (visible, n_before - (n_before > 0 && n_before < length), "",
                 n_before < length ? " " : "");

  for (const char *p = valid + n_before; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (previous == 0 && g_unichar_ismark (c) && !is_invisible (c))
      g_string_append_unichar (visible, 0x25cc);
    if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029)
      g_string_append (visible, "⏎");
    else if (c == '\t')
      g_string_append (visible, "⇥");
    else if (g_str_has_prefix (p, ENG_ZERO_BYTE))
      g_string_append (visible, "<U+0000>");
    else if (is_invisible (c) && !is_joining (previous, c, g_utf8_next_char (p)))
      g_string_append_printf (visible, "<U+%04X>", c);
    else
      g_string_append_unichar (visible, c);
    previous = c;
  }
  append_blanks (visible, n_behind, " ", "");
  return g_string_free (visible, FALSE);
}

void
ui_text_begin (void)
{
  get_thread_text ();
}

PangoLayout *
ui_text_layout (const char        *text,
                const UiTextStyle *style)
{
  ThreadText *self = get_thread_text ();
  g_autofree char *key = g_strdup_printf ("%d %d%d%d %s", get_max_width (style), style->bold,
                                          style->italic, style->tabular, text);
  const int now = g_atomic_int_get (&n_forgotten);
  PangoLayout *layout;

  if (self->n_forgotten != now) {
    g_hash_table_remove_all (self->layouts);
    self->n_forgotten = now;
  }

  layout = g_hash_table_lookup (self->layouts, key);
  if (layout == NULL) {
    if (g_hash_table_size (self->layouts) >= MAX_CACHED_LAYOUTS)
      g_hash_table_remove_all (self->layouts);
    layout = create_layout (self->context, text, style);
    g_hash_table_insert (self->layouts, g_steal_pointer (&key), layout);
  }
  return layout;
}

void
ui_text_forget (void)
{
  g_atomic_int_inc (&n_forgotten);
}

double
ui_text_measure (const char        *text,
                 const UiTextStyle *style)
{
  PangoRectangle logical;

  pango_layout_get_extents (ui_text_layout (text, style), NULL, &logical);
  return logical.width * style->size / UI_TEXT_LAYOUT_SIZE / PANGO_SCALE;
}

gboolean
ui_text_is_cut (const char        *text,
                const UiTextStyle *style)
{
  return !g_str_equal (pango_layout_get_text (ui_text_layout (text, style)), text);
}

/* The isolate of the direction that the first letter of a run has, which begins in a line and ends in
 * a later one: a line alone may lack that letter. */
static const char *
find_isolate (const char  *begin,
              char       **later)
{
  g_autofree char *behind = g_strjoinv (" ", later);
  g_autofree char *run = g_strconcat (begin, " ", behind, NULL);
  char *close = strstr (run, UI_BIDI_CLOSE);

  if (close != NULL)
    *close = '\0';
  return ui_bidi_begins_right (run) ? RIGHT_TO_LEFT_ISOLATE : LEFT_TO_RIGHT_ISOLATE;
}

/* Whether text around isolates runs from right to left. */
static gboolean
runs_left (const char *text)
{
  return !g_str_has_prefix (text, UI_BIDI_LEFT_TO_RIGHT) && ui_bidi_begins_right (text);
}

/* What is isolated and broken between lines is isolated on each of them, in one direction: a line is
 * laid out as if it were alone. For the same reason one that begins with an isolate says what runs
 * around it. */
static void
isolate_lines (const char  *text,
               char       **lines)
{
  const char *isolate = NULL; /* that is open where a line ends */

  for (int i = 0; lines[i] != NULL; i++) {
    const char *open = g_strrstr (lines[i], UI_BIDI_FIRST_STRONG);
    const char *close = g_strrstr (lines[i], UI_BIDI_CLOSE);
    const char *rest = lines[i];
    GString *line = g_string_new (NULL);

    if (isolate != NULL)
      g_string_append_printf (line, UI_BIDI_LEFT_TO_RIGHT "%s", isolate);
    else if (runs_left (lines[i]) && !runs_left (text))
      g_string_append (line, UI_BIDI_LEFT_TO_RIGHT);
    if (open != NULL && (close == NULL || open > close)) {
      g_string_append_len (line, lines[i], open - lines[i]);
      rest = open + strlen (UI_BIDI_FIRST_STRONG);
      isolate = find_isolate (rest, lines + i + 1);
      g_string_append (line, isolate);
    } else if (close != NULL) {
      isolate = NULL;
    }
    g_string_append_printf (line, "%s%s", rest, isolate != NULL ? UI_BIDI_CLOSE : "");
    g_free (lines[i]);
    lines[i] = g_string_free (line, FALSE);
  }
}

/* Words and what stays with them: "colour = more", as a line neither begins nor ends with "=".
 * (transfer full) */
static char **
split_words (const char *text)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (int i = 0; words[i] != NULL; i++) {
    g_autoptr (GString) part = g_string_new (words[i]);

    while (words[i + 1] != NULL && (g_str_equal (words[i], "=") || g_str_equal (words[i + 1], "=")))
      g_string_append_printf (part, " %s", words[++i]);
    g_strv_builder_add (parts, part->str);
  }
  return g_strv_builder_end (parts);
}

static char **
wrap (const char        *text,
      const UiTextStyle *style,
      double             width)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_auto (GStrv) words = split_words (text);
  g_autoptr (GString) line = g_string_new (words[0]);

  for (int i = 1; words[0] != NULL && words[i] != NULL; i++) {
    gsize length = line->len;

    g_string_append_printf (line, " %s", words[i]);
    if (ui_text_measure (line->str, style) > width) {
      g_string_truncate (line, length);
      g_strv_builder_add (lines, line->str);
      g_string_assign (line, words[i]);
    }
  }
  g_strv_builder_add (lines, line->str);
  return g_strv_builder_end (lines);
}

/* A last line that stands alone with a word or two gets more of them from narrower lines above it,
 * as long as these do not become more. */
char **
ui_text_wrap (const char        *text,
              const UiTextStyle *style,
              double             width)
{
  g_auto (GStrv) lines = wrap (text, style, width);
  guint n = g_strv_length (lines);

  for (double part = 1 - WRAP_STEP; n > 1 && part > LEAST_WRAP &&
       ui_text_measure (lines[n - 1], style) < LEAST_LAST_LINE * width; part -= WRAP_STEP) {
    g_auto (GStrv) narrower = wrap (text, style, width * part);

    if (g_strv_length (narrower) > n) {
      break;
    }
    g_strfreev (lines);
    lines = g_steal_pointer (&narrower);
  }
  isolate_lines (text, lines);
  return g_steal_pointer (&lines);
}

double
ui_text_baseline (double y,
                  double size)
{
  return y + 0.355 * size;
}

void
ui_text_paint (UiSink            *sink,
               double             x,
               double             y,
               const char        *text,
               const UiTextStyle *style,
               UiColor            color)
{
  sink->klass->text (sink, x, ui_text_baseline (y, style->size), text, style, color);
}

char *
ui_text_strip_markup (const char *markup)
{
  char *text = NULL;

  pango_parse_markup (markup, -1, 0, NULL, &text, NULL, NULL);
  g_return_val_if_fail (text != NULL, g_strdup (markup));
  return text;
}
