/* SPDX-License-Identifier: MIT */
#include "app/teaching/section-check.h"

#include "ui/document/fit.h"

void
app_section_check_free (AppSectionCheck *self)
{
  g_clear_pointer (&self->check, app_lesson_check_free);
  g_array_unref (self->answers);
  g_clear_pointer (&self->trace, eng_trace_unref);
  g_free (self);
}

static void
take_trace (AppSectionCheck       *self,
            const AppClaimContext *context)
{
  AppRun *run = app_runs_find (context->runs, context->lesson, context->section, APP_RUN_THIS, NULL);

  if (run == NULL)
    return;
  self->trace = eng_trace_ref (run->trace);
  self->kind = ui_fit_get_kind (app_section_get_state (context->lesson, context->section),
                                run->trace);
}

AppSectionCheck *
app_section_check_new (AppRuns         *runs,
                       const AppLesson *lesson,
                       guint            section)
{
  g_autoptr (AppSectionCheck) self = g_new0 (AppSectionCheck, 1);
  const AppSection *asked = lesson->sections->pdata[section];
  AppPlace fault = { 0, 0 };
  const AppClaimContext context = { runs, lesson, section, &fault };

  self->answers = g_array_new (FALSE, TRUE, sizeof (AppSolution));
  g_array_set_clear_func (self->answers, (GDestroyNotify) app_solution_clear);
  self->check = app_lesson_check_section (runs, lesson, section);
  if (self->check == NULL)
    return NULL;
  take_trace (self, &context);
  for (guint i = 0; i < asked->blocks->len; i++) {
    const AppBlock *block = asked->blocks->pdata[i];
    AppSolution answer = { 0 };

    if (block->type != APP_BLOCK_ASK)
      continue;
    app_solution_find (&answer, &context, block->ask);
    g_array_append_val (self->answers, answer);
  }

  return app_runs_is_cancelled (runs) ? NULL : g_steal_pointer (&self);
}
