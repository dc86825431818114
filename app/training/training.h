/* SPDX-License-Identifier: MIT */
/* A training from its recipe to its folder: opens what it needs, takes the steps, asks what was
 * held out, keeps the curve, saves. The folder opens as a model from the first step on and can be
 * gone on with at any time; a program that is ended loses at most a minute. Blocking; used by one
 * thread. */
#pragma once

#include "app/training/record.h"

G_BEGIN_DECLS

typedef struct _AppTraining AppTraining;

/* What a caller can go on from; all other errors are the engine's. */
#define APP_TRAINING_ERROR (app_training_error_quark ())

typedef enum {
  APP_TRAINING_ERROR_BEGUN, /* the folder of a new training holds one */
  APP_TRAINING_ERROR_OVER   /* that of one that goes on holds one that came to its end */
} AppTrainingError;

GQuark app_training_error_quark (void);

/* After each step, and before the first. */
typedef struct {
  AppTrainingPoint point;             /* loss: since the last point of the curve */
  gboolean         in_curve;          /* it is a point of the curve */
  gint64           pass;              /* over the data, from 0 */
  double           words_per_second;  /* of the texts, lately; 0 = not known yet */
  double           tokens_per_second;
  double           seconds;           /* since the training began */
  double           seconds_left;      /* -1 = not known yet */
  gint64           saved_step;        /* that the folder has */
  gint64           end;               /* steps of all; 0 = not known yet */
  const GArray    *kept;              /* gint64, steps whose state is kept; NULL = as before */
} AppTrainingReport;

typedef void (*AppTrainingFunc) (const AppTrainingReport *report,
                                 gpointer                 data);

/* What is to be learnt from. */
typedef struct {
  gint64 n_parameters;
  gint64 n_texts;    /* but for those that are held out */
  gint64 n_tokens;   /* of these */
  gint64 n_words;
  gint64 n_held_out; /* texts */
  gint64 n_joined;   /* pairs, app_recipe_dup_joined() */
} AppTrainingSize;

/* Whether a training asks what it was told to hold out. */
typedef enum {
  APP_HELD_OUT_AS_ASKED, /* none where none was to be */
  APP_HELD_OUT_NONE,     /* too few texts differ: there is no held-out loss */
  APP_HELD_OUT_BY_FIRST  /* too many pairs are joined: a second text may stand on both sides */
} AppHeldOut;

/* Begins a training in a folder that is not there or empty, or in which another one was ended before
 * it had saved for the first time. What is not begun leaves no files. Takes recipe over, settled. No other
 * one can begin or go on in the folder while this one is there. */
AppTraining     *app_training_new      (AppRecipe         *recipe,
                                        const char        *folder,
                                        GError           **error);
/* Goes on with the one that the folder holds; where changes have steps or minutes (from now on)
 * they are the new end. */
AppTraining     *app_training_resume   (const char        *folder,
                                        const AppRecipe   *changes,
                                        GError           **error);
void             app_training_free     (AppTraining       *self);
/* Ends one that does not go on; where it has saved nothing yet its folder goes. */
void             app_training_give_up  (AppTraining       *self);

/* Borrowed: of AppTrainingPoint, so far. */
const GArray    *app_training_get_curve (const AppTraining *self);
const AppRecipe *app_training_get_recipe (const AppTraining *self);
AppTrainingSize  app_training_get_size (const AppTraining *self);
AppHeldOut       app_training_get_held_out (const AppTraining *self);
/* Whether one that was ended before it had saved anything made way for it. */
gboolean         app_training_begins_anew (const AppTraining *self);
/* Taken so far. */
gint64           app_training_get_step (const AppTraining *self);
/* The last step that the folder has. */
gint64           app_training_get_saved_step (const AppTraining *self);
/* Somebody looks at what is learnt: it saves every few seconds, but spends little of its time on
 * that. */
void             app_training_save_often (AppTraining       *self);
/* It also keeps states to be looked at afterwards (kept.h), if they are not too large. */
void             app_training_keep_states (AppTraining      *self);

/* To the end of the recipe, and saves. With a raised cancel flag (nullable) it saves too and fails
 * with ENG_ERROR_CANCELLED; after any other error the folder is as it was saved last. */
gboolean         app_training_run      (AppTraining       *self,
                                        const gint        *cancel,
                                        AppTrainingFunc    report,
                                        gpointer           data,
                                        GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppTraining, app_training_free)

G_END_DECLS
