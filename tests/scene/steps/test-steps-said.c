/* SPDX-License-Identifier: MIT */
/* What steps say of themselves, and the diagram of the model above them. */
#include "tests/scene/steps/steps-case.h"

#include <math.h>
#include <string.h>

#include "ui/scene/steps/steps-scene.h"

/* At the stage of a part, with settings: what is drawn has the words, or has not. */
static void
assert_drawn (EngTrace   *trace,
              const char *settings,
              EngWayPart  part,
              EngStageId  id,
              const char *words,
              gboolean    is_there)
{
  g_autofree char *begin = g_strdup_printf ("step=0 %s", settings);
  g_autoptr (UiScene) first = make_scene (trace, begin, 1100, 1);
  const int step = eng_way_find_stage (ui_steps_scene_cast (first)->way, part, id);
  g_autofree char *there = g_strdup_printf ("step=%d %s", step, settings);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *drawn = NULL;

  g_assert_cmpint (step, >=, 0);
  scene = make_scene (trace, there, 1100, 1);
  drawn = scene_case_print (scene, NULL);
  if ((strstr (drawn, words) != NULL) != is_there)
    g_error ("%s “%s” in step %d with %s", is_there ? "no" : "a", words, step, settings);
}

/* Sentences say what is done here, with this model and what is tried. */
static void
test_sentences (void)
{
  static const struct {
    const char *settings;
    EngWayPart  part;
    EngStageId  id;
    const char *words;
    gboolean    is_there;
  } cases[] = {
    { "layer=1", ENG_PART_ATTENTION, ENG_STAGE_SCALE, "divided by √24", TRUE },
    { "layer=1 if-scale=0.5", ENG_PART_ATTENTION, ENG_STAGE_SCALE, "multiplied by 0.5", TRUE },
    { "layer=1 if-scale=0.5", ENG_PART_ATTENTION, ENG_STAGE_SCALE, "What if", TRUE },
    { "layer=1 if-scale=0.5", ENG_PART_ATTENTION, ENG_STAGE_PRODUCTS, "What if", FALSE },
    { "layer=1 if-scale=0.5", ENG_PART_INPUT, ENG_STAGE_TOKENS, "What if", FALSE },
    { "layer=1 if-scale=0.5", ENG_PART_AFTER, ENG_STAGE_LAYERS, "not fed forward", TRUE },
    { "layer=1 if-no-projections=true", ENG_PART_ATTENTION, ENG_STAGE_PROJECTIONS,
      "projections are off", TRUE },
    { "layer=1", ENG_PART_ATTENTION, ENG_STAGE_PROJECTIONS, "projections are off", FALSE },
    { "layer=2", ENG_PART_BEFORE, ENG_STAGE_LAYERS, "layer 2, which follows", TRUE },
    { "layer=2", ENG_PART_AFTER, ENG_STAGE_LAYERS, "leaves layer 5", TRUE },
    { "layer=2", ENG_PART_AFTER, ENG_STAGE_LAYERS, "leaves 5", TRUE },
    { "layer=2", ENG_PART_AFTER, ENG_STAGE_LAYERS, "layer 6", FALSE },
    { "layer=5", ENG_PART_ANSWER, ENG_STAGE_TRANSFORM, "neuron", FALSE },
    { "layer=5", ENG_PART_FEED_FORWARD, ENG_STAGE_ACTIVATION, "neuron", TRUE },
  };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_drawn (trace, cases[i].settings, cases[i].part, cases[i].id, cases[i].words,
                  cases[i].is_there);
}

/* A window with little room says the end of it, from what is bold on. */
static void
test_explanation (void)
{
  static const char *const settings[] = { "step=3", "layer=1 step=20 if-scale=0.5" };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, settings[i], 700, 1);
    g_autofree char *plain = ui_scene_explain (scene);

    g_assert_true (g_str_has_suffix (plain, i == 0 ? "<b>Warm: positive. Cool: negative.</b>"
                                                   : "<b>What if, not fed forward.</b>"));
    g_assert_false (g_str_has_prefix (plain, "<b>"));
  }
}

