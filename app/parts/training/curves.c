/* SPDX-License-Identifier: MIT */
/* The curves of a training: its loss, and how much each head follows a pattern in the sentence that
 * is shown, at each state that was kept; those of the training before in grey. */
#include "app/parts/training/training-private.h"

#include <math.h>

/* What curves may be of, in the order of the choice. */
#define RIGHT APP_N_SCORES

static const int choices[] = {
  APP_SCORE_INDUCTION,        ENG_PATTERN_PREVIOUS,           ENG_PATTERN_NEXT,
  ENG_PATTERN_TWO_BACK,       ENG_PATTERN_TWO_ON,             ENG_PATTERN_SAME_TOKEN,
  ENG_PATTERN_SAME_WORD_OTHER, ENG_PATTERN_SAME_WORD_ANYWHERE, ENG_PATTERN_FIRST,
  ENG_PATTERN_SEPARATOR,      ENG_PATTERN_PUNCTUATION,        ENG_PATTERN_OWN_SENTENCE,
  ENG_PATTERN_BLOCK_AB,       ENG_PATTERN_BLOCK_BA,           ENG_PATTERN_BROAD,
  RIGHT
};

static const char *
get_title (int which)
{
  return which == RIGHT ? "answers that are right"
         : which == APP_SCORE_INDUCTION ? "what followed last time"
                                        : eng_pattern_get_title ((EngPattern) which);
}

/* The number of a state's line; NaN = not there. */
static float
get_number (const AppStateScore *score,
            int                  which,
            int                  line)
{
  if (which == RIGHT)
    return (float) score->right;

  return line < score->n_layers * score->n_heads ? score->scores[line * APP_N_SCORES + which] : NAN;
}

static float
find_best (const AppStateScore *score,
           int                  which)
{
  return which == RIGHT ? (float) score->right : app_state_score_find_best (score, which);
}

/* (transfer full) n_lines numbers of each state. */
static float *
collect (const GPtrArray *states,
         int              which,
         int              n_lines)
{
  float *numbers = g_new (float, MAX (states->len * (guint) n_lines, 1));

  for (guint i = 0; i < states->len; i++)
    for (int line = 0; line < n_lines; line++)
      numbers[i * (guint) n_lines + (guint) line] = get_number (states->pdata[i], which, line);

  return numbers;
}

static double *
collect_steps (const GPtrArray *states)
{
  double *steps = g_new (double, MAX (states->len, 1));

  for (guint i = 0; i < states->len; i++)
    steps[i] = (double) ((AppStateScore *) states->pdata[i])->step;

  return steps;
}

static gboolean
has_former (AppTrainingPart *self)
{
  return self->former_curve != NULL && self->toy < APP_N_TOYS && self->former_toy == self->toy;
}

static void
sync_former_scores (AppTrainingPart *self)
{
  const GPtrArray *states = self->former_scores;
  g_autofree double *steps = NULL;
  g_autofree float *best = NULL;

  if (!has_former (self)) {
    ui_score_curve_set_former (self->score_curve, 0, NULL, NULL, NULL);
    return;
  }
  steps = collect_steps (states);
  best = g_new (float, MAX (states->len, 1));
  for (guint i = 0; i < states->len; i++)
    best[i] = find_best (states->pdata[i], self->pattern);
  ui_score_curve_set_former (self->score_curve, (int) states->len, steps, best, self->former_name);
}

static void
sync_scores (AppTrainingPart *self)
{
  const GPtrArray *states = app_state_scores_get (self->scores);
  const gboolean of_heads = self->pattern != RIGHT;
  const AppStateScore *last = states->len > 0 ? states->pdata[states->len - 1] : NULL;
  const int n_lines = !of_heads ? 1 : last != NULL ? last->n_layers * last->n_heads : 0;
  g_autofree double *steps = collect_steps (states);
  g_autofree float *numbers = collect (states, self->pattern, n_lines);
  const UiScoreLines lines = {
    get_title (self->pattern), (int) states->len, steps, n_lines,
    of_heads && last != NULL ? last->n_heads : 0, numbers
  };

  ui_score_curve_set (self->score_curve, &lines);
  sync_former_scores (self);
}

/* (transfer full) Of UiLossPoint. */
static GArray *
make_points (const GArray *curve)
{
  GArray *points = g_array_sized_new (FALSE, FALSE, sizeof (UiLossPoint), curve->len);

  for (guint i = 0; i < curve->len; i++) {
    const AppTrainingPoint *point = &g_array_index (curve, AppTrainingPoint, i);
    const UiLossPoint shown = { (double) point->step, point->loss, point->held_out };

    g_array_append_val (points, shown);
  }

  return points;
}

