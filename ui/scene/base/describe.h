/* SPDX-License-Identifier: MIT */
/* Words for what a scene shows: the pieces that sentences, captions and tables are put together
 * from. Every char * is (transfer full). */
#pragma once

#include "ui/scene/base/scene.h"
#include "ui/scene/base/token-words.h"
#include "ui/scene/numbers/row-sums.h"

G_BEGIN_DECLS

/* Of what is not negative, with 3 decimals: 0.720, 0.001; "<0.001" for what would be 0.000, "0" for
 * none. */
char *ui_describe_amount  (double           amount,
                           int              n_decimals);
/* The same with two decimals, three under 0.1: 0.72, 0.043, 0.006; "<0.001" for less, "0" for none. */
char *ui_describe_weight  (double           weight);
/* A value of a scene: a weight as above, a norm with as many decimals as the largest one needs. */
char *ui_describe_value   (const UiWeights *weights,
                           double           value);
/* What the values are: "weight", "weight × ‖v‖", "‖α v W_O‖", "rollout". */
const char *ui_describe_measure (const UiWeights *weights);
const char *ui_describe_measure_name (EngMeasure measure);
/* "2 %", "0.39 %" */
char *ui_describe_part    (double           part);
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
/* " of the decoder" where a trace has several kinds, else "". */
const char *ui_describe_owner          (const UiScene   *scene);
/* "layer 2", "layer 2 of the decoder", "layer 2 of the cross-attention" where a trace has several
 * kinds; "mean over all 6 layers", "mean over layers 3 and 7 of 12" where some are missing */
char *ui_describe_layer   (const UiScene   *scene);
/* "all 12 heads", "head 8", "heads 2, 6 and 9", "max of heads 2, 6 and 9", "rollout" */
char *ui_describe_heads   (const UiScene   *scene);
/* Both: "heads 2 and 6 of layer 2", "max of all 12 heads, each its mean over all 6 layers",
 * "rollout up to layer 4". mean: what is said is their mean where they are several. */
char *ui_describe_scope   (const UiScene   *scene,
                           gboolean         mean);
/* One head of those shown, or what stands for several: "head 8 of layer 2" */
char *ui_describe_one_head (const UiScene  *scene,
                            int             head);
/* The same over a narrow column: "8", "mean", "rollout" */
char *ui_describe_lane    (const UiWeights *weights,
                           int              head);
/* Whether rows or columns stand for more than one token. */
gboolean ui_describe_has_words (const UiWeights *weights);
/* Heading of a column of values: the measure and what was done to its rows. */
char *ui_describe_column  (const UiScene   *scene);
/* The same with the scope: "weight, mean of all 12 heads of layer 2", "rollout up to layer 4" */
char *ui_describe_values  (const UiScene   *scene,
                           gboolean         mean);

/* Sentences of a legend, each with a space before it, in this order: what matters most stands first,
 * where a window has no room for all. What the values are, where they are not plain weights of
 * tokens: measure, aggregates, words. */
void  ui_describe_append_measure  (const UiScene *scene,
                                   GString       *text);
/* The same without layers and heads, where a drawing has those of several scenes. */
void  ui_describe_append_formula  (const UiScene *scene,
                                   GString       *text);
/* What rows sum to, where that is not 1: those of the scene, or of sums that were gathered. */
void  ui_describe_append_row_sums  (const UiScene *scene,
                                    GString       *text);
void  ui_describe_append_sums      (const UiRowSums *sums,
                                    GString         *text);
/* " Opacity = weight × 1.5, at most 1", without a full stop. */
void  ui_describe_append_opacity  (const UiScene *scene,
                                   GString       *text);
/* links: what is not drawn, "Links". */
void  ui_describe_append_threshold (const UiScene *scene,
                                    const char    *links,
                                    GString       *text);
/* Threshold, mass, filter, special tokens, renormalising. */
void  ui_describe_append_left_out (const UiScene *scene,
                                   const char    *links,
                                   GString       *text);
/* The last three of these. */
void  ui_describe_append_filter   (const UiScene *scene,
                                   GString       *text);

/* "edited: head 2 of layer 1 × 0; …", NULL for none. */
char *ui_describe_edits   (const EngTrace  *trace);
/* What the scenes have in common; behind ui_scene_caption(), ui_scene_summarise() and the kinds'
 * describe(). */
char *ui_describe_caption (const UiScene   *scene);
/* With what is shown said by the caller, in place of layer and heads. */
char *ui_describe_caption_of (const UiScene *scene,
                              const char    *subject);
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
/* "sum of the pinned rows “cat” (2) and “sat” (3)"; NULL where there is nothing to sum. noun: what
 * is pinned, "rows". */
char *ui_describe_sum     (const EngTokens *tokens,
                           const int       *pinned,
                           int              n_pinned,
                           const char      *noun);
/* A token or a link, pins or none: behind the kinds' describe(). */
char *ui_describe_item    (const UiScene   *scene,
                           const UiItem    *item);

G_END_DECLS
