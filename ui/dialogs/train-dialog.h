/* SPDX-License-Identifier: MIT */
/* Asks what a model shall learn: a preset, or a file of one's own, by which model and for how long.
 * Knows no trainings: it is told what there is to choose, and asks by signals.
 *
 * Signals:
 *   choose-file: a person wants to choose a file; answered with ui_train_dialog_set_file().
 *   start: the choice is whole. The dialog waits until its owner destroys it, or says with
 *     ui_train_dialog_refuse() what is wrong.
 *   stop: it was closed while it waits. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define UI_TYPE_TRAIN_DIALOG (ui_train_dialog_get_type ())
G_DECLARE_FINAL_TYPE (UiTrainDialog, ui_train_dialog, UI, TRAIN_DIALOG, AdwWindow)

#define UI_TRAIN_N_SWITCHES 2

/* Names are borrowed until the dialog is made, lists end with NULL. */
typedef struct {
  const char *const *presets;  /* the last one is the file of one's own */
  const char *const *notes;    /* what each preset is, a sentence */
  const double      *minutes;  /* that each preset takes */
  const char *const *tasks;
  const char *const *lines;    /* what a line of the file of each task is */
  const char *const *models;   /* that the training begins with */
  /* What the model of each preset may be called, with each choice of the switches: preset
   * × 2^N_SWITCHES + choice. */
  const char *const *names;
  const char *const *switches; /* UI_TRAIN_N_SWITCHES, which presets have and a file has not */
  const char *const *switch_notes;
} UiTrainOffer;

typedef struct {
  int         preset;
  int         switches; /* bit i: switch i is on; 0 of a file of one's own */
  int         task;    /* of a file of one's own, like those below */
  int         model;
  const char *file;    /* NULL = none was chosen */
  double      minutes;
  const char *name;    /* that is not empty; nor a path */
} UiTrainChoice;

/* Modal over parent. task: that the file of one's own begins with. folder: where models come to
 * lie. */
GtkWidget *ui_train_dialog_new      (GtkWindow          *parent,
                                     const UiTrainOffer *offer,
                                     int                 task,
                                     const char         *folder);
void       ui_train_dialog_set_file (UiTrainDialog      *self,
                                     const char         *path);
/* Why it does not begin, in a sentence. */
void       ui_train_dialog_refuse   (UiTrainDialog      *self,
                                     const char         *problem);
/* Borrowed until the next change. */
void       ui_train_dialog_get      (UiTrainDialog      *self,
                                     UiTrainChoice      *choice);

G_END_DECLS
