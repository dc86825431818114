/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/head-color.h"

UiColor
ui_head_color_get (const UiWeights *weights,
                   UiTheme          theme,
                   int              head)
{
  return weights->block.is_aggregate ? ui_palette_get (theme)->text
                                     : ui_palette_head (theme, head);
}
