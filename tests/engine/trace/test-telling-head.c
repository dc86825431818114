/* SPDX-License-Identifier: MIT */
/* The head that a picture begins with: of traces that are known by construction, and of models in
 * which others have found it. */
#include <locale.h>

#include "engine/trace/telling-head.h"
#include "engine/trace/trace-private.h"
#include "tests/support/made-trace.h"
#include "tests/support/traces.h"

static void
assert_head (EngTrace *trace,
             EngKind   kind,
             gboolean  is_telling,
             int       expected_layer,
             int       expected_head)
{
  int layer, head;

  g_assert_cmpint (eng_trace_find_telling_head (trace, kind, &layer, &head), ==, is_telling);
  g_assert_cmpint (layer, ==, expected_layer);
  g_assert_cmpint (head, ==, expected_head);
}

/* Head 0 of layer 0 reads itself, the others 0.6 of their token farther on: the nearest counts. */
static void
test_nearest (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (9, 0, 4, 2);

  assert_head (trace, ENG_KIND_ENCODER, TRUE, 0, 1);
}

/* No pattern has rows enough: the first head of the layer in the middle. */
static void
test_nothing_specific (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (2, 0, 3, 5);

  assert_head (trace, ENG_KIND_ENCODER, FALSE, 2, 0);
}

/* While a pass runs the layer in the middle may not be there: one that is can be looked at. */
static void
test_unfinished (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (2, 0, 3, 5);
  EngLayerTrace *layers = trace->blocks[ENG_KIND_ENCODER].layers;

  for (int i = 1; i < 5; i++)
    g_atomic_int_set (&layers[i].ready, 0);
  assert_head (trace, ENG_KIND_ENCODER, FALSE, 0, 0);
  g_atomic_int_set (&layers[1].ready, 1);
  assert_head (trace, ENG_KIND_ENCODER, FALSE, 1, 0);
}

/* The previous-token head that is known of GPT-2. */
static void
test_gpt2 (void)
{
  g_autoptr (EngTrace) trace = traces_open ("shared/gpt2.fox.safetensors");

  if (trace != NULL)
    assert_head (trace, eng_trace_get_default_kind (trace), TRUE, 4, 11);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/telling-head/nearest", test_nearest);
  g_test_add_func ("/telling-head/nothing-specific", test_nothing_specific);
  g_test_add_func ("/telling-head/unfinished", test_unfinished);
  g_test_add_func ("/telling-head/gpt2", test_gpt2);

  return g_test_run ();
}
