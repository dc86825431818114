/* SPDX-License-Identifier: MIT */
/* training.json: what the folder of a training keeps besides the model and the optimiser's state:
 * the recipe, which file was learnt from, how long it took, and the curve. */
#pragma once

#include "app/training/recipe.h"

G_BEGIN_DECLS

/* A point of the curve. */
typedef struct {
  gint64 step;
  double loss;     /* mean of what was asked for since the point before; NaN at step 0 */
  double held_out; /* NaN where it was not asked */
  double rate;
  double norm;
} AppTrainingPoint;

/* Sums since the last point, of a training that stopped between two. */
typedef struct {
  gint64 step;
  double loss;
  gint64 n_labels;
  double rate;     /* of the last step, like norm */
  double norm;
} AppTrainingSums;

typedef struct {
  AppRecipe       *recipe;   /* settled; its data is an absolute path */
  char            *digest;   /* SHA-256 of the data */
  gboolean         by_first; /* the first text of an example decides whether it is held out, as it did
                              * in records of version 1 */
  double           seconds;  /* that it took so far */
  GArray          *curve;    /* of AppTrainingPoint */
  AppTrainingSums  sums;
  /* The same of the state that the folder has, where the record is ahead of it. */
  AppTrainingSums  saved_sums;
  double           saved_seconds;
} AppTrainingRecord;

/* Takes recipe over. Fails where the data cannot be read. */
AppTrainingRecord *app_training_record_new   (AppRecipe                *recipe,
                                              GError                  **error);
void               app_training_record_free  (AppTrainingRecord        *self);

#define APP_TRAINING_RECORD_FILE "training.json"

gboolean           app_training_record_is_in (const char               *folder);
gboolean           app_training_record_save  (const AppTrainingRecord  *self,
                                              const char               *folder,
                                              GError                  **error);
/* Of a program that was killed between the record and the state it is what goes with the state. */
AppTrainingRecord *app_training_record_open  (const char               *folder,
                                              GError                  **error);
/* Refuses where the file of the data is not what it was. */
gboolean           app_training_record_check (const AppTrainingRecord  *self,
                                              GError                  **error);
/* Whether it has taken all of its steps, or its time. */
gboolean           app_training_record_is_over (const AppTrainingRecord *self);
/* Now the folder has the state of the record's step. */
void               app_training_record_catch_up (AppTrainingRecord     *self);
/* Leaves out what is behind a step: the state may be older than the record. */
void               app_training_record_cut   (AppTrainingRecord        *self,
                                              gint64                    step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppTrainingRecord, app_training_record_free)

G_END_DECLS
