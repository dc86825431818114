/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/decoders/marian-decoder.h"

#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/base/vocabulary.h"

#include <string.h>

#define SPACE_MARK "\u2581"

typedef struct {
  EngDecoder     parent;
  EngVocabulary *pieces;        /* of the model, by their index */
  GArray        *types;         /* of EngSentencepieceType, by index */
  char         **special;
  const char    *behind;        /* a special token */
  gboolean       drops_mark;    /* the one in front of a text is dropped */
  gboolean       drops_all;     /* and so are more of them */
} MarianDecoder;

static char *
replace_marks (const char *token)
{
  GString *text = g_string_new (token);

  g_string_replace (text, SPACE_MARK, " ", 0);

  return g_string_free (text, FALSE);
}

/* One piece of a text that is nothing yet but, maybe, dropped marks. */
static void
append_first (const MarianDecoder *self,
              const char          *token,
              gboolean            *may_drop,
              GString             *text)
{
  int index = eng_vocabulary_find (self->pieces, token);
  EngSentencepieceType type = index < 0 ? ENG_SENTENCEPIECE_UNKNOWN
                                        : g_array_index (self->types, EngSentencepieceType, index);

  if (type == ENG_SENTENCEPIECE_CONTROL)
    return;
  /* What the model does not know is text as it stands. */
  if (type != ENG_SENTENCEPIECE_UNKNOWN && *may_drop && text->len == 0 &&
      g_str_has_prefix (token, SPACE_MARK)) {
    token += strlen (SPACE_MARK);
    *may_drop = self->drops_all;
  }
  g_string_append (text, token);
}

/* Tokens [first, end) as sentencepiece joins them. */
static void
append_group (const MarianDecoder *self,
              GPtrArray           *tokens,
              guint                first,
              guint                end,
              GString             *result)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean may_drop = self->drops_mark;

  for (guint i = first; i < end; i++)
    append_first (self, g_ptr_array_index (tokens, i), &may_drop, text);
  g_string_append (result, text->str);
}

static void
marian_decoder_decode (const EngDecoder *decoder,
                       GPtrArray        *tokens)
{
  const MarianDecoder *self = (const MarianDecoder *) decoder;
  g_autoptr (GString) joined = g_string_new (NULL);
  g_autofree char *text = NULL;
  guint first = 0;

  for (guint i = 0; i < tokens->len; i++) {
    const char *token = g_ptr_array_index (tokens, i);

    if (!g_strv_contains ((const char *const *) self->special, token))
      continue;
    append_group (self, tokens, first, i, joined);
    g_string_append_printf (joined, "%s%s", token, self->behind);
    first = i + 1;
  }
  append_group (self, tokens, first, tokens->len, joined);

  text = replace_marks (joined->str);
  g_ptr_array_set_size (tokens, 0);
  g_ptr_array_add (tokens, eng_unicode_dup_stripped (text));
}

static char *
marian_decoder_draw (const EngDecoder *decoder,
                     char             *text)
{
  g_autofree char *piece = text;

  return replace_marks (piece);
}

static void
marian_decoder_free (EngDecoder *decoder)
{
  MarianDecoder *self = (MarianDecoder *) decoder;

  eng_vocabulary_free (self->pieces);
  g_array_unref (self->types);
  g_strfreev (self->special);
  g_free (self);
}

EngDecoder *
eng_marian_decoder_new (const EngSentencepieceFile *file,
                        const char *const          *special,
                        const char                 *behind)
{
  MarianDecoder *self = g_new0 (MarianDecoder, 1);

  self->parent.decode = marian_decoder_decode;
  self->parent.draw = marian_decoder_draw;
  self->parent.free = marian_decoder_free;
  self->pieces = eng_vocabulary_new ();
  self->types = g_array_new (FALSE, FALSE, sizeof (EngSentencepieceType));
  self->special = g_strdupv ((char **) special);
  self->behind = behind;
  self->drops_mark = file->add_dummy_prefix || file->remove_extra_spaces;
  self->drops_all = file->remove_extra_spaces;
  for (guint i = 0; i < file->pieces->len; i++) {
    const EngSentencepiece *piece = &g_array_index (file->pieces, EngSentencepiece, i);

    eng_vocabulary_add (self->pieces, piece->text, strlen (piece->text), (int) i);
    g_array_append_val (self->types, piece->type);
  }
  /* A file has a piece at least, and each has a number of its own: nothing can be refused. */
  eng_vocabulary_seal (self->pieces, "", NULL);

  return &self->parent;
}
