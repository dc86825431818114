/* SPDX-License-Identifier: MIT */
/* Finds the files of a tokenizer in a checkpoint folder, or a GGUF file's own, and reads them. */
#pragma once

#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* Of the GGUF file that folder is (engine/checkpoint/gguf.h), else tokenizer.json, else the first
 * of the older files. path: of the file that was read; yours, even where it was refused. */
EngPipeline *eng_pipeline_open (const char  *folder,
                                char       **path,
                                GError     **error);
/* Whether there is one to read. */
gboolean     eng_pipeline_has_files (const char *folder);

G_END_DECLS
