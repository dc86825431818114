/* SPDX-License-Identifier: MIT */
/* One token's way through one layer and one head of a model: every number between the text and the
 * answer, in stages that are never merged, and where each number comes from.
 *
 * A way is made by eng_way_new() (engine/steps/make.h) off the main thread. It is immutable and
 * reference-counted, and every thread may read it: everything returned by a get function is
 * borrowed and lives as long as the way. This header knows no model, so a picture may include it.
 *
 * A way is a list of numbers, each a matrix, and a list of stages, each some of the numbers that
 * stand beside each other in the list. An index of either list never changes its meaning within a
 * way; across ways look them up by what they are (eng_way_find()). Which stages there are the
 * model's spec says: a stage that the model has not is absent, never empty. */
#pragma once

#include "engine/base/kinds.h"
#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef struct _EngWay EngWay;

/* The parts of the way in their order, but that ENG_PART_OTHER, the attention of a layer that has
 * two which was not asked for, stands before ENG_PART_ATTENTION where that crosses, else behind. */
typedef enum {
  ENG_PART_INPUT,        /* text to what enters the first layer; all tokens */
  ENG_PART_BEFORE,       /* the layers before this one; absent in the first */
  ENG_PART_OTHER,
  ENG_PART_ATTENTION,    /* the attention that was asked for */
  ENG_PART_FEED_FORWARD,
  ENG_PART_END,          /* what a layer has behind its sub-layers, and what it leaves */
  ENG_PART_AFTER,        /* the layers behind this one; absent in the last */
  ENG_PART_ANSWER        /* a task head; absent where the model has none, or a decoder reads on */
} EngWayPart;

/* What is done in a stage. */
typedef enum {
  ENG_STAGE_TOKENS,      /* text, pieces, ids */
  ENG_STAGE_EMBEDDING,   /* vectors of word, position, segment, language */
  ENG_STAGE_SUM,
  ENG_STAGE_NORM,
  ENG_STAGE_WIDEN,       /* tables of another width are projected to the hidden size */
  ENG_STAGE_LAYERS,      /* the token's state at each of several layers */
  ENG_STAGE_STATES,      /* what the layer reads, of all tokens */
  ENG_STAGE_PROJECTIONS, /* q, k, v of the head: a row of W times x, plus bias */
  ENG_STAGE_HEAD_NORM,   /* norm of q and k */
  ENG_STAGE_TURN,        /* rotary positions */
  ENG_STAGE_ZEROED,      /* knob: a dimension of q and k is 0 */
  ENG_STAGE_PRODUCTS,    /* q·k by dimension, and summed */
  ENG_STAGE_SCALE,
  ENG_STAGE_CAP,         /* soft cap */
  ENG_STAGE_DISTANCES,   /* keys and queries that distances have, where positions are apart */
  ENG_STAGE_BIAS,        /* what positions add */
  ENG_STAGE_MASK,
  ENG_STAGE_TEMPERATURE, /* knob */
  ENG_STAGE_SOFTMAX,     /* maximum, exp, sum, weights */
  ENG_STAGE_EDITS,       /* what edits of the document leave of the weights */
  ENG_STAGE_READ,        /* weights times v, and summed */
  ENG_STAGE_HEADS,       /* of all heads, side by side */
  ENG_STAGE_OUTPUT,      /* W_O */
  ENG_STAGE_RESIDUAL,    /* added to what the sub-layer read */
  ENG_STAGE_UP,          /* W_1, and the gate where there is one */
  ENG_STAGE_ACTIVATION,  /* what each neuron gives: the fire of the feed-forward */
  ENG_STAGE_DOWN,        /* W_2 */
  ENG_STAGE_CONVOLUTION, /* beside the first layer */
  ENG_STAGE_PADDING,     /* padding becomes 0 */
  ENG_STAGE_LEFT,        /* what the layer leaves */
  ENG_STAGE_TO_DECODER,  /* the end of an encoder that a decoder reads, of its last part */
  ENG_STAGE_HEAD_INPUT,  /* the row that the task head reads */
  ENG_STAGE_POOLER,
  ENG_STAGE_TRANSFORM,   /* of the task head */
  ENG_STAGE_LOGITS,
  ENG_STAGE_ANSWER       /* logits as probabilities */
} EngStageId;

