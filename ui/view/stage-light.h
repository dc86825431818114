/* SPDX-License-Identifier: MIT */
/* Over a window that people look at from afar: a spotlight that leaves all but a circle and a line
 * of words dark, a pointer that the back row sees, and a still picture of what lies below. It takes no input. Main
 * thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_STAGE_LIGHT (ui_stage_light_get_type ())
G_DECLARE_FINAL_TYPE (UiStageLight, ui_stage_light, UI, STAGE_LIGHT, GtkWidget)

/* words: what is never dark, below it, as wide as the window; it must stay as long as this. */
GtkWidget *ui_stage_light_new          (GtkWidget    *words);
/* Where the pointer is, in its own coordinates. */
void       ui_stage_light_move         (UiStageLight *self,
                                        double        x,
                                        double        y);
void       ui_stage_light_set_spot     (UiStageLight *self,
                                        gboolean      has_spot);
void       ui_stage_light_set_pointer  (UiStageLight *self,
                                        gboolean      has_pointer);
/* What is seen instead of what lies below; NULL = nothing. */
void       ui_stage_light_set_still    (UiStageLight *self,
                                        GdkPaintable *still);

G_END_DECLS
