/* SPDX-License-Identifier: MIT */
/* What edits change in what the model predicts, beside the picture: the run with edits beside the
 * run without them (app/run/before.h); or, where two sides differ in their edits alone, This beside
 * Other. */
#include "app/parts/changes/changes.h"

#include "engine/predict/task-changes.h"
#include "ui/inspector/inspector.h"

#define N_CANDIDATES 5
#define NOTHING_IN_COMMON "The runs before and after the edits have no token in common."

struct _AppChangesPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiInspector *inspector;

  EngTrace *compared; /* the run with edits whose changes are shown; NULL = none */
  EngTrace *other;    /* the second side that it is compared with; NULL = the run without edits */
};

G_DEFINE_FINAL_TYPE (AppChangesPart, app_changes_part, APP_TYPE_PART)

static void
forget_compared (AppChangesPart *self)
{
  g_clear_pointer (&self->compared, eng_trace_unref);
  g_clear_pointer (&self->other, eng_trace_unref);
}

/* The second side, where nothing but edits tells it from the first; else NULL. */
static EngTrace *
find_other (AppChangesPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  EngTrace *first = app_study_get_trace (self->study);
  EngTrace *other = app_picture_get_second (self->picture);

  return other != NULL && other != first && document->compare_model == NULL
         && document->compare_trace_file == NULL && app_study_get_model (self->study) != NULL
         && g_strcmp0 (eng_trace_get_text_a (first), eng_trace_get_text_a (other)) == 0
         && g_strcmp0 (eng_trace_get_text_b (first), eng_trace_get_text_b (other)) == 0
         && !g_strv_equal (eng_trace_get_edits (first), eng_trace_get_edits (other)) ? other : NULL;
}

/* A text that the model writes with edits is another one than it would write without them. */
static gboolean
has_written (AppChangesPart *self)
{
  return app_study_get_written (self->study)->is_running
         || app_study_get_written (self->study)->n_tokens > 0;
}

/* The stack whose last states the answers are made from. */
static EngKind
get_last_stack (EngTrace *trace)
{
  return eng_trace_has_kind (trace, ENG_KIND_DECODER) ? ENG_KIND_DECODER
                                                      : eng_trace_get_default_kind (trace);
}

static void
show (AppChangesPart *self,
      EngTrace       *before)
{
  const EngKind kind = get_last_stack (app_study_get_trace (self->study));
  g_autoptr (GArray) tasks = eng_task_changes_list (
    app_study_get_model (self->study), before, app_study_get_trace (self->study), N_CANDIDATES);
  g_autoptr (GArray) tokens =
    eng_token_changes_list (before, app_study_get_trace (self->study), kind);

  ui_inspector_set_changes (
    self->inspector, tasks, tokens,
    (EngTokens *)eng_trace_get_query_tokens (app_study_get_trace (self->study), kind),
    tasks->len + tokens->len == 0 ? NOTHING_IN_COMMON : NULL);
}

static void
compare (AppPart *part)
{
  AppChangesPart *self = APP_CHANGES_PART (part);
  EngTrace *before, *other;

  if (app_study_get_trace (self->study) == NULL || !app_study_is_complete (self->study))
    return;
  other = find_other (self);
  if (self->compared == app_study_get_trace (self->study) && self->other == other)
    return;

  if (!app_study_is_edited (self->study) && other == NULL) {
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

  before = other != NULL ? other : app_study_get_before (self->study);
  if (before == NULL)
    return;
  forget_compared (self);
  self->compared = eng_trace_ref (app_study_get_trace (self->study));
  self->other = other != NULL ? eng_trace_ref (other) : NULL;
  ui_inspector_set_changes_of_sides (self->inspector, other != NULL);
  show (self, before);
}

static void
end_changes (AppPart *part)
{
  AppChangesPart *self = APP_CHANGES_PART (part);

  forget_compared (self);
}

static void
begin (AppPart *part)
{
  AppChangesPart *self = APP_CHANGES_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->inspector = app_desk_get_inspector (self->desk);
}

static void
app_changes_part_class_init (AppChangesPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->work = compare;
  APP_PART_CLASS (klass)->end = end_changes;
}

static void
app_changes_part_init (AppChangesPart *self)
{
}
