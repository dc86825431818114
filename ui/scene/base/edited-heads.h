/* SPDX-License-Identifier: MIT */
/* Which heads of a scene its run was edited in: their links are dashed, and words say so. */
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

G_END_DECLS
