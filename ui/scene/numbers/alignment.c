/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/alignment.h"

#include <string.h>

/* Tokens as numbers that are equal where the tokens are taken for the same. */
typedef struct {
  int *first;
  int *second;
} Spellings;

/* A stretch of both texts, ends excluded. */
typedef struct {
  int first;
  int first_end;
  int second;
  int second_end;
} Stretch;

#define NO_GAP { 0, -1, 0, -1 }

/* The template's [SEP] is not one that was typed, and A's words are not B's. */
static char *
spell (const EngTokens *tokens,
       int              token,
       gboolean         fold)
{
  const char *text = tokens->texts[token];
  g_autofree char *folded = NULL;

  if (fold) {
    folded = g_utf8_casefold (text + strspn (text, " "), -1);
    text = folded;
  }
  return g_strdup_printf ("%d %d %s", tokens->segments[token] != 0, tokens->special[token] != 0,
                          text);
}

static int *
number_tokens (const EngTokens *tokens,
               gboolean         fold,
               GHashTable      *numbers)
{
  int *spellings = g_new (int, MAX (tokens->n, 1));

  for (int i = 0; i < tokens->n; i++) {
    char *spelling = spell (tokens, i, fold);
    int next = (int) g_hash_table_size (numbers) + 1;
    int known = GPOINTER_TO_INT (g_hash_table_lookup (numbers, spelling));

    spellings[i] = known > 0 ? known : next;
    if (known > 0)
      g_free (spelling);
    else
      g_hash_table_insert (numbers, spelling, GINT_TO_POINTER (next));
  }
  return spellings;
}

static Spellings
make_spellings (const EngTokens *first,
                const EngTokens *second,
                gboolean         fold)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return (Spellings) {
    number_tokens (first, fold, numbers), number_tokens (second, fold, numbers)
  };
}

static void
spellings_clear (Spellings *self)
{
  g_free (self->first);
  g_free (self->second);
}

/* Length of the longest common subsequence of the rests of both stretches, by the beginnings of the
 * rests: [rows + 1, columns + 1]. */
static int *
measure_rests (const Spellings *spellings,
               const Stretch   *stretch)
{
  int rows = stretch->first_end - stretch->first;
  int columns = stretch->second_end - stretch->second;
  gsize width = (gsize) columns + 1;
  int *lengths = g_new0 (int, width * ((gsize) rows + 1));

  for (int i = rows - 1; i >= 0; i--) {
    int *row = lengths + (gsize) i * width;

    for (int j = columns - 1; j >= 0; j--)
      row[j] = spellings->first[stretch->first + i] == spellings->second[stretch->second + j]
               ? 1 + row[width + j + 1] : MAX (row[width + j], row[j + 1]);
  }
  return lengths;
}

/* Writes the partner of each token of the stretch into pairs, which holds -1 for none. What both
 * stretches begin and end with is paired without a search. */
static void
pair_stretch (const Spellings *spellings,
              Stretch          stretch,
              int             *pairs)
{
  g_autofree int *lengths = NULL;
  gsize width;
  int i = 0, j = 0;

  while (stretch.first < stretch.first_end && stretch.second < stretch.second_end
         && spellings->first[stretch.first] == spellings->second[stretch.second])
    pairs[stretch.first++] = stretch.second++;
  while (stretch.first < stretch.first_end && stretch.second < stretch.second_end
         && spellings->first[stretch.first_end - 1] == spellings->second[stretch.second_end - 1])
    pairs[--stretch.first_end] = --stretch.second_end;

  lengths = measure_rests (spellings, &stretch);
  width = (gsize) (stretch.second_end - stretch.second) + 1;
  while (stretch.first + i < stretch.first_end && stretch.second + j < stretch.second_end) {
    const int *row = lengths + (gsize) i * width;

    if (spellings->first[stretch.first + i] == spellings->second[stretch.second + j]) {
      pairs[stretch.first + i] = stretch.second + j;
      i++;
      j++;
    } else if (row[width + j] >= row[j + 1]) {
      i++;
    } else {
      j++;
    }
  }
}

/* The next stretch between two pairs, which may be empty; *gap is NO_GAP before the first. FALSE
 * behind the last. */
static gboolean
find_gap (const int *pairs,
          int        n_first,
          int        n_second,
          Stretch   *gap)
{
  if (gap->first_end == n_first)
    return FALSE;

  gap->first = ++gap->first_end;
  gap->second = gap->second_end + 1;
  while (gap->first_end < n_first && pairs[gap->first_end] < 0)
    gap->first_end++;
  gap->second_end = gap->first_end < n_first ? pairs[gap->first_end] : n_second;
  return TRUE;
}

/* Pairs what is alike between pairs. */
static void
pair_gaps (const Spellings *spellings,
           int              n_first,
           int              n_second,
           int             *pairs)
{
  Stretch gap = NO_GAP;

  while (find_gap (pairs, n_first, n_second, &gap))
    pair_stretch (spellings, gap, pairs);
}

static gboolean
can_stand_for (const EngTokens *first,
               int              a,
               const EngTokens *second,
               int              b)
{
  return (first->segments[a] != 0) == (second->segments[b] != 0)
         && (first->special[a] != 0) == (second->special[b] != 0);
}

/* Pairs what was exchanged: as many tokens for as many others. */
static void
pair_exchanged (const EngTokens *first,
                const EngTokens *second,
                int             *pairs)
{
  Stretch gap = NO_GAP;

  while (find_gap (pairs, first->n, second->n, &gap)) {
    const int n = gap.first_end - gap.first;

    for (int i = 0; i < n && gap.second_end - gap.second == n; i++)
      if (can_stand_for (first, gap.first + i, second, gap.second + i))
        pairs[gap.first + i] = gap.second + i;
  }
}

static GArray *
list_tokens (const int *pairs,
             int        n_first,
             int        n_second)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (UiAlignedToken));
  int second = 0;

  for (int first = 0; first <= n_first; first++) {
    int end = first == n_first ? n_second : pairs[first] >= 0 ? pairs[first] : second;

    for (; second < end; second++)
      g_array_append_val (list, ((UiAlignedToken) { -1, second }));
    if (first == n_first)
      break;
    g_array_append_val (list, ((UiAlignedToken) { first, pairs[first] }));
    second += pairs[first] >= 0;
  }
  return list;
}

GArray *
ui_alignment_new (const EngTokens *first,
                  const EngTokens *second)
{
  Spellings exact = make_spellings (first, second, FALSE);
  Spellings folded = make_spellings (first, second, TRUE);
  g_autofree int *pairs = g_new (int, MAX (first->n, 1));
  GArray *list;

  for (int i = 0; i < first->n; i++)
    pairs[i] = -1;
  pair_stretch (&exact, (Stretch) { 0, first->n, 0, second->n }, pairs);
  pair_gaps (&folded, first->n, second->n, pairs);
  pair_exchanged (first, second, pairs);
  list = list_tokens (pairs, first->n, second->n);
  spellings_clear (&exact);
  spellings_clear (&folded);
  return list;
}
