/* SPDX-License-Identifier: MIT */
#include "engine/families/encoders/deberta-parts.h"

#include <math.h>
#include <string.h>

#include "engine/families/config-spec.h"
#include "engine/families/head-parts.h"

#define OUTPUT_WORDS "cls.predictions.decoder"
#define OWN_WORDS "lm_predictions.lm_head"
#define MAX_DISTANCES (1 << 20)

static const EngPart words[] = {
  ENG_LINEAR (Head, "cls.predictions.transform.dense", transform, EMBEDDING, HIDDEN),
  ENG_NORM_OF (Head, "cls.predictions.transform.LayerNorm", norm, EMBEDDING),
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, EMBEDDING, .tied_to = { ENG_BERT_WORDS },
              .bias_name = "cls.predictions.bias"),
};

/* Its output is the word embedding, whatever the config ties. */
static const EngPart own_words[] = {
  ENG_LINEAR (Head, OWN_WORDS ".dense", transform, HIDDEN, HIDDEN),
  ENG_NORM (Head, OWN_WORDS ".LayerNorm", norm),
  ENG_LINEAR (Head, OWN_WORDS ".decoder", output, VOCABULARY, HIDDEN,
              .aliases = { ENG_BERT_WORDS }, .bias_name = OWN_WORDS ".bias"),
};

static const EngPart pooled_classes[] = {
  ENG_LINEAR (Head, "pooler.dense", transform, HIDDEN, HIDDEN),
  ENG_LINEAR (Head, "classifier", output, LABELS, HIDDEN),
};

/* Of two heads of words the config's "legacy" says which one the model has. */
static gboolean
has_legacy_words (const EngConfig *config,
                  GHashTable      *names)
{
  return config->legacy_words || !g_hash_table_contains (names, OWN_WORDS ".dense.weight");
}

static gboolean
has_own_words (const EngConfig *config,
               GHashTable      *names)
{
  return !config->legacy_words ||
         !g_hash_table_contains (names, "cls.predictions.transform.dense.weight");
}

const EngHeadParts eng_deberta_heads[ENG_DEBERTA_N_HEADS] = {
  { ENG_TASK_FILL_MASK, "cls.predictions.transform.dense.weight", has_legacy_words,
    .classes = { "ForMaskedLM" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  /* As the files of the first release have it; a model without tensors has the one before. */
  { ENG_TASK_FILL_MASK, OWN_WORDS ".dense.weight", has_own_words, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = own_words, .n_parts = G_N_ELEMENTS (own_words) },
  { ENG_TASK_TEXT_CLASSIFICATION, "classifier.weight", eng_head_classifies_pooled,
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_FIRST,
    .has_transform = TRUE, .activation = ENG_ACTIVATION_OF_HEADS,
    .parts = pooled_classes, .n_parts = G_N_ELEMENTS (pooled_classes) },
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_unpooled),
  ENG_ANSWER_HEAD,
};

gboolean
eng_deberta_has_positions (const EngSpec      *spec,
                           const EngLayerSpec *layer)
{
  return spec->embedding.positions != ENG_POSITIONS_NONE;
}

gboolean
eng_deberta_has_types (const EngSpec      *spec,
                       const EngLayerSpec *layer)
{
  return spec->embedding.n_types > 0;
}

gboolean
eng_deberta_is_projected (const EngSpec      *spec,
                          const EngLayerSpec *layer)
{
  return spec->embedding.size > 0;
}

gboolean
eng_deberta_is_relative (const EngSpec      *spec,
                         const EngLayerSpec *layer)
{
  return eng_stack_spec_sets_positions_apart (&spec->stacks[ENG_KIND_ENCODER]);
}

gboolean
eng_deberta_makes_positions_keys (const EngSpec      *spec,
                                  const EngLayerSpec *layer)
{
  const EngRelativePositions *positions = &spec->stacks[ENG_KIND_ENCODER].relative_positions;

  return positions->content_position && !positions->shares_projections;
}

gboolean
eng_deberta_makes_positions_queries (const EngSpec      *spec,
                                     const EngLayerSpec *layer)
{
  const EngRelativePositions *positions = &spec->stacks[ENG_KIND_ENCODER].relative_positions;

  return positions->position_content && !positions->shares_projections;
}

gboolean
eng_deberta_lists (const char *names,
                   const char *name)
{
  g_auto (GStrv) parts = g_strsplit (names, "|", -1);

  for (int i = 0; parts[i]; i++)
    if (g_ascii_strcasecmp (g_strstrip (parts[i]), name) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
add_term (const char            *name,
          EngRelativePositions  *positions,
          int                   *n_listed)
{
  positions->content_position |= eng_deberta_lists (name, "c2p");
  positions->position_content |= eng_deberta_lists (name, "p2c");
  *n_listed += 1;

  return TRUE;
}

/* A list of names, or one text of them. */
static gboolean
read_terms (const cJSON           *json,
            const char            *what,
            EngRelativePositions  *positions,
            int                   *n_listed,
            GError               **error)
{
  const cJSON *item = eng_json_find (json, "pos_att_type");
  const cJSON *entry;
  gboolean fits = !item || cJSON_IsNull (item) || cJSON_IsArray (item) || cJSON_IsString (item);

  *n_listed = 0;
  if (cJSON_IsString (item)) {
    g_auto (GStrv) parts = g_strsplit (item->valuestring, "|", -1);

    for (int i = 0; parts[i]; i++)
      add_term (parts[i], positions, n_listed);
  } else if (cJSON_IsArray (item))
    cJSON_ArrayForEach (entry, item)
      fits &= cJSON_IsString (entry) && add_term (entry->valuestring, positions, n_listed);
  if (fits)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: pos_att_type is neither text nor a list of it, expected \"c2p\", \"p2c\" or "
               "both", what);
  return FALSE;
}

/* What would make the model another one. */
static gboolean
refuse_unsupported (const cJSON  *json,
                    const char   *what,
                    int           hidden_size,
                    GError      **error)
{
  gint64 pooled = hidden_size;
  gboolean talks = FALSE, decodes = FALSE;

  if (!eng_json_get_boolean (json, "talking_head", what, &talks, error) ||
      !eng_json_get_boolean (json, "is_decoder", what, &decodes, error) ||
      !eng_json_get_int (json, "pooler_hidden_size", 1, G_MAXINT32, what, &pooled, error))
    return FALSE;
  if (talks || decodes) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 talks ? "%s: talking_head is true, which mixes the heads and is not supported"
                       : "%s: is_decoder is true, expected a model that reads whole texts", what);
    return FALSE;
  }
  if (pooled != hidden_size) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: pooler_hidden_size is %" G_GINT64_FORMAT ", expected hidden_size, which is "
                 "%d", what, pooled, hidden_size);
    return FALSE;
  }

  return TRUE;
}

