/* SPDX-License-Identifier: MIT */
/* What the model view and whoever stands beside it say of heads. */
#pragma once

#include "engine/trace/head-facts.h"
#include "ui/scene/base/scene.h"
#include "ui/scene/base/thumbnail.h"

G_BEGIN_DECLS

/* done of n layers; from the thread that prepares. */
typedef void (*UiModelProgress) (int done, int n, gpointer data);

/* Computes what the sorted orders of the model view need, so that its scene is built at once.
 * Layers that are not there yet are left out. FALSE when cancelled (nullable, polled). */
gboolean ui_model_prepare           (EngTrace        *trace,
                                     EngKind          kind,
                                     const gint      *cancel,
                                     UiModelProgress  progress,
                                     gpointer         data);

/* "a" to "z", then "27": the letter of a head that was collected. letter is returned. */
#define UI_MODEL_LETTER_SIZE 12
char    *ui_model_format_letter    (int              index,
                                     char            *letter);

/* Of what the head does most: "the same word gets the most weight in 10 of 12 rows, for example
 * “cat” (2) reads “cat” (9) with 0.89". (transfer full) NULL where no row counts or the layer is not there. */
char    *ui_model_describe_evidence (EngTrace        *trace,
                                     EngKind          kind,
                                     int              layer,
                                     int              head);

/* What the head does, as far as its rows bear it out: "most words read the one after", and the
 * evidence as above. (transfer full) NULL where the layer is not there. */
char    *ui_model_describe_claim   (EngTrace        *trace,
                                    EngKind          kind,
                                    int              layer,
                                    int              head,
                                    char           **words);

/* What the head does most, with the evidence: "Each word reads the one after. Evidence: the token
 * after …." (transfer full) NULL where the layer is not there. */
char    *ui_model_describe_pattern (EngTrace        *trace,
                                    EngKind          kind,
                                    int              layer,
                                    int              head);

/* Whether the trace has gained layers since a scene of the model view was built. */
gboolean ui_model_has_grown        (const UiScene   *scene);

/* The map of one head of a scene of the model view, at another size. FALSE where the layer cannot
 * be shown. */
gboolean ui_model_make_map         (const UiScene   *scene,
                                     int              layer,
                                     int              head,
                                     UiTheme          theme,
                                     int              size,
                                     UiThumbnail     *map);

G_END_DECLS
