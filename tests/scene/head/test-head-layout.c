/* SPDX-License-Identifier: MIT */
/* Where rows, columns, lanes and their texts stand. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/scene/head/head-case.h"
#include "tests/support/box-sink.h"
#include "ui/scene/sinks/text.h"

/* Two numbers over the lanes never run into one. */
static void
test_lane_numbers_apart (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (6, 12);

  for (double width = 700; width < 1900; width += 20) {
    UiSceneOptions options = window;
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autofree char *text = NULL;
    g_auto (GStrv) lines = NULL;
    gboolean inside = FALSE;
    double last = -G_MAXDOUBLE;
    int n = 0;

    options.width = width;
    fields_set (document, "pin", "1");
    scene = scene_case_new (trace, document, &options);
    text = scene_case_print (scene, NULL);
    lines = g_strsplit (text, "\n", -1);
    for (int i = 0; lines[i] != NULL && strstr (lines[i], " mean") == NULL; i++) {
      UiTextStyle style = { .bold = TRUE };
      char x_text[16], size_text[16], number[8];
      double x;

      /* As words: sscanf() reads numbers with the comma of some locales. */
      inside |= strstr (lines[i], "bars by head") != NULL;
      if (!inside || sscanf (lines[i], " text %15s %*s %15s center bold %*s %7s", x_text, size_text,
                             number) != 3)
        continue;
      x = g_ascii_strtod (x_text, NULL);
      style.size = g_ascii_strtod (size_text, NULL);
      g_assert_cmpfloat (x - ui_text_measure (number, &style) / 2, >=, last + 1.5);
      last = x + ui_text_measure (number, &style) / 2;
      n++;
    }
    /* Every bar has its number, or there is none. */
    g_assert_true (n == 0 || n == 12);
    g_assert_true (width < 1400 || n == 12);
    g_assert_true (width > 1200 || n == 0);
  }
}

/* Pieces of one word are joined where the vocabulary marks starts of words, as where it marks what
 * continues them; punctuation, template tokens and scripts without spaces are not. */
static void
test_joined_pieces (void)
{
  static const struct { const char *text; gboolean continues; const char *prefix; } pieces[] = {
    { " se", FALSE, "" }, { "es", TRUE, "" }, { "3", TRUE, "" }, { ".", FALSE, "" },
    { "The", FALSE, "" }, { " 北", FALSE, "" }, { "京", FALSE, "" }, { " don", FALSE, "" },
    { "'", FALSE, "" }, { "t", FALSE, "" }, { " a", FALSE, "" }, { "##b", FALSE, "" },
  };
  const char *words[G_N_ELEMENTS (pieces) + 1] = { NULL };
  static const char *const wordpiece[] = { "vast", "##ern", "er", NULL };
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (EngTrace) other = scene_trace_new (wordpiece, NULL, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (UiScene) plain = scene_case_new (other, document, &window);
  const UiHeadToken *tokens = ((const UiHeadScene *) plain)->tokens[UI_SIDE_KEYS];

  g_assert_cmpstr (tokens[2].prefix, ==, "##");
  g_assert_true (tokens[2].continues);
  g_assert_false (tokens[3].continues);

  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++)
    words[i] = pieces[i].text;
  trace = scene_trace_new (words, NULL, 2);
  scene = scene_case_new (trace, document, &window);
  tokens = ((const UiHeadScene *) scene)->tokens[UI_SIDE_QUERIES];
  g_assert_false (tokens[0].continues);
  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++) {
    g_assert_cmpint (tokens[i + 1].continues, ==, pieces[i].continues);
    g_assert_cmpstr (tokens[i + 1].prefix, ==, pieces[i].prefix);
  }
}

/* The texts that a scene draws, and where. (transfer full) */
static GArray *
find_boxes (const UiScene *scene)
{
  GArray *boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  return boxes;
}

static void
assert_apart (const UiScene *scene,
              const char    *name)
{
  const UiHeadLayout *layout = &((const UiHeadScene *) scene)->layout;
  g_autoptr (GArray) boxes = find_boxes (scene);
  gboolean has_number = FALSE;

  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *box = &g_array_index (boxes, TextBox, i);

    for (guint j = 0; j < i; j++)
      if (box_sink_overlap (box, &g_array_index (boxes, TextBox, j)) > 0.5)
        g_error ("%s: “%s” meets “%s”", name, box->text, g_array_index (boxes, TextBox, j).text);
    if (box->ink.x < 0 || box->ink.x + box->ink.width > layout->width)
      g_error ("%s: “%s” is outside", name, box->text);
    has_number |= g_str_has_prefix (box->text, "0.");
  }
  if (!has_number)
    g_error ("%s: no number", name);
}

