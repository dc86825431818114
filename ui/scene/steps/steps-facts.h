/* SPDX-License-Identifier: MIT */
/* What a window asks of a scene of steps. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* Of whatever view; 0 = it has no steps. */
int      ui_steps_get_n     (const UiScene    *scene);
/* The one that is reached; of a whole way the last one. */
int      ui_steps_get_step  (const UiScene    *scene);
/* Its stage, and whether it shows that for all tokens at once: as the last steps do. */
int      ui_steps_get_stage (const UiScene    *scene);
gboolean ui_steps_has_all_rows (const UiScene *scene);
/* "Softmax", "Softmax, of all tokens"; NULL = there is no such step. (transfer full) */
char    *ui_steps_dup_name  (const UiScene    *scene,
                             int               step);
/* The token whose way it is, and its stack, encoder or decoder; -1 = it shows no steps. */
int      ui_steps_get_token (const UiScene    *scene,
                             EngKind          *kind);
/* Whether each of them is in full. */
gboolean ui_steps_is_whole  (const UiScene    *scene);
/* The part of what it shows that is seen, of so many (out), which is 1 where it is scrolled. */
int      ui_steps_get_screen (const UiScene   *scene,
                              int             *n);
/* How many times as wide as was asked for a sheet of all steps is; 1 of anything else. */
double   ui_steps_get_breadth (const UiScene  *scene);
/* (transfer full) The same way at a step, as wide as was asked for. */
UiScene *ui_steps_new_at    (const UiScene    *scene,
                             int               step);
/* Where a stage stands, in full, or what it has handed on beside its name; for all tokens, the row of
 * the way's own. FALSE where it is not there. */
gboolean ui_steps_find_handed (const UiScene  *scene,
                               int             stage,
                               UiRect         *rect);
/* The document looks at the number of an item of the scene; again: at none. */
void     ui_steps_look_at   (const UiScene    *scene,
                             const UiItem     *item,
                             UiDocument       *document);
/* The step with the mask of the head; -1 = none. */
int      ui_steps_find_mask (const UiScene    *scene);
/* Whether an item is a link's number there: query and key. */
gboolean ui_steps_find_link (const UiScene    *scene,
                             const UiItem     *item,
                             int              *query,
                             int              *key);
/* Whether something is tried in it that is not fed forward: what else is said of its trace leaves that
 * out. */
gboolean ui_steps_is_what_if (const UiScene   *scene);
/* Links that a mask of one's own hides besides. */
int      ui_steps_count_hidden (const UiScene *scene);
/* Bits 1 << EngKnob of those that change a number of the way. */
guint    ui_steps_get_useful_knobs (const UiScene *scene);
/* FALSE of a trace file, which nothing can be fed forward in, and where there are no steps. */
gboolean ui_steps_has_weights     (const UiScene  *scene);
/* What products of q and k are multiplied with: the model's, unless another is tried. */
double   ui_steps_get_scale (const UiScene    *scene);
/* Of q and k of the head. */
int      ui_steps_get_n_dimensions (const UiScene *scene);

G_END_DECLS
