/* SPDX-License-Identifier: MIT */
/* The search for the likeliest text along several open texts at once, as transformers 5.23 does
 * it: a text's score is the sum of its tokens' scores, and once it has ended that sum over its
 * new tokens to the power of the length penalty. Knows no model; used by one thread at a time.
 * Shapes: B beams, V classes. */
#pragma once

#include "engine/families/generation-config.h"

G_BEGIN_DECLS

typedef struct _EngBeamSearch EngBeamSearch;

/* A text as far as it is found. */
typedef struct {
  gint32  *ids;           /* [n_start + n] */
  float   *probabilities; /* [n] that the model gave the new tokens */
  int      n;             /* new tokens */
  float    score;
  gboolean finished;
} EngBeam;

/* All beams begin with the tokens start [n_start]; settings are borrowed until the end.
 * max_length counts them and is larger than n_start. */
EngBeamSearch *eng_beam_search_new         (const EngGeneration *settings,
                                            const gint32        *start,
                                            int                  n_start,
                                            int                  max_length,
                                            int                  n_classes);
void           eng_beam_search_free        (EngBeamSearch       *self);

/* An open text, the best first. */
const EngBeam *eng_beam_search_get_open    (const EngBeamSearch *self,
                                            int                  beam);
/* One token on. log_probabilities [B, V] is the log-softmax of what follows each open text,
 * scores [B, V] the same after the processors. Says from which text each of the new ones goes
 * on: parents [B]; and with which token: ids [B]. */
void           eng_beam_search_advance     (EngBeamSearch       *self,
                                            const float         *log_probabilities,
                                            const float         *scores,
                                            int                 *parents,
                                            gint32              *ids);
gboolean       eng_beam_search_is_done     (const EngBeamSearch *self);
/* The best finished text when it is done, else the best open one. */
const EngBeam *eng_beam_search_get_best    (const EngBeamSearch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngBeamSearch, eng_beam_search_free)

G_END_DECLS
