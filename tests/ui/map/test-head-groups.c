/* SPDX-License-Identifier: MIT */
/* What heads read, against heads whose weights are made up: head h of layer l reads h + l on. */
#include "ui/map/head-groups.h"

#include <string.h>

#include "tests/support/made-trace.h"
#include "ui/map/head-map.h"

enum { N_LAYERS = 3, N_HEADS = 4, N = N_LAYERS * N_HEADS };

static UiHeadTiles *
make_tiles (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (16, 0, N_HEADS, N_LAYERS);
  UiHeadTiles *tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);

  ui_head_tiles_make (tiles, NULL, NULL, NULL);
  return tiles;
}

static const UiHeadGroup *
find_group (const UiHeadGroup *groups,
            int                n,
            EngPattern         pattern)
{
  for (int i = 0; i < n; i++)
    if (groups[i].pattern == pattern)
      return &groups[i];
  return NULL;
}

static void
test_groups (void)
{
  g_autoptr (UiHeadTiles) tiles = make_tiles ();
  UiHeadGroup groups[ENG_N_LABELS];
  int n = ui_head_groups_find (tiles, groups), n_heads = 0;
  const UiHeadGroup *itself = find_group (groups, n, ENG_PATTERN_SAME_TOKEN);
  const UiHeadGroup *next = find_group (groups, n, ENG_PATTERN_NEXT);

  for (int i = 0; i < n; i++)
    n_heads += groups[i].n_heads;
  g_assert_cmpint (n_heads, ==, N);
  g_assert_nonnull (itself);
  g_assert_cmpint (itself->n_heads, ==, 1);
  g_assert_cmpint (itself->best.layer, ==, 0);
  g_assert_cmpint (itself->best.head, ==, 0);
  g_assert_false (itself->is_shared);
  g_assert_cmpfloat_with_epsilon (itself->score, 0.6, 1e-5);
  g_assert_nonnull (next);
  g_assert_cmpint (next->n_heads, ==, 2);
}

static void
assert_found (const UiHeadTiles *tiles,
              const char        *text,
              const guint8      *marks,
              const char        *expected)
{
  g_autoptr (GArray) found = ui_head_groups_search (tiles, text, marks);
  g_autoptr (GString) list = g_string_new (NULL);

  if (expected == NULL) {
    g_assert_null (found);
    return;
  }
  for (guint i = 0; i < found->len; i++) {
    const UiFoundHead *one = &g_array_index (found, UiFoundHead, i);

    g_string_append_printf (list, "%s%d.%d", i > 0 ? " " : "", one->cell.layer, one->cell.head);
  }
  g_assert_cmpstr (list->str, ==, expected);
}

static void
test_search (void)
{
  g_autoptr (UiHeadTiles) tiles = make_tiles ();
  guint8 marks[N] = { 0 };

  marks[1 * N_HEADS + 2] = UI_HEAD_EDITED | UI_HEAD_DRAWN;
  assert_found (tiles, "next", marks, "0.1 1.0");
  assert_found (tiles, "NEX", marks, "0.1 1.0");
  assert_found (tiles, "2.3", marks, "2.3");
  assert_found (tiles, "2.9", marks, "");
  assert_found (tiles, " layer 1 ", marks, "1.0 1.1 1.2 1.3");
  assert_found (tiles, "layer 1 head 3", marks, "1.3");
  assert_found (tiles, "1", marks, "1.0 1.1 1.2 1.3");
  assert_found (tiles, "1.", marks, "1.0 1.1 1.2 1.3");
  assert_found (tiles, "99", marks, "");
  assert_found (tiles, "layer 1.", marks, NULL);
  assert_found (tiles, "1 2", marks, NULL);
  assert_found (tiles, "edited", marks, "1.2");
  assert_found (tiles, "elephant", marks, NULL);
  assert_found (tiles, "2.3x", marks, NULL);
  assert_found (tiles, "", marks, NULL);
}

static void
assert_described (UiHeadTiles *tiles,
                  const char  *text,
                  int          n_found,
                  const char  *expected)
{
  g_autofree char *description = ui_head_groups_describe (tiles, text, n_found);

  g_assert_cmpstr (description, ==, expected);
}

/* What a text was taken for, and why nothing was found. */
static void
test_describe (void)
{
  g_autoptr (UiHeadTiles) tiles = make_tiles ();
  guint8 marks[N] = { 0 };
  g_autoptr (GArray) heads = ui_head_groups_search (tiles, "head 1", marks);

  g_assert_cmpuint (heads->len, ==, N_LAYERS);
  for (guint i = 0; i < heads->len; i++)
    g_assert_cmpint (g_array_index (heads, UiFoundHead, i).cell.head, ==, 1);
  assert_described (tiles, "1", 4, "Heads of layer 1");
  assert_described (tiles, "head 1", (int) heads->len, "Head 1 of each layer");
  assert_described (tiles, "2.3", 1, "Head 3 of layer 2");
  assert_described (tiles, "next", 1, "1 head found");
  assert_described (tiles, "edited", 2, "2 heads found");
  assert_described (tiles, "edited", 0, "No head is edited");
  assert_described (tiles, "99", 0, "There is no layer 99: the last is 2");
  assert_described (tiles, "2.9", 0, "There is no head 9: the last is 3");
  assert_described (tiles, "elephant", 0, NULL);
}

/* Heads of layers that are not there take no part. */
static void
test_not_made (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 0, N_HEADS, N_LAYERS);
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);
  guint8 marks[N] = { 0 };
  UiHeadGroup groups[ENG_N_LABELS];

  g_assert_cmpint (ui_head_groups_find (tiles, groups), ==, 0);
  assert_found (tiles, "layer 1", marks, "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/head-groups/groups", test_groups);
  g_test_add_func ("/ui/head-groups/search", test_search);
  g_test_add_func ("/ui/head-groups/describe", test_describe);
  g_test_add_func ("/ui/head-groups/not-made", test_not_made);
  return g_test_run ();
}
