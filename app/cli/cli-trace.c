/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "engine/trace/trace-file.h"

gboolean
app_cli_trace (const AppCliOptions  *options,
               GString              *output,
               GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (EngModel) model = app_pass_open_model (document, error);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  guint tasks;

  if (!model || !app_pass_complete (model, document, &inputs, error))
    return FALSE;
  app_cli_note_doubt ("trace", model, document);

  tasks = options->logits ? eng_model_get_info (model)->tasks : 0;
  trace = app_pass_run (model, document, &inputs, tasks, TRUE, error);
  if (!trace || !eng_trace_file_write (trace, options->output, error))
    return FALSE;

  if (options->json)
    app_cli_json_append (output, app_cli_json_from_trace (trace, options->output));

  return TRUE;
}
