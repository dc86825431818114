/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pipeline/added-tokens.h"

#include "engine/tokenizer/base/unicode.h"

typedef struct {
  char         *content;
  EngAddedToken flags;
  int           id;
  int           order;   /* in which they were added */
  EngNormalized pattern; /* what is looked for; not empty once sealed */
  char         *spelling; /* the pattern as text */
} Token;

struct _EngAddedTokens {
  const EngVocabulary *vocabulary;
  GPtrArray           *tokens;      /* of Token, in the order in which they were added; owns them */
  GHashTable          *by_content;  /* content → Token */
  GHashTable          *by_id;       /* id → Token */
  int                  n_entries;   /* 1 + the largest id */
  /* Of Token, as typed and normalised: by first character, then the longest first. */
  GPtrArray           *patterns[2];
};

static void
token_free (gpointer data)
{
  Token *token = data;

  eng_normalized_clear (&token->pattern);
  g_free (token->spelling);
  g_free (token->content);
  g_free (token);
}

static int
compare_patterns (const void *a,
                  const void *b)
{
  const Token *first = *(Token *const *) a;
  const Token *second = *(Token *const *) b;
  gunichar first_char = first->pattern.chars[0].c;
  gunichar second_char = second->pattern.chars[0].c;

  if (first_char != second_char)
    return first_char < second_char ? -1 : 1;
  if (first->pattern.n != second->pattern.n)
    return second->pattern.n - first->pattern.n;
  if (first->flags.special != second->flags.special)
    return first->flags.special ? -1 : 1;

  return first->order - second->order;
}

static char *
dup_text (const EngNormalized *text)
{
  GString *string = g_string_new (NULL);

  for (int i = 0; i < text->n; i++)
    g_string_append_unichar (string, text->chars[i].c);

  return g_string_free (string, FALSE);
}

static gboolean
begins_with (const EngNormalizedChar *chars,
             int                      n,
             const EngNormalized     *pattern)
{
  if (pattern->n > n)
    return FALSE;
  for (int i = 0; i < pattern->n; i++)
    if (chars[i].c != pattern->chars[i].c)
      return FALSE;

  return TRUE;
}

/* The longest token that chars begin with. */
static const Token *
match (const GPtrArray         *patterns,
       const EngNormalizedChar *chars,
       int                      n)
{
  guint low = 0;
  guint high = patterns->len;

  while (low < high) {
    guint middle = (low + high) / 2;

    if (((Token *) g_ptr_array_index (patterns, middle))->pattern.chars[0].c < chars[0].c)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < patterns->len; low++) {
    const Token *token = g_ptr_array_index (patterns, low);

    if (token->pattern.chars[0].c != chars[0].c)
      break;
    if (begins_with (chars, n, &token->pattern))
      return token;
  }

  return NULL;
}

static gboolean
stands_alone (const EngNormalizedChar *chars,
              int                      n,
              int                      first,
              int                      end)
{
  return (first == 0 || !eng_unicode_is_word (chars[first - 1].c)) &&
         (end == n || !eng_unicode_is_word (chars[end].c));
}

static void
append_section (GArray *sections,
                int     first,
                int     end,
                int     id)
{
  EngSection section = { first, end, id };

  g_array_append_val (sections, section);
}

gboolean
eng_added_token_read (const cJSON    *json,
                      const char     *what,
                      EngAddedToken  *token,
                      GError        **error)
{
  if (!eng_json_get_string (json, "content", what, &token->content, error) ||
      !eng_json_get_boolean (json, "single_word", what, &token->single_word, error) ||
      !eng_json_get_boolean (json, "lstrip", what, &token->lstrip, error) ||
      !eng_json_get_boolean (json, "rstrip", what, &token->rstrip, error) ||
      !eng_json_get_boolean (json, "normalized", what, &token->normalized, error) ||
      !eng_json_get_boolean (json, "special", what, &token->special, error))
    return FALSE;
  if (!token->content) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: an added token has no content", what);
    return FALSE;
  }

  return TRUE;
}

EngAddedTokens *
eng_added_tokens_new (const EngVocabulary *vocabulary)
{
  EngAddedTokens *self = g_new0 (EngAddedTokens, 1);

  self->vocabulary = vocabulary;
  self->tokens = g_ptr_array_new_with_free_func (token_free);
  self->by_content = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_id = g_hash_table_new (NULL, NULL);
  self->patterns[FALSE] = g_ptr_array_new ();
  self->patterns[TRUE] = g_ptr_array_new ();

  return self;
}

