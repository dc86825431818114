/* SPDX-License-Identifier: MIT */
#include "engine/trace/pattern-rows.h"

#include <math.h>
#include <string.h>

#include "engine/trace/measure.h"

/* What a row sees of each class. */
typedef int ClassCounts[ENG_N_KEY_CLASSES];

/* Separators of files that mark no template tokens. */
static const char *const separator_texts[] = { "[SEP]", "</s>", NULL };

typedef gboolean (*CharacterTest) (gunichar character);

static gboolean
is_mark (gunichar character)
{
  return g_unichar_isgraph (character) && !g_unichar_isalnum (character);
}

/* A space that shows where a word begins is no part of its spelling. */
static char *
dup_bare (const char *text)
{
  return g_strstrip (g_strdup (text));
}

static gboolean
has_character (const char    *text,
               CharacterTest  test)
{
  for (const char *at = text; *at; at = g_utf8_next_char (at))
    if (test (g_utf8_get_char (at)))
      return TRUE;

  return FALSE;
}

static gboolean
is_punctuation (const char *text)
{
  g_autofree char *bare = dup_bare (text);

  return has_character (bare, is_mark) && !has_character (bare, g_unichar_isalnum)
      && !has_character (bare, g_unichar_isspace);
}

static guint8 *
classify_keys (const EngTokens *keys)
{
  guint8 *classes = g_new0 (guint8, MAX (keys->n, 1));

  for (int i = 0; i < keys->n; i++) {
    classes[i] = keys->segments[i] ? ENG_KEY_OF_B : 0;
    if (i == 0)
      classes[i] |= ENG_KEY_FIRST;
    if ((keys->special[i] && i > 0) || g_strv_contains (separator_texts, keys->texts[i]))
      classes[i] |= ENG_KEY_SEPARATOR;
    else if (!keys->special[i] && is_punctuation (keys->texts[i]))
      classes[i] |= ENG_KEY_PUNCTUATION;
  }

  return classes;
}

static gboolean
is_target_class (EngPattern pattern,
                 gboolean   of_b,
                 int        class)
{
  gboolean key_of_b = (class & ENG_KEY_OF_B) != 0;

  switch (pattern) {
  case ENG_PATTERN_FIRST:
    return (class & ENG_KEY_FIRST) != 0;
  case ENG_PATTERN_SEPARATOR:
    return (class & ENG_KEY_SEPARATOR) != 0;
  case ENG_PATTERN_PUNCTUATION:
    return (class & ENG_KEY_PUNCTUATION) != 0;
  case ENG_PATTERN_OWN_SENTENCE:
    return key_of_b == of_b;
  case ENG_PATTERN_BLOCK_AA:
    return !of_b && !key_of_b;
  case ENG_PATTERN_BLOCK_AB:
    return !of_b && key_of_b;
  case ENG_PATTERN_BLOCK_BA:
    return of_b && !key_of_b;
  case ENG_PATTERN_BLOCK_BB:
    return of_b && key_of_b;
  default:
    return FALSE;
  }
}

/* A number for each spelling, the same in both stacks; -1 for what is no word. Words that the
 * vocabulary lacks are as different as what was typed. */
static int *
number_words (const EngTokens *tokens,
              GHashTable      *numbers)
{
  int *words = g_new (int, MAX (tokens->n, 1));

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *bare = dup_bare (tokens->typed[i] != NULL ? tokens->typed[i]
                                                               : tokens->texts[i]);
    g_autofree char *folded = g_utf8_casefold (bare, -1);
    gpointer number;

    words[i] = -1;
    if (tokens->special[i] || !has_character (folded, g_unichar_isalnum))
      continue;
    if (!g_hash_table_lookup_extended (numbers, folded, NULL, &number)) {
      number = GINT_TO_POINTER (g_hash_table_size (numbers));
      g_hash_table_insert (numbers, g_steal_pointer (&folded), number);
    }
    words[i] = GPOINTER_TO_INT (number);
  }

  return words;
}

static void
find_alikes (EngPatternRows  *self,
             const EngTokens *queries,
             const EngTokens *keys)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree int *of_queries = number_words (queries, numbers);
  g_autofree int *of_keys = number_words (keys, numbers);
  GArray *alikes = g_array_new (FALSE, FALSE, sizeof (int));

  self->alike_starts = g_new0 (int, queries->n + 1);
  for (int query = 0; query < queries->n; query++) {
    for (int key = 0; key < keys->n && of_queries[query] >= 0; key++)
      if (of_keys[key] == of_queries[query])
        g_array_append_val (alikes, key);
    self->alike_starts[query + 1] = (int) alikes->len;
  }
  self->alikes = (int *) (gpointer) g_array_free (alikes, FALSE);
}

static gboolean
is_same_word (EngPattern pattern)
{
  return pattern == ENG_PATTERN_SAME_WORD_OTHER || pattern == ENG_PATTERN_SAME_WORD_ANYWHERE;
}

