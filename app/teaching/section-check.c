/* SPDX-License-Identifier: MIT */
#include "app/teaching/section-check.h"

void
app_section_check_free (AppSectionCheck *self)
{
  g_clear_pointer (&self->check, app_lesson_check_free);
  g_array_unref (self->answers);
  g_free (self);
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

  self->answers = g_array_new (FALSE, TRUE, sizeof (AppAnswer));
  g_array_set_clear_func (self->answers, (GDestroyNotify) app_answer_clear);
  self->check = app_lesson_check_section (runs, lesson, section);
  if (self->check == NULL)
    return NULL;
  for (guint i = 0; i < asked->blocks->len; i++) {
    const AppBlock *block = asked->blocks->pdata[i];
    AppAnswer answer = { 0 };

    if (block->type != APP_BLOCK_ASK)
      continue;
    app_answer_find (&answer, &context, block->ask);
    g_array_append_val (self->answers, answer);
  }

  return app_runs_is_cancelled (runs) ? NULL : g_steal_pointer (&self);
}
