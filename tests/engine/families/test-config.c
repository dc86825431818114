/* SPDX-License-Identifier: MIT */
#include "engine/families/config.h"

#include "engine/families/family.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* Texts here have ' for ", which C would want escaped. */
static char *
dup_quoted (const char *text)
{
  return g_strdelimit (g_strdup (text), "'", '"');
}

static EngConfig *
parse (const char  *text,
       GError     **error)
{
  g_autofree char *json = dup_quoted (text);

  return eng_config_parse (json, strlen (json), "config.json", NULL, error);
}

static EngConfig *
parse_or_fail (const char *text)
{
  g_autoptr (GError) error = NULL;
  EngConfig *config = parse (text, &error);

  g_assert_no_error (error);

  return config;
}

/* Numbers from the configuration class of transformers 5.23. */
static void
test_defaults (void)
{
  g_autoptr (EngConfig) config = parse_or_fail ("{'model_type': 'bert'}");
  const EngSpec *spec = &config->spec;
  const EngLayerSpec *layer = &spec->stacks[ENG_KIND_ENCODER].sorts[0];

  g_assert_cmpint (spec->stacks[ENG_KIND_ENCODER].vocab_size, ==, 30522);
  g_assert_cmpint (spec->hidden_size, ==, 768);
  g_assert_cmpint (spec->stacks[ENG_KIND_ENCODER].n_layers, ==, 12);
  g_assert_cmpint (layer->self.n_heads, ==, 12);
  g_assert_cmpint (layer->self.head_size, ==, 64);
  g_assert_cmpint (layer->feed_forward.intermediate_size, ==, 3072);
  g_assert_cmpint (spec->embedding.n_positions, ==, 512);
  g_assert_cmpint (spec->embedding.position_offset, ==, 0);
  g_assert_cmpint (spec->embedding.n_types, ==, 2);
  g_assert_cmpfloat (spec->norm.eps, ==, 1e-12f);
  g_assert_cmpint (layer->feed_forward.activation, ==, ENG_ACTIVATION_GELU);
  g_assert_cmpint (spec->norm.kind, ==, ENG_NORM_LAYER);
  g_assert_cmpint (layer->attention_norm, ==, ENG_NORM_POST);
  g_assert_cmpint (layer->feed_forward_norm, ==, ENG_NORM_POST);
  g_assert_true (spec->embedding.has_norm);
  g_assert_false (spec->stacks[ENG_KIND_ENCODER].final_norm);
  g_assert_false (layer->self.causal);
  g_assert_cmpint (spec->stacks[ENG_KIND_DECODER].n_layers, ==, 0);
  g_assert_cmpfloat_with_epsilon (layer->self.scale, 0.125, 1e-15);
  g_assert_true (config->tied);
  g_assert_cmpint (config->n_labels, ==, 0);
  g_assert_cmpint (config->scores, ==, ENG_SCORES_SOFTMAX);
}

static void
test_keys (void)
{
  g_autoptr (EngConfig) config =
    parse_or_fail ("{'model_type': 'bert', 'architectures': ['BertForMaskedLM', 'Other'],"
                   " 'vocab_size': 99, 'hidden_size': 40, 'num_hidden_layers': 3,"
                   " 'num_attention_heads': 5, 'intermediate_size': 33, 'type_vocab_size': 1,"
                   " 'max_position_embeddings': 17, 'layer_norm_eps': 1e-5, 'hidden_act': 'relu',"
                   " 'is_decoder': true, 'torch_dtype': 'float16', 'tie_word_embeddings': false,"
                   " 'pruned_heads': {}, 'position_embedding_type': 'absolute',"
                   " 'add_cross_attention': false, 'unknown_key': [{'a': null}]}");
  const EngSpec *spec = &config->spec;
  const EngLayerSpec *layer = &spec->stacks[ENG_KIND_DECODER].sorts[0];

  g_assert_cmpint (spec->stacks[ENG_KIND_DECODER].vocab_size, ==, 99);
  g_assert_cmpint (spec->hidden_size, ==, 40);
  g_assert_cmpint (spec->stacks[ENG_KIND_DECODER].n_layers, ==, 3);
  g_assert_cmpint (layer->self.n_heads, ==, 5);
  g_assert_cmpint (layer->self.head_size, ==, 8);
  g_assert_cmpint (layer->feed_forward.intermediate_size, ==, 33);
  g_assert_cmpint (spec->embedding.n_positions, ==, 17);
  g_assert_cmpint (spec->embedding.n_types, ==, 1);
  g_assert_cmpfloat (spec->norm.eps, ==, 1e-5f);
  g_assert_cmpint (layer->feed_forward.activation, ==, ENG_ACTIVATION_RELU);
  g_assert_true (layer->self.causal);
  g_assert_cmpint (spec->stacks[ENG_KIND_ENCODER].n_layers, ==, 0);
  g_assert_false (config->tied);
  g_assert_cmpstr (config->architecture, ==, "BertForMaskedLM");
}

