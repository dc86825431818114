/* SPDX-License-Identifier: MIT */
#include "ui/document/document.h"

#include <locale.h>
#include <string.h>

#include "engine/base/error.h"

typedef struct {
  const char *field;
  const char *value;
  const char *expected; /* what is read back, or the message */
} Case;

static const Case accepted[] = {
  { "model", "bert-base-uncased@main", "bert-base-uncased@main" },
  { "no-special-tokens", "true", "true" },
  { "truncate", "false", "false" },
  { "pad-to", "128", "128" },
  { "pad-to", "0", "0" },
  { "random-weights", "0", "0" },
  { "random-weights", "2147483647", "2147483647" },
  { "random-weights", "", "" },
  { "lang", "en:de", "en:de" },
  { "lang", "eng_Latn:zh-CN", "eng_Latn:zh-CN" },
  { "lang", "", "" },
  { "prefix", "translate English to German: ", "translate English to German: " },
  { "max-new-tokens", "1", "1" },
  { "max-new-tokens", "", "" },
  { "beams", "4", "4" },
  { "beams", "", "" },
  { "temperature", "0.7", "0.7" },
  { "temperature", "", "" },
  { "top-k", "0", "0" },
  { "top-k", "", "" },
  { "top-p", "0.95", "0.95" },
  { "top-p", "", "" },
  { "seed", "2147483647", "2147483647" },
  { "seed", "", "" },
  { "edit", "zero 2.9", "zero 2.9" },
  { "edit", "zero 2.9; cut 0.1 3 4 renormalise", "zero 2.9; cut 0.1 3 4 renormalise" },
  { "edit", "off zero cross 2.9; mask 4", "off zero cross 2.9; mask 4" },
  { "view", "neuron", "neuron" },
  { "kind", "cross", "cross" },
  { "kind", "", "" },
  { "layer", "11", "11" },
  { "heads", "8,0,3,3", "0,3,8" },
  { "heads", "255", "255" },
  { "heads", "all", "all" },
  { "filter", "ba", "ba" },
  { "renormalise", "true", "true" },
  { "pin", "k:9,7,2", "2,7,k:9" },
  { "pin", "2,2,k:0", "2,k:0" },
  { "pin", "", "" },
  { "if-hide", "4:7, 3-5:0,*:6-6", "4:7,3-5:0,*:6" },
  { "if-hide", "", "" },
  { "threshold", "0.02", "0.02" },
  { "threshold", "1e-3", "0.001" },
  { "threshold", "1/255", "0.00392156862745098" },
  { "collapsed", "true", "true" },
  { "bands", "stripes", "stripes" },
  { "sort", "true", "true" },
  { "view", "model", "model" },
  { "view", "matrix", "matrix" },
  { "measure", "output-norm", "output-norm" },
  { "measure", "rollout", "rollout" },
  { "aggregate", "max", "max" },
  { "layers", "mean", "mean" },
  { "hide-special", "true", "true" },
  { "words", "true", "true" },
  { "mass", "0.9", "0.9" },
  { "gain", "3", "3" },
  { "order", "traffic", "traffic" },
  { "panels", "2.9,0.11,2.9", "2.9,0.11" },
  { "panels", "", "" },
  { "compare", "difference", "difference" },
  { "compare-model", "gpt2", "gpt2" },
  { "compare-trace", "a.safetensors", "a.safetensors" },
  { "compare-text-a", "The dog", "The dog" },
  { "compare-text-b", "A cat", "A cat" },
  { "compare-layer", "0", "0" },
  { "compare-layer", "", "" },
  { "compare-heads", "1,3", "1,3" },
  { "compare-heads", "", "" },
  { "compare-edit", "zero 1.2", "zero 1.2" },
  { "compare-edit", "none", "none" },
  { "compare-edit", "", "" },
  { "theme", "print", "print" },
  { "width", "8.7cm", "8.7cm" },
  { "width", "87mm", "8.7cm" },
  { "width", "5in", "12.7cm" },
  { "width", "360pt", "12.7cm" },
  { "width", "12", "12cm" },
  { "font-size", "8pt", "8pt" },
  { "font-size", "0.125in", "9pt" },
  { "scale", "1.5", "1.5" },
  { "no-caption", "true", "true" },
};

