/* SPDX-License-Identifier: MIT */
/* Of the blocks of the model those are lit that the stage is in, of its own stack and of the group
 * of its layer. Where there is room for one line of them, that holds a lit one, whose stack is
 * named, and says at either side that there is more. */
#include <string.h>

#include "engine/transformer/session.h"
#include "tests/scene/steps/steps-case.h"
#include "tests/support/random-model.h"

#define N_SPECS 24
#define MORE "more"

static EngKind
get_stack (const UiStepsScene *self)
{
  return eng_way_get_kind (self->way) == ENG_KIND_ENCODER ? ENG_KIND_ENCODER : ENG_KIND_DECODER;
}

static const EngDiagramBlock *
get_block (const UiStepsScene *self,
           const UiStepsBox   *box)
{
  return &self->diagram->blocks[box->block];
}

/* Returns how many are lit. */
static int
count_lit (const UiStepsScene *self)
{
  int n = 0;

  for (guint i = 0; i < self->layout.boxes->len; i++)
    n += g_array_index (self->layout.boxes, UiStepsBox, i).is_lit;
  return n;
}

static const UiStepsBox *
find_lit (const UiStepsScene *self)
{
  for (guint i = 0; i < self->layout.boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (self->layout.boxes, UiStepsBox, i);

    if (box->is_lit)
      return box;
  }
  g_assert_not_reached ();
}

/* A block that has one stage alone, or several of the same name. */
static void
assert_type (const UiStepsScene *self,
             const UiStepsBox   *box)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  const gboolean crosses = eng_way_get_kind (self->way) == ENG_KIND_CROSS;
  const EngBlockType attention = crosses ? ENG_BLOCK_CROSS_ATTENTION : ENG_BLOCK_ATTENTION;
  static const struct { EngStageId stage; EngBlockType type; } types[] = {
    { ENG_STAGE_TOKENS, ENG_BLOCK_TOKENS }, { ENG_STAGE_EMBEDDING, ENG_BLOCK_EMBEDDING },
    { ENG_STAGE_WIDEN, ENG_BLOCK_WIDEN }, { ENG_STAGE_UP, ENG_BLOCK_FEED_FORWARD },
    { ENG_STAGE_DOWN, ENG_BLOCK_FEED_FORWARD }, { ENG_STAGE_CONVOLUTION, ENG_BLOCK_CONVOLUTION },
    { ENG_STAGE_LOGITS, ENG_BLOCK_HEAD },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (stage->id == types[i].stage)
      g_assert_cmpint (get_block (self, box)->type, ==, types[i].type);
  if (stage->id == ENG_STAGE_SOFTMAX || stage->id == ENG_STAGE_PROJECTIONS)
    g_assert_cmpint (get_block (self, box)->type, ==, attention);
  if (stage->id == ENG_STAGE_NORM && stage->part != ENG_PART_ANSWER)
    g_assert_true (get_block (self, box)->type == ENG_BLOCK_NORM
                   || get_block (self, box)->type == ENG_BLOCK_CONVOLUTION);
}

static void
assert_lit (const UiScene *scene,
            const EngSpec *spec)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const guint8 *sorts = spec->stacks[get_stack (self)].sort_of_layer;
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  const gboolean is_several = stage->id == ENG_STAGE_LAYERS;

  g_assert_cmpint (count_lit (self), >, 0);
  if (!is_several)
    g_assert_cmpint (count_lit (self), ==, 1);
  for (guint i = 0; i < self->layout.boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (self->layout.boxes, UiStepsBox, i);
    const int group = get_block (self, box)->group;

    if (!box->is_lit)
      continue;
    g_assert_cmpint (get_block (self, box)->stack, ==, get_stack (self));
    g_assert_false (stage->part > ENG_PART_BEFORE && stage->part < ENG_PART_END && group < 0);
    if (group >= 0 && !is_several)
      g_assert_cmpint (sorts[self->diagram->groups[group].first_layer], ==,
                       sorts[eng_way_get_layer (self->way)]);
    assert_type (self, box);
  }
}

