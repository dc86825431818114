/* SPDX-License-Identifier: MIT */
/* The steps view over random architectures and the models that ship: what is printed is the way's,
 * texts never lie over each other, whatever the width, everything can be met and gone to. */
#include "ui/scene/steps/steps-scene.h"

#include <math.h>
#include <string.h>

#include "tests/scene/steps/steps-case.h"
#include "tests/support/box-sink.h"
#include "tests/support/random-model.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/token-words.h"
#include "ui/scene/steps/steps-facts.h"

#define N_SPECS 24
#define MOST_OVERLAP 0.3 /* units; what rounding makes of texts that touch */

static GArray *
find_texts (const UiScene *scene)
{
  GArray *boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  return boxes;
}

static gboolean
is_inside (const UiRect *cell,
           const UiRect *ink)
{
  const double x = ink->x + ink->width / 2, y = ink->y + ink->height / 2;

  return x >= cell->x && x < cell->x + cell->width && y >= cell->y && y < cell->y + cell->height;
}

/* Half of the last digit that is printed. */
static double
get_precision (const char *text)
{
  const char *power = strchr (text, 'e');
  const char *point = strchr (text, '.');
  const int decimals = point != NULL ? (int) strspn (point + 1, "0123456789") : 0;

  return 0.5001 * pow (10, (power != NULL ? atoi (power + 1) : 0) - decimals);
}

static void
assert_printed (const char *text,
                double      value)
{
  const gboolean is_negative = g_str_has_prefix (text, "−");
  const char *amount = is_negative ? text + strlen ("−") : text;
  char *end;
  double printed;

  if (g_str_equal (amount, "∞")) {
    g_assert_true (isinf (value) && (value < 0) == is_negative);
  } else if (g_str_equal (amount, "<.001")) {
    g_assert_cmpfloat (value, >, 0);
    g_assert_cmpfloat (value, <, 0.001);
  } else {
    printed = g_ascii_strtod (amount, &end) * (is_negative ? -1 : 1);
    g_assert_cmpstr (end, ==, "");
    g_assert_cmpfloat_with_epsilon (printed, value, get_precision (amount));
  }
}

/* In each cell that has room for one stands its number. Returns how many do. */
static int
assert_numbers (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  g_autoptr (GArray) boxes = find_texts (scene);
  int n_printed = 0;

  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = &g_array_index (self->layout.runs, UiStepsRun, i);
    const EngNumbers *numbers = eng_way_get_numbers (self->way, run->numbers);

    for (int j = 0; j < run->n && run->look != UI_STEPS_LOOK_STRIP; j++) {
      const UiRect cell = ui_steps_run_get_cell (run, j);
      int n_inside = 0;

      for (guint k = 0; k < boxes->len; k++) {
        const TextBox *box = &g_array_index (boxes, TextBox, k);

        if (!is_inside (&cell, &box->ink))
          continue;
        n_inside++;
        assert_printed (box->text, eng_numbers_get (numbers, run->row + j * run->d_row,
                                                    run->column + j * run->d_column));
      }
      g_assert_cmpint (n_inside, ==, 1);
      n_printed++;
    }
  }
  return n_printed;
}

static void
test_numbers (void)
{
  int n_printed = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 2 + (int) (seed % 9));
    g_autoptr (UiScene) whole = make_scene (trace, "step=all", 760, 1);

    n_printed += assert_numbers (whole);
  }
  g_assert_cmpint (n_printed, >, 100 * N_SPECS);
}

static double
get_overlap (double first,
             double first_length,
             double second,
             double second_length)
{
  return MIN (first + first_length, second + second_length) - MAX (first, second);
}

/* But for the numbers in them nothing stands on cells. */
static void
assert_beside_cells (const UiScene *scene,
                     const GArray  *boxes,
                     double         width,
                     int            step)
{
  const UiStepsLayout *layout = &ui_steps_scene_cast (scene)->layout;

  for (guint i = 0; i < layout->runs->len; i++) {
    const UiRect cells = ui_steps_run_get_rect (&g_array_index (layout->runs, UiStepsRun, i));

    for (guint j = 0; j < boxes->len; j++) {
      const TextBox *box = &g_array_index (boxes, TextBox, j);

      if (!is_inside (&cells, &box->ink)
          && get_overlap (cells.x, cells.width, box->ink.x, box->ink.width) > MOST_OVERLAP
          && get_overlap (cells.y, cells.height, box->ink.y, box->ink.height) > MOST_OVERLAP)
        g_error ("step %d, width %g: “%s” stands on cells", step, width, box->text);
    }
  }
}

