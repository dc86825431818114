/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-file.h"

#include <locale.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <glib/gstdio.h>

#include "engine/checkpoint/tensor.h"
#include "engine/trace/trace-private.h"
#include "tests/support/safetensors-bytes.h"
#include "tests/support/traces.h"

/* Files of others */

/* What three lines of Python write: attentions as transformers gives them, [1, heads, queries,
 * keys], and tokens. */
static void
test_three_lines (void)
{
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/three-lines.safetensors");
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  EngMatrix matrix;

  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_ENCODER), ==, 2);
  g_assert_cmpint (eng_trace_get_n_heads (trace, ENG_KIND_ENCODER), ==, 4);
  g_assert_cmpint (eng_trace_get_n_keys (trace, ENG_KIND_ENCODER), ==, 9);
  g_assert_true (tokens == eng_trace_get_key_tokens (trace, ENG_KIND_ENCODER));
  g_assert_cmpstr (tokens->texts[2], ==, "cat");
  g_assert_null (tokens->pieces);
  g_assert_null (tokens->ids);
  g_assert_null (tokens->type_ids);
  g_assert_null (tokens->spans);
  g_assert_cmpint (tokens->segments[8], ==, 0);
  g_assert_false (eng_trace_get_queries (trace, ENG_KIND_ENCODER, 0, 0, &matrix));
  g_assert_null (eng_trace_get_model_name (trace));
  g_assert_cmpfloat (eng_trace_get_wall_time (trace), <, 0);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (trace, ENG_KIND_ENCODER, 0), <, 1e-6);
}

static void
test_kinds (void)
{
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/t5.safetensors");

  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_ENCODER), ==, 2);
  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_DECODER), ==, 3);
  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_CROSS), ==, 3);
  g_assert_cmpint (eng_trace_get_n_queries (trace, ENG_KIND_CROSS), ==, 4);
  g_assert_cmpint (eng_trace_get_n_keys (trace, ENG_KIND_CROSS), ==, 6);
  g_assert_cmpstr (eng_trace_get_query_tokens (trace, ENG_KIND_CROSS)->texts[1], ==, " sie");
  g_assert_cmpstr (eng_trace_get_query_tokens (trace, ENG_KIND_CROSS)->pieces[1], ==, "▁sie");
  g_assert_cmpstr (eng_trace_get_key_tokens (trace, ENG_KIND_CROSS)->texts[1], ==, " sees");
  /* Nothing is said about sentences: what the encoder reads is A, what the decoder writes is B. */
  g_assert_cmpint (eng_trace_get_query_tokens (trace, ENG_KIND_CROSS)->segments[1], ==, 1);
  g_assert_cmpint (eng_trace_get_key_tokens (trace, ENG_KIND_CROSS)->segments[1], ==, 0);
  g_assert_cmpint (eng_trace_get_default_kind (trace), ==, ENG_KIND_ENCODER);
  g_assert_cmpfloat (eng_trace_get_scale (trace, ENG_KIND_DECODER, 2), ==, 1);
  g_assert_nonnull (eng_trace_get_mask (trace, ENG_KIND_DECODER, 0));
  g_assert_null (eng_trace_get_mask (trace, ENG_KIND_ENCODER, 0));
}

static void
test_shared_heads (void)
{
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/llama.safetensors");
  EngMatrix keys[4];

  g_assert_cmpint (eng_trace_get_default_kind (trace), ==, ENG_KIND_DECODER);
  g_assert_false (eng_trace_has_kind (trace, ENG_KIND_ENCODER));
  for (int head = 0; head < 4; head++)
    g_assert_true (eng_trace_get_keys (trace, ENG_KIND_DECODER, 1, head, &keys[head]));
  g_assert_true (keys[0].data == keys[1].data);
  g_assert_true (keys[2].data == keys[3].data);
  g_assert_true (keys[0].data != keys[2].data);
  /* Nothing is said about the scale: 1/√d. */
  g_assert_cmpfloat (fabs (eng_trace_get_scale (trace, ENG_KIND_DECODER, 0) - 1 / sqrt (6)), <,
                     1e-15);
}

