/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/learning/merge-learner.h"

#include <string.h>

/* Two pieces that stand together less often are not worth a piece. */
#define LEAST_COUNT 2

/* A word as the pieces [first, first + n) of the list of all. */
typedef struct {
  const char *text; /* the key of the table of words */
  gint64      count;
  gsize       first;
  int         n;
} Word;

typedef struct {
  int      left;
  int      right;
  gint64   count;
  GArray  *words; /* of guint: where it stood, some of them more than once or no longer */
  gboolean learnt;
} Pair;

/* A pair that waits, as often as it stood when it was put there. */
typedef struct {
  gint64 count;
  guint  pair;
} Waiting;

struct _EngMergeLearner {
  char       *continuation;
  GPtrArray  *pieces;  /* of char */
  GHashTable *numbers; /* piece → number + 1 */
  GArray     *words;   /* of Word, in the order in which they came */
  GHashTable *places;  /* word → place + 1 */
  GArray     *spelt;   /* of int: pieces of the words */
  GArray     *pairs;   /* of Pair */
  GHashTable *found;   /* both pieces → place of their pair + 1 */
  GArray     *heap;    /* of Waiting, the most frequent first */
  GArray     *merges;
};

static void
pair_clear (gpointer data)
{
  g_array_unref (((Pair *) data)->words);
}

EngMergeLearner *
eng_merge_learner_new (const char *continuation)
{
  EngMergeLearner *self = g_new0 (EngMergeLearner, 1);

  self->continuation = g_strdup (continuation);
  self->pieces = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  self->words = g_array_new (FALSE, FALSE, sizeof (Word));
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->spelt = g_array_new (FALSE, FALSE, sizeof (int));
  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_array_set_clear_func (self->pairs, pair_clear);
  self->found = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->heap = g_array_new (FALSE, FALSE, sizeof (Waiting));
  self->merges = g_array_new (FALSE, FALSE, sizeof (EngLearntMerge));

  return self;
}

void
eng_merge_learner_free (EngMergeLearner *self)
{
  g_free (self->continuation);
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->pieces);
  g_array_unref (self->words);
  g_hash_table_unref (self->places);
  g_array_unref (self->spelt);
  g_array_unref (self->pairs);
  g_hash_table_unref (self->found);
  g_array_unref (self->heap);
  g_array_unref (self->merges);
  g_free (self);
}

int
eng_merge_learner_add_piece (EngMergeLearner *self,
                             const char      *piece)
{
  char *copy = g_strdup (piece);
  int number = (int) self->pieces->len;

  g_ptr_array_add (self->pieces, copy);
  g_hash_table_insert (self->numbers, copy, GINT_TO_POINTER (number + 1));

  return number;
}

/* -1 when there is none. */
static int
find_piece (const EngMergeLearner *self,
            const char            *piece)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->numbers, piece)) - 1;
}

void
eng_merge_learner_add_word (EngMergeLearner *self,
                            const char      *word)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, word));
  Word added = { .count = 1 };

  if (place > 0) {
    g_array_index (self->words, Word, place - 1).count++;
    return;
  }
  added.text = g_strdup (word);
  g_array_append_val (self->words, added);
  g_hash_table_insert (self->places, (char *) added.text, GUINT_TO_POINTER (self->words->len));
}

/* A character as the vocabulary spells it, at the begin of a word or within. (transfer full) */
static char *
spell_character (const EngMergeLearner *self,
                 const char            *at,
                 gboolean               within)
{
  g_autofree char *character = g_strndup (at, (gsize) (g_utf8_next_char (at) - at));

  return g_strconcat (within ? self->continuation : "", character, NULL);
}

typedef struct {
  char  *text;
  gint64 count;
} Character;

/* The most frequent first, then by their spelling. */
static int
compare_characters (gconstpointer a,
                    gconstpointer b)
{
  const Character *one = a, *other = b;

  if (one->count != other->count)
    return one->count > other->count ? -1 : 1;
  return strcmp (one->text, other->text);
}

static void
character_clear (gpointer data)
{
  g_free (((Character *) data)->text);
}

