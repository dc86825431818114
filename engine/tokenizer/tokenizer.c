/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/tokenizer.h"

#include "engine/tokenizer/files/loader.h"
#include "engine/tokenizer/pipeline/languages.h"
#include "engine/tokenizer/tokenizer-private.h"

#include <string.h>

struct _EngTokenizer {
  EngPipeline    *pipeline;
  EngTokenizer   *target;      /* NULL = itself */
  char           *description;
  char           *file;
};

/* 30522 as 30,522, in every locale. */
static void
append_grouped (GString *string,
                int      number)
{
  gssize first = (gssize) string->len;

  g_string_append_printf (string, "%d", number);
  for (gssize at = (gssize) string->len - 3; at > first; at -= 3)
    g_string_insert_c (string, at, ',');
}

static char *
describe (const EngTokenizer *self)
{
  g_autofree char *file = g_path_get_basename (self->file);
  GString *description = g_string_new (self->pipeline->model->name);
  const GPtrArray *normalizers = self->pipeline->normalizers;
  const GPtrArray *pre_tokenizers = self->pipeline->pre_tokenizers;

  g_string_append (description, ", ");
  append_grouped (description, eng_tokenizer_get_n_entries (self));
  g_string_append (description, " entries");
  for (guint i = 0; i < normalizers->len; i++) {
    const EngNormalizer *step = g_ptr_array_index (normalizers, i);

    if (step->description)
      g_string_append_printf (description, ", %s", step->description);
  }
  for (guint i = 0; i < pre_tokenizers->len; i++) {
    const EngPretokenizer *step = g_ptr_array_index (pre_tokenizers, i);

    if (step->description)
      g_string_append_printf (description, ", %s", step->description);
  }
  g_string_append_printf (description, ", from %s", file);

  return g_string_free (description, FALSE);
}

static gboolean
cut (const EngPipeline  *pipeline,
     const char         *text,
     const char         *sentence,
     GArray             *pieces,
     GError            **error)
{
  gsize length = strlen (text);
  const char *invalid;

  if (length >= G_MAXINT) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "sentence %s has %" G_GSIZE_FORMAT
                 " bytes, expected fewer than %d", sentence, length, G_MAXINT);
    return FALSE;
  }
  if (!g_utf8_validate_len (text, length, &invalid)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "sentence %s is not UTF-8 at byte %" G_GSIZE_FORMAT ": found 0x%02X",
                 sentence, (gsize) (invalid - text), (guchar) *invalid);
    return FALSE;
  }

  return eng_pipeline_cut (pipeline, text, pieces, error);
}

/* Longest first: the longer sentence loses pieces until both are equal, then both do; of an odd
 * room the one that was longer keeps the rest, of two equal ones B. */
static void
truncate_pair (int  room,
               int *n_a,
               int *n_b)
{
  int *shorter = *n_a > *n_b ? n_b : n_a;
  int *longer = *n_a > *n_b ? n_a : n_b;

  if (*shorter + *longer <= room)
    return;
  if (*shorter <= room - *shorter) {
    *longer = room - *shorter;
    return;
  }
  *shorter = room / 2;
  *longer = room - room / 2;
}

static gboolean
truncate_to_fit (const EngTokenizeOptions  *options,
                 int                        n_special,
                 int                       *n_a,
                 int                       *n_b,
                 GError                   **error)
{
  if (!options->truncate || options->max_length == 0)
    return TRUE;
  if (options->max_length < n_special) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%d tokens leave no room for the %d that the template adds",
                 options->max_length, n_special);
    return FALSE;
  }
  truncate_pair (options->max_length - n_special, n_a, n_b);

  return TRUE;
}

static int
count_special (const EngPipeline        *pipeline,
               const EngTokenizeOptions *options,
               gboolean                  pair)
{
  if (options->no_special_tokens)
    return 0;

  return eng_template_get_n_special (pipeline->post_processor, pair);
}

/* Of the language of the texts; -1 where the tokenizer does not mark it. */
static gboolean
find_language (const EngPipeline         *pipeline,
               const EngTokenizeOptions  *options,
               int                       *id,
               GError                   **error)
{
  const char *code = options->as_target ? pipeline->target_language : NULL;
  const char *token;

  *id = -1;
  if (!pipeline->marks_language)
    return TRUE;
  if (options->language)
    code = options->language;
  token = eng_pipeline_find_language (pipeline, code ? code : pipeline->source_language);
  if (!token) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "“%s” is no language of the tokenizer, expected a code such as %s", code,
                 pipeline->source_language);
    return FALSE;
  }
  *id = eng_pipeline_find_id (pipeline, token);

  return TRUE;
}

