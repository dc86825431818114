/* SPDX-License-Identifier: MIT */
/* What is said of a file before it is written, and what it is called. */
#pragma once

#include "ui/dialogs/export-dialog.h"
#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* Every char * is (transfer full). */

/* What the file will be: "16.0 × 9.8 cm", "A page that plays 32 steps". NULL with a sentence where it
 * cannot be. scene: made for paper. has_second: the trace is one of
 * two sides. */
char *ui_export_describe       (UiScene          *scene,
                                EngTrace         *trace,
                                gboolean          has_second,
                                UiExportFormat    format,
                                GError          **error);
/* What the width that is asked for is of that scene's picture. */
char *ui_export_describe_width (UiScene          *scene,
                                UiExportFormat    format);
/* "headlight-mini layer 3 head 11 step 10.svg"; a trace and the grid of heads have all layers. */
char *ui_export_suggest_name   (EngTrace         *trace,
                                const UiDocument *document,
                                UiExportFormat    format);

G_END_DECLS
