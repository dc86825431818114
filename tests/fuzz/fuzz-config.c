/* SPDX-License-Identifier: MIT */
/* config.json: whatever it says ends in a spec that holds together or in an error. */
#include "tests/fuzz/fuzz.h"

#include "engine/families/config.h"

#include <math.h>
#include <string.h>

/* Texts here have ' for ", which C would want escaped. */
static const char *const seeds[] = {
  "{'model_type': 'bert'}",
  "{'architectures': ['BertForMaskedLM'], 'model_type': 'bert', 'hidden_act': 'gelu',"
  " 'hidden_size': 288, 'num_hidden_layers': 6, 'num_attention_heads': 12,"
  " 'intermediate_size': 1152, 'max_position_embeddings': 256, 'type_vocab_size': 2,"
  " 'vocab_size': 8192, 'layer_norm_eps': 1e-12, 'position_embedding_type': 'absolute',"
  " 'id2label': {'0': 'same', '1': 'different'}, 'tie_word_embeddings': true}",
  "{'architectures': ['BertForTokenClassification'], 'n_layers': 1, 'n_heads': 3, 'dim': 15,"
  " 'dff': 37, 'n_words': 40, 'n_ctx': 19, 'activation': 'gelu_new', 'num_labels': 5,"
  " 'is_decoder': true, 'problem_type': 'multi_label_classification', 'pruned_heads': {},"
  " 'add_cross_attention': false}",
  "{'model_type': 'gpt2', 'n_embd': 768, 'n_inner': null, 'pruned_heads': {'1': [2]}}",
  "{'model_type': 'gpt2', 'n_embd': 768, 'scale_attn_weights': false, 'n_positions': 24}",
  "{'model_type': 'gpt_neox', 'hidden_size': 60, 'num_attention_heads': 3, 'rotary_pct': 0.5,"
  " 'rotary_emb_base': 500, 'use_parallel_residual': false, 'attention_bias': false}",
  "{'model_type': 'gpt_neo', 'num_layers': 4, 'hidden_size': 32, 'window_size': 5,"
  " 'attention_types': [[['global', 'local'], 1], [['local'], 2]], 'intermediate_size': null}",
  "{'model_type': 'openai-gpt', 'afn': 'gelu', 'n_embd': 30, 'n_head': 5, 'n_positions': 17}",
  "{'model_type': 'ctrl', 'n_embd': 30, 'n_head': 5, 'n_positions': 17, 'dff': 21}",
  "{'model_type': 'gptj', 'n_embd': 30, 'n_head': 3, 'rotary_dim': 4, 'n_inner': null}",
  "{'model_type': 'roberta', 'pad_token_id': 1, 'max_position_embeddings': 514}",
  "{'model_type': 'llama', 'num_key_value_heads': 8, 'head_dim': 6, 'attention_bias': true,"
  " 'rope_scaling': {'rope_type': 'llama3', 'factor': 8.0, 'low_freq_factor': 1.0,"
  " 'high_freq_factor': 4.0, 'original_max_position_embeddings': 8192}, 'rope_theta': 5e5}",
  "{'model_type': 'qwen2', 'num_hidden_layers': 2, 'use_sliding_window': true,"
  " 'sliding_window': 12, 'max_window_layers': 1, 'layer_types': ['full_attention',"
  " 'sliding_attention'], 'rope_parameters': {'rope_type': 'dynamic', 'factor': 2}}",
  "{'model_type': 'mistral', 'num_hidden_layers': 2, 'sliding_window': null, 'head_dim': 8}",
  "{'model_type': 'qwen3', 'num_hidden_layers': 2, 'attention_bias': true, 'head_dim': 7}",
  "{'model_type': 'granite', 'embedding_multiplier': 12, 'attention_multiplier': 0.01,"
  " 'residual_multiplier': 0.22, 'logits_scaling': 8}",
  "{'model_type': 'olmo2', 'num_attention_heads': 6, 'num_key_value_heads': 3, 'hidden_size': 36}",
  "{'model_type': 'smollm3', 'num_hidden_layers': 3, 'no_rope_layers': [1, 0, 1],"
  " 'use_sliding_window': true, 'sliding_window': 5, 'no_rope_layer_interval': 2}",
  "{'model_type': 'phi3', 'hidden_size': 24, 'num_attention_heads': 3,"
  " 'partial_rotary_factor': 0.5, 'original_max_position_embeddings': 7, 'rope_scaling': {'type':"
  " 'longrope', 'short_factor': [1, 2], 'long_factor': [1.5, 3]}}",
  "{'model_type': 'deberta', 'relative_attention': true, 'pos_att_type': 'c2p|p2c',"
  " 'max_relative_positions': -1, 'position_biased_input': false, 'type_vocab_size': 0}",
  "{'model_type': 'deberta-v2', 'hidden_size': 24, 'num_attention_heads': 3, 'conv_groups': 3,"
  " 'relative_attention': true, 'pos_att_type': ['p2c', 'c2p'], 'position_buckets': 8,"
  " 'max_relative_positions': 32, 'norm_rel_ebd': 'layer_norm', 'conv_kernel_size': 3}",
  "{'model_type': 'gemma', 'hidden_act': 'gelu', 'num_key_value_heads': 1, 'head_dim': 8}",
  "{'model_type': 'gemma2', 'num_hidden_layers': 3, 'attn_logit_softcapping': null,"
  " 'final_logit_softcapping': 30, 'query_pre_attn_scalar': 144, 'sliding_window': 8}",
  "{'model_type': 'big_bird', 'block_size': 3, 'num_random_blocks': 2, 'use_bias': false,"
  " 'rescale_embeddings': true, 'attention_type': 'block_sparse'}",
  "{'model_type': 'xlm', 'emb_dim': 24, 'n_heads': 3, 'gelu_activation': false, 'causal': true,"
  " 'pad_index': 1, 'architectures': ['XLMForSequenceClassification']}",
  "{'model_type': 'modernbert', 'num_hidden_layers': 3, 'local_attention': 5,"
  " 'classifier_pooling': 'mean', 'norm_bias': true}",
  "{'model_type': 'gemma3_text', 'use_bidirectional_attention': true, 'sliding_window': 5}",
  "{'model_type': 'gemma3_text', 'num_hidden_layers': 3, 'sliding_window_pattern': 2,"
  " 'rope_parameters': {'full_attention': {'rope_type': 'linear', 'factor': 8}}}",
  "{'model_type': 't5', 'd_model': 20, 'd_kv': 6, 'num_layers': 2, 'num_decoder_layers': 3,"
  " 'num_heads': 3, 'feed_forward_proj': 'gated-gelu', 'relative_attention_num_buckets': 8,"
  " 'relative_attention_max_distance': 20, 'scale_decoder_outputs': true}",
  "{'model_type': 'bart', 'd_model': 24, 'encoder_layers': 2, 'decoder_layers': 3,"
  " 'encoder_attention_heads': 3, 'decoder_attention_heads': 4, 'scale_embedding': true}",
  "{'model_type': 'm2m_100', 'd_model': 20, 'encoder_layers': 2, 'decoder_layers': 3,"
  " 'encoder_attention_heads': 4, 'decoder_attention_heads': 2, 'pad_token_id': 3}",
  "{'model_type': 'mbart', 'd_model': 20, 'encoder_layers': 2, 'decoder_layers': 3,"
  " 'encoder_attention_heads': 4, 'decoder_attention_heads': 2, 'scale_embedding': true}",
  "{'model_type': 'pegasus', 'd_model': 20, 'encoder_layers': 2, 'decoder_layers': 3,"
  " 'encoder_attention_heads': 4, 'decoder_attention_heads': 2, 'activation_function': 'relu'}",
  "{'model_type': 'marian', 'decoder_vocab_size': 103, 'is_encoder_decoder': true,"
  " 'share_encoder_decoder_embeddings': false, 'decoder_start_token_id': 0}",
};