typedef enum {
  /* ENG_PART_INPUT */
  ENG_NUMBERS_IDS,            /* [queries, 1] */
  ENG_NUMBERS_PLACES,         /* [queries, 1] row of the position table, or rotary position */
  ENG_NUMBERS_TYPES,          /* [queries, 1] */
  ENG_NUMBERS_LANGUAGES,      /* [queries, 1] */
  ENG_NUMBERS_PADDING,        /* [queries, 1] 1 = padding; where the model hides it */
  ENG_NUMBERS_WORD_FACTORS,   /* [queries, 1] of word vectors, where they are scaled */
  ENG_NUMBERS_WORD_TABLE,     /* [table, E], as all tables of the checkpoint */
  ENG_NUMBERS_PLACE_TABLE,
  ENG_NUMBERS_TYPE_TABLE,
  ENG_NUMBERS_LANGUAGE_TABLE,
  ENG_NUMBERS_WORDS,          /* [queries, E], times the embedding's scale; so are the next */
  ENG_NUMBERS_PLACE_VECTORS,
  ENG_NUMBERS_TYPE_VECTORS,
  ENG_NUMBERS_LANGUAGE_VECTORS,
  ENG_NUMBERS_SUM,            /* [queries, E] */
  ENG_NUMBERS_WIDENED,        /* [queries, D] */
  /* several parts */
  ENG_NUMBERS_STATES,         /* [queries, D] what the layer reads; [1, D] of a crossing one's
                               * queries */
  ENG_NUMBERS_KEY_STATES,     /* [keys, D] what is read in cross-attention: the encoder's last */
  ENG_NUMBERS_LAYER_STATES,   /* [layers, D] of the token: row i enters layer first_row + i, the
                               * last one of ENG_PART_AFTER leaves the last layer */
  ENG_NUMBERS_NORMED,         /* of what the stage before left */
  ENG_NUMBERS_NORM_WEIGHT,    /* [1, …] */
  ENG_NUMBERS_NORM_BIAS,
  ENG_NUMBERS_WEIGHT,         /* [out, in] of the stage's product; ENG_NUMBERS_BIAS [1, out] */
  ENG_NUMBERS_BIAS,
  /* ENG_PART_ATTENTION */
  ENG_NUMBERS_QUERY_WEIGHT,   /* [d, D] rows of the head */
  ENG_NUMBERS_QUERY_BIAS,     /* [1, d] */
  ENG_NUMBERS_KEY_WEIGHT,
  ENG_NUMBERS_KEY_BIAS,
  ENG_NUMBERS_VALUE_WEIGHT,
  ENG_NUMBERS_VALUE_BIAS,
  ENG_NUMBERS_ALL_QUERIES,    /* [queries, heads · d], where all heads are normed together */
  ENG_NUMBERS_ALL_KEYS,       /* [keys, kv heads · d] */
  ENG_NUMBERS_QUERIES,        /* [queries, d] as the stage leaves them: projected, normed … */
  ENG_NUMBERS_KEYS,           /* [keys, d] */
  ENG_NUMBERS_VALUES,         /* [keys, d] */
  ENG_NUMBERS_COSINES,        /* [keys, pairs] of the turn, by which a factor may be multiplied */
  ENG_NUMBERS_SINES,
  ENG_NUMBERS_FREQUENCIES,    /* [1, pairs] angle = position · frequency */
  ENG_NUMBERS_PRODUCTS,       /* [keys, d] q·k of the way's query by dimension */
  ENG_NUMBERS_DOTS,           /* [queries, keys] summed */
  ENG_NUMBERS_SCALED,         /* [queries, keys]; so are those that follow, where no more is said */
  ENG_NUMBERS_CAPPED,
  ENG_NUMBERS_DISTANCES,      /* row of the table that the distance of query and key has */
  ENG_NUMBERS_DISTANCE_TABLE, /* [table, heads] of biases, or [positions, D] of distances */
  ENG_NUMBERS_DISTANCE_BIAS,  /* what positions add by distance */
  ENG_NUMBERS_POSITION_KEYS,  /* [positions, d] PK of the head, where positions are apart */
  ENG_NUMBERS_POSITION_QUERIES, /* [positions, d] PQ */
  ENG_NUMBERS_CONTENT_POSITION, /* scale · q·PK */
  ENG_NUMBERS_POSITION_CONTENT, /* scale · k·PQ */
  ENG_NUMBERS_BIASED,
  ENG_NUMBERS_READINGS,       /* how often the key is read: 0 = hidden, 1, or more */
  ENG_NUMBERS_MASKED,         /* -INFINITY where hidden */
  ENG_NUMBERS_TEMPERED,
  ENG_NUMBERS_MAXIMA,         /* [queries, 1] of the row */
  ENG_NUMBERS_EXPS,           /* exp (score - maximum), of one reading */
  ENG_NUMBERS_TOTALS,         /* [queries, 1] Σ readings · exp */
  ENG_NUMBERS_WEIGHTS,        /* exp / total */
  ENG_NUMBERS_EDITED,         /* weights behind the document's edits */
  ENG_NUMBERS_FACTORS,        /* [heads, 1] of edits that scale heads, where there are any */
  ENG_NUMBERS_WEIGHTED,       /* [keys, d] readings · weight · v of the way's query */
  ENG_NUMBERS_READ,           /* [queries, d] summed, times the factor */
  ENG_NUMBERS_ALL_WEIGHTS,    /* [heads, keys] of the way's query */
  ENG_NUMBERS_ALL_READINGS,   /* [1, keys] of the way's query, [heads, keys] where heads differ */
  ENG_NUMBERS_ALL_VALUES,     /* [keys, kv heads · d] */
  ENG_NUMBERS_SIDE_BY_SIDE,   /* [1, heads · d] */
  ENG_NUMBERS_OUTPUT,         /* [1, D] */
  ENG_NUMBERS_RESIDUAL,       /* [1, D] */
  /* ENG_PART_FEED_FORWARD */
  ENG_NUMBERS_UP,             /* [1, F] before the activation, where it is not gated */
  ENG_NUMBERS_GATE_WEIGHT,
  ENG_NUMBERS_GATE_BIAS,
  ENG_NUMBERS_GATE,           /* [1, F] before the activation */
  ENG_NUMBERS_GATE_OPEN,      /* [1, F] activation (gate) */
  ENG_NUMBERS_NEURONS,        /* [1, F] what goes down: activation (up), or that of the gate · up */
  ENG_NUMBERS_DOWN,           /* [1, D] */
  /* ENG_PART_END */
  ENG_NUMBERS_CONVOLVED,      /* [1, D] before its activation */
  ENG_NUMBERS_CONVOLUTION,    /* [1, D] behind it */
  ENG_NUMBERS_HIDDEN,         /* [1, D] where padding is 0 */
  ENG_NUMBERS_LEFT,           /* [1, D] hidden state layer + 1, as the trace has it */
  /* ENG_PART_ANSWER */
  ENG_NUMBERS_LAST_STATES,    /* [tokens, D] of the last stack */
  ENG_NUMBERS_HEAD_INPUT,     /* [1, D] */
  ENG_NUMBERS_POOLED_UP,      /* [1, D] before tanh */
  ENG_NUMBERS_POOLED,         /* [1, D] */
  ENG_NUMBERS_TRANSFORMED,    /* [1, …] before its activation */
  ENG_NUMBERS_ACTIVATED,      /* [1, …] behind it */
  ENG_NUMBERS_REDUCED,        /* [1, D] */
  ENG_NUMBERS_LOGITS,         /* [1, classes]; ENG_NUMBERS_CAPPED behind a soft cap */
  ENG_NUMBERS_PROBABILITIES   /* [1, classes] */
} EngNumbersId;

