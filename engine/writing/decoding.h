/* SPDX-License-Identifier: MIT */
/* A decoder at work, token by token: some sequences of equal length (the beams of a search) that
 * began with the same tokens. Keys and values of earlier tokens are kept, so that a step costs one
 * token; without that cache the numbers are the same to the last bit wherever the engine's own
 * kernels multiply. Which token comes next is the caller's matter (engine/writing/generate.h). Used
 * by one thread at a time.
 *
 * What a pass of the whole text would show is always there: eng_decoding_dup_trace(). */
#pragma once

#include "engine/edits/edit.h"
#include "engine/transformer/inputs.h"

G_BEGIN_DECLS

typedef struct _EngDecoding EngDecoding;

typedef struct {
  int            n_sequences;
  int            capacity;  /* tokens that a sequence may get, those at the beginning counted */
  gboolean       no_cache;  /* compute the whole text at every step; another one where the angles
                             * of positions hang on the length of the text */
  /* Each acts in its own kind and may name tokens that are yet to come; copied. Those of tokens
   * were applied and are only carried into the trace. */
  const EngEdit *edits;
  int            n_edits;
  const gint    *cancel;    /* nullable; must live as long as the decoding */
} EngDecodingOptions;

/* Runs the encoder where there is one. inputs: a model of two stacks begins with the tokens of
 * decoder_tokens, one of one stack with tokens, of which padding at the end is left out. Refuses a
 * model without a decoder or without the head of a language model, and a capacity beyond the
 * model's positions, and edits that name what will never be there. */
EngDecoding *eng_decoding_new            (EngModel                  *model,
                                          const EngInputs           *inputs,
                                          const EngDecodingOptions  *options,
                                          GError                   **error);
void         eng_decoding_free           (EngDecoding               *self);

/* Tokens of each sequence so far. */
int          eng_decoding_get_n_tokens   (const EngDecoding         *self);
int          eng_decoding_get_n_classes  (const EngDecoding         *self);
/* [n_classes] of what follows the last token of a sequence; valid until the next step. */
const float *eng_decoding_get_logits     (const EngDecoding         *self,
                                          int                        sequence);
/* Sequence i goes on from what was sequence parents[i], with the token ids[i]; both [n_sequences].
 * FALSE with ENG_ERROR_CANCELLED, ENG_ERROR_LENGTH when the capacity is used up. */
gboolean     eng_decoding_step           (EngDecoding               *self,
                                          const int                 *parents,
                                          const gint32              *ids,
                                          GError                   **error);
/* (transfer full) Everything that was computed for sequence 0, as a pass of its tokens would leave
 * it, with the logits of what follows the last one: costs no computation. text_a and text_b are
 * carried along. Later steps do not change it. Only of a decoding of one sequence. */
EngTrace    *eng_decoding_dup_trace      (EngDecoding               *self,
                                          const char                *text_a,
                                          const char                *text_b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngDecoding, eng_decoding_free)

G_END_DECLS
