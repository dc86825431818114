/* SPDX-License-Identifier: MIT */
/* Heads in order of a pattern or a number, and in groups of which a window shows the clearest. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/scene/model/model-case.h"
#include "tests/support/box-sink.h"

/* The first head of a group, and its neighbour, as measured without our code. */
static void
test_order_by_pattern (void)
{
  g_autoptr (EngTrace) trace = open_bert ();
  g_autoptr (UiScene) scene = NULL;
  const UiModelLayout *layout;
  int next;

  if (trace == NULL)
    return;
  scene = create_scene (trace, "order=pattern", &file);
  layout = &((UiModelScene *) scene)->layout;
  g_assert_cmpint (layout->n_cells, ==, 144);
  g_assert_cmpint (layout->cells[0].layer, ==, 3);
  g_assert_cmpint (layout->cells[0].head, ==, 5);
  next = ui_model_layout_find (layout, 2, 0);
  g_assert_cmpint (layout->cells[next + 1].layer, ==, 2);
  g_assert_cmpint (layout->cells[next + 1].head, ==, 9);
  g_assert_cmpint (layout->cells[next - 1].group, !=, layout->cells[next].group);
  for (int i = 1; i < layout->n_cells; i++)
    if (layout->cells[i].group == ENG_PATTERN_SEPARATOR &&
        layout->cells[i - 1].group != ENG_PATTERN_SEPARATOR) {
      g_assert_cmpint (layout->cells[i].layer, ==, 7);
      g_assert_cmpint (layout->cells[i].head, ==, 7);
    }
}

static double
get_score (const UiModelScene *self,
           const UiModelCell  *cell)
{
  const EngHeadFacts *facts = ui_model_scene_get_facts (self, cell->layer) + cell->head;

  g_assert_cmpint (cell->group, ==, facts->label);
  return facts->scores[facts->label];
}

/* Of each group the clearest heads, as many as the cell behind them says less than all. */
static void
assert_groups (const UiModelScene *self,
               int                 n_heads)
{
  const UiModelLayout *layout = &self->layout;
  int n_seen = 0;

  for (int group = 0; group < ENG_N_LABELS; group++) {
    int opener = ui_model_layout_find_opener (layout, group);
    double worst = 2, best_hidden = -1;
    int n_hidden = 0;

    for (int i = 0; i < layout->n_cells; i++) {
      const UiModelCell *cell = &layout->cells[i];

      if (cell->group != group || cell->head < 0)
        continue;
      n_seen++;
      n_hidden += cell->row < 0;
      if (cell->row < 0)
        best_hidden = MAX (best_hidden, get_score (self, cell));
      else if (!cell->is_kept)
        worst = MIN (worst, get_score (self, cell));
    }
    g_assert_cmpfloat (best_hidden, <=, worst);
    g_assert_cmpint (opener >= 0 ? layout->cells[opener].n_more : 0, ==, n_hidden);
  }
  g_assert_cmpint (n_seen, ==, n_heads);
}

/* No two texts of a window meet, and none leaves it. */
static void
assert_texts_apart (const UiScene *scene)
{
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);
  double width;

  ui_scene_get_size (scene, &width, NULL);
  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *box = &g_array_index (boxes, TextBox, i);

    for (int corner = 0; corner < 4; corner++) {
      g_assert_cmpfloat (box->corners[corner][0], >=, 0);
      g_assert_cmpfloat (box->corners[corner][0], <=, width);
    }
    for (guint j = 0; j < i; j++) {
      const TextBox *other = &g_array_index (boxes, TextBox, j);

      if (box_sink_overlap (other, box) > 0.3)
        g_error ("%g wide: “%s” and “%s” overlap", width, other->text, box->text);
    }
  }
}

