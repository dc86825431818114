/* SPDX-License-Identifier: MIT */
/* Figures: a scene into an SVG, PDF or PNG file. Written beside the target and renamed, so that a failure
 * (no room, no permission) leaves no file behind and says why; an older file stays as it was. */
#pragma once

#include "ui/scene/scene.h"

G_BEGIN_DECLS

typedef enum { UI_FIGURE_SVG, UI_FIGURE_PDF, UI_FIGURE_PNG } UiFigureFormat;

gboolean ui_figure_format_from_path (const char      *path,    /* by its ending */
                                     UiFigureFormat  *format,
                                     GError         **error);

/* Builds the scene of the document for paper: width_cm wide, font_pt text, its theme, caption unless turned off. */
UiScene *ui_figure_scene_new        (EngTrace         *trace,
                                     const UiDocument *document,
                                     GError          **error);

gboolean ui_figure_write            (EngTrace         *trace,
                                     const UiDocument *document,
                                     const char       *path,
                                     GError          **error);

/* The same without a file: for the clipboard and for tests. */
GBytes  *ui_figure_to_bytes         (EngTrace         *trace,
                                     const UiDocument *document,
                                     UiFigureFormat    format,
                                     GError          **error);

/* The SVG and PDF sinks behind it. unit: points of paper per scene unit. */
UiSink  *ui_svg_sink_new            (GString          *svg,
                                     double            width,
                                     double            height,
                                     double            unit,
                                     const char       *title);
void     ui_svg_sink_finish         (UiSink           *sink);  /* closes the document and frees the sink */

G_END_DECLS
