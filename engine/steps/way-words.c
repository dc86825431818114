/* SPDX-License-Identifier: MIT */
/* What stages, numbers and formulas are called. */
#include "engine/steps/way-private.h"

#include "engine/transformer/model-private.h"

typedef struct {
  const char *name;
  const char *symbol;
} Words;

static const char *const stages[] = {
  [ENG_STAGE_TOKENS] = "Text to ids",
  [ENG_STAGE_EMBEDDING] = "Look up vectors",
  [ENG_STAGE_SUM] = "Add them up",
  [ENG_STAGE_NORM] = "Norm",
  [ENG_STAGE_WIDEN] = "Project to the hidden size",
  [ENG_STAGE_LAYERS] = "Whole layers",
  [ENG_STAGE_STATES] = "What is read",
  [ENG_STAGE_PROJECTIONS] = "Query, key, value",
  [ENG_STAGE_HEAD_NORM] = "Norm of query and key",
  [ENG_STAGE_TURN] = "Turn by position",
  [ENG_STAGE_ZEROED] = "One dimension off",
  [ENG_STAGE_PRODUCTS] = "Query times key",
  [ENG_STAGE_SCALE] = "Scale",
  [ENG_STAGE_CAP] = "Soft cap",
  [ENG_STAGE_DISTANCES] = "Vectors of distances",
  [ENG_STAGE_BIAS] = "Add what positions say",
  [ENG_STAGE_MASK] = "Mask",
  [ENG_STAGE_TEMPERATURE] = "Divide by the temperature",
  [ENG_STAGE_SOFTMAX] = "Softmax",
  [ENG_STAGE_EDITS] = "Edits of the weights",
  [ENG_STAGE_READ] = "Weights times values",
  [ENG_STAGE_HEADS] = "All heads side by side",
  [ENG_STAGE_OUTPUT] = "Output projection",
  [ENG_STAGE_RESIDUAL] = "Add to what came in",
  [ENG_STAGE_UP] = "Up to the neurons",
  [ENG_STAGE_ACTIVATION] = "Which neurons fire",
  [ENG_STAGE_DOWN] = "Down again",
  [ENG_STAGE_CONVOLUTION] = "Convolution",
  [ENG_STAGE_PADDING] = "Padding becomes 0",
  [ENG_STAGE_LEFT] = "What the layer leaves",
  [ENG_STAGE_TO_DECODER] = "What the decoder reads",
  [ENG_STAGE_HEAD_INPUT] = "What the task head reads",
  [ENG_STAGE_POOLER] = "Pooler",
  [ENG_STAGE_TRANSFORM] = "Transform",
  [ENG_STAGE_LOGITS] = "Logits",
  [ENG_STAGE_ANSWER] = "Probabilities",
};

