/* SPDX-License-Identifier: MIT */
/* What a file of weights that are written has to look like. For engine/families/weights.c alone. */
#pragma once

#include "engine/families/weights-heads.h"

G_BEGIN_DECLS

/* Fills the list of the loaded weights from the bindings, which are in place. */
void eng_weights_list_written (const EngWeightsLoader *loader);

G_END_DECLS
