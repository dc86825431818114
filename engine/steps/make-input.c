/* SPDX-License-Identifier: MIT */
/* From text to what enters the first layer, as engine/spec/embedding.h has it. */
#include "engine/steps/make-private.h"

#include "engine/spec/positions.h"

int
eng_walk_add_token_column (EngWalk      *self,
                           EngNumbersId  id,
                           const gint32 *numbers)
{
  float *column = eng_walk_allocate (self, (gsize) self->n_tokens);

  for (int i = 0; i < self->n_tokens; i++)
    column[i] = numbers != NULL ? (float) numbers[i] : 0;

  return eng_walk_add_given (self, id, column, self->n_tokens, 1, 1, ENG_AXIS_QUERIES,
                             ENG_AXIS_ONE);
}

static int
add_places (EngWalk *self)
{
  g_autofree gint32 *places = g_new (gint32, self->n_tokens);

  eng_positions_fill (self->spec, self->way->query_tokens->ids, self->n_tokens, places);

  return eng_walk_add_token_column (self, ENG_NUMBERS_PLACES, places);
}

static int
add_padding (EngWalk *self)
{
  const EngTokens *tokens = self->way->query_tokens;
  g_autofree gint32 *padding = g_new (gint32, self->n_tokens);

  for (int i = 0; i < self->n_tokens; i++)
    padding[i] = tokens->padding[i];

  return eng_walk_add_token_column (self, ENG_NUMBERS_PADDING, padding);
}

/* What the words are multiplied with; -1 where that is nothing. Mask tokens may be 0, and the
 * others the longer the more of these there are (mask_dropout). */
static int
add_word_factors (EngWalk *self)
{
  const EngEmbeddingSpec *spec = &self->spec->embedding;
  const EngTokens *tokens = self->way->query_tokens;
  double scale = spec->scale != 0 ? spec->scale : 1;
  int n = 0, n_masks = 0;
  float *factors;

  if (spec->scale == 0 && spec->mask_dropout == 0)
    return -1;

  for (int i = 0; i < tokens->n; i++) {
    n += !tokens->padding[i];
    n_masks += tokens->ids[i] == spec->mask_id;
  }
  if (spec->mask_dropout != 0)
    scale *= (1 - spec->mask_dropout) / (1 - (double) n_masks / n);
  factors = eng_walk_allocate (self, (gsize) self->n_tokens);
  for (int i = 0; i < tokens->n; i++)
    factors[i] = spec->mask_dropout != 0 && tokens->ids[i] == spec->mask_id ? 0 : (float) scale;

  return eng_walk_add_given (self, ENG_NUMBERS_WORD_FACTORS, factors, self->n_tokens, 1, 1,
                             ENG_AXIS_QUERIES, ENG_AXIS_ONE);
}

static gboolean
uses_places (const EngWalk *self)
{
  gboolean turns = FALSE;

  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    turns = turns || (eng_stack_spec_uses_sort (self->stack, sort)
                      && self->stack->sorts[sort].self.rotary.size > 0);

  return turns || self->spec->embedding.positions != ENG_POSITIONS_NONE;
}

typedef struct {
  int ids, places, types, languages, factors; /* indices; -1 = there is none */
} TokenNumbers;

static TokenNumbers
add_tokens (EngWalk *self)
{
  const EngTokens *tokens = self->way->query_tokens;
  const EngKnobs *knobs = &self->request->knobs;
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, self->stack_kind);
  gboolean untyped = (self->reembeds && knobs->segments_off)
                     || eng_interventions_drop_segments (&edits);
  TokenNumbers found = { -1, -1, -1, -1, -1 };

  eng_walk_begin_stage (self, ENG_STAGE_TOKENS);
  found.ids = eng_walk_add_token_column (self, ENG_NUMBERS_IDS, tokens->ids);
  if (uses_places (self))
    found.places = add_places (self);
  if (self->stack_weights->type != NULL)
    found.types = eng_walk_add_token_column (self, ENG_NUMBERS_TYPES,
                              untyped ? NULL : tokens->type_ids);
  if (self->stack_weights->language != NULL && tokens->languages != NULL)
    found.languages = eng_walk_add_token_column (self, ENG_NUMBERS_LANGUAGES, tokens->languages);
  if (eng_tokens_has_padding (tokens)
      && (self->spec->embedding.hides_padding || self->stack->hides_padding
          || self->stack->convolution.kernel_size > 0))
    add_padding (self);
  found.factors = add_word_factors (self);

  return found;
}

