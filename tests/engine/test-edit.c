/* SPDX-License-Identifier: MIT */
#include "engine/edit.h"

#include <locale.h>
#include <string.h>

#include "engine/error.h"

typedef struct {
  const char *text;
  EngEdit     edit;
  const char *printed; /* NULL: as text */
} Form;

static const Form forms[] = {
  { "zero 2.9", { ENG_EDIT_SCALE_HEAD, 2, 9 }, NULL },
  { "zero 2.*", { ENG_EDIT_SCALE_HEAD, 2, ENG_ALL_HEADS }, NULL },
  { "scale 0.11 0.5", { ENG_EDIT_SCALE_HEAD, 0, 11, .factor = 0.5f }, NULL },
  { "scale 0.11 -2", { ENG_EDIT_SCALE_HEAD, 0, 11, .factor = -2 }, NULL },
  { "scale 0.1 0.1", { ENG_EDIT_SCALE_HEAD, 0, 1, .factor = 0.1f }, NULL },
  { "scale 0.1 0.33333334", { ENG_EDIT_SCALE_HEAD, 0, 1, .factor = 1.0f / 3 }, NULL },
  { "scale 0.1 0", { ENG_EDIT_SCALE_HEAD, 0, 1 }, "zero 0.1" },
  { "uniform 3.0", { ENG_EDIT_UNIFORM_ROWS, 3, 0 }, NULL },
  { "  uniform\t3.*  ", { ENG_EDIT_UNIFORM_ROWS, 3, ENG_ALL_HEADS }, "uniform 3.*" },
  { "cut 2.9 4 7", { ENG_EDIT_CUT_EDGE, 2, 9, 4, 7 }, NULL },
  { "cut 2.* 4 7 renormalise", { ENG_EDIT_CUT_EDGE, 2, ENG_ALL_HEADS, 4, 7, .renormalise = TRUE },
    NULL },
  { "knock-out 12", { ENG_EDIT_KNOCK_OUT_TOKEN, .key = 12 }, NULL },
  { "skip-attention 5", { ENG_EDIT_SKIP_ATTENTION, 5 }, NULL },
  { "skip-feed-forward 2147483647", { ENG_EDIT_SKIP_FEED_FORWARD, G_MAXINT }, NULL },
};

static const char *const refused[] = {
  "", " ", "zap 1.1", "Zero 1.1", "zero", "zero 1", "zero 1.", "zero .1", "zero 1.1.1",
  "zero -1.1", "zero 1.-1", "zero 1.1 0.5", "zero 1,1", "zero 1.**", "zero *.1",
  "zero 99999999999.1", "scale 1.1", "scale 1.1 x", "scale 1.1 1,5", "scale 1.1 nan",
  "scale 1.1 inf", "scale 1.1 1e39", "scale 1.1 1 1", "uniform 1", "cut 1.1 2", "cut 1.1 2 x",
  "cut 1.1 2 3 renormalize", "cut 1.1 2 3 renormalise 4", "cut 1.1 -2 3", "knock-out",
  "knock-out 1.1", "knock-out x", "knock-out 1 2", "skip-attention", "skip-attention 1.1",
  "skip-attention *", "skip-feed-forward one",
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
    EngEdit edit = { ENG_EDIT_SCALE_HEAD, 1, 2 };
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

static void
assert_check (const char *text,
              const char *message)
{
  g_autoptr (GError) error = NULL;
  EngEdit edit;

  g_assert_true (eng_edit_parse (text, &edit, &error));
  g_assert_cmpint (eng_edits_check (&edit, 1, 6, 12, 15, &error), ==, message == NULL);
  if (message) {
    g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, message);
  }
}

static void
test_check (void)
{
  assert_check ("zero 5.11", NULL);
  assert_check ("zero 5.*", NULL);
  assert_check ("zero 6.0", "edit \"zero 6.0\": there is no layer 6, only 0 to 5");
  assert_check ("scale 0.12 2", "edit \"scale 0.12 2\": there is no head 12, only 0 to 11");
  assert_check ("uniform 0.12", "edit \"uniform 0.12\": there is no head 12, only 0 to 11");
  assert_check ("cut 0.0 14 14", NULL);
  assert_check ("cut 0.0 15 0", "edit \"cut 0.0 15 0\": there is no token 15, only 0 to 14");
  assert_check ("cut 0.0 0 15", "edit \"cut 0.0 0 15\": there is no token 15, only 0 to 14");
  assert_check ("knock-out 14", NULL);
  assert_check ("knock-out 15", "edit \"knock-out 15\": there is no token 15, only 0 to 14");
  assert_check ("skip-attention 6", "edit \"skip-attention 6\": there is no layer 6, only 0 to 5");
  assert_check ("skip-feed-forward 5", NULL);
  g_assert_true (eng_edits_check (NULL, 0, 6, 12, 15, NULL));
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

  return g_test_run ();
}
