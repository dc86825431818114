/* SPDX-License-Identifier: MIT */
/* A training beside everything else: in a thread of its own that takes what others leave of the
 * machine, can be paused and gone on with, and tells how far it is. No GTK here. Main thread; all
 * callbacks arrive in the main context that it was made in. */
#pragma once

#include "app/training/toys.h"
#include "app/training/training.h"

G_BEGIN_DECLS

typedef struct _AppTrainingJob AppTrainingJob;

typedef enum {
  APP_TRAINING_OPENING,  /* data are read, a tokenizer is learnt */
  APP_TRAINING_RUNNING,
  APP_TRAINING_STOPPING, /* takes its last step and saves */
  APP_TRAINING_PAUSED,   /* saved; it can go on */
  APP_TRAINING_DONE,     /* saved; came to its end */
  APP_TRAINING_FAILED
} AppTrainingState;

/* What is known of it; borrowed until the next change. */
typedef struct {
  AppTrainingState  state;
  const char       *folder;
  AppTrainingReport last;    /* all 0 while nothing was told */
  const GArray     *curve;   /* of AppTrainingPoint */
  const GArray     *kept;    /* gint64, steps whose state can be looked at (kept.h) */
  AppHeldOut        held_out; /* as asked while it is not known */
  gint64            n_joined; /* app_recipe_dup_joined() */
  const char       *problem; /* a sentence, where it failed */
} AppTrainingNews;

typedef void (*AppTrainingJobFunc) (const AppTrainingNews *news,
                                    gpointer               data);

/* Begins a training in a folder that is not there. Takes recipe over, settled; toy: whose data are
 * made first, APP_N_TOYS = none's. Whatever changes is told by func, some times a second. */
AppTrainingJob        *app_training_job_new      (AppRecipe           *recipe,
                                                  AppToy               toy,
                                                  const char          *folder,
                                                  AppTrainingJobFunc   func,
                                                  gpointer             data);
/* One that was paused before, by this program or another: it waits for app_training_job_go_on(). Or
 * one that came to its end. Takes the record over. */
AppTrainingJob        *app_training_job_new_paused (const char        *folder,
                                                  AppTrainingRecord   *record,
                                                  AppTrainingJobFunc   func,
                                                  gpointer             data);
/* Saves first, where it runs, and waits for that; nothing is told any more. */
void                   app_training_job_free     (AppTrainingJob      *self);

/* The same without waiting, for one that nobody looks at any more. */
void                   app_training_job_abandon (AppTrainingJob      *self);

/* One that runs becomes a paused one once it has saved. */
void                   app_training_job_pause    (AppTrainingJob      *self);
/* One that is paused. */
void                   app_training_job_go_on    (AppTrainingJob      *self);
gboolean               app_training_job_is_busy  (const AppTrainingJob *self);
const AppTrainingNews *app_training_job_get_news (const AppTrainingJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppTrainingJob, app_training_job_free)

G_END_DECLS
