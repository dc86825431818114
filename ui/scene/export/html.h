/* SPDX-License-Identifier: MIT */
/* A scene as a web page that stands alone: the SVG, under it what each token's sentence says,
 * and a script of a few lines that draws a token's links when it is pointed at or has the focus.
 * Nothing is loaded from anywhere. Without scripts the picture and its sentences are there all
 * the same. The figure is one element whose style and ids are its own, so that it can be put
 * into another page or shown by a notebook. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* unit: points of paper per scene unit, as in ui_svg_sink_new(). session: what the page carries
 * (figure-session.h); NULL = nothing. */
GBytes *ui_html_new (const UiScene *scene,
                     double         unit,
                     const char    *session);

G_END_DECLS