static void
test_small_types (void)
{
  g_autoptr (EngTrace) exact = traces_open ("fixtures/traces/bert.safetensors");
  g_autoptr (EngTrace) half = traces_open ("fixtures/traces/bert-f16.safetensors");
  g_autoptr (EngTrace) brain = traces_open ("fixtures/traces/bert-bf16.safetensors");
  g_autoptr (EngAttention) weights = eng_trace_dup_attention (exact, ENG_KIND_ENCODER, 1);
  g_autoptr (EngAttention) half_weights = eng_trace_dup_attention (half, ENG_KIND_ENCODER, 1);
  g_autoptr (EngAttention) brain_weights = eng_trace_dup_attention (brain, ENG_KIND_ENCODER, 1);

  g_assert_cmpfloat (eng_trace_get_stored_unit (exact), ==, 0x1p-23);
  g_assert_cmpfloat (eng_trace_get_stored_unit (half), ==, 0x1p-10);
  g_assert_cmpfloat (eng_trace_get_stored_unit (brain), ==, 0x1p-7);
  for (int i = 0; i < 4 * 9 * 9; i++) {
    /* Half a unit, or half a step of the subnormal F16. */
    g_assert_cmpfloat (fabs (half_weights->weights[i] - weights->weights[i]), <=,
                       MAX (0x1p-11 * weights->weights[i], 0x1p-25));
    g_assert_cmpfloat (fabs (brain_weights->weights[i] - weights->weights[i]), <=,
                       0x1p-8 * weights->weights[i]);
  }
}

/* A small file by hand */

typedef struct {
  const char *metadata; /* members of __metadata__ */
  const char *tensors;  /* NAME TYPE SIZE,SIZE …; the data is in values, one after the other */
  const char *message;  /* a part of the sentence; NULL = opens */
} Case;

/* Every row 1/2, 1/2 while nothing else is said: "=V" behind the sizes sets all numbers, "=V@I"
 * number I. */
static void
append_tensor (GString    *header,
               GByteArray *data,
               const char *description)
{
  g_auto (GStrv) words = g_strsplit (description, " ", 4);
  g_auto (GStrv) sizes = g_strsplit (words[2], ",", -1);
  const char *at = words[3] ? strchr (words[3], '@') : NULL;
  double value = words[3] ? g_ascii_strtod (words[3] + 1, NULL) : 0.5;
  EngType type = ENG_TYPE_F32;
  guint begin = data->len;
  guint64 n = 1;
  int bits = 0;

  eng_type_from_name (words[1], &type, &bits);
  for (int i = 0; sizes[i]; i++)
    n *= *sizes[i] ? g_ascii_strtoull (sizes[i], NULL, 10) : 1;
  for (guint64 i = 0; i < n; i++) {
    double number = at && i != g_ascii_strtoull (at + 1, NULL, 10) ? 0.5 : value;
    float single = (float) number;
    guint64 integer = type == ENG_TYPE_F16 ? 0x3800 : (guint64) fabs (number);
    gconstpointer bytes = type == ENG_TYPE_F64 ? (gconstpointer) &number
                        : type == ENG_TYPE_F32 ? (gconstpointer) &single
                                               : (gconstpointer) &integer;

    g_byte_array_append (data, bytes, (guint) bits / 8);
  }
  g_string_append_printf (header,
                          ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%u,%u]}",
                          words[0], words[1], words[2], begin, data->len);
}

static GBytes *
build (const Case *recipe)
{
  g_autoptr (GString) header = g_string_new (NULL);
  g_autoptr (GByteArray) data = g_byte_array_new ();
  g_auto (GStrv) tensors = g_strsplit (recipe->tensors, "; ", -1);

  g_string_append_printf (header, "{\"__metadata__\":{%s}", recipe->metadata);
  for (int i = 0; tensors[i]; i++)
    append_tensor (header, data, tensors[i]);
  g_string_append_c (header, '}');
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');

  return safetensors_bytes_new_with_data (header->str, data->data, data->len);
}

