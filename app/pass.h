/* SPDX-License-Identifier: MIT */
/* One pass as a document asks for it: find and open the model, make tokens, apply edits, run.
 * Blocking. */
#pragma once

#include "engine/inputs.h"
#include "engine/session.h"
#include "ui/scene/document.h"

G_BEGIN_DECLS

/* (transfer full) The model that the document names, or the bundled one. */
EngModel  *app_pass_open_model (const UiDocument  *document,
                                GError           **error);

/* Fills *inputs, which is empty. */
gboolean   app_pass_encode     (const EngModel    *model,
                                const UiDocument  *document,
                                EngInputs         *inputs,
                                GError           **error);

/* The document's edits, parsed; GArray of EngEdit. */
GArray    *app_pass_parse_edits (const UiDocument *document,
                                 GError          **error);

/* tasks: bit 1 << EngTask. */
EngTrace  *app_pass_run        (EngModel          *model,
                                const UiDocument  *document,
                                const EngInputs   *inputs,
                                guint              tasks,
                                gboolean           all_positions,
                                GError           **error);

G_END_DECLS
