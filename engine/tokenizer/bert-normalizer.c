/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/bert-normalizer.h"

#include "engine/tokenizer/unicode.h"

typedef struct {
  EngNormalizer            parent;
  EngBertNormalizerOptions options;
} BertNormalizer;

/* A character of a decomposition before it is known where it stands. */
typedef struct {
  gunichar c;
  guint8   combining_class;
  gboolean added; /* not the first character of its decomposition */
} Decomposed;

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

static int
compare_classes (const void *a,
                 const void *b,
                 gpointer    unused)
{
  return ((const Decomposed *) a)->combining_class - ((const Decomposed *) b)->combining_class;
}

/* Canonical order: within each run of marks, sorted by class; equal classes stay as they were. */
static void
order_marks (GArray *decomposed)
{
  Decomposed *all = (Decomposed *) decomposed->data;

  for (guint first = 0, end; first < decomposed->len; first = end + 1) {
    for (end = first; end < decomposed->len && all[end].combining_class; end++)
      ;
    if (end - first > 1)
      g_qsort_with_data (&all[first], (int) (end - first), sizeof *all, compare_classes, NULL);
  }
}

/* The library counts positions, not characters: the k-th character that opens a decomposition gets
 * the origin of the k-th source character even if marks have changed places. The first one always
 * opens. */
static void
decompose (EngNormalized *text)
{
  g_autoptr (GArray) decomposed = g_array_new (FALSE, FALSE, sizeof (Decomposed));
  g_auto (EngNormalized) result = { 0 };
  int source = -1;

  for (int i = 0; i < text->n; i++) {
    gunichar parts[ENG_MAX_DECOMPOSITION];
    int n = eng_unicode_decompose (text->chars[i].c, parts);

    for (int part = 0; part < n; part++) {
      Decomposed one = {
        .c = parts[part],
        .combining_class = (guint8) eng_unicode_get_combining_class (parts[part]),
        .added = part > 0,
      };

      g_array_append_val (decomposed, one);
    }
  }
  order_marks (decomposed);

  for (guint i = 0; i < decomposed->len; i++) {
    const Decomposed *one = &g_array_index (decomposed, Decomposed, i);

    source += !one->added;
    eng_normalized_append (&result, one->c, text->chars[source].origin);
  }
  eng_normalized_take (text, &result);
}

static void
strip_accents (EngNormalized *text)
{
  int n = 0;

  decompose (text);
  for (int i = 0; i < text->n; i++)
    if (!eng_unicode_is_nonspacing_mark (text->chars[i].c))
      text->chars[n++] = text->chars[i];
  text->n = n;
}

static void
lower (EngNormalized *text)
{
  g_auto (EngNormalized) result = { 0 };

  for (int i = 0; i < text->n; i++) {
    gunichar parts[ENG_MAX_LOWER_CASE];
    int n = eng_unicode_lower (text->chars[i].c, parts);

    for (int part = 0; part < n; part++)
      eng_normalized_append (&result, parts[part], text->chars[i].origin);
  }
  eng_normalized_take (text, &result);
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
    lower (text);
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