/* A norm is said to shift where its rule has a bias: that of a root of squares never. */
static void
test_norms (void)
{
  int n_shift = 0, n_stretch = 0;

  for (guint32 seed = 1; seed <= 24; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 4);
    g_autoptr (UiScene) scene = make_scene (trace, "step=0", 700, 1);
    const EngWay *way = ui_steps_scene_cast (scene)->way;

    for (int i = 0; i < eng_way_get_n_stages (way); i++) {
      const EngStage *stage = eng_way_get_stage (way, i);
      const UiItem item = { .type = UI_ITEM_STAGE, .stage = i };
      g_autofree char *said = ui_scene_describe (scene, &item);
      g_autofree char *rule = eng_way_describe_formula (way, stage->result, 0);
      const gboolean shifts = strstr (said, "shifted") != NULL;

      if (stage->id != ENG_STAGE_NORM)
        continue;
      g_assert_cmpint (shifts, ==, strstr (rule, "plus bias") != NULL);
      g_assert_false (shifts && strstr (rule, "root of the mean square") != NULL);
      g_assert_nonnull (strstr (said, "stretched"));
      n_shift += shifts;
      n_stretch += !shifts;
    }
  }
  g_assert_cmpint (n_shift, >, 10);
  g_assert_cmpint (n_stretch, >, 10);
}

/* What a scene says of a number, that the document looks at: of the row that is the way's own. */
static char *
say (const UiScene *scene,
     EngWayPart     part,
     EngNumbersId   id,
     int            column)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const int numbers = eng_way_find (self->way, part, id, 0);
  const UiStepsPlace place = { numbers, eng_way_get_own_row (self->way, numbers), column };
  const UiItem item = ui_steps_make_item (self, &place);

  return ui_scene_describe (scene, &item);
}

static void
assert_says (EngTrace     *trace,
             const char   *settings,
             EngNumbersId  id,
             int           column,
             const char   *expected)
{
  g_autoptr (UiScene) scene = make_scene (trace, settings, 700, 1);
  g_autofree char *said = say (scene, ENG_PART_ATTENTION, id, column);

  g_assert_cmpstr (said, ==, expected);
}

/* Whether a key may be read is said as a sentence, of a token and of heads. */
static void
test_readings (void)
{
  const char *hides = "step=0 pin=2 layer=3 heads=11 if-hide=2:3";
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");

  assert_says (trace, hides, ENG_NUMBERS_READINGS, 3, "“cat” may not read “sat”: 0.");
  assert_says (trace, hides, ENG_NUMBERS_READINGS, 1, "“cat” may read “the”: 1.");
  assert_says (trace, hides, ENG_NUMBERS_ALL_READINGS, 3, "Head 0 may read “sat”: 1.");
  assert_says (trace, "step=0 pin=2", ENG_NUMBERS_ALL_READINGS, 3, "Every head may read “sat”: 1.");
}

/* Where a number comes from stands in its step: of what was given, by what, of a copy also that it is
 * one. */
static void
test_origins (void)
{
  static const struct { const char *settings, *words, *check; } cases[] = {
    { "step=0 number=0.0.2.0", "of the text: the number that the piece has", NULL },
    { "step=5 layer=3 number=5.0.2.7 pin=2", "the same number", "✓ Worked out again" },
    { "step=4 layer=3 number=4.0.0.7 pin=2", "the same number", "✓ Worked out again" },
    { "step=4 layer=3 number=4.0.2.7 pin=2", "by layer 1, which is a way of its own", NULL },
  };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, cases[i].settings, 1100, 1);
    g_autofree char *painted = scene_case_print (scene, NULL);
    g_autofree char *headline = ui_scene_headline (scene);

    g_assert_nonnull (strstr (painted, "Where one number comes from"));
    g_assert_nonnull (strstr (painted, cases[i].words));
    g_assert_nonnull (strstr (headline, cases[i].words));
    g_assert_cmpint (strstr (painted, "Worked out again") != NULL, ==, cases[i].check != NULL);
    g_assert_true (cases[i].check == NULL || strstr (painted, cases[i].check) != NULL);
  }
}

