/* SPDX-License-Identifier: MIT */
#include "engine/families/gguf-architectures.h"

#include <string.h>

#define LAYER "blk."

/* Llama's names, which most have. */
static const EngGgufName decoder_tensors[] = {
  { "token_embd", "embed_tokens" },
  { "output_norm", "norm" },
  { "output", "lm_head" },
  { "blk.attn_norm", "input_layernorm" },
  { "blk.attn_q", "self_attn.q_proj" },
  { "blk.attn_k", "self_attn.k_proj" },
  { "blk.attn_v", "self_attn.v_proj" },
  { "blk.attn_qkv", "self_attn.qkv_proj" },
  { "blk.attn_q_norm", "self_attn.q_norm" },
  { "blk.attn_k_norm", "self_attn.k_norm" },
  { "blk.attn_output", "self_attn.o_proj" },
  { "blk.ffn_norm", "post_attention_layernorm" },
  { "blk.ffn_gate", "mlp.gate_proj" },
  { "blk.ffn_up", "mlp.up_proj" },
  { "blk.ffn_down", "mlp.down_proj" },
  { NULL, NULL }
};

static const EngGgufName phi3_tensors[] = {
  { "blk.ffn_up", "mlp.gate_up_proj" },
  { NULL, NULL }
};

/* A norm on both sides of a sub-layer. */
static const EngGgufName gemma2_tensors[] = {
  { "blk.post_attention_norm", "post_attention_layernorm" },
  { "blk.ffn_norm", "pre_feedforward_layernorm" },
  { "blk.post_ffw_norm", "post_feedforward_layernorm" },
  { NULL, NULL }
};

static const EngGgufName olmo2_tensors[] = {
  { "blk.post_attention_norm", "post_attention_layernorm" },
  { "blk.post_ffw_norm", "post_feedforward_layernorm" },
  { NULL, NULL }
};

static const EngGgufName gptneox_tensors[] = {
  { "token_embd", "embed_in" },
  { "output_norm", "final_layer_norm" },
  { "output", "embed_out" },
  { "blk.attn_norm", "input_layernorm" },
  { "blk.attn_qkv", "attention.query_key_value" },
  { "blk.attn_output", "attention.dense" },
  { "blk.ffn_norm", "post_attention_layernorm" },
  { "blk.ffn_up", "mlp.dense_h_to_4h" },
  { "blk.ffn_down", "mlp.dense_4h_to_h" },
  { NULL, NULL }
};

static const EngGgufName gpt2_tensors[] = {
  { "token_embd", "wte" },
  { "position_embd", "wpe" },
  { "output_norm", "ln_f" },
  { "blk.attn_norm", "ln_1" },
  { "blk.attn_qkv", "attn.c_attn" },
  { "blk.attn_output", "attn.c_proj" },
  { "blk.ffn_norm", "ln_2" },
  { "blk.ffn_up", "mlp.c_fc" },
  { "blk.ffn_down", "mlp.c_proj" },
  { NULL, NULL }
};

static const EngGgufName bert_tensors[] = {
  { "token_embd", "embeddings.word_embeddings" },
  { "position_embd", "embeddings.position_embeddings" },
  { "token_types", "embeddings.token_type_embeddings" },
  { "token_embd_norm", "embeddings.LayerNorm" },
  { "blk.attn_q", "attention.self.query" },
  { "blk.attn_k", "attention.self.key" },
  { "blk.attn_v", "attention.self.value" },
  { "blk.attn_output", "attention.output.dense" },
  { "blk.attn_output_norm", "attention.output.LayerNorm" },
  { "blk.ffn_up", "intermediate.dense" },
  { "blk.ffn_down", "output.dense" },
  { "blk.layer_output_norm", "output.LayerNorm" },
  { NULL, NULL }
};

static const EngGgufName gemma2_numbers[] = {
  { "attn_logit_softcapping", "attn_logit_softcapping" },
  { "final_logit_softcapping", "final_logit_softcapping" },
  { NULL, NULL }
};

static const EngGgufName gemma3_numbers[] = {
  { "final_logit_softcapping", "final_logit_softcapping" },
  { "rope.freq_base_swa", "rope_local_base_freq" },
  { NULL, NULL }
};

static const EngGgufName granite_numbers[] = {
  { "attention.scale", "attention_multiplier" },
  { "embedding_scale", "embedding_multiplier" },
  { "residual_scale", "residual_multiplier" },
  { "logit_scale", "logits_scaling" },
  { NULL, NULL }
};

