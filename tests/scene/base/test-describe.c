/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/describe.h"

#include <locale.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/fields.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/views/factory.h"

static const UiSceneOptions options = { .width = 992, .view_height = 600, .text_scale = 1 };

/* Head h gives 0.7 from token i to token (i + h) mod n; see scene-trace.h. */
static UiScene *
make_scene (EngTrace   *trace,
            const char *heads,
            const char *pins,
            UiFilter    filter,
            gboolean    renormalise)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  fields_set (document, "heads", heads);
  fields_set (document, "pin", pins);
  document->filter = filter;
  document->renormalise = renormalise;
  return scene_case_new (trace, document, &options);
}

static void
test_weight (void)
{
  static const struct { double weight; const char *words; } cases[] = {
    { 1, "1.00" }, { 0.7204, "0.72" }, { 0.0996, "0.10" }, { 0.0994, "0.099" }, { 0.043, "0.043" },
    { 1 / 255.0, "0.004" }, { 0.0006, "0.001" }, { 0.0004, "<0.001" }, { 0, "0" }, { 2.5, "2.50" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words = ui_describe_weight (cases[i].weight);

    g_assert_cmpstr (words, ==, cases[i].words);
  }
}

static void
test_link (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) scene = make_scene (trace, "all", "", UI_FILTER_ALL, FALSE);
  UiItem item = { .type = UI_ITEM_LINK, .head = 2, .query = 1, .key = 3 };
  g_autofree char *strong = ui_scene_describe (scene, &item);
  g_autofree char *weak = NULL;

  item.key = 4;
  weak = ui_scene_describe (scene, &item);
  g_assert_cmpstr (strong, ==, "“w1” (1) reads “[SEP]” (3) with weight 0.70 in head 2 of layer 0.");
  g_assert_cmpstr (weak, ==, "“w1” (1) reads “w4” (4) with weight 0.050 in head 2 of layer 0.");
}

static void
test_token (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) scene = make_scene (trace, "2", "", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) all = make_scene (trace, "all", "", UI_FILTER_ALL, FALSE);
  UiItem query = { .type = UI_ITEM_QUERY, .query = 5 };
  UiItem key = { .type = UI_ITEM_KEY, .key = 3 };
  g_autofree char *reads = ui_scene_describe (scene, &query);
  g_autofree char *is_read = ui_scene_describe (scene, &key);
  g_autofree char *mean = ui_scene_describe (all, &key);

  /* (5 + 2) mod 7 = 0; the rest shares 0.3 among six. */
  g_assert_cmpstr (reads, ==,
                   "“w5” (5), sentence B, reads “w0” (0) most, with weight 0.70; "
                   "then “w1” (1) 0.050, “w2” (2) 0.050 (head 2 of layer 0).");
  g_assert_cmpstr (is_read, ==,
                   "“[SEP]” (3), sentence A, is read by “w1” (1) most, with weight 0.70; "
                   "then “w0” (0) 0.050, “w2” (2) 0.050 (head 2 of layer 0).");
  /* One head of three gives 0.7, two give 0.05. */
  g_assert_cmpstr (mean, ==,
                   "“[SEP]” (3), sentence A, is read by “w1” (1) most, with weight 0.27; "
                   "then “w2” (2) 0.27, “[SEP]” (3) 0.27 (mean of all 3 heads of layer 0).");
}

/* Beside pins the numbers are those with them. */
static void
test_beside_pins (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) one = make_scene (trace, "2", "1", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) two = make_scene (trace, "all", "1,2", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) read = make_scene (trace, "all", "k:3", UI_FILTER_ALL, FALSE);
  UiItem key = { .type = UI_ITEM_KEY, .key = 3 };
  UiItem query = { .type = UI_ITEM_QUERY, .query = 1 };
  UiItem pinned = { .type = UI_ITEM_QUERY, .query = 2 };
  g_autofree char *first = ui_scene_describe (one, &key);
  g_autofree char *second = ui_scene_describe (two, &key);
  g_autofree char *third = ui_scene_describe (read, &query);
  g_autofree char *own = ui_scene_describe (two, &pinned);

  g_assert_cmpstr (first, ==, "“[SEP]” (3) is read by the pinned “w1” (1) with weight 0.70 "
                              "(head 2 of layer 0).");
  g_assert_cmpstr (second, ==, "“[SEP]” (3) is read by the pinned "
                               "“w1” (1) with weight 0.27, most in head 2: 0.70; "
                               "“w2” (2) with weight 0.27, most in head 1: 0.70 "
                               "(mean of all 3 heads of layer 0).");
  g_assert_cmpstr (third, ==, "“w1” (1) reads the pinned “[SEP]” (3) with weight 0.27, "
                              "most in head 2: 0.70 (mean of all 3 heads of layer 0).");
  g_assert_nonnull (strstr (own, " reads "));
  g_assert_null (strstr (own, "the pinned"));
}

