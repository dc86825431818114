/* SPDX-License-Identifier: MIT */
/* Makes ways (engine/steps/way.h). Blocking, any thread but the main one: some ms for a short text
 * on a model of BERT-base's size, more where knobs are turned or the vocabulary is large. */
#pragma once

#include "engine/steps/diagram.h"
#include "engine/steps/request.h"
#include "engine/steps/way.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* (transfer full) Keeps references of model and trace. trace: complete, of a pass of this model;
 * without knobs every number that it has is shown as it stands there, bit by bit. model NULL: the
 * trace came from a file, and the way has its tokens and its attention alone. Errors:
 * ENG_ERROR_RANGE for what is not in the trace, ENG_ERROR_MISSING for a trace of another model, and
 * for a file without queries and keys or knobs that need weights; ENG_ERROR_CANCELLED. */
EngWay *eng_way_new (EngModel             *model,
                     EngTrace             *trace,
                     const EngWayRequest  *request,
                     GError              **error);

/* (transfer full) The model's blocks for a text of n_tokens, and n_decoder_tokens of the decoder of
 * two stacks. Cheap. */
EngDiagram *eng_diagram_new (const EngModel *model,
                             int             n_tokens,
                             int             n_decoder_tokens);

G_END_DECLS
