/* SPDX-License-Identifier: MIT */
#include "engine/steps/of-trace.h"

#include "engine/steps/make.h"
#include "engine/transformer/session.h"

EngWay *
eng_way_new_of_trace (EngTrace             *trace,
                      const EngWayRequest  *request,
                      GError              **error)
{
  return eng_way_new (eng_session_get_model_of (trace), trace, request, error);
}

EngDiagram *
eng_diagram_new_of_trace (EngTrace *trace)
{
  const EngModel *model = eng_session_get_model_of (trace);
  const EngKind first = eng_trace_get_default_kind (trace);
  const int n_decoder = first != ENG_KIND_DECODER && eng_trace_has_kind (trace, ENG_KIND_DECODER)
                        ? eng_trace_get_n_queries (trace, ENG_KIND_DECODER) : 0;

  return model != NULL
         ? eng_diagram_new (model, eng_trace_get_n_queries (trace, first), n_decoder) : NULL;
}
