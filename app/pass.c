/* SPDX-License-Identifier: MIT */
#include "app/pass.h"

#include "app/model-store.h"

EngModel *
app_pass_open_model (const UiDocument  *document,
                     GError           **error)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = app_model_store_find (document->model, &name, error);

  if (!folder)
    return NULL;
  if (document->random_weights_set)
    return eng_model_open_untrained (folder, name, (guint32) document->random_weights, error);

  return eng_model_open (folder, name, error);
}

gboolean
app_pass_encode (const EngModel    *model,
                 const UiDocument  *document,
                 EngInputs         *inputs,
                 GError           **error)
{
  EngTextOptions options = {
    .no_special_tokens = document->no_special_tokens,
    .truncate = document->truncate,
    .pad_to = document->pad_to,
    .prefix = document->prefix,
  };

  return eng_inputs_from_texts (model, document->text_a, document->text_b, &options, inputs,
                                error);
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
              const EngInputs   *inputs,
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
  request.tokens = inputs->tokens;
  request.decoder_tokens = inputs->decoder_tokens;
  request.text_a = document->text_a;
  request.text_b = document->text_b;
  request.edits = (const EngEdit *) edits->data;
  request.n_edits = (int) edits->len;
  request.tasks = tasks;
  request.all_positions = all_positions;

  return eng_session_run (session, &request, error);
}
