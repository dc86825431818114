/* SPDX-License-Identifier: MIT */
/* A small model of a family that nobody has to have: a config.json of two narrow layers with the
 * vocabulary of a bundled model and no weights, for random ones
 * (engine/transformer/model.h, eng_model_open_untrained()). Touches the disk; any thread. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

/* Its folder, named "FAMILY-random-weights", in $XDG_DATA_HOME/headlight/specimens; made where it is
 * not there, else as it was. (transfer full) NULL with an error, and nothing half written. */
char *app_specimen_make (const EngFamily  *family,
                         GError          **error);

G_END_DECLS