static const EngGgufName none[] = { { NULL, NULL } };

static const EngGgufArchitecture architectures[] = {
  { "bert", "bert", "BertModel", "encoder.layer.", bert_tensors, none },
  { "gemma", "gemma", "GemmaForCausalLM", "layers.", none, none },
  { "gemma2", "gemma2", "Gemma2ForCausalLM", "layers.", gemma2_tensors, gemma2_numbers,
    .n_layers_wide = 46 },
  { "gemma3", "gemma3_text", "Gemma3ForCausalLM", "layers.", gemma2_tensors, gemma3_numbers,
    .n_layers_wide = 62 },
  { "gpt2", "gpt2", "GPT2LMHeadModel", "h.", gpt2_tensors, none },
  { "gptneox", "gpt_neox", "GPTNeoXForCausalLM", "layers.", gptneox_tensors, none,
    .turned_part = "rotary_pct" },
  { "granite", "granite", "GraniteForCausalLM", "layers.", none, granite_numbers,
    .has_pairs = TRUE },
  { "llama", "llama", "LlamaForCausalLM", "layers.", none, none, .has_pairs = TRUE },
  { "olmo2", "olmo2", "Olmo2ForCausalLM", "layers.", olmo2_tensors, none },
  { "phi3", "phi3", "Phi3ForCausalLM", "layers.", phi3_tensors, none,
    .turned_part = "partial_rotary_factor" },
  { "qwen2", "qwen2", "Qwen2ForCausalLM", "layers.", none, none },
  { "qwen3", "qwen3", "Qwen3ForCausalLM", "layers.", none, none },
  { "smollm3", "smollm3", "SmolLM3ForCausalLM", "layers.", none, none, .has_pairs = TRUE },
};

static const EngGgufArchitecture *
find_by_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (architectures); i++)
    if (strcmp (architectures[i].name, name) == 0)
      return &architectures[i];

  return NULL;
}

const EngGgufArchitecture *
eng_gguf_find_architecture (const EngGguf  *file,
                            GError        **error)
{
  const EngGgufArchitecture *found;
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *name = NULL;

  if (!eng_gguf_dup_text (file->values, "general.architecture", &name, error))
    return NULL;
  found = name ? find_by_name (name) : NULL;
  if (found)
    return found;

  for (gsize i = 0; i < G_N_ELEMENTS (architectures); i++)
    g_string_append_printf (names, "%s%s", i ? ", " : "", architectures[i].name);
  if (name)
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: general.architecture is \"%s\", which is not supported; supported: %s",
                 file->path, name, names->str);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: general.architecture is not there, expected one of %s", file->path,
                 names->str);

  return NULL;
}

const char *
eng_gguf_find_name (const EngGgufName *names,
                    const char        *from,
                    gsize              length)
{
  for (; names->from; names++)
    if (strncmp (names->from, from, length) == 0 && names->from[length] == '\0')
      return names->to;

  return NULL;
}

char *
eng_gguf_dup_tensor_name (const EngGgufArchitecture *self,
                          const char                *name)
{
  gboolean in_layer = g_str_has_prefix (name, LAYER);
  const char *number = name + (in_layer ? strlen (LAYER) : 0);
  gsize n_digits = in_layer ? strspn (number, "0123456789") : 0;
  const char *ending = strrchr (name, '.');
  g_autofree char *stem = NULL;
  const char *to;

  if (!ending || (strcmp (ending, ".weight") != 0 && strcmp (ending, ".bias") != 0))
    return NULL;
  if (n_digits > 0 && number[n_digits] == '.' && number + n_digits < ending)
    stem = g_strdup_printf (LAYER "%.*s", (int) (ending - number - (gssize) n_digits - 1),
                            number + n_digits + 1);
  else
    stem = g_strndup (name, (gsize) (ending - name));

  to = eng_gguf_find_name (self->tensors, stem, strlen (stem));
  if (!to)
    to = eng_gguf_find_name (decoder_tensors, stem, strlen (stem));
  if (!to || g_str_has_prefix (stem, LAYER) != (n_digits > 0))
    return NULL;

  return n_digits > 0 ? g_strdup_printf ("%s%.*s.%s%s", self->layer_prefix, (int) n_digits, number,
                                         to, ending)
                      : g_strconcat (to, ending, NULL);
}
