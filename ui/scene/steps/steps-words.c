/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-scene.h"

#include <math.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/base/row-check.h"

#define MINUS "−"
#define LEAST_SHARE 0.001
#define LEAST_CHANGE 1e-5 /* of a scale, relative */

const char *
ui_steps_name_part (const UiStepsScene *self,
                    EngWayPart          part)
{
  static const char *const names[] = {
    [ENG_PART_INPUT] = "From text to vectors",
    [ENG_PART_BEFORE] = "The layers before",
    [ENG_PART_OTHER] = "The other attention of the layer",
    [ENG_PART_ATTENTION] = "Attention",
    [ENG_PART_FEED_FORWARD] = "Feed-forward",
    [ENG_PART_END] = "What the layer leaves",
    [ENG_PART_AFTER] = "The layers behind",
    [ENG_PART_ANSWER] = "The answer",
  };

  return part == ENG_PART_ATTENTION && eng_way_get_kind (self->way) == ENG_KIND_CROSS
         ? "Attention to the source" : names[part];
}

/* What is always so. */
static const char *
get_sentence (EngStageId id)
{
  static const char *const sentences[] = {
    [ENG_STAGE_TOKENS] = "The text is cut into pieces of the vocabulary, and each has a number.",
    [ENG_STAGE_EMBEDDING] = "Each number picks a row of a table: what the piece is, where it "
                            "stands, and in which sentence.",
    [ENG_STAGE_SUM] = "The vectors of a piece are added, number by number.",
    [ENG_STAGE_WIDEN] = "The vector is brought to the width of the layers.",
    [ENG_STAGE_STATES] = "This is what the layer reads: the token as it has become so far.",
    [ENG_STAGE_PROJECTIONS] = "Three products with learned matrices: what the token looks for (q), "
                              "what each token offers (k), what it gives (v).",
    [ENG_STAGE_HEAD_NORM] = "q and k are brought to a common size.",
    [ENG_STAGE_TURN] = "q and k are turned, pair by pair, by an angle that grows with the "
                       "position.",
    [ENG_STAGE_ZEROED] = "A dimension of q and k is set to 0.",
    [ENG_STAGE_PRODUCTS] = "q and each k are multiplied dimension by dimension, and summed: how "
                           "well they fit.",
    [ENG_STAGE_CAP] = "Large scores are held back.",
    [ENG_STAGE_DISTANCES] = "Distances have keys and queries of their own.",
    [ENG_STAGE_BIAS] = "What the distance of the two tokens is worth is added.",
    [ENG_STAGE_MASK] = "What may not be read becomes minus infinity.",
    [ENG_STAGE_TEMPERATURE] = "The scores are divided by the temperature.",
    [ENG_STAGE_SOFTMAX] = "The largest score is taken off, e is raised to the rest, and each is "
                          "divided by the sum: shares that make 1.",
    [ENG_STAGE_EDITS] = "The edits change the weights.",
    [ENG_STAGE_READ] = "Each v counts by its weight, and all are summed: what the head has read.",
    [ENG_STAGE_HEADS] = "All heads of the layer do the same at once, and stand side by side.",
    [ENG_STAGE_OUTPUT] = "A learned matrix mixes what the heads have read.",
    [ENG_STAGE_RESIDUAL] = "The result is added to what came in: the token keeps what it was.",
    [ENG_STAGE_UP] = "A learned matrix makes many numbers of the vector, one a neuron.",
    [ENG_STAGE_ACTIVATION] = "Each neuron lets through what is positive, and little else.",
    [ENG_STAGE_DOWN] = "A learned matrix brings the neurons back to the width of the vector.",
    [ENG_STAGE_CONVOLUTION] = "Neighbours are mixed beside the first layer.",
    [ENG_STAGE_PADDING] = "Padding becomes 0.",
    [ENG_STAGE_LEFT] = "This is what the layer leaves to the next one.",
    [ENG_STAGE_TO_DECODER] = "Here the encoder ends. Every layer of the decoder reads this vector, "
                             "with those of the other tokens, in its cross-attention; the answer is "
                             "read off the decoder.",
    [ENG_STAGE_HEAD_INPUT] = "The answer is read off this vector.",
    [ENG_STAGE_POOLER] = "The vector of the first token is made ready for the answer.",
    [ENG_STAGE_TRANSFORM] = "The vector is made ready for the answer.",
    [ENG_STAGE_LOGITS] = "The vector is compared with every word or label: one number each.",
    [ENG_STAGE_ANSWER] = "The numbers become probabilities.",
  };

  return sentences[id];
}

