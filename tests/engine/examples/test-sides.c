/* SPDX-License-Identifier: MIT */
/* Which examples belong together: against a search that looks at every two of them. */
#include "engine/examples/sides.h"

#define N_PAIRS 400
#define N_TEXTS 700

/* Without labels. */
static GPtrArray *
new_pairs (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

static void
add_pair (GPtrArray  *pairs,
          const char *a,
          const char *b)
{
  EngExample *example = g_new0 (EngExample, 1);

  example->a = (char *) a;
  example->b = (char *) b;
  g_ptr_array_add (pairs, example);
}

static char *
name_text (int number)
{
  return g_strdup_printf ("text %d", number);
}

static gboolean
share (const EngExample *one,
       const EngExample *other)
{
  return g_str_equal (one->a, other->a) || g_str_equal (one->a, other->b) ||
         g_str_equal (one->b, other->a) || g_str_equal (one->b, other->b);
}

/* The group of each pair, by spreading what it is called until nothing changes. */
static void
spread (const GPtrArray *pairs,
        guint           *groups)
{
  gboolean changed = TRUE;

  for (guint i = 0; i < pairs->len; i++)
    groups[i] = i;
  while (changed) {
    changed = FALSE;
    for (guint i = 0; i < pairs->len; i++)
      for (guint k = 0; k < pairs->len; k++)
        if (groups[k] > groups[i] && share (pairs->pdata[i], pairs->pdata[k])) {
          groups[k] = groups[i];
          changed = TRUE;
        }
  }
}

static void
test_pairs (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) pairs = new_pairs (), turned = new_pairs ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (EngSides) sides = NULL, again = NULL;
  guint groups[N_PAIRS], n_together = 0;

  for (int i = 0; i < N_TEXTS; i++)
    g_ptr_array_add (texts, name_text (i));
  for (int i = 0; i < N_PAIRS; i++)
    add_pair (pairs, texts->pdata[g_rand_int_range (random, 0, N_TEXTS)],
              texts->pdata[g_rand_int_range (random, 0, N_TEXTS)]);
  for (int i = N_PAIRS - 1; i >= 0; i--) {
    const EngExample *example = pairs->pdata[i];

    add_pair (turned, example->b, example->a);
  }
  spread (pairs, groups);
  sides = eng_sides_new (pairs, ENG_EXAMPLES_PAIRS, FALSE);
  g_assert_cmpuint (sides->n_joined, ==, 0);
  for (int i = 0; i < N_PAIRS; i++)
    for (int k = 0; k < N_PAIRS; k++) {
      g_assert_true ((groups[i] == groups[k]) == g_str_equal (sides->keys[i], sides->keys[k]));
      n_together += i < k && groups[i] == groups[k];
    }
  g_assert_cmpuint (n_together, >, N_PAIRS);
  /* Neither the order of lines nor that of texts is part of it. */
  again = eng_sides_new (turned, ENG_EXAMPLES_PAIRS, FALSE);
  for (int i = 0; i < N_PAIRS; i++)
    g_assert_cmpstr (again->keys[N_PAIRS - 1 - i], ==, sides->keys[i]);
}

/* Half of them may hang together, more may not. */
static void
test_joined (void)
{
  g_autoptr (GPtrArray) pairs = new_pairs ();
  g_autoptr (EngSides) half = NULL, more = NULL, first = NULL;

  add_pair (pairs, "b", "c");
  add_pair (pairs, "c", "a");
  add_pair (pairs, "x", "y");
  add_pair (pairs, "z", "w");
  half = eng_sides_new (pairs, ENG_EXAMPLES_PAIRS, FALSE);
  g_assert_cmpuint (half->n_joined, ==, 0);
  g_assert_cmpstr (half->keys[0], ==, "a");
  g_assert_cmpstr (half->keys[1], ==, "a");
  g_assert_cmpstr (half->keys[3], ==, "w");
  add_pair (pairs, "d", "b");
  more = eng_sides_new (pairs, ENG_EXAMPLES_PAIRS, FALSE);
  g_assert_cmpuint (more->n_joined, ==, 3);
  g_assert_cmpstr (more->keys[0], ==, "b");
  g_assert_cmpstr (more->keys[3], ==, "z");
  first = eng_sides_new (pairs, ENG_EXAMPLES_PAIRS, TRUE);
  g_assert_cmpuint (first->n_joined, ==, 0);
  g_assert_cmpstr (first->keys[1], ==, "c");
}

/* Answers go with what is read, classes with the text, not with what is said of it. */
static void
test_others (void)
{
  g_autoptr (GPtrArray) examples = new_pairs ();
  g_autoptr (EngSides) answers = NULL, first = NULL, classes = NULL;

  add_pair (examples, "who?", "the context");
  answers = eng_sides_new (examples, ENG_EXAMPLES_ANSWERS, FALSE);
  g_assert_cmpstr (answers->keys[0], ==, "the context");
  first = eng_sides_new (examples, ENG_EXAMPLES_ANSWERS, TRUE);
  g_assert_cmpstr (first->keys[0], ==, "who?");
  classes = eng_sides_new (examples, ENG_EXAMPLES_CLASSES, FALSE);
  g_assert_cmpstr (classes->keys[0], ==, "who?");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/examples/sides/pairs", test_pairs);
  g_test_add_func ("/engine/examples/sides/joined", test_joined);
  g_test_add_func ("/engine/examples/sides/others", test_others);

  return g_test_run ();
}
