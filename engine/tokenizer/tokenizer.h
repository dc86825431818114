/* SPDX-License-Identifier: MIT */
/* Text to tokens, as the HuggingFace tokenizers library does it, with spans in bytes of the typed
 * text. A tokenizer is immutable after it was opened and may be used by several threads. */
#pragma once

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef struct _EngTokenizer EngTokenizer;

typedef struct {
  gboolean no_special_tokens; /* leave the template out: only the pieces of the texts */
  gboolean truncate;          /* cut to max_length, longest sentence first */
  int      max_length;        /* counts template tokens; 0 = no limit (truncate is then ignored) */
  gboolean as_target;         /* the texts are for a decoder to write: some models cut them in
                               * another way than those that they read */
  const char *language;       /* code of the language of the texts, where the tokenizer marks it;
                               * NULL = as the files say */
} EngTokenizeOptions;

/* Opens tokenizer.json of the folder, else the older files of its family (*.model, vocab.json and
 * merges.txt, vocab.txt) with the options of tokenizer_config.json. Refuses, by name: no tokenizer
 * file, a component that is not supported, a vocabulary without the unknown token or without a
 * token of the template. */
EngTokenizer *eng_tokenizer_open              (const char          *folder,
                                               GError             **error);
/* Whether the folder has one of those files. */
gboolean      eng_tokenizer_has_files         (const char          *folder);
void          eng_tokenizer_free              (EngTokenizer        *self);

/* text_b NULL or empty = a single sentence. Refuses text that is not UTF-8, naming sentence and
 * byte, and a language that the tokenizer does not have. May return zero tokens; whether that is
 * acceptable is the model's matter. */
EngTokens    *eng_tokenizer_encode            (const EngTokenizer       *self,
                                               const char               *text_a,
                                               const char               *text_b,
                                               const EngTokenizeOptions *options,
                                               GError                  **error);

/* Text of ids, as the library's decode() gives it. skip_special leaves out special added tokens;
 * ids that stand for nothing are passed over. A zero byte is ENG_ZERO_BYTE. (transfer full) */
char         *eng_tokenizer_decode            (const EngTokenizer *self,
                                               const gint32       *ids,
                                               int                 n,
                                               gboolean            skip_special);

/* Text of pieces that are spelt as in the vocabulary, special ones too, without the last touch that
 * decode() gives it. (transfer full) */
char         *eng_tokenizer_join              (const EngTokenizer *self,
                                               char *const        *pieces,
                                               int                 n);

/* Tokens that the model was made for, as the tokenizer's files say; 0 = they do not. */
int           eng_tokenizer_get_max_length    (const EngTokenizer *self);
/* Whether the model is given the type ids of a pair; else it reads zeros. */
gboolean      eng_tokenizer_gives_types       (const EngTokenizer *self);
/* 1 + the largest id of the token model's own pieces. */
int           eng_tokenizer_get_n_pieces      (const EngTokenizer *self);
/* 1 + the largest id, added tokens included. */
int           eng_tokenizer_get_n_entries     (const EngTokenizer *self);
/* -1 when unknown. */
int           eng_tokenizer_find_id           (const EngTokenizer *self,
                                               const char         *piece);
/* NULL when unknown. */
const char   *eng_tokenizer_get_piece         (const EngTokenizer *self,
                                               int                 id);
/* As drawn; NULL when unknown. */
char         *eng_tokenizer_dup_text          (const EngTokenizer *self,
                                               int                 id);
/* -1 when it has none. */
int           eng_tokenizer_get_mask_id       (const EngTokenizer *self);
/* role: "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token" or
 * "mask_token", as tokenizer_config.json or special_tokens_map.json name it; -1 when none. */
int           eng_tokenizer_find_special      (const EngTokenizer *self,
                                               const char         *role);
/* Whether decoding may leave it out. */
gboolean      eng_tokenizer_is_special        (const EngTokenizer *self,
                                               int                 id);
int           eng_tokenizer_get_unknown_id    (const EngTokenizer *self);
/* The tokenizer of what a decoder writes, which has ids of its own where the two sides share no
 * vocabulary; nearly always self. */
const EngTokenizer *eng_tokenizer_get_target (const EngTokenizer *self);
/* Tokens that tell a translator a language, such as ">>fra<<" or "fra_Latn"; ended by NULL, NULL
 * when it needs none. */
const char *const *eng_tokenizer_get_languages (const EngTokenizer *self);
/* Whether every text has the token of its own language around it, as its template says. Else the
 * text that is read may begin with that of the language to write. */
gboolean      eng_tokenizer_marks_language      (const EngTokenizer *self);
/* Whether that token is the last one. */
gboolean      eng_tokenizer_ends_in_language    (const EngTokenizer *self);
/* (transfer full) The code in a token of languages: "fra", "fra_Latn". */
char         *eng_tokenizer_dup_language_code   (const char         *token);
/* Id of the token of a code; -1 when there is none. */
int           eng_tokenizer_find_language       (const EngTokenizer *self,
                                                 const char         *code);
/* The languages of a translator as its files spell them, "en", "deu"; NULL where they do not
 * say. */
const char   *eng_tokenizer_get_source_language (const EngTokenizer *self);
const char   *eng_tokenizer_get_target_language (const EngTokenizer *self);
/* Whether the files say how a chat is spelt. Nothing here applies that: texts are read as they are
 * typed. */
gboolean      eng_tokenizer_has_chat_template (const EngTokenizer *self);
/* Code of the language whose words are cut as they should be, those of others nearly so; NULL =
 * any. */
const char   *eng_tokenizer_get_word_language (const EngTokenizer *self);
/* "WordPiece, 30,522 entries, lower case" */
const char   *eng_tokenizer_get_description   (const EngTokenizer *self);
/* Path of the file it was built from. */
const char   *eng_tokenizer_get_file          (const EngTokenizer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTokenizer, eng_tokenizer_free)

G_END_DECLS