/* The states of layers before the way's end with what it reads, those behind it with what the last
 * of them leaves. */
static char *
explain_layers (const UiStepsScene *self,
                const EngStage     *stage)
{
  const EngNumbers *states = eng_way_get_numbers (self->way, stage->result);
  const int last = states->first_row + states->rows - 1;

  return stage->part == ENG_PART_BEFORE
         ? g_strdup_printf ("The same happens in each layer before: here is the token as it enters "
                            "each of them and, last, layer %d, which follows.", last)
         : g_strdup_printf ("The same happens in each layer behind: here is the token as it enters "
                            "each of them and, last, as it leaves layer %d.", last - 1);
}

static char *
explain_scale (const UiStepsScene *self,
               const EngStage     *stage)
{
  const double factor = eng_way_get_factor (self->way, stage->result);
  const int size = ui_steps_get_n_dimensions (&self->scene);
  g_autofree char *by = ui_steps_write_exact (factor);

  if (stage->part != ENG_PART_ATTENTION)
    return g_strdup_printf ("The vector is multiplied by %s.", by);
  if (factor == 1)
    return g_strdup ("The sums are left as they are: times 1.");
  if (fabs (factor * sqrt (size) - 1) > LEAST_CHANGE)
    return g_strdup_printf ("The sums are multiplied by %s.", by);
  return g_strdup_printf ("The sums are divided by √%d, the root of the head’s dimensions, so that "
                          "long vectors do not make the softmax too sure.", size);
}

/* Norms have numbers to stretch by, to shift by besides, or none. */
static char *
explain_norm (const UiStepsScene *self,
              const EngStage     *stage)
{
  gboolean stretches = FALSE, shifts = FALSE;

  for (int i = stage->first; i < stage->first + stage->n; i++) {
    const EngNumbersId id = eng_way_get_numbers (self->way, i)->id;

    stretches = stretches || id == ENG_NUMBERS_NORM_WEIGHT;
    shifts = shifts || id == ENG_NUMBERS_NORM_BIAS;
  }
  return g_strdup (stretches && shifts
                   ? "The vector is brought to a common size, then stretched and shifted by "
                     "numbers that were learned."
                   : stretches ? "The vector is brought to a common size, then stretched by "
                                 "numbers that were learned."
                   : "The vector is brought to a common size.");
}

/* Shares of x stand for what the projections would make of it. */
static gboolean
has_no_projections (const UiStepsScene *self,
                    const EngStage     *stage)
{
  for (int i = stage->first; i < stage->first + stage->n; i++)
    if (eng_way_get_numbers (self->way, i)->id == ENG_NUMBERS_VALUES)
      return eng_way_get_numbers (self->way, i)->formula == ENG_FORMULA_COPY;
  return FALSE;
}

/* Where the way of a trace file begins without the weights that q, k and v are made with, and where
 * it ends for the same reason. NULL elsewhere. */
