/* SPDX-License-Identifier: MIT */
#include "app/teaching/check.h"

#include <math.h>

#include "app/teaching/evaluate.h"
#include "app/teaching/support.h"
#include "ui/document/fit.h"
#include "ui/document/view.h"
#include "ui/scene/export/export.h"

/* A value so far from what a claim says was probably meant, as a part of it. */
#define NEAR 1e-3

#define NO_STATE "its state cannot be drawn"

static void
finding_clear (gpointer data)
{
  g_free (((AppFinding *) data)->reason);
}

const char *
app_verdict_get_name (AppVerdict verdict)
{
  static const char *const names[] = { "true", "false", "skipped" };

  return names[verdict];
}

char *
app_lesson_format_value (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("–");
  g_ascii_formatd (text, sizeof text, "%.4g", value);
  /* Large whole numbers as they are. */
  if (fabs (value) >= 10000 && fabs (value) < 1e15 && value == round (value))
    g_ascii_formatd (text, sizeof text, "%.0f", value);

  return g_strdup (text);
}

char *
app_lesson_format_answer (double value,
                          double tolerance)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char format[] = "%.0f";

  if (isnan (value) || tolerance <= 0 || value == round (value))
    return app_lesson_format_value (value);
  format[2] = (char) ('0' + CLAMP (ceil (-log10 (tolerance)) + 1, 0, 6));
  g_ascii_formatd (text, sizeof text, format, value);

  return g_strdup (text);
}

/* What could not be computed. */
static void
note_problem (AppFinding   *finding,
              AppPlace      fault,
              const GError *problem)
{
  finding->verdict = g_error_matches (problem, APP_LESSON_ERROR, APP_LESSON_ERROR_LACKING)
                     ? APP_VERDICT_SKIPPED : APP_VERDICT_FALSE;
  finding->place = fault;
  finding->reason = g_strdup (problem->message);
}

/* Whether a number of a false claim, as it is written, looks as if the claim held. */
static gboolean
looks_true (const AppFinding *finding,
            const char       *number)
{
  return finding->verdict == APP_VERDICT_FALSE
         && app_comparison_holds (&finding->block->claim->comparison, g_ascii_strtod (number, NULL));
}

char *
app_finding_format_value (const AppFinding *self)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char *number = app_lesson_format_value (self->value);

  for (int digits = 5; !isnan (self->value) && looks_true (self, number); digits++) {
    g_autofree char *format = g_strdup_printf ("%%.%dg", digits);

    g_free (number);
    number = g_strdup (g_ascii_formatd (text, sizeof text, format, self->value));
  }

  return number;
}

static char *
describe_false (const AppFinding *finding)
{
  const AppClaim *claim = finding->block->claim;
  const AppComparison *comparison = &claim->comparison;
  g_autofree char *number = app_finding_format_value (finding);
  const gboolean is_near = comparison->relation == APP_IS && comparison->tolerance == 0
                           && fabs (finding->value - comparison->bound)
                              <= NEAR * fmax (1, fabs (comparison->bound));

  return g_strdup_printf ("the claim %s is false, the value is %s%s", claim->text, number,
                          is_near ? "; +- says how far off it may be" : "");
}

static void
add_claim (AppLessonCheck *self,
           AppFinding      finding)
{
  self->n_claims++;
  self->n_false += finding.verdict == APP_VERDICT_FALSE;
  self->n_skipped += finding.verdict == APP_VERDICT_SKIPPED;
  g_array_append_val (self->findings, finding);
}

static void
check_claim (AppLessonCheck        *self,
             const AppClaimContext *evaluation,
             const AppBlock        *block)
{
  AppFinding finding = { .block = block, .value = NAN, .place = block->claim->place };
  g_autoptr (GError) problem = NULL;

  if (!app_evaluate_claim (evaluation, block->claim->expression, &finding.value, &problem)) {
    note_problem (&finding, *evaluation->fault, problem);
  } else if (!app_comparison_holds (&block->claim->comparison, finding.value)) {
    finding.verdict = APP_VERDICT_FALSE;
    finding.reason = describe_false (&finding);
  }
  add_claim (self, finding);
}

/* Of what is no claim. */
static void
add_fault (AppLessonCheck *self,
           const AppBlock *block,
           AppPlace        fault,
           const GError   *problem)
{
  AppFinding finding = { .block = block, .value = NAN };

  note_problem (&finding, fault, problem);
  if (finding.verdict == APP_VERDICT_FALSE) {
    self->n_faults++;
    g_array_append_val (self->findings, finding);
  } else {
    finding_clear (&finding);
  }
}

static void
check_answer (AppLessonCheck        *self,
              const AppClaimContext *evaluation,
              const AppBlock        *block)
{
  g_autoptr (GError) problem = NULL;
  double number;

  if (!app_evaluate_answer (evaluation, block->ask, &number, &problem))
    add_fault (self, block, *evaluation->fault, problem);
  else if (!app_support_find (evaluation, block->ask))
    g_ptr_array_add (self->unsupported, block->ask);
}

