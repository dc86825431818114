/* SPDX-License-Identifier: MIT */
/* Tables of llama.c that families with the same names of tensors read too. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_LLAMA_N_PARTS 2
#define ENG_LLAMA_N_HEADS 4

extern const EngPart eng_llama_parts[ENG_LLAMA_N_PARTS];
extern const EngHeadParts eng_llama_heads[ENG_LLAMA_N_HEADS];

/* Layers whose queries, keys and values, heads' output and feed-forward have such biases. */
#define ENG_LLAMA_LAYER_PARTS(qkv, output_bias, feed_forward)                               \
  ENG_NORM (Layer, "input_layernorm", self.norm, .bias = ENG_BIAS_NONE),                    \
  ENG_LINEAR (Layer, "self_attn.q_proj", self.query, HEADS, HIDDEN, qkv),                   \
  ENG_LINEAR (Layer, "self_attn.k_proj", self.key, KV_HEADS, HIDDEN, qkv),                  \
  ENG_LINEAR (Layer, "self_attn.v_proj", self.value, KV_HEADS, HIDDEN, qkv),                \
  ENG_LINEAR (Layer, "self_attn.o_proj", self.output, HIDDEN, HEADS, output_bias),          \
  ENG_NORM (Layer, "post_attention_layernorm", feed_forward_norm, .bias = ENG_BIAS_NONE),   \
  ENG_LINEAR (Layer, "mlp.gate_proj", gate, INTERMEDIATE, HIDDEN, feed_forward),            \
  ENG_LINEAR (Layer, "mlp.up_proj", up, INTERMEDIATE, HIDDEN, feed_forward),                \
  ENG_LINEAR (Layer, "mlp.down_proj", down, HIDDEN, INTERMEDIATE, feed_forward)

/* What a config need not say. */
#define ENG_LLAMA_DEFAULTS(size, n_words, longest, end)              \
  {                                                                  \
    .hidden_size = 4096,                                             \
    .embedding = {                                                   \
      .positions = ENG_POSITIONS_NONE,                               \
      .n_positions = longest,                                        \
    },                                                               \
    .stacks[ENG_KIND_DECODER] = {                                    \
      .n_layers = 32,                                                \
      .vocab_size = n_words,                                         \
      .sorts[0] = {                                                  \
        .self = { .n_heads = 32,                                     \
                  .causal = TRUE,                                    \
                  .rotary.base = 10000 },                            \
        .feed_forward = { .intermediate_size = size,                 \
                          .activation = ENG_ACTIVATION_SILU,         \
                          .gated = TRUE },                           \
        .attention_norm = ENG_NORM_PRE,                              \
        .feed_forward_norm = ENG_NORM_PRE,                           \
      },                                                             \
      .final_norm = TRUE,                                            \
    },                                                               \
    .norm = { ENG_NORM_RMS, 1e-6f },                                 \
    .pad_id = -1,                                                    \
    .end_id = end,                                                   \
    .decoder_start_id = -1,                                          \
  }

/* Rotary positions over the whole of a head. */
gboolean eng_llama_read_rotary (const cJSON  *json,
                                const char   *what,
                                EngConfig    *config,
                                GError      **error);

G_END_DECLS
