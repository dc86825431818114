/* SPDX-License-Identifier: MIT */
/* What a trace lacks is put aside or refused, by one decision: what was put aside is never
 * refused. */
#include "ui/document/fit.h"

#include <stdlib.h>

#include "engine/trace/trace-private.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/random-document.h"
#include "tests/support/scene-trace.h"

#define N_DOCUMENTS 2000

static UiDocument *
fit (EngTrace   *trace,
     EngTrace   *second,
     const char *settings)
{
  g_autoptr (UiDocument) document = fields_make_document (settings);
  g_autofree char *misfit = NULL;
  UiDocument *fitted = ui_fit_document (document, trace, second, &misfit);

  g_assert_null (misfit);
  return fitted;
}

static void
assert_field (const UiDocument *document,
              const char       *name,
              const char       *expected)
{
  g_autofree char *value = ui_document_get (document, ui_fields_find (name));

  g_assert_cmpstr (value, ==, expected);
}

/* NULL where the document is taken. (transfer full) */
static char *
refuse (EngTrace   *trace,
        const char *settings)
{
  g_autoptr (UiDocument) document = fields_make_document (settings);
  g_autoptr (GError) error = NULL;

  if (ui_fit_check (document, trace, &error))
    return NULL;
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  return g_strdup (error->message);
}

/* Layers 3 to 5, 7 and 8 of 9. */
static EngTrace *
create_gaps (void)
{
  EngTrace *trace = made_trace_new (4, 3, 2, 9);

  for (int layer = 0; layer < 9; layer++)
    if (layer < 3 || layer == 6)
      g_atomic_int_set (&trace->blocks[ENG_KIND_ENCODER].layers[layer].ready, FALSE);
  return trace;
}

static void
test_gaps (void)
{
  static const struct { const char *chosen, *fitted; } cases[] = {
    { "0", "3" }, { "4", "4" }, { "6", "5" }, { "8", "8" }, { "40", "8" },
  };
  g_autoptr (EngTrace) trace = create_gaps ();
  g_autofree char *layers = ui_fit_list_layers (trace, ENG_KIND_ENCODER);

  g_assert_cmpstr (layers, ==, "layers 3 to 5, 7 and 8");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *settings = g_strconcat ("layer=", cases[i].chosen, NULL);
    g_autoptr (UiDocument) fitted = fit (trace, NULL, settings);
    g_autofree char *refusal = refuse (trace, settings);

    assert_field (fitted, "layer", cases[i].fitted);
    g_assert_cmpint (ui_fit_find_layer (trace, ENG_KIND_ENCODER, atoi (cases[i].chosen)), ==,
                     fitted->layer);
    g_assert_cmpint (refusal == NULL, ==, g_str_equal (cases[i].chosen, cases[i].fitted));
  }
}

/* A pass of which no layer is there yet. */
static void
test_no_layer (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 2, 2);
  g_autoptr (UiDocument) fitted = NULL;

  for (int layer = 0; layer < 2; layer++)
    g_atomic_int_set (&trace->blocks[ENG_KIND_ENCODER].layers[layer].ready, FALSE);
  fitted = fit (trace, NULL, "layer=1 measure=rollout");
  g_assert_cmpint (fitted->layer, ==, -1);
  g_assert_cmpint (ui_fit_find_layer (trace, ENG_KIND_CROSS, 0), ==, -1);
  g_assert_cmpint (fitted->measure, ==, ENG_MEASURE_WEIGHT);
}

/* Where the chosen layer need not be there, the numbers of another stand for the drawing. */
static void
test_layer (void)
{
  static const struct { const char *settings; int layer; } cases[] = {
    { "layer=4", 4 }, { "layer=1", 1 }, { "layer=1 layers=mean", 3 }, { "layer=1 view=model", 3 },
    { "layer=4 view=model", 4 }, { "layer=1 view=neuron layers=mean", 1 },
    { "layer=1 layers=mean measure=value-norm", 3 },
  };
  g_autoptr (EngTrace) trace = create_gaps ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = fields_make_document (cases[i].settings);

    g_assert_cmpint (ui_fit_get_layer (document, trace), ==, cases[i].layer);
  }
}

