/* SPDX-License-Identifier: MIT */
/* GGUF files: whatever they say ends in a model that holds together or in an error. The container,
 * the config that is made of its keys, the names of its tensors, its tokenizer. */
#include <string.h>

#include "engine/families/config.h"
#include "engine/families/gguf-config.h"
#include "engine/families/gguf-weights.h"
#include "engine/families/weights.h"
#include "engine/tokenizer/files/gguf-tokenizer.h"
#include "engine/tokenizer/tokenizer-private.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz-texts.h"
#include "tests/support/gguf/gguf-bytes.h"

#define HIDDEN 32
#define TEXTS "\0aabc [MASK] a\xc3\xa9.b <s>\0ab  the"

/* Numbers that stand in files, and what nobody may believe. */
static const guint64 numbers[] = {
  0, 1, 2, 3, 4, 8, 12, 31, 32, 64, 255, 256, 65535, 65536, 100001, G_MAXINT32, G_MAXUINT32,
  G_MAXINT64, (guint64) 1 << 60, G_MAXUINT64,
};

static const char *const keys[] = {
  "context_length", "block_count", "embedding_length", "feed_forward_length",
  "attention.head_count", "attention.head_count_kv", "attention.key_length", "rope.dimension_count",
  "attention.sliding_window", "rope.scaling.original_context_length",
};

static const char *const architectures[] = {
  "llama", "gpt2", "bert", "gemma", "gemma2", "gemma3", "phi3", "qwen3", "granite", "t5",
};

static const char *const pieces[] = {
  "<unk>", "<s>", "</s>", "<0x61>", "a", "b", "ab", "\u2581", "\u2581a", "\u0120", "\u0120a", "c",
  "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\u00c3", "\u00a9", "  ", "ab c",
};

static void
add_pieces (GByteArray *bytes,
            guint       n)
{
  gguf_bytes_add_list (bytes, "tokenizer.ggml.tokens", ENG_GGUF_TEXT, n);
  for (guint i = 0; i < n; i++)
    gguf_bytes_add_text (bytes, pieces[i % G_N_ELEMENTS (pieces)]);
  gguf_bytes_add_list (bytes, "tokenizer.ggml.scores", ENG_GGUF_F32, n);
  for (guint i = 0; i < n; i++)
    gguf_bytes_add (bytes, 0xc0000000u + i, 4);
  gguf_bytes_add_list (bytes, "tokenizer.ggml.token_type", ENG_GGUF_I32, n);
  for (guint i = 0; i < n; i++)
    gguf_bytes_add (bytes, i < 3 ? 3 : i == 5 ? 4 : 1, 4);
}

static void
add_tokenizer (GByteArray *bytes,
               const char *model)
{
  gguf_bytes_add_words (bytes, "tokenizer.ggml.model", model);
  add_pieces (bytes, G_N_ELEMENTS (pieces));
  gguf_bytes_add_list (bytes, "tokenizer.ggml.merges", ENG_GGUF_TEXT, 2);
  gguf_bytes_add_text (bytes, "a b");
  gguf_bytes_add_text (bytes, "\u0120 a");
  gguf_bytes_add_u32 (bytes, "tokenizer.ggml.bos_token_id", 1);
  gguf_bytes_add_u32 (bytes, "tokenizer.ggml.eos_token_id", 2);
}

#define N_TOKENIZER_KEYS 7

