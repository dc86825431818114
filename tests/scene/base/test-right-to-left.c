/* SPDX-License-Identifier: MIT */
/* Sentences about tokens of Arabic and Hebrew stay in their order. Invariant: as pango lays a
 * sentence out, what is no token stands where it stands in the text, from left to right. */
#include "ui/document/bidi.h"

#include <locale.h>
#include <string.h>

#include "tests/support/box-sink.h"
#include "tests/support/fields.h"
#include "tests/support/scene-trace.h"
#include "ui/document/table-text.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/export/export.h"
#include "ui/scene/sinks/text.h"
#include "ui/scene/views/comparison.h"
#include "ui/scene/views/factory.h"

/* The last two are mixed; "٢٤" is a number, whose digits run from left to right. */
static const char *const words_a[] = { "القطة", "جلست", "على", "٢٤", "abc אבג", NULL };
static const char *const words_b[] = { "חתול", "ישב", "##ים", "אבג abc", NULL };

static UiScene *
make_scene (EngTrace   *trace,
            EngTrace   *second,
            UiViewKind  view,
            UiCompare   compare,
            const char *pins)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  UiScene *scene;

  document->view = view;
  document->compare = compare;
  fields_set (document, "pin", pins);
  scene = ui_figure_scene_new_for_sides (trace, second, document, &error);
  g_assert_no_error (error);
  return scene;
}

/* Every byte of a line that is outside of isolates stands to the right of those before it. */
static void
assert_order (const char *line)
{
  UiTextStyle style = { .size = 12 };
  PangoLayout *layout = ui_text_layout (line, &style);
  int last = -1, depth = 0;

  g_assert_cmpint (pango_layout_get_direction (layout, 0), !=, PANGO_DIRECTION_RTL);
  for (const char *p = line; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    PangoRectangle at;

    depth += c >= 0x2066 && c <= 0x2068 ? 1 : c == 0x2069 ? -1 : 0;
    if (depth > 0 || c == 0x2069 || c == 0x200e)
      continue;
    pango_layout_index_to_pos (layout, (int) (p - line), &at);
    if (at.x < last)
      g_error ("“%s” turns around at “%s”", line, p);
    last = at.x;
  }
  g_assert_cmpint (depth, ==, 0);
}

static gboolean
is_control (gunichar c)
{
  return c == 0x200e || (c >= 0x2066 && c <= 0x2069);
}

/* The depth of embedding that pango finds for each character: odd ones run from right to left.
 * Blanks are left out, as they take the sentence's where a line ends. */
static void
append_levels (const char *line,
               GString    *levels)
{
  UiTextStyle style = { .size = 12 };
  PangoLayout *layout = ui_text_layout (line, &style);
  g_autofree guint8 *of_bytes = g_malloc0 (strlen (line) + 1);

  for (GSList *run = pango_layout_get_line_readonly (layout, 0)->runs; run != NULL; run = run->next) {
    const PangoItem *item = ((PangoGlyphItem *) run->data)->item;

    memset (of_bytes + item->offset, item->analysis.level, (gsize) item->length);
  }
  for (const char *p = line; *p != '\0'; p = g_utf8_next_char (p))
    if (*p != ' ' && !is_control (g_utf8_get_char (p)))
      g_string_append_printf (levels, "%.*s%d", (int) (g_utf8_next_char (p) - p), p,
                              of_bytes[p - line]);
}

/* As Unicode breaks a paragraph: where its characters stand is decided before it has lines. */
static void
assert_same_levels (const char  *sentence,
                    char       **lines)
{
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autoptr (GString) broken = g_string_new (NULL);

  append_levels (sentence, whole);
  for (int i = 0; lines[i] != NULL; i++)
    append_levels (lines[i], broken);
  g_assert_cmpstr (broken->str, ==, whole->str);
}

/* No bracket is mirrored: outside of words none runs from right to left. */
static void
assert_upright (const char *sentence)
{
  g_autoptr (GString) levels = g_string_new (NULL);

  append_levels (sentence, levels);
  for (const char *p = levels->str; *p != '\0'; p++)
    if (strchr ("()[]", *p) != NULL)
      g_assert_true (p[1] == '0' || p[1] == '2');
}

/* The sentence as a whole, and in lines of a narrow figure. */
static void
assert_sentence (char *sentence)
{
  UiTextStyle style = { .size = 12 };

  assert_order (sentence);
  for (double width = 60; width < 400; width += 90) {
    g_auto (GStrv) lines = ui_text_wrap (sentence, &style, width);

    for (int i = 0; lines[i] != NULL; i++)
      assert_order (lines[i]);
    assert_same_levels (sentence, lines);
  }
  g_free (sentence);
}