static const Words numbers[] = {
  [ENG_NUMBERS_IDS] = { "id", NULL },
  [ENG_NUMBERS_PLACES] = { "position", NULL },
  [ENG_NUMBERS_TYPES] = { "segment", NULL },
  [ENG_NUMBERS_LANGUAGES] = { "language", NULL },
  [ENG_NUMBERS_PADDING] = { "padding", NULL },
  [ENG_NUMBERS_WORD_FACTORS] = { "factor of words", NULL },
  [ENG_NUMBERS_WORD_TABLE] = { "table of words", NULL },
  [ENG_NUMBERS_PLACE_TABLE] = { "table of positions", NULL },
  [ENG_NUMBERS_TYPE_TABLE] = { "table of segments", NULL },
  [ENG_NUMBERS_LANGUAGE_TABLE] = { "table of languages", NULL },
  [ENG_NUMBERS_WORDS] = { "word", NULL },
  [ENG_NUMBERS_PLACE_VECTORS] = { "position", NULL },
  [ENG_NUMBERS_TYPE_VECTORS] = { "segment", NULL },
  [ENG_NUMBERS_LANGUAGE_VECTORS] = { "language", NULL },
  [ENG_NUMBERS_SUM] = { "sum", NULL },
  [ENG_NUMBERS_WIDENED] = { "projected", NULL },
  [ENG_NUMBERS_STATES] = { "hidden state", "x" },
  [ENG_NUMBERS_KEY_STATES] = { "encoder’s last state", "y" },
  [ENG_NUMBERS_LAYER_STATES] = { "hidden state by layer", "x" },
  [ENG_NUMBERS_NORMED] = { "normed", NULL },
  [ENG_NUMBERS_NORM_WEIGHT] = { "weight of the norm", "γ" },
  [ENG_NUMBERS_NORM_BIAS] = { "bias of the norm", "β" },
  [ENG_NUMBERS_WEIGHT] = { "weight", "W" },
  [ENG_NUMBERS_BIAS] = { "bias", "b" },
  [ENG_NUMBERS_QUERY_WEIGHT] = { "weight of queries", "W_Q" },
  [ENG_NUMBERS_QUERY_BIAS] = { "bias of queries", "b_Q" },
  [ENG_NUMBERS_KEY_WEIGHT] = { "weight of keys", "W_K" },
  [ENG_NUMBERS_KEY_BIAS] = { "bias of keys", "b_K" },
  [ENG_NUMBERS_VALUE_WEIGHT] = { "weight of values", "W_V" },
  [ENG_NUMBERS_VALUE_BIAS] = { "bias of values", "b_V" },
  [ENG_NUMBERS_ALL_QUERIES] = { "queries of all heads", "Q" },
  [ENG_NUMBERS_ALL_KEYS] = { "keys of all heads", "K" },
  [ENG_NUMBERS_QUERIES] = { "query", "q" },
  [ENG_NUMBERS_KEYS] = { "key", "k" },
  [ENG_NUMBERS_VALUES] = { "value", "v" },
  [ENG_NUMBERS_COSINES] = { "cosine of the angle", "cos" },
  [ENG_NUMBERS_SINES] = { "sine of the angle", "sin" },
  [ENG_NUMBERS_FREQUENCIES] = { "frequency", "ω" },
  [ENG_NUMBERS_PRODUCTS] = { "query × key", "q × k" },
  [ENG_NUMBERS_DOTS] = { "sum of products", "q·k" },
  [ENG_NUMBERS_SCALED] = { "scaled", NULL },
  [ENG_NUMBERS_CAPPED] = { "capped", NULL },
  [ENG_NUMBERS_DISTANCES] = { "row of the distance", NULL },
  [ENG_NUMBERS_DISTANCE_TABLE] = { "table of distances", NULL },
  [ENG_NUMBERS_DISTANCE_BIAS] = { "bias by distance", NULL },
  [ENG_NUMBERS_POSITION_KEYS] = { "key of a distance", "p" },
  [ENG_NUMBERS_POSITION_QUERIES] = { "query of a distance", "p" },
  [ENG_NUMBERS_CONTENT_POSITION] = { "query with distance", NULL },
  [ENG_NUMBERS_POSITION_CONTENT] = { "key with distance", NULL },
  [ENG_NUMBERS_BIASED] = { "with bias", NULL },
  [ENG_NUMBERS_READINGS] = { "may be read", NULL },
  [ENG_NUMBERS_MASKED] = { "score", "s" },
  [ENG_NUMBERS_TEMPERED] = { "score by temperature", "s" },
  [ENG_NUMBERS_MAXIMA] = { "maximum", "max" },
  [ENG_NUMBERS_EXPS] = { "exp", "e" },
  [ENG_NUMBERS_TOTALS] = { "sum of exp", "Σ" },
  [ENG_NUMBERS_WEIGHTS] = { "weight", "α" },
  [ENG_NUMBERS_EDITED] = { "edited weight", "α" },
  [ENG_NUMBERS_FACTORS] = { "factor of the head", NULL },
  [ENG_NUMBERS_WEIGHTED] = { "weight × value", "α × v" },
  [ENG_NUMBERS_READ] = { "what the head reads", "z" },
  [ENG_NUMBERS_ALL_WEIGHTS] = { "weights of all heads", "α" },
  [ENG_NUMBERS_ALL_READINGS] = { "may be read", NULL },
  [ENG_NUMBERS_ALL_VALUES] = { "values of all heads", "V" },
  [ENG_NUMBERS_SIDE_BY_SIDE] = { "all heads", "z" },
  [ENG_NUMBERS_OUTPUT] = { "attention’s result", NULL },
  [ENG_NUMBERS_RESIDUAL] = { "sum", NULL },
  [ENG_NUMBERS_UP] = { "up", NULL },
  [ENG_NUMBERS_GATE_WEIGHT] = { "weight of the gate", "W_g" },
  [ENG_NUMBERS_GATE_BIAS] = { "bias of the gate", "b_g" },
  [ENG_NUMBERS_GATE] = { "gate", "g" },
  [ENG_NUMBERS_GATE_OPEN] = { "how far the gate is open", NULL },
  [ENG_NUMBERS_NEURONS] = { "neuron", NULL },
  [ENG_NUMBERS_DOWN] = { "feed-forward’s result", NULL },
  [ENG_NUMBERS_CONVOLVED] = { "convolved", NULL },
  [ENG_NUMBERS_CONVOLUTION] = { "convolution’s result", NULL },
  [ENG_NUMBERS_HIDDEN] = { "without padding", NULL },
  [ENG_NUMBERS_LEFT] = { "hidden state", "x" },
  [ENG_NUMBERS_LAST_STATES] = { "last hidden state", "x" },
  [ENG_NUMBERS_HEAD_INPUT] = { "what the task head reads", "x" },
  [ENG_NUMBERS_POOLED_UP] = { "pooler", NULL },
  [ENG_NUMBERS_POOLED] = { "pooled", NULL },
  [ENG_NUMBERS_TRANSFORMED] = { "transformed", NULL },
  [ENG_NUMBERS_ACTIVATED] = { "activated", NULL },
  [ENG_NUMBERS_REDUCED] = { "reduced", NULL },
  [ENG_NUMBERS_LOGITS] = { "logit", NULL },
  [ENG_NUMBERS_PROBABILITIES] = { "probability", "p" },
};

