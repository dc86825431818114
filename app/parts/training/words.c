/* SPDX-License-Identifier: MIT */
/* What the bar of a training says. */
#include "app/parts/training/training-private.h"

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

/* "12,340 words a second · 12 min left", as far as it is known: what is learnt may have no words. Of
 * one that rests where it lies. */
char *
app_training_describe_speed (const AppTrainingNews *news)
{
  const AppTrainingReport *last = &news->last;
  g_autofree char *speed = ui_amount_count ((gint64) last->words_per_second);
  g_autofree char *left = ui_amount_time (last->seconds_left);
  g_autofree char *name = g_path_get_basename (news->folder);
  GString *text;

  if (app_training_is_at_rest (news->state))
    return g_strdup_printf ("kept as “%s”", name);
  text = g_string_new (NULL);
  if (last->words_per_second >= 1)
    g_string_append_printf (text, "%s words a second", speed);
  if (last->seconds_left > 0)
    g_string_append_printf (text, "%s%s left", text->len > 0 ? " · " : "", left);

  return g_string_free (text, FALSE);
}

const char *
app_training_describe_held_out (const AppTrainingNews *news)
{
  switch (news->held_out) {
  case APP_HELD_OUT_NONE:
    return "Nothing is held out: too few texts";
  case APP_HELD_OUT_BY_FIRST:
    return "Held out by first texts alone";
  case APP_HELD_OUT_AS_ASKED:
  default:
    return NULL;
  }
}
