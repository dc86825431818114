/* SPDX-License-Identifier: MIT */
#include "app/cli-json.h"
#include "app/cli.h"
#include "app/pass.h"
#include "engine/trace/trace-file.h"
#include "ui/scene/export.h"

static EngTrace *
run_model (const UiDocument  *document,
           GError           **error)
{
  g_autoptr (EngModel) model = app_pass_open_model (document, error);
  g_auto (EngInputs) inputs = { 0 };

  if (!model || !app_pass_complete (model, document, &inputs, error))
    return NULL;

  return app_pass_run (model, document, &inputs, 0, FALSE, error);
}

gboolean
app_cli_render (const AppCliOptions  *options,
                GString              *output,
                GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (EngTrace) trace = NULL;

  if (options->batch)
    return app_cli_render_batch (options, output, error);

  /* A name that no format can be read from is told before the model runs. */
  if (!ui_figure_check_path (options->output, error))
    return FALSE;

  trace = document->trace_file ? eng_trace_file_open (document->trace_file, error)
                               : run_model (document, error);
  if (!trace || !ui_figure_write (trace, document, options->output, error))
    return FALSE;

  if (options->json)
    app_cli_json_append (output, app_cli_json_from_trace (trace, options->output));

  return TRUE;
}