#define TOKENS "\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\""
#define ATTENTION "attentions.0 F32 3,2,2"

static const Case cases[] = {
  { TOKENS, ATTENTION, NULL },
  { TOKENS, "attentions.0 F32 1,3,2,2", NULL },
  { TOKENS, "attentions.0 F64 3,2,2", NULL },
  { TOKENS, "attentions.0 F16 3,2,2", NULL },
  { TOKENS ",\"format\":\"pt\"", ATTENTION, NULL },
  { TOKENS, ATTENTION "; something.else I64 5", NULL },
  { TOKENS, ATTENTION " =0.75@0", NULL },
  { TOKENS, ATTENTION "; attentions.7 F32 3,2,2", NULL },
  { TOKENS, ATTENTION "; hidden_states.3 F32 1,2,4", NULL },
  { TOKENS ",\"scale\":\"0.25\"", ATTENTION, NULL },
  { TOKENS ",\"scale\":\"[0.25,null,0.5]\"", ATTENTION "; attentions.2 F32 3,2,2", NULL },
  { TOKENS, ATTENTION "; position_bias.0 F32 3,2,2 =-inf@2", NULL },
  { TOKENS, ATTENTION "; logits.next-sentence F32 2,2", NULL },
  { TOKENS, ATTENTION "; logits.language-model F32 2,2", NULL },
  { "\"encoder_tokens\":\"[\\\"a\\\",\\\"b\\\"]\",\"decoder_tokens\":\"[\\\"c\\\"]\"",
    "cross_attentions.1 F32 3,1,2", NULL },

  { TOKENS, ATTENTION " =nan@5",
    "x: attentions.0[1, 0, 1] is nan, expected a finite number that is not negative" },
  { TOKENS, ATTENTION " =inf@11",
    "x: attentions.0[2, 1, 1] is inf, expected a finite number that is not negative" },
  { TOKENS, ATTENTION " =-0.25@0",
    "x: attentions.0[0, 0, 0] is -0.25, expected a finite number that is not negative" },
  { TOKENS, "attentions.0 F64 3,2,2 =1e300@4", "x: attentions.0[1, 0, 0] is inf" },
  { "", ATTENTION,
    "x: the metadata has no list tokens, but attentions.0 is [3, 2, 2]: expected 2 texts" },
  { "\"tokens\":\"[\\\"a\\\"]\"", ATTENTION,
    "x: tokens lists 1, but attentions.0 is [3, 2, 2]: expected 2 texts" },
  { "\"tokens\":\"[\\\"a\\\",\\\"b\\\",\\\"c\\\"]\"", ATTENTION,
    "x: tokens lists 3, but attentions.0 is [3, 2, 2]: expected 2 texts" },
  { "\"tokens\":\"[\\\"a\\\",2]\"", ATTENTION, "x: tokens: item 1 is not a text" },
  { "\"tokens\":\"a b\"", ATTENTION, "x: tokens: not JSON at byte 0" },
  { "\"tokens\":\"{}\"", ATTENTION, "x: tokens is not a list" },
  { TOKENS ",\"ids\":\"[1]\"", ATTENTION, "x: ids lists 1, expected 2" },
  { TOKENS ",\"ids\":\"[1,-1]\"", ATTENTION, "x: ids: item 1 is not a whole number" },
  { TOKENS ",\"segments\":\"[0,2]\"", ATTENTION,
    "x: segments: item 1 is not a whole number from 0 to 1" },
  { TOKENS ",\"special\":\"[0.5,0]\"", ATTENTION,
    "x: special: item 0 is not a whole number from 0 to 1" },
  { TOKENS ",\"spans\":\"[null,[3,2]]\"", ATTENTION, "x: spans: item 1 is neither null nor" },
  { TOKENS ",\"spans\":\"[null,[3]]\"", ATTENTION, "x: spans: item 1 is neither null nor" },
  { TOKENS ",\"spans\":\"[null,[0,5]]\",\"text_a\":\"abcd\"", ATTENTION,
    "x: spans: item 1 is neither null nor" },
  { TOKENS ",\"scale\":\"[0.25]\"", ATTENTION "; attentions.2 F32 3,2,2",
    "x: scale lists 1, expected a number for each of the 3 layers" },
  { TOKENS ",\"scale\":\"[null]\"", ATTENTION, "x: scale of layer 0 is not a finite number" },
  { TOKENS ",\"soft_cap\":\"50\"", ATTENTION, NULL },
  { TOKENS ",\"soft_cap\":\"[null]\"", ATTENTION, NULL },
  { TOKENS ",\"soft_cap\":\"[1,2]\"", ATTENTION,
    "x: soft_cap lists 2, expected a number for each of the 1 layers" },
  { TOKENS ",\"soft_cap\":\"0\"", ATTENTION, "x: soft_cap of layer 0 is not a number above 0" },
  { TOKENS ",\"window\":\"[128]\",\"uses\":\"12\"", ATTENTION, NULL },
  { TOKENS ",\"window\":\"[null]\"", ATTENTION, NULL },
  { TOKENS ",\"window\":\"[1,2]\"", ATTENTION,
    "x: window lists 2, expected a number for each of the 1 layers" },
  { TOKENS ",\"window\":\"0\"", ATTENTION,
    "x: window of layer 0 is not a whole number above 0" },
  { TOKENS ",\"uses\":\"[1.5]\"", ATTENTION,
    "x: uses of layer 0 is not a whole number above 0" },
  { TOKENS ",\"uses\":\"[\\\"1\\\"]\"", ATTENTION,
    "x: uses of layer 0 is not a whole number above 0" },
  { TOKENS ",\"scale\":\"1e999\"", ATTENTION, "x: scale of layer 0 is not a finite number" },
  { TOKENS ",\"kind\":\"cross\"", ATTENTION, "x: kind is \"cross\", expected encoder or decoder" },
  { TOKENS ",\"kind\":\"both\"", ATTENTION, "x: kind is \"both\", expected encoder or decoder" },
  { TOKENS ",\"edits\":\"[\\\"zap 1\\\"]\"", ATTENTION, "x: edits: edit \"zap 1\": expected" },
  { TOKENS ",\"wall_time\":\"fast\"", ATTENTION,
    "x: wall_time is \"fast\", expected a number of milliseconds" },
  { TOKENS ",\"format\":\"headlight-trace\",\"version\":\"2\"", ATTENTION,
    "x: version of the trace is 2, expected 1" },
  { TOKENS, "attention.0 F32 3,2,2", "x: no trace: there is no tensor attentions.0" },
  { TOKENS, "attentions.00 F32 3,2,2",
    "x: the layer of attentions.00 is not a whole number from 0 to 999" },
  { TOKENS, "attentions.1000 F32 3,2,2", "x: the layer of attentions.1000 is not a whole number" },
  { TOKENS, "attentions.-1 F32 3,2,2", "x: the layer of attentions.-1 is not a whole number" },
  { TOKENS, "attentions.0 F32 2,2", "x: attentions.0 is [2, 2], expected [any, any, any]" },
  { TOKENS, "attentions.0 F32 2,3,2,2",
    "x: attentions.0 is [2, 3, 2, 2], expected [any, any, any]" },
  { TOKENS, "attentions.0 F32 0,2,2", "x: attentions.0 is [0, 2, 2], expected [any, any, any]" },
  { TOKENS, "attentions.0 F32 3,2,4", "x: attentions.0 has 2 queries but 4 keys" },
  { TOKENS, "attentions.0 I32 3,2,2 =0", "x: attentions.0 is I32, expected F32, F16, BF16 or F64" },
  { TOKENS, ATTENTION "; attentions.1 F32 4,2,2",
    "x: attentions.1 is [4, 2, 2], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; attentions.1 F32 3,2,3",
    "x: attentions.1 is [3, 2, 3], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; encoder_attentions.0 F32 3,2,2",
    "x: the metadata has no list encoder_tokens" },
  { TOKENS ",\"encoder_tokens\":\"[\\\"a\\\",\\\"b\\\"]\"",
    ATTENTION "; encoder_attentions.0 F32 3,2,2",
    "x: attentions stand with and without the prefix of a kind" },
  { TOKENS, ATTENTION "; queries.0 F32 3,2,5", "x: queries.0 is there without keys.0" },
  { TOKENS, ATTENTION "; keys.0 F32 3,2,5", "x: keys.0 is there without queries.0" },
  { TOKENS, ATTENTION "; queries.1 F32 3,2,5", "x: queries.1 is there without attentions.1" },
  { TOKENS, ATTENTION "; mask.1 U8 2,2 =1", "x: mask.1 is there without attentions.1" },
  { TOKENS, ATTENTION "; queries.0 F32 3,2,5; keys.0 F32 3,2,4",
    "x: keys.0 is [3, 2, 4], expected [any, 2, 5]" },
  { TOKENS, ATTENTION "; queries.0 F32 1,2,5; keys.0 F32 1,2,5",
    "x: queries.0 is [1, 2, 5], expected [3, 2, any]" },
  { TOKENS, ATTENTION "; queries.0 F32 3,2,5; keys.0 F32 2,2,5",
    "x: keys.0 has 2 heads, which do not divide the 3 of attentions.0" },
  { TOKENS, ATTENTION "; queries.0 F32 3,2,5; keys.0 F32 6,2,5",
    "x: keys.0 has 6 heads, which do not divide the 3" },
  { TOKENS, ATTENTION "; queries.0 F32 3,2,5; keys.0 F32 1,2,5; values.0 F32 3,2,5",
    "x: values.0 is [3, 2, 5], expected [1, 2, any]" },
  { TOKENS, ATTENTION "; queries.0 F32 3,3,5; keys.0 F32 3,2,5",
    "x: queries.0 is [3, 3, 5], expected [3, 2, any]" },
  { TOKENS, ATTENTION "; queries.0 F32 3,2,5 =nan@29; keys.0 F32 3,2,5",
    "x: queries.0[2, 1, 4] is nan, expected a finite number" },
  { TOKENS, ATTENTION "; mask.0 F32 2,2", "x: mask.0 is F32, expected U8 or BOOL" },
  { TOKENS, ATTENTION "; mask.0 I64 2,2 =1", "x: mask.0 is I64, expected U8 or BOOL" },
  { TOKENS, ATTENTION "; mask.0 U8 2,3 =1", "x: mask.0 is [2, 3], expected [2, 2]" },
  { TOKENS, ATTENTION " =0; mask.0 U8 3,2,2 =1", NULL },
  { TOKENS, ATTENTION " =0; mask BOOL 1,3,2,2 =1", NULL },
  { TOKENS, ATTENTION " =0; mask BOOL 1,2,2 =1", NULL },
  { TOKENS, ATTENTION "; mask.0 U8 2,2,2 =1", "x: mask.0 is [2, 2, 2], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; mask.0 U8 3,2,3 =1", "x: mask.0 is [3, 2, 3], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; mask.0 U8 2,3,2,2 =1",
    "x: mask.0 is [2, 3, 2, 2], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; mask.0 U8 3,2,2 =1@0",
    "x: attentions.0[0, 0, 1] is not 0, but mask.0 hides it" },
  { TOKENS, ATTENTION "; mask BOOL 2,2 =2", "x: mask holds 2, expected 1 = visible or 0 = hidden" },
  { TOKENS, ATTENTION "; mask BOOL 2,2 =0",
    "x: attentions.0[0, 0, 0] is not 0, but mask hides it" },
  { TOKENS, ATTENTION "; content_position.0 F32 3,2,2 =3@1; position_bias.0 F32 3,2,2 =3@1", NULL },
  { TOKENS, ATTENTION "; content_position.0 F32 3,2,2; position_content.0 F32 3,2,2 =-1@1", NULL },
  { TOKENS, ATTENTION "; content_position.0 F32 3,2,2 =3@1; position_bias.0 F32 3,2,2 =2.5@1",
    "x: position_bias.0[0, 0, 1] is 2.5, expected the sum of content_position and "
    "position_content" },
  { TOKENS, ATTENTION "; content_position.0 F32 3,2,2; position_bias.0 F32 3,2,2 =-inf@6",
    "x: position_bias.0[1, 1, 0] is -inf, expected the sum of content_position and "
    "position_content" },
  { TOKENS, ATTENTION "; position_content.0 F32 3,2,2 =-inf@1",
    "x: position_content.0[0, 0, 1] is -inf, expected a finite number" },
  { TOKENS, ATTENTION "; content_position.0 F32 2,2,2",
    "x: content_position.0 is [2, 2, 2], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; content_position.1 F32 3,2,2",
    "x: content_position.1 is there without attentions.1" },
  { TOKENS, ATTENTION "; position_bias.0 F32 3,2,3",
    "x: position_bias.0 is [3, 2, 3], expected [3, 2, 2]" },
  { TOKENS, ATTENTION "; position_bias.0 F32 3,2,2 =inf@1",
    "x: position_bias.0[0, 0, 1] is inf, expected a finite number" },
  { TOKENS, ATTENTION "; value_output_norms.0 F32 3,2 =-1@5",
    "x: value_output_norms.0[2, 1] is -1, expected a finite number that is not negative" },
  { TOKENS, ATTENTION "; value_output_norms.0 F32 2,3",
    "x: value_output_norms.0 is [2, 3], expected [3, 2]" },
  { TOKENS, ATTENTION "; hidden_states.0 F32 3,4",
    "x: hidden_states.0 is [3, 4], expected [2, any]" },
  { TOKENS, ATTENTION "; hidden_states.0 F32 2,4; hidden_states.1 F32 2,5",
    "x: hidden_states.1 is [2, 5], expected [2, 4]" },
  { TOKENS, ATTENTION "; logits.next-sentence F32 1,2",
    "x: logits.next-sentence has 1 rows for 2 tokens, and no logits.next-sentence.positions says" },
  { TOKENS ",\"logits.entities.positions\":\"[0,2]\"", ATTENTION "; logits.entities F32 2,2",
    "x: logits.entities.positions: item 1 is not a whole number from 0 to 1" },
  { TOKENS ",\"logits.entities.positions\":\"[0]\"", ATTENTION "; logits.entities F32 2,2",
    "x: logits.entities.positions lists 1, expected 2" },
  { "\"encoder_tokens\":\"[\\\"a\\\",\\\"b\\\"]\"", "cross_attentions.0 F32 3,1,2",
    "x: the metadata has no list decoder_tokens, but cross_attentions.0 is [3, 1, 2]: expected 1" },
  { "\"encoder_tokens\":\"[\\\"a\\\"]\",\"decoder_tokens\":\"[\\\"a\\\"]\"",
    "cross_attentions.0 F32 3,1,2",
    "x: encoder_tokens lists 1, but cross_attentions.0 is [3, 1, 2]: expected 2 texts" },
};

