/* SPDX-License-Identifier: MIT */
/* Edits keep meaning the tokens that they meant when others delete some. The tokens of the run are
 * letters here: what an edit names is worked out by deleting letters from a word. */
#include "app/study/edit-list.h"

static GPtrArray *
make_list (const char *texts)
{
  g_auto (GStrv) parts = g_strsplit (texts, "; ", -1);
  GPtrArray *edits = g_ptr_array_new ();

  for (int i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (edits, g_strdup (parts[i]));
  return edits;
}

/* Frees the list. */
static void
assert_list (GPtrArray  *edits,
             const char *expected)
{
  g_autofree char *texts = NULL;

  g_ptr_array_add (edits, NULL);
  texts = g_strjoinv ("; ", (char **) edits->pdata);
  g_assert_cmpstr (texts, ==, expected);
  g_strfreev ((char **) g_ptr_array_free (edits, FALSE));
}

static void
test_add (void)
{
  GPtrArray *edits = make_list ("cut 2.9 3 5; knock-out 6; zero 1.1");

  app_edit_list_add (edits, "delete 4", ENG_KIND_ENCODER);
  assert_list (edits, "cut 2.9 3 4; knock-out 5; zero 1.1; delete 4");

  /* An edit of the token itself has nothing to act on any more. */
  edits = make_list ("cut 2.9 3 5 renormalise; off knock-out 4; mask 4");
  app_edit_list_add (edits, "delete 4", ENG_KIND_ENCODER);
  assert_list (edits, "cut 2.9 3 4 renormalise; mask 4; delete 4");

  edits = make_list ("off zero 2.9");
  app_edit_list_add (edits, "zero 2.9", ENG_KIND_ENCODER);
  app_edit_list_add (edits, "zero 2.9", ENG_KIND_ENCODER);
  app_edit_list_add (edits, "mask 1", ENG_KIND_ENCODER);
  app_edit_list_add (edits, "mask 1", ENG_KIND_ENCODER);
  assert_list (edits, "zero 2.9; mask 1; mask 1");
}

/* “abcdefgh”: c goes, then f (4 of “abdefgh”), and e (3 of “abdegh”) is knocked out. */
static void
test_switch (void)
{
  GPtrArray *edits = make_list ("delete 2; delete 4; knock-out 3");

  /* Of “abcdefgh” f is 5, and of “abcdegh” e is 4. */
  app_edit_list_switch (edits, 0, ENG_KIND_ENCODER);
  g_assert_cmpstr (edits->pdata[0], ==, "off delete 2");
  g_assert_cmpstr (edits->pdata[1], ==, "delete 5");
  g_assert_cmpstr (edits->pdata[2], ==, "knock-out 4");
  app_edit_list_switch (edits, 0, ENG_KIND_ENCODER);
  assert_list (edits, "delete 2; delete 4; knock-out 3");
}

/* “abcdefgh”: f goes, then b (1 of “abcdegh”); d is 2 of “acdegh”, h is 5. */
static void
test_remove (void)
{
  GPtrArray *edits = make_list ("cut 0.0 2 5; delete 5; delete 1");

  /* Without the first: “acdefgh”. */
  app_edit_list_remove (edits, 1, ENG_KIND_ENCODER);
  assert_list (edits, "cut 0.0 2 6; delete 1");

  edits = make_list ("knock-out 5; off delete 2");
  app_edit_list_remove (edits, 1, ENG_KIND_ENCODER);
  assert_list (edits, "knock-out 5");
}

/* Tokens in a row become fewer with one of them, and again as many. */
static void
test_spans (void)
{
  GPtrArray *edits = make_list ("cut 0.1 3-5 4 renormalise; cut 0.1 * 6-7; cut 0.1 1 4-4; "
                                "cut 0.1 0 *");

  app_edit_list_add (edits, "delete 4", ENG_KIND_ENCODER);
  app_edit_list_add (edits, "cut 0.1 1-2 3", ENG_KIND_ENCODER);
  assert_list (edits, "cut 0.1 * 5-6; cut 0.1 0 *; delete 4; cut 0.1 1-2 3");

  edits = make_list ("cut 0.1 2-3 0-6 renormalise; delete 3");
  app_edit_list_remove (edits, 1, ENG_KIND_ENCODER);
  assert_list (edits, "cut 0.1 2-4 0-7 renormalise");
}

/* Each stack counts its own tokens. */
static void
test_stacks (void)
{
  GPtrArray *edits = make_list ("cut cross 0.1 5 6; knock-out 5; knock-out decoder 5; "
                                "cut decoder 0.1 5 6");

  app_edit_list_add (edits, "delete decoder 2", ENG_KIND_ENCODER);
  assert_list (edits, "cut cross 0.1 4 6; knock-out 5; knock-out decoder 4; cut decoder 0.1 4 5; "
                      "delete decoder 2");

  edits = make_list ("cut cross 0.1 5 6; knock-out cross 5; knock-out decoder 5");
  app_edit_list_add (edits, "delete 2", ENG_KIND_ENCODER);
  assert_list (edits, "cut cross 0.1 5 5; knock-out cross 4; knock-out decoder 5; delete 2");

  /* The decoder of one stack reads A: its kind need not be said. */
  edits = make_list ("knock-out 5; knock-out decoder 6");
  app_edit_list_add (edits, "delete 2", ENG_KIND_DECODER);
  assert_list (edits, "knock-out 4; knock-out decoder 5; delete 2");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit-list/add", test_add);
  g_test_add_func ("/edit-list/switch", test_switch);
  g_test_add_func ("/edit-list/remove", test_remove);
  g_test_add_func ("/edit-list/spans", test_spans);
  g_test_add_func ("/edit-list/stacks", test_stacks);
  return g_test_run ();
}
