/* SPDX-License-Identifier: MIT */
/* Small tasks of letters that a tiny model learns within minutes, from random weights: what a head
 * does there can be said beforehand. Their lines are drawn by a seed. */
#pragma once

#include "app/training/recipe.h"

G_BEGIN_DECLS

typedef enum {
  APP_TOY_REPEAT,
  APP_TOY_SORT,
  APP_TOY_BRACKETS,
  APP_N_TOYS
} AppToy;

typedef struct {
  const char *name;    /* "repeat", also of the model */
  const char *title;   /* "Repeat letters" */
  const char *note;    /* a sentence on what is learnt */
  const char *example; /* a line to look at */
  double      minutes; /* that it is trained */
} AppToyFacts;

const AppToyFacts *app_toy_get        (AppToy       toy);
/* (transfer full) Settled: as many steps as a machine at rest takes in the minutes, so that what comes
 * of it does not hang on the machine; its data are a file of the toy's in the data folder of Headlight, which
 * app_toy_write() makes. */
AppRecipe         *app_toy_new_recipe (AppToy       toy,
                                       gint64       seed,
                                       double       minutes);
/* (transfer full) Lines of letters, as many as a training of some minutes reads. */
char              *app_toy_make_text  (AppToy       toy,
                                       gint64       seed);
/* The data of the recipe, unless they are there. Any thread. */
gboolean           app_toy_write      (AppToy             toy,
                                       const AppRecipe   *recipe,
                                       GError           **error);

G_END_DECLS
