/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/sentencepiece-pieces.h"

#include <string.h>

#define MAX_EXTRA_IDS 100000
/* What a piece such as "5," loses: ALBERT's pieces end before the comma. */
#define COMMA_PENALTY 100.0
/* Pegasus' mask of a whole sentence, and the score of pieces that no text shall have. */
#define SENTENCE_MASK "<mask_1>"
#define UNUSED_SCORE -100.0

static const EngSentencepiece *
get_piece (const EngSentencepieceSource *source,
           guint                         i)
{
  return &g_array_index (source->file->pieces, EngSentencepiece, i);
}

static void
add_piece (EngSentencepieceSource *source,
           const char             *text,
           double                  score)
{
  eng_vocabulary_add (source->pieces.pieces, text, strlen (text), (int) source->pieces.scores->len);
  g_array_append_val (source->pieces.scores, score);
}

static void
add_whole_piece (EngSentencepieceSource *source,
                 const char             *content,
                 gboolean                special)
{
  eng_components_add_token (&source->components,
                            &(EngAddedToken) { .content = content, .special = special });
}

static gboolean
has_role (const EngSentencepieceSource *source,
          const char                   *text)
{
  for (int role = 0; role < ENG_N_ROLES; role++)
    if (g_strcmp0 (source->components.special[role].content, text) == 0)
      return TRUE;

  return FALSE;
}

/* The pieces that are found as a whole are added tokens, special ones where they have a role. */
static void
add_pieces_from (EngSentencepieceSource *source,
                 guint                   first)
{
  for (guint i = first; i < source->file->pieces->len; i++) {
    const EngSentencepiece *piece = get_piece (source, i);

    add_piece (source, piece->text, piece->score);
    if (piece->type == ENG_SENTENCEPIECE_CONTROL || piece->type == ENG_SENTENCEPIECE_USER_DEFINED)
      add_whole_piece (source, piece->text, piece->type == ENG_SENTENCEPIECE_CONTROL ||
                                            has_role (source, piece->text));
  }
}

gboolean
eng_sentencepiece_list_plain (EngSentencepieceSource *source,
                              GError                **error)
{
  source->pieces.unknown = source->file->unknown;
  add_pieces_from (source, 0);

  return TRUE;
}

/* T5's sentinels stand behind the pieces, the last one first. */
gboolean
eng_sentencepiece_list_t5 (EngSentencepieceSource *source,
                           GError                **error)
{
  gint64 n = 100;

  if (!eng_json_get_int (source->settings->config, "extra_ids", 0, MAX_EXTRA_IDS,
                         source->settings->config_path, &n, error))
    return FALSE;
  eng_sentencepiece_list_plain (source, error);
  while (n-- > 0) {
    g_autofree char *text = g_strdup_printf ("<extra_id_%d>", (int) n);

    add_piece (source, text, 0.0);
    add_whole_piece (source, text, TRUE);
  }

  return TRUE;
}

/* Ids of fairseq: four tokens of its own instead of the file's first three, so that all others move
 * up by one. */
static void
list_fairseq_pieces (EngSentencepieceSource *source)
{
  static const EngRole first[] = {
    ENG_ROLE_BOS, ENG_ROLE_PADDING, ENG_ROLE_EOS, ENG_ROLE_UNKNOWN
  };
  const EngAddedToken *special = source->components.special;

  for (gsize i = 0; i < G_N_ELEMENTS (first); i++)
    add_piece (source, special[first[i]].content, 0.0);
  source->pieces.unknown = G_N_ELEMENTS (first) - 1;
  add_pieces_from (source, 3);
}

/* And the mask behind them. */
gboolean
eng_sentencepiece_list_xlm_roberta (EngSentencepieceSource *source,
                                    GError                **error)
{
  list_fairseq_pieces (source);
  add_piece (source, source->components.special[ENG_ROLE_MASK].content, 0.0);

  return TRUE;
}

/* And the languages, then the mask. */
gboolean
eng_sentencepiece_list_translator (EngSentencepieceSource *source,
                                   GError                **error)
{
  g_auto (GStrv) tokens = NULL;

  tokens = eng_translator_list_tokens (source->family->translator, source->settings, error);
  if (!tokens)
    return FALSE;
  list_fairseq_pieces (source);
  for (int i = 0; tokens[i]; i++) {
    add_piece (source, tokens[i], 0.0);
    add_whole_piece (source, tokens[i], TRUE);
  }
  add_piece (source, source->components.special[ENG_ROLE_MASK].content, 0.0);

  return TRUE;
}

/* The first two pieces, two masks and tokens of the training that no text has, <unk_2> and so on up
 * to the offset; then the rest of the pieces. */
gboolean
eng_sentencepiece_list_pegasus (EngSentencepieceSource *source,
                                GError                **error)
{
  const EngAddedToken *special = source->components.special;
  const EngTokenizerSettings *settings = source->settings;
  gint64 offset = 103;

  if (!eng_json_get_int (settings->config, "offset", 2, MAX_EXTRA_IDS, settings->config_path,
                         &offset, error))
    return FALSE;
  add_piece (source, special[ENG_ROLE_PADDING].content, 0.0);
  add_piece (source, special[ENG_ROLE_EOS].content, 0.0);
  add_piece (source, SENTENCE_MASK, 0.0);
  add_whole_piece (source, SENTENCE_MASK, TRUE);
  add_piece (source, special[ENG_ROLE_MASK].content, 0.0);
  for (int i = 2; i < offset; i++) {
    g_autofree char *text = g_strdup_printf ("<unk_%d>", i);

    add_piece (source, text, UNUSED_SCORE);
    add_whole_piece (source, text, TRUE);
  }
  source->pieces.unknown = (int) source->pieces.scores->len + source->file->unknown - 2;
  add_pieces_from (source, 2);

  return TRUE;
}

static gboolean
ends_with_digit_and_comma (const char *text)
{
  const char *comma = text + strlen (text) - 1;

  return comma > text && *comma == ',' &&
         g_unichar_isdigit (g_utf8_get_char (g_utf8_prev_char (comma)));
}

/* The file has ( and the like as user-defined pieces; the hub's tokenizer.json, which we follow,
 * cuts them like any other. */
gboolean
eng_sentencepiece_list_albert (EngSentencepieceSource *source,
                               GError                **error)
{
  source->pieces.unknown = source->file->unknown;
  for (guint i = 0; i < source->file->pieces->len; i++) {
    const EngSentencepiece *piece = get_piece (source, i);
    double penalty = ends_with_digit_and_comma (piece->text) ? COMMA_PENALTY : 0.0;

    add_piece (source, piece->text, piece->score - penalty);
  }

  return TRUE;
}
