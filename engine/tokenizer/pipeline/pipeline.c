/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pipeline/pipeline.h"

#include "engine/tokenizer/decoders/wordpiece-decoder.h"
#include "engine/tokenizer/pretokenizers/byte-level.h"

/* The number of the next word: pieces of one word have one number. */
static int
count_words (const GArray *pieces)
{
  return pieces->len > 0 ? g_array_index (pieces, EngPiece, pieces->len - 1).word + 1 : 0;
}

static gboolean
cut_words (const EngPipeline        *self,
           const EngNormalizedChar  *chars,
           int                       n,
           GArray                   *pieces,
           GError                  **error)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  g_auto (EngNormalized) text = { 0 };
  EngWord whole = { 0, n };

  eng_normalized_append_chars (&text, chars, n);
  g_array_append_val (words, whole);
  for (guint i = 0; i < self->pre_tokenizers->len; i++) {
    const EngPretokenizer *step = g_ptr_array_index (self->pre_tokenizers, i);

    if (!step->cut (step, &text, words, error))
      return FALSE;
  }

  for (guint i = 0; i < words->len; i++) {
    EngWord word = g_array_index (words, EngWord, i);
    int number = count_words (pieces);
    guint first = pieces->len;

    self->model->cut (self->model, &text.chars[word.first], word.end - word.first, pieces);
    for (guint k = first; k < pieces->len; k++)
      g_array_index (pieces, EngPiece, k).word = number;
  }

  return TRUE;
}

static void
append_added_token (const EngNormalizedChar *chars,
                    EngSection               section,
                    GArray                  *pieces)
{
  EngSpan span = { chars[section.first].origin.start, chars[section.end - 1].origin.end };
  EngPiece piece = { section.id, span, count_words (pieces) };

  g_array_append_val (pieces, piece);
}

/* A piece of text between added tokens. */
static gboolean
cut_section (const EngPipeline        *self,
             const EngNormalizedChar  *chars,
             int                       n,
             GArray                   *pieces,
             GError                  **error)
{
  g_autoptr (GArray) sections = g_array_new (FALSE, FALSE, sizeof (EngSection));
  g_auto (EngNormalized) text = { 0 };

  eng_normalized_append_chars (&text, chars, n);
  if (!eng_normalizers_apply (self->normalizers, &text, error))
    return FALSE;
  eng_added_tokens_split (self->added_tokens, TRUE, text.chars, text.n, sections);

  for (guint i = 0; i < sections->len; i++) {
    EngSection section = g_array_index (sections, EngSection, i);

    if (section.id >= 0)
      append_added_token (text.chars, section, pieces);
    else if (!cut_words (self, &text.chars[section.first], section.end - section.first, pieces,
                         error))
      return FALSE;
  }

  return TRUE;
}

static void
trim_spans (const EngPipeline *self,
            const char        *text,
            guint              first,
            GArray            *pieces)
{
  for (guint i = first; i < pieces->len; i++) {
    EngPiece *piece = &g_array_index (pieces, EngPiece, i);
    EngSpan span = piece->span;
    g_autofree char *typed = NULL;
    const char *spelt = eng_pipeline_get_piece (self, piece->id);

    /* An added token counts with the white space that it took along. */
    if (eng_added_tokens_get_content (self->added_tokens, piece->id))
      spelt = typed = g_strndup (text + span.start, (gsize) (span.end - span.start));
    eng_byte_level_trim_span (spelt, text, i == first, self->trim_keeps_prefix, &piece->span);
  }
}

/* The texts of ids in order; ids that stand for nothing are passed over. */
static GPtrArray *
list_pieces (const EngPipeline *self,
             const gint32      *ids,
             int                n,
             gboolean           skip_special)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < n; i++) {
    const char *added = eng_added_tokens_get_spelling (self->added_tokens, ids[i]);
    const char *piece = added ? added : eng_pipeline_get_piece (self, ids[i]);

    if (piece && !(skip_special && eng_added_tokens_is_special (self->added_tokens, ids[i])))
      g_ptr_array_add (pieces, g_strdup (piece));
  }

  return pieces;
}

static GString *
join (const GPtrArray *texts,
      const char      *separator)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < texts->len; i++) {
    if (i > 0)
      g_string_append (joined, separator);
    g_string_append (joined, g_ptr_array_index (texts, i));
  }

  return joined;
}

