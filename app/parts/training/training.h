/* SPDX-License-Identifier: MIT */
/* A training beside what is shown: begun in a dialog, followed in a bar below the picture, which
 * shows the newest weights every few seconds; paused, gone on with, stopped. One at a time. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_TRAINING_PART (app_training_part_get_type ())
G_DECLARE_FINAL_TYPE (AppTrainingPart, app_training_part, APP, TRAINING_PART, AppPart)

/* Whether the window has to wait for a training that saves; it is then closed once that is done. */
gboolean app_training_part_keeps_open (AppTrainingPart *self);

G_END_DECLS
