/* SPDX-License-Identifier: MIT */
/* The name of a token in a row of a list. Where it has no room it is cut in its middle: the letter
 * of its sentence and its number stay. What it says aloud its row says. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_TOKEN_LABEL (ui_token_label_get_type ())
G_DECLARE_FINAL_TYPE (UiTokenLabel, ui_token_label, UI, TOKEN_LABEL, GtkWidget)

GtkWidget  *ui_token_label_new      (void);
/* brief: a shorter name for where the name has no room; letter: of its sentence, 0 = none. */
void        ui_token_label_set      (UiTokenLabel *self,
                                     const char   *name,
                                     const char   *brief,
                                     char          letter,
                                     UiColor       color);
/* As it is drawn; borrowed until it is set or laid out. */
const char *ui_token_label_get_text (UiTokenLabel *self);
/* Whether something of the name is not drawn. */
gboolean    ui_token_label_is_cut   (UiTokenLabel *self);

G_END_DECLS
