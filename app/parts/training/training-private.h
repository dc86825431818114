/* SPDX-License-Identifier: MIT */
/* For app/parts/training/ alone. */
#pragma once

#include "app/parts/training/training.h"
#include "app/training/training-job.h"
#include "ui/dialogs/train-dialog.h"
#include "ui/lists/loss-curve.h"

G_BEGIN_DECLS

/* What becomes of a training once it has saved. */
typedef enum {
  APP_AFTERWARDS_NOTHING, /* it is paused */
  APP_AFTERWARDS_KEEP,    /* the bar goes, the model stays */
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
  GtkButton      *pause_button;
  GtkWidget      *stop_button;

  UiTrainDialog  *dialog;  /* weak; NULL = none is open */
  char           *from;    /* folder that the dialog offers to go on from; NULL = none */
  AppTrainingJob *job;     /* NULL = no training */
  gint64          shown_at;   /* monotonic µs: when the bar was set last */
  gboolean        is_open;    /* the study was asked to show its model */
  gint64          shown_step; /* whose weights it shows */
  guint           retry_source;
  AppAfterwards   afterwards;
  char           *model_before; /* that was open; NULL = none */
  char           *example;  /* sentence that is shown when it begins; NULL = the person's own */
  gboolean        is_single; /* the model reads one text */
  char           *looked_at; /* the folder that was looked into for a training; NULL = none */
};

/* beginning.c */
/* The dialog. */
void app_training_part_ask   (AppTrainingPart *self);

/* training.c */
/* Takes recipe over. */
void app_training_part_begin (AppTrainingPart *self,
                              AppRecipe       *recipe,
                              AppToy           toy,
                              const char      *folder);
/* There is none any more. */
void app_training_part_leave (AppTrainingPart *self);

G_END_DECLS
