/* SPDX-License-Identifier: MIT */
/* A training: steps over a text file, pass after pass, asked for masked or next words, for
 * translations, or for the labels that its texts have. Everything that is drawn (the order of texts, masked words, dropout) comes from the
 * seed and the number of the step, so that a training goes on from a saved step as if it had never
 * stopped.
 *
 *   while (eng_trainer_step (self, &cancel, &progress, &error) && progress.step < n_steps)
 *     …
 *
 * Used by one thread. */
#pragma once

#include "engine/training/masking.h"
#include "engine/training/optimizer.h"
#include "engine/training/schedule.h"
#include "engine/training/step.h"
#include "engine/training/texts.h"

G_BEGIN_DECLS

typedef struct _EngTrainer EngTrainer;

typedef struct {
  EngStepSettings      step;       /* of the tasks but masked and next words texts have labels; the
                                    * language model's with texts of pairs is to translate */
  EngOptimizerSettings optimizer;
  EngSchedule          schedule;
  EngMasking           masking;    /* of masked words */
  int                  n_tokens;   /* of a batch at most, padding counted */
  int                  n_together; /* batches a step */
  guint64              seed;
  gboolean             half;       /* weights are saved as F16; the state has them as they are */
} EngTrainerSettings;

typedef struct {
  gint64 step;     /* steps that are taken, this one counted */
  gint64 pass;     /* over the texts, from 0 */
  double loss;     /* mean of the tokens that were asked for; 0 where none was */
  int    n_labels; /* these */
  gint64 n_tokens; /* that were read, without padding */
  gint64 n_words;  /* of the texts that they are of */
  double rate;
  double norm;     /* of the gradients, before they were clipped */
} EngTrainerProgress;

/* parameters and texts are borrowed and have to live as long. Fails where the model has no head for
 * the task, or the state has no memory. */
EngTrainer *eng_trainer_new      (EngParameters             *parameters,
                                  const EngTexts            *texts,
                                  const EngTrainerSettings  *settings,
                                  GError                   **error);
void        eng_trainer_free     (EngTrainer                *self);

/* Goes on from what eng_trainer_save() left in the folder: its weights, too. */
gboolean    eng_trainer_resume   (EngTrainer                *self,
                                  const char                *folder,
                                  GError                   **error);
/* The weights and the state of the last step, engine/training/checkpoint.h. */
gboolean    eng_trainer_save     (EngTrainer                *self,
                                  const char                *folder,
                                  GError                   **error);

/* Steps that were taken. */
gint64      eng_trainer_get_n_steps (const EngTrainer       *self);
/* Where the end is known later. */
void        eng_trainer_set_schedule (EngTrainer            *self,
                                      const EngSchedule     *schedule);

/* One step. With a raised cancel flag (nullable) it fails with ENG_ERROR_CANCELLED and everything
 * is as it was before the step. */
gboolean    eng_trainer_step     (EngTrainer                *self,
                                  const gint                *cancel,
                                  EngTrainerProgress        *progress,
                                  GError                   **error);
/* *loss (out): the mean over the texts that are held out, masked alike each time; NaN where there
 * are none. */
gboolean    eng_trainer_evaluate (EngTrainer                *self,
                                  const gint                *cancel,
                                  double                    *loss,
                                  GError                   **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTrainer, eng_trainer_free)

G_END_DECLS
