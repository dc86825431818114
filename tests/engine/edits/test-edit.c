/* SPDX-License-Identifier: MIT */
#include "engine/edits/edit.h"

#include <locale.h>
#include <string.h>

#include "engine/base/error.h"

typedef struct {
  const char *text;
  EngEdit     edit;
  const char *printed; /* NULL: as text */
} Form;

/* Kind of an edit that names none. */
#define A .kind = ENG_KIND_NOT_SAID

static const Form forms[] = {
  { "zero 2.9", { ENG_EDIT_SCALE_HEAD, 2, 9, A }, NULL },
  { "zero 2.*", { ENG_EDIT_SCALE_HEAD, 2, ENG_ALL_HEADS, A }, NULL },
  { "zero encoder 2.9", { ENG_EDIT_SCALE_HEAD, 2, 9, .kind = ENG_KIND_ENCODER }, NULL },
  { "zero cross 2.9", { ENG_EDIT_SCALE_HEAD, 2, 9, .kind = ENG_KIND_CROSS }, NULL },
  { "scale 0.11 0.5", { ENG_EDIT_SCALE_HEAD, 0, 11, .factor = 0.5f, A }, NULL },
  { "scale 0.11 -2", { ENG_EDIT_SCALE_HEAD, 0, 11, .factor = -2, A }, NULL },
  { "scale 0.1 0.1", { ENG_EDIT_SCALE_HEAD, 0, 1, .factor = 0.1f, A }, NULL },
  { "scale 0.1 0.33333334", { ENG_EDIT_SCALE_HEAD, 0, 1, .factor = 1.0f / 3, A }, NULL },
  { "scale decoder 0.1 2", { ENG_EDIT_SCALE_HEAD, 0, 1, .factor = 2, .kind = ENG_KIND_DECODER },
    NULL },
  { "scale 0.1 0", { ENG_EDIT_SCALE_HEAD, 0, 1, A }, "zero 0.1" },
  { "uniform 3.0", { ENG_EDIT_UNIFORM_ROWS, 3, 0, A }, NULL },
  { "  uniform\t3.*  ", { ENG_EDIT_UNIFORM_ROWS, 3, ENG_ALL_HEADS, A }, "uniform 3.*" },
  { "uniform  cross 1.*", { ENG_EDIT_UNIFORM_ROWS, 1, ENG_ALL_HEADS, .kind = ENG_KIND_CROSS },
    "uniform cross 1.*" },
  { "cut 2.9 4 7", { ENG_EDIT_CUT_EDGE, 2, 9, 4, 7, A }, NULL },
  { "cut 2.* 4 7 renormalise",
    { ENG_EDIT_CUT_EDGE, 2, ENG_ALL_HEADS, 4, 7, .renormalise = TRUE, A }, NULL },
  { "cut decoder 0.1 3 2", { ENG_EDIT_CUT_EDGE, 0, 1, 3, 2, .kind = ENG_KIND_DECODER }, NULL },
  { "cut 2.9 3-5 *", { ENG_EDIT_CUT_EDGE, 2, 9, 3, ENG_ALL_TOKENS, .n_more_queries = 2, A }, NULL },
  { "cut cross 2.9 * 4-7 renormalise",
    { ENG_EDIT_CUT_EDGE, 2, 9, ENG_ALL_TOKENS, 4, .renormalise = TRUE, .n_more_keys = 3,
      .kind = ENG_KIND_CROSS }, NULL },
  { "cut 2.9 4-4 7", { ENG_EDIT_CUT_EDGE, 2, 9, 4, 7, A }, "cut 2.9 4 7" },
  { "knock-out 12", { ENG_EDIT_KNOCK_OUT_TOKEN, .key = 12, A }, NULL },
  { "knock-out decoder 3", { ENG_EDIT_KNOCK_OUT_TOKEN, .key = 3, .kind = ENG_KIND_DECODER }, NULL },
  { "knock-out cross 3", { ENG_EDIT_KNOCK_OUT_TOKEN, .key = 3, .kind = ENG_KIND_CROSS }, NULL },
  { "skip-attention 5", { ENG_EDIT_SKIP_ATTENTION, 5, A }, NULL },
  { "skip-attention cross 2", { ENG_EDIT_SKIP_ATTENTION, 2, .kind = ENG_KIND_CROSS }, NULL },
  { "skip-feed-forward 2147483647", { ENG_EDIT_SKIP_FEED_FORWARD, G_MAXINT, A }, NULL },
  { "skip-feed-forward decoder 2", { ENG_EDIT_SKIP_FEED_FORWARD, 2, .kind = ENG_KIND_DECODER },
    NULL },
  { "temperature 2.9 0.5", { ENG_EDIT_TEMPERATURE, 2, 9, .factor = 0.5f, A }, NULL },
  { "temperature cross 0.* 3",
    { ENG_EDIT_TEMPERATURE, 0, ENG_ALL_HEADS, .factor = 3, .kind = ENG_KIND_CROSS }, NULL },
  { "score-scale 2.9 1", { ENG_EDIT_SCORE_SCALE, 2, 9, .factor = 1, A }, NULL },
  { "score-scale 2.9 -0.125", { ENG_EDIT_SCORE_SCALE, 2, 9, .factor = -0.125f, A }, NULL },
  { "head-mask 2.9 none", { ENG_EDIT_HEAD_MASK, 2, 9, .mask = ENG_HEAD_MASK_NONE, A }, NULL },
  { "head-mask decoder 2.* causal",
    { ENG_EDIT_HEAD_MASK, 2, ENG_ALL_HEADS, .mask = ENG_HEAD_MASK_CAUSAL,
      .kind = ENG_KIND_DECODER }, NULL },
  { "head-mask cross 2.9 padding",
    { ENG_EDIT_HEAD_MASK, 2, 9, .mask = ENG_HEAD_MASK_PADDING, .kind = ENG_KIND_CROSS }, NULL },
  { "no-projections 2.9", { ENG_EDIT_NO_PROJECTIONS, 2, 9, A }, NULL },
  { "no-projections cross 2.9", { ENG_EDIT_NO_PROJECTIONS, 2, 9, .kind = ENG_KIND_CROSS }, NULL },
  { "zero-dimension 2.9 17", { ENG_EDIT_ZERO_DIMENSION, 2, 9, .dimension = 17, A }, NULL },
  { "zero-dimension cross 2.9 0",
    { ENG_EDIT_ZERO_DIMENSION, 2, 9, .kind = ENG_KIND_CROSS }, NULL },
  { "no-positions 0", { ENG_EDIT_NO_POSITIONS, 0, A }, NULL },
  { "no-positions decoder *", { ENG_EDIT_NO_POSITIONS, ENG_ALL_LAYERS, .kind = ENG_KIND_DECODER },
    NULL },
  { "no-segments", { ENG_EDIT_NO_SEGMENTS, A }, NULL },
  { "  no-segments  encoder ", { ENG_EDIT_NO_SEGMENTS, .kind = ENG_KIND_ENCODER },
    "no-segments encoder" },
  { "mask 4", { ENG_EDIT_MASK_TOKEN, .key = 4, A }, NULL },
  { "mask decoder 4", { ENG_EDIT_MASK_TOKEN, .key = 4, .kind = ENG_KIND_DECODER }, NULL },
  { "delete 4", { ENG_EDIT_DELETE_TOKEN, .key = 4, A }, NULL },
  { "delete encoder 4", { ENG_EDIT_DELETE_TOKEN, .key = 4, .kind = ENG_KIND_ENCODER }, NULL },
  { "swap 4 7", { ENG_EDIT_SWAP_WORDS, .query = 4, .key = 7, A }, NULL },
  { "swap decoder 4 7", { ENG_EDIT_SWAP_WORDS, .query = 4, .key = 7, .kind = ENG_KIND_DECODER },
    NULL },
};