static const Case refused[] = {
  { "truncate", "yes", "truncate is \"yes\", expected true or false" },
  { "pad-to", "-1", "pad-to is \"-1\", expected a whole number from 0 to 65536" },
  { "pad-to", "65537", "pad-to is \"65537\", expected a whole number from 0 to 65536" },
  { "pad-to", "", "pad-to is \"\", expected a whole number from 0 to 65536" },
  { "random-weights", "seed",
    "random-weights is \"seed\", expected a whole number from 0 to 2147483647" },
  { "random-weights", "2147483648",
    "random-weights is \"2147483648\", expected a whole number from 0 to 2147483647" },
  { "max-new-tokens", "0",
    "max-new-tokens is \"0\", expected a whole number from 1 to 65536" },
  { "beams", "65", "beams is \"65\", expected a whole number from 1 to 64" },
  { "temperature", "0",
    "temperature is \"0\", expected a number with a point from 0.01 to 100" },
  { "top-p", "1.1", "top-p is \"1.1\", expected a number with a point from 0 to 1" },
  { "seed", "-1", "seed is \"-1\", expected a whole number from 0 to 2147483647" },
  { "lang", "en:", "lang is \"en:\", expected a language, or two with a colon, such as en:de" },
  { "lang", ":de", "lang is \":de\", expected a language, or two with a colon, such as en:de" },
  { "lang", "en:de:fr",
    "lang is \"en:de:fr\", expected a language, or two with a colon, such as en:de" },
  { "lang", "en to:de",
    "lang is \"en to:de\", expected a language, or two with a colon, such as en:de" },
  { "lang", "a b", "lang is \"a b\", expected a language, or two with a colon, such as en:de" },
  { "view", "Head", "view is \"Head\", expected one of head, neuron, model, matrix, steps" },
  { "number", "7.2.0",
    "number is \"7.2.0\", expected step, matrix, row and column, such as 7.2.0.11" },
  { "number", "7.2.0.1.1",
    "number is \"7.2.0.1.1\", expected step, matrix, row and column, such as 7.2.0.11" },
  { "step", "none", "step is \"none\", expected all or a step from 0 to 999" },
  { "kind", "self", "kind is \"self\", expected one of encoder, decoder, cross" },
  { "layer", "-1", "layer is \"-1\", expected a whole number from 0 to 9999" },
  { "layer", "1.5", "layer is \"1.5\", expected a whole number from 0 to 9999" },
  { "layer", "", "layer is \"\", expected a whole number from 0 to 9999" },
  { "layer", "99999999999999999999999",
    "layer is \"99999999999999999999999\", expected a whole number from 0 to 9999" },
  { "heads", "", "heads is \"\", expected all or at least one head" },
  { "heads", "0,,3",
    "heads is \"0,,3\", expected all or heads from 0 to 255 with commas, such as 0,3,8" },
  { "heads", "256",
    "heads is \"256\", expected all or heads from 0 to 255 with commas, such as 0,3,8" },
  { "pin", "2,q9",
    "pin is \"2,q9\", expected token numbers with commas, those that are read after k:, "
    "such as 2,k:9" },
  { "pin", "k:",
    "pin is \"k:\", expected token numbers with commas, those that are read after k:, "
    "such as 2,k:9" },
  { "if-hide", "4", "if-hide is \"4\", expected queries and keys with a colon, such as 4:7,3-5:0 or "
    "*:7 (of all queries)" },
  { "if-hide", "5-3:1", "if-hide is \"5-3:1\", expected queries and keys with a colon, such as "
    "4:7,3-5:0 or *:7 (of all queries)" },
  { "panels", "2", "panels is \"2\", expected layers and heads with commas, such as 2.9,3.1" },
  { "panels", "2.9,",
    "panels is \"2.9,\", expected layers and heads with commas, such as 2.9,3.1" },
  { "panels", "2.256",
    "panels is \"2.256\", expected layers and heads with commas, such as 2.9,3.1" },
  { "measure", "norm",
    "measure is \"norm\", expected one of weight, value-norm, output-norm, rollout" },
  { "mass", "0", "mass is \"0\", expected a number with a point from 0.01 to 1" },
  { "gain", "0", "gain is \"0\", expected a number with a point from 0.1 to 100" },
  { "compare", "both", "compare is \"both\", expected one of off, heads, sides, difference" },
  { "threshold", "0,02", "threshold is \"0,02\", expected a number with a point from 0 to 1" },
  { "threshold", "nan", "threshold is \"nan\", expected a number with a point from 0 to 1" },
  { "threshold", "1/0", "threshold is \"1/0\", expected a number with a point from 0 to 1" },
  { "threshold", "1/", "threshold is \"1/\", expected a number with a point from 0 to 1" },
  { "threshold", "0x1", "threshold is \"0x1\", expected a number with a point from 0 to 1" },
  { "threshold", "1.01", "threshold is \"1.01\", expected a number with a point from 0 to 1" },
  { "width", "8.5 cm", "width is \"8.5 cm\", expected a length from 3cm to 200cm" },
  { "width", "8,5cm", "width is \"8,5cm\", expected a length from 3cm to 200cm" },
  { "width", "1e9cm", "width is \"1e9cm\", expected a length from 3cm to 200cm" },
  { "width", "cm", "width is \"cm\", expected a length from 3cm to 200cm" },
  { "font-size", "9px", "font-size is \"9px\", expected a length from 3pt to 72pt" },
  { "scale", "0", "scale is \"0\", expected a number with a point from 0.25 to 16" },
  { "scale", "inf", "scale is \"inf\", expected a number with a point from 0.25 to 16" },
};

