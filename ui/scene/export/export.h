/* SPDX-License-Identifier: MIT */
/* Figures: a scene into an SVG, PDF, PNG or HTML file. Written beside the target and renamed, so
 * that a failure (no room, no permission) leaves no file behind and says why; an older file stays
 * as it was. Everything here may run in any thread. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef enum { UI_FIGURE_SVG, UI_FIGURE_PDF, UI_FIGURE_PNG, UI_FIGURE_HTML } UiFigureFormat;

const char *ui_figure_format_get_name (UiFigureFormat format);
/* "svg", "pdf", "png", "html" */
gboolean ui_figure_format_from_name (const char      *name,
                                     UiFigureFormat  *format,
                                     GError         **error);

/* Builds the scene of the document for paper: width_cm wide, font_pt text, its theme, caption
 * unless turned off. A drawing that does not fit into the width with that text is made smaller
 * as a whole. */
UiScene *ui_figure_scene_new        (EngTrace         *trace,
                                     const UiDocument *document,
                                     GError          **error);

/* The same with a second side, where the document has one; see comparison.h. */
UiScene *ui_figure_scene_new_for_sides (EngTrace         *first,
                                        EngTrace         *second,
                                        const UiDocument *document,
                                        GError          **error);

/* The same; is_asked: for people who are asked for what it says (UiSceneOptions.holds_back). Of such
 * a scene there are drawings alone: its numbers, and the page that tells them, are refused. */
UiScene *ui_figure_scene_new_asked  (EngTrace         *first,
                                     EngTrace         *second,
                                     const UiDocument *document,
                                     gboolean          is_asked,
                                     GError          **error);

/* Of the figure of a scene that was made for paper: that of its document, more for a sheet of all
 * steps with several columns. */
double   ui_figure_get_width_cm     (const UiScene    *scene);
/* The size that token text has in the figure of a scene that was made for paper: font_pt, or less
 * where the drawing was made smaller. */
double   ui_figure_get_text_points  (const UiScene    *scene);
/* Whether that is less than font_pt by more than what a view sets smaller by itself. */
gboolean ui_figure_has_small_text   (const UiScene    *scene);
/* The same as a sentence, with a width at which text is as large as it gets, where there is such a
 * one; NULL where it is not small. document: what the scene was built of. */
char    *ui_figure_describe_small_text (UiScene          *scene,
                                        const UiDocument *document);

/* That the maps of all heads stand too close for their names, with a width that has room for these,
 * where there is such a one; NULL where nothing is left out. */
char    *ui_figure_describe_lost_names (UiScene          *scene,
                                        const UiDocument *document);

/* A scene that was made for paper. The format is that of the path's ending; .csv, .json and .npy
 * hold its numbers (numbers.h). A figure carries the document that it was made from
 * (figure-session.h), with paths in its own folder relative to it; the same document gives the same
 * bytes. */
gboolean ui_figure_write_scene      (const UiScene    *scene,
                                     const UiDocument *document,
                                     const char       *path,
                                     GError          **error);
/* What that writes. */
GBytes  *ui_figure_scene_to_file    (const UiScene    *scene,
                                     const UiDocument *document,
                                     const char       *path,
                                     GError          **error);
GBytes  *ui_figure_scene_to_bytes   (const UiScene    *scene,
                                     UiFigureFormat    format,
                                     GError          **error);
/* Whether a path's ending is one of those; else a sentence that lists them. */
gboolean ui_figure_check_path       (const char       *path,
                                     GError          **error);
/* Whether it is a picture's, not that of numbers. */
gboolean ui_figure_is_picture       (const char       *path);

/* The same of a document in one go. */
gboolean ui_figure_write            (EngTrace         *trace,
                                     const UiDocument *document,
                                     const char       *path,
                                     GError          **error);

/* The picture alone: for the clipboard and for tests. A PNG has png_scale pixels per 1/96
 * inch of paper and says so, so that it is placed with the same width as the others. */
GBytes  *ui_figure_to_bytes         (EngTrace         *trace,
                                     const UiDocument *document,
                                     UiFigureFormat    format,
                                     GError          **error);

G_END_DECLS
