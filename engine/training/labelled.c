/* SPDX-License-Identifier: MIT */
#include "engine/training/labelled.h"

#include <string.h>

#include "engine/training/texts-private.h"

typedef struct {
  const EngTokenizer     *tokenizer;
  const EngLabelling     *labelling;
  const EngTextsSettings *settings;
  EngTexts               *texts;
} Maker;

static gboolean
overlaps (const EngSpan *span,
          int            start,
          int            end)
{
  return span->start >= 0 && span->start < end && span->end > start;
}

/* First and last token of the bytes [start, end) of the second text; FALSE where there is none. */
static gboolean
find_span (const EngTokens *tokens,
           int              start,
           int              end,
           int             *first,
           int             *last)
{
  *first = *last = -1;
  for (int i = 0; i < tokens->n; i++)
    if (!tokens->special[i] && tokens->segments[i] == 1 &&
        overlaps (&tokens->spans[i], start, end)) {
      *first = *first < 0 ? i : *first;
      *last = i;
    }

  return *first >= 0;
}

void
eng_labelled_find_words (const EngExample *example,
                         const EngTokens  *tokens,
                         int              *firsts)
{
  int start = 0, token = 0;

  for (int word = 0; example->words[word]; word++) {
    int end = start + (int) strlen (example->words[word]);

    firsts[word] = -1;
    while (token < tokens->n && (tokens->special[token] || tokens->spans[token].end <= start))
      token++;
    if (token < tokens->n && overlaps (&tokens->spans[token], start, end))
      firsts[word] = token++;
    start = end + 1;
  }
}

static gboolean
find_class (const Maker  *self,
            const char   *label,
            gint32       *class,
            GError      **error)
{
  for (int i = 0; self->labelling->labels[i]; i++)
    if (strcmp (self->labelling->labels[i], label) == 0) {
      *class = i;
      return TRUE;
    }
  g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "“%s” is none of the labels of the model", label);

  return FALSE;
}

/* The token that a head reads a text by. */
static int
get_place (const Maker     *self,
           const EngTokens *tokens)
{
  return self->labelling->input == ENG_HEAD_LAST ? tokens->n - 1 : 0;
}

static gboolean
label_tags (const Maker       *self,
            const EngExample  *example,
            const EngTokens   *tokens,
            gint32            *labels,
            GError           **error)
{
  g_autofree int *firsts = g_new (int, g_strv_length (example->words));

  eng_labelled_find_words (example, tokens, firsts);
  for (int word = 0; example->words[word]; word++) {
    gint32 class;

    if (!find_class (self, example->tags[word], &class, error))
      return FALSE;
    if (firsts[word] >= 0)
      labels[firsts[word]] = class;
  }

  return TRUE;
}

static gboolean
label (const Maker       *self,
       const EngExample  *example,
       const EngTokens   *tokens,
       gint32            *labels,
       GError           **error)
{
  int first, last;

  for (int i = 0; i < tokens->n; i++)
    labels[i] = ENG_NO_LABEL;
  if (self->labelling->kind == ENG_EXAMPLES_TAGS)
    return label_tags (self, example, tokens, labels, error);
  if (self->labelling->kind != ENG_EXAMPLES_ANSWERS)
    return find_class (self, example->label, &labels[get_place (self, tokens)], error);
  if (!find_span (tokens, example->start, example->start + (int) strlen (example->label), &first,
                  &last)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "the answer “%s” has no token", example->label);
    return FALSE;
  }
  labels[first] = last;

  return TRUE;
}

/* Of a question with a context that is too long: leaves out tokens of the context before and behind
 * the answer, [*first, *last] of the context's. */
static void
cut_around (int  n,
            int  room,
            int *first,
            int *last)
{
  int middle = (*first + *last) / 2;
  int start = CLAMP (middle - room / 2, 0, n - room);

  *first = start;
  *last = start + room - 1;
}

/* Leaves out tokens that stand before first or behind last and are of the context. Labels of an
 * answer move with it. */
static int
keep (const EngTokens *tokens,
      int              first,
      int              last,
      gint32          *kept)
{
  int n = 0;

  for (int i = 0; i < tokens->n; i++)
    if (tokens->special[i] || tokens->segments[i] == 0 || (i >= first && i <= last))
      kept[n++] = i;

  return n;
}