static void
test_cases (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GBytes) bytes = build (&cases[i]);
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTrace) trace = eng_trace_file_open_bytes (bytes, "x", &error);

    g_test_message ("%s, %s", cases[i].metadata, cases[i].tensors);
    if (!cases[i].message) {
      g_assert_no_error (error);
      continue;
    }
    g_assert_null (trace);
    g_assert_nonnull (error);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, cases[i].message));
    g_assert_false (g_str_has_suffix (error->message, "."));
  }
}

static EngTrace *
open_case (const char *metadata,
           const char *tensors)
{
  const Case recipe = { metadata, tensors, NULL };
  g_autoptr (GBytes) bytes = build (&recipe);
  g_autoptr (GError) error = NULL;
  EngTrace *trace = eng_trace_file_open_bytes (bytes, "x", &error);

  g_assert_no_error (error);

  return trace;
}

static void
test_gaps (void)
{
  g_autoptr (EngTrace) trace = open_case (TOKENS ",\"scale\":\"[0.25,null,0.5,null]\"",
                                          ATTENTION "; attentions.2 F32 3,2,2; "
                                          "hidden_states.4 F32 2,5");

  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_ENCODER), ==, 4);
  g_assert_true (eng_trace_has_layer (trace, ENG_KIND_ENCODER, 0));
  g_assert_false (eng_trace_has_layer (trace, ENG_KIND_ENCODER, 1));
  g_assert_true (eng_trace_has_layer (trace, ENG_KIND_ENCODER, 2));
  g_assert_false (eng_trace_has_layer (trace, ENG_KIND_ENCODER, 3));
  g_assert_cmpfloat (eng_trace_get_scale (trace, ENG_KIND_ENCODER, 2), ==, 0.5);
}

