/* SPDX-License-Identifier: MIT */
#include "engine/families/config-spec.h"

#include <math.h>
#include <string.h>

#define MAX_ID ((1 << 24) - 1)

typedef enum {
  SCOPE_MODEL,     /* a member of EngSpec */
  SCOPE_ENCODER,   /* a member of that stack, in a model of two */
  SCOPE_DECODER,
  SCOPE_ONLY_STACK /* a member of the stack of a model of one */
} Scope;

/* A whole number of the config and the member that it fills. The limits keep products of sizes far
 * from overflow; what a size claims is checked against the tensors before anything is allocated. */
typedef struct {
  Scope       scope;
  gsize       offset;
  gint64      max;
  const char *spellings[6];
} ConfigInt;

#define MODEL(member) SCOPE_MODEL, G_STRUCT_OFFSET (EngSpec, member)
#define ENCODER(member) SCOPE_ENCODER, G_STRUCT_OFFSET (EngStackSpec, member)
#define DECODER(member) SCOPE_DECODER, G_STRUCT_OFFSET (EngStackSpec, member)
#define ONLY_STACK(member) SCOPE_ONLY_STACK, G_STRUCT_OFFSET (EngStackSpec, member)

/* The first spelling that is there counts. */
static const ConfigInt config_ints[] = {
  { MODEL (hidden_size), 1 << 16, { "hidden_size", "n_embd", "dim", "d_model", "emb_dim" } },
  { MODEL (embedding.size), 1 << 16, { "embedding_size" } },
  { MODEL (embedding.n_positions), 1 << 24, { "max_position_embeddings", "n_positions", "n_ctx" } },
  { MODEL (embedding.n_types), 65536, { "type_vocab_size" } },

  { ONLY_STACK (n_layers), ENG_MAX_LAYERS,
    { "num_hidden_layers", "n_layer", "n_layers", "num_layers" } },
  { ONLY_STACK (sorts[0].self.n_heads), 1024,
    { "num_attention_heads", "n_head", "n_heads", "num_heads" } },
  { ONLY_STACK (sorts[0].self.n_kv_heads), 1024, { "num_key_value_heads" } },
  { ONLY_STACK (sorts[0].self.head_size), 1 << 16, { "head_dim" } },
  { ONLY_STACK (sorts[0].feed_forward.intermediate_size), 1 << 20,
    { "intermediate_size", "n_inner", "hidden_dim", "dff", "d_ff" } },
  { ONLY_STACK (vocab_size), 1 << 24, { "vocab_size", "n_words" } },

  { ENCODER (n_layers), ENG_MAX_LAYERS, { "encoder_layers", "num_layers" } },
  { ENCODER (sorts[0].self.n_heads), 1024, { "encoder_attention_heads", "num_heads" } },
  { ENCODER (sorts[0].self.head_size), 1 << 16, { "d_kv" } },
  { ENCODER (sorts[0].feed_forward.intermediate_size), 1 << 20, { "encoder_ffn_dim", "d_ff" } },
  { ENCODER (vocab_size), 1 << 24, { "vocab_size" } },

  { DECODER (n_layers), ENG_MAX_LAYERS,
    { "decoder_layers", "num_decoder_layers", "num_layers" } },
  { DECODER (sorts[0].self.n_heads), 1024, { "decoder_attention_heads", "num_heads" } },
  { DECODER (sorts[0].self.head_size), 1 << 16, { "d_kv" } },
  { DECODER (sorts[0].feed_forward.intermediate_size), 1 << 20, { "decoder_ffn_dim", "d_ff" } },
  { DECODER (vocab_size), 1 << 24, { "decoder_vocab_size", "vocab_size" } },
};

static const char *const eps_spellings[] = {
  "layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps", "norm_eps", NULL
};
static const char *const activation_spellings[] = {
  "hidden_act", "activation", "activation_function", "afn", NULL
};