static void
test_fields_accept (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (accepted); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiDocument) again = ui_document_new ();
    g_autoptr (GError) error = NULL;
    g_autofree char *text = NULL;
    const UiField *field = ui_fields_find (accepted[i].field);

    g_assert_nonnull (field);
    g_assert_true (ui_document_set (document, field, accepted[i].value, &error));
    g_assert_no_error (error);
    text = ui_document_get (document, field);
    g_assert_cmpstr (text, ==, accepted[i].expected);

    g_assert_true (ui_document_set (again, field, text, &error));
    g_assert_no_error (error);
    g_assert_true (ui_document_equal (document, again));
  }
}

static void
test_fields_refuse (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiDocument) untouched = ui_document_new ();
    g_autoptr (GError) error = NULL;
    const UiField *field = ui_fields_find (refused[i].field);

    g_assert_false (ui_document_set (document, field, refused[i].value, &error));
    g_assert_error (error, UI_ERROR, UI_ERROR_VALUE);
    g_assert_cmpstr (error->message, ==, refused[i].expected);
    g_assert_true (ui_document_equal (document, untouched));
  }
}

static void
test_fields_are_complete (void)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++) {
    const UiField *field = &fields[i];

    g_assert_true (ui_fields_find (field->name) == field);
    g_assert_cmpint (field->offset, <, sizeof (UiDocument));
    g_assert_nonnull (field->help);
    g_assert_nonnull (field->fallback);
    g_assert_cmpint (strlen (field->help), >, 10);
    g_assert_false (g_str_has_suffix (field->help, "."));
    g_assert_true ((field->value_name == NULL) == (field->type == UI_FIELD_FLAG));
    g_assert_true ((field->choices != NULL) == (field->type == UI_FIELD_CHOICE));
  }
  g_assert_null (ui_fields_find ("text-a"));
}