/* The rows of a table that the tokens' numbers name; -1 where there is no table or no numbers. */
static int
add_vectors (EngWalk      *self,
             EngNumbersId  table_id,
             EngNumbersId  id,
             const float  *table,
             int           n_rows,
             int           numbers,
             int           factors)
{
  int size = eng_spec_get_embedding_size (self->spec);
  EngNode node = {
    .shown = { .id = id, .rows = self->n_queries, .columns = size, .row_axis = ENG_AXIS_QUERIES,
               .column_axis = ENG_AXIS_FEATURES, .first_row = self->first_query,
               .formula = ENG_FORMULA_ROW },
    .n_operands = factors >= 0 ? 3 : 2,
    .factor = 1,
    .only_row = -1,
  };

  if (table == NULL || numbers < 0)
    return -1;
  node.operands[0] = eng_operand_rows (eng_walk_add_weights (self, table_id, table, n_rows, size,
                                                             ENG_AXIS_TABLE, ENG_AXIS_FEATURES));
  node.operands[1] = (EngOperand) { numbers, self->first_query, FALSE };
  node.operands[2] = (EngOperand) { factors, self->first_query, FALSE };

  return eng_walk_add (self, &node);
}

/* Index of the vectors of the words, or of the sum with the others that there are. */
static int
add_sum (EngWalk            *self,
         const TokenNumbers *numbers)
{
  const EngEmbeddingSpec *spec = &self->spec->embedding;
  const EngStackWeights *weights = self->stack_weights;
  const EngKnobs *knobs = &self->request->knobs;
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, self->stack_kind);
  gboolean unplaced = (self->reembeds && knobs->positions_off)
                      || eng_interventions_drop_positions (&edits, 0);
  const int found[] = {
    add_vectors (self, ENG_NUMBERS_WORD_TABLE, ENG_NUMBERS_WORDS, weights->word,
                 self->stack->vocab_size, numbers->ids, numbers->factors),
    add_vectors (self, ENG_NUMBERS_TYPE_TABLE, ENG_NUMBERS_TYPE_VECTORS, weights->type,
                 spec->n_types, numbers->types, -1),
    add_vectors (self, ENG_NUMBERS_PLACE_TABLE, ENG_NUMBERS_PLACE_VECTORS,
                 unplaced ? NULL : weights->position, spec->n_positions, numbers->places, -1),
    add_vectors (self, ENG_NUMBERS_LANGUAGE_TABLE, ENG_NUMBERS_LANGUAGE_VECTORS, weights->language,
                 spec->n_languages, numbers->languages, -1),
  };
  EngNode node = { .shown = eng_way_get_node (self->way, found[0])->shown, .factor = 1,
                   .only_row = -1 };

  for (gsize i = 0; i < G_N_ELEMENTS (found); i++)
    if (found[i] >= 0)
      node.operands[node.n_operands++] = eng_operand_rows (found[i]);
  if (node.n_operands == 1)
    return found[0];

  node.shown.id = ENG_NUMBERS_SUM;
  node.shown.formula = ENG_FORMULA_SUM;
  node.shown.data = NULL;
  eng_walk_begin_stage (self, ENG_STAGE_SUM);

  return eng_walk_add (self, &node);
}

static int
add_widened (EngWalk *self,
             int      rows)
{
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_WIDENED, .rows = self->n_queries, .row_axis = ENG_AXIS_QUERIES,
               .column_axis = ENG_AXIS_FEATURES, .first_row = self->first_query },
    .factor = 1,
    .only_row = -1,
  };

  eng_walk_begin_stage (self, ENG_STAGE_WIDEN);

  return eng_walk_add_linear (self, &self->stack_weights->projection, eng_operand_rows (rows),
                              node);
}

static int
add_hidden (EngWalk *self,
            int      rows)
{
  int padding = eng_way_find (self->way, ENG_PART_INPUT, ENG_NUMBERS_PADDING, 0);
  EngNode node = { .shown = eng_way_get_node (self->way, rows)->shown, .factor = 1,
                   .only_row = -1 };

  if (!self->spec->embedding.hides_padding || padding < 0)
    return rows;

  node.shown.id = ENG_NUMBERS_HIDDEN;
  node.shown.formula = ENG_FORMULA_HIDE;
  node.shown.data = NULL;
  node.operands[0] = eng_operand_rows (rows);
  node.operands[1] = (EngOperand) { padding, self->first_query, FALSE };
  node.n_operands = 2;
  eng_walk_begin_stage (self, ENG_STAGE_PADDING);

  return eng_walk_add (self, &node);
}

void
eng_walk_embed (EngWalk *self,
                int     *states)
{
  const EngEmbeddingSpec *spec = &self->spec->embedding;
  const EngNorm *norm = &self->stack_weights->embedding_norm;
  TokenNumbers numbers;
  int rows;

  self->part = ENG_PART_INPUT;
  numbers = add_tokens (self);
  eng_walk_begin_stage (self, ENG_STAGE_EMBEDDING);
  rows = add_sum (self, &numbers);
  if (spec->has_norm && !spec->projects_first)
    rows = eng_walk_add_norm (self, &self->spec->norm, norm, eng_operand_rows (rows),
                              self->n_queries);
  if (spec->size > 0)
    rows = add_widened (self, rows);
  if (spec->has_norm && spec->projects_first)
    rows = eng_walk_add_norm (self, &self->spec->norm, norm, eng_operand_rows (rows),
                              self->n_queries);
  *states = add_hidden (self, rows);
}
