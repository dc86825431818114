/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/moses-rules.h"

#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/pretokenizers/moses-characters.h"

#include <string.h>

#define MAX_GROUPS 2

/* In a pattern and in what it gives way to, % and a letter are: a captured character, which is a
 * letter of ASCII (%a), a letter (%l) or none (%L), a number (%n) or none (%N), a digit (%d),
 * neither letter nor number (%o), a sign (%p), or what stands apart (%x); or a run of commas and
 * full stops (%c). In a pattern alone: spaces (%s), white space, which may be none (%w) or not
 * (%W), a space or none (%?), the end of the text ($). */
typedef struct {
  const char *pattern;
  const char *text;
} Rule;

/* Ranges of characters of the text that are captured, in order. */
typedef struct {
  int first;
  int end;
} Group;

typedef struct {
  Group groups[MAX_GROUPS];
  int   n_groups;
  int   end;
} Match;

static const Rule punctuation[] = {
  /* replace-unicode-punctuation.perl */
  { "，", "," }, { "。%w", ". " }, { "、", "," }, { "”", "\"" }, { "“", "\"" }, { "∶", ":" },
  { "：", ":" }, { "？", "?" }, { "《", "\"" }, { "》", "\"" }, { "）", ")" }, { "！", "!" },
  { "（", "(" }, { "；", ";" }, { "」", "\"" }, { "「", "\"" }, { "０", "0" }, { "１", "1" },
  { "２", "2" }, { "３", "3" }, { "４", "4" }, { "５", "5" }, { "６", "6" }, { "７", "7" },
  { "８", "8" }, { "９", "9" }, { "．%w", ". " }, { "～", "~" }, { "’", "'" }, { "…", "..." },
  { "━", "-" }, { "〈", "<" }, { "〉", ">" }, { "【", "[" }, { "】", "]" }, { "％", "%%" },
  /* normalize-punctuation.perl, of English; what the rules above left */
  { "\r", "" }, { "(", " (" }, { ")", ") " }, { "%s", " " }, { ") %p", ")%p" }, { "( ", "(" },
  { " )", ")" }, { "%d %%", "%d%%" }, { " :", ":" }, { " ;", ";" }, { "`", "'" },
  { "''", " \" " }, { "„", "\"" }, { "–", "-" }, { "—", " - " }, { "%s", " " }, { "´", "'" },
  { "%a‘%a", "%a'%a" }, { "‘", "'" }, { "‚", "'" }, { "''", "\"" },
  { "\u00a0«\u00a0", "\"" }, { "«\u00a0", "\"" }, { "«", "\"" },
  { "\u00a0»\u00a0", "\"" }, { "\u00a0»", "\"" }, { "»", "\"" },
  { "\u00a0%%", "%%" }, { "nº\u00a0", "nº " }, { "\u00a0:", ":" }, { "\u00a0ºC", " ºC" },
  { "\u00a0cm", " cm" }, { "\u00a0?", "?" }, { "\u00a0!", "!" }, { "\u00a0;", ";" },
  { ",\u00a0", ", " }, { "%s", " " }, { "\"%c", "%c\"" }, { "%d\u00a0%d", "%d.%d" },
};

/* tokenizer.perl */
static const Rule spaces[] = { { "%W", " " } };
static const Rule signs[] = { { "%x", " %x " } };
static const Rule words[] = {
  { "%N,", "%N , " }, { ",%N", " , %N" }, { "%n,$", "%n , " },
  { "%L'%L", "%L ' %L" }, { "%o'%l", "%o ' %l" }, { "%l'%L", "%l ' %L" }, { "%l'%l", "%l '%l" },
  { "%n's", "%n 's" },
};
static const Rule end[] = { { ".'%?$", " . ' " } };

static const struct {
  const Rule *rules;
  int         n;
} steps[ENG_N_MOSES_STEPS] = {
  [ENG_MOSES_PUNCTUATION] = { punctuation, G_N_ELEMENTS (punctuation) },
  [ENG_MOSES_SPACES] = { spaces, G_N_ELEMENTS (spaces) },
  [ENG_MOSES_SIGNS] = { signs, G_N_ELEMENTS (signs) },
  [ENG_MOSES_WORDS] = { words, G_N_ELEMENTS (words) },
  [ENG_MOSES_END] = { end, G_N_ELEMENTS (end) },
};

gboolean
eng_moses_is_blank (gunichar c)
{
  return eng_unicode_is_whitespace (c) || (c >= 0x1c && c <= 0x1f);
}

static gboolean
stands_apart (gunichar c)
{
  return !eng_moses_is_letter (c) && !eng_moses_is_digit (c) && !eng_moses_is_blank (c) &&
         !(c < 0x80 && strchr (".'`,-", (int) c));
}

