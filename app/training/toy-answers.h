/* SPDX-License-Identifier: MIT */
/* How many answers of a toy are right, by a model that learns it. */
#pragma once

#include "app/training/toys.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* Places with an answer (app_toy_has_answer()), and those of them at which the most probable next token
 * is what stands there. */
typedef struct {
  gint64 n;
  gint64 n_right;
} AppToyCount;

/* Adds a line's to *count: row k of the logits is of token positions[k]. Refuses tokens that are no
 * letters. */
gboolean app_toy_count_answers   (AppToy            toy,
                                  const EngTokens  *tokens,
                                  const EngMatrix  *logits,
                                  const int        *positions,
                                  AppToyCount      *count,
                                  GError          **error);

/* *right: the share of answers that are right, in n_lines lines that were drawn anew by seed. Refuses a model that
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
