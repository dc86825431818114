/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>

#include "tests/scene/neuron/neuron-case.h"
#include "ui/scene/neuron/neuron-scene.h"
#include "ui/scene/base/item-pins.h"

#define LANE " 6.0 #1c71d8/26" /* corner and tint of a row */

static void
test_describe (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);
  static const struct { UiItem item; const char *sentence; } cases[] = {
    { { UI_ITEM_QUERY_CELL, HEAD, 2, -1, 10 },
      "Dimension 10 of the query of “flies” (2) is +1.57." },
    { { UI_ITEM_KEY_CELL, HEAD, 2, 8, 10 }, "Dimension 10 of the key of “flies” (8) is +1.30." },
    { { UI_ITEM_PRODUCT_CELL, HEAD, 2, 8, 10 },
      "Dimension 10, query of “flies” (2) × key of “flies” (8): +1.57 × +1.30 = +2.05." },
    { { UI_ITEM_SCORE, HEAD, 2, 8, 0 },
      "q·k = +11.49, q·k ÷ √32 = +2.03. “flies” (2) reads “flies” (8) with weight 0.14 in "
      "head 8 of layer 0." },
    { { UI_ITEM_SOFTMAX, HEAD, 2, 4, 0 },
      "q·k = −1.00, q·k ÷ √32 = −0.18. “flies” (2) reads “an” (4) with weight 0.015 in "
      "head 8 of layer 0." },
    { { UI_ITEM_VALUE_CELL, HEAD, 2, 8, 10 },
      "Dimension 10 of the value of “flies” (8) is −0.181: with weight 0.14 it adds −0.026 to the "
      "output for “flies” (2)." },
    { { UI_ITEM_OUTPUT_CELL, HEAD, 2, -1, 10 },
      "Dimension 10 of the output of head 8 for “flies” (2) is −0.023, the sum of weight × value "
      "over all keys; “banana” (11) has the largest part: +0.029." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *sentence = ui_scene_describe (scene, &cases[i].item);

    g_assert_cmpstr (sentence, ==, cases[i].sentence);
  }
}

/* An item of another head, layer or text may come too late: it is not shown, and no memory is
 * read. */
static void
test_strange_items (void)
{
  static const UiItem items[] = {
    { UI_ITEM_QUERY_CELL, HEAD, 2, -1, N_DIMENSIONS },
    { UI_ITEM_KEY_CELL, HEAD, 2, 3, -1 },
    { UI_ITEM_PRODUCT_CELL, HEAD, 2, 3, 1000 },
    { UI_ITEM_PRODUCT_CELL, HEAD, N_TOKENS, 3, 0 },
    { UI_ITEM_SOFTMAX, HEAD, -1, 3, 0 },
    { UI_ITEM_KEY, HEAD, 0, N_TOKENS, 0 },
    { UI_ITEM_VALUE_CELL, HEAD, 2, 3, N_DIMENSIONS },
    { UI_ITEM_OUTPUT_CELL, HEAD, 2, 3, -1 },
    { UI_ITEM_BIAS, HEAD, 2, 3, 0 },
    { UI_ITEM_MASK, HEAD, 2, 3, 0 },
    { UI_ITEM_MEASURE, HEAD, 2, 3, 0 },
    { UI_ITEM_SCALED_PRODUCT, HEAD, 2, 3, 0 },
  };
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);

  for (gsize i = 0; i < G_N_ELEMENTS (items); i++) {
    g_autofree char *sentence = ui_scene_describe (scene, &items[i]);
    g_autofree char *drawing = scene_case_print (scene, &items[i]);
    UiRect rect;

    g_assert_cmpstr (sentence, ==, "");
    g_assert_cmpstr (drawing, ==, "");
    g_assert_false (ui_scene_get_rect (scene, &items[i], &rect));
  }
}

static gboolean
belongs_to_query (UiItemType type)
{
  return type == UI_ITEM_QUERY || type == UI_ITEM_QUERY_CELL;
}