/* Rows that do not sum to 1 are allowed and stated; a row that sees nothing is none of them. */
static void
test_row_sums (void)
{
  g_autoptr (EngTrace) trace = open_case (TOKENS, ATTENTION " =0.75@0");
  g_autoptr (EngTrace) even = open_case (TOKENS, ATTENTION);
  g_autoptr (EngTrace) hidden = open_case (TOKENS, ATTENTION " =0; mask U8 2,2 =0");
  g_autoptr (EngTrace) zero = open_case (TOKENS, ATTENTION " =0; mask U8 2,2 =1");
  g_autoptr (EngTrace) often = open_case (TOKENS, ATTENTION " =0.25; mask U8 2,2 =2");

  g_assert_cmpfloat (eng_trace_get_row_sum_error (trace, ENG_KIND_ENCODER, 0), ==, 0.25);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (even, ENG_KIND_ENCODER, 0), ==, 0);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (even, ENG_KIND_ENCODER, 1), ==, 0);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (hidden, ENG_KIND_ENCODER, 0), ==, 0);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (zero, ENG_KIND_ENCODER, 0), ==, 1);
  g_assert_cmpfloat (eng_trace_get_row_sum_error (often, ENG_KIND_ENCODER, 0), ==, 0);
  g_assert_cmpint (eng_trace_get_mask (often, ENG_KIND_ENCODER, 0)[3], ==, 2);
}