static const struct {
  const char    *name;
  EngActivation  activation;
} activations[] = {
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

/* The first spelling that the object has a value for, else the first of all. */
static const char *
find_spelling (const cJSON       *object,
               const char *const *spellings)
{
  for (int i = 0; spellings[i]; i++) {
    const cJSON *item = eng_json_find (object, spellings[i]);

    if (item && !cJSON_IsNull (item))
      return spellings[i];
  }

  return spellings[0];
}

/* The member of a size, or NULL where the family has no such stack or thing. */
static int *
find_member (EngSpec         *spec,
             const ConfigInt *size)
{
  EngStackSpec *encoder = &spec->stacks[ENG_KIND_ENCODER];
  EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];
  gboolean two = encoder->n_layers > 0 && decoder->n_layers > 0;
  int *member;

  switch (size->scope) {
  case SCOPE_MODEL:
    member = G_STRUCT_MEMBER_P (spec, size->offset);
    return *member > 0 ? member : NULL;
  case SCOPE_ENCODER:
    return two ? G_STRUCT_MEMBER_P (encoder, size->offset) : NULL;
  case SCOPE_DECODER:
    return two ? G_STRUCT_MEMBER_P (decoder, size->offset) : NULL;
  case SCOPE_ONLY_STACK:
    if (two)
      return NULL;
    return G_STRUCT_MEMBER_P (encoder->n_layers > 0 ? encoder : decoder, size->offset);
  }

  g_return_val_if_reached (NULL);
}

static gboolean
read_sizes (const cJSON  *json,
            const char   *what,
            EngSpec      *spec,
            GError      **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (config_ints); i++) {
    int *member = find_member (spec, &config_ints[i]);
    const char *key = find_spelling (json, config_ints[i].spellings);
    gint64 value;

    if (!member)
      continue;
    value = *member;
    if (!eng_json_get_int (json, key, 1, config_ints[i].max, what, &value, error))
      return FALSE;
    *member = (int) value;
  }

  return TRUE;
}

static gboolean
read_norm_eps (const cJSON  *json,
               const char   *what,
               EngSpec      *spec,
               GError      **error)
{
  const char *key = find_spelling (json, eps_spellings);
  double eps = (double) spec->norm.eps;

  if (!eng_json_get_double (json, key, what, &eps, error))
    return FALSE;

  if (!(eps >= 0.0 && eps <= 1.0)) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "%s: %s is %s, expected a number from 0 to 1",
                 what, key, g_ascii_dtostr (text, sizeof text, eps));
    return FALSE;
  }
  spec->norm.eps = (float) eps;
  eng_config_spread_norm (spec);

  return TRUE;
}

static gboolean
read_activation (const cJSON  *json,
                 const char   *what,
                 EngSpec      *spec,
                 GError      **error)
{
  const char *key = find_spelling (json, activation_spellings);
  const char *name = NULL;
  EngActivation activation;

  if (!eng_json_get_string (json, key, what, &name, error))
    return FALSE;
  if (!name)
    return TRUE;
  if (!eng_config_find_activation (name, key, what, &activation, error))
    return FALSE;

  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    spec->stacks[kind].sorts[0].feed_forward.activation = activation;

  return TRUE;
}

/* A stack that reads from left to right is a decoder's, whatever the family has. */
static gboolean
read_is_decoder (const cJSON  *json,
                 const char   *what,
                 EngSpec      *spec,
                 GError      **error)
{
  EngStackSpec *encoder = &spec->stacks[ENG_KIND_ENCODER];
  EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];
  gboolean is_decoder = FALSE;

  if (!eng_json_get_boolean (json, "is_decoder", what, &is_decoder, error))
    return FALSE;

  if (is_decoder && decoder->n_layers == 0) {
    *decoder = *encoder;
    decoder->sorts[0].self.causal = TRUE;
    *encoder = (EngStackSpec) { 0 };
  }
  return TRUE;
}

