/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/replace.h"

#include "engine/tokenizer/base/regex.h"
#include "engine/tokenizer/base/unicode.h"

/* Number of characters that match at chars[0]; 0 = none. */
typedef int (*MatchFunc) (const EngNormalizedChar *chars,
                          int                      n);

typedef struct {
  EngNormalized literal; /* what is looked for where there are no function and no regex */
  MatchFunc     match;
  EngRegex     *regex;   /* NULL = none */
  EngNormalized content;
} Rule;

typedef struct {
  EngNormalizer parent;
  Rule          rule;
} Replace;

typedef struct {
  EngDecoder parent;
  Rule       rule;
} ReplaceDecoder;

static int
count_spaces (const EngNormalizedChar *chars,
              int                      n)
{
  int end = 0;

  while (end < n && chars[end].c == ' ')
    end++;

  return end;
}

static int
match_white_space (const EngNormalizedChar *chars,
                   int                      n)
{
  int end = 0;

  while (end < n && eng_unicode_is_whitespace (chars[end].c))
    end++;

  return end;
}

static int
match_two_spaces (const EngNormalizedChar *chars,
                  int                      n)
{
  int end = count_spaces (chars, n);

  return end >= 2 ? end : 0;
}

static int
match_two_blanks_or_break (const EngNormalizedChar *chars,
                           int                      n)
{
  int end = match_white_space (chars, n);

  if (end >= 2)
    return end;

  return chars[0].c == '\n' || chars[0].c == '\r' || chars[0].c == '\t';
}

static const struct {
  const char *regex;
  MatchFunc   match;
} regexes[] = {
  { " {2,}", match_two_spaces },
  { " +", count_spaces },
  { "\\s{2,}|[\\n\\r\\t]", match_two_blanks_or_break },
  { "\\s+", match_white_space },
};

static int
match_rule (const Rule              *rule,
            const EngNormalizedChar *chars,
            int                      n)
{
  if (rule->match)
    return rule->match (chars, n);
  if (n < rule->literal.n)
    return 0;
  for (int i = 0; i < rule->literal.n; i++)
    if (chars[i].c != rule->literal.chars[i].c)
      return 0;

  return rule->literal.n;
}

/* Appends what the rule puts in for characters [first, end); it points to the last of them, or,
 * where they are none, to the one before. */
static void
append_content (const Rule          *rule,
                const EngNormalized *text,
                EngWord              match,
                EngNormalized       *result)
{
  EngSpan origin = text->chars[MAX (match.end, 1) - 1].origin;

  if (match.end == 0)
    origin.end = origin.start;
  for (int i = 0; i < rule->content.n; i++)
    eng_normalized_append (result, rule->content.chars[i].c, origin);
}

static void
apply_match (const Rule          *rule,
             const EngNormalized *text,
             EngNormalized       *result)
{
  int length;

  for (int at = 0; at < text->n; at += MAX (length, 1)) {
    length = match_rule (rule, &text->chars[at], text->n - at);
    if (length == 0)
      eng_normalized_append_chars (result, &text->chars[at], 1);
    else
      append_content (rule, text, (EngWord) { at, at + length }, result);
  }
}

static gboolean
apply_regex (const Rule           *rule,
             const EngNormalized  *text,
             EngNormalized        *result,
             GError              **error)
{
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (EngWord));
  int end = 0;

  if (!eng_regex_find (rule->regex, text->chars, text->n, matches, error))
    return FALSE;
  for (guint i = 0; i < matches->len; i++) {
    EngWord match = g_array_index (matches, EngWord, i);

    eng_normalized_append_chars (result, text->chars + end, match.first - end);
    append_content (rule, text, match, result);
    end = match.end;
  }
  eng_normalized_append_chars (result, text->chars + end, text->n - end);

  return TRUE;
}

