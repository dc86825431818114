/* SPDX-License-Identifier: MIT */
/* The SVG sink: our own writer, because cairo's draws glyphs instead of text and writes 185
 * bytes a link. Text stays text that can be selected and searched; textLength keeps the layout
 * where the fonts differ. Nothing in the file refers to a place outside of it. */
#pragma once

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* Starts a document of width × height scene units in svg (borrowed). unit: points of paper per
 * scene unit. prefix stands before every id, so that several drawings can be parts of one page;
 * borrowed until the end. title and description are what a screen reader says. */
UiSink *ui_svg_sink_new    (GString    *svg,
                            double      width,
                            double      height,
                            double      unit,
                            const char *prefix,
                            const char *title,
                            const char *description);
/* Puts an element <metadata> with that id and text in front of the drawing. */
void    ui_svg_sink_add_metadata (UiSink     *sink,
                                  const char *id,
                                  const char *text);
/* Closes the document and frees the sink. */
void    ui_svg_sink_finish (UiSink     *sink);

G_END_DECLS
