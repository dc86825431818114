/* SPDX-License-Identifier: MIT */
/* Which heads of a scene its run was edited in: their links are dashed, and words say so. Which
 * links were cut: their cells are hatched. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* The only head that is shown, of one layer; -1 = there are several, or something made of them. */
int      ui_scene_get_only_head (const UiScene *scene);
/* Of a head that is shown. */
gboolean ui_scene_is_edited     (const UiScene *scene,
                                 int            head);
/* Of any of them. */
gboolean ui_scene_has_edited    (const UiScene *scene);
/* The links that edits cut in all heads that are shown, of one layer: of rows put together from
 * several tokens, those of which all are cut. (transfer full) [rows that read × rows that are read]
 * of 0 and 1, NULL where none is. */
guint8  *ui_scene_mark_cut      (const UiScene *scene);

G_END_DECLS
