/* SPDX-License-Identifier: MIT */
/* What a model is run as: with which words before the text (a summary, a translation), and with the
 * weights that it was trained to or random ones. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_ASKING_PART (app_asking_part_get_type ())
G_DECLARE_FINAL_TYPE (AppAskingPart, app_asking_part, APP, ASKING_PART, AppPart)

/* Whether the model could not be opened because its folder has no weights; then the untrained one
 * is offered. */
gboolean app_asking_part_offer (AppAskingPart *self,
                                const char    *model);

G_END_DECLS