static const char *
explain_file (const UiStepsScene *self,
              int                 index)
{
  const EngStage *stage = eng_way_get_stage (self->way, index);

  if (eng_way_has_weights (self->way))
    return NULL;
  if (stage->id == ENG_STAGE_PROJECTIONS)
    return "What the token looks for (q), what each token offers (k) and what it gives (v), as the "
           "trace file has them: what they are made of, the model’s weights would tell.";
  if (stage->id == ENG_STAGE_READ)
    return "Each v counts by its weight, and all are summed: what the head has read. What becomes of "
           "it, the model’s weights would tell: a trace file ends here.";
  return index == eng_way_get_n_stages (self->way) - 1 && stage->id == ENG_STAGE_SOFTMAX
         ? "The largest score is taken off, e is raised to the rest, and each is divided by the sum: "
           "shares that make 1. This trace file has no values, and ends here."
         : NULL;
}

char *
ui_steps_explain_stage (const UiStepsScene *self,
                        int                 index)
{
  const EngStage *stage = eng_way_get_stage (self->way, index);
  const char *of_file = explain_file (self, index);

  if (of_file != NULL)
    return g_strdup (of_file);
  if (stage->id == ENG_STAGE_LAYERS)
    return explain_layers (self, stage);
  if (stage->id == ENG_STAGE_SCALE)
    return explain_scale (self, stage);
  if (stage->id == ENG_STAGE_NORM)
    return explain_norm (self, stage);
  if (stage->id == ENG_STAGE_PROJECTIONS && has_no_projections (self, stage))
    return g_strdup (eng_way_get_kind (self->way) == ENG_KIND_CROSS
                     ? "The projections are off: q is the head’s own share of the decoder’s vector, k "
                       "and v of the encoder’s last ones."
                     : "The projections are off: q, k and v are the head’s own share of the vector, "
                       "as it is read.");
  return g_strdup (get_sentence (stage->id));
}

gboolean
ui_steps_is_share (const EngNumbers *numbers)
{
  return numbers->id == ENG_NUMBERS_EXPS || numbers->id == ENG_NUMBERS_WEIGHTS
         || numbers->id == ENG_NUMBERS_EDITED || numbers->id == ENG_NUMBERS_PROBABILITIES;
}

/* With a point in every locale, and a minus sign. */
static char *
format (const char *pattern,
        double      value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, pattern, fabs (value));
  return g_strconcat (value < 0 ? MINUS : "", buffer, NULL);
}

char *
ui_steps_write_number (const EngNumbers *numbers,
                       double            value)
{
  static const struct { double from; const char *pattern; } patterns[] = {
    { 1e6, "%.0e" }, { 100, "%.0f" }, { 10, "%.1f" }, { 0.1, "%.2f" }, { 0.001, "%.3f" },
  };

  if (ui_steps_is_hidden (value))
    return g_strdup (value < 0 ? MINUS "∞" : "∞");
  if (ui_steps_is_share (numbers) && value > 0 && value < LEAST_SHARE)
    return g_strdup ("<.001");
  if (value == 0 || (numbers->formula == ENG_FORMULA_GIVEN && value == floor (value)))
    return format ("%.0f", value);
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (fabs (value) >= patterns[i].from)
      return format (patterns[i].pattern, value);
  return format ("%.0e", value);
}

char *
ui_steps_write_exact (double value)
{
  return ui_steps_is_hidden (value) ? g_strdup (value < 0 ? MINUS "∞" : "∞")
                                    : format ("%.7g", value);
}

/* The other attention of a decoder's layer reads other tokens. */
static const EngTokens *
get_keys (const UiStepsScene *self,
          const EngNumbers   *numbers)
{
  const EngKind other = eng_way_get_kind (self->way) == ENG_KIND_CROSS ? ENG_KIND_DECODER
                                                                       : ENG_KIND_CROSS;

  return eng_way_get_stage (self->way, numbers->stage)->part == ENG_PART_OTHER
         && eng_trace_has_kind (self->scene.trace, other)
         ? eng_trace_get_key_tokens (self->scene.trace, other) : eng_way_get_key_tokens (self->way);
}

