/* SPDX-License-Identifier: MIT */
/* Making a tokenizer of parts that did not come from a folder; for engine/ and its tests. */
#pragma once

#include "engine/tokenizer/pipeline/pipeline.h"
#include "engine/tokenizer/tokenizer.h"

G_BEGIN_DECLS

/* Takes pipeline, which is whole; one without a mask token gets [MASK] or <mask>, whichever it has.
 * file: see eng_tokenizer_get_file(). */
EngTokenizer *eng_tokenizer_new (EngPipeline *pipeline,
                                 const char  *file);

G_END_DECLS
