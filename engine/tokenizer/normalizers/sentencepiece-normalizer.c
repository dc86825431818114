/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/sentencepiece-normalizer.h"

#include "engine/tokenizer/base/vocabulary.h"

#include <string.h>

#define SPACE_MARK 0x2581

typedef struct {
  EngNormalizer  parent;
  EngCharsmap   *charsmap; /* NULL = nothing is replaced */
  EngVocabulary *kept;     /* user-defined pieces, which nothing replaces; NULL = none */
  gboolean       mark_behind;
  gboolean       add_dummy_prefix;
  gboolean       remove_extra_spaces;
  gunichar       space; /* what a space becomes */
} SentencepieceNormalizer;

/* A text on its way: its bytes, and where each character begins among them. */
typedef struct {
  const EngNormalized *text;
  char                *bytes;
  gsize               *offsets; /* [text->n + 1] */
} Source;

/* What the characters from one place on become. */
typedef struct {
  const char *text;     /* not always ended by NUL */
  gsize       length;
  int         end;      /* the character behind those that were used up */
  gboolean    is_typed; /* nothing was replaced */
} Step;

static void
source_init (Source              *self,
             const EngNormalized *text)
{
  gsize length = 0;

  self->text = text;
  self->bytes = g_malloc ((gsize) text->n * 4 + 1);
  self->offsets = g_new (gsize, (gsize) text->n + 1);
  for (int i = 0; i < text->n; i++) {
    self->offsets[i] = length;
    length += (gsize) g_unichar_to_utf8 (text->chars[i].c, self->bytes + length);
  }
  self->offsets[text->n] = length;
  self->bytes[length] = '\0';
}

