/* SPDX-License-Identifier: MIT */
/* Writes a text token by token: the same tokens as transformers' generate(), greedy or by beam
 * search; drawn ones from the same probabilities with random numbers of our own. Used by one thread
 * at a time. */
#pragma once

#include "engine/families/generation-config.h"
#include "engine/writing/decoding.h"

G_BEGIN_DECLS

typedef struct _EngGenerator EngGenerator;

/* Reads the given text; nothing is written yet. inputs and edits as eng_decoding_new() wants them:
 * the text is written with the edits. The
 * same seed draws the same tokens on any number of threads. cancel is nullable and must live as
 * long as the generator. Refuses what eng_decoding_new() refuses, settings that are not
 * supported or do not fit the model, and a text that leaves no room for a token. Where the
 * model's positions end before max_length, the text ends there. */
EngGenerator        *eng_generator_new               (EngModel             *model,
                                                      const EngInputs      *inputs,
                                                      const EngEdit        *edits,
                                                      int                   n_edits,
                                                      const EngGeneration  *settings,
                                                      guint64               seed,
                                                      const gint           *cancel,
                                                      GError              **error);
void                 eng_generator_free              (EngGenerator         *self);

/* One token more; of a beam search, one token more for each open text. Does nothing when it is
 * done. After FALSE, with ENG_ERROR_CANCELLED or ENG_ERROR_RANGE when no token is allowed, there
 * is nothing to do but to free it. */
gboolean             eng_generator_step              (EngGenerator         *self,
                                                      GError              **error);
gboolean             eng_generator_is_done           (const EngGenerator   *self);

/* The new tokens, an end token among them: *n of them, valid until the next step. Of a beam
 * search those of the best text: until it is done of the best that is open, so that earlier
 * tokens may change. */
const gint32        *eng_generator_get_ids           (const EngGenerator   *self,
                                                      int                  *n);
/* What the model gave each of them, before the settings had their say. */
const float         *eng_generator_get_probabilities (const EngGenerator   *self);

/* (transfer full) What the model computed while it read and wrote, see eng_decoding_dup_trace():
 * every token but the last of a text that is done, which it has not read. NULL of a beam search,
 * whose texts share their rows, and where there is no memory. */
EngTrace            *eng_generator_dup_trace         (EngGenerator         *self,
                                                      const char           *text_a,
                                                      const char           *text_b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngGenerator, eng_generator_free)

G_END_DECLS
