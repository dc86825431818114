/* SPDX-License-Identifier: MIT */
/* Asks how a figure shall look, with a preview of it: format, width, font size, palette, scale
 * of a PNG, caption. Writes nothing: it hands a document on.
 *
 * Signal: export (UiDocument *document, int format): the person pressed Export; format is a
 * UiFigureFormat, the document (borrowed during the emission) is the one given with the figure's
 * fields as chosen. The dialog closes itself afterwards. */
#pragma once

#include <adwaita.h>

#include "ui/scene/export.h"

G_BEGIN_DECLS

#define UI_TYPE_EXPORT_DIALOG (ui_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (UiExportDialog, ui_export_dialog, UI, EXPORT_DIALOG, AdwWindow)

/* Modal over parent; takes references. Show it with gtk_window_present(). */
GtkWidget *ui_export_dialog_new (GtkWindow        *parent,
                                 EngTrace         *trace,
                                 const UiDocument *document,
                                 UiFigureFormat    format);

G_END_DECLS
