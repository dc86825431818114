/* SPDX-License-Identifier: MIT */
/* What every trace of a model says of its run; for engine/ alone. */
#pragma once

#include "engine/session.h"
#include "engine/trace/trace-private.h"

G_BEGIN_DECLS

/* Names, texts and edits of the request, and how the trace asks the model for what it computes
 * late. */
void eng_session_describe_run (EngTrace            *trace,
                               EngModel            *model,
                               const EngRunRequest *request);

G_END_DECLS
