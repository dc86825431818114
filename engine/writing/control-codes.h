/* SPDX-License-Identifier: MIT */
/* Words that a model was trained to find at the beginning of a text, where they say of what kind it
 * is (Keskar et al. 2019, appendix A.1): "Reviews", "Wikipedia". Such a word is typed like any other,
 * or stands before the text, and a text without one is no error. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* (transfer container) The codes that the model's vocabulary has as single tokens, under their own
 * ids, in alphabetical order; ended by NULL, empty for a model that was not trained with them. */
const char **eng_control_codes_list         (const EngModel *model);

/* Of the token; -1 where it is the name of none. */
int          eng_control_codes_get_id       (const char     *name);

/* (transfer full) What stands before a text: a code of the model, by its name or by the id of its
 * token, is a word of its own, with a space behind it; other words, and NULL, are as they are. */
char        *eng_control_codes_spell_prefix (const EngModel *model,
                                             const char     *prefix);

G_END_DECLS
