/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "app/study/session-file.h"
#include "engine/trace/trace-file.h"
#include "ui/document/fit.h"
#include "ui/scene/export/export.h"
#include "ui/scene/sinks/text.h"

static EngTrace *
run_model (const UiDocument  *document,
           GError           **error)
{
  g_autoptr (EngModel) model = app_pass_open_model (document, error);
  g_auto (EngInputs) inputs = { 0 };

  if (!model || !app_pass_complete (model, document, &inputs, error))
    return NULL;
  app_cli_note_doubt ("render", model, document);

  return app_pass_run (model, document, &inputs, 0, FALSE, error);
}

/* A trace file or a pass. */
static EngTrace *
find_trace (const UiDocument  *document,
            GError           **error)
{
  if (document->trace_file)
    return eng_trace_file_open (document->trace_file, error);

  return run_model (document, error);
}

/* Where nobody chose a layer, it is the first one that a trace file has. */
static void
choose_layer (UiDocument *document,
              EngTrace   *trace)
{
  const int layer = ui_fit_find_layer (trace, ui_fit_get_kind (document, trace), document->layer);

  document->layer = MAX (layer, 0);
}

static UiScene *
make_scene (EngTrace          *trace,
            const UiDocument  *document,
            GError           **error)
{
  g_autoptr (UiDocument) side = NULL;
  g_autoptr (EngTrace) second = NULL;
  g_autofree char *first_pass = NULL;
  g_autofree char *second_pass = NULL;

  if (!ui_document_has_second_side (document))
    return ui_figure_scene_new (trace, document, error);

  /* One pass serves both where it is the same, as in the window: the picture says so. */
  side = ui_fit_dup_second_side (document, trace);
  first_pass = ui_document_describe_pass (document);
  second_pass = ui_document_describe_pass (side);
  second = g_str_equal (first_pass, second_pass) ? eng_trace_ref (trace)
                                                 : find_trace (side, error);

  return second ? ui_figure_scene_new_for_sides (trace, second, document, error) : NULL;
}

static void
report (const AppCliOptions *options,
        EngTrace            *trace,
        UiScene             *scene,
        GString             *output)
{
  gboolean is_picture = ui_figure_is_picture (options->output);
  g_autofree char *small = is_picture ? ui_figure_describe_small_text (scene, options->document)
                                      : NULL;
  g_autofree char *names = is_picture ? ui_figure_describe_lost_names (scene, options->document)
                                      : NULL;
  cJSON *object;

  if (names)
    app_cli_print_note ("render", options->output, names);
  if (small)
    app_cli_print_note ("render", options->output, small);
  if (!options->json)
    return;

  object = app_cli_json_from_trace (trace, options->output);
  if (is_picture)
    cJSON_AddItemToObject (object, "text_points",
                           app_cli_json_from_points (ui_figure_get_text_points (scene)));
  app_cli_json_append (output, object);
}

gboolean
app_cli_render (const AppCliOptions  *options,
                GString              *output,
                GError              **error)
{
  UiDocument *document = options->document;
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (UiScene) scene = NULL;

  if (options->batch)
    return app_cli_render_batch (options, output, error);

  /* A name that no format can be read from is told before the model runs. */
  if (!ui_figure_check_path (options->output, error))
    return FALSE;

  ui_text_begin ();
  trace = find_trace (document, error);
  if (trace && !options->layer_given)
    choose_layer (document, trace);
  scene = trace ? make_scene (trace, document, error) : NULL;
  if (!scene)
    return FALSE;
  /* The figure carries its document elsewhere. */
  app_session_file_anchor (options->document);
  if (!ui_figure_write_scene (scene, document, options->output, error))
    return FALSE;

  report (options, trace, scene, output);

  return TRUE;
}