static void
assert_apart (const UiScene *scene,
              double         width,
              int            step)
{
  g_autoptr (GArray) boxes = find_texts (scene);
  double right;

  ui_scene_get_size (scene, &right, NULL);
  assert_beside_cells (scene, boxes, width, step);
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *first = &g_array_index (boxes, TextBox, i);

    if (first->ink.x < -0.5 || first->ink.x + first->ink.width > right + 0.5)
      g_error ("step %d, width %g: “%s” is beyond the edge", step, width, first->text);
    for (guint j = 0; j < i; j++) {
      const TextBox *second = &g_array_index (boxes, TextBox, j);

      if (box_sink_overlap (first, second) > MOST_OVERLAP)
        g_error ("step %d, width %g: “%s” and “%s” overlap", step, width, first->text,
                 second->text);
    }
  }
}

/* In every so many-th of the rooms. */
static void
assert_all_apart (EngTrace *trace,
                  gsize     stride)
{
  static const struct { double width, scale; } rooms[] = {
    { 330, 1 }, { 420, 1 }, { 480, 1.5 }, { 560, 1 }, { 752, 1 }, { 752, 1.5 }, { 900, 2 },
    { 1280, 1 }, { 1920, 1 }, { 1920, 1.5 },
  };
  const int n = count_steps (trace);

  for (gsize i = 0; i < G_N_ELEMENTS (rooms); i += stride)
    for (int step = 0; step < n; step++) {
      g_autoptr (UiScene) scene = make_step (trace, step, rooms[i].width, rooms[i].scale);

      assert_apart (scene, rooms[i].width, step);
    }
}

/* In every kind of attention each number of every step has a name, the tokens of its own stack. */
static void
test_kinds (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-en-fr", "The old cat sat on the mat.");

  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    g_autofree char *settings = g_strdup_printf ("step=all layer=1 kind=%s",
                                                 eng_kind_get_name ((EngKind) kind));
    g_autoptr (UiScene) scene = make_scene (trace, settings, 700, 1);
    g_autofree char *numbers = ui_scene_numbers (scene);
    const UiStepsScene *self = ui_steps_scene_cast (scene);

    g_assert_cmpint (assert_numbers (scene), >, 100);
    g_assert_nonnull (strstr (numbers, "“cat”"));
    for (int i = 0; i < eng_way_get_n_numbers (self->way); i++) {
      const EngNumbers *one = eng_way_get_numbers (self->way, i);
      const EngTokens *rows = ui_steps_get_tokens (self, one, one->row_axis);
      const EngTokens *columns = ui_steps_get_tokens (self, one, one->column_axis);

      g_assert_true (rows == NULL || one->rows == 1 || one->rows == rows->n);
      g_assert_true (columns == NULL || one->columns == columns->n);
    }
  }
}

static void
test_apart_bundled (gconstpointer data)
{
  g_autoptr (EngTrace) trace = make_bundled (data, "The old cat sat on the mat.");

  assert_all_apart (trace, 1);
}

static void
test_apart_random (void)
{
  for (guint32 seed = 1; seed <= 6; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 2 + (int) (seed % 9));

    assert_all_apart (trace, 3);
  }
}

/* What is met in the middle of a place is what stands there. */
static void
assert_met (const UiScene *scene,
            const UiItem  *item)
{
  UiRect rect;
  UiItem found;

  g_assert_true (ui_scene_get_rect (scene, item, &rect));
  if (item->type == UI_ITEM_STAGE)
    rect.height = 10;
  g_assert_true (ui_scene_hit (scene, rect.x + rect.width / 2, rect.y + rect.height / 2, &found));
  g_assert_cmpint (found.type, ==, item->type);
  g_assert_cmpint (found.stage, ==, item->stage);
  g_assert_cmpint (found.matrix, ==, item->matrix);
  g_assert_cmpint (found.row, ==, item->row);
  g_assert_cmpint (found.dimension, ==, item->dimension);
}