/* Characters that are no pieces yet, as often as they stand in words. */
static GArray *
count_characters (const EngMergeLearner *self)
{
  GArray *characters = g_array_new (FALSE, FALSE, sizeof (Character));
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_array_set_clear_func (characters, character_clear);
  for (guint i = 0; i < self->words->len; i++) {
    const Word *word = &g_array_index (self->words, Word, i);

    for (const char *p = word->text; *p; p = g_utf8_next_char (p)) {
      g_autofree char *text = spell_character (self, p, p > word->text);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, text));
      Character added = { NULL, word->count };

      if (find_piece (self, text) >= 0)
        continue;
      if (place > 0) {
        g_array_index (characters, Character, place - 1).count += word->count;
        continue;
      }
      added.text = g_strdup (text);
      g_array_append_val (characters, added);
      g_hash_table_insert (places, g_steal_pointer (&text), GUINT_TO_POINTER (characters->len));
    }
  }

  return characters;
}

static void
add_characters (EngMergeLearner *self,
                guint            n)
{
  g_autoptr (GArray) characters = count_characters (self);

  g_array_sort (characters, compare_characters);
  for (guint i = 0; i < MIN (n, characters->len); i++)
    eng_merge_learner_add_piece (self, g_array_index (characters, Character, i).text);
}

/* As characters; a word with one that is no piece has none. */
static void
spell_word (EngMergeLearner *self,
            Word            *word)
{
  word->first = self->spelt->len;
  for (const char *p = word->text; *p; p = g_utf8_next_char (p)) {
    g_autofree char *text = spell_character (self, p, p > word->text);
    int piece = find_piece (self, text);

    if (piece < 0) {
      g_array_set_size (self->spelt, (guint) word->first);
      break;
    }
    g_array_append_val (self->spelt, piece);
  }
  word->n = (int) (self->spelt->len - word->first);
}

static guint
find_pair (EngMergeLearner *self,
           int              left,
           int              right)
{
  gint64 key = (gint64) left << 32 | right;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->found, &key));
  Pair added = { .left = left, .right = right };

  if (place > 0)
    return place - 1;
  added.words = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->pairs, added);
  g_hash_table_insert (self->found, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (self->pairs->len));

  return self->pairs->len - 1;
}

/* by: how much more often the pair stands, in a word. */
static void
count_pair (EngMergeLearner *self,
            int              left,
            int              right,
            guint            word,
            gint64           by)
{
  guint place = find_pair (self, left, right);
  Pair *pair = &g_array_index (self->pairs, Pair, place);
  GArray *words = pair->words;

  pair->count += by;
  if (by > 0 && (words->len == 0 || g_array_index (words, guint, words->len - 1) != word))
    g_array_append_val (words, word);
}

/* Whether a comes before b. */
static gboolean
is_before (const EngMergeLearner *self,
           Waiting                a,
           Waiting                b)
{
  const Pair *one = &g_array_index (self->pairs, Pair, a.pair);
  const Pair *other = &g_array_index (self->pairs, Pair, b.pair);

  if (a.count != b.count)
    return a.count > b.count;
  return one->left != other->left ? one->left < other->left : one->right < other->right;
}

