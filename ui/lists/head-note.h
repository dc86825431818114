/* SPDX-License-Identifier: MIT */
/* What one head does, beside a picture of tokens: the head that is pointed at by one of its links,
 * else the only one that is shown. Hides itself where there is no such head, or where what is shown
 * is no head of the trace. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_NOTE (ui_head_note_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadNote, ui_head_note, UI, HEAD_NOTE, GtkWidget)

GtkWidget *ui_head_note_new (void);

/* Siblings that the note stands behind: above while it is of the only head, for it stays there; below
 * while it comes and goes with what is pointed at, so that it moves nothing that is read. */
void       ui_head_note_set_places (UiHeadNote *self,
                                    GtkWidget  *above,
                                    GtkWidget  *below);

/* scene: nullable. What a scene says of a head is looked up once, as long as the trace is the
 * same. */
void       ui_head_note_set (UiHeadNote   *self,
                             UiScene      *scene,
                             const UiItem *item);

G_END_DECLS
