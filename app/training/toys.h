/* SPDX-License-Identifier: MIT */
/* Small tasks of letters that a tiny model learns within minutes, from random weights: what a head
 * does there can be said beforehand. Their lines are drawn by a seed. */
#pragma once

#include "app/training/recipe.h"

G_BEGIN_DECLS

typedef enum {
  APP_TOY_REPEAT,
  APP_TOY_SORT,
  APP_TOY_REVERSE,
  APP_TOY_BRACKETS,
  APP_N_TOYS
} AppToy;

typedef struct {
  const char *name;    /* "repeat", also of the model */
  const char *title;   /* "Repeat letters" */
  const char *note;    /* a sentence on what is learnt */
  const char *example; /* a line to look at */
  double      minutes; /* that it is trained */
  gint64      seed;    /* that it is trained with */
} AppToyFacts;

/* How the model of a toy is made: with both FALSE it knows where a token stands, by rotary positions,
 * and has four heads a layer. Nothing else of it changes. */
typedef struct {
  gboolean no_positions; /* SmolLM3's layers that do not turn (no_rope_layers of config.json) */
  gboolean one_head;     /* as wide as the four together */
} AppToyShape;

const AppToyFacts *app_toy_get        (AppToy             toy);
/* (transfer full) What its model may be called: "repeat", "repeat-no-positions". */
char              *app_toy_dup_name   (AppToy             toy,
                                       const AppToyShape *shape);
/* (transfer full) Settled: as many steps as a machine at rest takes in the minutes, so that what
 * comes of it does not hang on the machine; its data and its shape are files in the data folder of
 * Headlight, which app_toy_write() makes. */
AppRecipe         *app_toy_new_recipe (AppToy             toy,
                                       const AppToyShape *shape,
                                       gint64             seed,
                                       double             minutes);
/* The toy that a recipe is of, by the file of its data; APP_N_TOYS = none. */
AppToy             app_toy_find       (const AppRecipe   *recipe);
/* (transfer full) Lines of letters, each with "\n". */
char              *app_toy_make_lines (AppToy             toy,
                                       gint64             seed,
                                       int                n_lines);
/* (transfer full) As many as a training of some minutes reads. */
char              *app_toy_make_text  (AppToy             toy,
                                       gint64             seed);
/* Whether what stands behind place i of a line of n letters follows from what stands before, so that
 * there is a right answer: a letter that stood before, what stands behind the sign, a bracket that
 * closes. */
gboolean           app_toy_has_answer (AppToy             toy,
                                       const char        *letters,
                                       int                n,
                                       int                i);
/* The data and the shape of the recipe, unless they are there. Any thread. */
gboolean           app_toy_write      (AppToy             toy,
                                       const AppRecipe   *recipe,
                                       GError           **error);

G_END_DECLS
