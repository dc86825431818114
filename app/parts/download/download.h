/* SPDX-License-Identifier: MIT */
/* A model of the hub, asked for by name: the dialog asks, threads of their own do what it says, the
 * model is opened when it is there. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_DOWNLOAD_PART (app_download_part_get_type ())
G_DECLARE_FINAL_TYPE (AppDownloadPart, app_download_part, APP, DOWNLOAD_PART, AppPart)

/* The dialog; model NULL = not named yet. Asks the network for nothing until a person presses a
 * button. */
void     app_download_part_show  (AppDownloadPart *self,
                                  const char      *model);
/* Whether the model could not be opened because it is one of the hub that is not on this computer,
 * and the environment lets it be asked for; then the dialog is shown. */
gboolean app_download_part_offer (AppDownloadPart *self,
                                  const char      *model,
                                  const GError    *error);

G_END_DECLS