/* The places of the tokens that stay, all where there is room. FALSE where the answer does not. */
static gboolean
choose (const Maker       *self,
        const EngExample  *example,
        const EngTokens   *tokens,
        gint32            *kept,
        int               *n)
{
  int first, last, before = -1, n_context = 0, room;

  for (int i = 0; i < tokens->n; i++)
    if (!tokens->special[i] && tokens->segments[i] == 1) {
      before = before < 0 ? i : before;
      n_context++;
    }
  room = n_context - MAX (tokens->n - self->settings->longest, 0);
  if (room == n_context || self->labelling->kind != ENG_EXAMPLES_ANSWERS) {
    *n = keep (tokens, 0, tokens->n - 1, kept);
    return TRUE;
  }
  if (!find_span (tokens, example->start, example->start + (int) strlen (example->label), &first,
                  &last) ||
      last - first >= room)
    return FALSE;
  first -= before;
  last -= before;
  cut_around (n_context, room, &first, &last);
  *n = keep (tokens, first + before, last + before, kept);

  return TRUE;
}

static void
add (const Maker      *self,
     const EngExample *example,
     const EngTokens  *tokens,
     const gint32     *kept,
     int               n,
     const gint32     *labels,
     const char       *key)
{
  g_autofree gint32 *ids = g_new (gint32, n), *types = g_new0 (gint32, n);
  g_autofree gint32 *moved = g_new (gint32, n);
  g_autofree guint8 *special = g_new (guint8, n);
  EngAskedText text = { n, 0, example->line, ids, types, special, moved };

  for (int i = 0; i < n; i++) {
    ids[i] = tokens->ids[kept[i]];
    special[i] = tokens->special[kept[i]];
    types[i] = self->labelling->types ? tokens->type_ids[kept[i]] : 0;
    moved[i] = labels[kept[i]];
    if (self->labelling->kind == ENG_EXAMPLES_ANSWERS && moved[i] != ENG_NO_LABEL)
      moved[i] = i + moved[i] - kept[i];
  }
  text.n_words = eng_texts_count_covered (tokens, kept, n, 0, example->a);
  if (example->b)
    text.n_words += eng_texts_count_covered (tokens, kept, n, 1, example->b);
  eng_texts_add_asked (self->texts, &text, key);
}

static gboolean
add_example (const Maker       *self,
             const EngExample  *example,
             const char        *key,
             GError           **error)
{
  gboolean answers = self->labelling->kind == ENG_EXAMPLES_ANSWERS;
  EngTokenizeOptions options = {
    .truncate = !answers, .max_length = answers ? 0 : self->settings->longest,
  };
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (self->tokenizer, example->a, example->b,
                                                       &options, error);
  g_autofree gint32 *labels = tokens ? g_new (gint32, tokens->n) : NULL;
  g_autofree gint32 *kept = tokens ? g_new (gint32, tokens->n) : NULL;
  int n;

  if (!tokens)
    return FALSE;
  if (tokens->n == 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "“%s” has no token", example->a);
    return FALSE;
  }
  if (!label (self, example, tokens, labels, error))
    return FALSE;
  if (!choose (self, example, tokens, kept, &n)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_LENGTH,
                 "the question “%s” and its answer have more than %d tokens", example->a,
                 self->settings->longest);
    return FALSE;
  }
  add (self, example, tokens, kept, n, labels, key);

  return TRUE;
}

EngTexts *
eng_labelled_tokenise (const GPtrArray         *examples,
                       const char              *path,
                       const EngTokenizer      *tokenizer,
                       const EngLabelling      *labelling,
                       const EngTextsSettings  *settings,
                       GError                 **error)
{
  g_autoptr (EngTexts) texts = eng_texts_new (settings);
  Maker self = { tokenizer, labelling, settings, texts };

  for (guint i = 0; i < examples->len; i++) {
    const EngExample *example = examples->pdata[i];

    if (!add_example (&self, example, labelling->sides->keys[i], error)) {
      g_prefix_error (error, "%s:%d: ", path, example->line);
      return NULL;
    }
  }

  return eng_texts_check (texts, path, "example", error) ? g_steal_pointer (&texts) : NULL;
}
