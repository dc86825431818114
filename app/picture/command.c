/* SPDX-License-Identifier: MIT */
/* What is on show as a line for a shell. */
#include "app/picture/picture-private.h"

#include "app/study/session-file.h"
#include "ui/document/document-text.h"

/* The picture on show, in its colours unless it is one for paper; which kind of attention a model
 * shows by itself need not be said. */
char *
app_picture_dup_command (AppPicture *self)
{
  g_autoptr (UiDocument) document = ui_document_copy (app_picture_get_shown (self));

  document->kind_set =
    document->kind != eng_trace_get_default_kind (app_study_get_trace (self->study));
  if (document->theme != UI_THEME_PRINT)
    document->theme = ui_scene_view_get_theme (self->view);
  app_study_put_written (self->study, document);
  app_session_file_anchor (document);

  return ui_document_to_command (document, "figure.svg");
}
