/* SPDX-License-Identifier: MIT */
/* A scene that holds back draws what it did, and says none of its numbers. */
#include "tests/scene/steps/steps-case.h"

#include "engine/trace/head-facts.h"
#include "tests/support/fields.h"
#include "ui/scene/export/export.h"
#include "ui/scene/export/numbers.h"
#include "ui/scene/views/comparison.h"

#define TEXT "The cat sat on the mat."

static const UiSceneOptions open_options = { .width = 1100, .view_height = 800, .text_scale = 1 };

static UiScene *
create (EngTrace   *trace,
        const char *settings,
        gboolean    holds_back)
{
  g_autoptr (UiDocument) document = fields_make_document (settings);
  g_autoptr (GError) error = NULL;
  UiSceneOptions options = open_options;
  UiScene *scene;

  options.holds_back = holds_back;
  scene = ui_comparison_new (trace, trace, document, &options, &error);
  g_assert_no_error (error);
  return scene;
}

/* Texts that end in a number with a decimal point, or are a shape. In the model view those at the left are the places of
 * heads. */
static int
count_readings (const UiScene *scene,
                const UiItem  *hover)
{
  const gboolean is_grid = ui_scene_get_document (scene)->view == UI_VIEW_MODEL;
  g_autofree char *pattern = g_strdup_printf ("^ *text .*%s.*#[0-9a-f]+ (to |.*full |⇄ )*"
                                              "[-+−±]?([0-9]*\\.[0-9]+|[0-9]+ × [0-9]+)$", is_grid ? " right" : "");
  g_autofree char *drawn = scene_case_print (scene, hover);
  g_auto (GStrv) lines = g_strsplit (drawn, "\n", -1);
  int n = 0;

  for (int i = 0; lines[i] != NULL; i++)
    n += g_regex_match_simple (pattern, lines[i], 0, 0);
  return n;
}

static const struct { const char *settings; UiItem item; } cases[] = {
  { "layer=3 heads=11 pin=2", { .type = UI_ITEM_QUERY, .query = 2 } },
  { "layer=3 heads=3,11 pin=2", { .type = UI_ITEM_LINK, .head = 11, .query = 2, .key = 3 } },
  { "view=matrix layer=3 heads=11", { .type = UI_ITEM_LINK, .head = 11, .query = 2, .key = 3 } },
  { "view=matrix layer=3 heads=11 pin=2", { .type = UI_ITEM_KEY, .key = 3 } },
  { "view=model order=entropy", { .type = UI_ITEM_HEAD, .layer = 1, .head = 6 } },
  { "view=model", { .type = UI_ITEM_HEAD, .layer = 1, .head = 6 } },
  { "view=model order=pattern", { .type = UI_ITEM_HEAD, .layer = 1, .head = 6 } },
  { "view=neuron layer=3 heads=11 pin=2", { .type = UI_ITEM_SCORE, .query = 2, .key = 3 } },
  { "view=steps layer=3 heads=11 pin=2 step=7", { .type = UI_ITEM_STAGE, .stage = 7 } },
  { "view=matrix compare=heads panels=1.6,3.11 pin=2", { .type = UI_ITEM_QUERY, .query = 2, .panel = 1 } },
  { "layer=3 heads=11 compare=difference compare-layer=1 compare-heads=6 pin=2",
    { .type = UI_ITEM_QUERY, .query = 2 } },
};

/* Whether a sentence tells a number of the picture, or who reads whom. */
static gboolean
tells (const char *sentence)
{
  return g_regex_match_simple ("\\d\\.\\d\\d|reads|most|Strongest|Largest", sentence, 0, 0);
}

static void
assert_said (const UiScene *scene,
             const UiItem  *item)
{
  g_autofree char *item_said = ui_scene_describe (scene, item);
  g_autofree char *summary = ui_scene_summarise (scene);
  g_autofree char *headline = ui_scene_headline (scene);

  g_assert_true (g_str_has_suffix (item_said, ": answer first."));
  g_assert_true (g_str_has_suffix (headline, ": answer first."));
  g_assert_true (g_str_has_suffix (summary, ". Answer first."));
  if (tells (item_said) || tells (summary) || tells (headline))
    g_error ("%s | %s | %s", item_said, summary, headline);
}