const EngTokens *
ui_steps_get_tokens (const UiStepsScene *self,
                     const EngNumbers   *numbers,
                     EngAxis             axis)
{
  return axis == ENG_AXIS_QUERIES ? eng_way_get_query_tokens (self->way)
         : axis == ENG_AXIS_KEYS ? get_keys (self, numbers)
         : axis == ENG_AXIS_LAST ? eng_way_get_last_tokens (self->way) : NULL;
}

static char *
name_class (const UiStepsScene *self,
            int                 index)
{
  const char *word = ui_steps_find_answer (self, index);

  return word != NULL ? ui_describe_quoted (word) : g_strdup_printf ("class %d", index);
}

static int
count_layers (const UiStepsScene *self)
{
  return eng_trace_get_n_layers (self->scene.trace, eng_way_get_kind (self->way));
}

static char *
name_on_axis (const UiStepsScene *self,
              const EngNumbers   *numbers,
              EngAxis             axis,
              int                 index)
{
  static const char *const nouns[] = {
    [ENG_AXIS_ONE] = "number", [ENG_AXIS_TABLE] = "row", [ENG_AXIS_LAYERS] = "layer",
    [ENG_AXIS_FEATURES] = "dimension", [ENG_AXIS_HEAD_FEATURES] = "dimension",
    [ENG_AXIS_ALL_FEATURES] = "dimension", [ENG_AXIS_PAIRS] = "pair", [ENG_AXIS_HEADS] = "head",
    [ENG_AXIS_POSITIONS] = "distance", [ENG_AXIS_NEURONS] = "neuron",
  };
  const EngTokens *tokens = ui_steps_get_tokens (self, numbers, axis);

  if (tokens != NULL)
    return ui_describe_distinct (tokens, index);
  /* Behind the last one there is no layer that it enters. */
  if (axis == ENG_AXIS_LAYERS && index == count_layers (self))
    return g_strdup_printf ("leaves %d", index - 1);
  return axis == ENG_AXIS_CLASSES ? name_class (self, index)
                                  : g_strdup_printf ("%s %d", nouns[axis], index);
}

char *
ui_steps_name_row (const UiStepsScene *self,
                   const EngNumbers   *numbers,
                   int                 row)
{
  /* Where the way has a row for its own token alone. */
  const gboolean is_alone = numbers->row_axis == ENG_AXIS_QUERIES && numbers->rows == 1;

  return name_on_axis (self, numbers, numbers->row_axis,
                       is_alone ? eng_way_get_query (self->way) : row + numbers->first_row);
}

char *
ui_steps_name_column (const UiStepsScene *self,
                      const EngNumbers   *numbers,
                      int                 column)
{
  return name_on_axis (self, numbers, numbers->column_axis, column);
}

char *
ui_steps_name_place (const UiStepsScene *self,
                     const UiStepsPlace *place)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, place->numbers);
  GString *text = g_string_new (numbers->name);

  if (numbers->row_axis != ENG_AXIS_ONE) {
    g_autofree char *row = ui_steps_name_row (self, numbers, place->row);

    g_string_append_printf (text, numbers->is_weights ? ", %s" : " of %s", row);
  }
  if (numbers->columns > 1) {
    g_autofree char *column = ui_steps_name_column (self, numbers, place->column);

    g_string_append_printf (text, numbers->row_axis == ENG_AXIS_QUERIES
                                  && numbers->column_axis == ENG_AXIS_KEYS ? " to %s" : ", %s",
                            column);
  }
  return g_string_free (text, FALSE);
}