static void
wait (EngMergeLearner *self,
      guint            pair)
{
  Waiting added = { g_array_index (self->pairs, Pair, pair).count, pair };
  guint i = self->heap->len;
  Waiting *heap;

  if (added.count < LEAST_COUNT)
    return;
  g_array_append_val (self->heap, added);
  heap = &g_array_index (self->heap, Waiting, 0);
  for (; i > 0 && is_before (self, added, heap[(i - 1) / 2]); i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = added;
}

static Waiting
take_first (EngMergeLearner *self)
{
  Waiting *heap = &g_array_index (self->heap, Waiting, 0);
  Waiting first = heap[0], last = heap[self->heap->len - 1];
  guint n = self->heap->len - 1, i = 0;

  while (2 * i + 1 < n) {
    guint child = 2 * i + 1;

    if (child + 1 < n && is_before (self, heap[child + 1], heap[child]))
      child++;
    if (!is_before (self, heap[child], last))
      break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  g_array_set_size (self->heap, n);

  return first;
}

/* The pair that stands together most often, or -1. */
static int
take_pair (EngMergeLearner *self)
{
  while (self->heap->len > 0) {
    Waiting first = take_first (self);

    if (first.count == g_array_index (self->pairs, Pair, first.pair).count)
      return (int) first.pair;
    /* It has become rarer since; one that became more frequent waits a second time. */
    if (first.count > g_array_index (self->pairs, Pair, first.pair).count)
      wait (self, first.pair);
  }

  return -1;
}

/* Of two pairs that make up the same piece it is one. */
static int
merge_pieces (EngMergeLearner *self,
              int              left,
              int              right)
{
  const char *end = self->pieces->pdata[right];
  gsize n = strlen (self->continuation);
  g_autofree char *merged = NULL;
  int number;

  if (n > 0 && g_str_has_prefix (end, self->continuation))
    end += n;
  merged = g_strconcat (self->pieces->pdata[left], end, NULL);
  number = find_piece (self, merged);

  return number >= 0 ? number : eng_merge_learner_add_piece (self, merged);
}

/* Its neighbours' counts change; changed: pairs that stand more often now. */
static void
merge_in_word (EngMergeLearner *self,
               guint            number,
               EngLearntMerge   merge,
               GHashTable      *changed)
{
  Word *word = &g_array_index (self->words, Word, number);
  int *pieces = word->n > 0 ? &g_array_index (self->spelt, int, word->first) : NULL;
  gint64 count = word->count;

  for (int i = 0; i + 1 < word->n; i++) {
    if (pieces[i] != merge.left || pieces[i + 1] != merge.right)
      continue;
    if (i > 0) {
      count_pair (self, pieces[i - 1], merge.left, number, -count);
      count_pair (self, pieces[i - 1], merge.merged, number, count);
      g_hash_table_add (changed, GUINT_TO_POINTER (find_pair (self, pieces[i - 1],
                                                              merge.merged)));
    }
    if (i + 2 < word->n) {
      count_pair (self, merge.right, pieces[i + 2], number, -count);
      count_pair (self, merge.merged, pieces[i + 2], number, count);
      g_hash_table_add (changed, GUINT_TO_POINTER (find_pair (self, merge.merged,
                                                              pieces[i + 2])));
    }
    pieces[i] = merge.merged;
    memmove (pieces + i + 1, pieces + i + 2, (gsize) (word->n - i - 2) * sizeof (int));
    word->n--;
  }
}

static void
merge_everywhere (EngMergeLearner *self,
                  guint            place)
{
  Pair pair = g_array_index (self->pairs, Pair, place);
  EngLearntMerge merge = { pair.left, pair.right, merge_pieces (self, pair.left, pair.right) };
  g_autoptr (GArray) words = g_array_ref (pair.words);
  g_autoptr (GHashTable) changed = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer other;

  /* One that another way to the same piece has brought together again is known. */
  if (!pair.learnt)
    g_array_append_val (self->merges, merge);
  g_array_index (self->pairs, Pair, place).learnt = TRUE;
  for (guint i = 0; i < words->len; i++)
    merge_in_word (self, g_array_index (words, guint, i), merge, changed);
  g_array_index (self->pairs, Pair, place).count = 0;
  g_hash_table_iter_init (&iter, changed);
  while (g_hash_table_iter_next (&iter, &other, NULL))
    wait (self, GPOINTER_TO_UINT (other));
}

static void
count_pairs (EngMergeLearner *self)
{
  for (guint i = 0; i < self->words->len; i++) {
    Word *word = &g_array_index (self->words, Word, i);

    spell_word (self, word);
    for (int k = 0; k + 1 < word->n; k++)
      count_pair (self, g_array_index (self->spelt, int, word->first + (gsize) k),
                  g_array_index (self->spelt, int, word->first + (gsize) k + 1), i, word->count);
  }
  for (guint i = 0; i < self->pairs->len; i++)
    wait (self, i);
}

gboolean
eng_merge_learner_run (EngMergeLearner *self,
                       int              n_pieces,
                       int              n_characters,
                       const gint      *cancel)
{
  add_characters (self, (guint) n_characters);
  count_pairs (self);
  while ((int) self->pieces->len < n_pieces) {
    int pair = take_pair (self);

    if (pair < 0)
      break;
    if (cancel && g_atomic_int_get (cancel) != 0)
      return FALSE;
    merge_everywhere (self, (guint) pair);
  }

  return TRUE;
}

int
eng_merge_learner_get_n (const EngMergeLearner *self)
{
  return (int) self->pieces->len;
}

const char *
eng_merge_learner_get_piece (const EngMergeLearner *self,
                             int                    i)
{
  return self->pieces->pdata[i];
}

const GArray *
eng_merge_learner_get_merges (const EngMergeLearner *self)
{
  return self->merges;
}
