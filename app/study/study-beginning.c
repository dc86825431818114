/* SPDX-License-Identifier: MIT */
/* What a study begins with where nobody chose a head. */
#include "app/study/study-private.h"

#include <string.h>

/* Passes are mostly quicker: then the first picture is of the head that stays. */
#define PATIENCE_US 400000

void
app_study_await_head (AppStudy *self,
                      gboolean  is_example)
{
  memset (&self->beginning, 0, sizeof self->beginning);
  self->beginning.is_wanted = TRUE;
  self->beginning.is_example = is_example;
}

static gboolean
has_other_head (const UiDocument *a,
                const UiDocument *b)
{
  return a->layer != b->layer || a->heads.all != b->heads.all
         || memcmp (a->heads.bits, b->heads.bits, sizeof a->heads.bits) != 0
         || a->kind_set != b->kind_set || a->kind != b->kind;
}

void
app_study_follow_choice (AppStudy         *self,
                         const UiDocument *before)
{
  if (has_other_head (before, self->document))
    self->beginning.is_wanted = FALSE;
  if (app_study_has_other_texts (before, self->document))
    self->beginning.is_example = FALSE;
}

gboolean
app_study_awaits_layers (AppStudy        *self,
                         const AppAnswer *answer)
{
  const gint64 now = g_get_monotonic_time ();

  if (!self->beginning.is_wanted || !answer->has_head || answer->complete)
    return FALSE;
  if (self->beginning.since == 0)
    self->beginning.since = now;
  return now - self->beginning.since < PATIENCE_US;
}

/* Where one head is no picture: a mean, a rollout, heads that were collected. */
static gboolean
has_room (const UiDocument *document)
{
  return document->aggregate == UI_AGGREGATE_EACH && document->layers == UI_AGGREGATE_EACH
         && document->compare == UI_COMPARE_OFF;
}

/* The text that a model does not take was none of the person's. */
static void
begin_with (AppStudy        *self,
            const AppAnswer *answer)
{
  UiDocument *document = ui_document_copy (self->document);

  if (self->beginning.is_example)
    ui_replace_text (&document->text_b, answer->document->text_b);
  if (has_room (document))
    ui_document_show_head (document, answer->head.layer, answer->head.head);
  app_study_correct (self, document);
  app_study_keep_document (self, document);
}

void
app_study_take_head (AppStudy        *self,
                     const AppAnswer *answer)
{
  const gboolean is_last = answer->complete && !answer->written.is_running;

  if (!self->beginning.is_wanted || !answer->has_head
      || app_study_has_other_source (answer->document, self->document))
    return;
  if (is_last || !self->beginning.is_chosen)
    begin_with (self, answer);
  self->beginning.is_chosen = TRUE;
  if (is_last)
    self->beginning.is_wanted = FALSE;
}
