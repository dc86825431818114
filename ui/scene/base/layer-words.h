/* SPDX-License-Identifier: MIT */
/* What a trace says of layers beside their attention: which are local, and which are read several
 * times. Every char * is (transfer full). */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* "local: 128 tokens", of a layer that reads a part of a text alone; NULL for another. */
char *ui_layer_describe_reach     (const EngTrace *trace,
                                   EngKind         kind,
                                   int             layer);
/* Sentences of a legend, with a space before them: that the scene's layer is local; or which of all
 * layers are. Nothing where none is. */
void  ui_layer_append_reach       (const UiScene  *scene,
                                   GString        *text);
void  ui_layer_append_all_reaches (const UiScene  *scene,
                                   GString        *text);
/* Behind "12 layers": " (one, read 12 times)"; "" where each has weights of its own. */
char *ui_layer_describe_sharing   (const EngTrace *trace,
                                   EngKind         kind);

G_END_DECLS
