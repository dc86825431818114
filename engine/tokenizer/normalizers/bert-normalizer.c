/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/bert-normalizer.h"

#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/normalizers/unicode-normalizers.h"

typedef struct {
  EngNormalizer            parent;
  EngBertNormalizerOptions options;
} BertNormalizer;

static void
clean (EngNormalized *text)
{
  int n = 0;

  for (int i = 0; i < text->n; i++) {
    EngNormalizedChar one = text->chars[i];
    gboolean is_blank = eng_unicode_is_whitespace (one.c);

    /* Tab, line feed and carriage return are blanks; the other white space among the control
     * characters is dropped. */
    if (one.c == 0 || one.c == 0xfffd ||
        (eng_unicode_is_control (one.c) && one.c != '\t' && one.c != '\n' && one.c != '\r'))
      continue;
    if (is_blank)
      one.c = ' ';
    text->chars[n++] = one;
  }
  text->n = n;
}

/* The list of BERT's reference code; its hole from U+2B820 to U+2B91F is the tokenizers
 * library's. */
static gboolean
is_chinese (gunichar c)
{
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) ||
         (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b81f) ||
         (c >= 0x2b920 && c <= 0x2ceaf) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x2f800 && c <= 0x2fa1f);
}

static void
space_chinese (EngNormalized *text)
{
  g_auto (EngNormalized) spaced = { 0 };

  for (int i = 0; i < text->n; i++) {
    EngNormalizedChar one = text->chars[i];
    gboolean chinese = is_chinese (one.c);

    if (chinese)
      eng_normalized_append (&spaced, ' ', one.origin);
    eng_normalized_append (&spaced, one.c, one.origin);
    if (chinese)
      eng_normalized_append (&spaced, ' ', one.origin);
  }
  eng_normalized_take (text, &spaced);
}

static void
strip_accents (EngNormalized *text)
{
  int n = 0;

  eng_unicode_normalize (text, FALSE, FALSE);
  for (int i = 0; i < text->n; i++)
    if (!eng_unicode_is_nonspacing_mark (text->chars[i].c))
      text->chars[n++] = text->chars[i];
  text->n = n;
}

static void
bert_normalizer_normalize (const EngNormalizer *normalizer,
                           EngNormalized       *text)
{
  const EngBertNormalizerOptions *options = &((const BertNormalizer *) normalizer)->options;

  if (options->clean_text)
    clean (text);
  if (options->handle_chinese_chars)
    space_chinese (text);
  if (options->strip_accents)
    strip_accents (text);
  if (options->lowercase)
    eng_unicode_lower_text (text);
}

static void
bert_normalizer_free (EngNormalizer *normalizer)
{
  g_free (normalizer);
}

EngNormalizer *
eng_bert_normalizer_new (const EngBertNormalizerOptions *options)
{
  BertNormalizer *self = g_new0 (BertNormalizer, 1);

  self->parent.description = options->lowercase ? "lower case" : "case kept";
  self->parent.normalize = bert_normalizer_normalize;
  self->parent.free = bert_normalizer_free;
  self->options = *options;

  return &self->parent;
}

EngNormalizer *
eng_bert_normalizer_new_from_json (const cJSON  *json,
                                   const char   *what,
                                   GError      **error)
{
  EngBertNormalizerOptions options = { TRUE, TRUE, TRUE, TRUE };

  if (!eng_json_get_boolean (json, "clean_text", what, &options.clean_text, error) ||
      !eng_json_get_boolean (json, "handle_chinese_chars", what, &options.handle_chinese_chars,
                             error) ||
      !eng_json_get_boolean (json, "lowercase", what, &options.lowercase, error))
    return NULL;
  options.strip_accents = options.lowercase;
  if (!eng_json_get_boolean (json, "strip_accents", what, &options.strip_accents, error))
    return NULL;

  return eng_bert_normalizer_new (&options);
}
