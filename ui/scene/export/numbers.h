/* SPDX-License-Identifier: MIT */
/* The numbers of a scene as data. Selected are the heads that are shown and the rows and columns
 * that filter and pins leave.
 *   CSV    every number that is drawn, one a line, under a heading: what ui_scene_numbers() says
 *   JSON   one object: "model", the texts, "edits", "kind", "layer" (null of all layers, which
 *          "layers" puts together), "measure", "heads", "filter", "hide_special", "renormalised",
 *          "words", "queries" and "keys" with "index" and "text", "values" [heads][queries][keys];
 *          what the threshold hides is there, too. A scene that is a table of heads: "columns" and
 *          "rows", null where a head has no such number
 *   NPY    float32 [heads, queries, keys] (npy.h), the same values; of the model view [layers, heads,
 *          queries, keys], all that there are, NaN for a layer that the trace has not
 * An aggregate is one head, which "heads" names in words. Panels are "panels" in JSON, each such an
 * object with its letter in "panel"; in NPY their heads follow each other. A difference says so in
 * "compare" and what its other side is in "second", its values are first minus second, and its
 * tokens have the "first" and "second" index, null where that side has none; a value that one side
 * has not is null, too, and NaN in NPY. The index of a word is that of its first token, in CSV too.
 * May run in any thread. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef enum { UI_NUMBERS_CSV, UI_NUMBERS_JSON, UI_NUMBERS_NPY } UiNumbersFormat;

/* By the ending of a path, ".csv"; FALSE for any other. */
gboolean ui_numbers_format_from_path (const char       *path,
                                      UiNumbersFormat  *format);
/* UI_ERROR_VALUE where a scene has no block that the format could hold, or holds back. */
GBytes  *ui_numbers_to_bytes         (const UiScene    *scene,
                                      UiNumbersFormat   format,
                                      GError          **error);
/* What the file would hold, "12 heads × 15 rows × 15 columns", at once; fails as
 * ui_numbers_to_bytes() would. (transfer full) */
char    *ui_numbers_describe         (const UiScene    *scene,
                                      UiNumbersFormat   format,
                                      GError          **error);

G_END_DECLS
