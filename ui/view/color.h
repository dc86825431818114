/* SPDX-License-Identifier: MIT */
/* Palette colours for GTK. */
#pragma once

#include <gdk/gdk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

static inline GdkRGBA
ui_color_to_rgba (UiColor color)
{
  return (GdkRGBA) { color.r / 255.f, color.g / 255.f, color.b / 255.f, color.a / 255.f };
}

G_END_DECLS