static gboolean
read_embedding (const cJSON  *json,
                const char   *what,
                EngSpec      *spec,
                GError      **error)
{
  gint64 size = spec->hidden_size, n_types = 0;
  gboolean biased = TRUE;

  if (!eng_json_get_int (json, "embedding_size", 1, 1 << 16, what, &size, error) ||
      !eng_json_get_int (json, "type_vocab_size", 0, 65536, what, &n_types, error) ||
      !eng_json_get_boolean (json, "position_biased_input", what, &biased, error))
    return FALSE;
  spec->embedding.size = size == spec->hidden_size ? 0 : (int) size;
  spec->embedding.n_types = (int) n_types;
  if (!biased)
    spec->embedding.positions = ENG_POSITIONS_NONE;

  return TRUE;
}

static gboolean
read_heads (const cJSON  *json,
            const char   *what,
            EngConfig    *config,
            GError      **error)
{
  const char *pooled = "gelu";

  config->legacy_words = TRUE;

  return eng_json_get_boolean (json, "legacy", what, &config->legacy_words, error) &&
         eng_json_get_string (json, "pooler_hidden_act", what, &pooled, error) &&
         eng_config_find_activation (pooled, "pooler_hidden_act", what, &config->head_activation,
                                     error);
}

gboolean
eng_deberta_read_config (const cJSON  *json,
                         const char   *what,
                         EngConfig    *config,
                         int          *n_listed,
                         GError      **error)
{
  EngSpec *spec = &config->spec;
  EngRelativePositions *positions = &spec->stacks[ENG_KIND_ENCODER].relative_positions;
  gint64 n_distances = -1;
  gboolean relative = FALSE;
  int n_heads = eng_stack_spec_get_heads (&spec->stacks[ENG_KIND_ENCODER])->n_heads;

  if (!refuse_unsupported (json, what, spec->hidden_size, error) ||
      !read_embedding (json, what, spec, error) || !read_heads (json, what, config, error) ||
      !eng_json_get_boolean (json, "relative_attention", what, &relative, error) ||
      !eng_json_get_int (json, "max_relative_positions", -1, MAX_DISTANCES, what, &n_distances,
                         error) ||
      !read_terms (json, what, positions, n_listed, error))
    return FALSE;
  if (spec->hidden_size % n_heads != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: hidden_size is %d, expected a multiple of num_attention_heads, which is %d",
                 what, spec->hidden_size, n_heads);
    return FALSE;
  }
  if (relative && *n_listed > 0)
    positions->span = n_distances < 1 ? spec->embedding.n_positions : (int) n_distances;

  return TRUE;
}

void
eng_deberta_set_scale (EngSpec *spec,
                       int      n)
{
  EngAttentionSpec *heads = &spec->stacks[ENG_KIND_ENCODER].sorts[0].self;

  heads->scale = 1 / sqrt ((double) heads->head_size * (1 + n));
}
