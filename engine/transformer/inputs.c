/* SPDX-License-Identifier: MIT */
#include "engine/transformer/inputs-private.h"

#include "engine/transformer/model-private.h"

#include <string.h>

int
eng_inputs_count_typed (const EngTokens *tokens,
                        int              segment)
{
  int n = 0;

  for (int i = 0; i < tokens->n; i++)
    n += !tokens->special[i] && tokens->segments[i] == segment;

  return n;
}

/* Tokens that the model has room for; 0 = as many as there are. */
static int
get_room (const EngModel *model)
{
  const EngSpec *spec = eng_model_get_spec (model);

  return spec->embedding.positions != ENG_POSITIONS_NONE ? eng_spec_get_max_positions (spec) : 0;
}

static gboolean
check_length (const EngModel   *model,
              const EngTokens  *tokens,
              GError          **error)
{
  int room = get_room (model);

  if (room == 0 || tokens->n <= room)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_LENGTH,
               "the text has %d tokens, expected at most the model's %d positions",
               tokens->n, room);
  return FALSE;
}

static gboolean
check_tokens (const EngModel   *model,
              const EngTokens  *tokens,
              int               n_sentences,
              GError          **error)
{
  int n_types = eng_model_get_spec (model)->embedding.n_types;

  for (int segment = 0; segment < n_sentences; segment++)
    if (eng_inputs_count_typed (tokens, segment) == 0) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                   "text %c leaves no token, expected at least one word",
                   'A' + segment);
      return FALSE;
    }
  for (int i = 0; i < tokens->n; i++)
    if (n_types > 0 && tokens->type_ids[i] >= n_types) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                   "token %d has the type %d, expected one below the %d of the model, which "
                   "takes no pairs", i, tokens->type_ids[i], n_types);
      return FALSE;
    }

  return TRUE;
}

/* Of the ids that the model writes; NULL where there is no tokenizer. */
static const EngTokenizer *
get_target_tokenizer (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer ? eng_tokenizer_get_target (tokenizer) : NULL;
}

/* "12 7 9" of a model without a tokenizer; max_length > 0 = the first so many ids alone. */
static EngTokens *
parse_ids (const EngModel  *model,
           EngKind          kind,
           const char      *text,
           int              max_length,
           GError         **error)
{
  int vocab_size = eng_model_get_spec (model)->stacks[kind].vocab_size;
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);
  g_autoptr (EngTokens) tokens = NULL;
  const char *at = text;
  int n = 0;

  for (int i = 0; words[i]; i++)
    n += *words[i] != '\0';
  tokens = eng_tokens_new (max_length > 0 ? MIN (n, max_length) : n);
  n = 0;
  for (int i = 0; words[i] && n < tokens->n; at += strlen (words[i]) + 1, i++) {
    guint64 id;

    if (*words[i] == '\0')
      continue;
    if (!g_ascii_string_to_unsigned (words[i], 10, 0, (guint64) vocab_size - 1, &id, NULL)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                   "“%s” is no token id, and the model has no tokenizer: expected numbers from 0 "
                   "to %d with spaces between", words[i], vocab_size - 1);
      return NULL;
    }
    eng_inputs_set_token (NULL, tokens, n, (int) id);
    tokens->spans[n].start = (int) (at - text);
    tokens->spans[n++].end = (int) (at - text + strlen (words[i]));
  }

  return g_steal_pointer (&tokens);
}

/* Spans of A count in what was typed, without the prefix; tokens of the prefix are nobody's. */
static void
take_prefix_off (EngTokens *tokens,
                 int        length)
{
  for (int i = 0; i < tokens->n; i++) {
    EngSpan *span = &tokens->spans[i];

    if (tokens->segments[i] != 0 || span->start < 0)
      continue;
    tokens->special[i] = span->end <= length;
    *span = tokens->special[i] ? (EngSpan) { -1, -1 }
                               : (EngSpan) { MAX (span->start - length, 0), span->end - length };
  }
}

static EngTokens *
encode (const EngModel        *model,
        EngKind                kind,
        const char            *text_a,
        const char            *text_b,
        const EngTextOptions  *options,
        GError               **error)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const EngSpec *spec = eng_model_get_spec (model);
  gboolean first = kind == eng_spec_get_first_kind (spec);
  const char *prefix = first && options->prefix ? options->prefix : "";
  g_autofree char *text = g_strconcat (prefix, text_a, NULL);
  EngTokenizeOptions tokenize = {
    .no_special_tokens = options->no_special_tokens,
    .truncate = options->truncate,
    .max_length = eng_spec_get_max_positions (spec),
    .as_target = !first,
    .language = first ? options->source_language : options->target_language,
  };
  EngTokens *tokens;

  if (!tokenizer)
    return parse_ids (model, kind, text_a, options->truncate ? tokenize.max_length : 0, error);

  tokens = eng_tokenizer_encode (tokenizer, text, text_b, &tokenize, error);
  if (tokens && *prefix)
    take_prefix_off (tokens, (int) strlen (prefix));
  if (tokens && !eng_tokenizer_gives_types (tokenizer) && !spec->embedding.types_pairs)
    memset (tokens->type_ids, 0, tokens->n * sizeof *tokens->type_ids);

  return tokens;
}

