/* SPDX-License-Identifier: MIT */
#include "app/study/step-words.h"

#include "app/study/edit-list.h"
#include "ui/document/document-text.h"
#include "ui/scene/base/edit-words.h"

typedef struct {
  char          **before;
  char          **after;
  guint           n_before;
  guint           n_after;
  const EngTrace *trace;
  const EngTrace *typed;
} EditStep;

typedef void (*EditAct) (GPtrArray *edits,
                         guint      index,
                         EngKind    first);

/* Of the second side those that it runs with. */
static char **
get_edits (const UiDocument *document,
           gboolean          is_second)
{
  static char *none[] = { NULL };

  if (!is_second || !document->compare_edits_set)
    return document->edits;
  return document->compare_edits != NULL ? document->compare_edits : none;
}

/* Whether the act on the edit at an index is the step. */
static gboolean
is_act (const EditStep *self,
        EditAct         act,
        guint           index)
{
  const EngKind first = self->trace != NULL ? eng_trace_get_default_kind (self->trace)
                                            : ENG_KIND_ENCODER;
  GPtrArray *edits = g_ptr_array_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; i < self->n_before; i++)
    g_ptr_array_add (edits, g_strdup (self->before[i]));
  act (edits, index, first);
  g_ptr_array_add (edits, NULL);
  list = (char **) g_ptr_array_free (edits, FALSE);
  return g_strv_equal ((const char *const *) list, (const char *const *) self->after);
}

/* The edit that the act was done to; -1 = it was another act. */
static int
find_edit (const EditStep *self,
           EditAct         act)
{
  for (guint i = 0; i < self->n_before; i++)
    if (is_act (self, act, i))
      return (int) i;
  return -1;
}

static char *
describe_one (const EditStep *self,
              char          **edits,
              guint           index,
              const char     *end)
{
  const EngTrace *typed = self->typed;
  g_autofree char *words = NULL;

  for (guint i = 0; i < index; i++)
    if (ui_edit_moves_tokens (edits[i]))
      typed = NULL;
  words = ui_edit_describe_text (edits[index], self->trace, typed);
  return g_strconcat (words, end, NULL);
}

static char *
describe_added (const EditStep *self)
{
  const guint n_more = self->n_after - self->n_before - 1;
  g_autofree char *more = n_more > 0 ? g_strdup_printf (" and %u more", n_more) : g_strdup ("");

  return describe_one (self, self->after, self->n_before, more);
}

static char *
describe_edits (const EditStep *self)
{
  gboolean was_off;
  int edit;

  if (self->n_after > self->n_before)
    return describe_added (self);
  if ((edit = find_edit (self, app_edit_list_remove)) >= 0)
    return describe_one (self, self->before, (guint) edit, " taken out");
  if (self->n_after == 0)
    return g_strdup ("No edits");
  if ((edit = find_edit (self, app_edit_list_switch)) < 0)
    return g_strdup ("Other edits");
  eng_edit_skip_off (self->before[edit], &was_off);
  return describe_one (self, self->before, (guint) edit, was_off ? " turned on" : " turned off");
}

char *
app_step_describe (const UiDocument *before,
                   const UiDocument *after,
                   const EngTrace   *trace,
                   const EngTrace   *typed)
{
  const char *change = ui_document_find_change (before, after);
  const gboolean is_second = g_strcmp0 (change, "compare-edit") == 0;
  EditStep step = { .trace = trace, .typed = typed };
  g_autofree char *words = NULL;

  if (!is_second && g_strcmp0 (change, "edit") != 0)
    return ui_document_describe_change (before, after);

  step.before = get_edits (before, is_second);
  step.after = get_edits (after, is_second);
  step.n_before = g_strv_length (step.before);
  step.n_after = g_strv_length (step.after);
  words = describe_edits (&step);
  return g_strconcat (words, is_second ? " in Other" : NULL, NULL);
}
