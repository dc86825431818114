/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/models/symbol-bpe.h"

#include <string.h>

#define WORD_END "</w>"
#define CONTINUES "@@"
/* Among the merges' pieces, none of which has a space in it. */
#define UNKNOWN_SYMBOL " "

typedef struct {
  EngTokenModel  parent;
  EngTokenModel *merger; /* cuts words into the merges' pieces: symbols */
  int           *ids;    /* of the vocabulary, by symbol */
} SymbolBpe;

/* The merges' pieces while they are collected. */
typedef struct {
  const EngVocabulary *names;
  EngSymbolMarks       marks;
  int                  unknown_id;
  EngVocabulary       *symbols;
  GHashTable          *seen;    /* of char *, owned */
  GArray              *ids;     /* of int, by symbol */
} Collector;

static void
collector_clear (Collector *self)
{
  g_clear_pointer (&self->symbols, eng_vocabulary_free);
  g_hash_table_unref (self->seen);
  g_array_unref (self->ids);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

/* What the vocabulary calls a symbol. */
static char *
dup_name (EngSymbolMarks marks,
          const char    *symbol)
{
  if (marks == ENG_SYMBOL_MARKS_END)
    return g_strdup (symbol);
  if (g_str_has_suffix (symbol, WORD_END))
    return g_strndup (symbol, strlen (symbol) - strlen (WORD_END));

  return g_strconcat (symbol, CONTINUES, NULL);
}

static void
collect (Collector *self,
         char      *symbol)
{
  g_autofree char *owned = symbol;
  g_autofree char *name = dup_name (self->marks, symbol);
  int id = eng_vocabulary_find (self->names, name);

  if (g_hash_table_contains (self->seen, symbol))
    return;
  if (id < 0)
    id = self->unknown_id;
  eng_vocabulary_add (self->symbols, symbol, strlen (symbol), (int) self->ids->len);
  g_array_append_val (self->ids, id);
  g_hash_table_add (self->seen, g_steal_pointer (&owned));
}

/* The symbol that a piece of the vocabulary names; NULL where it has more than one character.
 * (transfer full) */
static char *
dup_character (EngSymbolMarks  marks,
               const char     *piece)
{
  const char *rest = piece && *piece ? g_utf8_next_char (piece) : NULL;

  if (!rest)
    return NULL;
  if (marks == ENG_SYMBOL_MARKS_END)
    return !*rest || g_str_equal (rest, WORD_END) ? g_strdup (piece) : NULL;
  if (!*rest)
    return g_strconcat (piece, WORD_END, NULL);

  return g_str_equal (rest, CONTINUES) ? g_strndup (piece, (gsize) (rest - piece)) : NULL;
}

/* Characters that the vocabulary has and no merge. */
static void
collect_characters (Collector *self)
{
  for (int id = 0; id < eng_vocabulary_get_n_entries (self->names); id++) {
    char *symbol = dup_character (self->marks, eng_vocabulary_get_piece (self->names, id));

    if (symbol)
      collect (self, symbol);
  }
}

static void
collect_merges (Collector    *self,
                const GArray *merges)
{
  for (guint i = 0; i < merges->len; i++) {
    const EngMergePair *pair = &g_array_index (merges, EngMergePair, i);

    collect (self, g_strndup (pair->left.text, pair->left.length));
    collect (self, g_strndup (pair->right.text, pair->right.length));
    collect (self, g_strdup_printf ("%.*s%.*s", (int) pair->left.length, pair->left.text,
                                    (int) pair->right.length, pair->right.text));
  }
}

static EngTokenModel *
make_merger (Collector     *symbols,
             const GArray  *merges,
             const char    *what,
             GError       **error)
{
  EngBpeOptions options = {
    .unknown_token = UNKNOWN_SYMBOL, .continuation = "", .word_end = WORD_END,
  };
  g_autoptr (EngTokenModel) merger = NULL;

  if (!eng_vocabulary_seal (symbols->symbols, what, error))
    return NULL;
  merger = eng_bpe_new (g_steal_pointer (&symbols->symbols), &options, what, error);
  for (guint i = 0; merger && i < merges->len; i++) {
    const EngMergePair *pair = &g_array_index (merges, EngMergePair, i);

    if (!eng_bpe_add_merge (merger, pair->left.text, pair->left.length, pair->right.text,
                            pair->right.length, what, error))
      return NULL;
  }

  return g_steal_pointer (&merger);
}

static void
symbol_bpe_cut (const EngTokenModel     *model,
                const EngNormalizedChar *chars,
                int                      n,
                GArray                  *pieces)
{
  const SymbolBpe *self = (const SymbolBpe *) model;
  guint first = pieces->len;

  self->merger->cut (self->merger, chars, n, pieces);
  for (guint i = first; i < pieces->len; i++) {
    EngPiece *piece = &g_array_index (pieces, EngPiece, i);

    piece->id = self->ids[piece->id];
  }
}

static void
symbol_bpe_free (EngTokenModel *model)
{
  SymbolBpe *self = (SymbolBpe *) model;

  eng_vocabulary_free (self->parent.vocabulary);
  eng_token_model_free (self->merger);
  g_free (self->ids);
  g_free (self);
}

EngTokenModel *
eng_symbol_bpe_new (EngVocabulary   *vocabulary,
                    EngSymbolMarks   marks,
                    const char      *unknown_token,
                    const GArray    *merges,
                    const char      *what,
                    GError         **error)
{
  g_autoptr (EngVocabulary) owned = vocabulary;
  g_auto (Collector) symbols = {
    .names = vocabulary,
    .marks = marks,
    .unknown_id = eng_vocabulary_find (vocabulary, unknown_token),
    .symbols = eng_vocabulary_new (),
    .seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .ids = g_array_new (FALSE, FALSE, sizeof (int)),
  };
  EngTokenModel *merger;
  SymbolBpe *self;

  if (symbols.unknown_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary has no %s, the unknown token of BPE", what, unknown_token);
    return NULL;
  }
  collect (&symbols, g_strdup (UNKNOWN_SYMBOL));
  collect_characters (&symbols);
  collect_merges (&symbols, merges);
  merger = make_merger (&symbols, merges, what, error);
  if (!merger)
    return NULL;

  self = g_new0 (SymbolBpe, 1);
  self->parent.name = "BPE";
  self->parent.vocabulary = g_steal_pointer (&owned);
  self->parent.unknown_id = symbols.unknown_id;
  self->parent.cut = symbol_bpe_cut;
  self->parent.free = symbol_bpe_free;
  self->merger = merger;
  self->ids = g_memdup2 (symbols.ids->data, symbols.ids->len * sizeof (int));

  return &self->parent;
}
