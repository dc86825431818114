/* SPDX-License-Identifier: MIT */
/* chrF2 (Popović 2015) of a corpus, as sacrebleu counts it: sequences of up to six characters
 * without blanks, recall twice as heavy as precision, one reference a sentence. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ENG_CHRF_ORDER 6

/* Sums over sentences; zeroed at first. */
typedef struct {
  gint64 written[ENG_CHRF_ORDER];
  gint64 wanted[ENG_CHRF_ORDER];
  gint64 right[ENG_CHRF_ORDER];
} EngChrf;

void   eng_chrf_add       (EngChrf        *self,
                           const char     *written,
                           const char     *reference);
/* 0 to 100. */
double eng_chrf_get_score (const EngChrf  *self);

G_END_DECLS