static const char *const keys[] = {
  "hidden_size", "dim", "num_hidden_layers", "num_attention_heads", "intermediate_size",
  "vocab_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "norm_eps",
  "hidden_act", "is_decoder", "tie_word_embeddings", "pruned_heads", "position_embedding_type",
  "add_cross_attention", "id2label", "num_labels", "problem_type", "architectures",
  "model_type", "pad_token_id", "num_key_value_heads", "head_dim", "rope_scaling",
  "rope_parameters", "rope_theta", "sliding_window", "max_window_layers", "layer_types",
  "d_kv", "num_layers", "decoder_layers", "decoder_attention_heads", "decoder_vocab_size",
  "feed_forward_proj", "relative_attention_num_buckets", "relative_attention_max_distance",
  "is_encoder_decoder", "scale_embedding", "scale_decoder_outputs", "decoder_start_token_id",
};

/* What suits one key is wrong for another. */
static const char *const values[] = {
  "1", "2", "3", "12", "24", "36", "768", "65536", "65537", "2147483648", "0", "-1", "0.5", "1e-12",
  "1e400", "null", "true", "false", "''", "'gelu'", "'relu'", "'absolute'", "'regression'",
  "[]", "[null]", "['BertModel']", "{}", "{'0': 'a'}", "{'1': 'b', '0': 'a'}", "{'0': 1, '1': 2}",
  "{'0': 1e300}", "{'-1': 'a'}", "{'7': 'a'}", "'roberta'", "'qwen2'",
  "'t5'", "'bart'", "'marian'",
  "'m2m_100'", "'gated-silu'", "'gated-gated-relu'", "['sliding_attention']",
  "['full_attention', 'full_attention']", "{'type': 'linear', 'factor': 2}",
  "{'rope_type': 'dynamic', 'factor': 1e-300}",
};