char *
ui_steps_describe_check (const UiStepsScene *self,
                         const UiStepsPlace *place,
                         gboolean           *agrees)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, place->numbers);
  EngWayCheck check;
  g_autofree char *again = NULL;
  g_autofree char *difference = NULL;

  *agrees = FALSE;
  if (!eng_way_check (self->way, place->numbers, place->row, place->column, &check))
    return NULL;
  *agrees = check.agrees;
  if (!check.agrees && ui_steps_is_given_weight (self, place->numbers))
    return ui_row_check_describe_weight (&self->scene, eng_way_get_layer (self->way),
                                         eng_way_get_head (self->way),
                                         numbers->first_row + place->row, place->column,
                                         check.shown, check.recomputed);
  again = ui_steps_write_exact (check.recomputed);
  difference = format ("%.1e", fabs (check.difference));
  return g_strdup_printf ("%s Worked out again: %s, difference %s", check.agrees ? "✓" : "✗", again,
                          check.difference == 0 ? "0" : difference);
}

/* "“dog” may not read “sang”: 0.", "Head 3 reads “sang” 2 times: 2." */
static char *
describe_reading (const UiStepsScene *self,
                  const UiStepsPlace *place)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, place->numbers);
  const int n = (int) eng_numbers_get (numbers, place->row, place->column);
  g_autofree char *who = numbers->row_axis == ENG_AXIS_ONE
                         ? g_strdup (n == 0 ? "no head" : "every head")
                         : ui_steps_name_row (self, numbers, place->row);
  g_autofree char *key = ui_steps_name_column (self, numbers, place->column);

  who[0] = g_ascii_toupper (who[0]);
  if (n > 1)
    return g_strdup_printf ("%s reads %s %d times: %d.", who, key, n, n);
  return g_strdup_printf ("%s %s %s: %d.", who,
                          n == 0 && numbers->row_axis != ENG_AXIS_ONE ? "may not read" : "may read",
                          key, n);
}

static char *
describe_number (const UiStepsScene *self,
                 const UiStepsPlace *place)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, place->numbers);
  g_autofree char *name = ui_steps_name_place (self, place);
  g_autofree char *value =
    ui_steps_write_exact (eng_numbers_get (numbers, place->row, place->column));
  g_autofree char *formula = NULL;
  g_autofree char *check = NULL;
  gboolean agrees;

  if (numbers->id == ENG_NUMBERS_READINGS || numbers->id == ENG_NUMBERS_ALL_READINGS)
    return describe_reading (self, place);
  name[0] = g_ascii_toupper (name[0]);
  formula = eng_way_describe_formula (self->way, place->numbers, place->row);
  if (numbers->formula == ENG_FORMULA_GIVEN)
    return g_strdup_printf ("%s: %s, %s.", name, value, formula);
  check = ui_steps_describe_check (self, place, &agrees);
  return check != NULL ? g_strdup_printf ("%s: %s = %s. %s.", name, value, formula, check)
                       : g_strdup_printf ("%s: %s = %s.", name, value, formula);
}

char *
ui_steps_describe (const UiScene *scene,
                   const UiItem  *item)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  UiStepsPlace place;

  if (ui_steps_find_place (self, item, &place))
    return describe_number (self, &place);
  if (item->type == UI_ITEM_STAGE) {
    g_autofree char *name = ui_steps_dup_name (scene, item->stage);
    g_autofree char *sentence =
      ui_steps_explain_stage (self, ui_steps_find_stage (self->way, item->stage, NULL));

    return g_strdup_printf ("Step %d of %d, %s. %s", item->stage,
                            ui_steps_count (self->way) - 1, name, sentence);
  }
  if (item->type == UI_ITEM_QUERY) {
    g_autofree char *token = ui_describe_token (scene->queries, item->query);

    return g_strdup_printf ("Follow %s through the model.", token);
  }
  return g_strdup ("");
}

/* "Step 7, Divide by √d, of “cat”", "Step 30, Softmax, of all tokens"; of a whole way "Steps 0 to
 * 29 of “cat”" */
static char *
describe_step (const UiStepsScene *self)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  g_autofree char *token = ui_describe_distinct (eng_way_get_query_tokens (self->way),
                                                 eng_way_get_query (self->way));

  return self->is_whole ? g_strdup_printf ("steps 0 to %d of %s",
                                           ui_steps_count (self->way) - 1, token)
                        : g_strdup_printf ("step %d of %d, %s, of %s", self->place,
                                           ui_steps_count (self->way) - 1, stage->name,
                                           self->has_all_rows ? "all tokens" : token);
}

