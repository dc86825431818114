/* SPDX-License-Identifier: MIT */
/* Behind the way of one token: its attention for all tokens at once. Every number of a matrix has
 * its cell, the way's own row is that of the steps before, whatever the width and the model. */
#include "ui/scene/steps/steps-scene.h"

#include <string.h>

#include "tests/scene/steps/steps-case.h"
#include "tests/support/box-sink.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-way.h"

#define MOST_OVERLAP 0.3 /* units; what rounding makes of texts that touch */

static const UiStepsScene *
cast (const UiScene *scene)
{
  return ui_steps_scene_cast (scene);
}

/* In the card of the step each number of the matrix once; the own row is framed, and no other. */
static void
check_cells (const UiScene *scene,
             int            step)
{
  const EngWay *way = cast (scene)->way;
  const int index = eng_way_get_stage (way, ui_steps_find_stage (way, step, NULL))->result;
  const UiItem item = { .type = UI_ITEM_STAGE, .stage = step };
  const EngNumbers *numbers = eng_way_get_numbers (way, index);
  g_autofree int *n_cells = g_new0 (int, (gsize) numbers->rows * numbers->columns);
  UiRect card;
  int n_own = 0;

  g_assert_true (ui_scene_get_rect (scene, &item, &card));
  for (guint i = 0; i < cast (scene)->layout.runs->len; i++) {
    const UiStepsRun *run = &g_array_index (cast (scene)->layout.runs, UiStepsRun, i);

    if (run->y < card.y || run->y > card.y + card.height || run->numbers != index || run->is_mini
        || run->is_source || run->n != numbers->columns)
      continue;
    n_own += run->is_own;
    g_assert_cmpint (run->is_own, ==, run->row == eng_way_get_own_row (way, index));
    for (int j = 0; j < run->n; j++)
      n_cells[run->row * numbers->columns + run->column + j * run->d_column]++;
  }
  g_assert_cmpint (n_own, ==, 1);
  for (int i = 0; i < numbers->rows * numbers->columns; i++)
    g_assert_cmpint (n_cells[i], ==, 1);
}

static void
check_texts (const UiScene *scene,
             double         width)
{
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *first = &g_array_index (boxes, TextBox, i);

    g_assert_cmpfloat (first->ink.x + first->ink.width, <=, width + 0.5);
    for (guint j = 0; j < i; j++)
      g_assert_cmpfloat (box_sink_overlap (first, &g_array_index (boxes, TextBox, j)), <=,
                         MOST_OVERLAP);
  }
}

/* Where the row of the way's own stands; before it is one of many, small beside the stage's name. */
static void
check_own_row (const UiScene *scene,
               const UiScene *before,
               int            stage)
{
  const UiItem item = { .type = UI_ITEM_STAGE, .stage = ui_steps_get_step (scene) };
  UiRect card, row, small;

  g_assert_true (ui_scene_get_rect (scene, &item, &card));
  g_assert_true (ui_steps_find_handed (scene, stage, &row));
  g_assert_cmpfloat (row.y, >, card.y);
  g_assert_cmpfloat (row.y + row.height, <, card.y + card.height);
  g_assert_true (ui_steps_find_handed (before, stage, &small));
  if (ui_steps_has_all_rows (before))
    g_assert_cmpfloat (small.width, <=, row.width);
}

static void
check_step (EngTrace *trace,
            int       step)
{
  static const struct { double width, scale; } rooms[] = {
    { 330, 1 }, { 480, 1.5 }, { 742, 1 }, { 1280, 1 }, { 1920, 1.5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rooms); i++) {
    g_autoptr (UiScene) scene = make_step (trace, step, rooms[i].width, rooms[i].scale);
    g_autoptr (UiScene) before = make_step (trace, step - 1, rooms[i].width, rooms[i].scale);
    const int stage = ui_steps_get_stage (scene);
    const EngStage *of = eng_way_get_stage (cast (scene)->way, stage);
    g_autofree char *name = ui_steps_dup_name (scene, step);
    g_autofree char *headline = ui_scene_headline (scene);

    g_assert_true (ui_steps_has_all_rows (scene));
    g_assert_cmpint (ui_steps_get_step (scene), ==, step);
    g_assert_cmpint (of->part, ==, ENG_PART_ATTENTION);
    g_assert_true (g_str_has_prefix (name, of->name));
    g_assert_nonnull (strstr (name, "all tokens"));
    g_assert_nonnull (strstr (headline, "all tokens"));
    check_cells (scene, step);
    check_own_row (scene, before, stage);
    check_texts (scene, MAX (rooms[i].width, cast (scene)->layout.width));
  }
}

