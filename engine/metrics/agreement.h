/* SPDX-License-Identifier: MIT */
/* How well classes are told apart: what was expected against what was answered. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EngAgreement EngAgreement;

EngAgreement *eng_agreement_new           (int                  n_classes);
void          eng_agreement_free          (EngAgreement        *self);

/* Classes from 0; an answer of -1 is none of them. */
void          eng_agreement_add           (EngAgreement        *self,
                                           int                  expected,
                                           int                  answered);
gint64        eng_agreement_get_n         (const EngAgreement  *self);
/* Share of answers that were expected; 0 without any. */
double        eng_agreement_get_accuracy  (const EngAgreement  *self);
/* Of one class: 2 · right / (expected + answered); 0 where it is neither. */
double        eng_agreement_get_f1        (const EngAgreement  *self,
                                           int                  class);
/* The mean over the classes that were expected or answered ("macro"). */
double        eng_agreement_get_mean_f1   (const EngAgreement  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngAgreement, eng_agreement_free)

G_END_DECLS
