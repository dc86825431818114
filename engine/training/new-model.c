/* SPDX-License-Identifier: MIT */
#include "engine/training/new-model.h"

#include <string.h>

#include "engine/base/json.h"
#include "engine/examples/lines.h"
#include "engine/families/config.h"

#define MAX_DEPTH 64
/* Of a shape that says nothing of it. */
#define N_ENTRIES 8192
#define LONGEST 128

/* All of a shape but what its tokenizer says. */
typedef struct {
  int         n_entries; /* of the vocabulary at most */
  int         n_positions;
  const char *config;
} Plan;

#define BERT(size, layers, heads, wide, positions)                                                \
  "{\"architectures\": [\"BertForMaskedLM\"], \"model_type\": \"bert\","                          \
  " \"hidden_act\": \"gelu\", \"hidden_size\": " size ", \"num_hidden_layers\": " layers ","      \
  " \"num_attention_heads\": " heads ", \"intermediate_size\": " wide ","                         \
  " \"max_position_embeddings\": " positions ", \"type_vocab_size\": 2,"                          \
  " \"layer_norm_eps\": 1e-12, \"initializer_range\": 0.02, \"hidden_dropout_prob\": 0.1,"        \
  " \"attention_probs_dropout_prob\": 0.1, \"tie_word_embeddings\": true}"
#define GPT2(size, layers, heads, wide, positions)                                                \
  "{\"architectures\": [\"GPT2LMHeadModel\"], \"model_type\": \"gpt2\","                          \
  " \"activation_function\": \"gelu_new\", \"n_embd\": " size ", \"n_layer\": " layers ","        \
  " \"n_head\": " heads ", \"n_inner\": " wide ", \"n_positions\": " positions ","                \
  " \"layer_norm_epsilon\": 1e-5, \"initializer_range\": 0.02, \"resid_pdrop\": 0.1,"             \
  " \"embd_pdrop\": 0.1, \"attn_pdrop\": 0.1, \"tie_word_embeddings\": true}"
#define MARIAN(size, layers, heads, wide, positions)                                              \
  "{\"architectures\": [\"MarianMTModel\"], \"model_type\": \"marian\","                          \
  " \"activation_function\": \"gelu\", \"d_model\": " size ", \"encoder_layers\": " layers ","    \
  " \"decoder_layers\": " layers ", \"encoder_attention_heads\": " heads ","                      \
  " \"decoder_attention_heads\": " heads ", \"encoder_ffn_dim\": " wide ","                       \
  " \"decoder_ffn_dim\": " wide ", \"max_position_embeddings\": " positions ","                   \
  " \"scale_embedding\": true, \"share_encoder_decoder_embeddings\": true, \"init_std\": 0.02,"   \
  " \"dropout\": 0.1, \"attention_dropout\": 0.1, \"activation_dropout\": 0.0,"                   \
  " \"is_encoder_decoder\": true, \"forced_eos_token_id\": null, \"tie_word_embeddings\": true}"

static const Plan plans[][2] = {
  [ENG_NEW_TOKENIZER_MASKED] = {
    [ENG_SHAPE_TINY] = { 2000, 128, BERT ("64", "2", "4", "256", "128") },
    [ENG_SHAPE_MINI] = { 8192, 256, BERT ("288", "6", "12", "1152", "256") },
  },
  [ENG_NEW_TOKENIZER_NEXT_WORD] = {
    [ENG_SHAPE_TINY] = { 1000, 128, GPT2 ("64", "2", "4", "256", "128") },
    [ENG_SHAPE_MINI] = { 4096, 128, GPT2 ("256", "6", "8", "1024", "128") },
  },
  [ENG_NEW_TOKENIZER_TRANSLATE] = {
    [ENG_SHAPE_TINY] = { 2000, 128, MARIAN ("64", "2", "4", "256", "128") },
    [ENG_SHAPE_MINI] = { 8000, 128, MARIAN ("256", "3", "8", "1024", "128") },
  },
};

gboolean
eng_shape_from_name (const char *name,
                     EngShape   *shape)
{
  static const char *const names[] = { [ENG_SHAPE_TINY] = "tiny", [ENG_SHAPE_MINI] = "mini" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0) {
      *shape = (EngShape) i;
      return TRUE;
    }

  return FALSE;
}

static int
count_columns (EngNewTokenizerKind kind)
{
  return kind == ENG_NEW_TOKENIZER_TRANSLATE ? 2 : 1;
}

typedef struct {
  EngNewTokenizer *tokenizer;
  int              n_columns;
} Learning;

static gboolean
add_columns (char *const  *columns,
             int           number,
             gpointer      data,
             GError      **error)
{
  const Learning *self = data;

  for (int i = 0; i < self->n_columns; i++)
    if (!eng_new_tokenizer_add (self->tokenizer, columns[i], error))
      return FALSE;

  return TRUE;
}

void
eng_new_model_plan (EngNewTokenizerKind  kind,
                    EngShape             shape,
                    EngNewTokenizerPlan *plan)
{
  const Plan *shape_plan = &plans[kind][shape];

  *plan = (EngNewTokenizerPlan) { kind, shape_plan->n_entries, shape_plan->n_positions, FALSE,
                                  kind == ENG_NEW_TOKENIZER_MASKED };
}

