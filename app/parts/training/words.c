/* SPDX-License-Identifier: MIT */
/* What the bar of a training says. */
#include "app/parts/training/training-private.h"

#include <math.h>

#include "ui/controls/words.h"
#include "ui/document/amount.h"

gboolean
app_training_is_at_rest (AppTrainingState state)
{
  return state >= APP_TRAINING_PAUSED;
}

/* "1,240 of 5,000" */
static char *
describe_steps (const AppTrainingNews *news)
{
  g_autofree char *step = ui_amount_count (news->last.point.step);
  g_autofree char *end = ui_amount_count (news->last.end);

  return news->last.end > 0 ? g_strdup_printf ("%s of %s", step, end) : g_steal_pointer (&step);
}

char *
app_training_describe_state (const AppTrainingNews *news)
{
  g_autofree char *steps = describe_steps (news);
  g_autofree char *step = ui_amount_count (news->last.point.step);

  switch (news->state) {
  case APP_TRAINING_RUNNING:
    return g_strdup_printf ("In training, step %s", steps);
  case APP_TRAINING_STOPPING:
    return g_strdup_printf ("Saving at step %s…", step);
  case APP_TRAINING_PAUSED:
    return g_strdup_printf ("Paused at step %s", steps);
  case APP_TRAINING_DONE:
    return g_strdup_printf ("Trained, %s steps", step);
  case APP_TRAINING_FAILED:
    return g_strdup_printf ("Stopped at step %s", step);
  case APP_TRAINING_OPENING:
  default:
    return g_strdup ("Reading what is learnt…");
  }
}

/* The newest of the curve: "loss 3.21 · held out 3.40". */
char *
app_training_describe_loss (const GArray *curve)
{
  double loss = NAN, held_out = NAN;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < curve->len; i++) {
    const AppTrainingPoint *point = &g_array_index (curve, AppTrainingPoint, i);

    loss = isnan (point->loss) ? loss : point->loss;
    held_out = isnan (point->held_out) ? held_out : point->held_out;
  }
  if (!isnan (loss)) {
    g_autofree char *number = ui_words_number ("%.2f", loss);

    g_string_append_printf (text, "loss %s", number);
  }
  if (!isnan (held_out)) {
    g_autofree char *number = ui_words_number ("%.2f", held_out);

    g_string_append_printf (text, "%sheld out %s", text->len > 0 ? " · " : "", number);
  }

  return g_string_free (text, FALSE);
}

/* "12,340 tokens a second · 12 min left"; of one that rests where it lies. */
char *
app_training_describe_speed (const AppTrainingNews *news)
{
  g_autofree char *speed = ui_amount_count ((gint64) news->last.tokens_per_second);
  g_autofree char *left = ui_amount_time (news->last.seconds_left);
  g_autofree char *name = g_path_get_basename (news->folder);

  if (app_training_is_at_rest (news->state))
    return g_strdup_printf ("kept as “%s”", name);
  if (news->last.tokens_per_second <= 0)
    return g_strdup ("");
  if (news->last.seconds_left <= 0)
    return g_strdup_printf ("%s tokens a second", speed);

  return g_strdup_printf ("%s tokens a second · %s left", speed, left);
}
