/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/gguf-tokenizer.h"

#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/files/gguf-merges.h"
#include "engine/tokenizer/models/bpe.h"
#include "engine/tokenizer/models/wordpiece.h"
#include "engine/tokenizer/pretokenizers/byte-level.h"
#include "engine/tokenizer/pretokenizers/word-patterns.h"

#include <string.h>

#define KEY(name) "tokenizer.ggml." name
#define MAX_PIECES (1 << 24)
#define MAX_WORD_LENGTH 100
#define SPACE "\u2581"

/* tokenizer.ggml.token_type */
#define TYPE_CONTROL 3
#define TYPE_USER_DEFINED 4

typedef struct _Kind Kind;

/* All that a tokenizer is made of. */
typedef struct {
  const EngGguf      *file;
  const Kind         *kind;
  GPtrArray          *texts;  /* of char *, by id, as the file spells them */
  const EngGgufValue *types;  /* NULL = all are ordinary pieces */
  const EngGgufValue *scores; /* or NULL */
  EngVocabulary      *pieces; /* as the model spells them; NULL once the model has them */
  EngComponents       components;
  const char         *single; /* see eng_components_build() */
  const char         *pair;
} Source;

struct _Kind {
  const char      *model;        /* tokenizer.ggml.model */
  const char      *architecture; /* of which alone; NULL = of all others */
  /* A piece's text as the model spells it. */
  char          *(*spell)     (const char    *text);
  /* The model, and the steps around it. */
  EngTokenModel *(*make)      (Source        *source,
                               GError       **error);
  /* Found whole where the vocabulary has them, whatever the file says of them. */
  const char      *special[6];
  gboolean         adds_bos;     /* unless the file says that it does not */
};

/* The token of a role: the first of the keys that is there says its id. */
static const struct {
  EngRole     role;
  const char *keys[2];
} roles[] = {
  { ENG_ROLE_BOS, { KEY ("bos_token_id") } },
  { ENG_ROLE_EOS, { KEY ("eos_token_id") } },
  { ENG_ROLE_UNKNOWN, { KEY ("unknown_token_id") } },
  { ENG_ROLE_SEPARATOR, { KEY ("seperator_token_id"), KEY ("separator_token_id") } },
  { ENG_ROLE_PADDING, { KEY ("padding_token_id") } },
  { ENG_ROLE_CLASS, { KEY ("cls_token_id") } },
  { ENG_ROLE_MASK, { KEY ("mask_token_id") } },
};

#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define ENDS "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
#define SIGNS "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define TEKKEN_WORDS                                                                          \
  "[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+"                                                \
  "|[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER "*|\\p{N}" SIGNS
#define GPT4O_WORDS                                                                           \
  "[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" ENDS                                           \
  "|[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER "*" ENDS "|\\p{N}{1,3}" SIGNS

/* How words are cut before byte-level merges, by tokenizer.ggml.pre. */
static const struct {
  const char *name;
  const char *words;      /* a regular expression; NULL = ByteLevel's own */
  gboolean    cuts_digits; /* each digit is a word */
} pre_tokenizers[] = {
  { "gpt-2", NULL, FALSE },
  { "default", NULL, FALSE },
  { "mpt", NULL, FALSE },
  { "olmo", NULL, FALSE },
  { "phi-2", NULL, FALSE },
  { "codeshell", NULL, TRUE },
  { "command-r", NULL, TRUE },
  { "exaone", NULL, TRUE },
  { "refact", NULL, TRUE },
  { "smollm", NULL, TRUE },
  { "starcoder", NULL, TRUE },
  { "dbrx", ENG_LLAMA3_WORDS, FALSE },
  { "falcon3", ENG_LLAMA3_WORDS, FALSE },
  { "lfm2", ENG_LLAMA3_WORDS, FALSE },
  { "llama-bpe", ENG_LLAMA3_WORDS, FALSE },
  { "llama-v3", ENG_LLAMA3_WORDS, FALSE },
  { "llama3", ENG_LLAMA3_WORDS, FALSE },
  { "pixtral", ENG_LLAMA3_WORDS, FALSE },
  { "smaug-bpe", ENG_LLAMA3_WORDS, FALSE },
  { "tekken", TEKKEN_WORDS, FALSE },
  { "gpt-4o", GPT4O_WORDS, FALSE },
  { "llama4", GPT4O_WORDS, FALSE },
  { "deepseek-r1-qwen", ENG_QWEN2_WORDS, FALSE },
  { "megrez", ENG_QWEN2_WORDS, FALSE },
  { "qwen2", ENG_QWEN2_WORDS, FALSE },
};