static const UiStepsRow *
get_row (const UiScene *scene,
         guint          index)
{
  return &g_array_index (cast (scene)->layout.rows, UiStepsRow, index);
}

static const char *
get_stage_name (const UiScene *scene)
{
  return eng_way_get_stage (cast (scene)->way, ui_steps_get_stage (scene))->name;
}

/* Its disc has the number of the step, behind those of the token, and says so when it is met. */
static void
check_number (const UiScene *scene)
{
  const int step = ui_steps_get_step (scene);
  const UiItem item = { .type = UI_ITEM_STAGE, .stage = step };
  g_autofree char *painted = scene_case_print (scene, NULL);
  g_autofree char *disc = g_strdup_printf ("%d", step);
  g_autofree char *said = ui_scene_describe (scene, &item);
  g_autofree char *words = g_strdup_printf ("Step %d of %d, %s, of all tokens.", step,
                                            ui_steps_get_n (scene) - 1,
                                            get_stage_name (scene));
  int n_cards = 0, end = 0;

  for (guint i = 0; i < cast (scene)->layout.rows->len; i++) {
    const UiStepsRow *row = get_row (scene, i);

    g_assert_cmpint (row->first, ==, end);
    end += row->n;
    n_cards += row->is_card;
    g_assert_cmpint (row->is_card, ==, row->first == step);
    g_assert_cmpint (row->state == UI_STEPS_LATER, ==, row->first > step);
  }
  g_assert_cmpint (end, ==, ui_steps_get_n (scene));
  g_assert_cmpint (n_cards, ==, 1);
  g_assert_nonnull (strstr (painted, disc));
  g_assert_true (g_str_has_prefix (said, words));
}

/* In the order of the way, and the last of them are the weights. */
static void
check_model (EngTrace *trace)
{
  const int n = count_steps (trace);
  g_autoptr (UiScene) first = make_step (trace, 0, 742, 1);
  const int n_all = ui_steps_get_n (first);
  int stage = -1;

  g_assert_cmpint (n_all, >=, n + 2);
  for (int step = 0; step < n; step++) {
    g_autoptr (UiScene) scene = make_step (trace, step, 742, 1);

    g_assert_false (ui_steps_has_all_rows (scene));
    g_assert_cmpint (ui_steps_get_stage (scene), ==, step);
  }
  for (int step = n; step < n_all; step++) {
    g_autoptr (UiScene) scene = make_step (trace, step, 742, 1);

    g_assert_cmpint (ui_steps_get_stage (scene), >, stage);
    stage = ui_steps_get_stage (scene);
    check_step (trace, step);
    check_number (scene);
  }
  g_assert_cmpint (eng_way_get_stage (cast (first)->way, stage)->id, ==, ENG_STAGE_SOFTMAX);
}

static void
test_bundled (gconstpointer name)
{
  g_autoptr (EngTrace) trace = make_bundled (name, "The cat sat on the mat.");

  check_model (trace);
}

/* Too many for names and numbers. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (EngTrace) trace = NULL;

  for (int i = 0; i < 15; i++)
    g_string_append (text, "the cat sat on a ");
  trace = make_bundled ("headlight-mini", text->str);
  check_step (trace, count_steps (trace));
}

/* The whole way has them, too, as a part of their own at its end. A step behind the last one is
 * refused. */
static void
test_ends (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) whole = make_scene (trace, "step=all", 742, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  const UiSceneOptions options = { .width = 742, .text_scale = 1, .zoom = 1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *none = NULL;

  g_assert_false (ui_steps_has_all_rows (whole));
  g_assert_cmpint (ui_steps_get_step (whole), ==, ui_steps_get_n (whole) - 1);
  for (int step = count_steps (trace); step < ui_steps_get_n (whole); step++) {
    const UiStepsRow *row = get_row (whole, (guint) step);

    g_assert_true (row->is_card && row->has_all_rows);
    g_assert_cmpint (row->first, ==, step);
    check_cells (whole, step);
  }
  none = ui_steps_dup_name (whole, ui_steps_get_n (whole));
  g_assert_null (none);
  document->view = UI_VIEW_STEPS;
  document->step = ui_steps_get_n (whole);
  g_assert_null (ui_steps_way_new (trace, document, &options, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/steps-rows/encoder", "headlight-mini", test_bundled);
  g_test_add_data_func ("/steps-rows/causal", "headlight-causal", test_bundled);
  g_test_add_data_func ("/steps-rows/translator", "headlight-en-fr", test_bundled);
  g_test_add_func ("/steps-rows/long", test_long);
  g_test_add_func ("/steps-rows/ends", test_ends);
  return g_test_run ();
}