static void
test_aliases (void)
{
  g_autoptr (EngConfig) config =
    parse_or_fail ("{'model_type': 'bert', 'n_words': 7, 'dim': 12, 'n_layers': 2, 'n_head': 3,"
                   " 'd_ff': 5, 'n_positions': 9, 'layer_norm_epsilon': 0.5,"
                   " 'activation_function': 'silu', 'hidden_size': null}");
  const EngSpec *spec = &config->spec;
  const EngLayerSpec *layer = &spec->stacks[ENG_KIND_ENCODER].sorts[0];

  g_assert_cmpint (spec->stacks[ENG_KIND_ENCODER].vocab_size, ==, 7);
  g_assert_cmpint (spec->hidden_size, ==, 12);
  g_assert_cmpint (spec->stacks[ENG_KIND_ENCODER].n_layers, ==, 2);
  g_assert_cmpint (layer->self.n_heads, ==, 3);
  g_assert_cmpint (layer->feed_forward.intermediate_size, ==, 5);
  g_assert_cmpint (spec->embedding.n_positions, ==, 9);
  g_assert_cmpfloat (spec->norm.eps, ==, 0.5f);
  g_assert_cmpint (layer->feed_forward.activation, ==, ENG_ACTIVATION_SILU);
}

static void
test_activations (void)
{
  static const struct {
    const char    *name;
    EngActivation  activation;
  } cases[] = {
    { "gelu", ENG_ACTIVATION_GELU },
    { "gelu_python", ENG_ACTIVATION_GELU },
    { "gelu_new", ENG_ACTIVATION_GELU_TANH },
    { "gelu_pytorch_tanh", ENG_ACTIVATION_GELU_TANH },
    { "gelu_fast", ENG_ACTIVATION_GELU_TANH },
    { "quick_gelu", ENG_ACTIVATION_QUICK_GELU },
    { "relu", ENG_ACTIVATION_RELU },
    { "silu", ENG_ACTIVATION_SILU },
    { "swish", ENG_ACTIVATION_SILU },
    { "tanh", ENG_ACTIVATION_TANH },
    { "gelu_10", ENG_ACTIVATION_GELU_10 },
    { "mish", ENG_ACTIVATION_MISH },
    { "relu2", ENG_ACTIVATION_RELU_SQUARED },
    { "linear", ENG_ACTIVATION_LINEAR },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf ("{'model_type': 'bert', 'hidden_act': '%s'}",
                                             cases[i].name);
    g_autoptr (EngConfig) config = parse_or_fail (text);

    g_assert_cmpint (config->spec.stacks[ENG_KIND_ENCODER].sorts[0].feed_forward.activation, ==,
                     cases[i].activation);
  }
}

static void
test_labels (void)
{
  g_autoptr (EngConfig) named =
    parse_or_fail ("{'model_type': 'bert', 'id2label': {'1': 'bad', '0': 'good', '2': 5}}");
  g_autoptr (EngConfig) counted = parse_or_fail ("{'model_type': 'bert', 'num_labels': 3}");
  /* Where both are there, transformers ends with num_labels plain names. */
  g_autoptr (EngConfig) both =
    parse_or_fail ("{'model_type': 'bert', 'num_labels': 2, 'id2label': {'0': 'a'}}");

  g_assert_cmpint (named->n_labels, ==, 3);
  g_assert_cmpstr (named->labels[0], ==, "good");
  g_assert_cmpstr (named->labels[1], ==, "bad");
  g_assert_cmpstr (named->labels[2], ==, "5");
  g_assert_cmpint (counted->n_labels, ==, 3);
  g_assert_cmpstr (counted->labels[2], ==, "LABEL_2");
  g_assert_cmpint (both->n_labels, ==, 2);
  g_assert_cmpstr (both->labels[0], ==, "LABEL_0");
}