static void
test_groups_of_window (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 16, 24);

  for (double width = 280; width <= 1700; width += 118)
    for (double scale = 1; scale <= 2; scale += 0.5)
      for (int open = 0; open < 2; open++) {
        const UiSceneOptions options = {
          .width = width, .view_height = 620, .text_scale = scale,
          .open_groups = open ? 1u << ENG_PATTERN_NEXT : 0,
        };
        g_autoptr (UiScene) scene = create_scene (trace, "order=pattern", &options);

        assert_groups ((UiModelScene *) scene, 24 * 16);
        assert_texts_apart (scene);
      }
}

/* With room for all of them nothing has to be opened. */
static void
test_groups_with_room (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 8);
  UiSceneOptions large = window;
  g_autoptr (UiScene) scene = NULL;

  large.view_height = 4000;
  scene = create_scene (trace, "order=pattern", &large);
  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 32);
  assert_groups ((UiModelScene *) scene, 32);
}

static const UiModelCell *
find_hidden (const UiModelLayout *layout)
{
  for (int i = 0; i < layout->n_cells; i++)
    if (layout->cells[i].row < 0)
      return &layout->cells[i];
  g_assert_not_reached ();
}

/* What opens a group is hit, moved to and named; a head that is not in sight has no place, and comes
 * there once it is marked, collected, or its group is open. */
static void
test_open_group (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 16, 24);
  UiSceneOptions options = window;
  g_autoptr (UiScene) scene = create_scene (trace, "order=pattern", &options);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  UiModelCell hidden = *find_hidden (layout);
  UiItem head = make_item (hidden.layer, hidden.head);
  UiItem opener = { .type = UI_ITEM_GROUP, .pattern = hidden.group };
  int cell = ui_model_layout_find_opener (layout, hidden.group);
  g_autofree char *more = g_strdup_printf ("+%d", layout->cells[cell].n_more);
  g_autofree char *text = scene_case_print (scene, NULL);
  g_autofree char *sentence = ui_scene_describe (scene, &opener);
  g_autofree char *settings = g_strdup_printf ("order=pattern layer=%d heads=%d", hidden.layer,
                                               hidden.head);
  g_autofree char *collected = g_strdup_printf ("order=pattern panels=%d.%d", hidden.layer,
                                                hidden.head);
  g_autoptr (UiScene) marked = create_scene (trace, settings, &options);
  g_autoptr (UiScene) lettered = create_scene (trace, collected, &options);
  g_autoptr (UiScene) open = NULL;
  UiItem hit, item = opener;
  UiRect rect;

  g_assert_nonnull (strstr (text, more));
  g_assert_true (g_str_has_prefix (sentence, "Shows "));
  g_assert_false (ui_scene_get_rect (scene, &head, &rect));
  g_assert_true (ui_scene_get_rect (scene, &opener, &rect));
  g_assert_true (ui_scene_hit (scene, rect.x + 5, rect.y + 5, &hit));
  g_assert_cmpint (hit.type, ==, UI_ITEM_GROUP);
  g_assert_cmpint (hit.pattern, ==, hidden.group);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  assert_item (&item, layout->cells[cell - 1].layer, layout->cells[cell - 1].head);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_GROUP);

  g_assert_true (ui_scene_get_rect (marked, &head, &rect));
  g_assert_true (ui_scene_get_rect (lettered, &head, &rect));
  options.open_groups = 1u << hidden.group;
  open = create_scene (trace, "order=pattern", &options);
  g_assert_true (ui_scene_get_rect (open, &head, &rect));
  assert_groups ((UiModelScene *) open, 24 * 16);
}