/* Encoder of 3 layers × 4 heads, decoder and cross attention of 2 × 2. */
static void
test_kinds (void)
{
  g_autoptr (EngTrace) two = scene_trace_new_two_stacks (5, 4);
  g_autoptr (EngTrace) one = made_trace_new (4, 3, 4, 3);
  g_autoptr (UiDocument) none = fit (two, NULL, "layer=2");
  g_autoptr (UiDocument) cross = fit (two, NULL, "kind=cross layer=2 heads=1,3 filter=ab");
  g_autoptr (UiDocument) lacking = fit (one, NULL, "kind=cross layer=2 heads=1,3 filter=ab");

  assert_field (none, "kind", "encoder");
  assert_field (none, "layer", "2");
  assert_field (cross, "kind", "cross");
  assert_field (cross, "layer", "1");
  assert_field (cross, "heads", "1");
  assert_field (cross, "filter", "all");
  assert_field (lacking, "kind", "encoder");
  assert_field (lacking, "heads", "1,3");
  assert_field (lacking, "filter", "ab");
  g_assert_true (none->kind_set && cross->kind_set && lacking->kind_set);
}

static void
test_one_sentence (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 0, 4, 2);
  g_autoptr (UiDocument) fitted = fit (trace, NULL, "filter=ab renormalise=true");
  g_autoptr (UiDocument) hiding = fit (trace, NULL, "filter=ab renormalise=true hide-special=true");
  g_autofree char *refusal = refuse (trace, "filter=ab");
  g_autofree char *neurons = refuse (trace, "filter=ab view=neuron");

  assert_field (fitted, "filter", "all");
  assert_field (fitted, "renormalise", "false");
  assert_field (hiding, "renormalise", "true");
  g_assert_cmpstr (refusal, ==,
                   "The filter ab needs two sentences that read each other, which the encoder"
                   " attention here has not");
  g_assert_null (neurons);
}

static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 4, 4, 2);
  EngTokens *tokens = trace->blocks[ENG_KIND_ENCODER].query_tokens;
  g_autoptr (UiDocument) norm = fit (trace, NULL, "measure=value-norm hide-special=true");
  g_autoptr (UiDocument) rollout = fit (trace, NULL, "measure=rollout layer=1");
  g_autoptr (UiDocument) plain = NULL;

  assert_field (norm, "measure", "weight");
  assert_field (norm, "hide-special", "true");
  assert_field (rollout, "measure", "rollout");
  for (int i = 0; i < tokens->n; i++)
    tokens->special[i] = FALSE;
  plain = fit (trace, NULL, "hide-special=true renormalise=true");
  assert_field (plain, "hide-special", "false");
  assert_field (plain, "renormalise", "false");
}

static void
test_heads_and_pins (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 4, 4, 2);
  g_autoptr (UiDocument) some = fit (trace, NULL, "heads=1,9 pin=2,8,9,k:8,k:20");
  g_autoptr (UiDocument) none = fit (trace, NULL, "heads=7,9");
  g_autoptr (UiDocument) hidden = fit (trace, NULL, "if-hide=3-20:1,*:7-9,12:0,1:20");

  assert_field (some, "heads", "1");
  assert_field (some, "pin", "2,8,k:8");
  assert_field (none, "heads", "all");
  assert_field (hidden, "if-hide", "3-8:1,*:7-8");
}

static void
test_panels (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 4, 4, 2);
  g_autoptr (UiDocument) some = fit (trace, NULL, "compare=heads panels=1.3,0.4,2.0,0.2");
  g_autoptr (UiDocument) none = fit (trace, NULL, "compare=heads panels=0.4");
  g_autoptr (UiDocument) grid = fit (trace, NULL, "compare=heads panels=0.4 view=model");

  assert_field (some, "panels", "1.3,0.2");
  assert_field (some, "compare", "heads");
  assert_field (none, "compare", "off");
  assert_field (grid, "panels", "0.4");
  assert_field (grid, "compare", "heads");
}

static void
test_second (void)
{
  g_autoptr (EngTrace) first = made_trace_new (5, 4, 8, 6);
  g_autoptr (EngTrace) second = made_trace_new (6, 0, 2, 3);
  g_autoptr (UiDocument) fitted =
    fit (first, second, "compare=sides layer=5 heads=1,7 filter=ab");
  g_autoptr (UiDocument) own =
    fit (first, second, "compare=difference layer=5 compare-layer=1 compare-heads=0,5");
  g_autoptr (UiDocument) alone = fit (first, second, "layer=5 heads=1,7 filter=ab");

  assert_field (fitted, "layer", "5");
  assert_field (fitted, "heads", "1,7");
  assert_field (fitted, "filter", "all");
  g_assert_true (fitted->compare_layer_set && fitted->compare_heads_set);
  assert_field (fitted, "compare-layer", "2");
  assert_field (fitted, "compare-heads", "1");
  assert_field (own, "compare-layer", "1");
  assert_field (own, "compare-heads", "0");
  g_assert_false (alone->compare_layer_set || alone->compare_heads_set);
  assert_field (alone, "filter", "ab");
}