static void
test_scores (void)
{
  static const struct {
    const char *keys;
    EngScores   scores;
  } cases[] = {
    { "'num_labels': 2", ENG_SCORES_SOFTMAX },
    { "'num_labels': 1", ENG_SCORES_SIGMOID },
    { "'num_labels': 4, 'problem_type': 'multi_label_classification'", ENG_SCORES_SIGMOID },
    { "'num_labels': 4, 'problem_type': 'single_label_classification'", ENG_SCORES_SOFTMAX },
    { "'num_labels': 4, 'problem_type': null", ENG_SCORES_SOFTMAX },
    { "'num_labels': 1, 'problem_type': 'regression'", ENG_SCORES_RAW },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf ("{'model_type': 'bert', %s}", cases[i].keys);
    g_autoptr (EngConfig) config = parse_or_fail (text);

    g_assert_cmpint (config->scores, ==, cases[i].scores);
  }
}

static void
test_family_by_class (void)
{
  static const struct {
    const char *architecture;
    const char *family;
  } ours[] = {
    { "BertModel", "bert" },
    { "BertForMaskedLM", "bert" },
    { "BertLMHeadModel", "bert" },
    { "BertForPreTraining", "bert" },
    { "DistilBertForQuestionAnswering", "distilbert" },
    { "AlbertForPreTraining", "albert" },
    { "ElectraForPreTraining", "electra" },
    { "DebertaForMaskedLM", "deberta" },
    { "DebertaV2Model", "deberta-v2" },
    { "CTRLLMHeadModel", "ctrl" },
    { "EsmForMaskedLM", "esm" },
    { "RobertaForCausalLM", "roberta" },
    { "XLMRobertaModel", "xlm-roberta" },
    { "ModernBertForMaskedLM", "modernbert" },
    { "BigBirdForQuestionAnswering", "big_bird" },
    { "XLMWithLMHeadModel", "xlm" },
    { "XLMForQuestionAnsweringSimple", "xlm" },
    { "GPT2LMHeadModel", "gpt2" },
    { "GPTJForCausalLM", "gptj" },
    { "GPTNeoForCausalLM", "gpt_neo" },
    { "GPTNeoXForCausalLM", "gpt_neox" },
    { "GemmaForCausalLM", "gemma" },
    { "Gemma2ForCausalLM", "gemma2" },
    { "Gemma3ForCausalLM", "gemma3_text" },
    { "GraniteForCausalLM", "granite" },
    { "LlamaForCausalLM", "llama" },
    { "M2M100ForConditionalGeneration", "m2m_100" },
    { "MBartForQuestionAnswering", "mbart" },
    { "MistralForCausalLM", "mistral" },
    { "Olmo2ForCausalLM", "olmo2" },
    { "OpenAIGPTLMHeadModel", "openai-gpt" },
    { "PegasusForConditionalGeneration", "pegasus" },
    { "Phi3ForCausalLM", "phi3" },
    { "Qwen2ForCausalLM", "qwen2" },
    { "SmolLM3ForCausalLM", "smollm3" },
    { "Qwen3ForCausalLM", "qwen3" },
  };
  static const char *const others[] = { "BertGenerationEncoder", "XLMRobertaXLForMaskedLM",
                                        "Qwen3MoeForCausalLM", "Qwen2VLForConditionalGeneration",
                                        "bertModel", "Bert",
                                        "GraniteMoeForCausalLM",
                                        "ModernBertDecoderForCausalLM",
                                        "BigBirdPegasusForCausalLM" };

  for (guint i = 0; i < G_N_ELEMENTS (ours); i++) {
    g_autofree char *text = g_strdup_printf ("{'architectures': ['%s']}", ours[i].architecture);
    g_autoptr (EngConfig) config = parse_or_fail (text);

    g_assert_cmpstr (config->family->model_type, ==, ours[i].family);
  }

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autofree char *text = g_strdup_printf ("{'architectures': ['%s']}", others[i]);
    g_autoptr (GError) error = NULL;

    g_assert_null (parse (text, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, others[i]));
  }
}

