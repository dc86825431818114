/* SPDX-License-Identifier: MIT */
/* What the text of an SVG is put together from; numbers have a point in every locale. */
#pragma once

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* With at most two or, if coarse, one decimal. */
void ui_svg_append_number    (GString      *svg,
                              double        value,
                              gboolean      coarse);
/* Behind another number in path data: a minus sign needs no space before it. */
void ui_svg_append_next      (GString      *svg,
                              double        value);
/* ' name="value"' */
void ui_svg_append_attribute (GString      *svg,
                              const char   *name,
                              double        value);
/* Its beginning, "<rect …" without an end. */
void ui_svg_append_rect      (GString      *svg,
                              const UiRect *rect,
                              double        radius);
/* kind is "fill" or "stroke". */
void ui_svg_append_color     (GString      *svg,
                              const char   *kind,
                              UiColor       color);
/* What XML cannot hold even as a reference becomes U+FFFD. */
void ui_svg_append_escaped   (GString      *svg,
                              const char   *text);

G_END_DECLS
