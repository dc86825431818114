/* SPDX-License-Identifier: MIT */
/* What a training is asked for. Every field is an option of `headlight train` and a key of the
 * record that a folder keeps of its training (record.h): one table has them all. */
#pragma once

#include "engine/base/json.h"

#include "engine/examples/examples.h"
#include "engine/training/trainer.h"

G_BEGIN_DECLS

typedef enum {
  APP_TRAIN_MASKED,
  APP_TRAIN_NEXT_WORD,
  APP_TRAIN_TRANSLATE,
  APP_TRAIN_CLASSIFY,
  APP_TRAIN_PAIRS,
  APP_TRAIN_TAGS,
  APP_TRAIN_ANSWERS
} AppTrainTask;

/* The head that learns it. */
EngTask  app_train_task_get_head  (AppTrainTask     task);
/* Whether its file has examples with answers, and which. */
gboolean app_train_task_has_examples (AppTrainTask     task,
                                      EngExamplesKind *kind);

typedef struct {
  int      task;           /* AppTrainTask; -1 = not said */
  char    *data;           /* file */
  char    *from;           /* model, as app_model_store_find() takes it; NULL = from nothing */
  char    *shape;          /* "tiny", "mini" or the path of a config.json, where from is NULL */
  gint64   vocabulary;     /* entries of the tokenizer that is learnt; 0 = the shape's */
  gint64   seed;
  gint64   steps;          /* 0 = as many as the minutes have room for */
  double   minutes;        /* 0 = no limit */
  gint64   batch_tokens;
  gint64   accumulate;
  double   rate;
  gint64   warm_up;        /* -1 = hangs on the steps, which are not known yet */
  int      decay;          /* EngDecay */
  double   dropout;
  double   smoothing;
  double   weight_decay;
  double   clip;
  double   held_out;
  gboolean whole_words;    /* of masked ones all pieces */
  gboolean f16;            /* weights are saved as F16 */
  gint64   freeze;         /* layers; -1 = none, nor the embedding */
  guint64  given;          /* bit i: field i was set */
} AppRecipe;

typedef enum {
  APP_RECIPE_TEXT,
  APP_RECIPE_INTEGER,
  APP_RECIPE_NUMBER,
  APP_RECIPE_CHOICE,
  APP_RECIPE_FLAG
} AppRecipeKind;

typedef struct {
  const char        *name;       /* "batch-tokens" */
  AppRecipeKind      kind;
  gsize              offset;     /* in AppRecipe */
  const char        *value_name; /* NULL of a flag */
  const char        *help;
  double             min, max;   /* of a number */
  double             fallback;   /* of a number or choice */
  const char *const *choices;    /* ended by NULL */
  gboolean           evaluates;  /* headlight evaluate takes it too */
  /* 1 << AppTrainTask of all for which it does nothing: of a training, and of an evaluation. */
  guint              idle;
  guint              idle_asked;
} AppRecipeField;

const AppRecipeField *app_recipe_get_fields (int                   *n);
/* NULL when there is none. */
const AppRecipeField *app_recipe_find_field (const char            *name);
/* (transfer full) What it is where it is not given, as text; NULL where that hangs on the rest. */
char                 *app_recipe_dup_fallback (const AppRecipeField *field);

AppRecipe            *app_recipe_new        (void);
void                  app_recipe_free       (AppRecipe             *self);
/* value of a flag is left alone. Refuses with a sentence that begins with the option's name. */
gboolean              app_recipe_set        (AppRecipe             *self,
                                             const AppRecipeField  *field,
                                             const char            *value,
                                             GError               **error);
gboolean              app_recipe_has        (const AppRecipe       *self,
                                             const char            *name);
/* The task or the data are missing. */
gboolean              app_recipe_check_data (const AppRecipe       *self,
                                             GError               **error);
/* Refuses, with a sentence, what was given and does nothing for a task. */
gboolean              app_recipe_check_use  (const AppRecipe       *self,
                                             AppTrainTask           task,
                                             gboolean               trains,
                                             GError               **error);
/* What is missing, or does not go together; fills in what hangs on the rest and was not given. */
gboolean              app_recipe_settle     (AppRecipe             *self,
                                             GError               **error);
/* The same once the steps are known. */
void                  app_recipe_set_steps  (AppRecipe             *self,
                                             gint64                 n_steps);
EngSchedule           app_recipe_get_schedule (const AppRecipe     *self);

/* (transfer full) Lines of the data that are passed over because nothing stands on them, in a
 * sentence; NULL = there is none. */
char                 *app_recipe_dup_passed_over (const AppRecipe  *self);

/* (transfer full) That the first text of pairs alone decides what is held out, since so many of them
 * hang together (engine/examples/sides.h), in a sentence; NULL = none do. */
char                 *app_recipe_dup_joined (gint64                 n_joined);

/* {NAME: value} of everything, settled. */
cJSON                *app_recipe_to_json    (const AppRecipe       *self);
AppRecipe            *app_recipe_from_json  (const cJSON           *json,
                                             const char            *what,
                                             GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppRecipe, app_recipe_free)

G_END_DECLS
