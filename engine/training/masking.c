/* SPDX-License-Identifier: MIT */
#include "engine/training/masking.h"

#include "engine/kernels/random.h"

/* What is drawn for a token, each a number of its own. */
typedef enum {
  DRAW_ASKED,
  DRAW_FATE,
  DRAW_WORD,
  N_DRAWS
} Draw;

static double
draw (guint64 key,
      int     token,
      Draw    which)
{
  return eng_random_uniform (key, (guint64) (token * N_DRAWS + (int) which));
}

void
eng_masking_init (EngMasking *self,
                  gint32      mask_id,
                  gint32      n_words)
{
  *self = (EngMasking) {
    .share = 0.15, .masked = 0.8, .drawn = 0.1, .mask_id = mask_id, .n_words = n_words,
  };
}

/* The token that decides whether this one is asked for: the first of its word, or itself. */
static int
find_deciding (const EngMasking *self,
               const guint8     *special,
               const int        *words,
               int               token)
{
  if (!self->whole_words || words[token] < 0)
    return token;
  while (token > 0 && !special[token - 1] && words[token - 1] == words[token])
    token--;

  return token;
}

static gint32
choose (const EngMasking *self,
        guint64           key,
        int               token,
        gint32            id)
{
  double fate = draw (key, token, DRAW_FATE);

  if (fate < self->masked)
    return self->mask_id;
  if (fate < self->masked + self->drawn)
    return (gint32) (draw (key, token, DRAW_WORD) * self->n_words);

  return id;
}

void
eng_masking_apply (const EngMasking *self,
                   guint64           key,
                   int               n,
                   const guint8     *special,
                   const int        *words,
                   gint32           *ids,
                   gint32           *labels)
{
  for (int token = 0; token < n; token++) {
    int deciding = find_deciding (self, special, words, token);

    labels[token] = ENG_NO_LABEL;
    if (special[token] || draw (key, deciding, DRAW_ASKED) >= self->share)
      continue;
    labels[token] = ids[token];
    ids[token] = choose (self, key, token, ids[token]);
  }
}
