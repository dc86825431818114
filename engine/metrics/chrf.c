/* SPDX-License-Identifier: MIT */
#include "engine/metrics/chrf.h"

#include "engine/metrics/ngrams.h"

#define BETA 2.0

static GPtrArray *
split_characters (const char *text)
{
  GPtrArray *characters = g_ptr_array_new_with_free_func (g_free);

  for (const char *p = text; *p; p = g_utf8_next_char (p))
    if (!eng_is_blank (g_utf8_get_char (p)))
      g_ptr_array_add (characters, g_strndup (p, (gsize) (g_utf8_next_char (p) - p)));

  return characters;
}

void
eng_chrf_add (EngChrf    *self,
              const char *written,
              const char *reference)
{
  g_autoptr (GPtrArray) characters = split_characters (written);
  g_autoptr (GPtrArray) expected = split_characters (reference);

  for (guint i = 0; i < ENG_CHRF_ORDER; i++) {
    gint64 all, wanted, right;

    eng_ngrams_compare (characters, expected, i + 1, &all, &wanted, &right);
    /* Of a length that the reference has none of, none is wrong. */
    self->written[i] += wanted > 0 ? all : 0;
    self->wanted[i] += wanted;
    self->right[i] += right;
  }
}

double
eng_chrf_get_score (const EngChrf *self)
{
  double precision = 0, recall = 0, factor = BETA * BETA;
  int n = 0;

  for (int i = 0; i < ENG_CHRF_ORDER; i++)
    if (self->written[i] > 0 && self->wanted[i] > 0) {
      precision += (double) self->right[i] / (double) self->written[i];
      recall += (double) self->right[i] / (double) self->wanted[i];
      n++;
    }
  if (n == 0 || precision + recall == 0)
    return 0;
  precision /= n;
  recall /= n;

  return 100 * (1 + factor) * precision * recall / (factor * precision + recall);
}
