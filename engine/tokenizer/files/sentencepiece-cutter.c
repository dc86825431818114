/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/sentencepiece-cutter.h"

#include "engine/tokenizer/base/vocabulary.h"
#include "engine/tokenizer/models/bpe.h"
#include "engine/tokenizer/models/unigram.h"
#include "engine/tokenizer/normalizers/sentencepiece-normalizer.h"

#include <float.h>
#include <string.h>

#define MAX_VOCABULARY_BYTES (64 << 20)
#define MAX_VOCABULARY_DEPTH 4
/* A user-defined piece scores this for each byte but one, whatever its own score, so that it wins:
 * found by trying sentencepiece 0.2.3. */
#define USER_DEFINED_SCORE 0.1

typedef struct {
  EngTokenModel  parent;
  EngTokenModel *model;      /* a unigram one has the parent's vocabulary */
  gint32        *ids;        /* of the pieces of a BPE model, which has its own; NULL = unigram */
  EngNormalizer *normalizer;
} Cutter;

static void
cutter_cut (const EngTokenModel     *model,
            const EngNormalizedChar *word,
            int                      n,
            GArray                  *pieces)
{
  const Cutter *self = (const Cutter *) model;
  guint first = pieces->len;
  g_auto (EngNormalized) text = { 0 };

  eng_normalized_append_chars (&text, word, n);
  self->normalizer->normalize (self->normalizer, &text);
  if (text.n > 0)
    self->model->cut (self->model, text.chars, text.n, pieces);
  for (guint i = first; self->ids && i < pieces->len; i++) {
    EngPiece *piece = &g_array_index (pieces, EngPiece, i);

    piece->id = self->ids[piece->id];
  }
}

static void
cutter_free (EngTokenModel *model)
{
  Cutter *self = (Cutter *) model;

  eng_token_model_free (self->model);
  if (self->ids)
    eng_vocabulary_free (self->parent.vocabulary);
  g_free (self->ids);
  eng_normalizer_free (self->normalizer);
  g_free (self);
}

/* The pieces that sentencepiece cuts texts into, with the scores that it gives them. */
static gboolean
list_pieces (const EngSentencepieceFile  *file,
             const char                  *what,
             EngUnigramPieces            *pieces,
             GError                     **error)
{
  float lowest = FLT_MAX;

  for (guint i = 0; i < file->pieces->len; i++) {
    const EngSentencepiece *piece = &g_array_index (file->pieces, EngSentencepiece, i);

    if (piece->type == ENG_SENTENCEPIECE_NORMAL)
      lowest = MIN (lowest, piece->score);
  }
  pieces->pieces = eng_vocabulary_new ();
  pieces->scores = g_array_new (FALSE, FALSE, sizeof (double));
  pieces->single_precision = TRUE;
  pieces->unknown = -1;
  pieces->unknown_score = (float) eng_unigram_get_unknown_score (lowest);
  for (guint i = 0; i < file->pieces->len; i++) {
    const EngSentencepiece *piece = &g_array_index (file->pieces, EngSentencepiece, i);
    gboolean user_defined = piece->type == ENG_SENTENCEPIECE_USER_DEFINED;
    gsize length = strlen (piece->text);
    double score = user_defined ? (float) ((length - 1) * USER_DEFINED_SCORE) : piece->score;

    if (!user_defined && piece->type != ENG_SENTENCEPIECE_NORMAL)
      continue;
    eng_vocabulary_add (pieces->pieces, piece->text, length, (int) pieces->scores->len);
    g_array_append_val (pieces->scores, score);
  }

  return eng_vocabulary_seal (pieces->pieces, what, error);
}

static int
compare_scores (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const GArray *pieces = data;
  float one = g_array_index (pieces, EngSentencepiece, *(const guint *) a).score;
  float other = g_array_index (pieces, EngSentencepiece, *(const guint *) b).score;

  return one > other ? -1 : one < other;
}

/* The pieces that others merge into, the highest score first. */
static GArray *
sort_pieces (const EngSentencepieceFile *file)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < file->pieces->len; i++)
    if (g_array_index (file->pieces, EngSentencepiece, i).type == ENG_SENTENCEPIECE_NORMAL)
      g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_scores, file->pieces);

  return order;
}

static gboolean
add_merges (const EngSentencepieceFile  *file,
            EngTokenModel               *model,
            const char                  *what,
            GError                     **error)
{
  g_autoptr (GArray) order = sort_pieces (file);

  for (guint i = 0; i < order->len; i++) {
    guint piece = g_array_index (order, guint, i);

    if (!eng_bpe_add_merges_of (model, g_array_index (file->pieces, EngSentencepiece, piece).text,
                                what, error))
      return FALSE;
  }

  return TRUE;
}

