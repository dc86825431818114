/* SPDX-License-Identifier: MIT */
/* Texts that something is asked of already. For engine/training/ alone. */
#pragma once

#include "engine/training/texts.h"

G_BEGIN_DECLS

/* A text of n tokens with its labels. */
typedef struct {
  int           n;
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

G_END_DECLS
