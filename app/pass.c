/* SPDX-License-Identifier: MIT */
#include "app/pass.h"

#include "app/model-store.h"

EngModel *
app_pass_open_model (const UiDocument  *document,
                     GError           **error)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = app_model_store_find (document->model, &name, error);

  return folder ? eng_model_open (folder, name, error) : NULL;
}

EngTokens *
app_pass_encode (const EngModel    *model,
                 const UiDocument  *document,
                 GError           **error)
{
  return eng_model_encode (model, document->text_a, document->text_b,
                           document->no_special_tokens, document->truncate, error);
}

GArray *
app_pass_parse_edits (const UiDocument  *document,
                      GError           **error)
{
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));

  for (int i = 0; document->edits[i]; i++) {
    EngEdit edit;

    if (!eng_edit_parse (document->edits[i], &edit, error))
      return NULL;
    g_array_append_val (edits, edit);
  }

  return g_steal_pointer (&edits);
}

EngTrace *
app_pass_run (EngModel          *model,
              const UiDocument  *document,
              EngTokens         *tokens,
              guint              tasks,
              gboolean           all_positions,
              GError           **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_autoptr (EngSession) session = NULL;
  EngRunRequest request = { 0 };

  if (!edits)
    return NULL;

  session = eng_session_new (model);
  request.tokens = tokens;
  request.text_a = document->text_a;
  request.text_b = document->text_b;
  request.edits = (const EngEdit *) edits->data;
  request.n_edits = (int) edits->len;
  request.tasks = tasks;
  request.all_positions = all_positions;

  return eng_session_run (session, &request, error);
}
