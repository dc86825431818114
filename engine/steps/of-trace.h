/* SPDX-License-Identifier: MIT */
/* Ways and diagrams of a trace, which keeps the model that made it, unless it came from a file. For
 * who knows traces and no models. */
#pragma once

#include "engine/steps/diagram.h"
#include "engine/steps/request.h"
#include "engine/steps/way.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* (transfer full) As eng_way_new() does. */
EngWay     *eng_way_new_of_trace     (EngTrace             *trace,
                                      const EngWayRequest  *request,
                                      GError              **error);
/* (transfer full) NULL for a trace that came from a file. Cheap. */
EngDiagram *eng_diagram_new_of_trace (EngTrace             *trace);

G_END_DECLS