/* Heads that see different keys: the last one the second token alone, from the first; the others
 * nothing. */
static void
test_head_masks (void)
{
  g_autoptr (EngTrace) trace = open_case (TOKENS, ATTENTION " =0; mask.0 U8 3,2,2 =2@9");
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  const guint8 *seen = eng_trace_get_mask (trace, ENG_KIND_ENCODER, 0);

  for (int head = 0; head < 3; head++)
    for (int query = 0; query < 2; query++)
      for (int key = 0; key < 2; key++)
        g_assert_cmpint (eng_attention_get_mask (attention, head, query)[key], ==,
                         head == 2 && query == 0 && key == 1 ? 2 : 0);
  for (int cell = 0; cell < 4; cell++)
    g_assert_cmpint (seen[cell], ==, cell == 1 ? 2 : 0);
  /* One row sees a key and gives it nothing. */
  g_assert_cmpfloat (eng_trace_get_row_sum_error (trace, ENG_KIND_ENCODER, 0), ==, 1);
}

/* The floats of an odd header are read, though not where they lie. */
static void
test_unaligned (void)
{
  static const float weights[4] = { 0.5f, 0.5f, 0.25f, 0.75f };
  const char *header = "{\"__metadata__\":{" TOKENS "},\"attentions.0\":{\"dtype\":\"F32\","
                       "\"shape\":[1,2,2],\"data_offsets\":[0,16]}}";

  for (int n_blanks = 0; n_blanks < 4; n_blanks++) {
    g_autofree char *padded = g_strdup_printf ("%s%*s", header, n_blanks, "");
    g_autoptr (GBytes) bytes = safetensors_bytes_new_with_data (padded, weights, sizeof weights);
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTrace) trace = eng_trace_file_open_bytes (bytes, "x", &error);
    g_autoptr (EngAttention) attention = NULL;

    g_assert_no_error (error);
    attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
    g_assert_cmpmem (attention->weights, sizeof weights, weights, sizeof weights);
  }
}

