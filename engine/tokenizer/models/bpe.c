/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/models/bpe.h"

#include "engine/tokenizer/models/merge-table.h"

#include <string.h>

/* Words of ordinary texts are cut without the allocator. */
#define FEW_SYMBOLS 64
#define MAX_BYTES_PER_CHARACTER 4

typedef struct {
  EngTokenModel parent;
  char         *continuation;
  gsize         continuation_length;
  char         *word_end;
  gboolean      fuse_unknown;
  gboolean      byte_fallback;
  gboolean      ignore_merges;
  int           byte_ids[256]; /* of <0x00> and so on; -1 = no such piece */
  EngMergeTable merges;
  guint32       n_merges; /* the rank of the next one */
  GString      *merged;   /* scratch while merges are added */
} Bpe;

/* A piece of the word that is being cut, linked to its neighbours that are left. */
typedef struct {
  int id;
  int length;   /* bytes of the word; 0 = merged into the one before */
  int previous; /* -1 = none */
  int next;
} Symbol;

/* A merge that was possible when it was put into the queue. */
typedef struct {
  guint32 rank;
  int     position; /* of the left symbol */
  int     id;
} Candidate;

typedef struct {
  Symbol    *symbols; /* [n] */
  int        n;
  Candidate *heap;    /* [n_heap] the first is the next to be done */
  int        n_heap;
  Symbol     few_symbols[FEW_SYMBOLS];
  Candidate  few_candidates[FEW_SYMBOLS * 3];
} Word;

static gboolean
comes_before (const Candidate *a,
              const Candidate *b)
{
  return a->rank != b->rank ? a->rank < b->rank : a->position < b->position;
}

static void
push (Word      *word,
      Candidate  candidate)
{
  int at = word->n_heap++;

  for (int parent = (at - 1) / 2;
       at > 0 && comes_before (&candidate, &word->heap[parent]);
       parent = (at - 1) / 2) {
    word->heap[at] = word->heap[parent];
    at = parent;
  }
  word->heap[at] = candidate;
}

static Candidate
pop (Word *word)
{
  Candidate top = word->heap[0];
  Candidate last = word->heap[--word->n_heap];
  int at = 0;

  for (int child = 1; child < word->n_heap; child = 2 * at + 1) {
    if (child + 1 < word->n_heap && comes_before (&word->heap[child + 1], &word->heap[child]))
      child++;
    if (!comes_before (&word->heap[child], &last))
      break;
    word->heap[at] = word->heap[child];
    at = child;
  }
  word->heap[at] = last;

  return top;
}

/* The pair whose left symbol stands at position, if it may be merged. */
static void
consider (const Bpe *self,
          Word      *word,
          int        position)
{
  const Symbol *left = &word->symbols[position];
  const EngMerge *merge;

  if (left->next < 0)
    return;
  merge = eng_merge_table_find (&self->merges, left->id, word->symbols[left->next].id);
  if (merge)
    push (word, (Candidate) { merge->rank, position, merge->id });
}

/* Each merge takes one symbol away and makes at most two candidates: n symbols have at most
 * (n - 1) + 2 (n - 1) of them. */
static void
merge_all (const Bpe *self,
           Word      *word)
{
  for (int i = 0; i < word->n; i++)
    consider (self, word, i);

  while (word->n_heap > 0) {
    Candidate top = pop (word);
    Symbol *left = &word->symbols[top.position];
    const EngMerge *merge;
    Symbol *right;

    if (left->length == 0 || left->next < 0)
      continue;
    right = &word->symbols[left->next];
    merge = eng_merge_table_find (&self->merges, left->id, right->id);
    /* The neighbours may have changed since. */
    if (!merge || merge->id != top.id)
      continue;

    left->id = top.id;
    left->length += right->length;
    left->next = right->next;
    right->length = 0;
    if (left->next >= 0)
      word->symbols[left->next].previous = top.position;
    if (left->previous >= 0)
      consider (self, word, left->previous);
    consider (self, word, top.position);
  }
}

static void
append_symbol (Word *word,
               int   id,
               int   length)
{
  int at = word->n++;

  word->symbols[at] = (Symbol) { id, length, at - 1, -1 };
  if (at > 0)
    word->symbols[at - 1].next = at;
}