static void
test_cases (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", TEXT);

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++)
    eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, layer);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) open = create (trace, cases[i].settings, FALSE);
    g_autoptr (UiScene) held = create (trace, cases[i].settings, TRUE);
    const UiItem *item = &cases[i].item;
    double sizes[4];

    g_test_message ("%s: %d readings", cases[i].settings, count_readings (open, NULL));
    g_assert_cmpint (count_readings (open, NULL), >, 0);
    g_assert_cmpint (count_readings (held, NULL), ==, 0);
    g_assert_cmpint (count_readings (held, item), ==, 0);
    assert_said (held, item);

    /* It stays where it is when the answer comes; below a step comes where a number is from. */
    ui_scene_get_size (open, &sizes[0], &sizes[1]);
    ui_scene_get_size (held, &sizes[2], &sizes[3]);
    g_assert_cmpfloat (sizes[0], ==, sizes[2]);
    if (ui_scene_get_document (open)->view != UI_VIEW_STEPS)
      g_assert_cmpfloat (sizes[1], ==, sizes[3]);
  }
}

/* Whether a text of a drawing for paper is a number with a decimal point. In the model view the names of
 * heads look like one; test_cases() has it. */
static gboolean
draws_numbers (const UiScene *scene)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) svg = ui_figure_scene_to_bytes (scene, UI_FIGURE_SVG, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
  return g_regex_match_simple (">[-+−±]?[0-9]*\\.[0-9]+<", text, 0, 0);
}

static void
assert_refused (GError **error)
{
  g_assert_error (*error, UI_ERROR, UI_ERROR_VALUE);
  g_assert_cmpstr ((*error)->message, ==, "Answer first: that would tell what the lesson asks.");
  g_clear_error (error);
}

/* Of the same scene, drawings alone leave the program. */
static void
test_files (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", TEXT);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = fields_make_document (cases[i].settings);
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) held = ui_figure_scene_new_asked (trace, trace, document, TRUE, &error);
    g_autoptr (UiScene) open = ui_figure_scene_new_asked (trace, trace, document, FALSE, &error);

    g_assert_no_error (error);
    for (UiNumbersFormat format = UI_NUMBERS_CSV; format <= UI_NUMBERS_NPY; format++) {
      g_assert_null (ui_numbers_to_bytes (held, format, &error));
      assert_refused (&error);
      g_assert_null (ui_numbers_describe (held, format, &error));
      assert_refused (&error);
    }
    g_assert_null (ui_figure_scene_to_bytes (held, UI_FIGURE_HTML, &error));
    assert_refused (&error);
    if (ui_scene_get_document (open)->view == UI_VIEW_MODEL)
      continue;
    g_assert_true (draws_numbers (open));
    g_assert_false (draws_numbers (held));
  }
}

/* The columns of the numbers that stand alone in a step, of those that it hands on. */
static GArray *
list_columns (const UiScene *scene,
              int            step)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const EngStage *stage = eng_way_get_stage (self->way, step);
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = &g_array_index (self->layout.runs, UiStepsRun, i);

    if (run->n == 1 && run->numbers == stage->result)
      g_array_append_val (columns, run->column);
  }
  return columns;
}