static gboolean
has_words (const UiStepsScene *self,
           double              below,
           const char         *words)
{
  for (guint i = 0; i < self->layout.texts->len; i++) {
    const UiStepsText *text = &g_array_index (self->layout.texts, UiStepsText, i);

    if (text->y < below && strstr (text->text, words) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* Blocks that the words beside a line count, at a side of a place; 0 where they only say "…". */
static int
count_more (const UiStepsScene *self,
            double              from,
            double              to,
            gboolean           *says_so)
{
  int n = 0;

  *says_so = FALSE;
  for (guint i = 0; i < self->layout.texts->len; i++) {
    const UiStepsText *text = &g_array_index (self->layout.texts, UiStepsText, i);
    const char *digits = strpbrk (text->text, "0123456789");

    if (text->y > self->layout.diagram_height || text->x < from || text->x > to
        || (!g_str_equal (text->text, "…") && strstr (text->text, MORE) == NULL))
      continue;
    *says_so = TRUE;
    n += digits != NULL ? atoi (digits) : 0;
  }
  return n;
}

static void
assert_line (const UiStepsScene *self,
             double              width)
{
  const GArray *boxes = self->layout.boxes;
  const UiStepsBox *first = &g_array_index (boxes, UiStepsBox, 0);
  const UiStepsBox *last = &g_array_index (boxes, UiStepsBox, boxes->len - 1);
  const EngDiagram *diagram = self->diagram;
  const EngDiagramBlock *end = &diagram->blocks[diagram->n_blocks - 1];
  gboolean before, behind;
  int n;

  g_assert_cmpint (count_lit (self), >, 0);
  for (guint i = 0; i < boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (boxes, UiStepsBox, i);

    g_assert_cmpfloat (box->rect.y, ==, first->rect.y);
    g_assert_cmpfloat (box->rect.width, >, 20);
    g_assert_cmpfloat (box->rect.x + box->rect.width, <=, width);
    g_assert_true (i == 0 || box->rect.x >= box[-1].rect.x + box[-1].rect.width);
    g_assert_cmpint (get_block (self, box)->stack, ==, get_stack (self));
  }
  if (diagram->blocks[0].stack != end->stack)
    g_assert_true (has_words (self, self->layout.diagram_height,
                              get_stack (self) == ENG_KIND_ENCODER ? "Encoder:" : "Decoder:"));
  n = count_more (self, 0, first->rect.x, &before);
  g_assert_cmpint (before, ==, first->block > 0);
  g_assert_true (n == 0 || n == first->block);
  n = count_more (self, last->rect.x + last->rect.width, width, &behind);
  g_assert_cmpint (behind, ==, diagram->n_blocks > first->block + (int) boxes->len);
  g_assert_true (n == 0 || n == diagram->n_blocks - first->block - (int) boxes->len);
}

static UiScene *
make_at (EngTrace   *trace,
         const char *kind,
         int         layer,
         int         step,
         double      width,
         double      view_height,
         double      scale)
{
  const UiSceneOptions options = {
    .width = width, .view_height = view_height, .text_scale = scale, .zoom = 1
  };
  g_autofree char *settings = g_strdup_printf ("kind=%s layer=%d step=%d", kind, layer, step);

  return scene_case_new_view (trace, UI_VIEW_STEPS, settings, &options);
}

/* Every step of a way, in a file and in windows that are low. Returns how many windows had no room
 * for all lines. */
static int
check_way (EngTrace   *trace,
           const char *kind,
           int         layer)
{
  static const struct { double width, height, scale; } rooms[] = {
    { 1240, 430, 1 }, { 860, 400, 1.5 }, { 620, 340, 2 }, { 420, 340, 1 }, { 420, 340, 2 }
  };
  const EngSpec *spec = eng_model_get_spec (eng_session_get_model_of (trace));
  int n = 1, n_lines = 0;

  for (int step = 0; step < n; step++) {
    g_autoptr (UiScene) whole = make_at (trace, kind, layer, step, 900, 0, 1);
    const UiStepsScene *of_file = ui_steps_scene_cast (whole);

    n = eng_way_get_n_stages (of_file->way);
    assert_lit (whole, spec);
    for (gsize i = 0; i < G_N_ELEMENTS (rooms); i++) {
      g_autoptr (UiScene) low = make_at (trace, kind, layer, step, rooms[i].width,
                                         rooms[i].height, rooms[i].scale);
      const UiStepsScene *self = ui_steps_scene_cast (low);

      g_assert_cmpint (count_lit (self), >, 0);
      if (self->layout.boxes->len == of_file->layout.boxes->len)
        continue;
      assert_line (self, rooms[i].width);
      n_lines++;
    }
  }
  return n_lines;
}

static void
test_translator (void)
{
  static const char *const kinds[] = { "encoder", "decoder", "cross" };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-en-fr", "The old cat sat on the mat.");

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (UiScene) first = make_at (trace, kinds[i], 0, 0, 900, 0, 1);
    const UiStepsScene *self = ui_steps_scene_cast (first);

    g_assert_cmpint (get_block (self, find_lit (self))->rows, ==,
                     eng_way_get_query_tokens (self->way)->n);
    for (int layer = 0; layer < 3; layer++)
      g_assert_cmpint (check_way (trace, kinds[i], layer), >, 20);
  }
}

static void
test_bundled (void)
{
  g_autoptr (EngTrace) pairs = make_bundled ("headlight-mini", "The cat sat on the mat.");
  g_autoptr (EngTrace) writer = make_bundled ("headlight-causal", "The cat sat on the mat.");

  g_assert_cmpint (check_way (pairs, "encoder", 1), >, 20);
  g_assert_cmpint (check_way (writer, "decoder", 0), >, 0);
}

/* Sorts of layers that take turns, norms before and behind, no head. */
static void
test_random (void)
{
  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    EngSpec spec;
    EngWeights *weights;
    guint32 state = seed * 2654435761u + 1;
    g_autoptr (EngModel) model = NULL;
    g_autoptr (EngTokens) tokens = NULL;
    g_autoptr (EngTokens) decoder_tokens = NULL;
    g_autoptr (EngTrace) trace = NULL;
    EngKind kind;

    test_random_spec (&spec, &state);
    model = test_random_model_new (&spec, seed, &weights);
    tokens = test_random_tokens_new (&spec, 4, seed + 1);
    if (eng_spec_has_cross (&spec))
      decoder_tokens = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER, 3, seed + 2);
    trace = test_run_stacks (model, tokens, decoder_tokens, NULL, 0);
    kind = eng_spec_has_cross (&spec) ? (EngKind) (seed % ENG_N_KINDS)
                                      : eng_trace_get_default_kind (trace);
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++)
      check_way (trace, eng_kind_get_name (kind), layer);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps-diagram/translator", test_translator);
  g_test_add_func ("/steps-diagram/bundled", test_bundled);
  g_test_add_func ("/steps-diagram/random", test_random);
  return g_test_run ();
}