/* What the rows or columns of numbers are. */
typedef enum {
  ENG_AXIS_ONE,           /* there is one */
  ENG_AXIS_QUERIES,       /* tokens that read: eng_way_get_query_tokens() */
  ENG_AXIS_KEYS,          /* tokens that are read: eng_way_get_key_tokens() */
  ENG_AXIS_TABLE,         /* rows of a table */
  ENG_AXIS_LAYERS,
  ENG_AXIS_FEATURES,      /* dimensions of the hidden state, or of an embedding */
  ENG_AXIS_HEAD_FEATURES, /* dimensions of the head */
  ENG_AXIS_ALL_FEATURES,  /* dimensions of all heads, head after head */
  ENG_AXIS_PAIRS,         /* pairs of dimensions that are turned together */
  ENG_AXIS_HEADS,
  ENG_AXIS_POSITIONS,     /* rows of a table of distances */
  ENG_AXIS_NEURONS,
  ENG_AXIS_CLASSES,       /* words of the vocabulary, or labels */
  ENG_AXIS_LAST           /* tokens of the last stack: eng_way_get_last_tokens() */
} EngAxis;

/* How a number comes from others; x, y, … are the sources in their order. */
typedef enum {
  ENG_FORMULA_GIVEN,      /* of the text, the checkpoint or a setting: from nothing */
  ENG_FORMULA_LAYERS,     /* by whole layers, which are ways of their own: not worked out here, but
                           * that x is the same number where there is one */
  ENG_FORMULA_ROW,        /* x [row y], · z where words are scaled */
  ENG_FORMULA_PICK,       /* x [row y, head] */
  ENG_FORMULA_SUM,        /* x + y + … */
  ENG_FORMULA_ADD_SCALED, /* x + factor · y */
  ENG_FORMULA_NORM,       /* norm of the row x, · weight y, + bias z */
  ENG_FORMULA_LINEAR,     /* Σ x · y, + bias z */
  ENG_FORMULA_PRODUCT,    /* x · y, or x · y · z */
  ENG_FORMULA_DOT,        /* Σ x of the way's own products, or Σ x · y */
  ENG_FORMULA_TOTAL,      /* Σ x · y */
  ENG_FORMULA_READ,       /* Σ x of the way's own row, or Σ x · y · z; times an edit's factor */
  ENG_FORMULA_WEIGHTED,   /* x · y · z: weight, readings, value */
  ENG_FORMULA_SCALE,      /* factor · x */
  ENG_FORMULA_CAP,        /* c · tanh (x / c) */
  ENG_FORMULA_DISTANCE,   /* factor · Σ x · y, y the row z of the two tokens' distance */
  ENG_FORMULA_MASK,       /* x where y > 0, else -∞ */
  ENG_FORMULA_MAXIMUM,    /* largest of the row x */
  ENG_FORMULA_EXP,        /* exp (x - y) */
  ENG_FORMULA_SHARE,      /* x / y */
  ENG_FORMULA_EDITED,     /* row x behind the edits, y the readings */
  ENG_FORMULA_COSINE,     /* factor · cos (x · y) */
  ENG_FORMULA_SINE,
  ENG_FORMULA_TURN,       /* x · cos ∓ y · sin of the pair */
  ENG_FORMULA_ZERO,       /* x, or 0 in the dimension that is turned off */
  ENG_FORMULA_READ_HEAD,  /* x of the way's own head, or Σ x · y · z: weight, readings, value of
                           * another, times its factor */
  ENG_FORMULA_ACTIVATION, /* f (x) */
  ENG_FORMULA_CONVOLVE,
  ENG_FORMULA_COPY,       /* x */
  ENG_FORMULA_HIDE,       /* x, or 0 where y says padding */
  ENG_FORMULA_MEAN,       /* of the rows x that are no padding */
  ENG_FORMULA_SOFTMAX,    /* exp (x) / Σ exp of the row */
  ENG_FORMULA_SIGMOID
} EngFormula;

