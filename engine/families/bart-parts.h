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

/* A layer where the config does not say; the decoder's has more members. */
#define ENG_BART_LAYER(...)                                                                 \
  {                                                                                         \
    .self.n_heads = 16,                                                                     \
    .feed_forward = { .intermediate_size = 4096, .activation = ENG_ACTIVATION_GELU },       \
    .attention_norm = ENG_NORM_POST,                                                        \
    .feed_forward_norm = ENG_NORM_POST,                                                     \
    __VA_ARGS__                                                                             \
  }

/* scale_embedding: a token's vector is multiplied by √D; and refuses half a model, which has the
 * names of a whole one. */
gboolean eng_bart_read_common (const cJSON  *json,
                               const char   *what,
                               EngConfig    *config,
                               GError      **error);

G_END_DECLS