/* The defaults of the contract, design.md §3. */
static void
test_defaults (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  g_assert_null (document->model);
  g_assert_null (document->trace_file);
  g_assert_cmpstr (document->text_a, ==, "The cat sat on the mat");
  g_assert_cmpstr (document->text_b, ==, "The cat lay on the rug");
  g_assert_cmpint (document->pad_to, ==, 0);
  g_assert_false (document->random_weights_set);
  g_assert_null (document->lang);
  g_assert_null (document->prefix);
  g_assert_cmpint (g_strv_length (document->edits), ==, 0);
  g_assert_cmpint (document->view, ==, UI_VIEW_HEAD);
  g_assert_false (document->kind_set);
  g_assert_cmpint (document->layer, ==, 0);
  g_assert_true (document->heads.all);
  g_assert_cmpint (document->filter, ==, UI_FILTER_ALL);
  g_assert_true (ui_pins_is_empty (&document->pins));
  g_assert_cmpfloat (document->threshold, ==, 1.0 / 255);
  g_assert_cmpint (document->theme, ==, UI_THEME_LIGHT);
}

static void
test_edits_accumulate (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  const UiField *field = ui_fields_find ("edit");
  g_autofree char *both = NULL;

  g_assert_true (ui_document_set (document, field, "zero 2.9", NULL));
  g_assert_true (ui_document_set (document, field, "knock-out 3", NULL));
  g_assert_cmpint (g_strv_length (document->edits), ==, 2);
  g_assert_cmpstr (document->edits[1], ==, "knock-out 3");

  g_assert_false (ui_document_set (document, field, "forget everything", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  both = ui_document_get (document, field);
  g_assert_cmpstr (both, ==, "zero 2.9; knock-out 3");

  g_assert_true (ui_document_set (document, field, "", NULL));
  g_assert_cmpint (g_strv_length (document->edits), ==, 0);
}

static void
test_copy_is_deep (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiDocument) copy = NULL;

  ui_document_set (document, ui_fields_find ("pin"), "1,k:2", NULL);
  ui_document_set (document, ui_fields_find ("edit"), "zero 0.0", NULL);
  ui_document_set (document, ui_fields_find ("lang"), "en:de", NULL);
  ui_document_set (document, ui_fields_find ("prefix"), "summarize: ", NULL);
  ui_document_set (document, ui_fields_find ("if-hide"), "2:3", NULL);
  copy = ui_document_copy (document);
  g_assert_true (ui_document_equal (document, copy));

  ui_pins_click (&copy->pins, FALSE, 5, TRUE);
  g_assert_false (ui_document_equal (document, copy));
  g_assert_cmpint (document->pins.n_queries, ==, 1);

  g_free (copy->text_b);
  copy->text_b = g_strdup ("");
  ui_document_set (copy, ui_fields_find ("pin"), "1,k:2", NULL);
  g_assert_false (ui_document_equal (document, copy));
}

/* Whatever changes the numbers of a pass changes its description; what only changes the picture
 * does not. */
static void
test_pass (void)
{
  static const char *const others[][2] = {
    { "model", "gpt2" }, { "trace", "a.safetensors" }, { "no-special-tokens", "true" },
    { "truncate", "true" }, { "pad-to", "16" }, { "random-weights", "0" }, { "lang", "en:de" },
    { "prefix", "summarize: " }, { "edit", "zero 0.0" },
  };
  static const char *const same[][2] = {
    { "layer", "3" }, { "kind", "cross" }, { "pin", "1" }, { "theme", "dark" },
    { "edit", "off zero 0.0" },
  };
  g_autoptr (UiDocument) plain = ui_document_new ();
  g_autoptr (GHashTable) passes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_hash_table_add (passes, ui_document_describe_pass (plain));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();

    g_assert_true (ui_document_set (document, ui_fields_find (others[i][0]), others[i][1], NULL));
    g_assert_true (g_hash_table_add (passes, ui_document_describe_pass (document)));
  }
  for (gsize i = 0; i < G_N_ELEMENTS (same); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();

    g_assert_true (ui_document_set (document, ui_fields_find (same[i][0]), same[i][1], NULL));
    g_assert_false (g_hash_table_add (passes, ui_document_describe_pass (document)));
  }
}