/* What is refused, and what the sentence must say: the key, what was found, what would be right. */
static const struct {
  const char *keys;
  int         code;
  const char *says[3];
} refusals[] = {
  { "'model_type': 'gpt3'", ENG_ERROR_UNSUPPORTED,
    { "model_type", "'gpt3'",
      "albert, bart, bert, big_bird, ctrl, deberta, deberta-v2, distilbert, electra, esm, gemma, "
      "gemma2, gemma3_text, gpt2, gpt_neo, gpt_neox, gptj, granite, llama, m2m_100, marian, "
      "mbart, mistral, modernbert, olmo2, openai-gpt, pegasus, phi3, qwen2, qwen3, roberta, "
      "smollm3, t5" } },
  { "'model_type': 'm2m_100', 'd_model': 3, 'encoder_attention_heads': 1,"
    " 'decoder_attention_heads': 1", ENG_ERROR_RANGE, { "d_model is 3", "at least 4" } },
  { "'model_type': 'Bert'", ENG_ERROR_UNSUPPORTED, { "model_type", "'Bert'" } },
  { "'model_type': 5", ENG_ERROR_FORMAT, { "model_type" } },
  { "'hidden_size': 64", ENG_ERROR_UNSUPPORTED, { "model_type", "architectures", "bert" } },
  { "'model_type': 'llama', 'rope_scaling': {'type': 'yarns', 'factor': 2.0}",
    ENG_ERROR_UNSUPPORTED, { "yarns", "llama3" } },
  { "'model_type': 'llama', 'rope_theta': 1.0, 'rope_scaling': {'type': 'yarn', 'factor': 2.0}",
    ENG_ERROR_RANGE, { "rope_theta is 1", "yarn" } },
  { "'model_type': 'llama', 'rope_scaling': {'type': 'yarn', 'beta_slow': -1}", ENG_ERROR_RANGE,
    { "beta_slow" } },
  { "'model_type': 'phi3', 'rope_scaling': {'type': 'longrope', 'short_factor': [1.0]}",
    ENG_ERROR_FORMAT, { "short_factor", "48" } },
  { "'model_type': 'phi3', 'partial_rotary_factor': 0.005", ENG_ERROR_RANGE,
    { "partial_rotary_factor", "96" } },
  { "'model_type': 'gpt_neox', 'rotary_pct': 0.001", ENG_ERROR_RANGE, { "rotary_pct", "96" } },
  { "'model_type': 'gpt_neox', 'hidden_size': 640, 'rotary_pct': 0.5", ENG_ERROR_RANGE,
    { "5 features", "10", "even" } },
  { "'model_type': 'gpt_neox', 'rope_parameters': {'partial_rotary_factor': 1.5}",
    ENG_ERROR_RANGE, { "144 features", "96" } },
  { "'model_type': 'gpt_neo', 'num_layers': 2, 'attention_layers': ['global', 'none']",
    ENG_ERROR_UNSUPPORTED, { "attention_layers", "none", "layer 1" } },
  { "'model_type': 'gpt_neo', 'num_layers': 3, 'attention_types': [[['global', 'local'], 1]]",
    ENG_ERROR_FORMAT, { "attention_types", "2 layers", "3" } },
  { "'model_type': 'gpt_neo', 'num_layers': 2, 'attention_types': [[['global'], 1e99], [[], 9], 7]",
    ENG_ERROR_FORMAT, { "attention_types", "at least 3", "2" } },
  { "'model_type': 'ctrl', 'n_positions': 70000", ENG_ERROR_RANGE, { "70000", "65536" } },
  { "'model_type': 'gpt_neo', 'window_size': 0", ENG_ERROR_RANGE, { "window_size", "0" } },
  { "'model_type': 'gptj', 'rotary_dim': null", ENG_ERROR_UNSUPPORTED, { "rotary_dim is null" } },
  { "'model_type': 'gptj', 'rotary_dim': 7", ENG_ERROR_RANGE, { "7 features", "256", "even" } },
  { "'model_type': 'llama', 'rope_scaling': {'type': 'linear'}", ENG_ERROR_RANGE, { "factor" } },
  { "'model_type': 'granite', 'residual_multiplier': 0", ENG_ERROR_RANGE,
    { "residual_multiplier" } },
  { "'model_type': 'smollm3', 'num_hidden_layers': 3, 'no_rope_layers': [1, 0]", ENG_ERROR_FORMAT,
    { "no_rope_layers", "3" } },
  { "'model_type': 'smollm3', 'num_hidden_layers': 1, 'layer_types': ['sliding_attention'],"
    " 'use_sliding_window': true", ENG_ERROR_FORMAT, { "layer_types[0]" } },
  { "'model_type': 'gemma2', 'attn_logit_softcapping': 0", ENG_ERROR_RANGE,
    { "attn_logit_softcapping" } },
  { "'model_type': 'gemma3_text', 'use_bidirectional_attention': 'no'", ENG_ERROR_FORMAT,
    { "use_bidirectional_attention" } },
  { "'model_type': 'llama', 'num_attention_heads': 6, 'hidden_size': 30", ENG_ERROR_RANGE,
    { "5 features", "even" } },
  { "'model_type': 'llama', 'num_attention_heads': 6, 'hidden_size': 36,"
    " 'num_key_value_heads': 4", ENG_ERROR_RANGE, { "num_key_value_heads", "4" } },
  { "'model_type': 'qwen2', 'layer_types': ['full_attention']", ENG_ERROR_FORMAT,
    { "layer_types", "32" } },
  { "'model_type': 'qwen2', 'num_hidden_layers': 1, 'layer_types': ['sliding_attention']",
    ENG_ERROR_FORMAT, { "layer_types", "no sliding window" } },
  { "'model_type': 'qwen2', 'num_hidden_layers': 1, 'layer_types': ['linear']",
    ENG_ERROR_UNSUPPORTED, { "layer_types", "linear", "full_attention" } },
  { "'model_type': 'roberta', 'pad_token_id': 511", ENG_ERROR_RANGE,
    { "max_position_embeddings", "512" } },
  { "'model_type': 'albert', 'num_hidden_layers': 700, 'inner_group_num': 2", ENG_ERROR_RANGE,
    { "inner_group_num is 2", "1" } },
  { "'model_type': 'albert', 'num_hidden_groups': 0", ENG_ERROR_RANGE, { "num_hidden_groups" } },
  { "'model_type': 'deberta', 'talking_head': true", ENG_ERROR_UNSUPPORTED, { "talking_head" } },
  { "'model_type': 'deberta-v2', 'is_decoder': true", ENG_ERROR_UNSUPPORTED, { "is_decoder" } },
  { "'model_type': 'deberta', 'pos_att_type': 3", ENG_ERROR_FORMAT, { "pos_att_type", "c2p" } },
  { "'model_type': 'deberta', 'pos_att_type': ['c2p', 3]", ENG_ERROR_FORMAT, { "pos_att_type" } },
  { "'model_type': 'deberta', 'max_relative_positions': -2", ENG_ERROR_RANGE,
    { "max_relative_positions" } },
  { "'model_type': 'deberta', 'pooler_hidden_size': 7", ENG_ERROR_RANGE,
    { "pooler_hidden_size is 7", "768" } },
  { "'model_type': 'deberta', 'pooler_hidden_act': 'glue'", ENG_ERROR_UNSUPPORTED,
    { "pooler_hidden_act", "glue", "gelu" } },
  { "'model_type': 'deberta-v2', 'attention_head_size': 32", ENG_ERROR_RANGE,
    { "attention_head_size is 32", "64" } },
  { "'model_type': 'deberta-v2', 'conv_kernel_size': 4", ENG_ERROR_RANGE,
    { "conv_kernel_size is 4", "odd" } },
  { "'model_type': 'deberta-v2', 'conv_kernel_size': 3, 'conv_groups': 7", ENG_ERROR_RANGE,
    { "conv_groups is 7", "1536" } },
  { "'model_type': 'deberta-v2', 'conv_kernel_size': 3, 'conv_act': 'none'", ENG_ERROR_UNSUPPORTED,
    { "conv_act", "tanh" } },
  { "'model_type': 'deberta-v2', 'relative_attention': true, 'pos_att_type': 'c2p',"
    " 'position_buckets': 64, 'max_relative_positions': 33", ENG_ERROR_RANGE,
    { "position_buckets is 64", "33" } },
  { "'model_type': 'esm', 'is_folding_model': true", ENG_ERROR_UNSUPPORTED,
    { "is_folding_model" } },
  { "'model_type': 'esm', 'token_dropout': true", ENG_ERROR_MISSING, { "mask_token_id" } },
  { "'model_type': 'esm', 'position_embedding_type': 'relative_key'", ENG_ERROR_UNSUPPORTED,
    { "relative_key", "absolute", "rotary" } },
  { "'model_type': 'esm', 'position_embedding_type': 'rotary', 'hidden_size': 60",
    ENG_ERROR_RANGE, { "5 features", "even" } },
  { "'model_type': 'xlm', 'asm': true", ENG_ERROR_UNSUPPORTED, { "asm", "false" } },
  { "'model_type': 'xlm', 'n_langs': 2, 'lang2id': {'en': 0, 'fr': 2}", ENG_ERROR_RANGE,
    { "lang2id gives fr no number below 2" } },
  { "'model_type': 'xlm', 'n_langs': 2, 'lang_id': 2", ENG_ERROR_RANGE, { "lang_id" } },
  { "'model_type': 'xlm', 'is_encoder': false", ENG_ERROR_UNSUPPORTED, { "is_encoder" } },
  { "'model_type': 'xlm', 'architectures': ['XLMForSequenceClassification'],"
    " 'summary_type': 'last'", ENG_ERROR_UNSUPPORTED, { "summary_type", "first" } },
  { "'model_type': 'xlm', 'architectures': ['XLMForSequenceClassification'],"
    " 'summary_activation': 'tanh'", ENG_ERROR_UNSUPPORTED, { "summary_activation" } },
  { "'model_type': 'xlm', 'architectures': ['XLMForSequenceClassification'],"
    " 'summary_proj_to_labels': false", ENG_ERROR_UNSUPPORTED, { "summary_proj_to_labels" } },
  { "'model_type': 'big_bird', 'attention_type': 'sparse'", ENG_ERROR_UNSUPPORTED,
    { "attention_type", "sparse", "original_full" } },
  { "'model_type': 'big_bird', 'is_decoder': true", ENG_ERROR_UNSUPPORTED,
    { "attention_type", "block_sparse", "original_full" } },
  { "'model_type': 'big_bird', 'num_random_blocks': 255", ENG_ERROR_RANGE,
    { "num_random_blocks", "254" } },
  { "'model_type': 'big_bird', 'block_size': 0", ENG_ERROR_RANGE, { "block_size" } },
  { "'model_type': 'modernbert', 'classifier_pooling': 'max'", ENG_ERROR_UNSUPPORTED,
    { "classifier_pooling", "max", "mean" } },
  { "'model_type': 'modernbert', 'local_attention': 0", ENG_ERROR_RANGE, { "local_attention" } },
  { "'model_type': 'modernbert', 'hidden_size': 60", ENG_ERROR_RANGE, { "5 features", "even" } },
  { "'architectures': 'BertModel'", ENG_ERROR_FORMAT, { "architectures" } },
  { "'architectures': [7]", ENG_ERROR_FORMAT, { "architectures" } },
  { "'model_type': 'bert', 'hidden_size': 100", ENG_ERROR_RANGE, { "hidden_size is 100", "12" } },
  { "'model_type': 'bert', 'hidden_size': 0", ENG_ERROR_RANGE, { "hidden_size", "0" } },
  { "'model_type': 'bert', 'num_hidden_layers': -3", ENG_ERROR_RANGE,
    { "num_hidden_layers", "-3" } },
  { "'model_type': 'bert', 'num_hidden_layers': 1000000000", ENG_ERROR_RANGE,
    { "num_hidden_layers" } },
  { "'model_type': 'bert', 'vocab_size': 1e300", ENG_ERROR_FORMAT, { "vocab_size" } },
  { "'model_type': 'bert', 'vocab_size': 12.5", ENG_ERROR_FORMAT, { "vocab_size", "12.5" } },
  { "'model_type': 'bert', 'vocab_size': 'many'", ENG_ERROR_FORMAT, { "vocab_size", "many" } },
  { "'model_type': 'bert', 'dim': true", ENG_ERROR_FORMAT, { "dim" } },
  { "'model_type': 'bert', 'hidden_act': 'xielu'", ENG_ERROR_UNSUPPORTED,
    { "hidden_act", "xielu", "relu" } },
  { "'model_type': 'bert', 'hidden_act': {}", ENG_ERROR_FORMAT, { "hidden_act" } },
  { "'model_type': 'bert', 'layer_norm_eps': -1", ENG_ERROR_RANGE, { "layer_norm_eps", "-1" } },
  { "'model_type': 'bert', 'layer_norm_eps': 'small'", ENG_ERROR_FORMAT, { "layer_norm_eps" } },
  { "'model_type': 'bert', 'pruned_heads': {'2': [0, 5]}", ENG_ERROR_UNSUPPORTED,
    { "pruned_heads" } },
  { "'model_type': 'bert', 'position_embedding_type': 'relative_key'", ENG_ERROR_UNSUPPORTED,
    { "position_embedding_type", "relative_key", "absolute" } },
  { "'model_type': 'bert', 'add_cross_attention': true", ENG_ERROR_UNSUPPORTED,
    { "add_cross_attention" } },
  { "'model_type': 'bert', 'is_decoder': 'yes'", ENG_ERROR_FORMAT, { "is_decoder", "yes" } },
  { "'model_type': 'bert', 'id2label': ['a']", ENG_ERROR_FORMAT, { "id2label" } },
  { "'model_type': 'bert', 'id2label': {'0': 'a', '2': 'b'}", ENG_ERROR_FORMAT,
    { "id2label", "'2'", "1" } },
  { "'model_type': 'bert', 'id2label': {'0': 'a', '00': 'b'}", ENG_ERROR_FORMAT,
    { "id2label", "'00'" } },
  { "'model_type': 'bert', 'id2label': {'a': 'b'}", ENG_ERROR_FORMAT, { "id2label", "'a'" } },
  { "'model_type': 'bert', 'id2label': {'0': null}", ENG_ERROR_FORMAT, { "id2label", "'0'" } },
  { "'model_type': 'bert', 'problem_type': 'guess'", ENG_ERROR_UNSUPPORTED,
    { "problem_type", "guess" } },
  { "'model_type': 'bert', 'vocab_size': 3, 'vocab_size': 4", ENG_ERROR_FORMAT,
    { "vocab_size" } },
};

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autofree char *text = g_strdup_printf ("{%s}", refusals[i].keys);
    g_autoptr (GError) error = NULL;

    g_test_message ("%s", text);
    g_assert_null (parse (text, &error));
    g_test_message ("-> %s", error->message);
    g_assert_error (error, ENG_ERROR, refusals[i].code);
    g_assert_true (g_str_has_prefix (error->message, "config.json"));
    g_assert_false (g_str_has_suffix (error->message, "."));
    for (guint k = 0; k < G_N_ELEMENTS (refusals[i].says) && refusals[i].says[k]; k++) {
      g_autofree char *says = dup_quoted (refusals[i].says[k]);

      if (!strstr (error->message, says))
        g_error ("\"%s\" does not say \"%s\"", error->message, says);
    }
  }
}