/* No bar is narrower than one can read, and where bars are left out the numbers stay; of the labels
 * none meets another. */
static void
test_bars_are_named (void)
{
  static const char *const pins[] = { "2", "2,4", "k:2", "k:2,k:4" };
  static const double widths[] = { 740, 500, 380 };
  static const int n_heads[] = { 2, 3, 12 };

  for (int i = 0; i < 3 * 3 * 4 * 2; i++) {
    const gboolean has_pair = i / 36;
    const int n = n_heads[i % 3];
    g_autoptr (EngTrace) trace = scene_trace_new (words_a, has_pair ? words_b : NULL, n);
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autofree char *name = NULL;
    UiSceneOptions options = window;
    UiHeadLanes lanes;

    options.width = widths[i / 3 % 3];
    fields_set (document, "pin", pins[i / 9 % 4]);
    name = g_strdup_printf ("%d heads, pins %s, %g wide, %s", n, pins[i / 9 % 4], options.width,
                            has_pair ? "pair" : "single");
    scene = scene_case_new (trace, document, &options);
    ui_head_lanes_init (&lanes, (const UiHeadScene *) scene, &document->pins);
    if (lanes.n > 0 && (lanes.n != n || lanes.width < 16))
      g_error ("%s: %d bars of %g", name, lanes.n, lanes.width);
    assert_apart (scene, name);
  }
}

/* 40 units for few tokens, 18 for many, between them what fits the view. */
static void
test_rows_shrink (void)
{
  static const struct { int n; double least, most; gboolean fits; } cases[] = {
    { 6, 40, 40, TRUE }, { 22, 20, 24, TRUE }, { 128, 18, 18, FALSE }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngTrace) trace = scene_trace_new_long (cases[i].n, 2);
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
    const UiHeadLayout *layout = &((const UiHeadScene *) scene)->layout;
    double width, height;

    ui_scene_get_size (scene, &width, &height);
    g_assert_cmpfloat (layout->row, >=, cases[i].least);
    g_assert_cmpfloat (layout->row, <=, cases[i].most);
    g_assert_cmpfloat (layout->text_size, <=, 0.75 * layout->row);
    g_assert_true (cases[i].fits == (height <= window.view_height));
    g_assert_cmpfloat (width, ==, window.width);
    g_assert_cmpfloat (ui_scene_get_header (scene), >, 10);
  }
}

/* What a window of 1280 × 720 leaves at 200 % has room for the first pair, in letters that are not
 * smaller than at 100 %. */
