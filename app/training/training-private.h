/* SPDX-License-Identifier: MIT */
/* For app/training/ alone. */
#pragma once

#include "app/training/lock.h"
#include "app/training/training.h"

G_BEGIN_DECLS

struct _AppTraining {
  char              *folder;
  AppTrainingLock   *lock;       /* NULL = the folder is not there yet */
  AppTrainingRecord *record;
  EngTokenizer      *tokenizer;
  EngParameters     *parameters;
  EngTexts          *texts;
  guint              n_joined;   /* engine/examples/sides.h; 0 where nothing is held out */
  EngTrainer        *trainer;

  gboolean           anew;       /* app_training_begins_anew() */
  gint64             step;       /* taken so far */
  gint64             saved_step; /* -1 = the folder has none */
  gint64             pass;

  /* Of this process. */
  gint64             begun;        /* monotonic µs */
  gint64             saved_at;
  double             save_seconds; /* that the last save took */
  gboolean           saves_often;
  guint              room;         /* for states that are kept (kept.h); 0 = none are */
  GArray            *kept;         /* their steps, gint64; NULL = none are */
  gboolean           kept_changed; /* since the last report */
  gint64             kept_at;      /* monotonic µs */
  gint64             keep_us;      /* that the last one took */
  double             before;       /* seconds that the training took before */
  gint64             n_here;       /* steps */
  double             step_seconds; /* running means of a step */
  double             step_tokens;
  double             step_words;
};

/* Everything that the recipe needs. model: the folder that tokenizer and weights come from. config:
 * of a model that begins, whose weights are drawn; NULL = they are in the folder. */
gboolean app_training_open_parts (AppTraining      *self,
                                  const char       *model,
                                  const GPtrArray  *examples,
                                  const char       *config,
                                  GError          **error);
/* *examples (transfer full) of the recipe's data, NULL where its task has plain texts. */
gboolean app_training_read_examples (const AppRecipe  *recipe,
                                     GPtrArray       **examples,
                                     GError          **error);
/* (transfer full) The config of a model that begins in the recipe's shape; its tokenizer is learnt
 * from the data, or the texts of examples (nullable), into the folder. */
char    *app_training_begin_model (const AppRecipe  *recipe,
                                   const GPtrArray  *examples,
                                   const char       *folder,
                                   GError          **error);
/* Keeps the state of the step that was reached, where it is due. */
gboolean app_training_keep_due (AppTraining  *self,
                                GError      **error);
/* Whether the name is one that such a copy may have. */
gboolean app_training_is_tokenizer_file (const char *name);
/* Puts the tokenizer of a model's folder beside the weights. */
gboolean app_training_copy_tokenizer (const char  *model,
                                      const char  *folder,
                                      GError     **error);

G_END_DECLS
