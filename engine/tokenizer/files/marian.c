/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/marian.h"

#include "engine/tokenizer/decoders/marian-decoder.h"
#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/files/sentencepiece-cutter.h"

/* The model of one side. It gets a text as it was typed, for a language comes before everything
 * that sentencepiece does. */
typedef struct {
  EngTokenModel  parent;
  EngTokenModel *cutter; /* its vocabulary is the parent's */
} Marian;

/* End of ">>fra<<" at the begin of a text; 0 when it begins otherwise. */
static int
find_language_end (const EngNormalizedChar *word,
                   int                      n)
{
  if (n < 4 || word[0].c != '>' || word[1].c != '>')
    return 0;
  for (int i = 2; i + 1 < n; i++)
    if (word[i].c == '<' && word[i + 1].c == '<')
      return i + 2;

  return 0;
}

static void
append_language (const Marian            *self,
                 const EngNormalizedChar *word,
                 int                      n,
                 GArray                  *pieces)
{
  g_autoptr (GString) text = g_string_new (NULL);
  EngPiece piece = { .span = { word[0].origin.start, word[n - 1].origin.end } };

  for (int i = 0; i < n; i++)
    g_string_append_unichar (text, word[i].c);
  piece.id = eng_vocabulary_find (self->parent.vocabulary, text->str);
  if (piece.id < 0)
    piece.id = self->parent.unknown_id;
  g_array_append_val (pieces, piece);
}

static void
marian_cut (const EngTokenModel     *model,
            const EngNormalizedChar *word,
            int                      n,
            GArray                  *pieces)
{
  const Marian *self = (const Marian *) model;
  int language_end = find_language_end (word, n);

  if (language_end > 0)
    append_language (self, word, language_end, pieces);
  if (language_end < n)
    self->cutter->cut (self->cutter, word + language_end, n - language_end, pieces);
}

static void
marian_free (EngTokenModel *model)
{
  Marian *self = (Marian *) model;

  eng_token_model_free (self->cutter);
  g_free (self);
}

/* Takes vocabulary. */
static EngTokenModel *
marian_new (const EngSentencepieceFile  *file,
            EngVocabulary               *vocabulary,
            const char                  *unknown,
            const char                  *what,
            GError                     **error)
{
  EngTokenModel *cutter = eng_sentencepiece_cutter_new (file, vocabulary, unknown, what, error);
  Marian *self;

  if (!cutter)
    return NULL;

  self = g_new0 (Marian, 1);
  self->parent.name = cutter->name;
  self->parent.vocabulary = cutter->vocabulary;
  self->parent.unknown_id = cutter->unknown_id;
  self->parent.cut = marian_cut;
  self->parent.free = marian_free;
  self->cutter = cutter;

  return &self->parent;
}

static gboolean
read_special (EngComponents               *components,
              const EngTokenizerSettings  *settings,
              GError                     **error)
{
  static const struct {
    EngRole       role;
    EngAddedToken token;
  } special[] = {
    { ENG_ROLE_UNKNOWN, { "<unk>" } },
    { ENG_ROLE_EOS, { "</s>" } },
    { ENG_ROLE_PADDING, { "<pad>" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (special); i++)
    if (!eng_components_add_special (components, special[i].role, special[i].token, settings,
                                     error))
      return FALSE;

  return TRUE;
}

/* decoded_by: the model that decodes. */
static EngPipeline *
build_side (const EngSentencepieceFile  *file,
            const EngSentencepieceFile  *decoded_by,
            const char                  *vocabulary_path,
            const EngTokenizerSettings  *settings,
            const char                  *what,
            GError                     **error)
{
  g_auto (EngComponents) components;
  g_autoptr (EngVocabulary) vocabulary = eng_vocabulary_read (vocabulary_path, error);
  const EngAddedToken *special = components.special;
  const char *contents[4] = { NULL };
  EngTokenModel *model;
  EngPipeline *pipeline;

  eng_components_init (&components);
  if (!vocabulary || !read_special (&components, settings, error))
    return NULL;
  eng_components_add_listed (&components, settings, vocabulary);
  model = marian_new (file, g_steal_pointer (&vocabulary),
                      special[ENG_ROLE_UNKNOWN].content, what, error);
  if (!model)
    return NULL;
  contents[0] = special[ENG_ROLE_UNKNOWN].content;
  contents[1] = special[ENG_ROLE_EOS].content;
  contents[2] = special[ENG_ROLE_PADDING].content;
  pipeline = eng_components_build (&components, model, "$A eos_token", "$A $B eos_token",
                                   vocabulary_path, error);
  if (pipeline)
    g_ptr_array_add (pipeline->decoders, eng_marian_decoder_new (decoded_by, contents, " "));

  return pipeline;
}

static EngSentencepieceFile *
read_file (const char  *path,
           GError     **error)
{
  g_autoptr (EngSentencepieceFile) file = eng_sentencepiece_file_read (path, error);

  if (file && file->model != ENG_SENTENCEPIECE_UNIGRAM) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: model_type is %d, expected 1, which is unigram, for Marian", path,
                 (int) file->model);
    return NULL;
  }

  return g_steal_pointer (&file);
}

/* ">>fra<<" and the like of the vocabulary, ended by NULL; NULL when there are none. */
static char **
list_languages (const EngVocabulary *vocabulary)
{
  g_autoptr (GStrvBuilder) languages = g_strv_builder_new ();
  int n = 0;

  for (int id = 0; id < eng_vocabulary_get_n_entries (vocabulary); id++) {
    const char *piece = eng_vocabulary_get_piece (vocabulary, id);

    if (piece && g_str_has_prefix (piece, ">>") && g_str_has_suffix (piece, "<<")) {
      g_strv_builder_add (languages, piece);
      n++;
    }
  }

  return n > 0 ? g_strv_builder_end (languages) : NULL;
}

EngPipeline *
eng_marian_read (const char                  *path,
                 const EngTokenizerSettings  *settings,
                 GError                     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *target_path = g_build_filename (folder, "target.spm", NULL);
  g_autofree char *vocabulary = g_build_filename (folder, "vocab.json", NULL);
  g_autofree char *target_vocabulary = g_build_filename (folder, "target_vocab.json", NULL);
  g_autoptr (EngSentencepieceFile) source = NULL;
  g_autoptr (EngSentencepieceFile) target = NULL;
  g_autoptr (EngPipeline) pipeline = NULL;
  const char *source_language = NULL;
  const char *target_language = NULL;
  gboolean separate = FALSE;

  if (!eng_json_get_boolean (settings->config, "separate_vocabs", settings->config_path, &separate,
                             error) ||
      !eng_json_get_string (settings->config, "source_lang", settings->config_path,
                            &source_language, error) ||
      !eng_json_get_string (settings->config, "target_lang", settings->config_path,
                            &target_language, error))
    return NULL;
  source = read_file (path, error);
  target = source ? read_file (target_path, error) : NULL;
  if (!target)
    return NULL;
  pipeline = build_side (source, source, vocabulary, settings, path, error);
  if (!pipeline)
    return NULL;
  /* transformers decodes with the source's model where the vocabulary is shared. */
  pipeline->target = build_side (target, separate ? target : source,
                                 separate ? target_vocabulary : vocabulary, settings, target_path,
                                 error);
  if (!pipeline->target)
    return NULL;
  pipeline->languages = list_languages (pipeline->model->vocabulary);
  pipeline->source_language = g_strdup (source_language);
  pipeline->target_language = g_strdup (target_language);

  return g_steal_pointer (&pipeline);
}