/* Items about the query that is compared, pinned or not; the others are of a key alone. */
static gboolean
is_of_compared (UiItemType type)
{
  return type == UI_ITEM_PRODUCT_CELL || type == UI_ITEM_SCORE || type == UI_ITEM_SOFTMAX
         || type == UI_ITEM_OUTPUT_CELL || type == UI_ITEM_MEASURE;
}

static void
assert_hit (const UiScene *scene,
            const UiItem  *item)
{
  UiItem found;
  UiRect rect;

  g_assert_true (ui_scene_get_rect (scene, item, &rect));
  g_assert_true (ui_scene_hit (scene, rect.x + rect.width / 2, rect.y + rect.height / 2, &found));
  g_assert_cmpint (found.type, ==, item->type);
  g_assert_cmpint (found.query, ==, item->query);
  g_assert_cmpint (found.key, ==, item->key);
  if (item->type == UI_ITEM_QUERY_CELL || item->type == UI_ITEM_KEY_CELL
      || item->type == UI_ITEM_PRODUCT_CELL || item->type == UI_ITEM_VALUE_CELL
      || item->type == UI_ITEM_OUTPUT_CELL)
    g_assert_cmpint (found.dimension, ==, item->dimension);
}

/* The strongest of the links that are the strongest of their rows and join two words, or any two
 * tokens, looked for in the trace itself. FALSE where there is none. */
static gboolean
find_strongest_of (EngTrace *trace,
                   int       head,
                   gboolean  words_only,
                   UiItem   *strongest)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  float most = 0;

  *strongest = (UiItem) { .head = head };
  for (int query = 0; query < N_TOKENS; query++) {
    const float *row = attention->weights + (head * N_TOKENS + query) * N_TOKENS;
    int key = 0;

    for (int i = 1; i < N_TOKENS; i++)
      key = row[i] > row[key] ? i : key;
    if ((words_only && (tokens->special[query] || tokens->special[key])) || row[key] <= most)
      continue;
    most = row[key];
    strongest->query = query;
    strongest->key = key;
  }
  return most > 0;
}

static UiItem
find_strongest (EngTrace *trace,
                int       head)
{
  UiItem item;

  if (!find_strongest_of (trace, head, TRUE, &item))
    g_assert_true (find_strongest_of (trace, head, FALSE, &item));
  return item;
}

/* What is hit in the middle of an item's rectangle is the item. */
static void
test_hits (void)
{
  static const char *const settings[] = {
    "heads=8 pin=2 measure=value-norm", "heads=8 pin=2 sort=true bands=stripes measure=value-norm",
    "heads=8 measure=value-norm"
  };
  static const UiItemType types[] = {
    UI_ITEM_QUERY, UI_ITEM_QUERY_CELL, UI_ITEM_KEY_CELL, UI_ITEM_PRODUCT_CELL,
    UI_ITEM_SCORE, UI_ITEM_SOFTMAX,    UI_ITEM_MEASURE,  UI_ITEM_VALUE_CELL,
    UI_ITEM_KEY,   UI_ITEM_OUTPUT_CELL
  };
  g_autoptr (EngTrace) trace = open_flies ();

  for (gsize s = 0; s < G_N_ELEMENTS (settings); s++) {
    g_autoptr (UiScene) scene = create_scene (trace, settings[s], 1000, 600);
    int pinned = strstr (settings[s], "pin") != NULL ? QUERY : -1;
    int compared = pinned >= 0 ? pinned : find_strongest (trace, HEAD).query;

    for (gsize t = 0; t < G_N_ELEMENTS (types); t++) {
      for (int token = 0; token < N_TOKENS; token++) {
        gboolean of_query = belongs_to_query (types[t]);
        int query = is_of_compared (types[t]) ? compared : pinned;
        UiItem item = { types[t], HEAD, of_query ? token : query, of_query ? -1 : token, 0 };

        if (types[t] == UI_ITEM_OUTPUT_CELL)
          item.key = -1;
        item.dimension = token * 7 % N_DIMENSIONS;
        assert_hit (scene, &item);
      }
    }
  }
}

