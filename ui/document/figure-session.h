/* SPDX-License-Identifier: MIT */
/* A figure carries the session that it was drawn from, so that it can be opened again and drawn
 * anew: in the element <metadata id="headlight-session"> of an SVG, in the same of a web page's
 * drawing, where the id ends so, in the keywords of a PDF, in a tEXt chunk of a PNG. The reader knows nothing else of these formats and takes any bytes. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_FIGURE_SESSION_ID "headlight-session"

/* Appends a chunk: type is its four letters. */
void      ui_png_append_chunk      (GByteArray    *png,
                                    const char    *type,
                                    const guint8  *data,
                                    gsize          size);
/* The chunk that carries the session's compact text. */
void      ui_png_append_session    (GByteArray    *png,
                                    const char    *session);

/* Whether the bytes begin as one of the four formats do. */
gboolean  ui_figure_is_one         (const guint8  *data,
                                    gsize          size);
/* The session's text; refuses, in the name of what, a figure that has none. (transfer full) */
char     *ui_figure_find_session   (const guint8  *data,
                                    gsize          size,
                                    const char    *what,
                                    GError       **error);

G_END_DECLS
