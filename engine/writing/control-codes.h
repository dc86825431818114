/* SPDX-License-Identifier: MIT */
/* Words that a model was trained to find at the beginning of a text, where they say of what kind it
 * is (Keskar et al. 2019, appendix A.1): "Reviews", "Wikipedia". Such a word is typed like any other,
 * and a text without one is no error. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* (transfer container) The codes that the model's vocabulary has as single tokens, under their own
 * ids, in alphabetical order; ended by NULL, empty for a model that was not trained with them. */
const char **eng_control_codes_list (const EngModel *model);

G_END_DECLS
