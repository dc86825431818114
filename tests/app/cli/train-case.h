/* SPDX-License-Identifier: MIT */
/* Trainings of the command line: texts to learn from, small models to go on from, and the points of
 * the curve that are printed. */
#pragma once

#include "tests/support/checkpoint-folder.h"
#include "tests/support/command-line.h"
#include "tests/support/temporary.h"
#include "tests/app/training/texts.h"

typedef struct {
  char *folder; /* temporary */
  char *data;   /* a file of texts */
  char *out;    /* of the training; not made yet */
  char *masked; /* a model of masked words, */
  char *causal; /* and of next ones, of the same vocabulary */
} Fixture;

/* A point of the curve, without what is timed. */
typedef struct {
  double step;
  double loss;
  double held_out;
  double rate;
  double norm;
} Point;

static inline void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
  fixture->data = g_build_filename (fixture->folder, "texts.txt", NULL);
  fixture->out = g_build_filename (fixture->folder, "out", NULL);
  fixture->masked = checkpoint_get_specimen ("pretraining");
  fixture->causal = checkpoint_get_specimen ("causal");
  texts_write (fixture->data);
}

static inline void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  temporary_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->out);
  g_free (fixture->masked);
  g_free (fixture->causal);
}

static inline double
get_number (const cJSON *object,
            const char  *name)
{
  const cJSON *number = cJSON_GetObjectItemCaseSensitive (object, name);

  g_assert_nonnull (number);
  return cJSON_IsNull (number) ? -1 : number->valuedouble;
}

/* Adds the points of what was printed. */
static inline void
add_points (GArray     *points,
            const char *output)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);

  for (int i = 0; lines[i] && lines[i][0]; i++) {
    g_autoptr (cJSON) object = cJSON_Parse (lines[i]);
    const char *event;

    g_assert_nonnull (object);
    event = cJSON_GetObjectItemCaseSensitive (object, "event")->valuestring;
    if (strcmp (event, "progress") == 0) {
      Point point = { get_number (object, "step"), get_number (object, "loss"),
                      get_number (object, "held_out"), get_number (object, "rate"),
                      get_number (object, "norm") };

      g_assert_cmpfloat (get_number (object, "seconds"), >=, 0);
      g_array_append_val (points, point);
    }
  }
}

static inline void
assert_same (const GArray *a,
             const GArray *b)
{
  g_assert_cmpuint (a->len, >, 3);
  g_assert_cmpmem (a->data, a->len * sizeof (Point), b->data, b->len * sizeof (Point));
}

static inline GArray *
train (const Fixture *fixture,
       const char    *task,
       const char    *model,
       const char    *threads,
       const char    *out)
{
  g_autofree char *folder = g_build_filename (fixture->folder, out, NULL);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_auto (Run) run = { 0 };

  run_headlight (&run, "train", "--task", task, "--data", fixture->data, "--from", model, "--seed",
                 "7", "--steps", "25", "--batch-tokens", "150", "--accumulate", "2", "--rate",
                 "0.01", "--held-out", "0.2", "--threads", threads, "--json", "-o", folder, NULL);
  assert_done (&run);
  add_points (points, run.out);

  return points;
}