static const char *const refused[] = {
  "", " ", "zap 1.1", "Zero 1.1", "zero", "zero 1", "zero 1.", "zero .1", "zero 1.1.1",
  "zero -1.1", "zero 1.-1", "zero 1.1 0.5", "zero 1,1", "zero 1.**", "zero *.1",
  "zero 99999999999.1", "scale 1.1", "scale 1.1 x", "scale 1.1 1,5", "scale 1.1 nan",
  "scale 1.1 inf", "scale 1.1 1e39", "scale 1.1 1 1", "uniform 1", "cut 1.1 2", "cut 1.1 2 x",
  "cut 1.1 2 3 renormalize", "cut 1.1 2 3 renormalise 4", "cut 1.1 -2 3", "knock-out",
  "knock-out 1.1", "knock-out x", "knock-out 1 2", "skip-attention", "skip-attention 1.1",
  "skip-attention *", "skip-feed-forward one", "zero encoder", "zero Encoder 1.1",
  "zero 1.1 encoder", "zero encoder decoder 1.1", "encoder zero 1.1", "skip-feed-forward cross 1",
  "mask", "mask 1 2", "mask cross 1", "delete x", "delete cross 1", "swap 1", "swap 1 2 3",
  "swap cross 1 2", "off zero 1.1", "temperature 1.1", "temperature 1.1 0", "temperature 1.1 -1",
  "temperature 1 2", "score-scale 1.1", "score-scale 1.1 x", "head-mask 1.1", "head-mask 1.1 all",
  "head-mask 1 none", "head-mask 1.1 none none", "no-projections",
  "cut 1.1 4-2 3", "cut 1.1 4- 3", "cut 1.1 4-5-6 3", "cut 1.1 ** 3", "cut 1.1 *-3 3",
  "cut 1.1 * *-", "cut 1.1 4 -7", "no-projections 1.1 2", "zero-dimension 1.1",
  "zero-dimension 1.1 -1", "zero-dimension 1.1 *",
  "no-positions", "no-positions **", "no-positions cross 1", "no-segments 1", "no-segments cross",
};