static void
test_renormalised (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) scene = make_scene (trace, "2", "", UI_FILTER_BA, TRUE);
  UiItem item = { .type = UI_ITEM_LINK, .head = 2, .query = 5, .key = 0 };
  UiItem empty = { .type = UI_ITEM_QUERY, .query = 1 };
  g_autofree char *words = ui_scene_describe (scene, &item);
  g_autofree char *none = ui_scene_describe (scene, &empty);
  g_autofree char *legend = ui_scene_legend (scene);

  /* Of row 5 the columns of A are left: 0.7 + 3 × 0.05 = 0.85. */
  g_assert_cmpstr (words, ==, "“w5” (5) reads “w0” (0) with weight 0.82 (rows renormalised) "
                              "in head 2 of layer 0.");
  g_assert_cmpstr (none, ==, "“w1” (1), sentence A, reads nothing that is shown "
                             "(head 2 of layer 0, rows renormalised).");
  g_assert_cmpstr (legend, ==,
                   "Opacity = weight × 1.5, at most 1; strongest last. Links under 0.004 are "
                   "not drawn. Only B→A: what B reads of A. Rows renormalised: each head's row "
                   "is brought back to 1 after the filter.");
}

/* Without a filter each row is whole. */
static void
test_nothing_to_renormalise (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) plain = make_scene (trace, "all", "2", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) asked = make_scene (trace, "all", "2", UI_FILTER_ALL, TRUE);
  UiItem item = { .type = UI_ITEM_LINK, .head = 2, .query = 5, .key = 0 };
  g_autofree char *plain_words = ui_scene_describe (plain, &item);
  g_autofree char *asked_words = ui_scene_describe (asked, &item);
  g_autofree char *plain_legend = ui_scene_legend (plain);
  g_autofree char *asked_legend = ui_scene_legend (asked);

  g_assert_cmpstr (asked_words, ==, plain_words);
  g_assert_cmpstr (asked_legend, ==, plain_legend);
  g_assert_null (strstr (asked_legend, "enormalised"));
}

static void
test_legend (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (EngTrace) cross = scene_trace_new_cross (3, 5, 2);
  g_autoptr (UiScene) filtered = make_scene (trace, "all", "2,3", UI_FILTER_AB, FALSE);
  g_autoptr (UiScene) masked = make_scene (cross, "all", "", UI_FILTER_ALL, FALSE);
  g_autofree char *first = ui_scene_legend (filtered);
  g_autofree char *second = ui_scene_legend (masked);

  g_assert_nonnull (strstr (first, "Only A→B: what A reads of B. Weights as they are, "
                                   "so a row need not sum to 1."));
  g_assert_nonnull (strstr (first, "Bars: weight by head, up to 1; sum of the pinned rows "
                                   "“w2” (2) and “[SEP]” (3)."));
  g_assert_nonnull (strstr (second, " Mask: 9 of 15 pairs are hidden; 2 tokens are hidden from "
                                    "all. Hatched: hidden from all."));
}

static void
test_caption_and_summary (void)
{
  static const char *const a[] = { "time", "flies", NULL };
  static const char *const b[] = { "fruit", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (a, b, 4);
  g_autoptr (EngTrace) made = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) some = make_scene (trace, "0,2,3", "", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) pinned = make_scene (made, "1", "2,k:3", UI_FILTER_ALL, FALSE);
  g_autofree char *caption = ui_scene_caption (some);
  g_autofree char *summary = ui_scene_summarise (pinned);

  g_assert_cmpstr (caption, ==, "made · layer 0 · heads 0, 2 and 3 · A: “time flies” · B: “fruit”");
  g_assert_cmpstr (summary, ==,
                   "Head view of layer 0, head 1, 7 tokens. Pinned: “w2” (2) as what reads. "
                   "Pinned: “[SEP]” (3) as what is read. Strongest: "
                   "“w2” (2) reads “[SEP]” (3) with weight 0.70 in head 1 of layer 0.");
}