void
eng_added_tokens_free (EngAddedTokens *self)
{
  g_ptr_array_unref (self->patterns[FALSE]);
  g_ptr_array_unref (self->patterns[TRUE]);
  g_hash_table_unref (self->by_content);
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->tokens);
  g_free (self);
}

void
eng_added_tokens_add (EngAddedTokens      *self,
                      const EngAddedToken *added)
{
  Token *token;

  if (*added->content == '\0')
    return;

  token = g_hash_table_lookup (self->by_content, added->content);
  if (!token) {
    token = g_new0 (Token, 1);
    token->content = g_strdup (added->content);
    token->order = (int) self->tokens->len;
    token->id = eng_vocabulary_find (self->vocabulary, added->content);
    if (token->id < 0)
      token->id = MAX (eng_vocabulary_get_n_pieces (self->vocabulary), self->n_entries);
    self->n_entries = MAX (self->n_entries, token->id + 1);
    g_ptr_array_add (self->tokens, token);
    g_hash_table_insert (self->by_content, token->content, token);
    g_hash_table_insert (self->by_id, GINT_TO_POINTER (token->id), token);
  }
  token->flags = *added;
  token->flags.content = token->content;
}

gboolean
eng_added_tokens_seal (EngAddedTokens   *self,
                       const GPtrArray  *normalizers,
                       const char       *what,
                       GError          **error)
{
  for (guint i = 0; i < self->tokens->len; i++) {
    Token *token = g_ptr_array_index (self->tokens, i);
    const char *piece = eng_vocabulary_get_piece (self->vocabulary, token->id);

    if (piece && !g_str_equal (piece, token->content)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                   "%s: the added token \"%s\" gets the id %d, which the vocabulary gives "
                   "to \"%s\"", what, token->content, token->id, piece);
      return FALSE;
    }
    eng_normalized_append_text (&token->pattern, token->content);
    if (token->flags.normalized && !eng_normalizers_apply (normalizers, &token->pattern, error))
      return FALSE;
    if (token->pattern.n == 0) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                   "%s: the normalizer leaves nothing of the added token \"%s\"",
                   what, token->content);
      return FALSE;
    }
    token->spelling = dup_text (&token->pattern);
    g_ptr_array_add (self->patterns[token->flags.normalized], token);
  }
  g_ptr_array_sort (self->patterns[FALSE], compare_patterns);
  g_ptr_array_sort (self->patterns[TRUE], compare_patterns);

  return TRUE;
}

int
eng_added_tokens_find (const EngAddedTokens *self,
                       const char           *content)
{
  const Token *token = g_hash_table_lookup (self->by_content, content);

  return token ? token->id : -1;
}

const char *
eng_added_tokens_get_content (const EngAddedTokens *self,
                              int                   id)
{
  const Token *token = g_hash_table_lookup (self->by_id, GINT_TO_POINTER (id));

  return token ? token->content : NULL;
}

const char *
eng_added_tokens_get_spelling (const EngAddedTokens *self,
                               int                   id)
{
  const Token *token = g_hash_table_lookup (self->by_id, GINT_TO_POINTER (id));

  return token ? token->spelling : NULL;
}

gboolean
eng_added_tokens_is_special (const EngAddedTokens *self,
                             int                   id)
{
  const Token *token = g_hash_table_lookup (self->by_id, GINT_TO_POINTER (id));

  return token && token->flags.special;
}

int
eng_added_tokens_get_n_entries (const EngAddedTokens *self)
{
  return self->n_entries;
}

void
eng_added_tokens_split (const EngAddedTokens    *self,
                        gboolean                 normalized,
                        const EngNormalizedChar *chars,
                        int                      n,
                        GArray                  *sections)
{
  const GPtrArray *patterns = self->patterns[normalized];
  int done = 0;

  for (int at = 0; at < n;) {
    const Token *token = match (patterns, &chars[at], n - at);
    int first = at;
    int end;

    if (!token) {
      at++;
      continue;
    }
    /* The search goes on behind the match itself, even if white space behind it was taken too. */
    at = end = first + token->pattern.n;
    if (token->flags.single_word && !stands_alone (chars, n, first, end))
      continue;
    while (token->flags.lstrip && first > done && eng_unicode_is_whitespace (chars[first - 1].c))
      first--;
    while (token->flags.rstrip && end < n && eng_unicode_is_whitespace (chars[end].c))
      end++;
    if (done < first)
      append_section (sections, done, first, -1);
    append_section (sections, first, end, token->id);
    done = end;
  }
  if (done < n)
    append_section (sections, done, n, -1);
}
