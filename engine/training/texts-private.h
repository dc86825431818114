/* SPDX-License-Identifier: MIT */
/* Texts that something is asked of already. For engine/training/ alone. */
#pragma once

#include "engine/training/texts.h"

G_BEGIN_DECLS

/* A text of n tokens with its labels. */
typedef struct {
  int           n;
  int           n_words;
  int           line;     /* of the file */
  const gint32 *ids;
  const gint32 *type_ids;
  const guint8 *special;
  const gint32 *labels;
} EngAskedText;

EngTexts *eng_texts_new       (const EngTextsSettings  *settings);
/* key: what decides whether the text is held out. */
void      eng_texts_add_asked (EngTexts                *self,
                               const EngAskedText      *text,
                               const char              *key);

/* Words of the text of a segment, from the first byte to the last that is in one of n tokens.
 * places: of these among tokens; NULL = the first n. */
int       eng_texts_count_covered (const EngTokens     *tokens,
                                   const gint32        *places,
                                   int                  n,
                                   int                  segment,
                                   const char          *text);
/* Refuses where there is nothing to learn from, or one text alone and some are to be held out.
 * what: "text of two tokens". */
gboolean  eng_texts_check     (const EngTexts          *self,
                               const char              *path,
                               const char              *what,
                               GError                 **error);

G_END_DECLS