/* A full disk leaves neither a file nor a part of one. */
static void
test_write_fails (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.safetensors", NULL);
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/bert.safetensors");
  g_autoptr (GError) error = NULL;
  struct rlimit old, limited;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  limited = (struct rlimit) { 5000, old.rlim_max };
  setrlimit (RLIMIT_FSIZE, &limited);
  g_assert_false (eng_trace_file_write (trace, path, &error));
  setrlimit (RLIMIT_FSIZE, &old);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  /* Succeeds only when the folder is empty. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

typedef struct {
  double last;
  int    n_calls;
  int    most_calls;
} Watch;

static gboolean
watch_cb (double   fraction,
          gpointer data)
{
  Watch *watch = data;

  g_assert_cmpfloat (fraction, >=, watch->last);
  g_assert_cmpfloat (fraction, <, 1);
  watch->last = fraction;
  watch->n_calls++;
  return watch->n_calls < watch->most_calls;
}

/* One that is stopped leaves nothing; one that is not is the same file as without being watched. */
static void
test_write_watched (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.safetensors", NULL);
  g_autofree char *watched = g_build_filename (folder, "y.safetensors", NULL);
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/bert.safetensors");
  g_autoptr (GError) error = NULL;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;
  Watch watch = { .most_calls = 3 };
  gsize n_a, n_b;

  g_assert_false (eng_trace_file_write_watched (trace, watched, watch_cb, &watch, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  g_assert_cmpint (watch.n_calls, ==, 3);
  g_assert_false (g_file_test (watched, G_FILE_TEST_EXISTS));

  watch = (Watch) { .most_calls = G_MAXINT };
  g_assert_true (eng_trace_file_write_watched (trace, watched, watch_cb, &watch, NULL));
  g_assert_true (eng_trace_file_write (trace, path, NULL));
  g_assert_cmpfloat (watch.last, >, 0.5);
  g_assert_true (g_file_get_contents (path, &a, &n_a, NULL));
  g_assert_true (g_file_get_contents (watched, &b, &n_b, NULL));
  g_assert_cmpmem (a, n_a, b, n_b);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_unlink (watched), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/trace-file/three-lines", test_three_lines);
  g_test_add_func ("/trace-file/kinds", test_kinds);
  g_test_add_func ("/trace-file/shared-heads", test_shared_heads);
  g_test_add_func ("/trace-file/small-types", test_small_types);
  g_test_add_func ("/trace-file/cases", test_cases);
  g_test_add_func ("/trace-file/gaps", test_gaps);
  g_test_add_func ("/trace-file/row-sums", test_row_sums);
  g_test_add_func ("/trace-file/head-masks", test_head_masks);
  g_test_add_func ("/trace-file/unaligned", test_unaligned);
  g_test_add_func ("/trace-file/write-fails", test_write_fails);
  g_test_add_func ("/trace-file/write-watched", test_write_watched);

  return g_test_run ();
}
