/* SPDX-License-Identifier: MIT */
/* Words for what a scene shows: the pieces that sentences, captions and tables are put together
 * from. Every char * is (transfer full). */
#pragma once

#include "ui/scene/scene.h"

G_BEGIN_DECLS

/* Two decimals, three under 0.1: 0.72, 0.043, 0.006; "<0.001" for less, "0" for none. */
char *ui_describe_weight  (double           weight);
/* “cat” (2) */
char *ui_describe_token   (const EngTokens *tokens,
                           int              token);
/* “Ġcat”: how the vocabulary spells a token that is drawn as something else; NULL for others. */
char *ui_describe_piece   (const EngTokens *tokens,
                           int              token);
/* Over a column of tokens: "reads" and "is read", with two stacks "decoder reads", "encoder is
 * read". */
const char *ui_describe_heading        (const UiScene   *scene,
                                        gboolean         key);
/* An encoder's text is the source, what a decoder writes the target. */
gboolean    ui_describe_has_two_stacks (const EngTrace  *trace);
/* "sentence A", "sentence B", with two stacks "source", "target"; NULL where there is but one. */
const char *ui_describe_sentence       (const EngTrace  *trace,
                                        const EngTokens *tokens,
                                        int              token);
/* "layer 2", "layer 2 of the decoder", "layer 2 of the cross-attention" where a trace has several
 * kinds */
char *ui_describe_layer   (const UiScene   *scene);
/* "all 12 heads", "head 8", "heads 2, 6 and 9" */
char *ui_describe_heads   (const UiScene   *scene);

/* What the scenes have in common; behind ui_scene_caption(), ui_scene_summarise() and the kinds'
 * describe(). */
char *ui_describe_caption (const UiScene   *scene);
char *ui_describe_summary (const UiScene   *scene);
/* “it” (12) reads “animal” (3) with weight 0.41 in head 7 of layer 4. */
char *ui_describe_link    (const UiScene   *scene,
                           int              head,
                           int              query,
                           int              key);
/* What a token reads most (key FALSE), or who reads it most. */
char *ui_describe_reader  (const UiScene   *scene,
                           gboolean         key,
                           int              token);
/* What a token gives to the pinned tokens of the other side, or gets from them. */
char *ui_describe_beside_pins (const UiScene *scene,
                               gboolean       key,
                               int            token);

G_END_DECLS