/* What the config left to other sizes. */
static gboolean
derive_layer_sizes (const char    *what,
                    int            hidden_size,
                    EngLayerSpec  *layer,
                    GError       **error)
{
  EngAttentionSpec *heads = &layer->self;

  if (heads->head_size == 0 && hidden_size % heads->n_heads != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: hidden_size is %d, expected a multiple of num_attention_heads, which is %d",
                 what, hidden_size, heads->n_heads);
    return FALSE;
  }
  if (heads->head_size == 0)
    heads->head_size = hidden_size / heads->n_heads;
  if (heads->n_kv_heads == 0)
    heads->n_kv_heads = heads->n_heads;
  if (layer->feed_forward.intermediate_size == 0)
    layer->feed_forward.intermediate_size = 4 * hidden_size;
  if (heads->scale == 0)
    heads->scale = 1.0 / sqrt (heads->head_size);
  if (layer->cross.n_heads > 0)
    eng_layer_spec_cross (layer);

  if (heads->n_heads % heads->n_kv_heads != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: num_attention_heads is %d, expected a multiple of num_key_value_heads, "
                 "which is %d", what, heads->n_heads, heads->n_kv_heads);
    return FALSE;
  }
  return TRUE;
}

static gboolean
derive_sizes (const char  *what,
              EngSpec     *spec,
              GError     **error)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (spec->stacks[kind].n_layers > 0 &&
        !derive_layer_sizes (what, spec->hidden_size, &spec->stacks[kind].sorts[0], error))
      return FALSE;

  return TRUE;
}

gboolean
eng_config_find_activation (const char     *name,
                            const char     *key,
                            const char     *what,
                            EngActivation  *activation,
                            GError        **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (activations); i++) {
    if (strcmp (activations[i].name, name) == 0) {
      *activation = activations[i].activation;
      return TRUE;
    }
    g_string_append_printf (known, "%s%s", i ? ", " : "", activations[i].name);
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: %s is \"%s\", expected one of %s",
               what, key, name, known->str);

  return FALSE;
}

gboolean
eng_config_read_id (const cJSON  *json,
                    const char   *key,
                    const char   *what,
                    int          *id,
                    GError      **error)
{
  const cJSON *item = eng_json_find (json, key);
  gint64 value = *id;

  if (cJSON_IsArray (item) && item->child && cJSON_IsNumber (item->child)) {
    double first = item->child->valuedouble;

    if (!(first >= 0 && first <= MAX_ID && first == floor (first))) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "%s: %s begins with no id, expected whole numbers up to %d", what, key, MAX_ID);
      return FALSE;
    }
    *id = (int) first;
    return TRUE;
  }
  /* -1 is how some files say that there is none. */
  if (!eng_json_get_int (json, key, -1, MAX_ID, what, &value, error))
    return FALSE;
  *id = (int) value;

  return TRUE;
}

gboolean
eng_config_read_window (const cJSON  *json,
                        const char   *what,
                        int          *window,
                        GError      **error)
{
  const cJSON *item = eng_json_find (json, "sliding_window");
  gint64 value = *window;

  if (!eng_json_get_int (json, "sliding_window", 1, G_MAXINT32, what, &value, error))
    return FALSE;
  *window = item && cJSON_IsNull (item) ? 0 : (int) value;

  return TRUE;
}

static gboolean
read_layer_type (const cJSON   *item,
                 int            layer,
                 const char    *what,
                 EngStackSpec  *stack,
                 GError       **error)
{
  const char *type = cJSON_IsString (item) ? item->valuestring : "";
  gboolean windowed = strcmp (type, "sliding_attention") == 0;

  if (!windowed && strcmp (type, "full_attention") != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: layer_types[%d] is \"%s\", expected \"full_attention\" or "
                 "\"sliding_attention\"", what, layer, type);
    return FALSE;
  }
  if (windowed && stack->sorts[ENG_SORT_WINDOWED].self.window == 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: layer_types[%d] is \"%s\", but the model has no sliding window", what, layer,
                 type);
    return FALSE;
  }
  stack->sort_of_layer[layer] = windowed ? ENG_SORT_WINDOWED : 0;

  return TRUE;
}

