/* SPDX-License-Identifier: MIT */
/* Asks what shall be written of what is on show, and how it shall look: a picture, the numbers of
 * it, or the trace of the pass. Shows a preview and offers nothing that would be refused. Writes
 * nothing: it hands a document on.
 *
 * Signal: export (UiDocument *document, int format): the person pressed Export; format is a
 * UiExportFormat, the document (borrowed during the emission) is the one given with the figure's
 * fields as chosen. The dialog closes itself afterwards. */
#pragma once

#include <adwaita.h>

#include "engine/trace/trace.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_EXPORT_DIALOG (ui_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (UiExportDialog, ui_export_dialog, UI, EXPORT_DIALOG, AdwWindow)

/* Pictures, numbers, the trace: in the order in which they are offered. */
typedef enum {
  UI_EXPORT_SVG,
  UI_EXPORT_PDF,
  UI_EXPORT_PNG,
  UI_EXPORT_HTML,
  UI_EXPORT_CSV,
  UI_EXPORT_JSON,
  UI_EXPORT_NPY,
  UI_EXPORT_TRACE,
} UiExportFormat;

/* "svg", "safetensors" */
const char *ui_export_format_get_ending (UiExportFormat format);

/* Modal over parent; takes references. second is the trace of what the document compares with, NULL
 * = none. is_asked: a lesson asks for what the picture says; it is offered without its numbers, and
 * nothing that has them is. Show it with gtk_window_present(). */
GtkWidget *ui_export_dialog_new (GtkWindow        *parent,
                                 EngTrace         *trace,
                                 EngTrace         *second,
                                 const UiDocument *document,
                                 gboolean          is_asked,
                                 UiExportFormat    format);

G_END_DECLS
