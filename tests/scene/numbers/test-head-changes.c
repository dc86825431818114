/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/head-changes.h"

#include <locale.h>
#include <math.h>

#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/changed-heads.h"

static const char *const first_words[] = { "the", "cat", "sat", NULL };
static const char *const second_words[] = { "the", "big", "cat", "sat", "down", NULL };

#define N_HEADS 6

/* Tokens of the second text that are those of the first, with what is around them. */
static const int same_tokens[] = { 0, 1, 3, 4, 6 };

/* Over all pairs of columns, by the weights that the traces hold. */
static double
measure_naively (EngTrace *first,
                 EngTrace *second,
                 int       head)
{
  double moved = 0;

  for (int query = 0; query < 5; query++) {
    double sum = 0;

    for (int other = 0; other < 7; other++) {
      double before = 0;

      for (int key = 0; key < 5; key++)
        if (same_tokens[key] == other)
          before = scene_trace_weight (first, ENG_KIND_ENCODER, head, query, key);
      sum += fabs (before - scene_trace_weight (second, ENG_KIND_ENCODER, head,
                                                same_tokens[query], other));
    }
    moved += sum / 2;
  }
  return moved / 5;
}

static void
test_naive (void)
{
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, N_HEADS);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, NULL, N_HEADS);
  g_autoptr (GArray) changes = ui_head_changes_new (first, second, ENG_KIND_ENCODER, NULL);
  g_autoptr (GArray) back = ui_head_changes_new (second, first, ENG_KIND_ENCODER, NULL);
  gboolean seen[N_HEADS] = { FALSE };

  g_assert_cmpuint (changes->len, ==, N_HEADS);
  for (guint i = 0; i < changes->len; i++) {
    const UiHeadChange *change = &g_array_index (changes, UiHeadChange, i);
    const UiHeadChange *other = &g_array_index (back, UiHeadChange, i);

    g_assert_cmpint (change->layer, ==, 0);
    g_assert_cmpfloat_with_epsilon (change->moved,
                                    measure_naively (first, second, change->head), 1e-6);
    g_assert_cmpfloat (change->moved, <=, 1 + 1e-6);
    /* From either side it is as far. */
    g_assert_cmpint (other->head, ==, change->head);
    g_assert_cmpfloat_with_epsilon (other->moved, change->moved, 1e-6);
    if (i > 0)
      g_assert_cmpfloat (change->moved, <=, (change - 1)->moved);
    seen[change->head] = TRUE;
  }
  for (int head = 0; head < N_HEADS; head++)
    g_assert_true (seen[head]);
}

/* One row of one head gives all of its weight to another token: one part in as many rows. */
static void
test_one_row (void)
{
  g_autoptr (EngTrace) first = made_trace_new (4, 3, 3, 2);
  g_autoptr (EngTrace) second = made_trace_new (4, 3, 3, 2);
  g_autoptr (GArray) changes = NULL;
  const UiHeadChange *most;

  for (int key = 0; key < 7; key++) {
    made_trace_falsify (first, 1, 2, 4, key, key == 0);
    made_trace_falsify (second, 1, 2, 4, key, key == 6);
  }
  changes = ui_head_changes_new (first, second, ENG_KIND_ENCODER, NULL);
  g_assert_cmpuint (changes->len, ==, 6);
  most = &g_array_index (changes, UiHeadChange, 0);
  g_assert_cmpint (most->layer, ==, 1);
  g_assert_cmpint (most->head, ==, 2);
  g_assert_cmpfloat_with_epsilon (most->moved, 1 / 7.0, 1e-6);
  g_assert_cmpfloat ((most + 1)->moved, ==, 0);
}

static void
test_none (void)
{
  const gint cancelled = 1;
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 3, 2);
  g_autoptr (EngTrace) larger = made_trace_new (4, 3, 3, 3);

  g_assert_null (ui_head_changes_new (trace, larger, ENG_KIND_ENCODER, NULL));
  g_assert_null (ui_head_changes_new (trace, trace, ENG_KIND_CROSS, NULL));
  g_assert_null (ui_head_changes_new (trace, trace, ENG_KIND_ENCODER, &cancelled));
}

/* What is 0.00 with two digits has no tile. */
static void
test_tiles (void)
{
  g_autoptr (EngTrace) first = made_trace_new (4, 3, 3, 2);
  g_autoptr (EngTrace) second = made_trace_new (4, 3, 3, 2);
  g_autoptr (UiChangedHeads) none = ui_changed_heads_new (first, second, ENG_KIND_ENCODER, NULL);
  g_autoptr (UiChangedHeads) some = NULL;

  g_assert_cmpint (none->n_tiles, ==, 0);
  g_assert_cmpuint (none->heads->len, ==, 6);
  for (int key = 0; key < 7; key++) {
    made_trace_falsify (first, 1, 2, 4, key, key == 0);
    made_trace_falsify (second, 1, 2, 4, key, key == 6);
    /* 0.03 of one row in 7. */
    made_trace_falsify (first, 0, 1, 2, key, key == 0);
    made_trace_falsify (second, 0, 1, 2, key, key == 0 ? 0.97f : key == 6 ? 0.03f : 0);
  }
  some = ui_changed_heads_new (first, second, ENG_KIND_ENCODER, NULL);
  g_assert_cmpint (some->n_tiles, ==, 1);
  g_assert_cmpint (g_array_index (some->heads, UiHeadChange, 0).head, ==, 2);
  g_assert_cmpfloat (g_array_index (some->heads, UiHeadChange, 1).moved, >, 0);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scene/head-changes/naive", test_naive);
  g_test_add_func ("/scene/head-changes/one-row", test_one_row);
  g_test_add_func ("/scene/head-changes/none", test_none);
  g_test_add_func ("/scene/head-changes/tiles", test_tiles);

  return g_test_run ();
}