/* Of an empty text nothing matches, not even an expression that nothing is enough for. */
static gboolean
apply_rule (const Rule     *rule,
            EngNormalized  *text,
            GError        **error)
{
  g_auto (EngNormalized) result = { 0 };

  if (text->n == 0)
    return TRUE;
  if (!rule->regex)
    apply_match (rule, text, &result);
  else if (!apply_regex (rule, text, &result, error))
    return FALSE;
  eng_normalized_take (text, &result);

  return TRUE;
}

static void
rule_clear (Rule *rule)
{
  eng_normalized_clear (&rule->literal);
  eng_normalized_clear (&rule->content);
  g_clear_pointer (&rule->regex, eng_regex_free);
}

static gboolean
read_rule (const cJSON  *json,
           const char   *what,
           Rule         *rule,
           GError      **error)
{
  const cJSON *pattern = eng_json_find (json, "pattern");
  const char *literal = NULL;
  const char *regex = NULL;
  const char *content = NULL;

  if (!eng_json_get_string (json, "content", what, &content, error) ||
      !eng_json_get_string (pattern, "String", what, &literal, error) ||
      !eng_json_get_string (pattern, "Regex", what, &regex, error))
    return FALSE;
  for (gsize i = 0; regex && i < G_N_ELEMENTS (regexes); i++)
    if (g_str_equal (regex, regexes[i].regex))
      rule->match = regexes[i].match;
  if (!content || (!regex && (!literal || !*literal))) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: Replace has no %s", what, content ? "pattern" : "content");
    return FALSE;
  }
  if (regex && !rule->match && !(rule->regex = eng_regex_new (regex, what, error)))
    return FALSE;
  if (!regex)
    eng_normalized_append_text (&rule->literal, literal);
  eng_normalized_append_text (&rule->content, content);

  return TRUE;
}

static gboolean
replace_try_normalize (const EngNormalizer  *normalizer,
                       EngNormalized        *text,
                       GError              **error)
{
  return apply_rule (&((const Replace *) normalizer)->rule, text, error);
}

static void
replace_free (EngNormalizer *normalizer)
{
  Replace *self = (Replace *) normalizer;

  rule_clear (&self->rule);
  g_free (self);
}

/* Takes token. */
static char *
replace_decoder_draw (const EngDecoder *decoder,
                      char             *token)
{
  g_auto (EngNormalized) text = { 0 };
  GString *result;

  eng_normalized_append_text (&text, token);
  if (!apply_rule (&((const ReplaceDecoder *) decoder)->rule, &text, NULL))
    return token;
  result = g_string_new (NULL);
  for (int i = 0; i < text.n; i++)
    g_string_append_unichar (result, text.chars[i].c);
  g_free (token);

  return g_string_free (result, FALSE);
}

static void
replace_decoder_decode (const EngDecoder *decoder,
                        GPtrArray        *tokens)
{
  for (guint i = 0; i < tokens->len; i++)
    g_ptr_array_index (tokens, i) = replace_decoder_draw (decoder, g_ptr_array_index (tokens, i));
}

static void
replace_decoder_free (EngDecoder *decoder)
{
  ReplaceDecoder *self = (ReplaceDecoder *) decoder;

  rule_clear (&self->rule);
  g_free (self);
}

EngNormalizer *
eng_replace_new_from_json (const cJSON  *json,
                           const char   *what,
                           GError      **error)
{
  Rule rule = { 0 };
  Replace *self;

  if (!read_rule (json, what, &rule, error))
    return NULL;
  self = g_new0 (Replace, 1);
  self->parent.try_normalize = replace_try_normalize;
  self->parent.free = replace_free;
  self->rule = rule;

  return &self->parent;
}

EngDecoder *
eng_replace_decoder_new_from_json (const cJSON  *json,
                                   const char   *what,
                                   GError      **error)
{
  Rule rule = { 0 };
  ReplaceDecoder *self;

  if (!read_rule (json, what, &rule, error))
    return NULL;
  self = g_new0 (ReplaceDecoder, 1);
  self->parent.decode = replace_decoder_decode;
  self->parent.draw = replace_decoder_draw;
  self->parent.free = replace_decoder_free;
  self->rule = rule;

  return &self->parent;
}