/* Both spellings of scaled rotary positions, and windows by number or by list. */
static const EngRotary *
get_rotary (const EngConfig *config)
{
  return &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self.rotary;
}

static int
get_window (const EngConfig *config,
            int              layer)
{
  return eng_stack_spec_get_layer (&config->spec.stacks[ENG_KIND_DECODER], layer)->self.window;
}

static void
test_rotary_and_windows (void)
{
  g_autoptr (EngConfig) old =
    parse_or_fail ("{'model_type': 'llama', 'rope_theta': 500000.0, 'rope_scaling': {'factor': 8.0,"
                   " 'low_freq_factor': 1.0, 'high_freq_factor': 4.0, 'rope_type': 'llama3',"
                   " 'original_max_position_embeddings': 8192}, 'hidden_size': 64, 'head_dim': 6}");
  g_autoptr (EngConfig) now =
    parse_or_fail ("{'model_type': 'llama', 'rope_parameters': {'rope_theta': 500000.0,"
                   " 'factor': 8.0, 'low_freq_factor': 1.0, 'high_freq_factor': 4.0,"
                   " 'rope_type': 'llama3', 'original_max_position_embeddings': 8192},"
                   " 'hidden_size': 64, 'head_dim': 6}");
  g_autoptr (EngConfig) first =
    parse_or_fail ("{'model_type': 'qwen2', 'num_hidden_layers': 3, 'use_sliding_window': true,"
                   " 'sliding_window': 5, 'max_window_layers': 2, 'rope_scaling': null}");
  g_autoptr (EngConfig) listed =
    parse_or_fail ("{'model_type': 'qwen2', 'num_hidden_layers': 3, 'use_sliding_window': true,"
                   " 'max_window_layers': 2, 'layer_types':"
                   " ['sliding_attention', 'full_attention', 'full_attention']}");
  g_autoptr (EngConfig) everywhere =
    parse_or_fail ("{'model_type': 'mistral', 'sliding_window': 7, 'layer_types': ['none']}");
  g_autoptr (EngConfig) silent = parse_or_fail ("{'model_type': 'mistral'}");
  g_autoptr (EngConfig) none = parse_or_fail ("{'model_type': 'mistral', 'sliding_window': null}");
  g_autoptr (EngConfig) unused =
    parse_or_fail ("{'model_type': 'qwen2', 'num_hidden_layers': 3, 'sliding_window': 5,"
                   " 'max_window_layers': 0}");

  g_autoptr (EngConfig) longer =
    parse_or_fail ("{'model_type': 'phi3', 'hidden_size': 8, 'num_attention_heads': 2,"
                   " 'max_position_embeddings': 16384, 'rope_scaling': {'type': 'su',"
                   " 'short_factor': [1, 1], 'long_factor': [2, 3],"
                   " 'original_max_position_embeddings': 99}}");

  g_assert_cmpint (get_rotary (longer)->original_positions, ==, 4096);
  g_assert_cmpfloat_with_epsilon (get_rotary (longer)->attention_factor, sqrt (1 + 2.0 / 12),
                                  1e-12);

  g_assert_cmpmem (get_rotary (old), sizeof (EngRotary), get_rotary (now), sizeof (EngRotary));
  g_assert_cmpint (get_rotary (now)->scaling, ==, ENG_ROTARY_BY_LENGTH);
  g_assert_cmpint (get_rotary (now)->original_positions, ==, 8192);
  g_assert_cmpint (get_rotary (now)->size, ==, 6);
  g_assert_cmpfloat (get_rotary (now)->base, ==, 500000.0);

  g_assert_cmpint (get_window (first, 1), ==, 0);
  g_assert_cmpint (get_window (first, 2), ==, 5);
  g_assert_cmpint (get_window (listed, 0), ==, 4096);
  g_assert_cmpint (get_window (listed, 2), ==, 0);
  g_assert_cmpint (get_window (unused, 0), ==, 0);
  g_assert_cmpint (get_window (everywhere, 0), ==, 7);
  g_assert_cmpint (get_window (everywhere, 31), ==, 7);
  g_assert_cmpint (get_window (silent, 0), ==, 4096);
  g_assert_cmpint (get_window (none, 0), ==, 0);
}