static void
test_large_rows (void)
{
  static const char *const first_a[] = { "the", "bird", "sang", "on", "the", "roof", NULL };
  static const char *const first_b[] = { "the", "dog", "slept", "on", "the", "grass", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (first_a, first_b, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  UiSceneOptions options = window;
  const UiHeadLayout *layout;
  double height;

  options.text_scale = 2;
  options.view_height = 435;
  scene = scene_case_new (trace, document, &options);
  layout = &((const UiHeadScene *) scene)->layout;
  ui_scene_get_size (scene, NULL, &height);
  g_assert_cmpint (layout->columns[0].n, ==, 15);
  g_assert_cmpfloat (height, <=, options.view_height);
  g_assert_cmpfloat (layout->text_size, >=, 13);
}

/* 340 in a drawing of 992, growing to 560; narrow windows and large text still have
 * everything. */
static void
test_widths (void)
{
  static const struct { double width, scale, least, most, lanes; } cases[] = {
    { 992, 1, 340, 340, 99 }, { 1200, 1, 400, 500, 99 }, { 2400, 1, 560, 560, 99 },
    { 700, 1, 200, 330, 48 }, { 300, 1, 76, 170, 12 },   { 262, 1, 76, 110, 12 },
    { 992, 2, 220, 400, 48 }, { 479, 1, 110, 170, 48 },
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiSceneOptions options = window;
    g_autoptr (UiScene) scene = NULL;
    const UiHeadLayout *layout;
    double width;

    options.width = cases[i].width;
    options.text_scale = cases[i].scale;
    scene = scene_case_new (trace, document, &options);
    layout = &((const UiHeadScene *) scene)->layout;
    ui_scene_get_size (scene, &width, NULL);
    g_assert_cmpfloat (ui_head_layout_get_field (layout).width, >=, cases[i].least);
    g_assert_cmpfloat (ui_head_layout_get_field (layout).width, <=, cases[i].most);
    g_assert_cmpfloat (width, >=, cases[i].width);
    /* Two panels side by side in a window of 1280; a head beside the grid of all. */
    if (cases[i].width == 479 || cases[i].width < 300)
      g_assert_cmpfloat (width, ==, cases[i].width);
    for (int side = 0; side < 2; side++) {
      const UiRect *lanes = &layout->columns[side].lanes;

      g_assert_cmpfloat (lanes->x, >=, 0);
      g_assert_cmpfloat (lanes->x + lanes->width, <=, width + 1e-9);
      g_assert_cmpfloat (lanes->width, >=, cases[i].lanes * cases[i].scale);
    }
  }
}

/* Ordinary words are whole in two panels side by side in a window of 1280 as in wider ones: links
 * take no more than their least width before, and letters become smaller by little at most. */
static void
test_whole_words (void)
{
  static const char *const first[] = { "the", "elephant", "[MASK]", "through", "mountains", NULL };
  static const char *const second[] = { "the", "children", "crossed", "the", "mountain", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (first, second, 1);
  g_autoptr (UiDocument) document = ui_document_new ();

  for (double width = 356; width < 1200; width += 7) {
    UiSceneOptions options = window;
    g_autoptr (UiScene) scene = NULL;
    const UiHeadScene *head;
    double room;

    options.width = width;
    scene = scene_case_new (trace, document, &options);
    head = (const UiHeadScene *) scene;
    room = head->layout.columns[UI_SIDE_KEYS].column.width - 2 * UI_HEAD_PADDING;
    g_assert_cmpfloat (scene->width, ==, width);
    g_assert_cmpfloat (head->layout.text_size, >=, 12);
    g_assert_cmpfloat (ui_head_layout_get_field (&head->layout).width, >=, 76);
    for (int i = 0; i < scene->keys->n; i++) {
      const UiHeadToken *token = &head->tokens[UI_SIDE_KEYS][i];
      const UiTextStyle style = {
        .size = head->layout.text_size, .italic = token->special, .max_width = room
      };

      g_assert_false (ui_text_is_cut (token->text, &style));
    }
  }
}

/* An unknown word is seen to be one at every width, all words of a drawing alike. */
static void
test_unknown_words (void)
{
  static const char *const words[] = { "[UNK]", "dog", "[UNK]", "[UNK]", NULL };
  static const char *const typed[] = { "ab", NULL, "łódka", "gęś" };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, 1);
  EngTokens *tokens = trace->blocks[ENG_KIND_ENCODER].query_tokens;
  g_autoptr (UiDocument) document = ui_document_new ();

  for (int i = 0; i < 4; i++)
    tokens->typed[i + 1] = g_strdup (typed[i]);
  for (double width = 300; width < 1200; width += 20) {
    UiSceneOptions options = window;
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (GArray) boxes = NULL;
    g_autofree char *how = NULL;
    int n_long = 0, n_brief = 0;

    options.width = width;
    scene = scene_case_new (trace, document, &options);
    boxes = find_boxes (scene);
    how = ui_scene_explain (scene);
    for (guint i = 0; i < boxes->len; i++) {
      const char *text = g_array_index (boxes, TextBox, i).text;

      n_long += g_str_has_prefix (text, "[UNK] ");
      n_brief += g_str_has_prefix (text, "?");
    }
    g_assert_cmpint (n_long + n_brief, ==, 6);
    g_assert_true (n_long == 0 || n_brief == 0);
    g_assert_true ((strstr (how, "<b>?</b>") != NULL) == (n_brief > 0));
    g_assert_true (width > 340 || n_brief > 0);
    g_assert_true (width < 1100 || n_long > 0);
  }
}

static void
test_long_token (void)
{
  static const char *const words[] = { "Donaudampfschifffahrtsgesellschaftskapitänsmütze", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  const UiRect *column = &((const UiHeadScene *) scene)->layout.columns[UI_SIDE_KEYS].column;
  UiItem item = { .type = UI_ITEM_KEY, .key = 1 };
  g_autofree char *sentence = ui_scene_describe (scene, &item);
  UiRect rect;

  g_assert_true (ui_scene_get_rect (scene, &item, &rect));
  g_assert_cmpfloat (rect.x, >=, column->x);
  g_assert_cmpfloat (rect.x + rect.width, <=, column->x + column->width);
  g_assert_nonnull (strstr (sentence, words[0]));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/head/lane-numbers-apart", test_lane_numbers_apart);
  g_test_add_func ("/scene/head/bars-are-named", test_bars_are_named);
  g_test_add_func ("/scene/head/joined-pieces", test_joined_pieces);
  g_test_add_func ("/scene/head/rows-shrink", test_rows_shrink);
  g_test_add_func ("/scene/head/large-rows", test_large_rows);
  g_test_add_func ("/scene/head/widths", test_widths);
  g_test_add_func ("/scene/head/whole-words", test_whole_words);
  g_test_add_func ("/scene/head/unknown-words", test_unknown_words);
  g_test_add_func ("/scene/head/long-token", test_long_token);
  return g_test_run ();
}