static gboolean
is_ascending (const GArray *columns)
{
  for (guint i = 1; i < columns->len; i++)
    if (g_array_index (columns, int, i) <= g_array_index (columns, int, i - 1))
      return FALSE;
  return TRUE;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* Nor do all steps on one sheet, which the export dialog offers beside the one that is on show. */
static void
test_sheet (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", TEXT);
  g_autoptr (UiDocument) document = fields_make_document ("view=steps layer=3 heads=11 pin=2 step=all");

  for (int is_asked = 0; is_asked < 2; is_asked++) {
    g_autoptr (UiScene) scene = ui_figure_scene_new_asked (trace, NULL, document, is_asked, NULL);

    g_assert_cmpint (draws_numbers (scene), ==, !is_asked);
  }
}

/* What stands in the order of its numbers does not while these are held back: the neurons that fire
 * strongest, the likeliest words with their logits and their probabilities. They are the same ones. */
static void
test_order (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat [MASK] on the mat.");
  const int n_steps = count_steps (trace);
  int n_ordered = 0;

  for (int step = 0; step < n_steps; step++) {
    g_autofree char *settings = g_strdup_printf ("view=steps step=%d", step);
    g_autoptr (UiScene) open = create (trace, settings, FALSE);
    g_autoptr (UiScene) held = create (trace, settings, TRUE);
    g_autoptr (GArray) shown = list_columns (open, step);
    g_autoptr (GArray) hidden = list_columns (held, step);

    if (is_ascending (shown) || hidden->len < 10)
      continue;
    n_ordered++;
    g_assert_true (is_ascending (hidden));
    g_array_sort (shown, compare);
    g_assert_cmpmem (shown->data, shown->len * sizeof (int),
                     hidden->data, hidden->len * sizeof (int));
  }
  g_assert_cmpint (n_ordered, ==, 3);
}

/* Set of what stands for a number beside a label of the answer, as it is drawn: its sizes and colours. */
static GHashTable *
list_marks (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  GHashTable *marks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *drawn = scene_case_print (scene, NULL);
  g_auto (GStrv) lines = g_strsplit (drawn, "\n", -1);

  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = &g_array_index (self->layout.runs, UiStepsRun, i);
    const UiRect cell = ui_steps_run_get_cell (run, 0);

    if (run->n != 1
        || eng_way_get_numbers (self->way, run->numbers)->column_axis != ENG_AXIS_CLASSES)
      continue;
    for (int j = 0; lines[j] != NULL; j++) {
      g_autofree char *at = g_strdup_printf ("fill %.1f %.1f ", cell.x, cell.y);
      const char *found = strstr (lines[j], at);

      if (found != NULL)
        g_hash_table_add (marks, g_strdup (found + strlen (at)));
    }
  }
  return marks;
}

/* Nor does a bar or a colour beside the likeliest words: all of them look alike. */
static void
test_answer (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat [MASK] on the mat.");
  const int n_steps = count_steps (trace);
  int n_marked = 0;

  for (int step = 0; step < n_steps; step++) {
    g_autofree char *settings = g_strdup_printf ("view=steps step=%d", step);
    g_autoptr (UiScene) open = create (trace, settings, FALSE);
    g_autoptr (UiScene) held = create (trace, settings, TRUE);
    g_autoptr (GHashTable) shown = list_marks (open);
    g_autoptr (GHashTable) hidden = list_marks (held);

    if (g_hash_table_size (shown) == 0)
      continue;
    n_marked++;
    g_assert_cmpuint (g_hash_table_size (shown), >, 3);
    g_assert_cmpuint (g_hash_table_size (hidden), ==, 1);
  }
  g_assert_cmpint (n_marked, ==, 2);
}

/* What a held drawing is made into shows all of it again. */
static void
test_resized (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", TEXT);
  g_autoptr (UiDocument) document = fields_make_document (cases[0].settings);
  g_autoptr (UiScene) held = create (trace, cases[0].settings, TRUE);
  g_autoptr (UiScene) open = ui_scene_new_resized (held, document, &open_options);
  g_autofree char *said = ui_scene_describe (open, &cases[0].item);

  g_assert_true (ui_scene_holds_back (held));
  g_assert_false (ui_scene_holds_back (open));
  g_assert_cmpint (count_readings (open, NULL), >, 0);
  g_assert_true (tells (said));
}

/* Each names of what it is, so that one who hears it knows where they are. */
static void
test_names (void)
{
  static const struct { int i; const char *said; } names[] = {
    { 0, "Head 11 of layer 3, “cat” (2): answer first." },
    { 2, "Head 11 of layer 3, “cat” (2), “sat” (3): answer first." },
    { 5, "Head 6 of layer 1: answer first." },
    { 8, "Step 7, Query times key: answer first." },
    { 9, "Head 11 of layer 3, “cat” (2): answer first." },
  };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", TEXT);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (UiScene) held = create (trace, cases[names[i].i].settings, TRUE);
    g_autofree char *said = ui_scene_describe (held, &cases[names[i].i].item);

    g_assert_cmpstr (said, ==, names[i].said);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hold-back/cases", test_cases);
  g_test_add_func ("/hold-back/files", test_files);
  g_test_add_func ("/hold-back/sheet", test_sheet);
  g_test_add_func ("/hold-back/order", test_order);
  g_test_add_func ("/hold-back/answer", test_answer);
  g_test_add_func ("/hold-back/resized", test_resized);
  g_test_add_func ("/hold-back/names", test_names);

  return g_test_run ();
}
