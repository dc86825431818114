/* SPDX-License-Identifier: MIT */
/* What the first layer reads of a token:
 *   x = norm (scale · word[id] + type[type id] + position[row] + language[row of the text's])
 * with the tables of engine/spec/weights.h; where these are of another width than the layers, then
 * projected to it (factorised embeddings, Lan et al. 2019, section 3.1): projection · x + bias, or
 * norm (projection · x + bias). Last, x · hidden.
 * The same in both stacks of a model of two. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where a token's place enters its embedding. */
typedef enum {
  ENG_POSITIONS_NONE,     /* nowhere: rotary positions, a bias or the causal mask tell the order */
  ENG_POSITIONS_TABLE,    /* row position_offset + i of the position table */
  ENG_POSITIONS_SKIP_PADDING /* the same, where i counts the earlier tokens that are no padding;
                              * padding has the row before the first */
} EngPositions;

typedef struct {
  int          size;            /* features of the tables, which are projected to the hidden size;
                                 * 0 = they have that already */
  EngPositions positions;
  int          n_positions;     /* rows of the position table, or the longest text that the model
                                 * was made for; 0 = unknown */
  int          position_offset; /* row of the first token */
  int          n_types;         /* rows of the token type table; 0 = no types */
  gboolean     types_pairs;     /* the sentences of a pair have types even where the tokenizer
                                 * gives none */
  int          n_languages;     /* rows of the table of languages, one of which is added where the
                                 * language of a text is said; 0 = no such table */
  int          written_language; /* row for what is written where no language is said */
  double       scale;           /* of a token's vector; 0 = none, as 1 */
  /* Mask tokens have no vector, and those of all others are as long as if that were so in training,
   * where it was this share of the tokens: times (1 - mask_dropout) / (1 - masks / tokens), padding
   * not counted (Rives et al. 2021; "token_dropout"). 0 = mask tokens are like others. */
  double       mask_dropout;
  int          mask_id;         /* where mask_dropout is not 0 */
  gboolean     has_norm;
  gboolean     projects_first;  /* the norm stands behind the projection */
  gboolean     hides_padding;   /* hidden = 0 for padding, else 1 */
  gboolean     separate_words;  /* two stacks do not share their word embedding */
} EngEmbeddingSpec;

G_END_DECLS