static void
sync_loss (AppTrainingPart *self)
{
  g_autoptr (GArray) points = make_points (app_training_job_get_news (self->job)->curve);
  const gboolean has = has_former (self);

  ui_loss_curve_set (self->curve, (const UiLossPoint *) (gconstpointer) points->data,
                     (int) points->len);
  ui_loss_curve_set_former (self->curve,
                            has ? (const UiLossPoint *) (gconstpointer) self->former_curve->data
                                : NULL,
                            has ? (int) self->former_curve->len : 0,
                            has ? self->former_name : NULL);
}

/* The repeated string is what induction heads are about; elsewhere it is the word before that heads
 * learn first. */
static void
choose_pattern (AppTrainingPart *self)
{
  guint place = 0;

  if (!self->is_chosen)
    self->pattern = self->toy == APP_TOY_REPEAT ? APP_SCORE_INDUCTION
                    : self->toy < APP_N_TOYS ? RIGHT : ENG_PATTERN_PREVIOUS;
  if (self->pattern == RIGHT && self->toy == APP_N_TOYS)
    self->pattern = ENG_PATTERN_PREVIOUS;
  while (choices[place] != self->pattern)
    place++;
  self->is_syncing = TRUE;
  gtk_drop_down_set_selected (self->pattern_choice, place);
  self->is_syncing = FALSE;
}

void
app_training_part_sync_curves (AppTrainingPart *self)
{
  const gint64 step = app_training_part_get_shown_step (self);

  if (self->job == NULL)
    return;
  choose_pattern (self);
  sync_loss (self);
  sync_scores (self);
  ui_loss_curve_set_shown (self->curve, step >= 0 ? (double) step : NAN);
  ui_score_curve_set_shown (self->score_curve, step >= 0 ? (double) step : NAN);
}

void
app_training_part_ask_scores (AppTrainingPart *self)
{
  const AppTrainingNews *news = self->job != NULL ? app_training_job_get_news (self->job) : NULL;
  AppStateQuestion question;

  if (news == NULL || !self->is_open)
    return;
  question = (AppStateQuestion) {
    app_study_get_document (self->study), news->folder, news->kept,
    news->state >= APP_TRAINING_PAUSED ? news->last.saved_step : -1, self->toy
  };
  app_state_scores_ask (self->scores, &question);
}

static AppStateScore *
copy_score (const AppStateScore *score)
{
  AppStateScore *copy = g_memdup2 (score, sizeof *score);

  copy->scores = g_memdup2 (score->scores, (gsize) score->n_layers * (gsize) score->n_heads
                                             * APP_N_SCORES * sizeof *score->scores);

  return copy;
}

static void
free_score (gpointer data)
{
  g_free (((AppStateScore *) data)->scores);
  g_free (data);
}

static void
forget_former (AppTrainingPart *self)
{
  g_clear_pointer (&self->former_name, g_free);
  g_clear_pointer (&self->former_curve, g_array_unref);
  g_clear_pointer (&self->former_scores, g_ptr_array_unref);
}

void
app_training_part_make_former (AppTrainingPart *self)
{
  const AppTrainingNews *news = app_training_job_get_news (self->job);
  const GPtrArray *states = app_state_scores_get (self->scores);

  if (news->curve->len < 2)
    return;
  forget_former (self);
  self->former_toy = self->toy;
  self->former_name = g_path_get_basename (news->folder);
  self->former_curve = make_points (news->curve);
  self->former_scores = g_ptr_array_new_with_free_func (free_score);
  for (guint i = 0; i < states->len; i++)
    g_ptr_array_add (self->former_scores, copy_score (states->pdata[i]));
}

static void
pattern_cb (AppTrainingPart *self)
{
  if (self->is_syncing)
    return;
  self->pattern = choices[gtk_drop_down_get_selected (self->pattern_choice)];
  self->is_chosen = TRUE;
  app_training_part_sync_curves (self);
}

static void
scored_cb (gpointer data)
{
  app_training_part_sync_curves (data);
}

void
app_training_part_begin_curves (AppTrainingPart *self)
{
  const char *titles[G_N_ELEMENTS (choices) + 1] = { NULL };
  g_autoptr (GtkStringList) list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    titles[i] = get_title (choices[i]);
  list = gtk_string_list_new (titles);
  self->curve = app_part_get_object (self, "training_curve");
  self->score_curve = app_part_get_object (self, "training_scores");
  self->pattern_choice = app_part_get_object (self, "training_pattern");
  self->scores = app_state_scores_new (scored_cb, self);
  gtk_drop_down_set_model (self->pattern_choice, G_LIST_MODEL (list));
  g_signal_connect_object (self->pattern_choice, "notify::selected", G_CALLBACK (pattern_cb), self,
                           G_CONNECT_SWAPPED);
}

void
app_training_part_end_curves (AppTrainingPart *self)
{
  g_clear_pointer (&self->scores, app_state_scores_free);
  forget_former (self);
}