/* Where nobody typed a B the caption says what the decoder wrote. */
static void
test_caption_of_written (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_two_stacks (3, 4);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *caption = NULL;
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_DECODER);

  trace->text_a = g_strdup ("source");
  scene = make_scene (trace, "all", "", UI_FILTER_ALL, FALSE);
  caption = ui_scene_caption (scene);
  g_test_message ("%s", caption);
  g_assert_nonnull (strstr (caption, " · A: “source” · written: “"));
  for (int i = 0; i < tokens->n; i++)
    g_assert_cmpint (strstr (strstr (caption, "written"), tokens->texts[i]) == NULL, ==,
                     tokens->special[i]);
}

static void
test_kinds_are_named (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (3, 5, 2);
  g_autoptr (UiScene) alone = make_scene (trace, "all", "", UI_FILTER_ALL, FALSE);
  g_autofree char *layer = ui_describe_layer (alone);
  g_autofree char *summary = ui_scene_summarise (alone);
  g_autofree char *among = NULL;

  g_assert_cmpstr (layer, ==, "layer 0");
  g_assert_true (g_str_has_prefix (summary, "Head view of layer 0, all 2 heads, "
                                            "3 tokens that read 5 tokens."));
  trace->blocks[ENG_KIND_ENCODER].present = TRUE;
  among = ui_describe_layer (alone);
  trace->blocks[ENG_KIND_ENCODER].present = FALSE;
  g_assert_cmpstr (among, ==, "layer 0 of the cross-attention");
}

static char *
describe_token (UiScene    *scene,
                UiItemType  type,
                int         token)
{
  UiItem item = { .type = type, .query = token, .key = token };

  return ui_scene_describe (scene, &item);
}

/* In words and in the drawing: which stack a column is of, and which of the two texts. */
static void
test_two_stacks (void)
{
  static const struct { const char *kind, *reads, *is_read, *plain, *summary; } kinds[] = {
    { "encoder", "encoder reads", "encoder is read", "A line runs from the word that reads to the ",
      "Head view of layer 0 of the encoder, all 4 heads, 4 tokens." },
    { "decoder", "decoder reads", "decoder is read", "A line runs from the word that reads to the ",
      "Head view of layer 0 of the decoder, all 2 heads, 6 tokens." },
    { "cross", "decoder reads", "encoder is read",
      "A line runs from the decoder's word, which reads, to",
      "Head view of layer 0 of the cross-attention, all 2 heads, 6 tokens that read 4 tokens." },
  };
  g_autoptr (EngTrace) trace = scene_trace_new_two_stacks (4, 6);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autofree char *plain = NULL;
    g_autofree char *summary = NULL;
    g_autofree char *reader = NULL;
    g_autofree char *read = NULL;

    g_assert_true (ui_document_set (document, ui_fields_find ("kind"), kinds[i].kind, NULL));
    scene = ui_scene_new (trace, document, &options, NULL);
    g_assert_cmpstr (ui_describe_heading (scene, FALSE), ==, kinds[i].reads);
    g_assert_cmpstr (ui_describe_heading (scene, TRUE), ==, kinds[i].is_read);
    plain = ui_scene_explain (scene);
    g_assert_true (g_str_has_prefix (plain, kinds[i].plain));
    summary = ui_scene_summarise (scene);
    g_assert_true (g_str_has_prefix (summary, kinds[i].summary));
    reader = describe_token (scene, UI_ITEM_QUERY, 3);
    read = describe_token (scene, UI_ITEM_KEY, 3);
    g_assert_true (g_str_has_prefix (reader, i == 0 ? "“w3” (3), source, reads "
                                                    : "“w3” (3), target, reads "));
    g_assert_true (g_str_has_prefix (read, i == 1 ? "“w3” (3), target, is read by "
                                                  : "“w3” (3), source, is read by "));
  }
}

