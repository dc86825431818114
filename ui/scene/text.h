/* SPDX-License-Identifier: MIT */
/* Setting text with pango: measuring for layouts, and layouts for the cairo sinks. Hinting of metrics is
 * off, so that a text has the same width in the window, in a file and at every scale.
 * Contexts and layouts are kept per thread; everything here may be called from any thread. */
#pragma once

#include <pango/pangocairo.h>

#include "ui/scene/sink.h"

G_BEGIN_DECLS

#define UI_FONT_FAMILIES "Cantarell, Inter, Noto Sans, DejaVu Sans, sans-serif"

/* What of a token is drawn: controls, zero-width and bidi characters as visible escapes, line breaks as ⏎. */
char        *ui_text_make_visible (const char        *text);

double       ui_text_measure      (const char        *text,
                                   const UiTextStyle *style);
/* Borrowed until the next call in this thread; single paragraph, ellipsised when wider than max_width. */
PangoLayout *ui_text_layout       (const char        *text,
                                   const UiTextStyle *style);

G_END_DECLS