/* Pieces. */

static const char *
get_text (const Source *self,
          gint64        id)
{
  return id >= 0 && id < self->texts->len ? self->texts->pdata[id] : NULL;
}

static int
get_type (const Source *self,
          guint         id)
{
  return self->types && id < self->types->n ? eng_gguf_list_get_int (self->types, id) : 1;
}

static char *
spell_as_it_is (const char *text)
{
  return g_strdup (text);
}

/* Some files spell a run of spaces with spaces. */
static char *
spell_gemma (const char *text)
{
  GString *spelt;

  if (!strchr (text, ' ') || text[strspn (text, " \t\n\v\f\r")])
    return g_strdup (text);
  spelt = g_string_new (NULL);
  for (; *text; text++)
    g_string_append (spelt, SPACE);

  return g_string_free (spelt, FALSE);
}

/* Whether bytes are spelt by the characters that stand for them. */
static gboolean
is_byte_level (const char *text)
{
  for (; *text; text = g_utf8_next_char (text))
    if (eng_byte_level_get_byte (g_utf8_get_char (text)) < 0)
      return FALSE;

  return TRUE;
}

static char *
spell_bytes (const char *text)
{
  GString *spelt;

  if (is_byte_level (text))
    return g_strdup (text);
  spelt = g_string_new (NULL);
  for (; *text; text++)
    g_string_append_unichar (spelt, eng_byte_level_get_character ((guint8) *text));

  return g_string_free (spelt, FALSE);
}

/* The file has a space before what begins a word, the model a sign before what does not. */
static char *
spell_wordpiece (const char *text)
{
  if (g_str_has_prefix (text, SPACE))
    return g_strdup (text + strlen (SPACE));
  if (g_str_has_prefix (text, "[") && g_str_has_suffix (text, "]"))
    return g_strdup (text);

  return g_strconcat ("##", text, NULL);
}

static gboolean
read_texts (Source  *self,
            GError **error)
{
  const char *what = self->file->path;
  const EngGgufValue *list;
  const guint8 *item;

  if (!eng_gguf_get_list (self->file->values, KEY ("tokens"), ENG_GGUF_TEXT, &list, error))
    return FALSE;
  if (!list || list->n > MAX_PIECES) {
    g_set_error (error, ENG_ERROR, list ? ENG_ERROR_RANGE : ENG_ERROR_MISSING,
                 list ? "%s: tokenizer.ggml.tokens has too many pieces, expected at most 2^24"
                      : "%s: no tokenizer in this file, expected its pieces in "
                        "tokenizer.ggml.tokens", what);
    return FALSE;
  }

  item = list->data;
  for (gint64 i = 0; i < list->n; i++) {
    gsize length;
    const char *text = eng_gguf_next_text (&item, &length);

    if (!g_utf8_validate_len (text, length, NULL)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: piece %" G_GINT64_FORMAT " of "
                   "tokenizer.ggml.tokens is no UTF-8 text", what, i);
      return FALSE;
    }
    g_ptr_array_add (self->texts, g_strndup (text, length));
  }

  return TRUE;
}

static gboolean
make_pieces (Source  *self,
             GError **error)
{
  for (guint i = 0; i < self->texts->len; i++) {
    g_autofree char *spelt = self->kind->spell (self->texts->pdata[i]);

    eng_vocabulary_add (self->pieces, spelt, strlen (spelt), (int) i);
  }

  return eng_vocabulary_seal (self->pieces, self->file->path, error);
}

/* Tokens that are found whole. */