/* Down from the first stage leads to the last one, past numbers, and each says what it is. */
static void
test_walk (void)
{
  for (guint32 seed = 1; seed <= 8; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 2 + (int) (seed % 9));
    const int n = count_steps (trace);
    g_autoptr (UiScene) scene = make_step (trace, (int) seed % n, 640, 1);
    UiItem item = { 0 }, last = { 0 };
    int n_moves = 0, n_numbers = 0;

    g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &last));
    g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &last));
    g_assert_true (ui_scene_move (scene, UI_MOVE_FIRST, &item));
    g_assert_true (ui_scene_move (scene, UI_MOVE_FIRST, &item));
    g_assert_cmpint (item.type, ==, UI_ITEM_STAGE);
    g_assert_cmpint (item.stage, ==, 0);
    do {
      g_autofree char *sentence = ui_scene_describe (scene, &item);

      g_assert_cmpuint (strlen (sentence), >, 10);
      assert_met (scene, &item);
      n_numbers += item.type == UI_ITEM_NUMBER;
      g_assert_cmpint (++n_moves, <, 2000);
    } while (ui_scene_move (scene, UI_MOVE_DOWN, &item));
    g_assert_cmpint (item.type, ==, UI_ITEM_STAGE);
    g_assert_cmpint (item.stage, ==, last.stage);
    g_assert_cmpint (n_numbers, >, 0);
  }
}

/* The stage that is reached is in full, those behind it are not yet there. */
static void
test_steps (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  const int n = count_steps (trace);

  g_assert_cmpint (n, >, 15);
  for (int step = 0; step < n; step++) {
    g_autoptr (UiScene) scene = make_step (trace, step, 700, 1);
    const UiStepsScene *self = ui_steps_scene_cast (scene);
    int n_cards = 0;

    g_assert_cmpint (ui_steps_get_step (scene), ==, step);
    for (guint i = 0; i < self->layout.rows->len; i++) {
      const UiStepsRow *row = &g_array_index (self->layout.rows, UiStepsRow, i);

      n_cards += row->is_card;
      g_assert_cmpint (row->is_card, ==, row->first == step);
      g_assert_cmpint (row->state == UI_STEPS_LATER, ==, row->first > step);
    }
    g_assert_cmpint (n_cards, ==, 1);
  }
}

/* What an audience is to see at once holds a step with a row for each token, is the same in all
 * steps, and grows as the text does. */
static void
test_stage_height (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat on the mat.");
  g_autoptr (EngTrace) longer = make_bundled ("headlight-mini", "The old cat sat on the red mat.");
  g_autoptr (UiScene) first = make_step (trace, 0, 900, 1);
  g_autoptr (UiScene) of_longer = make_step (longer, 0, 900, 1);
  g_autoptr (UiScene) large = make_step (trace, 0, 1800, 2);
  g_autoptr (EngTrace) longest =
    make_bundled ("headlight-mini", "The old cat sat on the red mat and the dog lay on the rug.");
  g_autoptr (UiScene) of_longest = make_step (longest, 0, 900, 1);
  const double height = ui_scene_get_stage_height (first, UI_STAGE_WHOLE);
  const double part = ui_scene_get_stage_height (first, UI_STAGE_BEGINNING);
  const int n = count_steps (trace);
  UiRect card;

  g_assert_true (ui_scene_get_rect (first, &(UiItem) { .type = UI_ITEM_STAGE }, &card));
  g_assert_cmpfloat (height, >=, card.y + card.height);
  g_assert_cmpfloat (part, >=, card.y + card.height);
  g_assert_cmpfloat (part, <, height);
  g_assert_true (ui_scene_get_rect (of_longest, &(UiItem) { .type = UI_ITEM_STAGE }, &card));
  g_assert_cmpfloat (ui_scene_get_stage_height (of_longest, UI_STAGE_PICTURE), >=,
                     card.y + card.height);
  g_assert_cmpfloat (ui_scene_get_stage_height (of_longest, UI_STAGE_BEGINNING), <,
                     card.y + card.height);
  for (UiStageRoom room = UI_STAGE_BEGINNING; room <= UI_STAGE_WHOLE; room++) {
    const double usual = ui_scene_get_stage_height (first, room);

    g_assert_cmpfloat (usual, <=, height);
    g_assert_cmpfloat (ui_scene_get_stage_height (of_longer, room), >, usual);
    g_assert_cmpfloat_with_epsilon (ui_scene_get_stage_height (large, room), 2 * usual, 1);
    for (int step = 1; step < n; step++) {
      g_autoptr (UiScene) scene = make_step (trace, step, 900, 1);

      g_assert_cmpfloat (ui_scene_get_stage_height (scene, room), ==, usual);
    }
  }
}

