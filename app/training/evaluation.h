/* SPDX-License-Identifier: MIT */
/* How well a model does on a file that it did not learn from. */
#pragma once

#include "app/training/toys.h"
#include "engine/transformer/model.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* What is not said of a task is NaN. */
typedef struct {
  gint64 n;          /* texts, sentences or questions of the file */
  gint64 n_asked;    /* tokens or words that were asked for; those of translations not counted */
  double loss;       /* mean of these: masked words, next words */
  double perplexity; /* e to the power of it */
  double accuracy;   /* masked words, classes, pairs, tags */
  double f1;         /* of classes, pairs, tags the mean over these; of answers over questions */
  double exact;      /* share of answers that are as expected */
  double bleu;       /* translations, like chrF2 */
  double chrf;
  double answers;    /* of a toy: share of its answers (toy-answers.h) that are right */
  gint64 n_joined;   /* pairs, app_recipe_dup_joined() */
} AppTrainEvaluation;

/* What is asked. */
typedef struct {
  AppTrainTask  task;
  const char   *data;     /* file */
  double        held_out; /* of its texts those alone that a training with this share holds out;
                           * 0 = all */
  gboolean      by_first; /* record.h */
  guint64       seed;     /* masked words are drawn by it */
  AppToy        toy;      /* that the texts are lines of; APP_N_TOYS = of none */
} AppTrainQuestion;

/* done of n texts. */
typedef void (*AppTrainEvaluationFunc) (int      done,
                                        int      n,
                                        gpointer data);

/* document: how the model is asked; its texts are those of the file. A raised cancel flag
 * (nullable) ends it with ENG_ERROR_CANCELLED. Refuses what the task's file is refused for in a
 * training, a model without the head, labels that it does not have, and a file of which nothing is
 * held out. */
gboolean app_train_evaluate (EngModel                *model,
                             const UiDocument        *document,
                             const AppTrainQuestion  *question,
                             const gint              *cancel,
                             AppTrainEvaluationFunc   report,
                             gpointer                 user_data,
                             AppTrainEvaluation      *result,
                             GError                 **error);

G_END_DECLS