gboolean
eng_config_read_layer_types (const cJSON   *json,
                             const char    *what,
                             int            window,
                             EngStackSpec  *stack,
                             GError       **error)
{
  const cJSON *list = eng_json_find (json, "layer_types");
  const cJSON *item;
  int layer = 0;

  stack->sorts[ENG_SORT_WINDOWED] = stack->sorts[0];
  stack->sorts[ENG_SORT_WINDOWED].self.window = window;

  if (!list || cJSON_IsNull (list))
    return TRUE;
  if (!cJSON_IsArray (list) || cJSON_GetArraySize (list) != stack->n_layers) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: layer_types is no list of %d types, one a layer", what, stack->n_layers);
    return FALSE;
  }

  cJSON_ArrayForEach (item, list)
    if (!read_layer_type (item, layer++, what, stack, error))
      return FALSE;

  return TRUE;
}

void
eng_config_spread_norm (EngSpec *spec)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
      spec->stacks[kind].sorts[sort].norm = spec->norm;
}

gboolean
eng_config_read_spec (const cJSON  *json,
                      const char   *what,
                      gboolean      may_decode,
                      EngSpec      *spec,
                      GError      **error)
{
  return read_sizes (json, what, spec, error) &&
         read_norm_eps (json, what, spec, error) &&
         read_activation (json, what, spec, error) &&
         eng_config_read_id (json, "pad_token_id", what, &spec->pad_id, error) &&
         eng_config_read_id (json, "eos_token_id", what, &spec->end_id, error) &&
         eng_config_read_id (json, "decoder_start_token_id", what, &spec->decoder_start_id,
                             error) &&
         (!may_decode || read_is_decoder (json, what, spec, error)) &&
         derive_sizes (what, spec, error);
}

gboolean
eng_config_read_factor (const cJSON  *json,
                        const char   *key,
                        const char   *what,
                        double       *factor,
                        GError      **error)
{
  if (!eng_json_get_double (json, key, what, factor, error))
    return FALSE;
  if (isfinite (*factor) && *factor > 0)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "%s: %s is not a number above 0", what, key);
  return FALSE;
}

static gboolean
check_rotary (const char              *what,
              const EngAttentionSpec  *heads,
              GError                 **error)
{
  if (heads->rotary.size % 2 == 0 && heads->rotary.size <= heads->head_size)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: rotary positions turn %d features of a head's %d, expected an even number",
               what, heads->rotary.size, heads->head_size);
  return FALSE;
}

static gboolean
check_bias (const char             *what,
            const EngRelativeBias  *bias,
            GError                **error)
{
  if (bias->n_buckets == 0 ||
      (bias->n_buckets >= 4 && bias->max_distance > bias->n_buckets / 2))
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: relative_attention_num_buckets is %d and relative_attention_max_distance %d, "
               "expected at least 4 buckets and a distance beyond half of them",
               what, bias->n_buckets, bias->max_distance);
  return FALSE;
}

gboolean
eng_config_check_spec (const char     *what,
                       const EngSpec  *spec,
                       GError        **error)
{
  const EngEmbeddingSpec *embedding = &spec->embedding;

  if (embedding->positions != ENG_POSITIONS_NONE &&
      embedding->n_positions <= embedding->position_offset) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: max_position_embeddings is %d, expected more than the %d rows before the "
                 "first token", what, embedding->n_positions, embedding->position_offset);
    return FALSE;
  }
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (!check_rotary (what, &spec->stacks[kind].sorts[0].self, error) ||
        !check_bias (what, &spec->stacks[kind].relative_bias, error))
      return FALSE;

  return TRUE;
}