/* Bias and mask answer to the pointer too, and say what they are. */
static void
test_bias_and_mask_items (void)
{
  static const struct { UiItemType type; int key; const char *words; } cases[] = {
    { UI_ITEM_SCALED_PRODUCT, 0, "position bias" },
    { UI_ITEM_BIAS, 1, "q·k + bias = " },
    { UI_ITEM_MASK, 1, "is not hidden from" },
    { UI_ITEM_MASK, 3, "is hidden from" },
    { UI_ITEM_BIAS, 3, "the model masks it" },
  };
  g_autoptr (EngTrace) trace = open_t5 ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=1 pin=1 kind=decoder", 1000, 600);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiItem item = { cases[i].type, 1, 1, cases[i].key, 0 };
    g_autofree char *sentence = ui_scene_describe (scene, &item);

    assert_hit (scene, &item);
    g_assert_nonnull (strstr (sentence, cases[i].words));
  }
}

/* Each term of a bias answers too, with the whole sum. */
static void
test_position_term_items (void)
{
  static const UiItemType types[] = { UI_ITEM_SCALED_PRODUCT, UI_ITEM_BIAS, UI_ITEM_SECOND_BIAS,
                                      UI_ITEM_SCORE };
  g_autoptr (EngTrace) trace = open_deberta ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=1 pin=1 layer=1", 1000, 600);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    UiItem item = { types[i], 1, 1, 3, 0 };
    g_autofree char *sentence = ui_scene_describe (scene, &item);

    assert_hit (scene, &item);
    g_assert_nonnull (strstr (sentence, ", query to position "));
    g_assert_nonnull (strstr (sentence, ", position to key "));
    g_assert_nonnull (strstr (sentence, "q·k ÷ √15 + q·pos + pos·k = "));
  }
}

