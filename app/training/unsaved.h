/* SPDX-License-Identifier: MIT */
/* What a training leaves whose program was ended before the folder could be gone on with. Nothing
 * is lost with it, and it may be begun anew. For app/training/ and who chooses its folder; any
 * thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether the folder holds that and nothing else: files that the first save writes, no state, a
 * record without a point. FALSE of a folder that is empty or not there. */
gboolean app_training_unsaved_is_in (const char *folder);
/* Takes it away, but for the lock. */
void     app_training_unsaved_clear (const char *folder);

G_END_DECLS
