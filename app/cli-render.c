/* SPDX-License-Identifier: MIT */
#include "app/cli-json.h"
#include "app/cli.h"
#include "app/pass.h"
#include "engine/trace-file.h"
#include "ui/scene/export.h"

static EngTrace *
run_model (const UiDocument  *document,
           GError           **error)
{
  g_autoptr (EngModel) model = app_pass_open_model (document, error);
  g_autoptr (EngTokens) tokens = model ? app_pass_encode (model, document, error) : NULL;

  return tokens ? app_pass_run (model, document, tokens, 0, FALSE, error) : NULL;
}

gboolean
app_cli_render (const AppCliOptions  *options,
                GString              *output,
                GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (EngTrace) trace = NULL;
  UiFigureFormat format;

  /* A name that no format can be read from is told before the model runs. */
  if (!ui_figure_format_from_path (options->output, &format, error))
    return FALSE;

  trace = document->trace_file ? eng_trace_file_open (document->trace_file, error)
                               : run_model (document, error);
  if (!trace || !ui_figure_write (trace, document, options->output, error))
    return FALSE;

  if (options->json)
    app_cli_json_append (output, app_cli_json_from_trace (trace, options->output));

  return TRUE;
}
