/* SPDX-License-Identifier: MIT */
/* Languages of the texts of a model that has vectors for them (XLM): they say what a text is written
 * in, and nothing is translated. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* (transfer full) The codes of EngTextOptions for lang: "LANG" of both texts, or "A:B", each by the
 * model's code or by a name that engine/writing/languages.h knows. Refuses a language that the model
 * does not have, naming those that it has. */
gboolean eng_embedded_languages_find (const EngModel  *model,
                                      const char      *lang,
                                      char           **of_a,
                                      char           **of_b,
                                      GError         **error);

G_END_DECLS
