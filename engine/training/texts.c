/* SPDX-License-Identifier: MIT */
#include "engine/training/texts-private.h"

#include <stdlib.h>
#include <string.h>

#include "engine/examples/lines.h"
#include "engine/examples/words.h"
#include "engine/kernels/random.h"

/* Texts that are brought in order of length together, in batches of n_tokens: enough that little is
 * padding, few enough that a pass is still mixed. */
#define BATCHES_TOGETHER 50
/* Streams of a key. */
#define STREAM_TEXTS 0
#define STREAM_BATCHES 1

/* Tokens [first, first + n) of the arrays; of a pair n_source of its first side before them. */
typedef struct {
  gsize    first;
  int      n;
  int      n_source;
  int      n_words;
  int      line;
  gboolean held_out;
} Text;

struct _EngTexts {
  EngTextsSettings settings;
  GArray          *texts;   /* of Text */
  GArray          *ids;     /* of gint32 */
  GArray          *special; /* of guint8 */
  GArray          *words;   /* of int */
  /* Of texts that something is asked of; else empty. */
  GArray          *types;   /* of gint32 */
  GArray          *labels;  /* of gint32 */
};

/* By Fowler, Noll and Vo's hash. */
gboolean
eng_texts_is_held_out (const char *text,
                       double      share)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const char *p = text; *p; p++)
    hash = (hash ^ (guint8) *p) * G_GUINT64_CONSTANT (0x100000001b3);

  return eng_random_uniform (hash, 0) < share;
}

static gboolean
is_held_out (const EngTexts *self,
             const char     *text)
{
  return eng_texts_is_held_out (text, self->settings.held_out);
}

static void
append_token (EngTexts *self,
              gint32    id,
              guint8    special,
              int       word)
{
  g_array_append_val (self->ids, id);
  g_array_append_val (self->special, special);
  g_array_append_val (self->words, word);
}

static EngTokens *
encode (const EngTexts      *self,
        const EngTokenizer  *tokenizer,
        const char          *text,
        gboolean             as_target,
        gboolean             has_end,
        GError             **error)
{
  EngTokenizeOptions options = {
    .truncate = TRUE, .max_length = self->settings.longest - has_end, .as_target = as_target,
  };

  return eng_tokenizer_encode (tokenizer, text, NULL, &options, error);
}

static void
append_tokens (EngTexts        *self,
               const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++)
    append_token (self, tokens->ids[i], tokens->special[i], tokens->words[i]);
}

int
eng_texts_count_covered (const EngTokens *tokens,
                         const gint32    *places,
                         int              n,
                         int              segment,
                         const char      *text)
{
  int start = G_MAXINT, end = -1;

  for (int i = 0; i < n; i++) {
    int place = places ? places[i] : i;
    const EngSpan *span = &tokens->spans[place];

    if (tokens->special[place] || tokens->segments[place] != segment || span->start < 0)
      continue;
    start = MIN (start, span->start);
    end = MAX (end, span->end);
  }

  return end > start ? eng_words_count (text + start, end - start) : 0;
}

/* A single token is asked nothing. */
static gboolean
add_line (EngTexts            *self,
          const EngTokenizer  *tokenizer,
          const char          *line,
          int                  number,
          GError             **error)
{
  gboolean has_end = self->settings.end_id >= 0;
  g_autoptr (EngTokens) tokens = encode (self, tokenizer, line, FALSE, has_end, error);
  Text text = { .first = self->ids->len, .line = number, .held_out = is_held_out (self, line) };

  if (!tokens)
    return FALSE;
  text.n = tokens->n + has_end;
  if (tokens->n == 0 || text.n < 2)
    return TRUE;
  append_tokens (self, tokens);
  text.n_words = eng_texts_count_covered (tokens, NULL, tokens->n, 0, line);
  if (has_end)
    append_token (self, self->settings.end_id, TRUE, -1);
  g_array_append_val (self->texts, text);

  return TRUE;
}