/* Whether a character is of a class that is captured. */
static gboolean
is_of_class (char     class,
             gunichar c)
{
  switch (class) {
  case 'a':
    return c < 0x80 && g_ascii_isalpha (c);
  case 'l':
    return eng_moses_is_letter (c);
  case 'L':
    return !eng_moses_is_letter (c);
  case 'n':
    return eng_moses_is_number (c);
  case 'N':
    return !eng_moses_is_number (c);
  case 'd':
    return eng_moses_is_digit (c);
  case 'o':
    return !eng_moses_is_letter (c) && !eng_moses_is_number (c);
  case 'p':
    return c < 0x80 && c && strchr (".!:?;,", (int) c);
  case 'x':
    return stands_apart (c);
  default: /* 'c' */
    return c == ',' || c == '.';
  }
}

/* The end of a run from at on. */
static int
skip_blanks (const EngNormalized *text,
             int                  at,
             gboolean             all)
{
  while (at < text->n && (all ? eng_moses_is_blank (text->chars[at].c) : text->chars[at].c == ' '))
    at++;

  return at;
}

static gboolean
match_class (const EngNormalized *text,
             char                 class,
             Match               *match)
{
  int at = match->end;

  switch (class) {
  case 's':
  case 'W':
  case 'w':
    match->end = skip_blanks (text, at, class != 's');
    return class == 'w' || match->end > at;
  case '?':
    match->end += at < text->n && text->chars[at].c == ' ';
    return TRUE;
  case '%':
    return at < text->n && text->chars[match->end++].c == '%';
  default:
    while (match->end < text->n && is_of_class (class, text->chars[match->end].c) &&
           (class == 'c' || match->end == at))
      match->end++;
    match->groups[match->n_groups++] = (Group) { at, match->end };
    return match->end > at;
  }
}

static gboolean
match_rule (const Rule          *rule,
            const EngNormalized *text,
            int                  at,
            Match               *match)
{
  *match = (Match) { .end = at };
  for (const char *next = rule->pattern; *next; next = g_utf8_next_char (next)) {
    gboolean matches;

    if (*next == '%')
      matches = match_class (text, *++next, match);
    else if (*next == '$')
      matches = match->end == text->n;
    else
      matches = match->end < text->n && text->chars[match->end++].c == g_utf8_get_char (next);
    if (!matches)
      return FALSE;
  }

  return TRUE;
}

static gboolean
is_captured (const Match *match,
             int          at)
{
  for (int i = 0; i < match->n_groups; i++)
    if (at >= match->groups[i].first && at < match->groups[i].end)
      return TRUE;

  return FALSE;
}

/* The bytes of what a character of the rule's text stands for: of the same one in the match, else
 * of all that is not captured and no white space. */
static EngSpan
find_origin (const EngNormalized *text,
             int                  first,
             const Match         *match,
             gunichar             c)
{
  EngSpan origin = { -1, -1 };

  for (int i = first; i < match->end; i++) {
    EngSpan one = text->chars[i].origin;

    if (is_captured (match, i))
      continue;
    if (text->chars[i].c == c)
      return one;
    if (eng_moses_is_blank (text->chars[i].c))
      continue;
    origin.start = origin.start < 0 ? one.start : MIN (origin.start, one.start);
    origin.end = MAX (origin.end, one.end);
  }

  return origin.start < 0 ? text->chars[first].origin : origin;
}

static void
write_text (const Rule          *rule,
            const EngNormalized *text,
            int                  first,
            const Match         *match,
            EngNormalized       *result)
{
  int group = 0;

  for (const char *next = rule->text; *next; next = g_utf8_next_char (next)) {
    gunichar c = g_utf8_get_char (next);

    if (c == '%' && *++next != '%') {
      const Group *captured = &match->groups[group++];

      eng_normalized_append_chars (result, &text->chars[captured->first],
                                   captured->end - captured->first);
      continue;
    }
    eng_normalized_append (result, c, find_origin (text, first, match, c));
  }
}

static void
apply_rule (const Rule    *rule,
            EngNormalized *text)
{
  g_auto (EngNormalized) result = { 0 };
  int copied = 0; /* characters of the text that are in the result */
  Match match;

  for (int at = 0; at < text->n;) {
    if (!match_rule (rule, text, at, &match)) {
      at++;
      continue;
    }
    eng_normalized_append_chars (&result, &text->chars[copied], at - copied);
    write_text (rule, text, at, &match, &result);
    copied = at = match.end;
  }
  if (copied == 0)
    return;
  eng_normalized_append_chars (&result, &text->chars[copied], text->n - copied);
  eng_normalized_take (text, &result);
}

void
eng_moses_rules_apply (EngMosesStep   step,
                       EngNormalized *text)
{
  for (int i = 0; i < steps[step].n; i++)
    apply_rule (&steps[step].rules[i], text);
}
