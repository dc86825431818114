/* SPDX-License-Identifier: MIT */
/* What edits change in what the model predicts, beside the picture: the run with edits beside the
 * run without them (app/before.h). */
#include "app/window-private.h"

#include "engine/predict/task-changes.h"

#define N_CANDIDATES 5
#define NOTHING_IN_COMMON "The runs before and after the edits have no token in common."

static void
forget_compared (AppWindow *self)
{
  g_clear_pointer (&self->compared, eng_trace_unref);
}

/* A text that the model writes with edits is another one than it would write without them. */
static gboolean
has_written (AppWindow *self)
{
  return self->written.is_running || self->written.n_tokens > 0;
}

/* The stack whose last states the answers are made from. */
static EngKind
get_last_stack (EngTrace *trace)
{
  return eng_trace_has_kind (trace, ENG_KIND_DECODER) ? ENG_KIND_DECODER
                                                      : eng_trace_get_default_kind (trace);
}

/* What is compared stands in the list of changes alone. */
static void
show (AppWindow *self,
      EngTrace  *before)
{
  const EngKind kind = get_last_stack (self->trace);
  g_autoptr (GArray) tasks =
    eng_task_changes_list (self->model, before, self->trace, N_CANDIDATES);
  g_autoptr (GArray) tokens = eng_token_changes_list (before, self->trace, kind);

  ui_inspector_set_changes (self->inspector, tasks, tokens,
                            (EngTokens *) eng_trace_get_query_tokens (self->trace, kind),
                            tasks->len + tokens->len == 0 ? NOTHING_IN_COMMON : NULL);
  for (guint i = 0; i < tasks->len; i++)
    ui_inspector_set_predictions (self->inspector,
                                  g_array_index (tasks, EngTaskChange, i).task, NULL);
}

void
app_window_sync_changes (AppWindow *self)
{
  EngTrace *before;

  if (self->trace == NULL || !self->complete || self->compared == self->trace)
    return;

  if (self->model == NULL || !app_before_is_edited (self->answered)) {
    if (self->model != NULL && !has_written (self))
      app_before_keep (self->before, self->model, self->answered, self->trace);
    forget_compared (self);
    ui_inspector_set_changes (self->inspector, NULL, NULL, NULL, NULL);
    return;
  }
  if (has_written (self)) {
    forget_compared (self);
    ui_inspector_set_changes (self->inspector, NULL, NULL, NULL,
                              "What the model wrote with edits is not compared with what it would "
                              "write without them.");
    return;
  }

  before = app_before_find (self->before, self->model, self->answered);
  if (before == NULL)
    return;
  forget_compared (self);
  self->compared = eng_trace_ref (self->trace);
  show (self, before);
}

static void
before_cb (gpointer data)
{
  app_window_sync_edits (data);
  app_window_sync_changes (data);
}

void
app_window_init_changes (AppWindow *self)
{
  self->before = app_before_new (before_cb, self);
}

void
app_window_forget_changes (AppWindow *self)
{
  forget_compared (self);
  g_clear_pointer (&self->before, app_before_free);
}
