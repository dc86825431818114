/* SPDX-License-Identifier: MIT */
#include "ui/document/assignments.h"

typedef struct {
  const char *field;
  char       *value;
} Assignment;

static void
assignment_clear (gpointer data)
{
  g_free (((Assignment *) data)->value);
}

GArray *
ui_assignments_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (Assignment));

  g_array_set_clear_func (self, assignment_clear);
  return self;
}

void
ui_assignments_add (GArray     *self,
                    const char *field,
                    const char *value)
{
  Assignment assignment = { field, g_strdup (value) };

  g_array_append_val (self, assignment);
}

void
ui_assignments_apply (const GArray *self,
                      UiDocument   *document)
{
  for (guint i = 0; i < self->len; i++) {
    const Assignment *assignment = &g_array_index (self, Assignment, i);

    ui_document_set (document, ui_fields_find (assignment->field), assignment->value, NULL);
  }
}