/* A model of one layer; values NULL = sound ones. */
static GBytes *
make_model (const char    *architecture,
            const char    *model,
            const guint64 *values)
{
  static const guint64 sound[] = { 16, 1, HIDDEN, HIDDEN, 4, 2, 8, 8, 4, 16 };
  static const struct {
    const char *name;
    guint64     rows;
  } tensors[] = {
    { "token_embd.weight", G_N_ELEMENTS (pieces) }, { "blk.0.attn_q.weight", HIDDEN },
    { "blk.0.attn_k.weight", HIDDEN / 2 }, { "blk.0.attn_v.weight", HIDDEN / 2 },
    { "blk.0.attn_output.weight", HIDDEN }, { "blk.0.ffn_gate.weight", HIDDEN },
    { "blk.0.ffn_up.weight", HIDDEN }, { "blk.0.ffn_down.weight", HIDDEN },
    { "output.weight", G_N_ELEMENTS (pieces) },
  };
  static const char *const norms[] = {
    "output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight", "rope_freqs.weight",
  };
  GByteArray *bytes = gguf_bytes_new (3, G_N_ELEMENTS (tensors) + G_N_ELEMENTS (norms),
                                      1 + G_N_ELEMENTS (keys) + N_TOKENIZER_KEYS);

  gguf_bytes_add_words (bytes, "general.architecture", architecture);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autofree char *key = g_strconcat (architecture, ".", keys[i], NULL);

    gguf_bytes_add_key (bytes, key, ENG_GGUF_U64);
    gguf_bytes_add (bytes, values ? values[i] : sound[i], 8);
  }
  add_tokenizer (bytes, model);
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    gguf_bytes_add_tensor (bytes, tensors[i].name, tensors[i].rows, HIDDEN, GGUF_Q4_0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (norms); i++) {
    gguf_bytes_add_text (bytes, norms[i]);
    gguf_bytes_add (bytes, 1, 4);
    gguf_bytes_add (bytes, i < 3 ? HIDDEN : 4, 8);
    gguf_bytes_add (bytes, GGUF_F32, 4);
    gguf_bytes_add (bytes, 0, 8);
  }

  return gguf_bytes_end (bytes, 1024);
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  g_ptr_array_add (seeds, make_model ("llama", "llama", NULL));
  g_ptr_array_add (seeds, make_model ("gemma2", "llama", NULL));
  g_ptr_array_add (seeds, make_model ("phi3", "llama", NULL));
  g_ptr_array_add (seeds, make_model ("qwen3", "gpt2", NULL));
  g_ptr_array_add (seeds, make_model ("bert", "bert", NULL));
}

/* Touches every byte that a file which is let through claims to have. */
static void
use_tensors (const EngTensorSet *set)
{
  for (int i = 0; i < eng_tensor_set_get_n_tensors (set); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (set, i);
    g_autofree float *floats = NULL;
    guint8 sum = 0;

    for (gsize k = 0; k < tensor->n_bytes; k++)
      sum ^= tensor->data[k];
    g_assert_true (g_utf8_validate (tensor->name, -1, NULL) && (sum & 0) == 0);
    if (tensor->n_elements > 1 << 20)
      continue;
    floats = g_new (float, (gsize) tensor->n_elements + 1);
    eng_tensor_widen (tensor, floats);
  }
}

static void
check_error (gboolean      is_there,
             const GError *error)
{
  g_assert_true (is_there == (error == NULL));
  g_assert_true (!error || g_utf8_validate (error->message, -1, NULL));
}

static void
use_model (const EngGguf *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) json = eng_gguf_make_config (file, &error);
  g_autofree char *text = json ? cJSON_PrintUnformatted (json) : NULL;
  g_autoptr (EngConfig) config = NULL;
  g_autoptr (EngTensorSet) named = NULL;
  g_autoptr (EngLoadedWeights) loaded = NULL;

  check_error (json != NULL, error);
  config = text ? eng_config_parse (text, strlen (text), "fuzz", NULL, NULL) : NULL;
  named = eng_gguf_name_tensors (file, NULL);
  if (!named || !config)
    return;
  use_tensors (named);
  loaded = eng_weights_load (named, config, &error);
  check_error (loaded != NULL, error);
}

static void
use_tokenizer (const EngGguf *file)
{
  g_autoptr (GError) error = NULL;
  EngPipeline *pipeline = eng_gguf_tokenizer_make (file, &error);
  g_autoptr (EngTokenizer) tokenizer = pipeline ? eng_tokenizer_new (pipeline, "fuzz") : NULL;

  check_error (pipeline != NULL, error);
  if (tokenizer)
    fuzz_encode (tokenizer, (const guint8 *) TEXTS, sizeof TEXTS - 1);
}

/* Takes bytes over. */
static void
run (GBytes *bytes)
{
  g_autoptr (GBytes) owned = bytes;
  g_autoptr (GError) error = NULL;
  g_autoptr (EngGguf) file = eng_gguf_open_bytes (owned, "fuzz", &error);

  check_error (file != NULL, error);
  if (!file)
    return;
  use_tensors (file->tensors);
  use_model (file);
  use_tokenizer (file);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  static const char *const models[] = { "llama", "gpt2", "bert" };
  guint64 values[G_N_ELEMENTS (keys)];
  guint8 choice = size > 0 ? data[0] : 0;

  run (g_bytes_new (data, size));
  /* Most mutations end in the container. This reads the input as choices of values instead. */
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    values[i] = numbers[(i + 1 < size ? data[size - 1 - i] : i) % G_N_ELEMENTS (numbers)];
  run (make_model (architectures[choice % G_N_ELEMENTS (architectures)], models[choice % 3],
                   values));
}