/* What the trace does not tell of a state: the steps of a way are known once it is made. */
static gboolean
check_steps (const UiDocument  *state,
             const AppRun      *run,
             GError           **error)
{
  g_autoptr (UiScene) scene = NULL;

  /* A trace of another program's has no way, and a window says so. */
  if (!ui_view_get (state->view)->has_steps || run->model == NULL)
    return TRUE;
  scene = ui_figure_scene_new (run->trace, state, error);

  return scene != NULL;
}

/* Its layer, heads, pins and steps have to be there. */
static gboolean
fits (const UiDocument  *state,
      AppRun            *run,
      GError           **error)
{
  return ui_fit_check (state, run->trace, error) && check_steps (state, run, error);
}

/* Of a state with another command. */
static char *
find_reason (const UiDocument *state,
             gpointer          runs)
{
  g_autoptr (GError) problem = NULL;
  AppRun *run = app_runs_get (runs, state, &problem);

  return run == NULL || !fits (state, run, &problem) ? g_strdup (problem->message) : NULL;
}

/* FALSE where there is no picture that a claim could be of, and that is said; *runs: whether there is
 * a pass that an answer could be of, or a model lacks. */
static gboolean
check_state (AppLessonCheck        *self,
             const AppClaimContext *evaluation,
             const AppSection      *section,
             gboolean              *runs)
{
  const UiDocument *state = app_section_get_state (evaluation->lesson, evaluation->section);
  g_autoptr (GError) problem = NULL;
  AppRun *run = app_runs_find (evaluation->runs, evaluation->lesson, evaluation->section,
                               APP_RUN_THIS, &problem);
  const gboolean lacks = g_error_matches (problem, APP_LESSON_ERROR, APP_LESSON_ERROR_LACKING);

  *runs = run != NULL || lacks;
  if (lacks || app_runs_is_cancelled (evaluation->runs)
      || (run != NULL && fits (state, run, &problem)))
    return TRUE;
  if (section->state != NULL)
    add_fault (self, NULL,
               app_lesson_find_fault (evaluation->lesson, evaluation->section, problem->message,
                                      find_reason, evaluation->runs), problem);

  return FALSE;
}

static void
check_section (AppLessonCheck        *self,
               const AppClaimContext *evaluation,
               const AppSection      *section)
{
  gboolean runs;
  const gboolean is_drawn = check_state (self, evaluation, section, &runs);

  for (guint i = 0; i < section->blocks->len && !app_runs_is_cancelled (evaluation->runs); i++) {
    const AppBlock *block = section->blocks->pdata[i];

    if (block->type == APP_BLOCK_CLAIM && is_drawn)
      check_claim (self, evaluation, block);
    else if (block->type == APP_BLOCK_CLAIM)
      add_claim (self, (AppFinding) { block, APP_VERDICT_SKIPPED, NAN, block->claim->place,
                                      g_strdup (NO_STATE) });
    else if (block->type == APP_BLOCK_ASK && runs)
      check_answer (self, evaluation, block);
  }
}

/* Sections from first up to end. */
static AppLessonCheck *
check_sections (AppRuns         *runs,
                const AppLesson *lesson,
                guint            first,
                guint            end,
                AppCheckFunc     progress,
                gpointer         data)
{
  g_autoptr (AppLessonCheck) self = g_new0 (AppLessonCheck, 1);
  AppPlace fault = { 0, 0 };
  AppClaimContext evaluation = { .runs = runs, .lesson = lesson, .fault = &fault };

  self->findings = g_array_new (FALSE, FALSE, sizeof (AppFinding));
  g_array_set_clear_func (self->findings, finding_clear);
  self->unsupported = g_ptr_array_new ();
  app_runs_begin (runs);
  for (evaluation.section = first; evaluation.section < end; evaluation.section++) {
    if (progress != NULL)
      progress (evaluation.section, lesson->sections->len, data);
    check_section (self, &evaluation, lesson->sections->pdata[evaluation.section]);
  }

  return app_runs_is_cancelled (runs) ? NULL : g_steal_pointer (&self);
}

AppLessonCheck *
app_lesson_check (AppRuns         *runs,
                  const AppLesson *lesson,
                  AppCheckFunc     progress,
                  gpointer         data)
{
  return check_sections (runs, lesson, 0, lesson->sections->len, progress, data);
}

AppLessonCheck *
app_lesson_check_section (AppRuns         *runs,
                          const AppLesson *lesson,
                          guint            section)
{
  return check_sections (runs, lesson, section, section + 1, NULL, NULL);
}

void
app_lesson_check_free (AppLessonCheck *self)
{
  g_array_unref (self->findings);
  g_ptr_array_unref (self->unsupported);
  g_free (self);
}
