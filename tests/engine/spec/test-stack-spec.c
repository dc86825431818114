/* SPDX-License-Identifier: MIT */
/* What a stack's spec says of its layers. */
#include "engine/spec/spec.h"

#include <locale.h>

/* Which weights a layer has: in double precision, where a quotient may fall below its number. */
static void
test_groups (void)
{
  static const struct {
    int         n_passes;
    EngSharing  sharing;
    const char *groups; /* a letter a layer */
  } cases[] = {
    { 12, { 1, 1 }, "aaaaaaaaaaaa" },
    { 5, { 3, 1 }, "aabbc" },
    { 5, { 3, 2 }, "aaaabbbbcc" },
    { 12, { 5, 1 }, "aaabbcccddee" },
    { 4, { 4, 1 }, "abcd" },
    { 18, { 14, 1 }, "aabcddefgghijkklmn" },
    { 2, { 5, 1 }, "ac" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngStackSpec stack = { .n_layers = cases[i].n_passes * cases[i].sharing.n_inner,
                           .sharing = cases[i].sharing };

    for (int layer = 0; layer < stack.n_layers; layer++)
      g_assert_cmpint (eng_stack_spec_get_group (&stack, layer), ==,
                       cases[i].groups[layer] - 'a');
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/stack-spec/groups", test_groups);

  return g_test_run ();
}
