/* SPDX-License-Identifier: MIT */
/* What a button of the toolbar says: its name, what is chosen, and the arrow of its menu. Where all
 * of that has no room the choice goes first, then the arrow; the name stays. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_STATE_LABEL (ui_state_label_get_type ())
G_DECLARE_FINAL_TYPE (UiStateLabel, ui_state_label, UI, STATE_LABEL, GtkWidget)

/* The name is the property "title"; "room" is how many digits of a choice are kept free, so that
 * the first one moves nothing. NULL or "" = nothing is chosen. */
void        ui_state_label_set_state (UiStateLabel *self,
                                      const char   *state);
/* "Show all links": both, whatever has room; borrowed. */
const char *ui_state_label_get_text  (UiStateLabel *self);

G_END_DECLS
