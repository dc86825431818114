/* SPDX-License-Identifier: MIT */
/* BLEU (Papineni et al. 2002) of a corpus, as sacrebleu counts it (Post 2018): sequences of up to
 * four words, cut as mteval-v13a cuts them, one reference a sentence; where none of a length is
 * right its share is half of that before (exponential smoothing). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ENG_BLEU_ORDER 4

/* Sums over sentences; zeroed at first. */
typedef struct {
  gint64 n_words;              /* of what was written */
  gint64 n_reference_words;
  gint64 right[ENG_BLEU_ORDER];
  gint64 all[ENG_BLEU_ORDER];  /* that were written */
} EngBleu;

void       eng_bleu_add       (EngBleu        *self,
                               const char     *written,
                               const char     *reference);
/* 0 to 100. */
double     eng_bleu_get_score (const EngBleu  *self);
/* (element-type utf8) (transfer full) The words that are counted. */
GPtrArray *eng_bleu_tokenise  (const char     *text);

G_END_DECLS
