/* SPDX-License-Identifier: MIT */
/* Tables of llama.c that families with the same names of tensors read too. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_LLAMA_N_PARTS 2
#define ENG_LLAMA_N_HEADS 4

extern const EngPart eng_llama_parts[ENG_LLAMA_N_PARTS];
extern const EngHeadParts eng_llama_heads[ENG_LLAMA_N_HEADS];

#define ENG_LLAMA_WORDS "embed_tokens.weight"
#define ENG_LLAMA_OUTPUT_WORDS "lm_head"
#define ENG_LLAMA_WORDS_PART                                                                \
  ENG_TABLE (ENG_LLAMA_WORDS, word, VOCABULARY, HIDDEN,                                     \
             .tied_to = { ENG_LLAMA_OUTPUT_WORDS ".weight" })

/* Products of a layer whose queries, keys and values, heads' output and feed-forward have such
 * biases. */
#define ENG_LLAMA_PRODUCT_PARTS(qkv, output_bias, feed_forward)                             \
  ENG_LINEAR (Layer, "self_attn.q_proj", self.query, HEADS, HIDDEN, qkv),                   \
  ENG_LINEAR (Layer, "self_attn.k_proj", self.key, KV_HEADS, HIDDEN, qkv),                  \
  ENG_LINEAR (Layer, "self_attn.v_proj", self.value, KV_HEADS, HIDDEN, qkv),                \
  ENG_LINEAR (Layer, "self_attn.o_proj", self.output, HIDDEN, HEADS, output_bias),          \
  ENG_LINEAR (Layer, "mlp.gate_proj", gate, INTERMEDIATE, HIDDEN, feed_forward),            \
  ENG_LINEAR (Layer, "mlp.up_proj", up, INTERMEDIATE, HIDDEN, feed_forward),                \
  ENG_LINEAR (Layer, "mlp.down_proj", down, HIDDEN, INTERMEDIATE, feed_forward)
/* The norms before attention and feed-forward. */
#define ENG_LLAMA_NORM_PARTS                                                                \
  ENG_NORM (Layer, "input_layernorm", self.norm, .bias = ENG_BIAS_NONE),                    \
  ENG_NORM (Layer, "post_attention_layernorm", feed_forward_norm, .bias = ENG_BIAS_NONE)

#define ENG_LLAMA_LAYER_PARTS(qkv, output_bias, feed_forward)                               \
  ENG_LLAMA_NORM_PARTS,                                                                     \
  ENG_LLAMA_PRODUCT_PARTS (qkv, output_bias, feed_forward)

/* A layer where the config does not say; then what else there is to say of its attention. */
#define ENG_LLAMA_LAYER(heads, kv_heads, intermediate, rotary_base, function, norms, ...)       \
  .self = { .n_heads = heads, .n_kv_heads = kv_heads, .causal = TRUE,                           \
            .rotary.base = rotary_base, __VA_ARGS__ },                                          \
  .feed_forward = { .intermediate_size = intermediate, .activation = ENG_ACTIVATION_##function, \
                    .gated = TRUE },                                                            \
  .attention_norm = ENG_NORM_##norms,                                                           \
  .feed_forward_norm = ENG_NORM_##norms

#define ENG_LLAMA_DEFAULTS(size, layers, n_words, longest, eps, pad, end, ...)              \
  {                                                                                         \
    .hidden_size = size,                                                                    \
    .embedding = { .positions = ENG_POSITIONS_NONE, .n_positions = longest },               \
    .stacks[ENG_KIND_DECODER] = {                                                           \
      .n_layers = layers,                                                                   \
      .vocab_size = n_words,                                                                \
      .sorts[0] = { __VA_ARGS__ },                                                          \
      .final_norm = TRUE,                                                                   \
    },                                                                                      \
    .norm = { ENG_NORM_RMS, eps },                                                          \
    .pad_id = pad,                                                                          \
    .end_id = end,                                                                          \
    .decoder_start_id = -1,                                                                 \
  }

/* attention_bias and mlp_bias. */
gboolean eng_llama_read_biases  (const cJSON  *json,
                                 const char   *what,
                                 EngConfig    *config,
                                 GError      **error);
/* Rotary positions, over the whole of a head where no size is said. */
gboolean eng_llama_read_rotary  (const cJSON  *json,
                                 const char   *what,
                                 EngConfig    *config,
                                 GError      **error);
/* Layers from max_window_layers on have the window that use_sliding_window switches on, unless
 * layer_types says layer by layer. Last of what is read. */
gboolean eng_llama_read_windows (const cJSON  *json,
                                 const char   *what,
                                 EngConfig    *config,
                                 GError      **error);

G_END_DECLS