static const char *const formulas[] = {
  [ENG_FORMULA_ROW] = "the row of the table that the number names",
  [ENG_FORMULA_PICK] = "the number of this head in the row of the table",
  [ENG_FORMULA_SUM] = "the sum of the numbers in the same place",
  [ENG_FORMULA_DOT] = "the sum of the products, dimension by dimension",
  [ENG_FORMULA_TOTAL] = "the sum of the row",
  [ENG_FORMULA_READ] = "the sum of all weighted values",
  [ENG_FORMULA_PRODUCT] = "one number times the other",
  [ENG_FORMULA_WEIGHTED] = "the weight times the value",
  [ENG_FORMULA_DISTANCE] = "the vector times that of the distance, summed and scaled",
  [ENG_FORMULA_MASK] = "the score where the key may be read, else minus infinity",
  [ENG_FORMULA_MAXIMUM] = "the largest number of the row",
  [ENG_FORMULA_EXP] = "e to the power of the score minus the maximum",
  [ENG_FORMULA_SHARE] = "the exp divided by the sum of all",
  [ENG_FORMULA_EDITED] = "the weight behind the edits",
  [ENG_FORMULA_COSINE] = "the cosine of position times frequency",
  [ENG_FORMULA_SINE] = "the sine of position times frequency",
  [ENG_FORMULA_TURN] = "two dimensions turned together by the angle of the position",
  [ENG_FORMULA_ZERO] = "the number, or 0 in the dimension that is off",
  [ENG_FORMULA_READ_HEAD] = "what its head reads",
  [ENG_FORMULA_CONVOLVE] = "the neighbours’ numbers times the weights, plus the bias",
  [ENG_FORMULA_COPY] = "the same number",
  [ENG_FORMULA_HIDE] = "the number, or 0 for padding",
  [ENG_FORMULA_MEAN] = "the mean over all tokens but padding",
  [ENG_FORMULA_SOFTMAX] = "e to the power of the number, divided by the sum of all",
  [ENG_FORMULA_SIGMOID] = "1 divided by 1 plus e to the power of minus the number",
};

static const char *const activations[] = {
  [ENG_ACTIVATION_GELU] = "GELU",           [ENG_ACTIVATION_GELU_TANH] = "GELU by tanh",
  [ENG_ACTIVATION_QUICK_GELU] = "quick GELU", [ENG_ACTIVATION_RELU] = "ReLU",
  [ENG_ACTIVATION_SILU] = "SiLU",           [ENG_ACTIVATION_TANH] = "tanh",
  [ENG_ACTIVATION_GELU_10] = "GELU up to 10", [ENG_ACTIVATION_MISH] = "Mish",
  [ENG_ACTIVATION_LINEAR] = "no activation", [ENG_ACTIVATION_RELU_SQUARED] = "ReLU squared",
};

const char *
eng_stage_get_name (EngStageId id)
{
  return stages[id];
}

const char *
eng_numbers_get_name (EngNumbersId id)
{
  return numbers[id].name;
}

const char *
eng_numbers_get_symbol (EngNumbersId id)
{
  return numbers[id].symbol;
}

const char *
eng_activation_get_name (EngActivation activation)
{
  return activations[activation];
}

/* "W_Q" */
static const char *
get_operand_symbol (const EngWay  *self,
                    const EngNode *node,
                    int            operand)
{
  const EngNumbers *shown = eng_way_get_numbers (self, node->operands[operand].numbers);

  return shown->symbol != NULL ? shown->symbol : shown->name;
}