/* Of a number that is looked at, its sources and that it comes to the same; what is not the model's
 * is told in red. */
static void
test_check (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) before = make_scene (trace, "step=0 layer=1", 700, 1);
  const UiStepsScene *self = ui_steps_scene_cast (before);
  const int products = eng_way_find_stage (self->way, ENG_PART_ATTENTION, ENG_STAGE_PRODUCTS);
  const int dots = eng_way_find (self->way, ENG_PART_ATTENTION, ENG_NUMBERS_DOTS, 0);
  const EngStage *stage = eng_way_get_stage (self->way, products);
  g_autofree char *settings = g_strdup_printf ("step=%d layer=1 number=%d.%d.%d.1", products,
                                               products, dots - stage->first,
                                               eng_way_get_query (self->way));
  EngMatrix keys;

  {
    g_autoptr (UiScene) scene = make_scene (trace, settings, 700, 1);
    g_autofree char *drawn = scene_case_print (scene, NULL);
    const char *line = strstr (drawn, "✓ Worked out again");

    g_assert_nonnull (line);
    g_assert_null (strstr (drawn, "✗"));
    g_assert_cmpint (ui_steps_scene_cast (scene)->looked.numbers, ==, dots);
  }

  g_assert_true (eng_trace_get_keys (trace, ENG_KIND_ENCODER, 1, 0, &keys));
  ((float *) keys.data)[keys.stride] += 0.01f;
  {
    g_autofree char *keys_settings = g_strdup_printf ("step=%d layer=1", products - 1);
    g_autoptr (UiScene) scene = make_scene (trace, keys_settings, 700, 1);
    const UiStepsScene *spoilt = ui_steps_scene_cast (scene);
    const int index = eng_way_find (spoilt->way, ENG_PART_ATTENTION, ENG_NUMBERS_KEYS, 0);
    const UiStepsPlace place = { index, 1, 0 };
    const UiItem item = ui_steps_make_item (spoilt, &place);
    gboolean agrees = TRUE;
    g_autofree char *check = ui_steps_describe_check (spoilt, &place, &agrees);
    g_autofree char *sentence = ui_scene_describe (scene, &item);

    g_assert_false (agrees);
    g_assert_true (g_str_has_prefix (check, "✗"));
    g_assert_nonnull (strstr (sentence, "✗"));
  }
}

/* Where q, k and v are shares of what is read, the way knows the query of its own token alone: its
 * row has that token's name. */
static void
test_own_row (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-en-fr", "The old cat sat on the mat.");
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_CROSS);

  for (int query = 0; query < tokens->n; query += 3) {
    g_autofree char *settings = g_strdup_printf ("kind=cross layer=1 pin=%d if-no-projections=true",
                                                 query);
    g_autoptr (UiScene) scene = make_scene (trace, settings, 700, 1);
    const UiStepsScene *self = ui_steps_scene_cast (scene);
    const EngNumbers *queries =
      eng_way_get_numbers (self->way, eng_way_find (self->way, ENG_PART_ATTENTION,
                                                    ENG_NUMBERS_QUERIES, 0));
    g_autofree char *name = ui_steps_name_row (self, queries, 0);
    g_autofree char *expected = ui_describe_distinct (tokens, query);

    g_assert_cmpint (queries->rows, ==, 1);
    g_assert_cmpstr (name, ==, expected);
  }
}

static int n_hatched;

static void
count_hatched (UiSink       *sink,
               const UiRect *rect,
               UiColor       color)
{
  n_hatched++;
}

/* A link that is hidden is hatched among all tokens and, of the token itself, where its score is. */
static void
test_hidden (void)
{
  static const struct { const char *settings; int n; } cases[] = {
    { "layer=1 pin=2", 0 }, { "layer=1 pin=2 if-hide=1:0,4:1-2", 3 },
    { "layer=1 pin=4 if-hide=1:0,4:1-2", 5 }, { "layer=1 pin=4,k:0 if-mask=own", 7 },
  };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *settings = g_strconcat ("step=9 ", cases[i].settings, NULL);
    g_autoptr (UiScene) scene = make_scene (trace, settings, 900, 1);
    GArray *boxes = box_sink_new_array ();
    UiSink *sink = box_sink_new (boxes);
    const UiSinkClass *klass = sink->klass;
    UiSinkClass counting = *klass;

    n_hatched = 0;
    counting.hatch = count_hatched;
    sink->klass = &counting;
    ui_scene_paint (scene, sink, NULL);
    sink->klass = klass;
    box_sink_free (sink);
    g_array_unref (boxes);
    g_assert_cmpint (n_hatched, ==, cases[i].n);
  }
}