/* source and target: the sides of a line, which are ended apart. */
static gboolean
add_pair (EngTexts            *self,
          const EngTokenizer  *tokenizer,
          const char          *source,
          const char          *target,
          int                  number,
          GError             **error)
{
  int end_id = self->settings.end_id;
  g_autoptr (EngTokens) read = encode (self, tokenizer, source, FALSE, FALSE, error);
  g_autoptr (EngTokens) written =
    read ? encode (self, tokenizer, target, TRUE, end_id >= 0, error) : NULL;
  Text text = { .line = number, .held_out = is_held_out (self, source) };

  if (!written)
    return FALSE;
  if (read->n == 0 || written->n == 0)
    return TRUE;
  append_tokens (self, read);
  text.n_source = read->n;
  text.first = self->ids->len;
  append_tokens (self, written);
  if (end_id >= 0 && written->ids[written->n - 1] != end_id)
    append_token (self, end_id, TRUE, -1);
  text.n = (int) (self->ids->len - text.first);
  text.n_words = eng_texts_count_covered (read, NULL, read->n, 0, source) +
                 eng_texts_count_covered (written, NULL, written->n, 0, target);
  g_array_append_val (self->texts, text);

  return TRUE;
}

EngTexts *
eng_texts_new (const EngTextsSettings *settings)
{
  EngTexts *self = g_new0 (EngTexts, 1);

  self->settings = *settings;
  self->texts = g_array_new (FALSE, FALSE, sizeof (Text));
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->special = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->words = g_array_new (FALSE, FALSE, sizeof (int));
  self->types = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->labels = g_array_new (FALSE, FALSE, sizeof (gint32));

  return self;
}

void
eng_texts_add_asked (EngTexts           *self,
                     const EngAskedText *asked,
                     const char         *key)
{
  Text text = { .first = self->ids->len, .n = asked->n, .n_words = asked->n_words,
                .line = asked->line, .held_out = is_held_out (self, key) };

  for (int i = 0; i < asked->n; i++)
    append_token (self, asked->ids[i], asked->special[i], -1);
  g_array_append_vals (self->types, asked->type_ids, (guint) asked->n);
  g_array_append_vals (self->labels, asked->labels, (guint) asked->n);
  g_array_append_val (self->texts, text);
}

/* The lines of a file on their way. */
typedef struct {
  EngTexts           *texts;
  const EngTokenizer *tokenizer;
} Reading;

static gboolean
add_columns (char *const  *columns,
             int           number,
             gpointer      data,
             GError      **error)
{
  const Reading *self = data;

  return self->texts->settings.pairs
           ? add_pair (self->texts, self->tokenizer, columns[0], columns[1], number, error)
           : add_line (self->texts, self->tokenizer, columns[0], number, error);
}

EngTexts *
eng_texts_read (const char              *path,
                const EngTokenizer      *tokenizer,
                const EngTextsSettings  *settings,
                GError                 **error)
{
  g_autoptr (EngTexts) self = eng_texts_new (settings);
  Reading reading = { self, tokenizer };

  if (!eng_lines_read (path, settings->pairs ? 2 : 1, add_columns, &reading, error) ||
      !eng_texts_check (self, path, settings->pairs ? "pair of texts" : "text of two tokens",
                        error))
    return NULL;

  return g_steal_pointer (&self);
}

void
eng_texts_free (EngTexts *self)
{
  g_array_unref (self->texts);
  g_array_unref (self->ids);
  g_array_unref (self->special);
  g_array_unref (self->words);
  g_array_unref (self->types);
  g_array_unref (self->labels);
  g_free (self);
}

static const Text *
get_text (const EngTexts *self,
          guint           i)
{
  return &g_array_index (self->texts, Text, i);
}

static int
count_tokens (const Text *text)
{
  return text->n + text->n_source;
}

int
eng_texts_get_n (const EngTexts *self,
                 gboolean        held_out)
{
  int n = 0;

  for (guint i = 0; i < self->texts->len; i++)
    n += get_text (self, i)->held_out == held_out;

  return n;
}

gint64
eng_texts_count_tokens (const EngTexts *self,
                        gboolean        held_out)
{
  gint64 n = 0;

  for (guint i = 0; i < self->texts->len; i++)
    if (get_text (self, i)->held_out == held_out)
      n += count_tokens (get_text (self, i));

  return n;
}

gint64
eng_texts_count_words (const EngTexts *self,
                       gboolean        held_out)
{
  gint64 n = 0;

  for (guint i = 0; i < self->texts->len; i++)
    if (get_text (self, i)->held_out == held_out)
      n += get_text (self, i)->n_words;

  return n;
}

