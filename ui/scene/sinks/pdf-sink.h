/* SPDX-License-Identifier: MIT */
/* The PDF sink: one page by cairo, with embedded fonts and text that can be selected. Colours
 * have an alpha of k/255, and must: cairo looks every distinct alpha up in a list. */
#pragma once

#include <cairo.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* Starts a page of width × height scene units in pdf (borrowed). unit: points of paper per scene
 * unit. */
UiSink   *ui_pdf_sink_new    (GByteArray  *pdf,
                              double       width,
                              double       height,
                              double       unit,
                              const char  *title);
/* Of the file; ASCII stands in it as it is. */
void      ui_pdf_sink_set_keywords (UiSink      *sink,
                                    const char  *keywords);
/* Ends the page, appends what is left of the file and frees the sink. */
gboolean  ui_pdf_sink_finish (UiSink      *sink,
                              GError     **error);

/* A part of a larger page, on a context that is in scene units already. */
UiSink   *ui_pdf_sink_new_on (cairo_t     *cr,
                              double       unit);
void      ui_pdf_sink_free   (UiSink      *sink);

/* Pages of width × height points in pdf (borrowed), which whoever draws them shows. */
cairo_surface_t *ui_pdf_surface_new (GByteArray *pdf,
                                     double      width,
                                     double      height,
                                     const char *title);
/* Appends what is left of the file and frees the surface. status: of what drew on it. */
gboolean  ui_pdf_surface_finish (cairo_surface_t  *surface,
                                 cairo_status_t    status,
                                 GError          **error);

G_END_DECLS
