/* SPDX-License-Identifier: MIT */
/* What the window says of a document that cannot be shown. Main thread. */
#pragma once

#include "app/shell/parts.h"

G_BEGIN_DECLS

/* The notice on top of the picture, for as long as it holds. */
void app_refusals_sync         (AppDesk  *desk);
/* A model that cannot be opened is said and, where there is a way, offered in another one; once. */
void app_refusals_show_opening (AppDesk  *desk,
                                AppParts *parts);

G_END_DECLS