static void
assert_same (const EngEdit *a,
             const EngEdit *b)
{
  g_assert_cmpint (a->type, ==, b->type);
  g_assert_cmpint (a->layer, ==, b->layer);
  g_assert_cmpint (a->head, ==, b->head);
  g_assert_cmpint (a->query, ==, b->query);
  g_assert_cmpint (a->key, ==, b->key);
  g_assert_cmpfloat (a->factor, ==, b->factor);
  g_assert_cmpint (a->renormalise, ==, b->renormalise);
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpint (a->mask, ==, b->mask);
  g_assert_cmpint (a->dimension, ==, b->dimension);
  g_assert_cmpint (a->n_more_queries, ==, b->n_more_queries);
  g_assert_cmpint (a->n_more_keys, ==, b->n_more_keys);
}

static void
test_forms (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *printed = NULL;
    EngEdit edit;

    g_assert_true (eng_edit_parse (forms[i].text, &edit, &error));
    g_assert_no_error (error);
    assert_same (&edit, &forms[i].edit);
    printed = eng_edit_to_string (&edit);
    g_assert_cmpstr (printed, ==, forms[i].printed ? forms[i].printed : forms[i].text);
  }
}

/* Every factor is printed so that it reads back as the same float. */
static void
test_factors (void)
{
  for (int i = 0; i < 20000; i++) {
    guint32 bits = (guint32) g_test_rand_int ();
    EngEdit edit = { ENG_EDIT_SCALE_HEAD, 1, 2, A };
    EngEdit back;
    g_autofree char *text = NULL;

    memcpy (&edit.factor, &bits, sizeof bits);
    if ((bits & 0x7f800000) == 0x7f800000 || edit.factor == 0)
      continue;
    text = eng_edit_to_string (&edit);
    g_assert_true (eng_edit_parse (text, &back, NULL));
    assert_same (&back, &edit);
  }
}

static void
test_refuses (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    EngEdit edit = { ENG_EDIT_SKIP_ATTENTION, 77 };

    g_test_message ("%s", refused[i]);
    g_assert_false (eng_edit_parse (refused[i], &edit, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, refused[i]));
    g_assert_cmpint (edit.layer, ==, 77);
  }
}

/* An encoder of 6 layers × 12 heads over 15 tokens. */
static const EngEditSizes one_stack[ENG_N_KINDS] = { { 6, 12, 15, 15, 32 } };

/* And a decoder of other numbers. */
static const EngEditSizes two_stacks[ENG_N_KINDS] = {
  { 6, 12, 15, 15 }, { 4, 8, 5, 5 }, { 4, 8, 5, 15 },
};

static const EngEditSizes decoder_alone[ENG_N_KINDS] = { [ENG_KIND_DECODER] = { 4, 8, 5, 5 } };