static void
test_pass_keeps_texts_apart (void)
{
  g_autoptr (UiDocument) one = ui_document_new ();
  g_autoptr (UiDocument) other = ui_document_new ();
  g_autofree char *pass_one = NULL;
  g_autofree char *pass_other = NULL;

  g_free (one->text_a);
  g_free (one->text_b);
  g_free (other->text_a);
  g_free (other->text_b);
  one->text_a = g_strdup ("a 1:b");
  one->text_b = g_strdup ("");
  other->text_a = g_strdup ("a");
  other->text_b = g_strdup ("b 0:");
  pass_one = ui_document_describe_pass (one);
  pass_other = ui_document_describe_pass (other);
  g_assert_cmpstr (pass_one, !=, pass_other);
}

static void
test_heads (void)
{
  UiHeadSet heads = { .all = TRUE };

  g_assert_cmpint (ui_head_set_count (&heads, 12), ==, 12);
  ui_head_set_toggle (&heads, 3, 12);
  g_assert_false (heads.all);
  g_assert_false (ui_head_set_has (&heads, 3));
  g_assert_cmpint (ui_head_set_count (&heads, 12), ==, 11);
  ui_head_set_toggle (&heads, 3, 12);
  g_assert_true (heads.all);

  ui_head_set_isolate (&heads, 7, 12);
  g_assert_cmpint (ui_head_set_count (&heads, 12), ==, 1);
  g_assert_cmpint (ui_head_set_first (&heads, 12), ==, 7);
  ui_head_set_toggle (&heads, 7, 12);
  g_assert_true (ui_head_set_has (&heads, 7));
  ui_head_set_isolate (&heads, 2, 12);
  g_assert_cmpint (ui_head_set_first (&heads, 12), ==, 2);
  ui_head_set_isolate (&heads, 2, 12);
  g_assert_true (heads.all);
  g_assert_cmpint (ui_head_set_first (&heads, 12), ==, 0);

  ui_head_set_only (&heads, 200);
  g_assert_true (ui_head_set_has (&heads, 200));
  g_assert_cmpint (ui_head_set_count (&heads, 12), ==, 0);
}

static void
test_pins (void)
{
  UiPins pins = { 0 };

  ui_pins_click (&pins, FALSE, 4, FALSE);
  ui_pins_click (&pins, FALSE, 2, TRUE);
  ui_pins_click (&pins, TRUE, 9, TRUE);
  g_assert_cmpint (pins.n_queries, ==, 2);
  g_assert_cmpint (pins.queries[0], ==, 2);
  g_assert_cmpint (pins.queries[1], ==, 4);
  g_assert_true (ui_pins_has (&pins, TRUE, 9));
  g_assert_false (ui_pins_has (&pins, FALSE, 9));

  ui_pins_click (&pins, FALSE, 4, TRUE);
  g_assert_false (ui_pins_has (&pins, FALSE, 4));
  ui_pins_trim (&pins, 2, 9);
  g_assert_true (ui_pins_is_empty (&pins));

  ui_pins_click (&pins, TRUE, 1, FALSE);
  ui_pins_click (&pins, FALSE, 1, FALSE);
  g_assert_cmpint (pins.n_queries, ==, 1);
  g_assert_cmpint (pins.n_keys, ==, 0);
  ui_pins_click (&pins, FALSE, 1, FALSE);
  g_assert_true (ui_pins_is_empty (&pins));
  ui_pins_clear (&pins);
}

/* What is unset on the second side is as on the first. */
static void
test_second_side (void)
{
  static const char *const choices[][2] = {
    { "model", "gpt2" },        { "edit", "zero 1.2" },         { "layer", "3" },
    { "compare", "sides" },     { "compare-text-a", "The dog" }, { "compare-layer", "0" },
    { "compare-edit", "none" },
  };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiDocument) side = NULL;
  g_autoptr (UiDocument) other = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    g_assert_true (ui_document_set (document, ui_fields_find (choices[i][0]), choices[i][1], NULL));
  side = ui_document_dup_second_side (document);
  g_assert_cmpint (side->compare, ==, UI_COMPARE_OFF);
  g_assert_cmpstr (side->model, ==, "gpt2");
  g_assert_cmpstr (side->text_a, ==, "The dog");
  g_assert_cmpstr (side->text_b, ==, "");
  g_assert_cmpint (side->layer, ==, 0);
  g_assert_cmpint (g_strv_length (side->edits), ==, 0);

  g_assert_true (ui_document_set (document, ui_fields_find ("compare-trace"), "x", NULL));
  g_assert_true (ui_document_set (document, ui_fields_find ("compare-edit"), "", NULL));
  other = ui_document_dup_second_side (document);
  g_assert_null (other->model);
  g_assert_cmpstr (other->trace_file, ==, "x");
  g_assert_cmpstr (other->text_a, ==, document->text_a);
  g_assert_cmpstr (other->edits[0], ==, "zero 1.2");

  g_assert_true (ui_document_has_second_side (document));
  document->view = UI_VIEW_MODEL;
  g_assert_false (ui_document_has_second_side (document));
}

