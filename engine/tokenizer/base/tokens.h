/* SPDX-License-Identifier: MIT */
/* The tokens of one stack: what a tokenizer makes of the typed texts and what a trace carries
 * along. A plain immutable value behind a reference count; safe to read from every thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes [start, end) of the typed text that a token came from; start < 0 for a template token. */
typedef struct {
  int start;
  int end;
} EngSpan;

typedef struct {
  int      n;
  char   **texts;    /* [n] as drawn: no word marks, bytes that are no text as <0xF0> */
  char   **pieces;   /* [n] as in the vocabulary; NULL when a trace from elsewhere has none */
  gint32  *ids;      /* [n]; NULL as above */
  gint32  *type_ids; /* [n]; NULL as above */
  gint32  *languages; /* [n] rows of the model's table of languages; NULL = no language is said */
  /* [n] 0 = belongs to sentence A, 1 = to B; a template token to the sentence it closes or opens */
  guint8  *segments;
  guint8  *special;  /* [n] 1 = added by the template, not typed */
  guint8  *padding;  /* [n] 1 = fills the text up to a length; no query reads it */
  /* [n] number of the word that the tokenizer cut the piece from, within its sentence; -1 = unknown
   * or of the template */
  int     *words;
  /* [n] what was typed where the vocabulary has no entry for it and the token is the unknown one,
   * its first letters where they are many; NULL for every other token */
  char   **typed;
  EngSpan *spans;    /* [n] in bytes of the sentence that segments names; NULL as above */
  int     *numbers;  /* [n] of words: the first token of each; NULL = tokens, each its own place */

  gatomicrefcount ref_count; /* private */
} EngTokens;

/* every array allocated and zeroed, spans and words at -1, texts and pieces NULL entries; numbers
 * and languages NULL */
EngTokens *eng_tokens_new      (int n);
EngTokens *eng_tokens_ref      (EngTokens *self);
void       eng_tokens_unref    (EngTokens *self);
gboolean   eng_tokens_has_pair (const EngTokens *self); /* any token of sentence B */
gboolean   eng_tokens_has_padding (const EngTokens *self);
/* Notes what was typed for an unknown token: its span of text, its sentence, which is as long as
 * all spans say. Nothing where there is no span, or where the unknown token itself was typed. */
void       eng_tokens_note_typed  (EngTokens *self, int i, const char *text);
/* What a person calls it by, in pins and edits too: the token, or the first one of a word. */
int        eng_tokens_get_number  (const EngTokens *self, int i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTokens, eng_tokens_unref)

G_END_DECLS
