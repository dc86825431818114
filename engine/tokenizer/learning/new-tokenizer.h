/* SPDX-License-Identifier: MIT */
/* A tokenizer that is learnt from texts and written as the files that the HuggingFace tokenizers
 * library loads, with equal tokens: tokenizer.json, and tokenizer_config.json with what its special
 * tokens are there for.
 *
 *   EngNewTokenizer *self = eng_new_tokenizer_new (&plan);
 *   … eng_new_tokenizer_add (self, text, &error) …
 *   eng_new_tokenizer_write (self, folder, NULL, &n_entries, &error);
 *
 * The same texts in the same order give the same bytes. Used by one thread. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef struct _EngNewTokenizer EngNewTokenizer;

typedef enum {
  ENG_NEW_TOKENIZER_MASKED,    /* WordPiece, BERT's words: [CLS] A [SEP] B [SEP], [MASK] */
  ENG_NEW_TOKENIZER_NEXT_WORD, /* byte-level BPE, GPT-2's words: <|endoftext|> A */
  ENG_NEW_TOKENIZER_TRANSLATE  /* byte-level BPE of both languages: A </s>; a decoder starts with
                                * <pad> */
} EngNewTokenizerKind;

typedef struct {
  EngNewTokenizerKind kind;
  int                 n_entries;  /* at most; special tokens and, of bytes, all 256 are counted */
  int                 max_length; /* tokens that the model will be made for */
  gboolean            lower_case; /* of WordPiece: and without accents */
  gboolean            types;      /* the model is told which text of a pair a token is of */
} EngNewTokenizerPlan;

EngNewTokenizer *eng_new_tokenizer_new   (const EngNewTokenizerPlan  *plan);
void             eng_new_tokenizer_free  (EngNewTokenizer            *self);

/* A text, valid UTF-8, to learn from. */
gboolean         eng_new_tokenizer_add   (EngNewTokenizer            *self,
                                          const char                 *text,
                                          GError                    **error);
/* Learns, once, and writes both files into the folder, which is there. *n_entries (out): of the
 * vocabulary, fewer than planned where the texts have no more. Fails with ENG_ERROR_CANCELLED when
 * cancel (nullable) is raised meanwhile; where the plan leaves no room for what a vocabulary begins
 * with; where a file cannot be written. */
gboolean         eng_new_tokenizer_write (EngNewTokenizer            *self,
                                          const char                 *folder,
                                          const gint                 *cancel,
                                          int                        *n_entries,
                                          GError                    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngNewTokenizer, eng_new_tokenizer_free)

G_END_DECLS
