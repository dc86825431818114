/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/models/unigram.h"

#include <float.h>
#include <string.h>

#define UNKNOWN_PENALTY 10.0
#define MAX_BYTES_PER_CHARACTER 4

typedef struct {
  EngTokenModel    parent;
  EngUnigramPieces pieces;
  gboolean         shares_vocabulary; /* pieces.pieces is the parent's */
  int              byte_ids[256];     /* of <0x00> and so on; -1 = no such piece, or not wanted */
} Unigram;

/* The end of a piece: the best path that leads there. */
typedef struct {
  double score;  /* of the whole path */
  gsize  offset; /* in bytes of the word */
  int    start;  /* character at which the last piece begins; -1 = no path yet */
  int    piece;
} Node;

/* A word and its lattice. */
typedef struct {
  char *bytes; /* [nodes[n].offset] */
  Node *nodes; /* [n + 1] */
  int   n;     /* characters */
} Lattice;

typedef struct {
  int first;
  int end;
} Part;

static void
lattice_init (Lattice                 *self,
              const EngNormalizedChar *word,
              int                      n)
{
  gsize length = 0;

  self->bytes = g_malloc ((gsize) n * MAX_BYTES_PER_CHARACTER);
  self->nodes = g_new (Node, (gsize) n + 1);
  self->n = n;
  for (int i = 0; i <= n; i++) {
    self->nodes[i] = (Node) { .offset = length, .start = -1 };
    if (i < n)
      length += (gsize) g_unichar_to_utf8 (word[i].c, self->bytes + length);
  }
}