static int
get_pad_id (const EngSpec *spec)
{
  int vocab_size = spec->stacks[eng_spec_get_first_kind (spec)].vocab_size;

  if (spec->pad_id >= 0 && spec->pad_id < vocab_size)
    return spec->pad_id;

  /* No query reads it, so any token will do. */
  return spec->end_id >= 0 && spec->end_id < vocab_size ? spec->end_id : 0;
}

static gboolean
pad (const EngModel  *model,
     int              length,
     EngTokens      **tokens,
     GError         **error)
{
  int n = (*tokens)->n;
  int room = get_room (model);
  EngTokens *padded;

  if (length <= n)
    return TRUE;
  if (room > 0 && length > room) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "the text cannot be padded to %d tokens, expected at most the model's %d "
                 "positions", length, room);
    return FALSE;
  }

  padded = eng_tokens_new (length);
  eng_inputs_copy_tokens (*tokens, 0, n, padded, 0);
  for (int i = n; i < length; i++) {
    eng_inputs_set_token (eng_model_get_tokenizer (model), padded, i,
                          get_pad_id (eng_model_get_spec (model)));
    padded->special[i] = padded->padding[i] = 1;
    padded->segments[i] = (*tokens)->segments[n - 1];
    if (padded->languages)
      padded->languages[i] = padded->languages[n - 1];
  }
  eng_tokens_unref (*tokens);
  *tokens = padded;

  return TRUE;
}

/* What the decoder starts with where there is no text. */
static int
find_start_id (const EngModel       *model,
               const EngTextOptions *options)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const char *language = options->target_language;
  int id = -1;

  if (eng_inputs_start_with_language (model)) {
    if (!language)
      language = eng_tokenizer_get_target_language (tokenizer);
    id = language ? eng_tokenizer_find_language (tokenizer, language) : -1;
  }

  return id >= 0 ? id : eng_model_get_spec (model)->decoder_start_id;
}

/* The start token, then tokens but for the last of the template, which is never read, for it is
 * what the last row predicts; or which is the start token. */
static EngTokens *
shift_right (const EngModel  *model,
             const EngTokens *tokens,
             int              start_id,
             gboolean         repeated)
{
  const EngSpec *spec = eng_model_get_spec (model);
  int n = tokens->n;
  EngTokens *shifted;

  if (n > 0 && spec->starts_with_last && (repeated || tokens->special[n - 1]))
    start_id = tokens->ids[n - 1];
  if (n > 0 && (repeated || tokens->special[n - 1] || tokens->ids[n - 1] == spec->end_id))
    n--;
  shifted = eng_tokens_new (n + 1);
  eng_inputs_set_token (get_target_tokenizer (model), shifted, 0, start_id);
  shifted->special[0] = 1;
  eng_inputs_copy_tokens (tokens, 0, n, shifted, 1);
  for (int i = 0; i <= n && !repeated; i++)
    shifted->segments[i] = 1;

  return shifted;
}

static EngTokens *
encode_target (const EngModel        *model,
               const char            *text,
               const EngTextOptions  *options,
               GError               **error)
{
  g_autoptr (EngTokens) typed = NULL;
  g_autoptr (EngTokens) shifted = NULL;
  EngTextOptions target = *options;

  target.prefix = NULL;
  if (!text || !*text)
    typed = eng_tokens_new (0);
  else
    typed = encode (model, ENG_KIND_DECODER, text, NULL, &target, error);
  if (!typed)
    return NULL;
  if (text && *text && eng_inputs_count_typed (typed, 0) == 0) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "text B leaves no token, expected at least one word");
    return NULL;
  }

  shifted = shift_right (model, typed, find_start_id (model, options), FALSE);
  if (!check_length (model, shifted, error))
    return NULL;

  return g_steal_pointer (&shifted);
}

static int
find_language (const EngModel *model,
               const char     *code)
{
  const char *const *codes = eng_model_get_languages (model);

  for (int row = 0; codes && codes[row]; row++)
    if (g_str_equal (codes[row], code))
      return row;

  return -1;
}