/* Rewrites tokens. */
static GString *
decode (const EngPipeline *self,
        GPtrArray         *tokens)
{
  for (guint i = 0; i < self->decoders->len; i++) {
    const EngDecoder *step = g_ptr_array_index (self->decoders, i);

    step->decode (step, tokens);
  }

  return join (tokens, self->decoders->len > 0 ? "" : " ");
}

const char *
eng_role_get_key (EngRole role)
{
  static const char *const keys[ENG_N_ROLES] = {
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token",
  };

  return keys[role];
}

EngPipeline *
eng_pipeline_new (void)
{
  EngPipeline *self = g_new0 (EngPipeline, 1);

  self->normalizers = g_ptr_array_new_with_free_func ((GDestroyNotify) eng_normalizer_free);
  self->pre_tokenizers = g_ptr_array_new_with_free_func ((GDestroyNotify) eng_pretokenizer_free);
  self->decoders = g_ptr_array_new_with_free_func ((GDestroyNotify) eng_decoder_free);
  for (int role = 0; role < ENG_N_ROLES; role++)
    self->roles[role] = -1;

  return self;
}

void
eng_pipeline_free (EngPipeline *self)
{
  g_ptr_array_unref (self->normalizers);
  g_ptr_array_unref (self->pre_tokenizers);
  g_ptr_array_unref (self->decoders);
  g_clear_pointer (&self->added_tokens, eng_added_tokens_free);
  g_clear_pointer (&self->post_processor, eng_template_free);
  g_clear_pointer (&self->model, eng_token_model_free);
  g_clear_pointer (&self->target, eng_pipeline_free);
  g_strfreev (self->languages);
  g_free (self->source_language);
  g_free (self->target_language);
  g_free (self);
}

gboolean
eng_pipeline_cut (const EngPipeline  *self,
                  const char         *text,
                  GArray             *pieces,
                  GError            **error)
{
  g_autoptr (GArray) sections = g_array_new (FALSE, FALSE, sizeof (EngSection));
  g_auto (EngNormalized) typed = { 0 };
  guint n_before = pieces->len;

  eng_normalized_append_text (&typed, text);
  eng_added_tokens_split (self->added_tokens, FALSE, typed.chars, typed.n, sections);

  for (guint i = 0; i < sections->len; i++) {
    EngSection section = g_array_index (sections, EngSection, i);

    if (section.id >= 0)
      append_added_token (typed.chars, section, pieces);
    else if (!cut_section (self, &typed.chars[section.first], section.end - section.first, pieces,
                           error))
      return FALSE;
  }
  if (self->trim_spans)
    trim_spans (self, text, n_before, pieces);

  return TRUE;
}

char *
eng_pipeline_decode (const EngPipeline *self,
                     const gint32      *ids,
                     int                n,
                     gboolean           skip_special)
{
  g_autoptr (GPtrArray) tokens = list_pieces (self, ids, n, skip_special);
  GString *text = decode (self, tokens);

  if (self->clean_up)
    eng_clean_up_spaces (text);

  return g_string_free (text, FALSE);
}

char *
eng_pipeline_join (const EngPipeline *self,
                   char *const       *pieces,
                   int                n)
{
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < n; i++)
    g_ptr_array_add (tokens, g_strdup (pieces[i]));

  return g_string_free (decode (self, tokens), FALSE);
}

int
eng_pipeline_find_id (const EngPipeline *self,
                      const char        *piece)
{
  int id = eng_added_tokens_find (self->added_tokens, piece);

  return id >= 0 ? id : eng_vocabulary_find (self->model->vocabulary, piece);
}

const char *
eng_pipeline_get_piece (const EngPipeline *self,
                        int                id)
{
  const char *piece = eng_vocabulary_get_piece (self->model->vocabulary, id);

  return piece ? piece : eng_added_tokens_get_content (self->added_tokens, id);
}

char *
eng_pipeline_dup_text (const EngPipeline *self,
                       int                id)
{
  const char *added = eng_added_tokens_get_content (self->added_tokens, id);
  char *text = g_strdup (added ? added : eng_pipeline_get_piece (self, id));

  /* An added token is spelt as it is typed. */
  for (guint i = 0; text && !added && i < self->decoders->len; i++) {
    const EngDecoder *step = g_ptr_array_index (self->decoders, i);

    if (step->draw)
      text = step->draw (step, text);
  }

  return text;
}