gboolean
eng_texts_check (const EngTexts  *self,
                 const char      *path,
                 const char      *what,
                 GError         **error)
{
  if (self->texts->len == 1 && self->settings.held_out > 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "%s:%d: there is no other %s, expected at least two, so that one can be held out",
                 path, get_text (self, 0)->line, what);
  else if (eng_texts_get_n (self, FALSE) == 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "%s: there is no %s to learn from, expected one a line%s", path, what,
                 self->texts->len > 0 ? " besides those that are held out" : "");
  else
    return TRUE;

  return FALSE;
}

static void
texts_batch_free (gpointer data)
{
  EngTextsBatch *self = data;

  g_free (self->ids);
  g_free (self->type_ids);
  g_free (self->visible);
  g_free (self->special);
  g_free (self->words);
  g_free (self->labels);
  g_free (self->source_ids);
  g_free (self->source_visible);
  g_free (self);
}

static void
fill_row (const EngTexts *self,
          const Text     *text,
          EngTextsBatch  *batch,
          int             row)
{
  gsize first = (gsize) (row * batch->batch.n);

  for (gsize i = 0; i < (gsize) batch->batch.n; i++) {
    gboolean there = i < (gsize) text->n;
    gsize place = text->first + i;

    batch->visible[first + i] = there;
    batch->ids[first + i] = there ? g_array_index (self->ids, gint32, place)
                                  : self->settings.pad_id;
    batch->special[first + i] = there ? g_array_index (self->special, guint8, place) : TRUE;
    batch->words[first + i] = there ? g_array_index (self->words, int, place) : -1;
    batch->labels[first + i] = ENG_NO_LABEL;
  }
}

/* What is asked of the text. */
static void
fill_asked (const EngTexts *self,
            const Text     *text,
            EngTextsBatch  *batch,
            int             row)
{
  gsize first = (gsize) (row * batch->batch.n), n = (gsize) text->n * sizeof (gint32);

  memcpy (batch->type_ids + first, &g_array_index (self->types, gint32, text->first), n);
  memcpy (batch->labels + first, &g_array_index (self->labels, gint32, text->first), n);
}

/* The row of a pair: what is there is what is asked for, and is read one token later. */
static void
fill_pair (const EngTexts *self,
           const Text     *text,
           EngTextsBatch  *batch,
           int             row)
{
  gsize first = (gsize) (row * batch->batch.n);
  gsize first_source = (gsize) (row * batch->batch.n_source);

  for (int i = text->n - 1; i >= 0; i--) {
    batch->labels[first + (gsize) i] = batch->ids[first + (gsize) i];
    batch->ids[first + (gsize) i] = i > 0 ? batch->ids[first + (gsize) i - 1]
                                          : self->settings.start_id;
  }
  for (gsize i = 0; i < (gsize) batch->batch.n_source; i++) {
    gboolean there = i < (gsize) text->n_source;
    gsize place = text->first - (gsize) text->n_source + i;

    batch->source_visible[first_source + i] = there;
    batch->source_ids[first_source + i] = there ? g_array_index (self->ids, gint32, place)
                                                : self->settings.pad_id;
  }
}

/* Room for n_texts pairs. */
static void
make_sources (EngTextsBatch *batch,
              int            n_texts,
              int            length)
{
  gsize n = (gsize) (n_texts * length);

  batch->source_ids = g_new (gint32, n);
  batch->source_visible = g_new (guint8, n);
  batch->batch.n_source = length;
  batch->batch.source_ids = batch->source_ids;
  batch->batch.source_visible = batch->source_visible;
}

/* Lengths of the longest text, and of the longest source of pairs. */
typedef struct {
  int n;
  int n_source;
} Size;