/* An encoder beside a decoder: each side shows what it has; what one was asked for and the other
 * lacks is said. */
static void
test_second_kind (void)
{
  g_autoptr (EngTrace) encoder = made_trace_new (5, 4, 4, 2);
  g_autoptr (EngTrace) decoder = scene_trace_new_masked (SCENE_MASK_CAUSAL, 5, 4);
  g_autoptr (EngTrace) two = scene_trace_new_two_stacks (5, 4);
  g_autoptr (UiDocument) fitted = fit (encoder, decoder, "compare=sides kind=encoder");
  g_autoptr (UiDocument) document = fields_make_document ("compare=sides kind=cross");
  g_autoptr (UiDocument) cross = NULL;
  g_autofree char *misfit = NULL;

  g_assert_false (fitted->kind_set);
  cross = ui_fit_document (document, two, encoder, &misfit);
  g_assert_cmpstr (misfit, ==, "Other has no cross attention");
  assert_field (cross, "kind", "cross");
}

static void
test_refused (void)
{
  static const struct { const char *settings, *refusal; } cases[] = {
    { "kind=cross", "There is no cross attention here, only encoder" },
    { "layer=9", "Layer 9 does not exist: the encoder has layers 0 to 8" },
    { "layer=9 view=model", "Layer 9 does not exist: the encoder has layers 0 to 8" },
    { "layer=6", "The trace holds no attention of layer 6 of the encoder, only of layers 3 to 5, 7"
                 " and 8" },
    { "layer=6 layers=mean", NULL },
    { "layer=6 layers=mean measure=rollout",
      "The trace holds no attention of layer 6 of the encoder, only of layers 3 to 5, 7 and 8" },
    { "layer=6 view=model", NULL },
    { "layer=3 heads=1,2", "Head 2 does not exist: layer 3 has heads 0 to 1" },
    { "layer=3 pin=7", "The pinned query 7 does not exist: the tokens are 0 to 6" },
    { "layer=3 pin=6,k:8", "The pinned key 8 does not exist: the tokens are 0 to 6" },
    { "layer=3 heads=1 pin=6,k:6 filter=ba", NULL },
    { "layer=3 if-hide=7:0", "The hidden query 7 does not exist: the tokens are 0 to 6" },
    { "layer=3 if-hide=0:1,*:5-9", "The hidden key 7 does not exist: the tokens are 0 to 6" },
    { "layer=3 if-hide=0-6:6,*:*", NULL },
  };
  g_autoptr (EngTrace) trace = create_gaps ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *refusal = refuse (trace, cases[i].settings);

    g_assert_cmpstr (refusal, ==, cases[i].refusal);
  }
}

static void
assert_taken (const UiDocument *document,
              EngTrace         *trace)
{
  g_autoptr (GError) error = NULL;

  ui_fit_check (document, trace, &error);
  g_assert_no_error (error);
  g_assert_true (ui_fit_has_measure (document, trace, document->measure));
}

/* Of any document, on either side; and what fits is fitted once. */
static void
test_never_refused (void)
{
  EngTrace *traces[] = {
    made_trace_new (4, 3, 2, 9), made_trace_new (5, 0, 12, 2), create_gaps (),
    scene_trace_new_two_stacks (5, 4), scene_trace_new_masked (SCENE_MASK_CAUSAL, 9, 3),
  };
  const int n_traces = (int) G_N_ELEMENTS (traces);
  GRand *random = g_rand_new_with_seed (15);

  for (int i = 0; i < N_DOCUMENTS; i++) {
    EngTrace *trace = traces[g_rand_int_range (random, 0, n_traces)];
    EngTrace *second = traces[g_rand_int_range (random, 0, n_traces)];
    g_autoptr (UiDocument) document = random_document (random);
    g_autoptr (UiDocument) before = ui_document_copy (document);
    g_autofree char *misfit = NULL;
    g_autoptr (UiDocument) fitted = ui_fit_document (document, trace, second, &misfit);
    g_autofree char *again = NULL;
    g_autoptr (UiDocument) twice = ui_fit_document (fitted, trace, second, &again);

    g_assert_true (ui_document_equal (document, before));
    assert_taken (fitted, trace);
    g_assert_cmpstr (again, ==, misfit);
    if (ui_document_has_second_side (fitted) && misfit == NULL) {
      g_autoptr (UiDocument) side = ui_document_dup_second_side (fitted);

      /* They are tokens of the first. */
      ui_pins_clear (&side->pins);
      ui_replace_text (&side->if_hidden, NULL);
      assert_taken (side, second);
      continue;
    }
    g_assert_true (ui_document_equal (twice, fitted));
  }
  g_rand_free (random);
  for (int i = 0; i < n_traces; i++)
    eng_trace_unref (traces[i]);
}