/* A matrix: row r starts at data + r * stride. A row or column may stand for a part of an axis:
 * row r is number first_row + r of its axis. */
typedef struct {
  EngNumbersId id;
  int          stage;        /* index */
  const char  *name;         /* in words, for a label: "query" */
  const char  *symbol;       /* "q", "W_Q"; NULL where there is none */
  gboolean     is_weights;   /* of the checkpoint: the same for every text */
  int          rows;
  int          columns;
  EngAxis      row_axis;
  EngAxis      column_axis;
  int          first_row;
  gsize        stride;
  const float *data;
  EngFormula   formula;      /* of each of them */
} EngNumbers;

typedef struct {
  EngStageId  id;
  EngWayPart  part;
  const char *name;          /* in words: "Divide by √d" */
  int         first;         /* index of its first numbers */
  int         n;
  int         result;        /* index of the last of its numbers that are not the checkpoint's: what
                              * goes on to the next stage */
  /* Before what knobs change, and behind the layer, as they are not fed forward: the model's own
   * numbers, as without knobs. */
  gboolean    is_models;
} EngStage;

EngWay            *eng_way_ref               (EngWay       *self);
void               eng_way_unref             (EngWay       *self);

EngKind            eng_way_get_kind          (const EngWay *self);
int                eng_way_get_layer         (const EngWay *self);
int                eng_way_get_head          (const EngWay *self);
int                eng_way_get_query         (const EngWay *self);
/* Row of numbers that is the way's own: that of the query where rows are queries, else 0. Of a long
 * text (a million links and more) the numbers of ENG_AXIS_QUERIES have this one row alone. */
