/* SPDX-License-Identifier: MIT */
/* Which drawing a document asks for: one scene, the heads that were collected as panels, the two
 * sides as panels, or their difference. Window and files come through here. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* second is the trace of ui_document_dup_second_side(), NULL while there is none: then the first
 * side stands alone. */
UiScene *ui_comparison_new (EngTrace             *first,
                            EngTrace             *second,
                            const UiDocument     *document,
                            const UiSceneOptions *options,
                            GError              **error);

/* How many numbers are read for it: what the time that it takes to build goes by. Rollouts that the
 * traces keep count as if they were computed. */
gsize    ui_comparison_count (EngTrace             *first,
                              EngTrace             *second,
                              const UiDocument     *document);

G_END_DECLS