static void
assert_all_sentences (UiScene *scene)
{
  const UiWeights *weights = ui_scene_get_weights (scene);
  UiItem item;

  assert_sentence (ui_scene_caption (scene));
  assert_sentence (ui_scene_legend (scene));
  assert_sentence (ui_scene_summarise (scene));
  for (int query = 0; query < weights->attention->n_queries; query++)
    for (int key = 0; key < weights->attention->n_keys; key++)
      for (UiItemType type = UI_ITEM_QUERY; type <= UI_ITEM_HEAD; type++) {
        g_autofree char *sentence = NULL;

        item = (UiItem) { .type = type, .query = query, .key = key, .head = weights->heads[0] };
        sentence = ui_scene_describe (scene, &item);
        assert_order (sentence);
      }
}

static void
test_quoted (void)
{
  static const struct { const char *text, *quoted; } cases[] = {
    { "cat", "“cat”" },
    { "naïve 猫 +0.12", "“naïve 猫 +0.12”" },
    { "", "“”" },
    { "قطة", "\u200e“\u2068قطة\u2069”" },
    { "חתול", "\u200e“\u2068חתול\u2069”" },
    { "abc אבג", "\u200e“\u2068abc אבג\u2069”" },
    { "٢٤", "\u200e“\u2068٢٤\u2069”" },
    { "𞤀", "\u200e“\u2068𞤀\u2069”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *quoted = ui_bidi_quote (cases[i].text);
    g_autofree char *isolated = ui_bidi_isolate (cases[i].text);

    g_assert_cmpstr (quoted, ==, cases[i].quoted);
    g_assert_cmpint (strlen (isolated) + strlen ("“”"), ==, strlen (quoted));
  }
}

static void
test_views (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  static const char *const pins[] = { "", "1", "1,2", "k:6", "1,k:2" };
  static const UiViewKind views[] = { UI_VIEW_HEAD, UI_VIEW_MODEL, UI_VIEW_MATRIX };

  for (gsize view = 0; view < G_N_ELEMENTS (views); view++)
    for (gsize i = 0; i < G_N_ELEMENTS (pins); i++) {
      g_autoptr (UiScene) scene = make_scene (trace, NULL, views[view], UI_COMPARE_OFF, pins[i]);

      assert_all_sentences (scene);
    }
}

/* Words that the vocabulary lacks, brackets among them, stand behind "[UNK]", in the order of the
 * sentence, whatever a line begins with. */
static void
test_typed (void)
{
  static const char *const words[] = { "[UNK]", "[UNK]", "[UNK]", "[UNK]", NULL };
  static const char *const typed[] = {
    NULL, "(", "חתול", ")", "קטן", NULL, "القطة", "]", "##ים", "["
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words, words, 3);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (UiScene) scene = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (typed); i++)
    tokens->typed[i] = g_strdup (typed[i]);
  scene = make_scene (trace, NULL, UI_VIEW_HEAD, UI_COMPARE_OFF, "2");
  for (int i = 0; i < tokens->n; i++) {
    UiItem row = { .type = UI_ITEM_QUERY, .query = i };
    UiItem link = { .type = UI_ITEM_LINK, .query = i, .key = 2 };
    g_autofree char *sentence = ui_scene_describe (scene, &link);

    assert_upright (sentence);
    assert_order (sentence);
    assert_sentence (ui_scene_describe (scene, &row));
  }
}

static void
test_comparisons (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 2);
  g_autoptr (EngTrace) second = scene_trace_new (words_b, words_a, 2);
  g_autoptr (UiScene) sides = make_scene (trace, second, UI_VIEW_HEAD, UI_COMPARE_SIDES, "");
  g_autoptr (UiScene) difference = make_scene (trace, second, UI_VIEW_MATRIX,
                                               UI_COMPARE_DIFFERENCE, "");

  assert_all_sentences (sides);
  assert_all_sentences (difference);
}

/* Texts of a drawing that are more than a token: plates of pinned ones, words with their number. */
static void
test_drawn (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 2);
  g_autoptr (EngTrace) second = scene_trace_new (words_b, words_a, 2);
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);
  int n_numbered = 0;

  for (int i = 0; i < 2; i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;

    document->view = UI_VIEW_MATRIX;
    document->compare = i == 0 ? UI_COMPARE_OFF : UI_COMPARE_DIFFERENCE;
    document->width_cm = 4; /* too narrow for all labels */
    ui_pins_click (&document->pins, FALSE, 1, TRUE);
    ui_pins_click (&document->pins, FALSE, 4, TRUE);
    scene = ui_figure_scene_new_for_sides (trace, second, document, NULL);
    ui_scene_paint (scene, sink, NULL);
  }
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++) {
    const char *text = g_array_index (boxes, TextBox, i).text;
    const char *close = strstr (text, UI_BIDI_CLOSE);

    n_numbered += close != NULL
                  && g_unichar_type (g_utf8_get_char (g_utf8_prev_char (text + strlen (text))))
                       == G_UNICODE_OTHER_NUMBER; /* ₅ */
    if (close != NULL)
      assert_order (text);
  }
  g_assert_cmpint (n_numbered, >, 2);
}