void
fuzz_add_seeds (GPtrArray *array)
{
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_take (g_strdelimit (g_strdup (seeds[i]), "'", '"'),
                                              strlen (seeds[i])));
}

static void
check_layer (const EngLayerSpec *layer)
{
  const EngAttentionSpec *heads = &layer->self;

  g_assert_cmpint (heads->n_heads, >, 0);
  g_assert_cmpint (heads->n_kv_heads, >, 0);
  g_assert_cmpint (heads->n_heads % heads->n_kv_heads, ==, 0);
  g_assert_cmpint (heads->head_size, >, 0);
  g_assert_true (isfinite (heads->scale));
  g_assert_cmpint (heads->window, >=, 0);
  g_assert_cmpint (heads->rotary.size % 2, ==, 0);
  g_assert_true (heads->rotary.size == 0 || heads->rotary.base > 0);
  g_assert_true (layer->cross.n_heads == 0 || layer->cross.n_heads == heads->n_heads);
  g_assert_cmpint (layer->feed_forward.intermediate_size, >, 0);
  g_assert_true (layer->norm.eps >= 0.0f && layer->norm.eps <= 1.0f);
}

static void
check_stack (const EngStackSpec *stack)
{
  g_assert_cmpint (stack->n_layers, <=, ENG_MAX_LAYERS);
  g_assert_cmpint (stack->vocab_size, >, 0);
  for (int layer = 0; layer < stack->n_layers; layer++)
    check_layer (eng_stack_spec_get_layer (stack, layer));
  for (int layer = stack->n_layers; layer < ENG_MAX_LAYERS; layer++)
    g_assert_cmpint (stack->sort_of_layer[layer], ==, 0);
}

static void
check_config (const EngConfig *config)
{
  const EngSpec *spec = &config->spec;

  g_assert_nonnull (config->family);
  g_assert_cmpint (spec->hidden_size, >, 0);
  g_assert_cmpint (spec->stacks[eng_spec_get_first_kind (spec)].n_layers, >, 0);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (spec->stacks[kind].n_layers > 0)
      check_stack (&spec->stacks[kind]);
  g_assert_true (spec->embedding.positions == ENG_POSITIONS_NONE ||
                 spec->embedding.n_positions > spec->embedding.position_offset);
  g_assert_true (spec->norm.eps >= 0.0f && spec->norm.eps <= 1.0f);
  for (int i = 0; i < config->n_labels; i++)
    g_assert_nonnull (config->labels[i]);
}

static void
parse (const char *text,
       gsize       size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_parse (text, size, "config.json", NULL, &error);

  if (config)
    check_config (config);
  else
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

/* Most mutations leave no JSON. This reads the input as choices instead: pairs of bytes that pick a
 * key and its value, each key once, so that every input is an object. */
static char *
compose (const guint8 *data,
         gsize         size)
{
  GString *text = g_string_new ("{'model_type': 'bert'");
  gboolean used[G_N_ELEMENTS (keys)] = { FALSE };

  for (gsize i = 0; i + 1 < size; i += 2) {
    gsize key = data[i] % G_N_ELEMENTS (keys);

    if (!used[key])
      g_string_append_printf (text, ", '%s': %s", keys[key],
                              values[data[i + 1] % G_N_ELEMENTS (values)]);
    used[key] = TRUE;
  }
  g_string_append_c (text, '}');

  return g_strdelimit (g_string_free (text, FALSE), "'", '"');
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autofree char *composed = compose (data, MIN (size, 24));

  parse ((const char *) data, size);
  parse (composed, strlen (composed));
}