/* Whether a key that is spelt as the query is a target of a pattern of same words. */
static gboolean
takes_alike (const EngPatternRows *self,
             EngPattern            pattern,
             int                   query,
             int                   key)
{
  gboolean key_of_b = (self->key_classes[key] & ENG_KEY_OF_B) != 0;

  return pattern == ENG_PATTERN_SAME_WORD_ANYWHERE || key_of_b != self->of_b[query];
}

/* A file may come without its mask. No softmax leaves exactly 0 behind every query of every
 * head. */
static gboolean
reads_backwards (const EngAttention *attention)
{
  gsize n = (gsize) attention->n_keys;
  gsize n_rows = (gsize) attention->n_heads * n;

  for (gsize row = 0; row < n_rows; row++)
    for (gsize key = row % n + 1; key < n; key++)
      if (attention->weights[row * n + key] > 0)
        return FALSE;

  return TRUE;
}

static gboolean
is_visible (const EngPatternRows *self,
            const EngAttention   *attention,
            int                   query,
            int                   key)
{
  if (!attention->mask)
    return !self->backwards || key <= query;

  return attention->mask[(gsize) query * (gsize) attention->n_keys + (gsize) key];
}

/* The number of keys that a row sees. */
static int
count_classes (const EngPatternRows *self,
               const EngAttention   *attention,
               int                   query,
               ClassCounts           seen)
{
  int n = 0;

  memset (seen, 0, sizeof (ClassCounts));
  for (int key = 0; key < attention->n_keys; key++)
    if (is_visible (self, attention, query, key)) {
      seen[self->key_classes[key]]++;
      n++;
    }

  return n;
}

/* The one target of a row that counts for previous to same-token; -1 for other patterns. */
static int
get_target (EngPattern pattern,
            int        query)
{
  switch (pattern) {
  case ENG_PATTERN_PREVIOUS:
    return query - 1;
  case ENG_PATTERN_NEXT:
    return query + 1;
  case ENG_PATTERN_TWO_BACK:
    return query - 2;
  case ENG_PATTERN_TWO_ON:
    return query + 2;
  case ENG_PATTERN_SAME_TOKEN:
    return query;
  default:
    return -1;
  }
}

/* A word that stands once is no word that stands anywhere. */
static int
count_alikes (const EngPatternRows *self,
              const EngAttention   *attention,
              EngPattern            pattern,
              int                   query)
{
  int n = 0;

  for (int i = self->alike_starts[query]; i < self->alike_starts[query + 1]; i++)
    n += takes_alike (self, pattern, query, self->alikes[i])
         && is_visible (self, attention, query, self->alikes[i]);

  return pattern == ENG_PATTERN_SAME_WORD_ANYWHERE && n < 2 ? 0 : n;
}

static int
count_targets (const EngPatternRows *self,
               const EngAttention   *attention,
               EngPattern            pattern,
               int                   query,
               const ClassCounts     seen)
{
  guint classes = self->classes[self->of_b[query]][pattern];
  int target = get_target (pattern, query);
  int n = 0;

  if (is_same_word (pattern))
    return count_alikes (self, attention, pattern, query);
  if (!classes)
    return target >= 0 && target < attention->n_keys && is_visible (self, attention, query, target);
  for (int i = 0; i < ENG_N_KEY_CLASSES; i++)
    n += classes >> i & 1 ? seen[i] : 0;

  return n;
}

static gboolean
needs_one_stack (EngPattern pattern)
{
  return pattern <= ENG_PATTERN_SAME_TOKEN || pattern == ENG_PATTERN_SAME_WORD_ANYWHERE
      || pattern == ENG_PATTERN_OWN_SENTENCE;
}

static void
count_row (EngPatternRows     *self,
           const EngAttention *attention,
           gboolean            reads_itself,
           int                 query,
           double             *chances)
{
  ClassCounts seen;
  int n_seen = count_classes (self, attention, query, seen);

  self->widest[query] = log2 (MAX (n_seen, 1));
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++) {
    gboolean broad = pattern == ENG_PATTERN_BROAD;
    int n_targets;

    if (!reads_itself && needs_one_stack (pattern))
      continue;
    n_targets = broad ? 1 : count_targets (self, attention, pattern, query, seen);
    if (n_targets == 0 || n_targets >= n_seen)
      continue;
    self->counts[query] |= (guint16) (1 << pattern);
    self->n_rows[pattern]++;
    chances[pattern] += broad ? 1 : (double) n_targets / n_seen;
  }
}

static double
sum_classes (const double *sums,
             guint         classes)
{
  double sum = 0;

  for (; classes; classes &= classes - 1)
    sum += sums[__builtin_ctz (classes)];

  return sum;
}

/* What a row that counts gives to the targets of one pattern; sums: [ENG_N_KEY_CLASSES] of the
 * row. */
