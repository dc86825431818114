/* SPDX-License-Identifier: MIT */
/* The tensors of a layer as BART (Lewis et al. 2019) names them, which every family that grew out
 * of fairseq's translation models shares. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_BART_N_ENCODER_LAYER_PARTS 8
#define ENG_BART_N_DECODER_LAYER_PARTS 13

extern const EngPart eng_bart_encoder_layer_parts[ENG_BART_N_ENCODER_LAYER_PARTS];
extern const EngPart eng_bart_decoder_layer_parts[ENG_BART_N_DECODER_LAYER_PARTS];

/* scale_embedding: a token's vector is multiplied by √D; and refuses half a model, which has the
 * names of a whole one. */
gboolean eng_bart_read_common (const cJSON  *json,
                               const char   *what,
                               EngConfig    *config,
                               GError      **error);

G_END_DECLS
