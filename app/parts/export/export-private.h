/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/export/ alone. */
#pragma once

#include "app/parts/export/export.h"
#include "ui/dialogs/export-dialog.h"

G_BEGIN_DECLS

struct _AppExportPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiExportFormat export_format; /* of the last figure */
};

G_END_DECLS