static void
source_clear (Source *self)
{
  g_free (self->bytes);
  g_free (self->offsets);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

/* End of the longest user-defined piece at a character, or the character itself. */
static int
find_kept (const SentencepieceNormalizer *self,
           const Source                  *source,
           int                            at)
{
  gsize longest = self->kept ? eng_vocabulary_get_max_length (self->kept) : 0;
  gsize offset = source->offsets[at];
  guint32 hash = ENG_HASH_START;
  int found = at;

  for (int end = at + 1; end <= source->text->n; end++) {
    gsize length = source->offsets[end] - offset;

    if (length > longest)
      break;
    for (gsize i = source->offsets[end - 1]; i < source->offsets[end]; i++)
      hash = eng_hash_byte (hash, (guint8) source->bytes[i]);
    if (eng_vocabulary_find_hashed (self->kept, source->bytes + offset, length, hash) >= 0)
      found = end;
  }

  return found;
}

static Step
take_step (const SentencepieceNormalizer *self,
           const Source                  *source,
           int                            at)
{
  gsize offset = source->offsets[at];
  int end = find_kept (self, source, at);
  const char *replacement = NULL;
  gsize n_bytes;

  if (end == at && self->charsmap)
    replacement = eng_charsmap_find_longest (self->charsmap, source->bytes + offset,
                                             source->offsets[source->text->n] - offset, &n_bytes);
  if (!replacement) {
    end = MAX (end, at + 1);
    return (Step) { source->bytes + offset, source->offsets[end] - offset, end, TRUE };
  }
  while (source->offsets[end] < offset + n_bytes)
    end++;

  return (Step) { replacement, strlen (replacement), end, FALSE };
}

/* What stays as it was typed keeps the origin of each character; a replacement stands for all that
 * it was made of. */
static void
append_step (const SentencepieceNormalizer *self,
             const Source                  *source,
             int                            at,
             Step                           step,
             EngNormalized                 *result)
{
  const EngNormalizedChar *chars = source->text->chars;

  for (const char *c = step.text; c < step.text + step.length; c = g_utf8_next_char (c)) {
    EngSpan origin = { chars[at].origin.start, chars[step.end - 1].origin.end };

    if (step.is_typed)
      origin = chars[at++].origin;
    eng_normalized_append (result, *c == ' ' ? self->space : g_utf8_get_char (c), origin);
  }
}

/* First character that does not become a space. */
static int
skip_spaces (const SentencepieceNormalizer *self,
             const Source                  *source)
{
  int at = 0;

  while (self->remove_extra_spaces && at < source->text->n) {
    Step step = take_step (self, source, at);

    if (step.length != 1 || *step.text != ' ')
      break;
    at = step.end;
  }

  return at;
}

static void
append_all (const SentencepieceNormalizer *self,
            const Source                  *source,
            int                            at,
            EngNormalized                 *result)
{
  gboolean after_space = self->remove_extra_spaces;

  while (at < source->text->n) {
    Step step = take_step (self, source, at);
    int end = step.end;

    for (; after_space && step.length > 0 && *step.text == ' '; step.text++, step.length--)
      at += step.is_typed;
    if (step.length > 0)
      after_space = self->remove_extra_spaces && step.text[step.length - 1] == ' ';
    append_step (self, source, at, step, result);
    at = end;
  }
  while (self->remove_extra_spaces && result->n > 0 &&
         result->chars[result->n - 1].c == self->space)
    result->n--;
}

static void
sentencepiece_normalizer_normalize (const EngNormalizer *normalizer,
                                    EngNormalized       *text)
{
  const SentencepieceNormalizer *self = (const SentencepieceNormalizer *) normalizer;
  g_auto (EngNormalized) result = { 0 };
  g_auto (Source) source;
  int first;

  source_init (&source, text);
  first = skip_spaces (self, &source);
  if (first < text->n) {
    if (self->add_dummy_prefix && !self->mark_behind)
      eng_normalized_append (&result, self->space, text->chars[first].origin);
    append_all (self, &source, first, &result);
    /* The mark in front belongs to the first character that is left. */
    if (self->add_dummy_prefix && !self->mark_behind && result.n > 1)
      result.chars[0].origin = result.chars[1].origin;
    if (self->add_dummy_prefix && self->mark_behind)
      eng_normalized_append (&result, self->space, text->chars[text->n - 1].origin);
  }
  eng_normalized_take (text, &result);
}

static void
sentencepiece_normalizer_free (EngNormalizer *normalizer)
{
  SentencepieceNormalizer *self = (SentencepieceNormalizer *) normalizer;

  g_clear_pointer (&self->charsmap, eng_charsmap_free);
  g_clear_pointer (&self->kept, eng_vocabulary_free);
  g_free (self);
}

/* NULL when there are none. */
static EngVocabulary *
collect_kept (const EngSentencepieceFile *file)
{
  g_autoptr (EngVocabulary) kept = eng_vocabulary_new ();
  int n = 0;

  for (guint i = 0; i < file->pieces->len; i++) {
    const EngSentencepiece *piece = &g_array_index (file->pieces, EngSentencepiece, i);

    if (piece->type == ENG_SENTENCEPIECE_USER_DEFINED)
      eng_vocabulary_add (kept, piece->text, strlen (piece->text), n++);
  }

  /* Not empty, and each has a number of its own: nothing can be refused. */
  return n > 0 && eng_vocabulary_seal (kept, "", NULL) ? g_steal_pointer (&kept) : NULL;
}

EngNormalizer *
eng_sentencepiece_normalizer_new (const EngSentencepieceFile  *file,
                                  const char                  *what,
                                  GError                     **error)
{
  EngCharsmap *charsmap = NULL;
  SentencepieceNormalizer *self;
  gsize length;

  if (file->charsmap) {
    const guint8 *data = g_bytes_get_data (file->charsmap, &length);

    charsmap = eng_charsmap_new (data, length, what, error);
    if (!charsmap)
      return NULL;
  }

  self = g_new0 (SentencepieceNormalizer, 1);
  self->parent.normalize = sentencepiece_normalizer_normalize;
  self->parent.free = sentencepiece_normalizer_free;
  self->charsmap = charsmap;
  self->kept = collect_kept (file);
  self->mark_behind = file->mark_behind;
  self->add_dummy_prefix = file->add_dummy_prefix;
  self->remove_extra_spaces = file->remove_extra_spaces;
  self->space = file->escape_spaces ? SPACE_MARK : ' ';

  return &self->parent;
}