/* Of what is worked out of nothing that stands in the way. */
static const char *
describe_given (const EngWay     *self,
                const EngNumbers *shown)
{
  if (shown->is_weights)
    return "of the checkpoint";
  switch (shown->id) {
  case ENG_NUMBERS_IDS:
    return "of the text: the number that the piece has in the vocabulary";
  case ENG_NUMBERS_PLACES:
    return "of the text: where the piece stands";
  case ENG_NUMBERS_TYPES:
    return "of the text: which sentence the piece stands in";
  case ENG_NUMBERS_LANGUAGES:
    return "of the text: the language that it is in";
  case ENG_NUMBERS_PADDING:
    return "of the text: 1 for padding";
  case ENG_NUMBERS_READINGS:
  case ENG_NUMBERS_ALL_READINGS:
    return "of the mask";
  case ENG_NUMBERS_FACTORS:
    return "of an edit";
  case ENG_NUMBERS_DISTANCES:
    return "of the text: the row that the distance of the two tokens has";
  default:
    return eng_way_has_weights (self) ? "of the model’s settings" : "of the trace file";
  }
}

/* Of the stack that the task heads read; of an encoder that a decoder reads, the way's own. */
static int
count_last_layers (const EngWay  *self,
                   const EngNode *node)
{
  EngKind kind = node->shown.row_axis == ENG_AXIS_LAST
                 ? eng_spec_get_last_kind (eng_model_get_spec (self->model)) : self->kind;

  return self->trace->blocks[kind].n_layers;
}

/* "by layers 0 to 2, which are ways of their own" */
static char *
name_layers (int n)
{
  return n == 1 ? g_strdup ("by layer 0, which is a way of its own")
                : g_strdup_printf ("by layers 0 to %d, which are ways of their own", n - 1);
}

/* Of what whole layers make: row 0 of the token's states is what the step before left, which the
 * layers then read one after the other. */
static char *
describe_layers (const EngWay  *self,
                 const EngNode *node,
                 int            index,
                 int            row)
{
  EngWayCheck check;

  if (eng_way_check (self, index, row, 0, &check))
    return g_strdup ("the same number");
  switch (node->shown.id) {
  case ENG_NUMBERS_LAYER_STATES:
    return g_strdup_printf ("by layer %d, which is a way of its own",
                            node->shown.first_row + row - 1);
  case ENG_NUMBERS_STATES:
    return name_layers (self->layer);
  case ENG_NUMBERS_KEY_STATES:
    return g_strdup ("by the layers of the encoder, which are ways of their own");
  case ENG_NUMBERS_LAST_STATES:
    return name_layers (count_last_layers (self, node));
  default:
    return g_strdup ("by heads, which are ways of their own");
  }
}

char *
eng_way_describe_formula (const EngWay *self,
                          int           numbers_index,
                          int           row)
{
  const EngNode *node = eng_way_get_node (self, numbers_index);
  char factor[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (factor, sizeof factor, "%.6g", node->factor);
  switch (node->shown.formula) {
  case ENG_FORMULA_GIVEN:
    return g_strdup (describe_given (self, &node->shown));
  case ENG_FORMULA_LAYERS:
    return describe_layers (self, node, numbers_index, row);
  case ENG_FORMULA_LINEAR:
    return g_strdup_printf ("the row of %s times %s%s", get_operand_symbol (self, node, 1),
                            get_operand_symbol (self, node, 0),
                            node->n_operands > 2 ? ", plus the bias" : "");
  case ENG_FORMULA_NORM:
    return g_strdup_printf ("the number%s divided by the %s of all, times weight%s",
                            node->detail == ENG_NORM_LAYER ? " minus the mean," : "",
                            node->detail == ENG_NORM_LAYER ? "standard deviation"
                                                           : "root of the mean square",
                            node->n_operands > 2 ? ", plus bias" : "");
  case ENG_FORMULA_ADD_SCALED:
    return node->factor == 1 ? g_strdup ("the sum of both")
           : node->factor == 0
             ? g_strdup ("what came in: an edit lets the sub-layer add nothing")
             : g_strdup_printf ("what came in, plus %s times the result", factor);
  case ENG_FORMULA_SCALE:
    return g_strdup_printf ("%s times the number", factor);
  case ENG_FORMULA_CAP:
    return g_strdup_printf ("%s times the tanh of the number divided by %s", factor, factor);
  case ENG_FORMULA_ACTIVATION:
    return g_strdup_printf ("%s of the number",
                            eng_activation_get_name ((EngActivation) node->detail));
  default:
    return g_strdup (formulas[node->shown.formula]);
  }
}
