/* SPDX-License-Identifier: MIT */
#include "engine/metrics/agreement.h"

struct _EngAgreement {
  int     n_classes;
  gint64  n;
  gint64 *expected; /* [n_classes], like the others */
  gint64 *answered;
  gint64 *right;
};

EngAgreement *
eng_agreement_new (int n_classes)
{
  EngAgreement *self = g_new0 (EngAgreement, 1);

  self->n_classes = n_classes;
  self->expected = g_new0 (gint64, n_classes);
  self->answered = g_new0 (gint64, n_classes);
  self->right = g_new0 (gint64, n_classes);

  return self;
}

void
eng_agreement_free (EngAgreement *self)
{
  g_free (self->expected);
  g_free (self->answered);
  g_free (self->right);
  g_free (self);
}

void
eng_agreement_add (EngAgreement *self,
                   int           expected,
                   int           answered)
{
  self->n++;
  self->expected[expected]++;
  if (answered >= 0)
    self->answered[answered]++;
  if (answered == expected)
    self->right[expected]++;
}

gint64
eng_agreement_get_n (const EngAgreement *self)
{
  return self->n;
}

double
eng_agreement_get_accuracy (const EngAgreement *self)
{
  gint64 right = 0;

  for (int i = 0; i < self->n_classes; i++)
    right += self->right[i];

  return self->n > 0 ? (double) right / (double) self->n : 0;
}

double
eng_agreement_get_f1 (const EngAgreement *self,
                      int                 class)
{
  gint64 n = self->expected[class] + self->answered[class];

  return n > 0 ? 2.0 * (double) self->right[class] / (double) n : 0;
}

double
eng_agreement_get_mean_f1 (const EngAgreement *self)
{
  double sum = 0;
  int n = 0;

  for (int i = 0; i < self->n_classes; i++)
    if (self->expected[i] + self->answered[i] > 0) {
      sum += eng_agreement_get_f1 (self, i);
      n++;
    }

  return n > 0 ? sum / n : 0;
}