/* FALSE when there is no piece for one of the bytes. */
static gboolean
append_bytes (const Bpe  *self,
              Word       *word,
              const char *bytes,
              gsize       length)
{
  if (!self->byte_fallback)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (self->byte_ids[(guint8) bytes[i]] < 0)
      return FALSE;
  for (gsize i = 0; i < length; i++)
    append_symbol (word, self->byte_ids[(guint8) bytes[i]], 1);

  return TRUE;
}

/* The characters of the word, each looked up with its prefix and suffix. An unknown token waits for
 * the next character that is known, as it does in the library: bytes may overtake it. */
static void
spell (const Bpe               *self,
       const EngNormalizedChar *chars,
       int                      n,
       Word                    *word)
{
  g_autoptr (GString) piece = g_string_new (NULL);
  int unknown_length = 0;

  for (int i = 0; i < n; i++) {
    int length = g_unichar_to_utf8 (chars[i].c, NULL);
    int id;

    g_string_assign (piece, i > 0 ? self->continuation : "");
    g_string_append_unichar (piece, chars[i].c);
    if (i == n - 1)
      g_string_append (piece, self->word_end);
    id = eng_vocabulary_find_length (self->parent.vocabulary, piece->str, piece->len);

    if (id < 0 && append_bytes (self, word, piece->str, piece->len))
      continue;
    if (unknown_length > 0 && (id >= 0 || !self->fuse_unknown)) {
      append_symbol (word, self->parent.unknown_id, unknown_length);
      unknown_length = 0;
    }
    if (id >= 0)
      append_symbol (word, id, length);
    else if (self->parent.unknown_id >= 0)
      unknown_length += length;
  }
  if (unknown_length > 0)
    append_symbol (word, self->parent.unknown_id, unknown_length);
}

/* Lengths are counted in bytes from the start of the word, as the library does: behind a character
 * that was dropped the spans lag. */
static void
append_pieces (const Word              *word,
               const EngNormalizedChar *chars,
               int                      n,
               GArray                  *pieces)
{
  int at = 0;      /* the character that byte stands in */
  int char_end = g_unichar_to_utf8 (chars[0].c, NULL);
  int byte = 0;

  for (int i = 0; i < word->n; i++) {
    EngPiece piece = { .id = word->symbols[i].id };

    if (word->symbols[i].length == 0)
      continue;
    while (byte >= char_end && at + 1 < n)
      char_end += g_unichar_to_utf8 (chars[++at].c, NULL);
    piece.span.start = chars[at].origin.start;
    byte += word->symbols[i].length;
    while (byte > char_end && at + 1 < n)
      char_end += g_unichar_to_utf8 (chars[++at].c, NULL);
    piece.span.end = chars[at].origin.end;
    g_array_append_val (pieces, piece);
  }
}

static int
find_whole (const Bpe               *self,
            const EngNormalizedChar *chars,
            int                      n)
{
  gsize longest = eng_vocabulary_get_max_length (self->parent.vocabulary);
  guint32 hash = ENG_HASH_START;
  g_autoptr (GString) whole = NULL;

  if ((gsize) n > longest)
    return -1;
  whole = g_string_sized_new ((gsize) n * MAX_BYTES_PER_CHARACTER);
  for (int i = 0; i < n; i++)
    g_string_append_unichar (whole, chars[i].c);
  for (gsize i = 0; i < whole->len; i++)
    hash = eng_hash_byte (hash, (guint8) whole->str[i]);

  return eng_vocabulary_find_hashed (self->parent.vocabulary, whole->str, whole->len, hash);
}

static void
bpe_cut (const EngTokenModel     *model,
         const EngNormalizedChar *chars,
         int                      n,
         GArray                  *pieces)
{
  const Bpe *self = (const Bpe *) model;
  int whole = self->ignore_merges ? find_whole (self, chars, n) : -1;
  g_autofree Symbol *many_symbols = NULL;
  g_autofree Candidate *many_candidates = NULL;
  gsize max_symbols;
  Word word;

  if (whole >= 0) {
    EngPiece piece = { whole, { chars[0].origin.start, chars[n - 1].origin.end } };

    g_array_append_val (pieces, piece);
    return;
  }

  /* A character becomes one symbol, or one for each byte of it, its prefix and its suffix. */
  max_symbols = self->byte_fallback
    ? (gsize) n * (MAX_BYTES_PER_CHARACTER + self->continuation_length) + strlen (self->word_end)
    : (gsize) n;
  word.n = word.n_heap = 0;
  word.symbols = word.few_symbols;
  word.heap = word.few_candidates;
  if (max_symbols > FEW_SYMBOLS) {
    word.symbols = many_symbols = g_new (Symbol, max_symbols);
    word.heap = many_candidates = g_new (Candidate, max_symbols * 3);
  }
  spell (self, chars, n, &word);
  merge_all (self, &word);
  append_pieces (&word, chars, n, pieces);
}