static EngTextsBatch *
make_batch (const EngTexts *self,
            const guint    *texts,
            int             n_texts,
            Size            size)
{
  EngTextsBatch *batch = g_new0 (EngTextsBatch, 1);
  gsize n = (gsize) (n_texts * size.n);

  batch->ids = g_new (gint32, n);
  batch->visible = g_new (guint8, n);
  batch->special = g_new (guint8, n);
  batch->words = g_new (int, n);
  batch->labels = g_new (gint32, n);
  batch->batch = (EngBatch) { n_texts, size.n, batch->ids, NULL, batch->visible, batch->labels };
  if (self->settings.pairs)
    make_sources (batch, n_texts, size.n_source);
  if (self->labels->len > 0)
    batch->batch.type_ids = batch->type_ids = g_new0 (gint32, n);
  for (int row = 0; row < n_texts; row++) {
    batch->n_words += get_text (self, texts[row])->n_words;
    fill_row (self, get_text (self, texts[row]), batch, row);
    if (self->settings.pairs)
      fill_pair (self, get_text (self, texts[row]), batch, row);
    if (batch->type_ids)
      fill_asked (self, get_text (self, texts[row]), batch, row);
  }

  return batch;
}

/* Fisher and Yates. */
static void
shuffle (guint    n,
         guint64  key,
         guint   *order)
{
  for (guint i = n; i > 1; i--) {
    guint k = (guint) (eng_random_uniform (key, i) * i), kept = order[i - 1];

    order[i - 1] = order[k];
    order[k] = kept;
  }
}

/* The shorter first, of pairs those with a shorter source; texts of one length in the order that
 * they had. */
static int
compare_lengths (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const EngTexts *self = data;
  const Text *one = get_text (self, *(const guint *) a);
  const Text *other = get_text (self, *(const guint *) b);

  return one->n_source != other->n_source ? one->n_source - other->n_source : one->n - other->n;
}

/* Texts that are brought in order together. */
static void
sort_by_length (const EngTexts *self,
                GArray         *order,
                int             n_tokens)
{
  gint64 wanted = (gint64) n_tokens * BATCHES_TOGETHER;
  guint first = 0;

  while (first < order->len) {
    guint last = first;

    for (gint64 n = 0; last < order->len && n < wanted; last++)
      n += count_tokens (get_text (self, g_array_index (order, guint, last)));
    g_qsort_with_data (&g_array_index (order, guint, first), (gint) (last - first),
                       sizeof (guint), compare_lengths, (gpointer) self);
    first = last;
  }
}

static GPtrArray *
cut_batches (const EngTexts *self,
             const GArray   *order,
             int             n_tokens)
{
  GPtrArray *batches = g_ptr_array_new_with_free_func (texts_batch_free);
  guint first = 0;

  while (first < order->len) {
    Size size = { 0, 0 };
    guint last = first;

    for (; last < order->len; last++) {
      const Text *text = get_text (self, g_array_index (order, guint, last));
      Size longer = { MAX (size.n, text->n), MAX (size.n_source, text->n_source) };

      if (last > first &&
          (gint64) (longer.n + longer.n_source) * (last + 1 - first) > n_tokens)
        break;
      size = longer;
    }
    g_ptr_array_add (batches, make_batch (self, &g_array_index (order, guint, first),
                                          (int) (last - first), size));
    first = last;
  }

  return batches;
}

GPtrArray *
eng_texts_make_batches (const EngTexts *self,
                        gboolean        held_out,
                        int             n_tokens,
                        guint64         key)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) sorted = NULL;
  g_autofree guint *places = NULL;
  GPtrArray *batches;

  for (guint i = 0; i < self->texts->len; i++)
    if (get_text (self, i)->held_out == held_out)
      g_array_append_val (order, i);
  if (order->len == 0)
    return g_ptr_array_new_with_free_func (texts_batch_free);
  shuffle (order->len, eng_random_key (key, STREAM_TEXTS), &g_array_index (order, guint, 0));
  sort_by_length (self, order, n_tokens);

  sorted = cut_batches (self, order, n_tokens);
  places = g_new (guint, sorted->len);
  for (guint i = 0; i < sorted->len; i++)
    places[i] = i;
  shuffle (sorted->len, eng_random_key (key, STREAM_BATCHES), places);
  batches = g_ptr_array_new_with_free_func (texts_batch_free);
  for (guint i = 0; i < sorted->len; i++)
    g_ptr_array_add (batches, g_steal_pointer (&sorted->pdata[places[i]]));
  /* What was taken out is not freed with it. */
  g_ptr_array_set_free_func (sorted, NULL);

  return batches;
}