/* The cursor walks from the first token over every cell to the last column and back. */
static void
test_moves (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) pinned = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (UiScene) unpinned = create_scene (trace, "heads=8", 1000, 600);
  UiItem item = { 0 };
  int steps = 0;

  g_assert_true (ui_scene_move (pinned, UI_MOVE_DOWN, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (item.query, ==, 0);
  g_assert_false (ui_scene_move (pinned, UI_MOVE_UP, &item));
  while (ui_scene_move (pinned, UI_MOVE_RIGHT, &item))
    steps++;
  g_assert_cmpint (steps, ==, 4 * N_DIMENSIONS + 3);
  g_assert_cmpint (item.type, ==, UI_ITEM_KEY);
  while (ui_scene_move (pinned, UI_MOVE_DOWN, &item))
    steps++;
  g_assert_cmpint (item.key, ==, N_TOKENS - 1);
  while (ui_scene_move (pinned, UI_MOVE_LEFT, &item))
    steps--;
  g_assert_cmpint (steps, ==, N_TOKENS - 1);
  g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (item.query, ==, N_TOKENS - 1);
  g_assert_true (ui_scene_move (pinned, UI_MOVE_LAST, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_KEY);

  /* Below the last value stands the output, and above it that value. */
  g_assert_true (ui_scene_move (pinned, UI_MOVE_LEFT, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_VALUE_CELL);
  g_assert_true (ui_scene_move (pinned, UI_MOVE_DOWN, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_OUTPUT_CELL);
  g_assert_cmpint (item.query, ==, QUERY);
  g_assert_cmpint (item.dimension, ==, N_DIMENSIONS - 1);
  g_assert_false (ui_scene_move (pinned, UI_MOVE_DOWN, &item));
  g_assert_true (ui_scene_move (pinned, UI_MOVE_LEFT, &item));
  g_assert_cmpint (item.dimension, ==, N_DIMENSIONS - 2);
  g_assert_true (ui_scene_move (pinned, UI_MOVE_UP, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_VALUE_CELL);
  g_assert_cmpint (item.key, ==, N_TOKENS - 1);

  item = (UiItem) { 0 };
  ui_scene_move (unpinned, UI_MOVE_DOWN, &item);
  for (steps = 0; ui_scene_move (unpinned, UI_MOVE_RIGHT, &item); steps++)
    ;
  g_assert_cmpint (steps, ==, 4 * N_DIMENSIONS + 3);
}

/* Pinned, a token under the pointer changes no number; unpinned, it shows its comparison. */
static void
test_hover (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) pinned = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (UiScene) unpinned = create_scene (trace, "heads=8", 1000, 600);
  UiItem hover = { UI_ITEM_QUERY, HEAD, QUERY, -1, 0 };
  g_autofree char *over_pinned = scene_case_print (pinned, &hover);
  g_autofree char *preview = scene_case_print (unpinned, &hover);
  g_autofree char *without = scene_case_print (unpinned, NULL);

  g_assert_null (strstr (over_pinned, "text"));
  g_assert_nonnull (strstr (preview, "+2.91"));
  g_assert_nonnull (strstr (preview, "0.338"));
  g_assert_null (strstr (without, "0.338"));
}

/* Of several pinned queries the first is explained, which the headline says; all look pinned. */
static void
test_two_pinned (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) one = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (UiScene) two = create_scene (trace, "heads=8 pin=2,4", 1000, 600);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autofree char *drawing = scene_case_print (two, NULL);
  g_autofree char *of_one = ui_scene_headline (one);
  g_autofree char *headline = ui_scene_headline (two);
  g_autofree char *explained = g_strdup_printf (" Explained: “%s”", tokens->texts[2]);
  g_auto (GStrv) lines = g_strsplit (drawing, "\n", -1);
  int n_pinned = 0;

  for (int i = 0; lines[i] != NULL; i++)
    for (int token = 2; token <= 4; token += 2) {
      g_autofree char *end = g_strdup_printf (" right #ffffff %s", tokens->texts[token]);

      n_pinned += g_str_has_suffix (lines[i], end);
    }
  g_assert_cmpint (n_pinned, ==, 2);
  g_assert_nonnull (strstr (headline, explained));
  g_assert_true (g_str_has_suffix (headline, ", the first of 2 pinned."));
  g_assert_null (strstr (of_one, "Explained"));
}

static void
assert_unpinned (EngTrace *trace,
                 int       head)
{
  g_autofree char *settings = g_strdup_printf ("heads=%d", head);
  g_autoptr (UiScene) scene = create_scene (trace, settings, 1000, 600);
  g_autofree char *drawing = scene_case_print (scene, NULL);
  g_autofree char *headline = ui_scene_headline (scene);
  g_autofree char *legend = ui_scene_legend (scene);
  UiItem item = find_strongest (trace, head);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autofree char *reads = g_strdup_printf ("Why <b>“%s”", tokens->texts[item.query]);
  g_autofree char *read = g_strdup_printf ("reads <b>“%s”", tokens->texts[item.key]);
  UiPins pins = { 0 };

  g_assert_nonnull (strstr (drawing, "Σ softmax × v"));
  g_assert_nonnull (strstr (headline, reads));
  g_assert_nonnull (strstr (headline, read));
  g_assert_nonnull (strstr (legend, "No token is pinned: the query of the strongest link, “"));
  item.type = UI_ITEM_SOFTMAX;
  ui_item_pin (&item, scene, ui_view_get (UI_VIEW_NEURON), FALSE, &pins);
  g_assert_cmpint (pins.n_queries, ==, 1);
  g_assert_cmpint (pins.queries[0], ==, item.query);
  g_assert_cmpint (pins.n_keys, ==, 1);
  g_assert_cmpint (pins.keys[0], ==, item.key);
  ui_pins_clear (&pins);
}

/* Nothing is pinned: what the strongest link is made of is drawn, and a click on it pins it. Words
 * come before special tokens, which most heads read most. */
static void
test_unpinned (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  int n_heads = eng_trace_get_n_heads (trace, ENG_KIND_ENCODER);
  int n_heads_of_words = 0;

  for (int head = 0; head < n_heads; head++) {
    UiItem item;

    n_heads_of_words += find_strongest_of (trace, head, TRUE, &item);
    assert_unpinned (trace, head);
  }
  g_assert_cmpint (n_heads_of_words, >, 0);
  g_assert_cmpint (n_heads_of_words, <, n_heads);
}

/* The first token of a causal text can read itself alone: another is explained. */
static void
test_unpinned_causal (void)
{
  g_autoptr (EngTrace) trace = open_t5 ();
  int n_heads = eng_trace_get_n_heads (trace, ENG_KIND_DECODER);

  for (int head = 0; head < n_heads; head++) {
    g_autofree char *settings = g_strdup_printf ("heads=%d kind=decoder", head);
    g_autoptr (UiScene) scene = create_scene (trace, settings, 1000, 600);

    g_assert_cmpint (((UiNeuronScene *) scene)->query, >, 0);
  }
}

/* A token that is read is pinned: the one that reads it most is compared with it. */
static void
test_pinned_key (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  const float *weights = attention->weights + HEAD * N_TOKENS * N_TOKENS;
  int n_others = 0;

  for (int key = 0; key < N_TOKENS; key++) {
    g_autofree char *settings = g_strdup_printf ("heads=8 pin=k:%d", key);
    g_autoptr (UiScene) scene = create_scene (trace, settings, 1000, 600);
    g_autofree char *headline = ui_scene_headline (scene);
    g_autofree char *legend = ui_scene_legend (scene);
    g_autofree char *reads = NULL;
    int reader = 0;
    UiItem subject;

    for (int query = 1; query < N_TOKENS; query++)
      if (weights[query * N_TOKENS + key] > weights[reader * N_TOKENS + key])
        reader = query;
    g_assert_true (ui_scene_get_subject (scene, &subject));
    g_assert_cmpint (subject.query, ==, reader);
    g_assert_cmpint (subject.key, ==, key);
    reads = g_strdup_printf ("Why <b>“%s”", tokens->texts[reader]);
    g_assert_nonnull (strstr (headline, reads));
    g_assert_nonnull (strstr (legend, " A token that is read is pinned: its strongest reader, “"));
    g_assert_null (strstr (legend, "No token is pinned"));
    n_others += reader != find_strongest (trace, HEAD).query;
  }
  g_assert_cmpint (n_others, >, 0);
}

/* The row of the key where a query's way leads is tinted through to its token, that of a key which
 * is pointed at, too. */
static void
test_lane (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2,k:5", 1000, 600);
  g_autofree char *drawing = scene_case_print (scene, NULL);
  UiItem other = { UI_ITEM_SCORE, HEAD, QUERY, 9, 0 };
  UiItem same = { UI_ITEM_SCORE, HEAD, QUERY, 5, 0 };
  g_autofree char *over_other = scene_case_print (scene, &other);
  g_autofree char *over_same = scene_case_print (scene, &same);

  g_assert_nonnull (strstr (drawing, LANE));
  g_assert_nonnull (strstr (over_other, LANE));
  g_assert_null (strstr (over_same, LANE));
  g_assert_nonnull (strstr (over_other, "link head 8"));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/neuron/two-pinned", test_two_pinned);
  g_test_add_func ("/scene/neuron/describe", test_describe);
  g_test_add_func ("/scene/neuron/strange-items", test_strange_items);
  g_test_add_func ("/scene/neuron/hits", test_hits);
  g_test_add_func ("/scene/neuron/bias-and-mask-items", test_bias_and_mask_items);
  g_test_add_func ("/scene/neuron/position-terms", test_position_term_items);
  g_test_add_func ("/scene/neuron/moves", test_moves);
  g_test_add_func ("/scene/neuron/hover", test_hover);
  g_test_add_func ("/scene/neuron/unpinned", test_unpinned);
  g_test_add_func ("/scene/neuron/unpinned-causal", test_unpinned_causal);
  g_test_add_func ("/scene/neuron/pinned-key", test_pinned_key);
  g_test_add_func ("/scene/neuron/lane", test_lane);
  return g_test_run ();
}
