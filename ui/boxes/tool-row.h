/* SPDX-License-Identifier: MIT */
/* The toolbar: one line, however narrow. What has no room gives way: first children become as
 * narrow as they can, then those of the type "optional" in its .ui go. One that expands has what is
 * left. Main thread.
 *
 * Signal: "fitted" when the optional ones have come or gone. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_TOOL_ROW (ui_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (UiToolRow, ui_tool_row, UI, TOOL_ROW, GtkWidget)

gboolean ui_tool_row_has_optional (UiToolRow *self);

G_END_DECLS