/* Page Up and Page Down go to the first head of each group, Home and End to its ends. */
static void
test_moves_by_group (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 16, 24);
  g_autoptr (UiScene) scene = create_scene (trace, "order=pattern", &window);
  g_autoptr (UiScene) grid = create_scene (trace, "", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  UiItem item = make_item (layout->cells[0].layer, layout->cells[0].head);
  int group = layout->cells[0].group, n_groups = 1;

  g_assert_false (ui_scene_move (scene, UI_MOVE_GROUP_BEFORE, &item));
  for (int i = 1; i < layout->n_cells; i++) {
    if (layout->cells[i].group == group)
      continue;
    group = layout->cells[i].group;
    n_groups++;
    ui_scene_move (scene, UI_MOVE_LAST, &item);
    g_assert_true (ui_scene_move (scene, UI_MOVE_GROUP_AFTER, &item));
    assert_item (&item, layout->cells[i].layer, layout->cells[i].head);
  }
  g_assert_cmpint (n_groups, >, 2);
  g_assert_false (ui_scene_move (scene, UI_MOVE_GROUP_AFTER, &item));
  for (int i = 1; i < n_groups; i++)
    g_assert_true (ui_scene_move (scene, UI_MOVE_GROUP_BEFORE, &item));
  assert_item (&item, layout->cells[0].layer, layout->cells[0].head);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &item));
  g_assert_true (ui_scene_move (scene, UI_MOVE_FIRST, &item));
  assert_item (&item, layout->cells[0].layer, layout->cells[0].head);
  g_assert_false (ui_scene_move (grid, UI_MOVE_GROUP_AFTER, &item));
}

/* Mean entropy of the rows, or mean weight of the rows of A on B. */
static double
measure_cell (EngTrace          *trace,
              const UiModelCell *cell,
              gboolean           entropy)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER,
                                                                cell->layer);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  const float *weights = attention->weights + (gsize) cell->head * tokens->n * tokens->n;
  double sum = 0;
  int n = 0;

  for (int query = 0; query < tokens->n; query++) {
    if (!entropy && tokens->segments[query] != 0)
      continue;
    n++;
    for (int key = 0; key < tokens->n; key++) {
      double weight = weights[query * tokens->n + key];

      if (entropy)
        sum -= weight > 0 ? weight * log2 (weight) : 0;
      else if (tokens->segments[key] == 1)
        sum += weight;
    }
  }
  return sum / n;
}

static void
test_order_by_number (gconstpointer data)
{
  gboolean entropy = GPOINTER_TO_INT (data);
  g_autoptr (EngTrace) trace = open_bert ();
  g_autoptr (UiScene) scene = NULL;
  const UiModelLayout *layout;

  if (trace == NULL)
    return;
  scene = create_scene (trace, entropy ? "order=entropy" : "order=traffic", &window);
  layout = &((UiModelScene *) scene)->layout;
  g_assert_cmpint (layout->n_cells, ==, 144);
  for (int i = 1; i < layout->n_cells; i++) {
    double before = measure_cell (trace, &layout->cells[i - 1], entropy);
    double here = measure_cell (trace, &layout->cells[i], entropy);

    if (entropy)
      g_assert_cmpfloat (before, <=, here + 1e-6);
    else
      g_assert_cmpfloat (before, >=, here - 1e-6);
  }
}

/* Without two sentences there is nothing to sort traffic by: all heads are there, by layer. */
static void
test_order_without_numbers (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N, 0, 3, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "order=traffic", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  g_autofree char *legend = ui_scene_legend (scene);

  g_assert_cmpint (layout->n_cells, ==, 9);
  for (int i = 0; i < 9; i++)
    g_assert_cmpint (layout->cells[i].layer * 3 + layout->cells[i].head, ==, i);
  g_assert_nonnull (strstr (legend, "There are no two sentences to sort by."));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model/order-by-pattern", test_order_by_pattern);
  g_test_add_func ("/scene/model/groups-of-window", test_groups_of_window);
  g_test_add_func ("/scene/model/groups-with-room", test_groups_with_room);
  g_test_add_func ("/scene/model/open-group", test_open_group);
  g_test_add_func ("/scene/model/moves-by-group", test_moves_by_group);
  g_test_add_data_func ("/scene/model/order-by-entropy", GINT_TO_POINTER (TRUE),
                        test_order_by_number);
  g_test_add_data_func ("/scene/model/order-by-traffic", GINT_TO_POINTER (FALSE),
                        test_order_by_number);
  g_test_add_func ("/scene/model/order-without-numbers", test_order_without_numbers);
  return g_test_run ();
}
