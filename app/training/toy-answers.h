/* SPDX-License-Identifier: MIT */
/* How many answers of a toy are right, by a model that learns it. */
#pragma once

#include "app/training/toys.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* *right: the share of places with an answer (app_toy_has_answer()) at which the most probable next
 * token is what stands there, in n_lines lines that were drawn anew by seed. Refuses a model that
 * does not write, or cuts the lines otherwise than into letters. A raised cancel flag (nullable) ends
 * it with ENG_ERROR_CANCELLED. Any thread. */
gboolean app_toy_measure_answers (AppToy       toy,
                                  EngModel    *model,
                                  gint64       seed,
                                  int          n_lines,
                                  gint         *cancel,
                                  double      *right,
                                  GError     **error);

G_END_DECLS
