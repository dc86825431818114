/* SPDX-License-Identifier: MIT */
/* Several scenes as one drawing, with titles over them: heads of any layers beside each other, or
 * the two sides of a comparison, This and Other. The panels stand in columns of equal width, as many
 * as fit; one caption and one legend serve all. A full scene: its items say which panel they are
 * of (UiItem.panel), and what is pointed at in one stands out in all, texts that differ being
 * aligned (alignment.h). */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS


typedef struct {
  EngTrace         *trace;
  const UiDocument *document; /* its own panels are no part of it */
} UiPanel;

/* Fails as ui_scene_new() does, with the number of the panel, and with no or too many panels. */
UiScene *ui_panels_scene_new           (const UiPanel        *panels,
                                        int                   n_panels,
                                        const UiSceneOptions *options,
                                        GError              **error);
/* The document's panels, each a head of its layer, in its view. */
UiScene *ui_panels_scene_new_for_heads (EngTrace             *trace,
                                        const UiDocument     *document,
                                        const UiSceneOptions *options,
                                        GError              **error);
gboolean ui_scene_is_panels            (const UiScene        *scene);
/* How many heads stand beside each other; 0 = it is of one panel's kind, or of two sides. */
int      ui_panels_count_heads         (const UiScene        *scene);
/* The drawing of one of them; borrowed. */
UiScene *ui_panels_get_head            (UiScene              *scene,
                                        int                   i);

G_END_DECLS