static gboolean
add_roles (Source  *self,
           GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++) {
    EngAddedToken *token = &self->components.special[roles[i].role];
    gint64 id = -1;

    for (gsize k = 0; k < G_N_ELEMENTS (roles[i].keys) && roles[i].keys[k] && id < 0; k++)
      if (!eng_gguf_get_int (self->file->values, roles[i].keys[k], 0, self->texts->len - 1, &id,
                             error))
        return FALSE;
    /* One that is spelt otherwise in the vocabulary is none that a template could have. */
    if (id >= 0 && eng_vocabulary_find (self->pieces, get_text (self, id)) >= 0) {
      *token = (EngAddedToken) { .content = get_text (self, id), .special = TRUE };
      eng_components_add_token (&self->components, token);
    }
  }

  return TRUE;
}

/* What the file calls control or user-defined; what is no text of byte-level pieces there was
 * called so by mistake. */
static void
add_typed (Source *self)
{
  for (guint i = 0; i < self->texts->len; i++) {
    const char *text = self->texts->pdata[i];
    int type = get_type (self, i);

    if ((type == TYPE_CONTROL || type == TYPE_USER_DEFINED) &&
        eng_vocabulary_find (self->pieces, text) >= 0)
      eng_components_add_token (&self->components,
                                &(EngAddedToken) { .content = text,
                                                   .special = type == TYPE_CONTROL });
  }
}

static gboolean
add_tokens (Source  *self,
            GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (self->kind->special) && self->kind->special[i]; i++)
    if (eng_vocabulary_find (self->pieces, self->kind->special[i]) >= 0)
      eng_components_add_token (&self->components,
                                &(EngAddedToken) { .content = self->kind->special[i],
                                                   .special = TRUE });
  add_typed (self);

  return add_roles (self, error);
}

/* Models with the steps around them. */

static EngTokenModel *
make_sentencepiece_bpe (Source             *self,
                        const char         *unknown,
                        const EngGgufValue *scores,
                        GError            **error)
{
  EngBpeOptions options = { .unknown_token = unknown, .continuation = "", .word_end = "",
                            .fuse_unknown = TRUE, .byte_fallback = TRUE };
  g_autoptr (EngTokenModel) model =
    eng_bpe_new (g_steal_pointer (&self->pieces), &options, self->file->path, error);
  gboolean has_merges;

  if (!model || !eng_gguf_add_listed_merges (self->file, model, &has_merges, error) ||
      (!has_merges && !eng_gguf_add_made_merges (scores, model, self->file->path, error)))
    return NULL;

  return g_steal_pointer (&model);
}

static EngTokenModel *
make_llama_model (Source  *self,
                  GError **error)
{
  eng_components_add_llama_decoders (&self->components, TRUE);

  return make_sentencepiece_bpe (self, NULL, self->scores, error);
}

static EngTokenModel *
make_llama (Source  *self,
            GError **error)
{
  eng_components_add_metaspace (self->components.pre_tokenizers, "first", FALSE);

  return make_llama_model (self, error);
}

/* Puts the space before the first word in front of whatever begins the text. */
static EngTokenModel *
make_phi3 (Source  *self,
           GError **error)
{
  cJSON *step = eng_components_add_step (self->components.normalizers, "Prepend");

  cJSON_AddStringToObject (step, "prepend", SPACE);
  eng_components_add_replace (self->components.normalizers, "String", " ", SPACE);

  return make_llama_model (self, error);
}

/* Its merges go by the order of the pieces, not by their scores. */
static EngTokenModel *
make_gemma (Source  *self,
            GError **error)
{
  gboolean has_unknown = eng_vocabulary_find (self->pieces, "<unk>") >= 0;

  eng_components_add_replace (self->components.normalizers, "String", " ", SPACE);
  eng_components_add_llama_decoders (&self->components, FALSE);

  return make_sentencepiece_bpe (self, has_unknown ? "<unk>" : NULL, NULL, error);
}

