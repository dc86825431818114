/* SPDX-License-Identifier: MIT */
/* What edits are called, with and without the tokens of a run. */
#include "ui/scene/base/edit-words.h"

#include "engine/trace/trace-private.h"
#include "tests/support/made-trace.h"

static void
assert_words (const char     *text,
              const EngTrace *trace,
              const char     *expected)
{
  g_autofree char *words = NULL;
  EngEdit edit;

  g_assert_true (eng_edit_parse (text, &edit, NULL));
  words = ui_edit_describe (&edit, trace);
  g_assert_cmpstr (words, ==, expected);
  g_assert_true (g_str_has_suffix (ui_edit_explain (&edit), "."));
}

static void
test_words (void)
{
  assert_words ("zero 2.9", NULL, "Zero head 9 of layer 2");
  assert_words ("zero cross 2.*", NULL, "Zero all heads of cross-attention layer 2");
  assert_words ("scale decoder 2.9 -0.5", NULL, "Scale head 9 of decoder layer 2 by -0.5");
  assert_words ("uniform 0.1", NULL, "Uniform rows in head 1 of layer 0");
  assert_words ("cut 2.9 4 7", NULL, "Cut token 4 → token 7 in head 9 of layer 2");
  assert_words ("cut 2.9 * 3-5", NULL, "Cut all tokens → token 3 to token 5 in head 9 of layer 2");
  assert_words ("cut 2.9 4 7 renormalise", NULL,
                "Cut token 4 → token 7 in head 9 of layer 2, renormalised");
  assert_words ("knock-out cross 4", NULL, "Knock out token 4 in cross-attention");
  assert_words ("skip-attention 2", NULL, "Skip attention of layer 2");
  assert_words ("skip-feed-forward decoder 2", NULL, "Skip feed-forward of decoder layer 2");
  assert_words ("temperature 2.9 0.5", NULL, "Temperature 0.5 in head 9 of layer 2");
  assert_words ("score-scale 2.* 1", NULL, "Scores of all heads of layer 2 times 1");
  assert_words ("head-mask 2.9 none", NULL, "No mask in head 9 of layer 2");
  assert_words ("head-mask cross 2.9 padding", NULL,
                "Padding mask in head 9 of cross-attention layer 2");
  assert_words ("no-projections 2.9", NULL, "Projections off in head 9 of layer 2");
  assert_words ("zero-dimension 2.9 17", NULL, "Dimension 17 off in head 9 of layer 2");
  assert_words ("no-positions decoder 2", NULL, "Positions off in decoder layer 2");
  assert_words ("no-positions *", NULL, "Positions off");
  assert_words ("no-segments", NULL, "Segments off");
  assert_words ("mask decoder 4", NULL, "Mask decoder token 4");
  assert_words ("delete 4", NULL, "Delete token 4");
  assert_words ("swap 4 7", NULL, "Swap the words of token 4 and token 7");
}

/* Tokens of the run have their names. */
static void
test_tokens (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 2, 1);

  assert_words ("cut 0.1 1 2", trace, "Cut “w1” (1) → “w2” (2) in head 1 of layer 0");
  assert_words ("knock-out 0", trace, "Knock out “w0” (0)");
  assert_words ("knock-out 99", trace, "Knock out token 99");
  assert_words ("knock-out decoder 1", trace, "Knock out decoder token 1");
  assert_words ("mask 1", trace, "Mask “w1” (1)");
}

static void
assert_brief (const char     *text,
              const EngTrace *trace,
              const char     *expected)
{
  g_autofree char *words = ui_edit_describe_text (text, trace, trace);

  g_assert_cmpstr (words, ==, expected);
}

/* As a chip says it. */
static void
test_brief (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 2, 1);

  assert_brief ("temperature cross 2.9 3", NULL, "Temperature 3 in cross-attention 2.9");
  assert_brief ("head-mask 2.* causal", NULL, "Causal mask in layer 2");
  assert_brief ("no-positions decoder 2", NULL, "Positions off in decoder layer 2");
  assert_brief ("off zero 3.11", NULL, "Zero head 3.11");
  assert_brief ("zero 3.*", NULL, "Zero layer 3");
  assert_brief ("scale cross 3.11 0.5", NULL, "Scale cross-attention head 3.11 by 0.5");
  assert_brief ("uniform 3.11", NULL, "Uniform rows in 3.11");
  assert_brief ("cut 0.1 0-1 * renormalise", trace,
                "Cut “w0” to “w1” → all tokens in 0.1, renormalised");
  assert_brief ("cut 0.1 1 2", trace, "Cut “w1” → “w2” in 0.1");
  assert_brief ("cut 3.* 1 2 renormalise", NULL, "Cut token 1 → token 2 in layer 3, renormalised");
  assert_brief ("knock-out 0", trace, "Knock out “w0”");
  assert_brief ("skip-attention cross 3", NULL, "Skip cross-attention 3");
  assert_brief ("skip-feed-forward 3", NULL, "Skip feed-forward 3");
  assert_brief ("skip-feed-forward decoder 3", NULL, "Skip decoder feed-forward 3");
  assert_brief ("mask 1", trace, "Mask “w1”");
  assert_brief ("delete 1", trace, "Delete “w1”");
  assert_brief ("swap 1 2", trace, "Swap “w1” and “w2”");
  assert_brief ("melt 2.9", trace, "melt 2.9");
}

