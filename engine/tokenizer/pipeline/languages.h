/* SPDX-License-Identifier: MIT */
/* The languages of a translator's texts: tokens such as ">>fra<<", "__fr__" or "fra_Latn", and the
 * codes that they hold. */
#pragma once

#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* (transfer full) "fra", "fr", "fra_Latn". */
char       *eng_language_dup_code      (const char        *token);
/* The token of a code; NULL when there is none. */
const char *eng_pipeline_find_language (const EngPipeline *self,
                                        const char        *code);

G_END_DECLS