/* One step to the next makes no numbers anew. */
static void
test_shared (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiDocument) document = ui_document_new ();
  UiSceneOptions options = { .width = 700, .view_height = 500, .text_scale = 1, .zoom = 1 };
  g_autoptr (UiScene) first = NULL;
  g_autoptr (UiScene) second = NULL;
  g_autoptr (UiScene) other = NULL;

  document->view = UI_VIEW_STEPS;
  first = scene_case_new (trace, document, &options);
  options.before = first;
  document->step = 7;
  second = scene_case_new (trace, document, &options);
  document->if_temperature = 2;
  other = scene_case_new (trace, document, &options);
  g_assert_true (ui_steps_scene_cast (first)->way == ui_steps_scene_cast (second)->way);
  g_assert_true (ui_steps_scene_cast (first)->way != ui_steps_scene_cast (other)->way);
  g_assert_true (eng_way_is_what_if (ui_steps_scene_cast (other)->way));
}

/* A window shows what there is, a file refuses what there is not. */
static void
test_refused (void)
{
  static const struct { const char *field, *value, *expected; } cases[] = {
    { "step", "99", "Step 99 does not exist: the way has steps 0 to " },
    { "number", "0.0.99.0", "The number 0.0.99.0 does not exist" },
  };
  const UiSceneOptions options = { .width = 700, .text_scale = 1, .zoom = 1 };
  UiSceneOptions window = options;
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (EngTrace) file = scene_trace_new_exact (4, 0, 2);
  g_autoptr (UiDocument) plain = ui_document_new ();
  g_autoptr (GError) lacking = NULL;

  window.view_height = 500;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (GError) error = NULL;

    document->view = UI_VIEW_STEPS;
    g_assert_true (ui_document_set (document, ui_fields_find (cases[i].field), cases[i].value,
                                    NULL));
    g_assert_null (ui_scene_new (trace, document, &options, &error));
    g_assert_true (g_str_has_prefix (error->message, cases[i].expected));
    scene = scene_case_new (trace, document, &window);
    g_assert_nonnull (scene);
  }
  plain->view = UI_VIEW_STEPS;
  g_assert_null (ui_scene_new (file, plain, &options, &lacking));
  g_assert_nonnull (strstr (lacking->message, "trace file"));
}

/* All numbers of the step, each with its value. */
static void
test_table (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) scene = make_step (trace, 0, 700, 1);
  g_autofree char *numbers = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (numbers, "\n", -1);

  g_assert_cmpstr (lines[0], ==, "step\tname\tnumbers\trow\tcolumn\tvalue");
  g_assert_true (g_str_has_prefix (lines[1], "0\tText to ids\tid\t“[CLS]”\t"));
  for (int i = 1; lines[i][0] != '\0'; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

    g_assert_cmpuint (g_strv_length (cells), ==, 6);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps/numbers", test_numbers);
  g_test_add_data_func ("/steps/apart/encoder", "headlight-mini", test_apart_bundled);
  g_test_add_data_func ("/steps/apart/causal", "headlight-causal", test_apart_bundled);
  g_test_add_data_func ("/steps/apart/translator", "headlight-en-fr", test_apart_bundled);
  g_test_add_func ("/steps/apart/random", test_apart_random);
  g_test_add_func ("/steps/kinds", test_kinds);
  g_test_add_func ("/steps/walk", test_walk);
  g_test_add_func ("/steps/steps", test_steps);
  g_test_add_func ("/steps/stage-height", test_stage_height);
  g_test_add_func ("/steps/check", test_check);
  g_test_add_func ("/steps/own-row", test_own_row);
  g_test_add_func ("/steps/hidden", test_hidden);
  g_test_add_func ("/steps/shared", test_shared);
  g_test_add_func ("/steps/refused", test_refused);
  g_test_add_func ("/steps/table", test_table);
  return g_test_run ();
}