static double
get_mass (const EngPatternRows *self,
          EngPattern            pattern,
          int                   query,
          const float          *row,
          const double         *sums,
          double                entropy)
{
  int target = get_target (pattern, query);
  double mass = 0;

  if (target >= 0)
    return (double) row[target];
  if (pattern == ENG_PATTERN_BROAD)
    return entropy / self->widest[query];
  if (!is_same_word (pattern))
    return sum_classes (sums, self->classes[self->of_b[query]][pattern]);
  for (int i = self->alike_starts[query]; i < self->alike_starts[query + 1]; i++)
    if (takes_alike (self, pattern, query, self->alikes[i]))
      mass += (double) row[self->alikes[i]];

  return mass;
}

/* The mean entropy of the head. */
static double
measure_head (const EngPatternRows *self,
              const EngAttention   *attention,
              const float          *weights,
              float                *scores)
{
  double totals[ENG_N_PATTERNS] = { 0 };
  double total_entropy = 0;
  int n_keys = attention->n_keys;
  int n_rows = 0;

  for (int query = 0; query < attention->n_queries; query++, weights += n_keys) {
    double sums[ENG_N_KEY_CLASSES] = { 0 };
    double entropy;

    if (self->padding && self->padding[query])
      continue;
    entropy = eng_measure_entropy (weights, (gsize) n_keys);
    total_entropy += entropy;
    n_rows++;
    for (int key = 0; key < n_keys; key++)
      sums[self->key_classes[key]] += (double) weights[key];
    for (guint counts = self->counts[query]; counts; counts &= counts - 1) {
      EngPattern pattern = (EngPattern) __builtin_ctz (counts);

      totals[pattern] += get_mass (self, pattern, query, weights, sums, entropy);
    }
  }
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    scores[pattern] = self->n_rows[pattern] > 0
                    ? (float) MIN (totals[pattern] / self->n_rows[pattern], 1) : NAN;

  return total_entropy / MAX (n_rows, 1);
}

gboolean
eng_pattern_rows_is_target (const EngPatternRows *self,
                            EngPattern            pattern,
                            int                   query,
                            int                   key)
{
  guint classes = self->classes[self->of_b[query]][pattern];

  if (is_same_word (pattern)) {
    for (int i = self->alike_starts[query]; i < self->alike_starts[query + 1]; i++)
      if (self->alikes[i] == key)
        return takes_alike (self, pattern, query, key);
    return FALSE;
  }

  return classes ? classes >> self->key_classes[key] & 1
                 : key == get_target (pattern, query);
}

void
eng_pattern_rows_init (EngPatternRows     *self,
                       const EngAttention *attention,
                       const EngTokens    *queries,
                       const EngTokens    *keys)
{
  double chances[ENG_N_PATTERNS] = { 0 };

  *self = (EngPatternRows) {
    .padding = eng_measure_mark_padding (attention, queries, keys),
    .of_b = g_new0 (guint8, MAX (queries->n, 1)),
    .key_classes = classify_keys (keys),
    .counts = g_new0 (guint16, MAX (queries->n, 1)),
    .widest = g_new0 (double, MAX (queries->n, 1)),
  };
  for (int query = 0; query < queries->n; query++)
    self->of_b[query] = queries->segments[query] != 0;
  for (int of_b = 0; of_b < 2; of_b++)
    for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
      for (int i = 0; i < ENG_N_KEY_CLASSES; i++)
        self->classes[of_b][pattern] |= (guint16) (is_target_class (pattern, of_b, i) << i);
  self->backwards = !attention->mask && queries == keys && reads_backwards (attention);
  find_alikes (self, queries, keys);
  for (int query = 0; query < attention->n_queries; query++)
    if (!self->padding || !self->padding[query])
      count_row (self, attention, queries == keys, query, chances);
  for (int i = 0; i < ENG_N_PATTERNS; i++)
    self->chances[i] = self->n_rows[i] >= ENG_PATTERN_MIN_ROWS
                     ? (float) (chances[i] / self->n_rows[i]) : NAN;
}

void
eng_pattern_rows_clear (EngPatternRows *self)
{
  g_clear_pointer (&self->padding, g_free);
  g_clear_pointer (&self->of_b, g_free);
  g_clear_pointer (&self->key_classes, g_free);
  g_clear_pointer (&self->counts, g_free);
  g_clear_pointer (&self->widest, g_free);
  g_clear_pointer (&self->alike_starts, g_free);
  g_clear_pointer (&self->alikes, g_free);
}

void
eng_pattern_rows_measure (const EngPatternRows *self,
                          const EngAttention   *attention,
                          float                *scores,
                          float                *entropies)
{
  gsize n_cells = (gsize) attention->n_queries * (gsize) attention->n_keys;

  for (gsize head = 0; head < (gsize) attention->n_heads; head++) {
    double entropy = measure_head (self, attention, attention->weights + head * n_cells,
                                   scores + head * ENG_N_PATTERNS);

    if (entropies)
      entropies[head] = (float) entropy;
  }
}
