/* SPDX-License-Identifier: MIT */
/* Steps as undo and redo name them. Pure. */
#pragma once

#include "engine/trace/trace.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* "Layer 3"; of edits what their chips say, "Cut “cat” → “rug” in 3.11". NULL where nothing changed.
 * trace: of the run with edits, typed: of the one without, both nullable; they name the tokens of
 * edits. (transfer full) */
char *app_step_describe (const UiDocument *before,
                         const UiDocument *after,
                         const EngTrace   *trace,
                         const EngTrace   *typed);

G_END_DECLS
