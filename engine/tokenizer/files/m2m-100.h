/* SPDX-License-Identifier: MIT */
/* M2M-100's tokenizer: texts are cut by sentencepiece's own rules, the ids are those of vocab.json,
 * and the tokens of the languages come behind them in a fixed order. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* path: of sentencepiece.bpe.model; vocab.json lies beside it. */
EngPipeline *eng_m2m_100_read (const char                  *path,
                               const EngTokenizerSettings  *settings,
                               GError                     **error);

G_END_DECLS