static TextBox *
find_box (GArray     *boxes,
          const char *text,
          int         nth)
{
  for (guint i = 0; i < boxes->len; i++)
    if (strcmp (g_array_index (boxes, TextBox, i).text, text) == 0 && nth-- == 0)
      return &g_array_index (boxes, TextBox, i);
  g_assert_not_reached ();
}

/* "##" stands where the word goes on from, as it does in sentences, in both columns. */
static void
test_pieces (void)
{
  static const char *const hebrew[] = { "ישב", "##ים", NULL };
  static const char *const latin[] = { "play", "##ing", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (latin, hebrew, 1);
  g_autoptr (UiScene) scene = make_scene (trace, NULL, UI_VIEW_HEAD, UI_COMPARE_OFF, "");
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (int column = 0; column < 2; column++) {
    const TextBox *ing = find_box (boxes, "ing", column);
    const TextBox *yim = find_box (boxes, "ים", column);

    /* Each column is painted from above: its marks come in the order of its tokens. */
    g_assert_cmpfloat (find_box (boxes, "##", 2 * column)->ink.x, <, ing->ink.x);
    g_assert_cmpfloat (find_box (boxes, "##", 2 * column + 1)->ink.x, >, yim->ink.x);
  }
}

static gboolean
has_box (GArray     *boxes,
         const char *text)
{
  for (guint i = 0; i < boxes->len; i++)
    if (strcmp (g_array_index (boxes, TextBox, i).text, text) == 0)
      return TRUE;
  return FALSE;
}

/* Where the note of one unknown word has no room, all have a shorter one. */
static void
assert_unknown (EngTrace   *trace,
                UiViewKind  view,
                double      width,
                gboolean    has_note)
{
  const UiSceneOptions options = { .width = width, .view_height = 500, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  document->view = view;
  scene = ui_scene_new (trace, document, &options, NULL);
  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  g_assert_true (has_box (boxes, "cat"));
  g_assert_true (has_box (boxes, has_note ? "[UNK] سجادة" : "?\u2009سجادة"));
  g_assert_false (has_box (boxes, has_note ? "?\u2009سجادة" : "[UNK] سجادة"));
}

static void
test_unknown (void)
{
  static const char *const words[] = { "cat", "[UNK]", "[UNK]", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, 1);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  tokens->typed[2] = g_strdup ("سجادة");
  tokens->typed[3] = g_strdup ("кот");
  assert_unknown (trace, UI_VIEW_HEAD, 992, TRUE);
  assert_unknown (trace, UI_VIEW_HEAD, 320, FALSE);
  assert_unknown (trace, UI_VIEW_MATRIX, 992, TRUE);
  g_free (tokens->typed[3]);
  tokens->typed[3] = g_strdup ("предосторожностью");
  assert_unknown (trace, UI_VIEW_HEAD, 992, FALSE);
  assert_unknown (trace, UI_VIEW_MATRIX, 992, FALSE);
}

/* Cells of a table are the tokens: what reads them must find them. */
static void
test_tables (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 1);
  g_autoptr (UiScene) scene = make_scene (trace, NULL, UI_VIEW_HEAD, UI_COMPARE_OFF, "1");
  g_autofree char *numbers = ui_scene_numbers (scene);
  g_autofree char *csv = ui_table_to_csv (numbers);

  g_assert_nonnull (strstr (csv, ",القطة,"));
  g_assert_null (strstr (csv, "\u2068"));
  g_assert_null (strstr (csv, "\u200e"));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/right-to-left/quoted", test_quoted);
  g_test_add_func ("/scene/right-to-left/views", test_views);
  g_test_add_func ("/scene/right-to-left/typed", test_typed);
  g_test_add_func ("/scene/right-to-left/comparisons", test_comparisons);
  g_test_add_func ("/scene/right-to-left/drawn", test_drawn);
  g_test_add_func ("/scene/right-to-left/pieces", test_pieces);
  g_test_add_func ("/scene/right-to-left/unknown", test_unknown);
  g_test_add_func ("/scene/right-to-left/tables", test_tables);
  return g_test_run ();
}
