/* SPDX-License-Identifier: MIT */
/* The difference of two sides as a matrix: first minus second, over the tokens of both as
 * alignment.h pairs them. A token that one side alone has keeps its row and column, which are
 * hatched, with a + (first side) or − (second side) before its label. Words: difference-words.c. */
#pragma once

#include "ui/scene/matrix/matrix-scene.h"
#include "ui/scene/numbers/alignment.h"

G_BEGIN_DECLS

typedef struct {
  UiMatrixScene  matrix;
  UiScene       *sides[2];  /* the matrices that it is the difference of */
  GArray        *tokens[2]; /* by UiAxis, of UiAlignedToken: what its rows and columns stand for */
  GArray        *changed_links; /* of UiLinkChange, the largest change first; NULL = of two kinds */
} UiDifferenceScene;

/* The documents choose layer, heads (several: their mean), measure and filter of their side; what a
 * matrix takes no part in, such as their view, is ignored. Theme, gain, threshold and pins are the
 * first one's. Items of the scene, and the pins of its document, count aligned tokens.
 * ui_difference_scene_get_token() leads back to those of a side. Fails with UI_ERROR_RANGE where a
 * side cannot be shown or the two are not numbers of one measure. */
UiScene *ui_difference_scene_new       (EngTrace             *first,
                                        const UiDocument     *first_document,
                                        EngTrace             *second,
                                        const UiDocument     *second_document,
                                        const UiSceneOptions *options,
                                        GError              **error);
gboolean ui_scene_is_difference        (const UiScene        *scene);
/* The row (key FALSE) or column of a side, -1 where that side has none. */
int      ui_difference_scene_get_token (const UiScene        *scene,
                                        int                   side,
                                        gboolean              key,
                                        int                   row);
/* Whether both sides have it. */
gboolean ui_difference_scene_is_paired (const UiScene        *scene,
                                        gboolean              key,
                                        int                   row);
/* What that one goes by on its side (eng_tokens_get_number()), or -1. */
int      ui_difference_scene_get_number (const UiScene       *scene,
                                         int                  side,
                                         gboolean             key,
                                         int                  row);

/* difference-words.c */
char    *ui_difference_describe        (const UiScene        *scene,
                                        const UiItem         *item);
char    *ui_difference_legend          (const UiScene        *scene);
char    *ui_difference_explain         (const UiScene        *scene);
char    *ui_difference_headline        (const UiScene        *scene);
char    *ui_difference_caption         (const UiScene        *scene);
char    *ui_difference_summarise       (const UiScene        *scene);
char    *ui_difference_numbers         (const UiScene        *scene);

G_END_DECLS
