/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/regex.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/tokenizer/base/regex-syntax.h"

/* Steps that a search may take: a second or less. */
#define LIMIT "(*LIMIT_MATCH=10000000)"

struct _EngRegex {
  GRegex *fast;    /* compiled, with a small stack */
  GRegex *patient; /* interpreted; looks at the whole text in each search */
  char   *pattern;
  char   *what;
};

/* The reason alone: GLib's sentences repeat the expression as we changed it. */
static const char *
find_reason (const GError *error)
{
  const char *reason = g_strrstr (error->message, ": ");

  return reason ? reason + strlen (": ") : error->message;
}

static GRegex *
compile (const char          *translated,
         GRegexCompileFlags   flags,
         GError             **error)
{
  g_autofree char *limited = g_strconcat (LIMIT, translated, NULL);

  /* Lines as Oniguruma has them. */
  return g_regex_new (limited, flags | G_REGEX_MULTILINE | G_REGEX_NEWLINE_LF, 0, error);
}

EngRegex *
eng_regex_new (const char  *pattern,
               const char  *what,
               GError     **error)
{
  g_autofree char *translated = eng_regex_syntax_translate (pattern, what, error);
  g_autoptr (GError) regex_error = NULL;
  g_autoptr (GRegex) fast = NULL;
  EngRegex *self;

  if (!translated)
    return NULL;
  fast = compile (translated, G_REGEX_OPTIMIZE, &regex_error);
  if (!fast) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: the regular expression %s: %s", what,
                 pattern, find_reason (regex_error));
    return NULL;
  }

  self = g_new0 (EngRegex, 1);
  self->fast = g_steal_pointer (&fast);
  self->patient = compile (translated, 0, NULL);
  self->pattern = g_strdup (pattern);
  self->what = g_strdup (what);

  return self;
}

void
eng_regex_free (EngRegex *self)
{
  g_regex_unref (self->fast);
  g_regex_unref (self->patient);
  g_free (self->pattern);
  g_free (self->what);
  g_free (self);
}

/* (transfer full) text: the characters as UTF-8. starts (out): [n + 1], where each begins. */
static GString *
make_text (const EngNormalizedChar *chars,
           int                      n,
           int                     *starts)
{
  GString *text = g_string_sized_new ((gsize) n + 1);

  for (int i = 0; i < n; i++) {
    starts[i] = (int) text->len;
    g_string_append_unichar (text, chars[i].c);
  }
  starts[n] = (int) text->len;

  return text;
}

/* The character that begins at a byte, from number at on. */
static int
find_start (const int *starts,
            int        at,
            int        byte)
{
  while (starts[at] < byte)
    at++;

  return at;
}

/* The first match at byte at or behind it, in bytes. FALSE for none, and after an error. */
static gboolean
search (const GRegex   *regex,
        const GString  *text,
        int             at,
        EngWord        *match,
        GError        **error)
{
  g_autoptr (GMatchInfo) info = NULL;

  return g_regex_match_full (regex, text->str, (gssize) text->len, at, 0, &info, error) &&
         g_match_info_fetch_pos (info, 0, &match->first, &match->end);
}

/* The same, with patience where a match is too long for the stack. */
static gboolean
search_well (const EngRegex  *self,
             const GString   *text,
             int              at,
             EngWord         *match,
             GError         **error)
{
  g_autoptr (GError) fast_error = NULL;
  g_autoptr (GError) match_error = NULL;
  gboolean found = search (self->fast, text, at, match, &fast_error);

  if (fast_error)
    found = search (self->patient, text, at, match, &match_error);
  if (match_error)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "%s: the regular expression %s gives up on this text: %s", self->what,
                 self->pattern, find_reason (match_error));

  return found;
}

gboolean
eng_regex_find (const EngRegex           *self,
                const EngNormalizedChar  *chars,
                int                       n,
                GArray                   *matches,
                GError                  **error)
{
  g_autofree int *starts = g_new (int, (gsize) n + 1);
  g_autoptr (GString) text = make_text (chars, n, starts);
  g_autoptr (GError) match_error = NULL;
  EngWord match = { 0, -1 };
  int end = -1; /* of the match before, in characters */

  for (int at = 0; at <= n; at += match.first == match.end) {
    if (!search_well (self, text, starts[at], &match, &match_error))
      break;
    match.first = find_start (starts, at, match.first);
    match.end = at = find_start (starts, match.first, match.end);
    /* Nothing is no match where one has just ended. */
    if (match.first == match.end && match.end == end)
      continue;
    end = match.end;
    g_array_append_val (matches, match);
  }
  if (!match_error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&match_error));

  return FALSE;
}
