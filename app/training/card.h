/* SPDX-License-Identifier: MIT */
/* README.md of a trained model, as the hub shows it: what it is, what it learnt from, the recipe
 * with its seed, the curve, and how to use it and go on. */
#pragma once

#include "app/training/training.h"

G_BEGIN_DECLS

/* Of the step that the training has reached. Written beside the weights. */
gboolean app_training_write_card (const AppTraining  *training,
                                  GError            **error);

G_END_DECLS