static void
lattice_clear (Lattice *self)
{
  g_free (self->bytes);
  g_free (self->nodes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lattice, lattice_clear)

/* A path over from that ends with one more piece, up to node. */
static void
offer (const EngUnigramPieces *pieces,
       const Node             *from,
       int                     start,
       int                     piece,
       double                  piece_score,
       Node                   *node)
{
  double score = from->score + piece_score;

  if (pieces->single_precision)
    score = (float) score;
  /* Of equal paths the first one stays. */
  if (node->start >= 0 && score <= node->score)
    return;

  node->score = score;
  node->start = start;
  node->piece = piece;
}

/* Offers all pieces that begin at a character. One walk hashes all of them; only lengths that end a
 * character are looked up. */
static void
extend (const EngUnigramPieces *pieces,
        Lattice                *lattice,
        int                     start)
{
  gsize longest = eng_vocabulary_get_max_length (pieces->pieces);
  const Node *from = &lattice->nodes[start];
  const char *bytes = lattice->bytes + from->offset;
  guint32 hash = ENG_HASH_START;
  gsize length = 0;
  gboolean spelt = FALSE;

  for (int end = start + 1; end <= lattice->n; end++) {
    Node *node = &lattice->nodes[end];
    int piece;

    if (node->offset - from->offset > longest)
      break;
    while (length < node->offset - from->offset)
      hash = eng_hash_byte (hash, (guint8) bytes[length++]);
    piece = eng_vocabulary_find_hashed (pieces->pieces, bytes, length, hash);
    if (piece < 0)
      continue;
    spelt |= end == start + 1;
    offer (pieces, from, start, piece, g_array_index (pieces->scores, double, piece), node);
  }
  if (!spelt)
    offer (pieces, from, start, pieces->unknown, pieces->unknown_score, &lattice->nodes[start + 1]);
}

/* The parts of the best path from the last to the first, unknown neighbours as one. */
static void
trace_back (const EngUnigramPieces *pieces,
            const Lattice          *lattice,
            GArray                 *parts)
{
  gboolean fusing = FALSE; /* a run of unknown ones goes on to the left */

  for (int end = lattice->n; end > 0; end = lattice->nodes[end].start) {
    const Node *node = &lattice->nodes[end];
    Part part = { node->start, end };

    if (node->piece == pieces->unknown && fusing)
      g_array_index (parts, Part, parts->len - 1).first = part.first;
    else
      g_array_append_val (parts, part);
    fusing = node->piece == pieces->unknown;
  }
}

/* Found by its text, as the library does it: what was put together of unknown characters may be in
 * the vocabulary after all. */
static int
find_part (const Unigram *self,
           const Lattice *lattice,
           Part           part)
{
  gsize offset = lattice->nodes[part.first].offset;

  return eng_vocabulary_find_length (self->parent.vocabulary, lattice->bytes + offset,
                                     lattice->nodes[part.end].offset - offset);
}

/* Whether there is a piece for each byte of what has none. */
static gboolean
has_bytes (const Unigram *self,
           const Lattice *lattice,
           Part           part)
{
  for (gsize i = lattice->nodes[part.first].offset; i < lattice->nodes[part.end].offset; i++)
    if (self->byte_ids[(guint8) lattice->bytes[i]] < 0)
      return FALSE;

  return TRUE;
}

static void
append_part (const Unigram           *self,
             const Lattice           *lattice,
             Part                     part,
             const EngNormalizedChar *word,
             GArray                  *pieces)
{
  EngPiece piece = {
    .id = find_part (self, lattice, part),
    .span = { word[part.first].origin.start, word[part.end - 1].origin.end },
  };

  if (piece.id >= 0 || !has_bytes (self, lattice, part)) {
    piece.id = piece.id >= 0 ? piece.id : self->parent.unknown_id;
    g_array_append_val (pieces, piece);
    return;
  }
  for (gsize i = lattice->nodes[part.first].offset; i < lattice->nodes[part.end].offset; i++) {
    piece.id = self->byte_ids[(guint8) lattice->bytes[i]];
    g_array_append_val (pieces, piece);
  }
}

static void
unigram_cut (const EngTokenModel     *model,
             const EngNormalizedChar *word,
             int                      n,
             GArray                  *pieces)
{
  const Unigram *self = (const Unigram *) model;
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_auto (Lattice) lattice;

  lattice_init (&lattice, word, n);
  for (int start = 0; start < n; start++)
    extend (&self->pieces, &lattice, start);
  trace_back (&self->pieces, &lattice, parts);
  for (guint i = parts->len; i > 0; i--)
    append_part (self, &lattice, g_array_index (parts, Part, i - 1), word, pieces);
}

static void
unigram_free (EngTokenModel *model)
{
  Unigram *self = (Unigram *) model;

  if (!self->shares_vocabulary)
    eng_vocabulary_free (self->parent.vocabulary);
  eng_unigram_pieces_clear (&self->pieces);
  g_free (self);
}

static void
find_bytes (Unigram  *self,
            gboolean  byte_fallback)
{
  for (int byte = 0; byte < 256; byte++) {
    g_autofree char *piece = g_strdup_printf ("<0x%02X>", (guint) byte);

    self->byte_ids[byte] = -1;
    if (byte_fallback)
      self->byte_ids[byte] = eng_vocabulary_find (self->parent.vocabulary, piece);
  }
}

static gboolean
refuse_entry (guint        n,
              const char  *what,
              GError     **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: entry %u of vocab is not a piece and its score, expected [\"piece\", -1.5]",
               what, n);

  return FALSE;
}

/* One ["piece", score]; the cursor stands behind its bracket. */
static gboolean
read_piece (EngJsonCursor     *cursor,
            const char        *what,
            EngUnigramPieces  *pieces,
            GError           **error)
{
  guint n = pieces->scores->len;

  if (eng_json_cursor_next (cursor) != ENG_JSON_STRING)
    return refuse_entry (n, what, error);
  eng_vocabulary_add (pieces->pieces, cursor->string, cursor->length, (int) n);
  if (eng_json_cursor_next (cursor) != ENG_JSON_NUMBER || !(ABS (cursor->number) <= DBL_MAX))
    return refuse_entry (n, what, error);
  g_array_append_val (pieces->scores, cursor->number);

  return eng_json_cursor_next (cursor) == ENG_JSON_LIST_END || refuse_entry (n, what, error);
}

static gboolean
read_pieces (EngJsonText        vocabulary,
             const char        *what,
             EngUnigramPieces  *pieces,
             GError           **error)
{
  g_auto (EngJsonCursor) cursor = { 0 };
  double lowest = DBL_MAX;
  EngJsonKind kind;

  if (!vocabulary.text || *vocabulary.text != '[') {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: no vocabulary, expected vocab to be a list of pieces and scores", what);
    return FALSE;
  }
  pieces->pieces = eng_vocabulary_new ();
  pieces->scores = g_array_new (FALSE, FALSE, sizeof (double));
  eng_json_cursor_init (&cursor, vocabulary);
  eng_json_cursor_next (&cursor);
  while ((kind = eng_json_cursor_next (&cursor)) == ENG_JSON_LIST)
    if (!read_piece (&cursor, what, pieces, error))
      return FALSE;
  if (kind != ENG_JSON_LIST_END)
    return refuse_entry (pieces->scores->len, what, error);
  for (guint i = 0; i < pieces->scores->len; i++)
    lowest = MIN (lowest, g_array_index (pieces->scores, double, i));
  pieces->unknown_score = eng_unigram_get_unknown_score (lowest);

  return eng_vocabulary_seal (pieces->pieces, what, error);
}

void
eng_unigram_pieces_clear (EngUnigramPieces *self)
{
  g_clear_pointer (&self->pieces, eng_vocabulary_free);
  g_clear_pointer (&self->scores, g_array_unref);
}

double
eng_unigram_get_unknown_score (double lowest)
{
  return lowest - UNKNOWN_PENALTY;
}

EngTokenModel *
eng_unigram_new (EngVocabulary    *vocabulary,
                 EngUnigramPieces *pieces,
                 int               unknown_id,
                 gboolean          byte_fallback)
{
  Unigram *self = g_new0 (Unigram, 1);

  self->parent.name = "Unigram";
  self->parent.vocabulary = vocabulary ? vocabulary : pieces->pieces;
  self->parent.unknown_id = unknown_id;
  self->parent.cut = unigram_cut;
  self->parent.free = unigram_free;
  self->shares_vocabulary = !vocabulary;
  self->pieces = *pieces;
  *pieces = (EngUnigramPieces) { 0 };
  find_bytes (self, byte_fallback);

  return &self->parent;
}

EngTokenModel *
eng_unigram_new_from_json (const EngModelSource  *source,
                           GError               **error)
{
  g_auto (EngUnigramPieces) pieces = { 0 };
  gint64 unknown = -1;
  gboolean byte_fallback = FALSE;
  const char *what = source->what;

  if (!eng_json_get_int (source->json, "unk_id", 0, G_MAXINT, what, &unknown, error) ||
      !eng_json_get_boolean (source->json, "byte_fallback", what, &byte_fallback, error) ||
      !read_pieces (source->vocabulary, what, &pieces, error))
    return NULL;
  if (unknown < 0 || unknown >= pieces.scores->len) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: unk_id is %" G_GINT64_FORMAT ", expected one of the %u pieces of Unigram",
                 what, unknown, pieces.scores->len);
    return NULL;
  }
  pieces.unknown = (int) unknown;

  return eng_unigram_new (NULL, &pieces, pieces.unknown, byte_fallback);
}