static void
bpe_free (EngTokenModel *model)
{
  Bpe *self = (Bpe *) model;

  eng_vocabulary_free (self->parent.vocabulary);
  eng_merge_table_clear (&self->merges);
  g_string_free (self->merged, TRUE);
  g_free (self->continuation);
  g_free (self->word_end);
  g_free (self);
}

static gboolean
refuse_merge (guint32        rank,
              const char    *what,
              GError       **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: merge %u is not two pieces, "
               "expected \"a b\" with one space, or a list of two", what, rank);

  return FALSE;
}

/* "a b", as old files have it, where a line with a version may stand among the merges. */
static gboolean
read_joined_merge (Bpe                  *self,
                   const EngJsonCursor  *cursor,
                   const char           *what,
                   GError              **error)
{
  const char *left = cursor->string;
  const char *space = memchr (left, ' ', cursor->length);
  gsize left_length = space ? (gsize) (space - left) : 0;
  gsize right_length = space ? cursor->length - left_length - 1 : 0;

  if (cursor->length >= strlen ("#version") && memcmp (left, "#version", strlen ("#version")) == 0)
    return TRUE;
  if (!space || memchr (space + 1, ' ', right_length))
    return refuse_merge (self->n_merges, what, error);

  return eng_bpe_add_merge (&self->parent, left, left_length, space + 1, right_length, what, error);
}

/* ["a", "b"]; the cursor stands behind the bracket. */
static gboolean
read_merge_list (Bpe            *self,
                 EngJsonCursor  *cursor,
                 const char     *what,
                 GError        **error)
{
  g_autofree char *left = NULL;
  gsize left_length;

  if (eng_json_cursor_next (cursor) != ENG_JSON_STRING)
    return refuse_merge (self->n_merges, what, error);
  left = g_strndup (cursor->string, cursor->length);
  left_length = cursor->length;
  if (eng_json_cursor_next (cursor) != ENG_JSON_STRING)
    return refuse_merge (self->n_merges, what, error);
  if (!eng_bpe_add_merge (&self->parent, left, left_length, cursor->string, cursor->length, what,
                          error))
    return FALSE;

  return eng_json_cursor_next (cursor) == ENG_JSON_LIST_END ||
         refuse_merge (self->n_merges - 1, what, error);
}

static gboolean
read_merges (Bpe          *self,
             EngJsonText   merges,
             const char   *what,
             GError      **error)
{
  g_auto (EngJsonCursor) cursor = { 0 };
  EngJsonKind kind;

  if (!merges.text || *merges.text != '[') {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: no merges, expected a list of pairs of pieces", what);
    return FALSE;
  }
  eng_json_cursor_init (&cursor, merges);
  eng_json_cursor_next (&cursor);
  while ((kind = eng_json_cursor_next (&cursor)) != ENG_JSON_LIST_END) {
    if (kind != ENG_JSON_STRING && kind != ENG_JSON_LIST)
      return refuse_merge (self->n_merges, what, error);
    if (!(kind == ENG_JSON_STRING ? read_joined_merge (self, &cursor, what, error)
                                  : read_merge_list (self, &cursor, what, error)))
      return FALSE;
  }

  return TRUE;
}

/* With dropout merges are left out at random: the same text would have other tokens each time. */
static gboolean
check_dropout (const cJSON  *json,
               const char   *what,
               GError      **error)
{
  double dropout = 0;

  if (!eng_json_get_double (json, "dropout", what, &dropout, error))
    return FALSE;
  if (dropout == 0)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: the model drops merges at random (dropout), expected none or 0", what);

  return FALSE;
}

static int
find_piece (const Bpe   *self,
            const char  *piece,
            gsize        length,
            const char  *what,
            GError     **error)
{
  int id = eng_vocabulary_find_length (self->parent.vocabulary, piece, length);

  if (id < 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary has no \"%.*s\", a piece of merge %u",
                 what, (int) MIN (length, 80), piece, self->n_merges);

  return id;
}

