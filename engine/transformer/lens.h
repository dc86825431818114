/* SPDX-License-Identifier: MIT */
/* What the model would answer if it ended after some layer: the head of a task over hidden states
 * that are not the last (the logit lens). A norm that stands behind the last layer is applied to
 * states before it, too. Blocking; any thread. */
#pragma once

#include "engine/trace/trace.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* (transfer full) Logits [rows, classes] of the shape and the positions that the trace has for the
 * task (eng_trace_get_logits()), from hidden states index: 0 enter the first layer, the last ones
 * give the trace's own logits. task: fill-mask or language-model, whose logits the trace has; the
 * trace is of the model. */
float *eng_lens_read (const EngModel  *model,
                      EngTrace        *trace,
                      EngTask          task,
                      int              index,
                      GError         **error);
/* (transfer full) The same of one token of the stack that the head reads, whether the trace has its
 * logits or not: [classes]; *n_classes (out). */
float *eng_lens_read_token (const EngModel  *model,
                            EngTrace        *trace,
                            EngTask          task,
                            int              index,
                            int              token,
                            int             *n_classes,
                            GError         **error);

G_END_DECLS
