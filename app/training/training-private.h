/* SPDX-License-Identifier: MIT */
/* For app/training/ alone. */
#pragma once

#include "app/training/training.h"

G_BEGIN_DECLS

struct _AppTraining {
  char              *folder;
  AppTrainingRecord *record;
  EngTokenizer      *tokenizer;
  EngParameters     *parameters;
  EngTexts          *texts;
  EngTrainer        *trainer;

  gint64             step;       /* taken so far */
  gint64             saved_step; /* -1 = the folder has none */
  gint64             pass;

  /* Of this process. */
  gint64             begun;        /* monotonic µs */
  gint64             saved_at;
  double             before;       /* seconds that the training took before */
  gint64             n_here;       /* steps */
  double             step_seconds; /* running means of a step */
  double             step_tokens;
};

/* The recipe's record; model: the folder that weights and tokenizer come from. */
gboolean app_training_open_parts (AppTraining  *self,
                                  const char   *model,
                                  GError      **error);
/* Puts the tokenizer of a model's folder beside the weights. */
gboolean app_training_copy_tokenizer (const char  *model,
                                      const char  *folder,
                                      GError     **error);

G_END_DECLS