/* Notes the rows of the languages of both texts, where the model has vectors for them. */
static gboolean
set_languages (const EngModel        *model,
               const EngTextOptions  *options,
               EngTokens             *tokens,
               GError               **error)
{
  const char *codes[2] = { options->source_language, options->target_language };
  int rows[2];

  if (!codes[0] || !eng_model_get_languages (model))
    return TRUE;
  for (int segment = 0; segment < 2; segment++) {
    const char *code = codes[segment] ? codes[segment] : codes[0];

    rows[segment] = find_language (model, code);
    if (rows[segment] < 0) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "“%s” is no language of the model", code);
      return FALSE;
    }
  }
  tokens->languages = g_new (gint32, tokens->n);
  for (int i = 0; i < tokens->n; i++)
    tokens->languages[i] = rows[tokens->segments[i]];

  return TRUE;
}

/* The tokens that the stack of A reads, of whatever length. */
static EngTokens *
encode_source (const EngModel        *model,
               const char            *text_a,
               const char            *text_b,
               const EngTextOptions  *options,
               GError               **error)
{
  const EngSpec *spec = eng_model_get_spec (model);
  gboolean has_b = text_b && *text_b;
  gboolean pair = has_b && (!eng_spec_has_cross (spec) || options->repeat);
  g_autoptr (EngTokens) tokens = NULL;

  if (!text_a || !*text_a) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         has_b ? "text A is empty beside text B, expected words in both"
                               : "the text is empty, expected at least one word");
    return NULL;
  }
  if (pair && !eng_model_get_tokenizer (model)) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "the model has no tokenizer and takes no pair, expected text A alone");
    return NULL;
  }

  tokens = encode (model, eng_spec_get_first_kind (spec), text_a, pair ? text_b : NULL, options,
                   error);
  if (!tokens || !check_tokens (model, tokens, pair ? 2 : 1, error) ||
      !set_languages (model, options, tokens, error))
    return NULL;

  return g_steal_pointer (&tokens);
}

/* The typed tokens [*first, *end) of text B. */
static void
find_typed_b (const EngTokens *tokens,
              int             *first,
              int             *end)
{
  *first = 0;
  while (*first < tokens->n && (tokens->special[*first] || !tokens->segments[*first]))
    (*first)++;
  *end = *first;
  while (*end < tokens->n && !tokens->special[*end])
    (*end)++;
}

/* tokens without those in [first, end), but for [from, to) of them. */
static EngTokens *
cut_window (const EngTokens *tokens,
            int              first,
            int              end,
            int              from,
            int              to)
{
  EngTokens *window = eng_tokens_new (tokens->n - (end - first) + (to - from));

  eng_inputs_copy_tokens (tokens, 0, first, window, 0);
  eng_inputs_copy_tokens (tokens, from, to - from, window, first);
  eng_inputs_copy_tokens (tokens, end, tokens->n - end, window, first + to - from);

  return window;
}

void
eng_inputs_set_token (const EngTokenizer *tokenizer,
                      EngTokens          *tokens,
                      int                 at,
                      int                 id)
{
  char *text = tokenizer ? eng_tokenizer_dup_text (tokenizer, id) : NULL;
  const char *piece = tokenizer ? eng_tokenizer_get_piece (tokenizer, id) : NULL;

  tokens->ids[at] = id;
  g_clear_pointer (&tokens->typed[at], g_free);
  tokens->texts[at] = text ? text : g_strdup_printf ("%d", id);
  tokens->pieces[at] = piece ? g_strdup (piece) : g_strdup_printf ("%d", id);
  tokens->special[at] = tokenizer && eng_tokenizer_is_special (tokenizer, id);
}

void
eng_inputs_copy_tokens (const EngTokens *from,
                        int              first,
                        int              n,
                        EngTokens       *to,
                        int              at)
{
  if (from->languages && !to->languages)
    to->languages = g_new0 (gint32, to->n);
  for (int i = 0; i < n; i++) {
    to->ids[at + i] = from->ids[first + i];
    to->texts[at + i] = g_strdup (from->texts[first + i]);
    to->pieces[at + i] = g_strdup (from->pieces[first + i]);
    to->typed[at + i] = g_strdup (from->typed[first + i]);
    to->type_ids[at + i] = from->type_ids[first + i];
    if (from->languages)
      to->languages[at + i] = from->languages[first + i];
    to->segments[at + i] = from->segments[first + i];
    to->special[at + i] = from->special[first + i];
    to->padding[at + i] = from->padding[first + i];
    to->words[at + i] = from->words[first + i];
    to->spans[at + i] = from->spans[first + i];
  }
}

int
eng_inputs_count_read (const EngTokens *tokens)
{
  int n = tokens->n;

  while (n > 0 && tokens->padding[n - 1])
    n--;

  return n;
}

EngTokens *
eng_inputs_repeat (const EngModel  *model,
                   const EngTokens *tokens)
{
  int n = eng_inputs_count_read (tokens);
  g_autoptr (EngTokens) read = eng_tokens_new (n);

  eng_inputs_copy_tokens (tokens, 0, n, read, 0);

  return shift_right (model, read, eng_model_get_spec (model)->decoder_start_id, TRUE);
}