/* Whether a step is of the way's head, and not of all of its layer. */
static gboolean
is_of_head (const EngStage *stage)
{
  return stage->part == ENG_PART_ATTENTION && stage->id >= ENG_STAGE_PROJECTIONS
         && stage->id <= ENG_STAGE_READ;
}

/* " in head 3 of layer 2", " in layer 2"; "" outside the way's layer. */
static char *
describe_place (const UiStepsScene *self)
{
  const EngStage *stage = eng_way_get_stage (self->way, self->step);
  const gboolean is_outside = stage->part <= ENG_PART_BEFORE || stage->part >= ENG_PART_AFTER
                              || stage->id == ENG_STAGE_TO_DECODER;
  g_autofree char *scope = NULL;

  if (!self->is_whole && is_outside)
    return g_strdup ("");
  if (!self->is_whole && !is_of_head (stage))
    return g_strdup_printf (" in layer %d", eng_way_get_layer (self->way));
  scope = ui_describe_scope (&self->scene, FALSE);
  return g_strconcat (" in ", scope, NULL);
}

gboolean
ui_steps_is_tried (const UiStepsScene *self,
                   int                 index)
{
  const EngStage *stage = eng_way_get_stage (self->way, index);

  return eng_way_is_what_if (self->way)
         && (!stage->is_models || stage->part > ENG_PART_ATTENTION);
}

char *
ui_steps_legend (const UiScene *scene)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  GString *text = g_string_new (eng_way_has_weights (self->way)
                                ? "Every number is the model’s own, or worked out again from it. "
                                : "Every number is the trace file’s own, or worked out from it. ");

  g_string_append (text, "Colours go by sign and amount, in full at the largest amount that stands "
                         "beside them; bars by share.");
  if (ui_steps_is_tried (self, self->step))
    g_string_append (text, " What if: changed here and not fed forward.");
  return g_string_free (text, FALSE);
}

char *
ui_steps_explain (const UiScene *scene)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  GString *markup = g_string_new (NULL);

  /* A narrow window says what is bold, the end. */
  if (ui_steps_is_tried (self, self->step))
    g_string_append (markup, "Warm: positive. Cool: negative. <b>What if, not fed forward.</b>");
  else
    g_string_append (markup, "Frame: what a number is made of. "
                             "<b>Warm: positive. Cool: negative.</b>");
  return g_string_free (markup, FALSE);
}

char *
ui_steps_headline (const UiScene *scene)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  GString *markup = g_string_new (NULL);
  g_autofree char *step = NULL;
  g_autofree char *scope = NULL;

  if (self->looked.numbers >= 0) {
    g_autofree char *sentence = describe_number (self, &self->looked);

    ui_plain_append (markup, sentence);
    return g_string_free (markup, FALSE);
  }
  step = describe_step (self);
  scope = describe_place (self);
  ui_plain_append_bold (markup, step, TRUE);
  ui_plain_append (markup, scope);
  g_string_append_c (markup, '.');
  return g_string_free (markup, FALSE);
}

char *
ui_steps_summarise (const UiScene *scene)
{
  g_autofree char *step = describe_step ((const UiStepsScene *) scene);
  g_autofree char *scope = describe_place ((const UiStepsScene *) scene);

  return g_strdup_printf ("A token’s way through the model: %s%s", step, scope);
}

char *
ui_steps_caption (const UiScene *scene)
{
  g_autofree char *step = describe_step ((const UiStepsScene *) scene);
  g_autofree char *scope = describe_place ((const UiStepsScene *) scene);
  g_autofree char *subject = g_strconcat (step, scope, NULL);

  return ui_describe_caption_of (scene, subject);
}
