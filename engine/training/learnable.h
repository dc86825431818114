/* SPDX-License-Identifier: MIT */
/* Which architectures can be trained: those of whose every part there is a backward pass. */
#pragma once

#include "engine/base/error.h"
#include "engine/spec/spec.h"

G_BEGIN_DECLS

/* FALSE with ENG_ERROR_UNSUPPORTED, a sentence that names the part; what is the model's name in
 * it. */
gboolean eng_learnable_check (const EngSpec  *spec,
                              const char     *what,
                              GError        **error);

G_END_DECLS