static void
set_token (const EngPipeline     *pipeline,
           EngTokens             *tokens,
           int                    at,
           int                    id,
           const EngTemplateItem *item)
{
  tokens->ids[at] = id;
  tokens->pieces[at] = g_strdup (eng_pipeline_get_piece (pipeline, id));
  tokens->texts[at] = eng_pipeline_dup_text (pipeline, id);
  tokens->type_ids[at] = item->type_id;
  tokens->segments[at] = (guint8) item->segment;
  tokens->special[at] = item->sentence < 0;
}

/* pieces: of A and of B, whose texts these are; n: how many of each are kept; language: the id of
 * theirs. */
static EngTokens *
apply_template (const EngPipeline        *pipeline,
                const EngTokenizeOptions *options,
                int                       language,
                gboolean                  pair,
                GArray *const             pieces[2],
                const int                 n[2],
                const char *const         texts[2])
{
  const EngTemplate *template = pipeline->post_processor;
  int n_items;
  const EngTemplateItem *items = eng_template_get_items (template, pair, &n_items);
  EngTokens *tokens = eng_tokens_new (n[0] + n[1] + count_special (pipeline, options, pair));
  int at = 0;

  for (int i = 0; i < n_items; i++) {
    if (items[i].sentence < 0 && !options->no_special_tokens)
      set_token (pipeline, tokens, at++,
                 items[i].id == ENG_TEMPLATE_LANGUAGE ? language : items[i].id, &items[i]);
    for (int k = 0; items[i].sentence >= 0 && k < n[items[i].sentence]; k++, at++) {
      const EngPiece *piece = &g_array_index (pieces[items[i].sentence], EngPiece, k);

      set_token (pipeline, tokens, at, piece->id, &items[i]);
      tokens->spans[at] = piece->span;
      tokens->words[at] = piece->word;
      if (piece->id == pipeline->model->unknown_id)
        eng_tokens_note_typed (tokens, at, texts[items[i].sentence]);
    }
  }

  return tokens;
}

EngTokenizer *
eng_tokenizer_new (EngPipeline *pipeline,
                   const char  *file)
{
  EngTokenizer *self = g_new0 (EngTokenizer, 1);
  int *mask_id = &pipeline->roles[ENG_ROLE_MASK];

  self->pipeline = pipeline;
  if (*mask_id < 0)
    *mask_id = eng_pipeline_find_id (pipeline, "[MASK]");
  if (*mask_id < 0)
    *mask_id = eng_pipeline_find_id (pipeline, "<mask>");
  if (pipeline->target)
    self->target = eng_tokenizer_new (g_steal_pointer (&pipeline->target), file);
  self->file = g_strdup (file);
  self->description = describe (self);

  return self;
}

EngTokenizer *
eng_tokenizer_open (const char  *folder,
                    GError     **error)
{
  g_autofree char *file = NULL;
  EngPipeline *pipeline = eng_pipeline_open (folder, &file, error);

  return pipeline ? eng_tokenizer_new (pipeline, file) : NULL;
}

gboolean
eng_tokenizer_has_files (const char *folder)
{
  return eng_pipeline_has_files (folder);
}

void
eng_tokenizer_free (EngTokenizer *self)
{
  g_clear_pointer (&self->target, eng_tokenizer_free);
  eng_pipeline_free (self->pipeline);
  g_free (self->description);
  g_free (self->file);
  g_free (self);
}

EngTokens *
eng_tokenizer_encode (const EngTokenizer        *self,
                      const char                *text_a,
                      const char                *text_b,
                      const EngTokenizeOptions  *options,
                      GError                   **error)
{
  g_autoptr (GArray) pieces_a = g_array_new (FALSE, FALSE, sizeof (EngPiece));
  g_autoptr (GArray) pieces_b = g_array_new (FALSE, FALSE, sizeof (EngPiece));
  const EngPipeline *pipeline = options->as_target ? eng_tokenizer_get_target (self)->pipeline
                                                   : self->pipeline;
  gboolean pair = text_b && *text_b;
  int n[2], language;

  if (!find_language (pipeline, options, &language, error))
    return NULL;
  if (!cut (pipeline, text_a, "A", pieces_a, error) ||
      (pair && !cut (pipeline, text_b, "B", pieces_b, error)))
    return NULL;
  n[0] = (int) pieces_a->len;
  n[1] = (int) pieces_b->len;
  if (!truncate_to_fit (options, count_special (pipeline, options, pair), &n[0], &n[1], error))
    return NULL;

  return apply_template (pipeline, options, language, pair,
                         (GArray *const[]) { pieces_a, pieces_b }, n,
                         (const char *const[]) { text_a, text_b });
}

