/* SPDX-License-Identifier: MIT */
/* For app/parts/training/ alone. */
#pragma once

#include "app/parts/training/training.h"
#include "app/training/state-scores.h"
#include "app/training/training-job.h"
#include "ui/dialogs/train-dialog.h"
#include "ui/lists/loss-curve.h"
#include "ui/lists/score-curve.h"

G_BEGIN_DECLS

/* What becomes of a training once it has saved. */
typedef enum {
  APP_AFTERWARDS_NOTHING, /* it is paused */
  APP_AFTERWARDS_KEEP,    /* it is paused, and the bar can be closed */
  APP_AFTERWARDS_DISCARD, /* the model goes into the trash */
  APP_AFTERWARDS_CLOSE    /* the window goes */
} AppAfterwards;

struct _AppTrainingPart {
  AppPart         parent_instance;

  AppDesk        *desk;
  AppStudy       *study;
  AppPicture     *picture;

  GtkWidget      *bar;
  UiLossCurve    *curve;
  GtkLabel       *state_label;
  GtkLabel       *loss_label;
  GtkLabel       *speed_label;
  GtkLabel       *held_out_label;
  GtkButton      *pause_button;
  GtkWidget      *stop_button;
  UiScoreCurve   *score_curve;
  GtkDropDown    *pattern_choice;
  GtkRange       *timeline;  /* places of kept states, the last one is the newest weights */
  GtkLabel       *step_label;
  GtkButton      *play_button;

  UiTrainDialog  *dialog;  /* weak; NULL = none is open */
  char           *from;    /* folder that the dialog offers to go on from; NULL = none */
  AppTrainingJob *job;     /* NULL = no training */
  gint64          shown_at;   /* monotonic µs: when the bar was set last */
  gboolean        is_open;    /* the study was asked to show its model */
  gint64          shown_step; /* whose weights it shows */
  guint           retry_source;
  AppAfterwards   afterwards;
  gboolean        is_kept;  /* it was stopped and kept; nothing more is asked of it */
  UiDocument     *before;   /* what was shown when it began; NULL = nothing of this window */
  AppToy          toy;      /* that is learnt; APP_N_TOYS = none */
  guint           play_source;
  gboolean        is_syncing; /* controls are being set */

  AppStateScores *scores;
  int             pattern;  /* of the scores that are shown */
  gboolean        is_chosen; /* by a person */
  /* The training before, to be compared with where it learnt the same toy. */
  AppToy          former_toy;
  char           *former_name;
  GArray         *former_curve;  /* UiLossPoint; NULL = there is none */
  GPtrArray      *former_scores; /* of AppStateScore, of the sentence of that time */

  char           *example;  /* sentence that is shown when it begins; NULL = the person's own */
  gboolean        is_single; /* the model reads one text */
  char           *looked_at; /* the folder that was looked into for a training; NULL = none */
};

/* beginning.c */
/* The dialog. */
void app_training_part_ask   (AppTrainingPart *self);

/* words.c, (transfer full) */
/* Whether it can be left alone: it has saved what it learnt. */
gboolean app_training_is_at_rest     (AppTrainingState       state);
char    *app_training_describe_state (const AppTrainingNews *news);
/* "12,340 words a second · 12 min left", as far as it is known; of one that rests where it lies. */
char    *app_training_describe_speed (const AppTrainingNews *news);
/* What is otherwise than asked with what is held out; static, NULL = nothing is. */
const char *app_training_describe_held_out (const AppTrainingNews *news);

/* timeline.c */
void     app_training_part_begin_timeline (AppTrainingPart *self);
void     app_training_part_sync_timeline  (AppTrainingPart *self);
/* Whether the folder is that of the training, or of a state that it has kept. */
gboolean app_training_part_has_folder     (AppTrainingPart *self,
                                           const char      *folder);
/* The step whose weights are shown; -1 = another model is. */
gint64   app_training_part_get_shown_step (AppTrainingPart *self);
/* One step after the other, to the last one, or no more. */
void     app_training_part_play           (AppTrainingPart *self,
                                           gboolean         plays);
/* The step that is shown and the newest one stand beside each other. */
void     app_training_part_compare_steps  (AppTrainingPart *self);

/* curves.c */
void     app_training_part_begin_curves   (AppTrainingPart *self);
void     app_training_part_sync_curves    (AppTrainingPart *self);
/* Asks for the scores that are not there yet. */
void     app_training_part_ask_scores     (AppTrainingPart *self);
/* What is shown of this training stays as that of the one before. */
void     app_training_part_make_former    (AppTrainingPart *self);
void     app_training_part_end_curves     (AppTrainingPart *self);

/* training.c */
/* Takes recipe over. */
void app_training_part_begin (AppTrainingPart *self,
                              AppRecipe       *recipe,
                              AppToy           toy,
                              const char      *folder);
/* There is none any more. */
void app_training_part_leave (AppTrainingPart *self);

G_END_DECLS
