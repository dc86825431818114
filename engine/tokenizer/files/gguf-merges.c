/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/gguf-merges.h"

#include "engine/tokenizer/models/bpe.h"

#include <math.h>
#include <string.h>

/* A piece and where it is cut. */
typedef struct {
  int   id;
  gsize cut;          /* bytes of the left part */
  int   left, right;  /* characters */
  float score;
} Merge;

static gboolean
add_listed (const char     *text,
            gsize           length,
            EngTokenModel  *model,
            const char     *what,
            GError        **error)
{
  const char *space = memchr (text, ' ', length);
  gsize left = space ? (gsize) (space - text) : 0;
  gsize right = space ? length - left - 1 : 0;

  if (!space || memchr (space + 1, ' ', right) || !g_utf8_validate_len (text, length, NULL)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: tokenizer.ggml.merges holds what is no "
                 "merge, expected two pieces with a space between", what);
    return FALSE;
  }

  return eng_bpe_add_merge (model, text, left, space + 1, right, what, error);
}

gboolean
eng_gguf_add_listed_merges (const EngGguf  *file,
                            EngTokenModel  *model,
                            gboolean       *is_there,
                            GError        **error)
{
  const EngGgufValue *list;
  const guint8 *item;

  if (!eng_gguf_get_list (file->values, "tokenizer.ggml.merges", ENG_GGUF_TEXT, &list, error))
    return FALSE;
  *is_there = list != NULL;
  if (!list)
    return TRUE;

  item = list->data;
  for (gint64 i = 0; i < list->n; i++) {
    gsize length;
    const char *text = eng_gguf_next_text (&item, &length);

    if (!add_listed (text, length, model, file->path, error))
      return FALSE;
  }

  return TRUE;
}

static float
get_score (const EngGgufValue *scores,
           int                 id)
{
  float score = scores && id < scores->n ? eng_gguf_list_get_float (scores, id) : (float) -id;

  return isfinite (score) ? score : 0;
}

static void
find_cuts (const EngGgufValue  *scores,
           const EngVocabulary *pieces,
           int                  id,
           GArray              *merges)
{
  const char *piece = eng_vocabulary_get_piece (pieces, id);
  gsize length = piece ? strlen (piece) : 0;
  int n = piece ? (int) g_utf8_strlen (piece, -1) : 0;
  const char *cut = piece;

  /* A piece that stands twice is the later one. */
  if (!piece || eng_vocabulary_find (pieces, piece) != id)
    return;
  for (int left = 1; left < n; left++) {
    gsize n_left;

    cut = g_utf8_next_char (cut);
    n_left = (gsize) (cut - piece);
    if (eng_vocabulary_find_length (pieces, piece, n_left) >= 0 &&
        eng_vocabulary_find_length (pieces, cut, length - n_left) >= 0) {
      Merge merge = { id, n_left, left, n - left, get_score (scores, id) };

      g_array_append_val (merges, merge);
    }
  }
}

static int
compare_merges (gconstpointer a,
                gconstpointer b)
{
  const Merge *first = a;
  const Merge *second = b;

  if (first->score != second->score)
    return first->score > second->score ? -1 : 1;
  if (first->left != second->left)
    return first->left > second->left ? -1 : 1;
  if (first->right != second->right)
    return first->right > second->right ? -1 : 1;

  return first->id < second->id ? -1 : first->id > second->id;
}

gboolean
eng_gguf_add_made_merges (const EngGgufValue  *scores,
                          EngTokenModel       *model,
                          const char          *what,
                          GError             **error)
{
  const EngVocabulary *pieces = model->vocabulary;
  g_autoptr (GArray) merges = g_array_new (FALSE, FALSE, sizeof (Merge));

  for (int id = 0; id < eng_vocabulary_get_n_entries (pieces); id++)
    find_cuts (scores, pieces, id, merges);
  g_array_sort (merges, compare_merges);

  for (guint i = 0; i < merges->len; i++) {
    const Merge *merge = &g_array_index (merges, Merge, i);
    const char *piece = eng_vocabulary_get_piece (pieces, merge->id);

    if (!eng_bpe_add_merge (model, piece, merge->cut, piece + merge->cut,
                            strlen (piece) - merge->cut, what, error))
      return FALSE;
  }

  return TRUE;
}
