/* SPDX-License-Identifier: MIT */
/* The tokens of a text as buttons in lines, of which one is chosen. One stop for Tab, with arrows
 * inside. Main thread.
 *
 * Signal: chosen (): another one than before, by a person. */
#pragma once

#include <gtk/gtk.h>

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

#define UI_TYPE_TOKEN_STRIP (ui_token_strip_get_type ())
G_DECLARE_FINAL_TYPE (UiTokenStrip, ui_token_strip, UI, TOKEN_STRIP, GtkWidget)

/* title: what is chosen here, for a screen reader. */
GtkWidget *ui_token_strip_new    (const char      *title);
/* None is chosen then. */
void       ui_token_strip_set    (UiTokenStrip    *self,
                                  const EngTokens *tokens);
/* -1 = none. One that is not there changes nothing. */
void       ui_token_strip_choose (UiTokenStrip    *self,
                                  int              token);
int        ui_token_strip_get    (UiTokenStrip    *self);

G_END_DECLS
