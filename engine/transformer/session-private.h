/* SPDX-License-Identifier: MIT */
/* What every trace of a model says of its run; for engine/ alone. */
#pragma once

#include "engine/spec/spec.h"
#include "engine/trace/trace-private.h"
#include "engine/transformer/session.h"

G_BEGIN_DECLS

/* Names, texts and edits of the request, and how the trace asks the model for what it computes
 * late. */
void eng_session_describe_run (EngTrace            *trace,
                               EngModel            *model,
                               const EngRunRequest *request);

/* What edits may name of a run over so many tokens of A's stack and of the decoder of two stacks.
 * sizes [ENG_N_KINDS]. */
void eng_session_measure      (const EngSpec       *spec,
                               int                  n_tokens,
                               int                  n_decoder_tokens,
                               EngEditSizes        *sizes);

G_END_DECLS