static void
assert_zero (const char *const *edits,
             UiHeadZero         zero,
             UiHeadZero         of_next)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 4, 3);

  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_strdupv ((char **) edits);
  g_assert_cmpint (ui_edit_find_zero (trace, ENG_KIND_ENCODER, 1, 2), ==, zero);
  g_assert_cmpint (ui_edit_find_zero (trace, ENG_KIND_ENCODER, 1, 3), ==, of_next);
  g_assert_cmpint (ui_edit_find_zero (trace, ENG_KIND_ENCODER, 2, 2), ==, UI_HEAD_ADDS);
}

/* What a head's own edits took can be given back, what those of its layer took not by it alone. */
static void
test_zero (void)
{
  assert_zero ((const char *const[]) { NULL }, UI_HEAD_ADDS, UI_HEAD_ADDS);
  assert_zero ((const char *const[]) { "scale 1.2 0.5", "uniform 1.2", NULL }, UI_HEAD_ADDS,
               UI_HEAD_ADDS);
  assert_zero ((const char *const[]) { "zero 1.2", NULL }, UI_HEAD_ZEROED, UI_HEAD_ADDS);
  assert_zero ((const char *const[]) { "scale 1.2 0", NULL }, UI_HEAD_ZEROED, UI_HEAD_ADDS);
  assert_zero ((const char *const[]) { "zero decoder 1.2", NULL }, UI_HEAD_ADDS, UI_HEAD_ADDS);
  assert_zero ((const char *const[]) { "zero 1.*", "zero 1.2", NULL }, UI_HEAD_ZEROED_BY_ALL,
               UI_HEAD_ZEROED_BY_ALL);
  assert_zero ((const char *const[]) { "zero 1.2", "skip-attention 1", NULL },
               UI_HEAD_ZEROED_BY_ALL, UI_HEAD_ZEROED_BY_ALL);
}

static void
assert_together (const char *const *edits,
                 int                n,
                 const char        *words,
                 const char        *brief)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 4, 3);
  g_autofree char *full = NULL, *shorter = NULL;

  g_assert_cmpint (ui_edit_count_together (edits), ==, n);
  if (words == NULL)
    return;
  full = ui_edit_describe_together (edits, n, trace, FALSE);
  shorter = ui_edit_describe_together (edits, n, trace, TRUE);
  g_assert_cmpstr (full, ==, words);
  g_assert_cmpstr (shorter, ==, brief);
}

/* Scattered cuts of one head are one thing, a few say more by themselves; what two have in common is
 * one link. */
static void
test_together (void)
{
  assert_together ((const char *const[]) { "cut 1.2 0 1", "cut 1.2 1 2", "cut 1.2 2 3", NULL }, 1,
                   NULL, NULL);
  assert_together ((const char *const[]) { "cut 1.2 0 1", "cut 1.2 1 2-3", "cut 1.2 * 3",
                                           "cut 1.2 4 0", "zero 1.2", NULL }, 4,
                   "10 links cut in head 2 of layer 1", "10 links cut in 1.2");
  assert_together ((const char *const[]) { "off cut 1.2 0 1 renormalise", "off cut 1.2 1 2 renormalise",
                                           "off cut 1.2 2 3 renormalise",
                                           "off cut 1.2 3 0 renormalise", NULL }, 4,
                   "4 links hidden in head 2 of layer 1", "4 links hidden in 1.2");
  assert_together ((const char *const[]) { "cut 1.2 0 1", "cut 1.2 1 2", "cut 1.3 2 3", "cut 1.3 2 4",
                                           "cut 1.3 2 5", NULL }, 1, NULL, NULL);
  assert_together ((const char *const[]) { "cut 1.2 0 1", "cut 1.2 1 2", "cut 1.2 2 3 renormalise",
                                           "off cut 1.2 2 4", "cut 1.2 2 5", NULL }, 1, NULL, NULL);
  assert_together ((const char *const[]) { "zero 1.2", "zero 1.2", "zero 1.2", "zero 1.2", NULL }, 1,
                   NULL, NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit-words/words", test_words);
  g_test_add_func ("/edit-words/tokens", test_tokens);
  g_test_add_func ("/edit-words/brief", test_brief);
  g_test_add_func ("/edit-words/zero", test_zero);
  g_test_add_func ("/edit-words/together", test_together);
  return g_test_run ();
}
