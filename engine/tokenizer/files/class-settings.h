/* SPDX-License-Identifier: MIT */
/* What tokenizer_config.json says against tokenizer.json. transformers (5.23) opens a folder with a
 * class; some classes make normalizer, pre-tokenizer and decoder anew from the settings or, where
 * these are silent, from defaults of their own, and take pieces and template alone from
 * tokenizer.json. All others take the file as it is. */
#pragma once

#include "engine/tokenizer/files/settings.h"

G_BEGIN_DECLS

/* json: tokenizer.json without its pieces, changed to what the class makes of it. */
gboolean eng_class_settings_apply (const EngTokenizerSettings  *settings,
                                   cJSON                       *json,
                                   GError                     **error);

G_END_DECLS