/* Of many heads a window shows groups, unless an order was named. */
static void
test_order (void)
{
  static const struct { int n_heads, n_layers; UiOrder order; } cases[] = {
    { 12, 6, UI_ORDER_LAYER }, { 12, 12, UI_ORDER_LAYER }, { 16, 24, UI_ORDER_PATTERN },
    { 32, 32, UI_ORDER_PATTERN },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngTrace) trace = made_trace_new (2, 0, cases[i].n_heads, cases[i].n_layers);
    g_autoptr (UiDocument) document = ui_document_new ();

    g_assert_cmpint (ui_fit_get_order (document, trace), ==, cases[i].order);
    g_assert_cmpint (ui_fit_get_order (document, NULL), ==, UI_ORDER_LAYER);
    for (int order = UI_ORDER_LAYER; order <= UI_ORDER_TRAFFIC; order++) {
      static const char *const names[] = { "layer", "pattern", "entropy", "traffic" };

      g_assert_true (ui_document_set (document, ui_fields_find ("order"), names[order], NULL));
      g_assert_cmpint (ui_fit_get_order (document, trace), ==, order);
    }
  }
}

/* A model beside a file reads what the file's model read, unless it has a text of its own. */
static void
test_texts (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (2, 2, 1, 1);
  g_autoptr (UiDocument) document = fields_make_document ("compare-model=gpt2");
  g_autoptr (UiDocument) typed = NULL;
  g_autoptr (UiDocument) same = NULL;
  g_autoptr (UiDocument) own = NULL;

  g_free (trace->text_a);
  trace->text_a = g_strdup ("of the file");
  g_clear_pointer (&trace->text_b, g_free);
  ui_replace_text (&document->text_a, "typed");
  g_assert_cmpstr (ui_fit_get_text (document, trace, FALSE), ==, "typed");
  typed = ui_fit_dup_second_side (document, trace);
  g_assert_cmpstr (typed->text_a, ==, "typed");

  ui_replace_text (&document->trace_file, "x");
  g_assert_cmpstr (ui_fit_get_text (document, trace, FALSE), ==, "of the file");
  g_assert_cmpstr (ui_fit_get_text (document, trace, TRUE), ==, "");
  g_assert_cmpstr (ui_fit_get_text (document, NULL, FALSE), ==, "");
  same = ui_fit_dup_second_side (document, trace);
  g_assert_cmpstr (same->text_a, ==, "of the file");
  g_assert_cmpstr (same->text_b, ==, "");
  g_assert_true (ui_document_set (document, ui_fields_find ("compare-text-a"), "own", NULL));
  own = ui_fit_dup_second_side (document, trace);
  g_assert_cmpstr (own->text_a, ==, "own");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/gaps", test_gaps);
  g_test_add_func ("/fit/no-layer", test_no_layer);
  g_test_add_func ("/fit/layer", test_layer);
  g_test_add_func ("/fit/order", test_order);
  g_test_add_func ("/fit/kinds", test_kinds);
  g_test_add_func ("/fit/one-sentence", test_one_sentence);
  g_test_add_func ("/fit/numbers", test_numbers);
  g_test_add_func ("/fit/heads-and-pins", test_heads_and_pins);
  g_test_add_func ("/fit/panels", test_panels);
  g_test_add_func ("/fit/second", test_second);
  g_test_add_func ("/fit/second-kind", test_second_kind);
  g_test_add_func ("/fit/texts", test_texts);
  g_test_add_func ("/fit/refused", test_refused);
  g_test_add_func ("/fit/never-refused", test_never_refused);
  return g_test_run ();
}