/* Of classes the one that is explained is the likeliest, whatever is most negative. */
static void
test_likeliest (void)
{
  int n_otherwise = 0;

  for (guint32 seed = 1; seed <= 24; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 4);
    g_autoptr (UiScene) scene = make_scene (trace, "step=0", 700, 1);
    const UiStepsScene *self = ui_steps_scene_cast (scene);
    const int stage = eng_way_find_stage (self->way, ENG_PART_ANSWER, ENG_STAGE_LOGITS);
    EngTask task;
    int n, token;
    const EngCandidate *candidates = eng_way_get_candidates (self->way, &n, &task, &token);
    const EngNumbers *logits;
    UiStepsPlace place;

    if (stage < 0)
      continue;
    place = ui_steps_find_explained (self, stage);
    logits = eng_way_get_numbers (self->way, place.numbers);
    g_assert_cmpint (logits->id, ==, ENG_NUMBERS_LOGITS);
    g_assert_cmpint (place.column, ==, candidates[0].index);
    for (int i = 0; i < logits->columns; i++)
      n_otherwise += eng_numbers_get (logits, place.row, i) < -fabs (candidates[0].logit);
  }
  g_assert_cmpint (n_otherwise, >, 3);
}

/* A whole way is said to have the steps that stand in it, by their numbers. */
static void
test_whole (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) scene = make_scene (trace, "step=all pin=2", 700, 1);
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const int n = ui_steps_get_n (scene);
  g_autofree char *headline = ui_scene_headline (scene);
  g_autofree char *words = g_strdup_printf ("Steps 0 to %d of “cat”", n - 1);

  g_assert_nonnull (strstr (headline, words));
  g_assert_cmpuint (self->layout.rows->len, ==, (guint) n);
  g_assert_cmpint (ui_steps_get_step (scene), ==, n - 1);
  g_assert_cmpint (n, >, eng_way_get_n_stages (self->way));
}

/* A step is said to be of a head or of a layer where it is. */
static void
test_places (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  const int n = count_steps (trace);

  for (int step = 0; step < n; step++) {
    g_autoptr (UiScene) scene = make_step (trace, step, 700, 1);
    const EngStage *stage = eng_way_get_stage (ui_steps_scene_cast (scene)->way, step);
    g_autofree char *headline = ui_scene_headline (scene);
    const gboolean has_layer = strstr (headline, "layer 0") != NULL;
    const gboolean has_head = strstr (headline, "head 0 of") != NULL;

    g_assert_cmpint (has_layer, ==, stage->part > ENG_PART_BEFORE && stage->part < ENG_PART_AFTER);
    if (stage->id == ENG_STAGE_SOFTMAX || stage->id == ENG_STAGE_PRODUCTS)
      g_assert_true (has_head && stage->part == ENG_PART_ATTENTION);
    if (stage->id == ENG_STAGE_HEADS || stage->part != ENG_PART_ATTENTION)
      g_assert_false (has_head);
  }
}

/* Steps of the answer light the head that gives it, those of the encoder's end no head. */
static void
test_lit (void)
{
  static const char *const models[] = { "headlight-mini", "headlight-en-fr" };

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autoptr (EngTrace) trace = make_bundled (models[i], "The cat sat.");
    const int n = count_steps (trace);
    g_autoptr (UiScene) scene = make_step (trace, n - 1, 700, 1);
    const UiStepsScene *self = ui_steps_scene_cast (scene);
    int n_lit = 0;

    for (guint box = 0; box < self->layout.boxes->len; box++) {
      const UiStepsBox *of = &g_array_index (self->layout.boxes, UiStepsBox, box);

      if (!of->is_lit)
        continue;
      n_lit++;
      g_assert_cmpstr (of->name, ==, i == 0 ? "Fill mask head" : "Layer norm");
      g_assert_cmpint (self->diagram->blocks[of->block].stack, ==, ENG_KIND_ENCODER);
    }
    g_assert_cmpint (n_lit, ==, 1);
  }
}

static UiStepsColor
find_color (const UiStepsScene *self,
            const char         *words)
{
  for (guint i = 0; i < self->layout.texts->len; i++) {
    const UiStepsText *text = &g_array_index (self->layout.texts, UiStepsText, i);

    if (g_str_equal (text->text, words))
      return text->color;
  }
  g_assert_not_reached ();
}

/* Of several heads the way ends with one, which is named; others stand back. */
static void
test_answering (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) scene = make_step (trace, 0, 900, 1);
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  g_assert_cmpint (find_color (self, "The answer: Fill mask head"), ==, UI_STEPS_COLOR_DIM);
  g_assert_cmpint (find_color (self, "Fill mask head"), ==, UI_STEPS_COLOR_TEXT);
  g_assert_cmpint (find_color (self, "Next sentence head"), ==, UI_STEPS_COLOR_DIM);
}