static void
assert_check (const EngEditSizes *sizes,
              EngKind             first,
              const char         *text,
              const char         *message)
{
  g_autoptr (GError) error = NULL;
  EngEdit edit;

  g_assert_true (eng_edit_parse (text, &edit, &error));
  g_assert_cmpint (eng_edits_check (&edit, 1, sizes, first, &error), ==, message == NULL);
  if (message) {
    g_autofree char *whole = g_strdup_printf ("edit \"%s\": %s", text, message);

    g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, whole);
  }
}

static void
test_check (void)
{
  static const struct { const char *text, *message; } cases[] = {
    { "zero 5.11", NULL },
    { "zero 5.*", NULL },
    { "zero encoder 5.11", NULL },
    { "zero 6.0", "there is no layer 6, only 0 to 5" },
    { "scale 0.12 2", "there is no head 12, only 0 to 11" },
    { "uniform 0.12", "there is no head 12, only 0 to 11" },
    { "cut 0.0 14 14", NULL },
    { "cut 0.0 15 0", "there is no token 15, only 0 to 14" },
    { "cut 0.0 0 15", "there is no token 15, only 0 to 14" },
    { "cut 0.0 * *", NULL },
    { "cut 0.0 0-14 14", NULL },
    { "cut 0.0 0-15 0", "there is no token 15, only 0 to 14" },
    { "cut 0.0 * 13-16", "there is no token 16, only 0 to 14" },
    { "knock-out 14", NULL },
    { "knock-out 15", "there is no token 15, only 0 to 14" },
    { "skip-attention 6", "there is no layer 6, only 0 to 5" },
    { "skip-feed-forward 5", NULL },
    { "temperature 5.11 2", NULL },
    { "temperature 6.0 2", "there is no layer 6, only 0 to 5" },
    { "head-mask 0.12 none", "there is no head 12, only 0 to 11" },
    { "zero-dimension 0.* 31", NULL },
    { "zero-dimension 0.0 32", "there is no dimension 32, only 0 to 31" },
    { "no-positions *", NULL },
    { "no-positions 5", NULL },
    { "no-positions 6", "there is no layer 6, only 0 to 5" },
    { "no-segments", NULL },
    { "no-segments decoder", "the model has no decoder attention, only encoder" },
    { "mask 99", NULL }, /* was applied to tokens that are no more */
    { "zero decoder 0.0", "the model has no decoder attention, only encoder" },
    { "knock-out cross 0", "the model has no cross attention, only encoder" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_check (one_stack, ENG_KIND_ENCODER, cases[i].text, cases[i].message);
  g_assert_true (eng_edits_check (NULL, 0, one_stack, ENG_KIND_ENCODER, NULL));
}

static void
test_check_kinds (void)
{
  static const struct { const char *text, *message; } cases[] = {
    { "zero 5.11", NULL },
    { "zero decoder 3.7", NULL },
    { "zero decoder 4.0", "there is no layer 4, only 0 to 3" },
    { "zero cross 0.8", "there is no head 8, only 0 to 7" },
    { "cut cross 0.0 4 14", NULL },
    { "cut cross 0.0 5 0", "there is no token 5, only 0 to 4" },
    { "cut cross 0.0 0 15", "there is no token 15, only 0 to 14" },
    { "cut cross 0.0 0-4 0-14", NULL },
    { "cut cross 0.0 0-5 *", "there is no token 5, only 0 to 4" },
    { "cut decoder 0.0 0 5", "there is no token 5, only 0 to 4" },
    { "knock-out cross 14", NULL },
    { "knock-out decoder 5", "there is no token 5, only 0 to 4" },
    { "skip-attention cross 4", "there is no layer 4, only 0 to 3" },
    { "skip-feed-forward decoder 4", "there is no layer 4, only 0 to 3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_check (two_stacks, ENG_KIND_ENCODER, cases[i].text, cases[i].message);
  assert_check (decoder_alone, ENG_KIND_DECODER, "zero 3.7", NULL);
  assert_check (decoder_alone, ENG_KIND_DECODER, "zero encoder 3.7",
                "the model has no encoder attention, only decoder");
}

static void
test_acts_on (void)
{
  static const struct {
    const char *text;
    gboolean    acts[ENG_N_KINDS]; /* where the encoder reads A */
  } cases[] = {
    { "zero 0.0", { TRUE, FALSE, FALSE } },
    { "zero decoder 0.0", { FALSE, TRUE, FALSE } },
    { "cut cross 0.0 1 1", { FALSE, FALSE, TRUE } },
    { "knock-out 0", { TRUE, FALSE, TRUE } },
    { "knock-out decoder 0", { FALSE, TRUE, FALSE } },
    { "knock-out cross 0", { FALSE, FALSE, TRUE } },
    { "skip-attention 0", { TRUE, FALSE, FALSE } },
    { "mask 0", { FALSE, FALSE, FALSE } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngEdit edit;

    g_test_message ("%s", cases[i].text);
    g_assert_true (eng_edit_parse (cases[i].text, &edit, NULL));
    for (int kind = 0; kind < ENG_N_KINDS; kind++)
      g_assert_cmpint (eng_edit_acts_on (&edit, (EngKind) kind, ENG_KIND_ENCODER), ==,
                       cases[i].acts[kind]);
    g_assert_cmpint (eng_edit_is_of_tokens (&edit), ==, g_str_has_prefix (cases[i].text, "mask"));
  }
}

static void
test_skip_off (void)
{
  gboolean off;

  g_assert_cmpstr (eng_edit_skip_off ("zero 2.9", &off), ==, "zero 2.9");
  g_assert_false (off);
  g_assert_cmpstr (eng_edit_skip_off (" off zero 2.9", &off), ==, "zero 2.9");
  g_assert_true (off);
  g_assert_cmpstr (eng_edit_skip_off ("offside 2.9", NULL), ==, "offside 2.9");
}

/* A head is edited by what is said of it, of all heads of its layer, or of the layer's attention. */
static void
test_of_head (void)
{
  static const struct { const char *text; gboolean is_of_3_5, is_of_3_6; } cases[] = {
    { "zero 3.5", TRUE, FALSE }, { "uniform 3.*", TRUE, TRUE }, { "cut 3.5 1 2", TRUE, FALSE },
    { "skip-attention 3", TRUE, TRUE }, { "skip-attention 2", FALSE, FALSE },
    { "skip-feed-forward 3", FALSE, FALSE }, { "knock-out 3", FALSE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngEdit edit;

    g_assert_true (eng_edit_parse (cases[i].text, &edit, NULL));
    g_assert_cmpint (eng_edit_is_of_head (&edit, 3, 5), ==, cases[i].is_of_3_5);
    g_assert_cmpint (eng_edit_is_of_head (&edit, 3, 6), ==, cases[i].is_of_3_6);
    g_assert_false (eng_edit_is_of_head (&edit, 4, 5));
  }
}

static void
test_cuts_link (void)
{
  static const struct { const char *text; gboolean cuts_3_6, cuts_3_7, cuts_4_7; } cases[] = {
    { "cut 0.0 3 6", TRUE, FALSE, FALSE }, { "cut 0.0 3-4 7", FALSE, TRUE, TRUE },
    { "cut 0.0 * 7", FALSE, TRUE, TRUE }, { "cut 0.0 3 *", TRUE, TRUE, FALSE },
    { "cut 0.0 4-9 0-7", FALSE, FALSE, TRUE }, { "knock-out 6", FALSE, FALSE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngEdit edit;

    g_test_message ("%s", cases[i].text);
    g_assert_true (eng_edit_parse (cases[i].text, &edit, NULL));
    g_assert_cmpint (eng_edit_cuts_link (&edit, 3, 6), ==, cases[i].cuts_3_6);
    g_assert_cmpint (eng_edit_cuts_link (&edit, 3, 7), ==, cases[i].cuts_3_7);
    g_assert_cmpint (eng_edit_cuts_link (&edit, 4, 7), ==, cases[i].cuts_4_7);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/edit/forms", test_forms);
  g_test_add_func ("/edit/factors", test_factors);
  g_test_add_func ("/edit/refuses", test_refuses);
  g_test_add_func ("/edit/check", test_check);
  g_test_add_func ("/edit/check-kinds", test_check_kinds);
  g_test_add_func ("/edit/acts-on", test_acts_on);
  g_test_add_func ("/edit/skip-off", test_skip_off);
  g_test_add_func ("/edit/of-head", test_of_head);
  g_test_add_func ("/edit/cuts-link", test_cuts_link);

  return g_test_run ();
}