/* A window to both sides, as wide as the file says with the query in its middle. */
static void
test_windows_to_both_sides (void)
{
  g_autoptr (EngConfig) silent = parse_or_fail ("{'model_type': 'modernbert'}");
  g_autoptr (EngConfig) odd =
    parse_or_fail ("{'model_type': 'modernbert', 'num_hidden_layers': 4, 'local_attention': 7,"
                   " 'global_attn_every_n_layers': 2, 'rope_scaling': {'rope_type': 'linear',"
                   " 'factor': 2.0}}");
  g_autoptr (EngConfig) gemma =
    parse_or_fail ("{'model_type': 'gemma3_text', 'use_bidirectional_attention': true,"
                   " 'num_hidden_layers': 6, 'sliding_window': 512}");
  g_autoptr (EngConfig) forwards =
    parse_or_fail ("{'model_type': 'gemma3_text', 'use_bidirectional_attention': false}");
  const EngStackSpec *stack = &silent->spec.stacks[ENG_KIND_ENCODER];
  const EngStackSpec *other = &odd->spec.stacks[ENG_KIND_ENCODER];

  g_assert_false (stack->sorts[1].self.causal);
  for (int layer = 0; layer < stack->n_layers; layer++) {
    const EngLayerSpec *own = eng_stack_spec_get_layer (stack, layer);

    g_assert_cmpint (own->self.window, ==, layer % 3 == 0 ? 0 : 65);
    g_assert_cmpfloat (own->self.rotary.base, ==, layer % 3 == 0 ? 160000 : 10000);
    g_assert_cmpint (own->attention_norm, ==, layer == 0 ? ENG_NORM_NONE : ENG_NORM_PRE);
  }
  for (int layer = 0; layer < other->n_layers; layer++) {
    const EngAttentionSpec *own = &eng_stack_spec_get_layer (other, layer)->self;

    g_assert_cmpint (own->window, ==, layer % 2 == 0 ? 0 : 4);
    g_assert_cmpint (own->rotary.scaling, ==, ENG_ROTARY_LINEAR);
    g_assert_cmpfloat (own->rotary.factor, ==, 2.0);
  }

  g_assert_cmpint (eng_spec_get_last_kind (&gemma->spec), ==, ENG_KIND_ENCODER);
  g_assert_cmpint (eng_spec_get_last_kind (&forwards->spec), ==, ENG_KIND_DECODER);
  for (int layer = 0; layer < 6; layer++) {
    const EngAttentionSpec *own =
      &eng_stack_spec_get_layer (&gemma->spec.stacks[ENG_KIND_ENCODER], layer)->self;

    g_assert_false (own->causal);
    g_assert_cmpint (own->window, ==, layer == 5 ? 0 : 257);
  }
}

static void
test_not_an_object (void)
{
  static const char *const texts[] = { "", "[]", "null", "'bert'", "{'model_type': 'bert'",
                                       "{} {}", "\xff" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (parse (texts[i], &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/config/defaults", test_defaults);
  g_test_add_func ("/engine/config/keys", test_keys);
  g_test_add_func ("/engine/config/aliases", test_aliases);
  g_test_add_func ("/engine/config/activations", test_activations);
  g_test_add_func ("/engine/config/labels", test_labels);
  g_test_add_func ("/engine/config/scores", test_scores);
  g_test_add_func ("/engine/config/family-by-class", test_family_by_class);
  g_test_add_func ("/engine/config/refusals", test_refusals);
  g_test_add_func ("/engine/config/rotary-and-windows", test_rotary_and_windows);
  g_test_add_func ("/engine/config/windows-to-both-sides", test_windows_to_both_sides);
  g_test_add_func ("/engine/config/not-an-object", test_not_an_object);

  return g_test_run ();
}