static const UiStepsBox *
find_box (const UiStepsScene *self,
          EngBlockType        type,
          EngKind             stack)
{
  for (guint i = 0; i < self->layout.boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (self->layout.boxes, UiStepsBox, i);
    const EngDiagramBlock *block = &self->diagram->blocks[box->block];

    if (block->type == type && block->stack == stack)
      return box;
  }
  return NULL;
}

/* Two stacks stand apart, by their names, and what joins them is said; so are heads. */
static void
test_stacks (void)
{
  g_autoptr (EngTrace) translator = make_bundled ("headlight-en-fr", "The cat sat.");
  g_autoptr (EngTrace) encoder = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) two = make_step (translator, 0, 1100, 1);
  g_autoptr (UiScene) one = make_step (encoder, 0, 1100, 1);
  g_autofree char *in_two = scene_case_print (two, NULL);
  g_autofree char *in_one = scene_case_print (one, NULL);
  const UiStepsScene *self = ui_steps_scene_cast (two);
  const UiStepsBox *decoder = find_box (self, ENG_BLOCK_TOKENS, ENG_KIND_DECODER);
  const UiStepsBox *cross = find_box (self, ENG_BLOCK_CROSS_ATTENTION, ENG_KIND_DECODER);

  g_assert_nonnull (strstr (in_two, "Encoder:"));
  g_assert_nonnull (strstr (in_two, "Decoder:"));
  g_assert_nonnull (strstr (cross->shape, "reads the encoder"));
  for (guint i = 0; i < self->layout.boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (self->layout.boxes, UiStepsBox, i);

    if (self->diagram->blocks[box->block].stack == ENG_KIND_ENCODER)
      g_assert_cmpfloat (box->rect.y, <, decoder->rect.y);
  }
  g_assert_null (strstr (in_one, "Encoder:"));
  g_assert_nonnull (strstr (in_one, "heads, each on its own:"));
}

/* Where a window is low one line of blocks stays over the steps, with the lit one. */
static void
test_low (void)
{
  const UiSceneOptions options = { .width = 600, .view_height = 340, .text_scale = 2, .zoom = 1 };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-en-fr", "The cat sat.");
  const int n = count_steps (trace);

  for (int step = 0; step < n; step++) {
    g_autofree char *settings = g_strdup_printf ("step=%d", step);
    g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_STEPS, settings, &options);
    g_autoptr (UiScene) whole = make_step (trace, step, 600, 2);
    const UiStepsScene *self = ui_steps_scene_cast (scene);
    const UiStepsScene *all = ui_steps_scene_cast (whole);
    int n_lit = 0, n_lit_of_all = 0;

    g_assert_cmpfloat (ui_scene_get_header (scene), >, 0);
    for (guint i = 0; i < self->layout.boxes->len; i++) {
      const UiStepsBox *box = &g_array_index (self->layout.boxes, UiStepsBox, i);

      n_lit += box->is_lit;
      g_assert_cmpfloat (box->rect.y + box->rect.height, <, ui_scene_get_header (scene));
    }
    for (guint i = 0; i < all->layout.boxes->len; i++)
      n_lit_of_all += g_array_index (all->layout.boxes, UiStepsBox, i).is_lit;
    g_assert_cmpuint (self->layout.boxes->len, >, 0);
    g_assert_cmpuint (self->layout.boxes->len, <, all->layout.boxes->len);
    /* Of whole layers more may be lit than have room. */
    g_assert_cmpint (n_lit, >, 0);
    g_assert_cmpint (n_lit, <=, n_lit_of_all);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps/sentences", test_sentences);
  g_test_add_func ("/steps/explanation", test_explanation);
  g_test_add_func ("/steps/norms", test_norms);
  g_test_add_func ("/steps/readings", test_readings);
  g_test_add_func ("/steps/origins", test_origins);
  g_test_add_func ("/steps/likeliest", test_likeliest);
  g_test_add_func ("/steps/whole", test_whole);
  g_test_add_func ("/steps/places", test_places);
  g_test_add_func ("/steps/lit", test_lit);
  g_test_add_func ("/steps/answering", test_answering);
  g_test_add_func ("/steps/stacks", test_stacks);
  g_test_add_func ("/steps/low", test_low);
  return g_test_run ();
}