char *
eng_tokenizer_decode (const EngTokenizer *self,
                      const gint32       *ids,
                      int                 n,
                      gboolean            skip_special)
{
  /* What is decoded is what a decoder wrote. */
  return eng_pipeline_decode (eng_tokenizer_get_target (self)->pipeline, ids, n, skip_special);
}

char *
eng_tokenizer_join (const EngTokenizer *self,
                    char *const        *pieces,
                    int                 n)
{
  return eng_pipeline_join (self->pipeline, pieces, n);
}

int
eng_tokenizer_get_max_length (const EngTokenizer *self)
{
  return self->pipeline->max_length;
}

gboolean
eng_tokenizer_gives_types (const EngTokenizer *self)
{
  return !self->pipeline->gives_no_types;
}

int
eng_tokenizer_get_n_pieces (const EngTokenizer *self)
{
  return eng_vocabulary_get_n_entries (self->pipeline->model->vocabulary);
}

int
eng_tokenizer_get_n_entries (const EngTokenizer *self)
{
  return MAX (eng_tokenizer_get_n_pieces (self),
              eng_added_tokens_get_n_entries (self->pipeline->added_tokens));
}

int
eng_tokenizer_find_id (const EngTokenizer *self,
                       const char         *piece)
{
  return eng_pipeline_find_id (self->pipeline, piece);
}

const char *
eng_tokenizer_get_piece (const EngTokenizer *self,
                         int                 id)
{
  return eng_pipeline_get_piece (self->pipeline, id);
}

char *
eng_tokenizer_dup_text (const EngTokenizer *self,
                        int                 id)
{
  return eng_pipeline_dup_text (self->pipeline, id);
}

int
eng_tokenizer_get_mask_id (const EngTokenizer *self)
{
  return self->pipeline->roles[ENG_ROLE_MASK];
}

int
eng_tokenizer_find_special (const EngTokenizer *self,
                            const char         *role)
{
  for (int i = 0; i < ENG_N_ROLES; i++)
    if (g_str_equal (role, eng_role_get_key (i)))
      return self->pipeline->roles[i];

  return -1;
}

gboolean
eng_tokenizer_is_special (const EngTokenizer *self,
                          int                 id)
{
  return eng_added_tokens_is_special (self->pipeline->added_tokens, id);
}

const EngTokenizer *
eng_tokenizer_get_target (const EngTokenizer *self)
{
  return self->target ? self->target : self;
}

const char *const *
eng_tokenizer_get_languages (const EngTokenizer *self)
{
  return (const char *const *) self->pipeline->languages;
}

gboolean
eng_tokenizer_marks_language (const EngTokenizer *self)
{
  return self->pipeline->marks_language;
}

gboolean
eng_tokenizer_ends_in_language (const EngTokenizer *self)
{
  int n;
  const EngTemplateItem *items =
    eng_template_get_items (self->pipeline->post_processor, FALSE, &n);

  return items[n - 1].id == ENG_TEMPLATE_LANGUAGE;
}

char *
eng_tokenizer_dup_language_code (const char *token)
{
  return eng_language_dup_code (token);
}

int
eng_tokenizer_find_language (const EngTokenizer *self,
                             const char         *code)
{
  const char *token = eng_pipeline_find_language (self->pipeline, code);

  return token ? eng_pipeline_find_id (self->pipeline, token) : -1;
}

int
eng_tokenizer_get_unknown_id (const EngTokenizer *self)
{
  return self->pipeline->model->unknown_id;
}

const char *
eng_tokenizer_get_source_language (const EngTokenizer *self)
{
  return self->pipeline->source_language;
}

const char *
eng_tokenizer_get_target_language (const EngTokenizer *self)
{
  return self->pipeline->target_language;
}

gboolean
eng_tokenizer_has_chat_template (const EngTokenizer *self)
{
  return self->pipeline->has_chat_template;
}

const char *
eng_tokenizer_get_word_language (const EngTokenizer *self)
{
  const GPtrArray *steps = self->pipeline->pre_tokenizers;

  for (guint i = 0; i < steps->len; i++) {
    const EngPretokenizer *step = g_ptr_array_index (steps, i);

    if (step->language)
      return step->language;
  }

  return NULL;
}

const char *
eng_tokenizer_get_description (const EngTokenizer *self)
{
  return self->description;
}

const char *
eng_tokenizer_get_file (const EngTokenizer *self)
{
  return self->file;
}
