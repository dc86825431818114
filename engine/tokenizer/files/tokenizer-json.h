/* SPDX-License-Identifier: MIT */
/* tokenizer.json, the tokenizers library's own file. `truncation` and `padding` are ignored: how
 * long a text may be is the model's matter. A component of a type that is not in the tables is
 * refused by name. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* With what the settings say against the file. */
EngPipeline *eng_tokenizer_json_read  (const char                  *path,
                                       const EngTokenizerSettings  *settings,
                                       GError                     **error);
/* A file without settings from bytes in memory; what names them in messages. */
EngPipeline *eng_tokenizer_json_parse (const char  *text,
                                       gsize        length,
                                       const char  *what,
                                       GError     **error);
/* The components of json around a model that was made elsewhere, which it takes: for tokenizers
 * whose files name no components. */
EngPipeline *eng_tokenizer_json_build (const cJSON    *json,
                                       EngTokenModel  *model,
                                       const char     *what,
                                       GError        **error);

G_END_DECLS
