/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/word-links.h"

#include "engine/base/error.h"
#include "ui/document/bidi.h"
#include "ui/scene/numbers/block.h"
#include "ui/scene/numbers/word-pieces.h"

char *
ui_word_fold (const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  return g_strstrip (g_utf8_normalize (folded, -1, G_NORMALIZE_NFC));
}

/* first: the first token of a word. */
typedef void (*WordFunc) (int         first,
                          const char *spelling,
                          gpointer    data);

/* Of the unknown token what was typed is the spelling that a person knows. */
static const char *
get_text (const EngTokens *tokens,
          int              token)
{
  return tokens->typed[token] != NULL ? tokens->typed[token] : tokens->texts[token];
}

static void
foreach_word (const EngTokens *tokens,
              WordFunc         func,
              gpointer         data)
{
  g_autofree guint8 *continues = ui_word_pieces_mark_rest (tokens);

  for (int first = 0, end; first < tokens->n; first = end) {
    g_autoptr (GString) text = g_string_new (get_text (tokens, first));
    g_autofree char *spelling = NULL;

    for (end = first + 1; end < tokens->n && continues[end]; end++)
      g_string_append (text, get_text (tokens, end)
                             + (ui_word_pieces_has_mark (tokens->texts[end]) ? 2 : 0));
    if (tokens->special[first] || tokens->padding[first])
      continue;
    spelling = ui_word_fold (text->str);
    if (spelling[0] != '\0')
      func (first, spelling, data);
  }
}

/* One word. */

static void
collect_spelling (int         first,
                  const char *spelling,
                  gpointer    data)
{
  g_ptr_array_add (data, g_strdup (spelling));
}

char *
ui_word_spelling_from_tokens (const EngTokens  *tokens,
                              const char       *typed,
                              GError          **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *quoted = ui_bidi_quote (typed);
  g_autofree char *first = NULL;

  foreach_word (tokens, collect_spelling, words);
  if (words->len == 1)
    return g_strdup (g_ptr_array_index (words, 0));

  if (words->len == 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "%s is no word to this model, expected one",
                 quoted);
    return NULL;
  }
  first = ui_bidi_quote (g_ptr_array_index (words, 0));
  g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
               "%s is %u words to this model, %s the first of them, expected one", quoted,
               words->len, first);

  return NULL;
}

/* Words of a spelling. */

typedef struct {
  const char *spelling;
  GArray     *found;
} Finding;

static gboolean
has_letter (const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_isalnum (g_utf8_get_char (at)))
      return TRUE;

  return FALSE;
}

static void
find_word (int         first,
           const char *spelling,
           gpointer    data)
{
  Finding *finding = data;

  if (finding->spelling != NULL ? g_str_equal (spelling, finding->spelling) : has_letter (spelling))
    g_array_append_val (finding->found, first);
}

GArray *
ui_words_find (const EngTokens *tokens,
               const char      *spelling)
{
  Finding finding = { spelling, g_array_new (FALSE, FALSE, sizeof (int)) };

  foreach_word (tokens, find_word, &finding);

  return finding.found;
}

/* Links. */

static int
get_row (const int *rows,
         int        token)
{
  return rows != NULL ? rows[token] : token;
}

/* The strongest link of a head; FALSE when no word sees another. */
static gboolean
find_strongest (const UiBlock *block,
                gboolean       reads_itself,
                const GArray  *from,
                const GArray  *to,
                EngFoundLink  *link)
{
  const EngAttention *attention = block->attention;
  gboolean is_found = FALSE;

  for (guint i = 0; i < from->len; i++) {
    int query = g_array_index (from, int, i);
    gsize row = (gsize) get_row (block->query_rows, query);
    const guint8 *seen = eng_attention_get_mask (attention, link->head, (int) row);

    for (guint j = 0; j < to->len; j++) {
      int key = g_array_index (to, int, j);
      gsize cell = row * (gsize) attention->n_keys + (gsize) get_row (block->key_columns, key);
      gsize n = (gsize) attention->n_queries * (gsize) attention->n_keys;
      double weight = (double) attention->weights[(gsize) link->head * n + cell];

      if ((reads_itself && query == key)
          || (seen != NULL && !seen[get_row (block->key_columns, key)])
          || (is_found && weight <= link->value))
        continue;
      is_found = TRUE;
      link->query = query;
      link->key = key;
      link->value = weight;
    }
  }

  return is_found;
}

GArray *
ui_word_links_find (EngTrace      *trace,
                    EngKind        kind,
                    const GArray  *from,
                    const GArray  *to,
                    const gint    *cancel,
                    GError       **error)
{
  gboolean reads_itself = eng_trace_get_query_tokens (trace, kind)
                          == eng_trace_get_key_tokens (trace, kind);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (EngFoundLink));
  g_autoptr (UiDocument) document = ui_document_new ();

  document->words = TRUE;
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    UiBlock block = { 0 };

    if (cancel != NULL && g_atomic_int_get (cancel)) {
      g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the search was cancelled");
      return NULL;
    }
    if (!eng_trace_has_layer (trace, kind, layer))
      continue;
    if (!ui_block_init (&block, trace, document, kind, layer, error))
      return NULL;
    for (int head = 0; head < block.attention->n_heads; head++) {
      EngFoundLink link = { .layer = layer, .head = head };

      if (find_strongest (&block, reads_itself, from, to, &link))
        g_array_append_val (links, link);
    }
    ui_block_clear (&block);
  }

  return g_steal_pointer (&links);
}
