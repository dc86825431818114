/* SPDX-License-Identifier: MIT */
/* config.json: whatever it says ends in a spec that holds together or in an error. */
#include "tests/fuzz/fuzz.h"

#include "engine/config.h"

#include <math.h>
#include <string.h>

static const char *const seeds[] = {
  "{\"model_type\": \"bert\"}",
  "{\"architectures\": [\"BertForMaskedLM\"], \"model_type\": \"bert\", \"hidden_act\": \"gelu\", \"hidden_size\": 288,"
  " \"num_hidden_layers\": 6, \"num_attention_heads\": 12, \"intermediate_size\": 1152, \"max_position_embeddings\": 256,"
  " \"type_vocab_size\": 2, \"vocab_size\": 8192, \"layer_norm_eps\": 1e-12, \"position_embedding_type\": \"absolute\","
  " \"id2label\": {\"0\": \"same\", \"1\": \"different\"}, \"tie_word_embeddings\": true}",
  "{\"architectures\": [\"BertForTokenClassification\"], \"n_layers\": 1, \"n_heads\": 3, \"dim\": 15, \"dff\": 37,"
  " \"n_words\": 40, \"n_ctx\": 19, \"activation\": \"gelu_new\", \"num_labels\": 5, \"is_decoder\": true,"
  " \"problem_type\": \"multi_label_classification\", \"pruned_heads\": {}, \"add_cross_attention\": false}",
  "{\"model_type\": \"gpt2\", \"n_embd\": 768, \"n_inner\": null, \"pruned_heads\": {\"1\": [2]}}",
};

void
fuzz_add_seeds (GPtrArray *array)
{
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_static (seeds[i], strlen (seeds[i])));
}

static void
check_config (const EngConfig *config)
{
  const EngSpec *spec = &config->spec;

  g_assert_nonnull (config->family);
  g_assert_cmpint (spec->n_layers, >, 0);
  g_assert_cmpint (spec->n_heads, >, 0);
  g_assert_cmpint (spec->head_size, >, 0);
  g_assert_cmpint (spec->n_heads * spec->head_size, ==, spec->hidden_size);
  g_assert_cmpint (spec->intermediate_size, >, 0);
  g_assert_cmpint (spec->vocab_size, >, 0);
  g_assert_cmpint (spec->n_positions, >, spec->position_offset);
  g_assert_true (spec->norm_eps >= 0.0f && spec->norm_eps <= 1.0f);
  g_assert_true (isfinite (spec->scale));
  for (int i = 0; i < config->n_labels; i++)
    g_assert_nonnull (config->labels[i]);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngConfig) config = eng_config_parse ((const char *) data, size, "config.json", NULL, &error);

  if (config)
    check_config (config);
  else
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
}