/* Whose file it is does not matter; a model of its own is run. */
static void
test_second_trace (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiDocument) same = NULL;
  g_autofree char *pass = NULL;
  g_autofree char *second_pass = NULL;

  g_assert_false (ui_document_has_second_trace (document));
  ui_replace_text (&document->compare_trace_file, "x");
  g_assert_true (ui_document_has_second_trace (document));
  ui_replace_text (&document->compare_trace_file, NULL);
  ui_replace_text (&document->trace_file, "x");
  g_assert_true (ui_document_has_second_trace (document));
  /* One text and one run: what was typed before makes no pass of its own. */
  g_assert_true (ui_document_set (document, ui_fields_find ("compare-text-a"), "The dog", NULL));
  g_assert_true (ui_document_set (document, ui_fields_find ("compare-edit"), "zero 1.2", NULL));
  same = ui_document_dup_second_side (document);
  pass = ui_document_describe_pass (document);
  second_pass = ui_document_describe_pass (same);
  g_assert_cmpstr (pass, ==, second_pass);
  ui_replace_text (&document->compare_model, "gpt2");
  g_assert_false (ui_document_has_second_trace (document));
}

/* A mask of one's own hides what is said; of older sessions, which cannot say it, what is pinned. */
static void
test_hidden (void)
{
  static const struct { const char *mask, *pin, *hide, *hidden; } cases[] = {
    { "model", "2,k:3,k:4", "", "" }, { "own", "2,k:3,k:4", "", "*:3,*:4" }, { "own", "2", "", "" },
    { "own", "k:3", "1-2:0", "1-2:0" }, { "model", "k:3", "5:*", "5:*" },
    { "causal", "k:3", "5:1", "5:1" }, { "causal", "k:3", "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (GArray) hidden = NULL;
    g_autofree char *text = NULL;

    ui_document_set (document, ui_fields_find ("if-mask"), cases[i].mask, NULL);
    ui_document_set (document, ui_fields_find ("pin"), cases[i].pin, NULL);
    ui_document_set (document, ui_fields_find ("if-hide"), cases[i].hide, NULL);
    hidden = ui_document_dup_hidden (document);
    text = eng_links_to_string (hidden);
    g_assert_cmpstr (text, ==, cases[i].hidden);
  }
}

int
main (int    argc,
      char **argv)
{
  /* Under LC_ALL=de_DE.UTF-8 a comma would be the decimal mark of printf and strtod. */
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/document/fields-accept", test_fields_accept);
  g_test_add_func ("/scene/document/fields-refuse", test_fields_refuse);
  g_test_add_func ("/scene/document/fields-are-complete", test_fields_are_complete);
  g_test_add_func ("/scene/document/defaults", test_defaults);
  g_test_add_func ("/scene/document/edits-accumulate", test_edits_accumulate);
  g_test_add_func ("/scene/document/copy-is-deep", test_copy_is_deep);
  g_test_add_func ("/scene/document/pass", test_pass);
  g_test_add_func ("/scene/document/pass-keeps-texts-apart", test_pass_keeps_texts_apart);
  g_test_add_func ("/scene/document/heads", test_heads);
  g_test_add_func ("/scene/document/pins", test_pins);
  g_test_add_func ("/scene/document/hidden", test_hidden);
  g_test_add_func ("/scene/document/second-side", test_second_side);
  g_test_add_func ("/scene/document/second-trace", test_second_trace);
  return g_test_run ();
}
