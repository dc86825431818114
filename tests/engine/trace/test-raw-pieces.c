/* SPDX-License-Identifier: MIT */
/* Lists of tokens as files from elsewhere hold them, and what of them is drawn; both are written
 * out by hand. A list that is no vocabulary's stays as it is. */
#include "engine/trace/raw-pieces.h"

#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/safetensors-bytes.h"

#define MAX_PIECES 12

typedef struct {
  const char *name;
  const char *pieces[MAX_PIECES];
  const char *texts[MAX_PIECES]; /* none = the pieces show no sign of a vocabulary */
} Case;

static const Case cases[] = {
  { "byte-level",
    { "The", "Ġquick", "Ġfo", "x", "Ċ", "ĠĠ", "." },
    { "The", " quick", " fo", "x", "\n", "  ", "." } },
  { "byte-level-template",
    { "<s>", "A", "Ġcat", "</s>", "<|endoftext|>" },
    { "<s>", "A", " cat", "</s>", "<|endoftext|>" } },
  { "foreign-letters", { "M", "Ã¼", "ller", "ĠisstĠ" }, { "M", "ü", "ller", " isst " } },
  { "spaces-put-back", { "Un", " caf", "Ã©" }, { "Un", " caf", "é" } },
  { "half-characters",
    { "a", "Ġ", "ðŁ", "ĺ", "Ģ" },
    { "a", " ", "<0xF0><0x9F>", "<0x98>", "<0x80>" } },
  { "cut-off-character", { "a", "ĠðŁ" }, { "a", " <0xF0><0x9F>" } },
  { "template-of-another-kind",
    { "<｜begin▁of▁text｜>", "Hi", "Ġyou" },
    { "<｜begin▁of▁text｜>", "Hi", " you" } },
  { "sentencepiece", { "▁She", "▁se", "es", ".", "</s>" }, { " She", " se", "es", ".", "</s>" } },
  { "byte-fallback",
    { "<s>", "▁a", "<0x0A>", "<0xF0>", "<0x9F>" },
    { "<s>", " a", "\n", "<0xF0>", "<0x9F>" } },
  { "word-ends", { "the</w>", "ele", "phant</w>", ".</w>" }, { "the", " ele", "phant", " ." } },

  { "words", { "The", "quick", "fox", "." }, { NULL } },
  { "french", { "Un", " caf", "é", " âgé" }, { NULL } },
  { "french-with-a-sign", { "Ã", " tout", "é" }, { NULL } },
  { "wordpiece-maltese", { "[CLS]", "Ġor", "##ġ", "[SEP]" }, { NULL } },
  { "maltese", { "Ġorġ", "kiel" }, { NULL } },
  { "russian", { "Ġ", "кот" }, { NULL } },
  { "readable-already", { " She", " sees", "<0xF0>" }, { NULL } },
};

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  const guint8 special[MAX_PIECES] = { 0 };
  int n = 0;
  g_auto (GStrv) texts = NULL;

  while (n < MAX_PIECES && test->pieces[n] != NULL)
    n++;
  texts = eng_raw_pieces_to_texts ((char *const *) test->pieces, special, n);
  g_assert_cmpint (texts != NULL, ==, test->texts[0] != NULL);
  for (int i = 0; i < n && texts != NULL; i++)
    g_assert_cmpstr (texts[i], ==, test->texts[i]);
}

/* A template token says nothing about the others, and stays. */
static void
test_special (void)
{
  const char *const pieces[] = { "[é]", "Ġcat", "[é]" };
  const guint8 special[] = { 1, 0, 1 };
  const guint8 none[] = { 0, 0, 0 };
  g_auto (GStrv) texts = eng_raw_pieces_to_texts ((char *const *) pieces, special, 3);

  g_assert_cmpstr (texts[0], ==, "[é]");
  g_assert_cmpstr (texts[1], ==, " cat");
  g_assert_null (eng_raw_pieces_to_texts ((char *const *) pieces, none, 3));
}

static EngTrace *
open_trace (const char *metadata)
{
  static const float weights[4] = { 1, 0, 0.5f, 0.5f };
  g_autofree char *header = g_strdup_printf (
    "{\"__metadata__\":{%s},\"attentions.0\":{\"dtype\":\"F32\",\"shape\":[1,2,2],"
    "\"data_offsets\":[0,16]}}", metadata);
  g_autoptr (GBytes) bytes = safetensors_bytes_new_with_data (header, weights, sizeof weights);
  g_autoptr (GError) error = NULL;
  EngTrace *trace = eng_trace_file_open_bytes (bytes, "made", &error);

  g_assert_no_error (error);
  return trace;
}

/* In a trace the pieces are kept; a file that brings its own is believed. */
static void
test_trace (void)
{
  g_autoptr (EngTrace) raw = open_trace ("\"tokens\":\"[\\\"A\\\",\\\"Ġcat\\\"]\"");
  g_autoptr (EngTrace) said = open_trace ("\"tokens\":\"[\\\"A\\\",\\\"Ġcat\\\"]\","
                                          "\"pieces\":\"[\\\"x\\\",\\\"y\\\"]\"");
  const EngTokens *tokens = eng_trace_get_query_tokens (raw, ENG_KIND_ENCODER);

  g_assert_cmpstr (tokens->texts[1], ==, " cat");
  g_assert_cmpstr (tokens->pieces[1], ==, "Ġcat");
  tokens = eng_trace_get_query_tokens (said, ENG_KIND_ENCODER);
  g_assert_cmpstr (tokens->texts[1], ==, "Ġcat");
  g_assert_cmpstr (tokens->pieces[1], ==, "y");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/raw-pieces/", cases[i].name, NULL);

    g_test_add_data_func (path, &cases[i], test_case);
  }
  g_test_add_func ("/raw-pieces/special", test_special);
  g_test_add_func ("/raw-pieces/trace", test_trace);
  return g_test_run ();
}
