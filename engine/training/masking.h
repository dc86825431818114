/* SPDX-License-Identifier: MIT */
/* Masked words (Devlin et al. 2018, section 3.1): of the tokens of a text a share is asked for; of
 * these most become the mask token, some a token that is drawn, the rest stay. What is drawn is the
 * number of a token of a key (engine/kernels/random.h), another key for each time that a text is
 * read. */
#pragma once

#include "engine/training/pieces.h"

G_BEGIN_DECLS

typedef struct {
  double   share;       /* of tokens that are asked for: 0.15 */
  double   masked;      /* of these, that become the mask token: 0.8 */
  double   drawn;       /* of these, that become any other: 0.1 */
  gboolean whole_words; /* all tokens of a word are asked for, or none */
  gint32   mask_id;
  gint32   n_words;     /* of the vocabulary that is drawn from */
} EngMasking;

/* The shares that are usual; whole_words off. */
void eng_masking_init  (EngMasking       *self,
                        gint32            mask_id,
                        gint32            n_words);
/* ids [n] are changed in place; labels [n] (out): what stood there, or ENG_NO_LABEL. special [n]
 * 1 = belongs to the template or is padding, and is never asked for. words [n]: number of a token's
 * word, -1 = of none, then it is a word by itself; needed for whole words alone. */
void eng_masking_apply (const EngMasking *self,
                        guint64           key,
                        int               n,
                        const guint8     *special,
                        const int        *words,
                        gint32           *ids,
                        gint32           *labels);

G_END_DECLS
