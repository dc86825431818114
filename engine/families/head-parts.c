/* SPDX-License-Identifier: MIT */
#include "engine/families/head-parts.h"

const EngPart eng_classifier_part = ENG_LINEAR (Head, "classifier", output, LABELS, HIDDEN);

const EngPart eng_score_part = ENG_LINEAR (Head, "score", output, LABELS, HIDDEN, ENG_BIAS_NONE);

const EngPart eng_answer_part = ENG_LINEAR (Head, "qa_outputs", output, TWO, HIDDEN);

const EngPart eng_normed_words_parts[3] = {
  ENG_LINEAR (Head, "lm_head.dense", transform, HIDDEN, HIDDEN),
  ENG_NORM (Head, "lm_head.layer_norm", norm),
  ENG_LINEAR (Head, "lm_head.decoder", output, VOCABULARY, HIDDEN,
              .tied_to = { "embeddings.word_embeddings.weight" }, .bias_name = "lm_head.bias"),
};

const EngPart eng_first_classifier_parts[2] = {
  ENG_LINEAR (Head, "classifier.dense", transform, HIDDEN, HIDDEN),
  ENG_LINEAR (Head, "classifier.out_proj", output, LABELS, HIDDEN),
};

const EngPart eng_end_classifier_parts[2] = {
  ENG_LINEAR (Head, "classification_head.dense", transform, HIDDEN, HIDDEN),
  ENG_LINEAR (Head, "classification_head.out_proj", output, LABELS, HIDDEN),
};

gboolean
eng_head_classifies_tokens (const EngConfig *config,
                            GHashTable      *names)
{
  return !eng_family_chooses (config, g_hash_table_lookup (names, "classifier.weight"));
}

gboolean
eng_head_classifies_unpooled (const EngConfig *config,
                              GHashTable      *names)
{
  g_autofree char *pooler = g_strconcat (config->family->pooler->name, ".weight", NULL);

  if (config->architecture)
    return eng_config_is_class (config, "ForTokenClassification");

  return !g_hash_table_contains (names, pooler);
}

gboolean
eng_head_classifies_pooled (const EngConfig *config,
                            GHashTable      *names)
{
  return eng_head_classifies_tokens (config, names) &&
         !eng_head_classifies_unpooled (config, names);
}

gboolean
eng_head_writes_text (const EngConfig *config,
                      GHashTable      *names)
{
  return !g_hash_table_contains (names, "classification_head.dense.weight") &&
         !g_hash_table_contains (names, "qa_outputs.weight");
}