/* How the vocabulary spells a token is said where the drawing shows something else. */
static void
test_piece (void)
{
  static const char *const a[] = { " caf", "é", "##s", NULL };
  static const char *const pieces[] = { "[CLS]", "Ġcaf", "Ã©", "##s", "[SEP]" };
  static const char *const expected[] = { NULL, "“Ġcaf”", "“Ã©”", NULL, NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (a, NULL, 2);
  EngTokens *tokens = trace->blocks[ENG_KIND_ENCODER].query_tokens;
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *sentence = NULL;

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *piece = NULL;

    g_free (tokens->pieces[i]);
    tokens->pieces[i] = g_strdup (pieces[i]);
    piece = ui_describe_piece (tokens, i);
    g_assert_cmpstr (piece, ==, expected[i]);
  }
  scene = make_scene (trace, "all", "", UI_FILTER_ALL, FALSE);
  sentence = describe_token (scene, UI_ITEM_QUERY, 1);
  g_assert_true (g_str_has_prefix (sentence, "“caf” (1) reads "));
  g_assert_true (g_str_has_suffix (sentence, "(mean of all 2 heads of layer 0). Piece: “Ġcaf”."));
}

/* Invisible characters become visible, nothing is cut, and right-to-left text keeps to its place.
 */
static void
test_odd_tokens (void)
{
  static const char *const a[] = {
    "\u202e", "Donaudampfschifffahrtsgesellschaftskapitän", "العالم", NULL
  };
  g_autoptr (EngTrace) trace = scene_trace_new (a, NULL, 1);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autofree char *first = ui_describe_token (tokens, 1);
  g_autofree char *second = ui_describe_token (tokens, 2);
  g_autofree char *third = ui_describe_token (tokens, 3);

  g_assert_cmpstr (first, ==, "“<U+202E>” (1)");
  g_assert_cmpstr (second, ==, "“Donaudampfschifffahrtsgesellschaftskapitän” (2)");
  g_assert_cmpstr (third, ==, "\u200e“\u2068العالم\u2069” (3)");
}

/* An unknown token is said, and drawn, with what was typed; a word of several pieces as a whole. */
static void
test_typed (void)
{
  static const char *const a[] = { "in", "[UNK]", "##s", "[UNK]", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (a, NULL, 1);
  EngTokens *tokens = trace->blocks[ENG_KIND_ENCODER].query_tokens;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *brief = NULL;
  g_autofree char *place = ui_tokens_write_place ("24", 105);
  g_autofree char *name = NULL;
  g_autofree char *known = ui_describe_token (tokens, 1);
  g_autoptr (EngTokens) words = NULL;

  tokens->typed[2] = g_strdup ("Łódź");
  tokens->typed[4] = g_strdup ("العالم");
  first = ui_describe_token (tokens, 2);
  second = ui_describe_token (tokens, 4);
  shown = ui_tokens_dup_shown (tokens, 2);
  brief = ui_tokens_dup_brief (tokens, 2);
  name = ui_describe_name (tokens, 2);
  g_assert_cmpstr (known, ==, "“in” (1)");
  g_assert_cmpstr (first, ==, "“[UNK] \u2068Łódź\u2069” (2)");
  g_assert_cmpstr (second, ==, "“[UNK] \u2068العالم\u2069” (4)");
  g_assert_cmpstr (shown, ==, "[UNK] Łódź");
  g_assert_cmpstr (place, ==, "24 ₁₀₅");
  g_assert_cmpstr (brief, ==, "?\u2009Łódź");
  g_assert_null (ui_tokens_dup_brief (tokens, 1));
  g_assert_cmpstr (name, ==, "“[UNK] \u2068Łódź\u2069”");

  words = ui_block_name_by_word (tokens);
  g_assert_cmpstr (words->typed[2], ==, "Łódźs");
  g_assert_null (words->typed[1]);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/describe/weight", test_weight);
  g_test_add_func ("/scene/describe/link", test_link);
  g_test_add_func ("/scene/describe/token", test_token);
  g_test_add_func ("/scene/describe/beside-pins", test_beside_pins);
  g_test_add_func ("/scene/describe/renormalised", test_renormalised);
  g_test_add_func ("/scene/describe/nothing-to-renormalise", test_nothing_to_renormalise);
  g_test_add_func ("/scene/describe/legend", test_legend);
  g_test_add_func ("/scene/describe/caption-and-summary", test_caption_and_summary);
  g_test_add_func ("/scene/describe/caption-of-written", test_caption_of_written);
  g_test_add_func ("/scene/describe/kinds-are-named", test_kinds_are_named);
  g_test_add_func ("/scene/describe/two-stacks", test_two_stacks);
  g_test_add_func ("/scene/describe/piece", test_piece);
  g_test_add_func ("/scene/describe/odd-tokens", test_odd_tokens);
  g_test_add_func ("/scene/describe/typed", test_typed);
  return g_test_run ();
}
