/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "engine/trace/check.h"
#include "engine/trace/measure.h"
#include "engine/trace/trace-file.h"
#include "engine/trace/trace-private.h"
#include "tests/fuzz/repair.h"
#include "tests/support/safetensors-bytes.h"

#define F32(name, shape, begin, end) \
  "\"" name "\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[" #begin "," #end "]}"

void
fuzz_add_seeds (GPtrArray *seeds)
{
  /* Zeros are numbers that every tensor may hold. */
  static const guint8 zeros[512];

  g_ptr_array_add (seeds, safetensors_bytes_new_with_data (
    "{\"__metadata__\":{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"}," F32 ("attentions.0", "[1,2,2,2]", 0,
                                                                     32) "}", zeros, 32));
  /* Pieces as a vocabulary spells them. */
  g_ptr_array_add (seeds, safetensors_bytes_new_with_data (
    "{\"__metadata__\":{\"tokens\":\"[\\\"\u0120a\\\",\\\"\u00c3\u00a9\\\"]\"},"
    F32 ("attentions.0", "[1,2,2,2]", 0, 32) "}", zeros, 32));
  g_ptr_array_add (seeds, safetensors_bytes_new_with_data (
    "{\"__metadata__\":{\"format\":\"headlight-trace\",\"version\":\"1\",\"kind\":\"encoder\","
    "\"model\":\"m\",\"family\":\"bert\",\"text_a\":\"a\",\"text_b\":\"b\",\"wall_time\":\"1.5\","
    "\"edits\":\"[\\\"cut 0.1 0 1 renormalise\\\"]\",\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\","
    "\"pieces\":\"[\\\"a\\\",\\\"##b\\\"]\",\"ids\":\"[5,6]\",\"type_ids\":\"[0,1]\","
    "\"segments\":\"[0,1]\",\"special\":\"[0,0]\",\"spans\":\"[[0,1],null]\","
    "\"scale\":\"[0.5,null]\","
    "\"logits.fill-mask.positions\":\"[1]\"},"
    F32 ("attentions.0", "[2,2,2]", 0, 32) "," F32 ("queries.0", "[2,2,3]", 32,
                                                    80) "," F32 ("keys.0", "[1,2,3]", 80, 104) ","
    F32 ("values.0", "[1,2,1]", 104, 112) "," F32 ("position_bias.0", "[2,2,2]", 112, 144) ","
    F32 ("value_output_norms.0", "[2,2]", 144, 160) "," F32 ("hidden_states.2", "[2,1]", 160,
                                                             168) ","
    F32 ("logits.fill-mask", "[1,2]", 168, 176) ","
    "\"mask\":{\"dtype\":\"U8\",\"shape\":[2,2],\"data_offsets\":[176,180]}}", zeros, 180));
  g_ptr_array_add (seeds, safetensors_bytes_new_with_data (
    "{\"__metadata__\":{\"encoder_tokens\":\"[\\\"a\\\",\\\"b\\\"]\","
    "\"decoder_tokens\":\"[\\\"c\\\"]\",\"cross_scale\":\"1\"},"
    F32 ("encoder_attentions.1", "[1,2,2]", 0, 16) "," F32 ("decoder_attentions.0", "[2,1,1]", 16,
                                                            24) ","
    F32 ("cross_attentions.0", "[1,1,2]", 24, 32) "," F32 ("cross_queries.0", "[1,1,1]", 32, 36) ","
    F32 ("cross_keys.0", "[1,2,1]", 36, 44) "}", zeros, 44));
}

static void
use_tokens (const EngTokens *tokens)
{
  gsize length = 0;

  for (int i = 0; i < tokens->n; i++) {
    length += strlen (tokens->texts[i]) + (tokens->pieces ? strlen (tokens->pieces[i]) : 0);
    g_assert_cmpint (tokens->segments[i] | tokens->special[i], <=, 1);
    g_assert_cmpint (tokens->ids ? tokens->ids[i] : 0, >=, 0);
    if (tokens->spans && tokens->spans[i].start >= 0)
      g_assert_cmpint (tokens->spans[i].start, <=, tokens->spans[i].end);
  }
  g_assert_cmpuint (length, <, 1 << 20);
}

/* What a reader may rely on, and every cell through the check line. */
static void
use_layer (EngTrace *trace,
           EngKind   kind,
           int       layer)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  g_autofree float *share = NULL;

  if (!attention)
    return;
  share = g_new0 (float, attention->n_heads);
  eng_measure_pair_share (attention, eng_trace_get_query_tokens (trace, kind),
                          eng_trace_get_key_tokens (trace, kind),
                          share);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (trace, kind, layer), >=, 0);
  for (int head = 0; head < attention->n_heads; head++)
    for (int query = 0; query < attention->n_queries; query++)
      for (int key = 0; key < attention->n_keys; key++) {
        EngCheck check;

        eng_check_cell (trace, kind, layer, head, query, key, &check);
        g_assert_true (isfinite (check.stored) && check.stored >= 0);
      }
}

static void
use_states (const EngTrace *trace,
            EngKind         kind)
{
  double sum = 0;

  for (int i = 0; i <= eng_trace_get_n_layers (trace, kind); i++) {
    EngMatrix states;

    if (!eng_trace_get_hidden_states (trace, kind, i, &states))
      continue;
    for (int row = 0; row < states.rows; row++)
      for (int col = 0; col < states.cols; col++)
        sum += states.data[row * (int) states.stride + col];
  }
  g_assert_true (isfinite (sum));
}

static void
use (EngTrace *trace)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    if (!eng_trace_has_kind (trace, (EngKind) kind))
      continue;
    use_tokens (eng_trace_get_query_tokens (trace, (EngKind) kind));
    use_tokens (eng_trace_get_key_tokens (trace, (EngKind) kind));
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, (EngKind) kind); layer++)
      use_layer (trace, (EngKind) kind, layer);
    use_states (trace, (EngKind) kind);
  }
}

static void
run (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = eng_trace_file_open_bytes (bytes, "fuzz", &error);

  g_assert_true ((trace == NULL) == (error != NULL));
  if (trace)
    use (trace);
  else
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GBytes) raw = g_bytes_new_static (data, size);
  g_autoptr (GBytes) repaired = fuzz_repair (data, size);

  run (raw);
  run (repaired);
}