gboolean
eng_new_model_plan_config (const char           *config,
                           const char           *what,
                           EngNewTokenizerPlan  *plan,
                           GError              **error)
{
  static const char *const positions[] = { "max_position_embeddings", "n_positions" };
  g_autoptr (cJSON) json = eng_json_parse (config, strlen (config), MAX_DEPTH, what, error);
  gint64 n_entries = N_ENTRIES, longest = LONGEST;
  g_autoptr (EngConfig) parsed = NULL;

  if (!json || !eng_json_get_int (json, "vocab_size", 1, G_MAXINT32, what, &n_entries, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (positions); i++)
    if (!eng_json_get_int (json, positions[i], 1, G_MAXINT32, what, &longest, error))
      return FALSE;
  /* What is no shape at all is refused once its sizes are those of the tokenizer. */
  parsed = eng_config_parse (config, strlen (config), what, NULL, NULL);
  /* RoBERTa's positions begin behind those that it has no use for. */
  if (parsed && eng_spec_get_max_positions (&parsed->spec) > 0)
    longest = MIN (longest, eng_spec_get_max_positions (&parsed->spec));
  plan->n_entries = (int) n_entries;
  plan->max_length = (int) longest;
  plan->types = plan->kind == ENG_NEW_TOKENIZER_MASKED && parsed
                && parsed->spec.embedding.n_types > 1;

  return TRUE;
}

gboolean
eng_new_model_learn_tokenizer (const EngNewTokenizerPlan  *plan,
                             const char                 *path,
                             const char                 *folder,
                             const gint                 *cancel,
                             GError                    **error)
{
  g_autoptr (EngNewTokenizer) tokenizer = eng_new_tokenizer_new (plan);
  Learning learning = { tokenizer, count_columns (plan->kind) };
  int n_entries;

  return eng_lines_read (path, learning.n_columns, add_columns, &learning, error) &&
         eng_new_tokenizer_write (tokenizer, folder, cancel, &n_entries, error);
}

/* An id that the tokenizer has no token for is said to be none. */
static void
set_id (cJSON              *json,
        const char         *key,
        const EngTokenizer *tokenizer,
        const char         *role)
{
  int id = eng_tokenizer_find_special (tokenizer, role);

  cJSON_DeleteItemFromObjectCaseSensitive (json, key);
  cJSON_AddItemToObject (json, key, id >= 0 ? cJSON_CreateNumber (id) : cJSON_CreateNull ());
}

static void
set_size (cJSON      *json,
          const char *key,
          int         size)
{
  cJSON_DeleteItemFromObjectCaseSensitive (json, key);
  cJSON_AddNumberToObject (json, key, size);
}

/* A decoder that reads an encoder starts with padding as Marian does, or with the end. */
static const char *
get_start_role (const EngTokenizer *tokenizer)
{
  return eng_tokenizer_find_special (tokenizer, "pad_token") >= 0 ? "pad_token" : "eos_token";
}

/* A file that was written by hand need not say it of its family. */
static gboolean
reads_another (const char *config,
               const char *what)
{
  g_autoptr (EngConfig) parsed = eng_config_parse (config, strlen (config), what, NULL, NULL);

  return parsed && eng_spec_has_cross (&parsed->spec);
}

static void
fit (cJSON              *json,
     gboolean            two_stacks,
     const EngTokenizer *tokenizer)
{
  set_size (json, "vocab_size", eng_tokenizer_get_n_entries (tokenizer));
  set_id (json, "pad_token_id", tokenizer, "pad_token");
  set_id (json, "bos_token_id", tokenizer, "bos_token");
  set_id (json, "eos_token_id", tokenizer, "eos_token");
  if (!two_stacks)
    return;
  set_size (json, "decoder_vocab_size", eng_tokenizer_get_n_entries (tokenizer));
  set_id (json, "decoder_start_token_id", tokenizer, get_start_role (tokenizer));
}

static char *
print (const cJSON *json)
{
  char *printed = cJSON_Print (json);
  char *text = g_strdup (printed);

  cJSON_free (printed);

  return text;
}

char *
eng_new_model_fit_config (const char          *config,
                          const char          *what,
                          const EngTokenizer  *tokenizer,
                          GError             **error)
{
  g_autoptr (cJSON) json = eng_json_parse (config, strlen (config), MAX_DEPTH, what, error);

  if (!json)
    return NULL;
  fit (json, reads_another (config, what), tokenizer);

  return print (json);
}

char *
eng_new_model_make_config (EngNewTokenizerKind  kind,
                           EngShape             shape,
                           const EngTokenizer  *tokenizer)
{
  return eng_new_model_fit_config (plans[kind][shape].config, "config.json", tokenizer, NULL);
}

char *
eng_new_model_make_generation (EngNewTokenizerKind  kind,
                               const EngTokenizer  *tokenizer)
{
  g_autoptr (cJSON) json = NULL;

  if (kind == ENG_NEW_TOKENIZER_MASKED)
    return NULL;
  json = cJSON_CreateObject ();
  set_id (json, "eos_token_id", tokenizer, "eos_token");
  if (kind == ENG_NEW_TOKENIZER_NEXT_WORD) {
    set_id (json, "bos_token_id", tokenizer, "bos_token");
  } else {
    set_id (json, "pad_token_id", tokenizer, "pad_token");
    set_id (json, "decoder_start_token_id", tokenizer, get_start_role (tokenizer));
  }
  cJSON_AddNumberToObject (json, "max_length", eng_tokenizer_get_max_length (tokenizer));

  return print (json);
}
