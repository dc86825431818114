/* SPDX-License-Identifier: MIT */
/* Runs a model. A session owns the arena of its passes and is used by one thread at a time; any
 * number of sessions may share a model. The work is spread over the engine's pool of threads
 * (engine/kernels/pool.h). */
#pragma once

#include "engine/transformer/model.h"
#include "engine/transformer/run-request.h"

G_BEGIN_DECLS

typedef struct _EngSession EngSession;

EngSession *eng_session_new  (EngModel   *model);
void        eng_session_free (EngSession *self);

/* (transfer full) NULL with ENG_ERROR_CANCELLED when the flag was raised; answers within 30 ms on
 * BERT-base. ENG_ERROR_RANGE when the weights lead to what is no number. */
EngTrace   *eng_session_run  (EngSession          *self,
                              const EngRunRequest *request,
                              GError             **error);

/* The model whose pass it is, as long as the trace lives; NULL for one that came from a file. */
EngModel   *eng_session_get_model_of (const EngTrace       *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngSession, eng_session_free)

G_END_DECLS
