/* SPDX-License-Identifier: MIT */
/* The check of one cell of the neuron view: q·k, scaling and softmax recomputed from the trace
 * alone beside what the model says, what the key adds to the head's output, and the dimensions that
 * decide the score. Red, with words, when the two differ. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_CHECK_BLOCK (ui_check_block_get_type ())
G_DECLARE_FINAL_TYPE (UiCheckBlock, ui_check_block, UI, CHECK_BLOCK, GtkWidget)

GtkWidget *ui_check_block_new (void);

void       ui_check_block_set (UiCheckBlock  *self,
                               const UiScene *scene,
                               int            query,
                               int            key,
                               UiTheme        theme);

G_END_DECLS
