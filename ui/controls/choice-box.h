/* SPDX-License-Identifier: MIT */
/* A row of toggle buttons of which one is chosen: one stop for Tab, at the chosen one; arrows move
 * between them. */
#pragma once

#include "ui/controls/stop-box.h"

G_BEGIN_DECLS

#define UI_TYPE_CHOICE_BOX (ui_choice_box_get_type ())
G_DECLARE_FINAL_TYPE (UiChoiceBox, ui_choice_box, UI, CHOICE_BOX, UiStopBox)

G_END_DECLS
