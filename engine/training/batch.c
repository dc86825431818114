/* SPDX-License-Identifier: MIT */
#include "engine/training/batch.h"

int
eng_batch_count_labels (const EngBatch *self)
{
  int n = 0;

  for (int i = 0; i < self->n_sequences * self->n; i++)
    n += self->labels[i] != ENG_NO_LABEL;

  return n;
}

void
eng_batch_label_next_words (const EngBatch *self,
                            gint32         *labels)
{
  for (int i = 0; i < self->n_sequences * self->n; i++) {
    gboolean last = i % self->n == self->n - 1;

    labels[i] = last || (self->visible != NULL && !self->visible[i + 1]) ? ENG_NO_LABEL
                                                                         : self->ids[i + 1];
  }
}
