/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/models/wordpiece.h"

#include <string.h>

/* Words of ordinary texts are cut without the allocator. */
#define BUFFER_SIZE 512
#define MAX_BYTES_PER_CHARACTER 4

typedef struct {
  EngTokenModel parent;
  char         *continuation;
  gsize         continuation_length;
  int           max_word_length;
} Wordpiece;

/* A word as bytes, with room for the continuation prefix in front of it. */
typedef struct {
  char *bytes;   /* [prefix + length] */
  gsize prefix;
  gsize length;
  char  buffer[BUFFER_SIZE];
} WordBytes;

static void
word_bytes_init (WordBytes               *self,
                 const Wordpiece *model,
                 const EngNormalizedChar *word,
                 int                      n)
{
  gsize size = model->continuation_length + (gsize) n * MAX_BYTES_PER_CHARACTER;

  self->bytes = size <= BUFFER_SIZE ? self->buffer : g_malloc (size);
  self->prefix = model->continuation_length;
  self->length = 0;
  for (int i = 0; i < n; i++) {
    char *end = self->bytes + self->prefix + self->length;

    self->length += (gsize) g_unichar_to_utf8 (word[i].c, end);
  }
}

static void
word_bytes_clear (WordBytes *self)
{
  if (self->bytes != self->buffer)
    g_free (self->bytes);
}

/* The longest piece that bytes [start, length) of the word begin with; its id and end, or -1.
 * The hashes of all prefixes come from one walk; only those of pieces that could exist are
 * looked up. */
static int
find_longest (const Wordpiece *self,
              WordBytes       *word,
              gsize            start,
              gsize           *end)
{
  gsize prefix = start > 0 ? word->prefix : 0;
  char *piece = word->bytes + word->prefix + start - prefix;
  gsize longest_piece = eng_vocabulary_get_max_length (self->parent.vocabulary);
  gsize length = MIN (prefix + word->length - start, longest_piece);
  guint32 hash = ENG_HASH_START;
  int longest = -1;

  /* What stands here has been cut off already, or is the room in front. */
  memcpy (piece, self->continuation, prefix);

  for (gsize i = 0; i < length; i++) {
    gsize piece_end = start + i + 1 - prefix;
    int id;

    hash = eng_hash_byte (hash, (guint8) piece[i]);
    /* A character ends where the next one begins: bytes 10xxxxxx go on. */
    if (i < prefix || (piece_end < word->length && ((guint8) piece[i + 1] & 0xc0) == 0x80))
      continue;
    id = eng_vocabulary_find_hashed (self->parent.vocabulary, piece, i + 1, hash);
    if (id < 0)
      continue;
    longest = id;
    *end = piece_end;
  }

  return longest;
}

static void
append_unknown (const Wordpiece *self,
                const EngNormalizedChar *word,
                int                      n,
                GArray                  *pieces)
{
  EngPiece piece = { self->parent.unknown_id, { word[0].origin.start, word[n - 1].origin.end } };

  g_array_append_val (pieces, piece);
}

/* FALSE when a rest of the word begins with no piece at all. */
static gboolean
cut_known (const Wordpiece *self,
           WordBytes               *bytes,
           const EngNormalizedChar *word,
           GArray                  *pieces)
{
  int first = 0;
  gsize end = 0;

  for (gsize start = 0; start < bytes->length; start = end) {
    EngPiece piece = { .id = find_longest (self, bytes, start, &end) };
    int last = first;
    gsize n_bytes = 0;

    if (piece.id < 0)
      return FALSE;
    while ((n_bytes += (gsize) g_unichar_to_utf8 (word[last].c, NULL)) < end - start)
      last++;
    piece.span = (EngSpan) { word[first].origin.start, word[last].origin.end };
    g_array_append_val (pieces, piece);
    first = last + 1;
  }

  return TRUE;
}

static void
wordpiece_cut (const EngTokenModel     *model,
               const EngNormalizedChar *word,
               int                      n,
               GArray                  *pieces)
{
  const Wordpiece *self = (const Wordpiece *) model;
  guint n_before = pieces->len;
  WordBytes bytes;

  if (n > self->max_word_length) {
    append_unknown (self, word, n, pieces);
    return;
  }

  word_bytes_init (&bytes, self, word, n);
  if (!cut_known (self, &bytes, word, pieces)) {
    g_array_set_size (pieces, n_before);
    append_unknown (self, word, n, pieces);
  }
  word_bytes_clear (&bytes);
}

static void
wordpiece_free (EngTokenModel *model)
{
  Wordpiece *self = (Wordpiece *) model;

  eng_vocabulary_free (self->parent.vocabulary);
  g_free (self->continuation);
  g_free (self);
}

EngTokenModel *
eng_wordpiece_new (EngVocabulary              *vocabulary,
                   const EngWordpieceOptions  *options,
                   const char                 *what,
                   GError                    **error)
{
  Wordpiece *self;
  int unknown_id = eng_vocabulary_find (vocabulary, options->unknown_token);

  if (unknown_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary has no %s, the unknown token of WordPiece",
                 what, options->unknown_token);
    eng_vocabulary_free (vocabulary);
    return NULL;
  }

  self = g_new0 (Wordpiece, 1);
  self->parent.name = "WordPiece";
  self->parent.vocabulary = vocabulary;
  self->parent.cut = wordpiece_cut;
  self->parent.free = wordpiece_free;
  self->parent.unknown_id = unknown_id;
  self->continuation = g_strdup (options->continuation);
  self->continuation_length = strlen (options->continuation);
  self->max_word_length = options->max_word_length;

  return &self->parent;
}

EngTokenModel *
eng_wordpiece_new_from_json (const EngModelSource  *source,
                             GError               **error)
{
  const cJSON *json = source->json;
  const char *what = source->what;
  g_autoptr (EngVocabulary) vocabulary = NULL;
  EngWordpieceOptions options = { "[UNK]", "##", 100 };
  gint64 max_word_length = options.max_word_length;

  if (!eng_json_get_string (json, "unk_token", what, &options.unknown_token, error) ||
      !eng_json_get_string (json, "continuing_subword_prefix", what, &options.continuation,
                            error) ||
      !eng_json_get_int (json, "max_input_chars_per_word", 1, G_MAXINT, what, &max_word_length,
                         error))
    return NULL;
  options.max_word_length = (int) max_word_length;
  vocabulary = eng_vocabulary_new_from_json (source->vocabulary, what, error);
  if (!vocabulary)
    return NULL;

  return eng_wordpiece_new (g_steal_pointer (&vocabulary), &options, what, error);
}
