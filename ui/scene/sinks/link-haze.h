/* SPDX-License-Identifier: MIT */
/* Links for vector files, which a hundred thousand curves make too large to open. The strongest
 * stay curves; those that are left over, each fainter than the others, become one picture under
 * them. Viewers blend curves in 8 bits and lose what is under 1/255, so the picture is also
 * truer than faint curves. */
#pragma once

#include <cairo.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

#define UI_MOST_CURVES 6000

typedef struct {
  UiLinkField        field;   /* first: the links that stay curves, in drawing order */
  const UiLinkField *all;     /* borrowed */
  int                least;   /* alpha that the curves have at least */
  cairo_surface_t   *picture; /* ARGB32, of the fainter ones; NULL = there are none */
} UiLinkHaze;

void ui_link_haze_init  (UiLinkHaze        *self,
                         const UiLinkField *field);
void ui_link_haze_clear (UiLinkHaze        *self);

G_END_DECLS