EngTokenModel *
eng_bpe_new (EngVocabulary        *vocabulary,
             const EngBpeOptions  *options,
             const char           *what,
             GError              **error)
{
  g_autoptr (EngVocabulary) owned = vocabulary;
  Bpe *self;
  int unknown_id = -1;

  if (options->unknown_token) {
    unknown_id = eng_vocabulary_find (vocabulary, options->unknown_token);
    if (unknown_id < 0) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                   "%s: the vocabulary has no %s, the unknown token of BPE",
                   what, options->unknown_token);
      return NULL;
    }
  }

  self = g_new0 (Bpe, 1);
  self->parent.name = "BPE";
  self->parent.vocabulary = g_steal_pointer (&owned);
  self->parent.unknown_id = unknown_id;
  self->parent.cut = bpe_cut;
  self->parent.free = bpe_free;
  self->continuation = g_strdup (options->continuation);
  self->continuation_length = strlen (options->continuation);
  self->word_end = g_strdup (options->word_end);
  self->fuse_unknown = options->fuse_unknown;
  self->byte_fallback = options->byte_fallback;
  self->ignore_merges = options->ignore_merges;
  self->merged = g_string_new (NULL);
  for (int byte = 0; byte < 256; byte++) {
    char piece[8];

    g_snprintf (piece, sizeof piece, "<0x%02X>", byte);
    self->byte_ids[byte] = eng_vocabulary_find (vocabulary, piece);
  }

  return &self->parent;
}

gboolean
eng_bpe_add_merge (EngTokenModel  *model,
                   const char     *left,
                   gsize           left_length,
                   const char     *right,
                   gsize           right_length,
                   const char     *what,
                   GError        **error)
{
  Bpe *self = (Bpe *) model;
  EngMerge merge = { .rank = self->n_merges };
  /* What goes on with a word loses its prefix where it is put behind another piece. */
  gsize skipped = MIN (self->continuation_length, right_length);

  merge.left = find_piece (self, left, left_length, what, error);
  if (merge.left < 0)
    return FALSE;
  merge.right = find_piece (self, right, right_length, what, error);
  if (merge.right < 0)
    return FALSE;
  g_string_truncate (self->merged, 0);
  g_string_append_len (self->merged, left, (gssize) left_length);
  g_string_append_len (self->merged, right + skipped, (gssize) (right_length - skipped));
  merge.id = find_piece (self, self->merged->str, self->merged->len, what, error);
  if (merge.id < 0)
    return FALSE;
  eng_merge_table_add (&self->merges, &merge);
  self->n_merges++;

  return TRUE;
}

gboolean
eng_bpe_add_merges_of (EngTokenModel  *model,
                       const char     *piece,
                       const char     *what,
                       GError        **error)
{
  gsize length = strlen (piece);

  for (const char *cut = g_utf8_next_char (piece); *piece && *cut; cut = g_utf8_next_char (cut)) {
    gsize left = (gsize) (cut - piece);

    if (eng_vocabulary_find_length (model->vocabulary, piece, left) >= 0 &&
        eng_vocabulary_find_length (model->vocabulary, cut, length - left) >= 0 &&
        !eng_bpe_add_merge (model, piece, left, cut, length - left, what, error))
      return FALSE;
  }

  return TRUE;
}

EngTokenModel *
eng_bpe_new_from_json (const EngModelSource  *source,
                       GError               **error)
{
  const cJSON *json = source->json;
  const char *what = source->what;
  EngBpeOptions options = { .continuation = "", .word_end = "" };
  g_autoptr (EngVocabulary) vocabulary = NULL;
  g_autoptr (EngTokenModel) model = NULL;

  if (!eng_json_get_string (json, "unk_token", what, &options.unknown_token, error) ||
      !eng_json_get_string (json, "continuing_subword_prefix", what, &options.continuation,
                            error) ||
      !eng_json_get_string (json, "end_of_word_suffix", what, &options.word_end, error) ||
      !eng_json_get_boolean (json, "fuse_unk", what, &options.fuse_unknown, error) ||
      !eng_json_get_boolean (json, "byte_fallback", what, &options.byte_fallback, error) ||
      !eng_json_get_boolean (json, "ignore_merges", what, &options.ignore_merges, error) ||
      !check_dropout (json, what, error))
    return NULL;
  vocabulary = eng_vocabulary_new_from_json (source->vocabulary, what, error);
  if (!vocabulary)
    return NULL;
  model = eng_bpe_new (g_steal_pointer (&vocabulary), &options, what, error);
  if (!model || !read_merges ((Bpe *) model, source->merges, what, error))
    return NULL;

  return g_steal_pointer (&model);
}