gboolean
eng_inputs_start_with_language (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return eng_model_get_spec (model)->starts_with_last && tokenizer &&
         eng_tokenizer_ends_in_language (tokenizer);
}

gboolean
eng_inputs_from_texts (const EngModel        *model,
                       const char            *text_a,
                       const char            *text_b,
                       const EngTextOptions  *options,
                       EngInputs             *inputs,
                       GError               **error)
{
  static const EngTextOptions plain = { 0 };
  const EngSpec *spec = eng_model_get_spec (model);
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngTokens) decoder_tokens = NULL;

  if (!options)
    options = &plain;
  tokens = encode_source (model, text_a, text_b, options, error);
  if (!tokens || !check_length (model, tokens, error))
    return FALSE;
  if (eng_spec_has_cross (spec)) {
    decoder_tokens = options->repeat ? eng_inputs_repeat (model, tokens)
                                     : encode_target (model, text_b, options, error);
    if (!decoder_tokens)
      return FALSE;
  }
  if (!pad (model, options->pad_to, &tokens, error))
    return FALSE;

  inputs->tokens = g_steal_pointer (&tokens);
  inputs->decoder_tokens = g_steal_pointer (&decoder_tokens);
  inputs->repeated = options->repeat && inputs->decoder_tokens;

  return TRUE;
}

GArray *
eng_inputs_new_windows (const EngModel        *model,
                        const char            *text_a,
                        const char            *text_b,
                        const EngTextOptions  *options,
                        int                    max_length,
                        int                    stride,
                        GError               **error)
{
  gboolean two_stacks = eng_spec_has_cross (eng_model_get_spec (model));
  g_autoptr (EngTokens) tokens = encode_source (model, text_a, text_b, options, error);
  GArray *windows;
  int first, end, n_around, room;

  if (!tokens)
    return NULL;
  find_typed_b (tokens, &first, &end);
  n_around = tokens->n - (end - first);
  if (tokens->n > max_length && max_length - n_around <= stride) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_LENGTH,
                 "text A has %d tokens with those of the template, expected fewer than %d: %d are "
                 "read at a time, and parts of text B share %d", n_around, max_length - stride,
                 max_length, stride);
    return NULL;
  }
  room = MIN (max_length - n_around, end - first);

  windows = g_array_new (FALSE, TRUE, sizeof (EngInputs));
  g_array_set_clear_func (windows, (GDestroyNotify) eng_inputs_clear);
  for (int from = first, to = 0; to < end; from += room - stride) {
    EngInputs inputs = { 0 };

    to = MIN (from + room, end);
    inputs.tokens = cut_window (tokens, first, end, from, to);
    if (two_stacks)
      inputs.decoder_tokens = eng_inputs_repeat (model, inputs.tokens);
    inputs.repeated = two_stacks;
    g_array_append_val (windows, inputs);
  }

  return windows;
}

void
eng_inputs_clear (EngInputs *self)
{
  g_clear_pointer (&self->tokens, eng_tokens_unref);
  g_clear_pointer (&self->decoder_tokens, eng_tokens_unref);
}

EngTokens *
eng_inputs_begin_writing (const EngModel *model,
                          EngTokens      *tokens)
{
  const EngEmbeddingSpec *spec = &eng_model_get_spec (model)->embedding;
  int n = eng_inputs_count_read (tokens);
  gboolean lacks_language = spec->n_languages > 0 && !tokens->languages;
  EngTokens *start;

  if (n == tokens->n && !lacks_language)
    return eng_tokens_ref (tokens);
  start = eng_tokens_new (n);
  eng_inputs_copy_tokens (tokens, 0, n, start, 0);
  if (lacks_language)
    start->languages = g_new (gint32, n);
  for (int i = 0; i < n && lacks_language; i++)
    start->languages[i] = spec->written_language;

  return start;
}

EngTokens *
eng_inputs_append (const EngModel  *model,
                   const EngTokens *tokens,
                   const gint32    *ids,
                   int              n)
{
  gboolean two_stacks = eng_spec_has_cross (eng_model_get_spec (model));
  EngTokens *appended = eng_tokens_new (tokens->n + n);

  eng_inputs_copy_tokens (tokens, 0, tokens->n, appended, 0);
  for (int i = 0; i < n; i++) {
    eng_inputs_set_token (get_target_tokenizer (model), appended, tokens->n + i, ids[i]);
    appended->segments[tokens->n + i] = two_stacks || tokens->n == 0
                                        ? two_stacks
                                        : tokens->segments[tokens->n - 1];
    if (appended->languages && tokens->n > 0)
      appended->languages[tokens->n + i] = tokens->languages[tokens->n - 1];
  }

  return appended;
}
