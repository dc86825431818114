/* SPDX-License-Identifier: MIT */
/* The edits of the model as chips: what each does in words, a switch for it (one that is off is
 * struck through), a cross that takes it out, and "Clear" at the end. Edits that are said together
 * (ui_edit_count_together()) have one chip, with one switch and one cross for all of them. They are a list, or with the
 * property "line" a line of short ones, of which those are shown that fit. Chips are moved by
 * dragging, and by ui_edit_chips_move_focused(). The widget changes nothing by itself: it says what
 * a person wants, and is shown the edits that are then.
 *
 * Signals, which count chips: switched (int index), removed (int index), moved (int from, int to),
 * cleared (), fitted (): another number of chips has room. */
#pragma once

#include <gtk/gtk.h>

#include "engine/trace/trace.h"

G_BEGIN_DECLS

#define UI_TYPE_EDIT_CHIPS (ui_edit_chips_get_type ())
G_DECLARE_FINAL_TYPE (UiEditChips, ui_edit_chips, UI, EDIT_CHIPS, GtkWidget)

/* title: stands before the chips, NULL = nothing; name: what a screen reader says. */
void       ui_edit_chips_set_title    (UiEditChips       *self,
                                       const char        *title,
                                       const char        *name);
/* Text forms, NULL-terminated, those that are off with "off " in front. trace: of the
 * run with them, typed: of the run without, both nullable; they name the tokens of edits. */
void       ui_edit_chips_set          (UiEditChips       *self,
                                       const char *const *edits,
                                       const EngTrace    *trace,
                                       const EngTrace    *typed);
/* Of a line: of how many chips it asks for the room, which are two. */
void       ui_edit_chips_set_n_wanted (UiEditChips       *self,
                                       int                n_wanted);
int        ui_edit_chips_get_n        (UiEditChips       *self);
/* How many of them are shown. */
int        ui_edit_chips_get_n_shown  (UiEditChips       *self);
/* The chip that has the keyboard's focus, in whatever part; -1 = none. */
int        ui_edit_chips_get_focused  (UiEditChips       *self);
void       ui_edit_chips_focus        (UiEditChips       *self,
                                       int                index);
/* Asks to move the chip that has the focus, not to where none is shown; FALSE when there is none.
 * The focus goes along. */
gboolean   ui_edit_chips_move_focused (UiEditChips       *self,
                                       int                step);

G_END_DECLS