static gboolean
add_byte_level_steps (Source  *self,
                      GError **error)
{
  EngComponents *components = &self->components;
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *name = NULL;
  cJSON *step;

  if (!eng_gguf_dup_text (self->file->values, KEY ("pre"), &name, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (pre_tokenizers); i++) {
    g_string_append_printf (names, "%s%s", i ? ", " : "", pre_tokenizers[i].name);
    if (!g_str_equal (name ? name : "default", pre_tokenizers[i].name))
      continue;
    if (pre_tokenizers[i].cuts_digits)
      cJSON_AddBoolToObject (eng_components_add_step (components->pre_tokenizers, "Digits"),
                             "individual_digits", TRUE);
    if (pre_tokenizers[i].words)
      eng_components_add_split (components->pre_tokenizers, pre_tokenizers[i].words, "Isolated");
    step = eng_components_add_step (components->pre_tokenizers, "ByteLevel");
    cJSON_AddBoolToObject (step, "add_prefix_space", FALSE);
    cJSON_AddBoolToObject (step, "use_regex", !pre_tokenizers[i].words);
    eng_components_add_step (components->decoders, "ByteLevel");
    return TRUE;
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: tokenizer.ggml.pre is \"%s\", expected one of %s", self->file->path, name,
               names->str);

  return FALSE;
}

static EngTokenModel *
make_byte_level (Source  *self,
                 GError **error)
{
  EngBpeOptions options = { .continuation = "", .word_end = "" };
  g_autoptr (EngTokenModel) model = NULL;
  gboolean has_merges;

  if (!add_byte_level_steps (self, error))
    return NULL;
  model = eng_bpe_new (g_steal_pointer (&self->pieces), &options, self->file->path, error);
  if (!model || !eng_gguf_add_listed_merges (self->file, model, &has_merges, error))
    return NULL;
  if (has_merges)
    return g_steal_pointer (&model);

  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: tokenizer.ggml.merges is not there, "
               "expected the merges of a byte-level tokenizer", self->file->path);
  return NULL;
}

/* A vocabulary of lower case alone is one of texts that are made lower case. */
static gboolean
has_capitals (const Source *self)
{
  for (guint i = 0; i < self->texts->len; i++) {
    const char *text = self->texts->pdata[i];

    for (; *text != '[' && *text; text++)
      if (g_ascii_isupper (*text))
        return TRUE;
  }

  return FALSE;
}

static EngTokenModel *
make_wordpiece (Source  *self,
                GError **error)
{
  EngComponents *components = &self->components;
  EngWordpieceOptions options = { "[UNK]", "##", MAX_WORD_LENGTH };
  gboolean lower_case = !has_capitals (self);
  cJSON *step = eng_components_add_step (components->normalizers, "BertNormalizer");

  cJSON_AddBoolToObject (step, "lowercase", lower_case);
  cJSON_AddBoolToObject (step, "strip_accents", lower_case);
  eng_components_add_step (components->pre_tokenizers, "BertPreTokenizer");
  step = eng_components_add_step (components->decoders, "WordPiece");
  cJSON_AddStringToObject (step, "prefix", options.continuation);
  cJSON_AddBoolToObject (step, "cleanup", TRUE);
  self->single = "cls_token $A sep_token";
  self->pair = "cls_token $A sep_token $B:1 sep_token:1";
  if (components->special[ENG_ROLE_UNKNOWN].content)
    options.unknown_token = components->special[ENG_ROLE_UNKNOWN].content;

  return eng_wordpiece_new (g_steal_pointer (&self->pieces), &options, self->file->path, error);
}

#define GEMMA(architecture)                                                                   \
  { "llama", architecture, spell_gemma, make_gemma,                                           \
    { "<unk>", "<bos>", "<eos>", "<pad>", "<mask>" }, .adds_bos = TRUE }

static const Kind kinds[] = {
  GEMMA ("gemma"),
  GEMMA ("gemma2"),
  GEMMA ("gemma3"),
  { "llama", "phi3", spell_as_it_is, make_phi3, { "<unk>", "<s>", "</s>" }, .adds_bos = TRUE },
  { "llama", NULL, spell_as_it_is, make_llama, { "<unk>", "<s>", "</s>" }, .adds_bos = TRUE },
  { "gpt2", NULL, spell_bytes, make_byte_level, { "<|endoftext|>" } },
  { "bert", NULL, spell_wordpiece, make_wordpiece,
    { "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]" } },
};