/* Those that texts are cut into, and the unknown one; the numbers are the file's. */
static EngVocabulary *
list_bpe_pieces (const EngSentencepieceFile  *file,
                 const char                  *what,
                 GError                     **error)
{
  g_autoptr (EngVocabulary) pieces = eng_vocabulary_new ();

  for (guint i = 0; i < file->pieces->len; i++) {
    const EngSentencepiece *piece = &g_array_index (file->pieces, EngSentencepiece, i);

    if (piece->type == ENG_SENTENCEPIECE_USER_DEFINED ||
        piece->type == ENG_SENTENCEPIECE_UNUSED) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                   "%s: the piece %s of a BPE model is %s, which is not supported", what,
                   piece->text,
                   piece->type == ENG_SENTENCEPIECE_UNUSED ? "unused" : "user-defined");
      return NULL;
    }
    if (piece->type != ENG_SENTENCEPIECE_CONTROL)
      eng_vocabulary_add (pieces, piece->text, strlen (piece->text), (int) i);
  }

  return eng_vocabulary_seal (pieces, what, error) ? g_steal_pointer (&pieces) : NULL;
}

static EngTokenModel *
make_bpe (const EngSentencepieceFile  *file,
          const char                  *what,
          GError                     **error)
{
  EngBpeOptions options = {
    .unknown_token = g_array_index (file->pieces, EngSentencepiece, file->unknown).text,
    .continuation = "",
    .word_end = "",
    .fuse_unknown = TRUE,
    .byte_fallback = file->byte_fallback,
  };
  EngVocabulary *pieces = list_bpe_pieces (file, what, error);
  g_autoptr (EngTokenModel) model = pieces ? eng_bpe_new (pieces, &options, what, error) : NULL;

  return model && add_merges (file, model, what, error) ? g_steal_pointer (&model) : NULL;
}

/* ids [pieces of the file]: what the vocabulary has for each. */
static gint32 *
map_pieces (const EngSentencepieceFile *file,
            const EngVocabulary        *vocabulary,
            int                         unknown_id)
{
  gint32 *ids = g_new (gint32, file->pieces->len);

  for (guint i = 0; i < file->pieces->len; i++) {
    ids[i] = eng_vocabulary_find (vocabulary,
                                  g_array_index (file->pieces, EngSentencepiece, i).text);
    if (ids[i] < 0 || (int) i == file->unknown)
      ids[i] = unknown_id;
  }

  return ids;
}

/* Takes vocabulary where it succeeds. */
static EngTokenModel *
make_model (const EngSentencepieceFile  *file,
            EngVocabulary               *vocabulary,
            int                          unknown_id,
            const char                  *what,
            GError                     **error)
{
  g_auto (EngUnigramPieces) pieces = { 0 };

  if (file->model == ENG_SENTENCEPIECE_BPE)
    return make_bpe (file, what, error);
  if (file->model != ENG_SENTENCEPIECE_UNIGRAM) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: model_type is %d, expected 1, which is unigram, or 2, BPE", what,
                 (int) file->model);
    return NULL;
  }
  if (!list_pieces (file, what, &pieces, error))
    return NULL;

  return eng_unigram_new (vocabulary, &pieces, unknown_id, FALSE);
}

EngTokenModel *
eng_sentencepiece_cutter_new (const EngSentencepieceFile  *file,
                              EngVocabulary               *vocabulary,
                              const char                  *unknown,
                              const char                  *what,
                              GError                     **error)
{
  g_autoptr (EngVocabulary) ids = vocabulary;
  int unknown_id = eng_vocabulary_find (vocabulary, unknown);
  EngNormalizer *normalizer;
  EngTokenModel *model;
  Cutter *self;

  if (unknown_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary beside it has no %s, its unknown token", what, unknown);
    return NULL;
  }
  normalizer = eng_sentencepiece_normalizer_new (file, what, error);
  if (!normalizer)
    return NULL;
  model = make_model (file, ids, unknown_id, what, error);
  if (!model) {
    eng_normalizer_free (normalizer);
    return NULL;
  }

  self = g_new0 (Cutter, 1);
  if (file->model == ENG_SENTENCEPIECE_BPE)
    self->ids = map_pieces (file, ids, unknown_id);
  self->parent.name = model->name;
  self->parent.vocabulary = g_steal_pointer (&ids);
  self->parent.unknown_id = unknown_id;
  self->parent.cut = cutter_cut;
  self->parent.free = cutter_free;
  self->model = model;
  self->normalizer = normalizer;

  return &self->parent;
}

EngVocabulary *
eng_vocabulary_read (const char  *path,
                     GError     **error)
{
  g_auto (EngJsonCursor) cursor = { 0 };
  g_autofree char *text = NULL;
  gsize length;

  text = eng_json_load (path, MAX_VOCABULARY_BYTES, &length, error);
  if (!text || !eng_json_check (text, length, MAX_VOCABULARY_DEPTH, path, error))
    return NULL;
  eng_json_cursor_init (&cursor, (EngJsonText) { text, length });

  return eng_vocabulary_new_from_json (eng_json_cursor_skip (&cursor), path, error);
}