int                eng_way_get_own_row       (const EngWay *self,
                                              int           numbers);
const EngTokens   *eng_way_get_query_tokens  (const EngWay *self);
const EngTokens   *eng_way_get_key_tokens    (const EngWay *self);
const EngTokens   *eng_way_get_last_tokens   (const EngWay *self);

int                eng_way_get_n_stages      (const EngWay *self);
const EngStage    *eng_way_get_stage         (const EngWay *self,
                                              int           stage);
int                eng_way_get_n_numbers     (const EngWay *self);
const EngNumbers  *eng_way_get_numbers       (const EngWay *self,
                                              int           numbers);
/* Index of the first stage of a part that does that, or of the first numbers of that id in a part
 * at or behind a stage (0 = anywhere in the part); -1 where there are none. */
int                eng_way_find_stage        (const EngWay *self,
                                              EngWayPart    part,
                                              EngStageId    id);
int                eng_way_find              (const EngWay *self,
                                              EngWayPart    part,
                                              EngNumbersId  id,
                                              int           first_stage);
static inline double
eng_numbers_get (const EngNumbers *self,
                 int               row,
                 int               column)
{
  return (double) self->data[(gsize) row * self->stride + (gsize) column];
}

/* The length of a row, √Σx². */
double             eng_numbers_get_length    (const EngNumbers *self,
                                              int               row);
/* Indices of the n entries of a row of the largest magnitude, the largest first, into order [n];
 * returns how many there are. Of neurons: those that fire strongest. */
int                eng_numbers_find_strongest (const EngNumbers *self,
                                               int               row,
                                               int               n,
                                               int              *order);

/* A rectangle of numbers: rows [first_row, first_row + n_rows), and columns likewise, counted in
 * the matrix. */
typedef struct {
  int numbers;               /* index */
  int first_row, n_rows;
  int first_column, n_columns;
} EngSource;
#define ENG_MAX_SOURCES 16

/* Where a number comes from: into sources [ENG_MAX_SOURCES], in the order of the formula;
 * returns how many. 0 for what is given. */
int                eng_way_get_sources       (const EngWay *self,
                                              int           numbers,
                                              int           row,
                                              int           column,
                                              EngSource    *sources);

/* A number worked out again, in double precision, from its sources alone, sharing no code with the
 * forward. */
typedef struct {
  double   shown;
  double   recomputed;
  double   difference;       /* 0 where both are the same infinity */
  double   tolerance;        /* 1e-5 · max (1, largest magnitude of the row) */
  gboolean agrees;
} EngWayCheck;

/* FALSE for what is given, or made by whole layers and no copy. Cheap for one number: of the size of its
 * sources. */
gboolean           eng_way_check             (const EngWay *self,
                                              int           numbers,
                                              int           row,
                                              int           column,
                                              EngWayCheck  *check);
/* (transfer full) How the numbers of a row come from others, in words for a sentence: "the row of
 * W_Q times x, plus the bias"; of what is not worked out where it comes from: "of the checkpoint",
 * "by layers 0 to 2, which are ways of their own". */
char              *eng_way_describe_formula  (const EngWay *self,
                                              int           numbers,
                                              int           row);
/* Constant of a formula, as scale, cap or factor; 1 where it has none. */
double             eng_way_get_factor        (const EngWay *self,
                                              int           numbers);

/* The answer: the classes of ENG_NUMBERS_LOGITS from the likeliest on, some of many. */
typedef struct {
  int         index;         /* column of the logits */
  char       *text;          /* word or label */
  double      logit;
  double      probability;   /* -1 where it has none */
} EngCandidate;

/* NULL and 0 where there is no answer. *task (out): of which head. *token (out): the token of the
 * last stack whose row the head reads; -1 for the mean of all. */
const EngCandidate *eng_way_get_candidates   (const EngWay *self,
                                              int          *n,
                                              EngTask      *task,
                                              int          *token);

/* Which settings of a knob (engine/steps/knobs.h) would change a number of this way: bits
 * 1 << EngKnob. */
guint              eng_way_get_useful_knobs  (const EngWay *self);
/* FALSE of a trace that came from a file: of its parts there are the tokens and the attention, whose
 * q, k and v are given. */
gboolean           eng_way_has_weights       (const EngWay *self);
/* Whether it was made with a knob that is turned: what if, not fed forward. */
gboolean           eng_way_is_what_if        (const EngWay *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngWay, eng_way_unref)

G_END_DECLS
