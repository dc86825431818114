/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/metaspace.h"

/* Where a mark is put in front. */
typedef enum {
  PREPEND_ALWAYS, /* of every word */
  PREPEND_FIRST,  /* of the word that the text begins with */
  PREPEND_NEVER
} PrependScheme;

typedef struct {
  gunichar      mark;
  PrependScheme scheme;
  gboolean      split; /* words end before each mark */
} Options;

typedef struct {
  EngPretokenizer parent;
  Options         options;
} Metaspace;

typedef struct {
  EngDecoder parent;
  Options    options;
} MetaspaceDecoder;

static gboolean
needs_mark (const Options       *options,
            const EngNormalized *text,
            EngWord              word)
{
  const EngNormalizedChar *first = &text->chars[word.first];

  if (options->scheme == PREPEND_NEVER || first->c == options->mark || first->c == ' ')
    return FALSE;

  return options->scheme == PREPEND_ALWAYS || first->origin.start == 0;
}

/* Puts word into marked and cuts it there. */
static void
mark_word (const Options       *options,
           const EngNormalized *text,
           EngWord              word,
           EngNormalized       *marked,
           GArray              *words)
{
  EngWord part = { .first = marked->n };

  if (needs_mark (options, text, word))
    eng_normalized_append (marked, options->mark, text->chars[word.first].origin);
  for (int i = word.first; i < word.end; i++) {
    EngNormalizedChar one = text->chars[i];

    if (one.c == ' ')
      one.c = options->mark;
    if (options->split && one.c == options->mark && marked->n > part.first) {
      part.end = marked->n;
      g_array_append_val (words, part);
      part.first = marked->n;
    }
    eng_normalized_append (marked, one.c, one.origin);
  }
  part.end = marked->n;
  g_array_append_val (words, part);
}

static gboolean
metaspace_cut (const EngPretokenizer  *pre_tokenizer,
               EngNormalized          *text,
               GArray                 *words,
               GError                **error)
{
  const Options *options = &((const Metaspace *) pre_tokenizer)->options;
  g_auto (EngNormalized) marked = { 0 };
  guint n_before = words->len;

  for (guint i = 0; i < n_before; i++) {
    EngWord word = g_array_index (words, EngWord, i);

    if (word.first < word.end)
      mark_word (options, text, word, &marked, words);
  }
  if (n_before)
    g_array_remove_range (words, 0, n_before);
  eng_normalized_take (text, &marked);

  return TRUE;
}

static void
metaspace_free (EngPretokenizer *self)
{
  g_free (self);
}

/* The mark that the decoder of a first token leaves out altogether. */
static char *
decode_token (const Options *options,
              const char    *token,
              gboolean       drop)
{
  GString *text = g_string_new (NULL);

  for (const char *at = token; *at; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);

    if (c != options->mark)
      g_string_append_unichar (text, c);
    else if (!drop)
      g_string_append_c (text, ' ');
  }

  return g_string_free (text, FALSE);
}

static void
metaspace_decoder_decode (const EngDecoder *decoder,
                          GPtrArray        *tokens)
{
  const Options *options = &((const MetaspaceDecoder *) decoder)->options;

  for (guint i = 0; i < tokens->len; i++) {
    g_autofree char *token = g_ptr_array_index (tokens, i);

    g_ptr_array_index (tokens, i) =
      decode_token (options, token, i == 0 && options->scheme != PREPEND_NEVER);
  }
}

static char *
metaspace_decoder_draw (const EngDecoder *decoder,
                        char             *text)
{
  g_autofree char *piece = text;

  return decode_token (&((const MetaspaceDecoder *) decoder)->options, piece, FALSE);
}

static void
metaspace_decoder_free (EngDecoder *self)
{
  g_free (self);
}

static gboolean
read_scheme (const cJSON    *json,
             const char     *what,
             PrependScheme  *scheme,
             GError        **error)
{
  static const char *const names[] = { "always", "first", "never" };
  const char *name = names[PREPEND_ALWAYS];
  gboolean add_prefix_space = TRUE;

  if (!eng_json_get_string (json, "prepend_scheme", what, &name, error) ||
      !eng_json_get_boolean (json, "add_prefix_space", what, &add_prefix_space, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i])) {
      /* Older files say no more than whether. */
      *scheme = add_prefix_space ? (PrependScheme) i : PREPEND_NEVER;
      return TRUE;
    }
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: prepend_scheme is \"%s\", expected \"always\", \"first\" or \"never\"",
               what, name);

  return FALSE;
}

static gboolean
read_options (const cJSON  *json,
              const char   *what,
              Options      *options,
              GError      **error)
{
  const char *mark = "\u2581";

  options->split = TRUE;
  if (!eng_json_get_string (json, "replacement", what, &mark, error) ||
      !eng_json_get_boolean (json, "split", what, &options->split, error) ||
      !read_scheme (json, what, &options->scheme, error))
    return FALSE;
  if (g_utf8_strlen (mark, -1) != 1) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: the replacement of Metaspace is \"%s\", expected one character", what, mark);
    return FALSE;
  }
  options->mark = g_utf8_get_char (mark);

  return TRUE;
}

EngPretokenizer *
eng_metaspace_new_from_json (const cJSON  *json,
                             const char   *what,
                             GError      **error)
{
  Options options;
  Metaspace *self;

  if (!read_options (json, what, &options, error))
    return NULL;
  self = g_new0 (Metaspace, 1);
  self->parent.cut = metaspace_cut;
  self->parent.free = metaspace_free;
  self->options = options;

  return &self->parent;
}

EngDecoder *
eng_metaspace_decoder_new_from_json (const cJSON  *json,
                                     const char   *what,
                                     GError      **error)
{
  Options options;
  MetaspaceDecoder *self;

  if (!read_options (json, what, &options, error))
    return NULL;
  self = g_new0 (MetaspaceDecoder, 1);
  self->parent.decode = metaspace_decoder_decode;
  self->parent.draw = metaspace_decoder_draw;
  self->parent.free = metaspace_decoder_free;
  self->options = options;

  return &self->parent;
}
