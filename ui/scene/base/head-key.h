/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/scene/base/key.h"

G_BEGIN_DECLS

/* The heads of the scenes by their colours, which are the same in all of them, and which of them
 * were edited; NULL where none shows several, or all in one colour. */
UiKey *ui_key_new_for_heads (const UiScene *const *scenes,
                             int                   n_scenes);

G_END_DECLS