static gboolean
find_kind (Source  *self,
           GError **error)
{
  const EngGgufValues *values = self->file->values;
  g_autofree char *model = NULL;
  g_autofree char *architecture = NULL;

  if (!eng_gguf_dup_text (values, KEY ("model"), &model, error) ||
      !eng_gguf_dup_text (values, "general.architecture", &architecture, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds) && !self->kind; i++)
    if (g_strcmp0 (model, kinds[i].model) == 0 &&
        (!kinds[i].architecture || g_strcmp0 (architecture, kinds[i].architecture) == 0))
      self->kind = &kinds[i];
  if (self->kind)
    return TRUE;

  if (model)
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: tokenizer.ggml.model is \"%s\", "
                 "expected llama, gpt2 or bert", self->file->path, model);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: no tokenizer in this file, expected "
                 "tokenizer.ggml.model, one of llama, gpt2 and bert", self->file->path);
  return FALSE;
}

/* A role that no key gives to a token, by the token's usual name. */
static void
find_usual (Source     *self,
            EngRole     role,
            const char *content)
{
  EngAddedToken *token = &self->components.special[role];

  if (!token->content)
    *token = (EngAddedToken) { .content = content, .special = TRUE };
}

static gboolean
choose_template (Source  *self,
                 GError **error)
{
  const EngAddedToken *special = self->components.special;
  gboolean bos = self->kind->adds_bos;
  gboolean eos = FALSE;

  if (!eng_gguf_get_boolean (self->file->values, KEY ("add_bos_token"), &bos, error) ||
      !eng_gguf_get_boolean (self->file->values, KEY ("add_eos_token"), &eos, error))
    return FALSE;
  eng_components_frame (bos && special[ENG_ROLE_BOS].content, eos && special[ENG_ROLE_EOS].content,
                        &self->single, &self->pair);
  if (self->kind->make == make_wordpiece) {
    find_usual (self, ENG_ROLE_CLASS, "[CLS]");
    find_usual (self, ENG_ROLE_SEPARATOR, "[SEP]");
  }

  return TRUE;
}

static void
source_init (Source        *self,
             const EngGguf *file)
{
  *self = (Source) { .file = file };
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->pieces = eng_vocabulary_new ();
  eng_components_init (&self->components);
}

static void
source_clear (Source *self)
{
  g_ptr_array_unref (self->texts);
  g_clear_pointer (&self->pieces, eng_vocabulary_free);
  eng_components_clear (&self->components);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

EngPipeline *
eng_gguf_tokenizer_make (const EngGguf  *file,
                         GError        **error)
{
  const EngGgufValues *values = file->values;
  g_auto (Source) self;
  EngTokenModel *model;
  EngPipeline *pipeline;

  source_init (&self, file);
  if (!find_kind (&self, error) || !read_texts (&self, error) ||
      !eng_gguf_get_list (values, KEY ("token_type"), ENG_GGUF_I32, &self.types, error) ||
      !eng_gguf_get_list (values, KEY ("scores"), ENG_GGUF_F32, &self.scores, error) ||
      !make_pieces (&self, error) || !add_tokens (&self, error) || !choose_template (&self, error))
    return NULL;
  model = self.kind->make (&self, error);
  pipeline = model ? eng_components_build (&self.components, model, self.single, self.pair,
                                           file->path, error) : NULL;
  if (pipeline)
    pipeline->has_chat_template = eng_gguf_values_find (values, "tokenizer.chat_template") != NULL;

  return pipeline;
}

EngPipeline *
eng_gguf_tokenizer_read (const char  *path,
                         GError     **error)
{
  g_autoptr (EngGguf) file = eng_gguf_open (path, error);

  return file ? eng_gguf_tokenizer_make (file, error) : NULL;
}

gboolean
eng_gguf_tokenizer_exists (const char *path)
{
  g_autoptr (EngGguf) file = eng_gguf_open (path, NULL);

  return file && eng_gguf_values_find (file->values, KEY ("tokens"));
}
