/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/scene/numbers/weights.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

/* The colour of a head of the block; that of an aggregate is no head's. */
UiColor ui_head_color_get (const UiWeights *weights,
                           UiTheme          theme,
                           int              head);

G_END_DECLS
