/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/export-words.h"

#include "ui/document/fit.h"
#include "ui/scene/export/export.h"
#include "ui/scene/export/numbers.h"
#include "ui/scene/steps/steps-facts.h"

#define SAME_CM 0.05 /* less is not told */

/* With a point in every locale. */
static char *
write_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.1f", value));
}

/* "; text is 4.2 points …" where that is less than was asked for. */
static char *
describe_text (UiScene *scene)
{
  g_autofree char *points = NULL;

  if (!ui_figure_has_small_text (scene))
    return g_strdup ("");
  points = write_number (ui_figure_get_text_points (scene));
  return g_strdup_printf ("; text is %s points to fit the width", points);
}

/* "16.0 × 9.8 cm", and what it lacks while a lesson asks. */
static char *
describe_picture (UiScene *scene)
{
  const char *lack = ui_scene_holds_back (scene) ? "; its numbers come with the answer" : "";
  g_autofree char *text = describe_text (scene);
  const double width_cm = ui_figure_get_width_cm (scene);
  g_autofree char *wide = write_number (width_cm);
  g_autofree char *high = NULL;
  double width, height;

  ui_scene_get_size (scene, &width, &height);
  high = write_number (width_cm * height / width);
  return g_strdup_printf ("%s × %s cm%s%s", wide, high, text, lack);
}

static char *
describe_trace (EngTrace *trace,
                gboolean  has_second)
{
  const EngTokens *tokens =
    eng_trace_get_query_tokens (trace, eng_trace_get_default_kind (trace));

  return g_strdup_printf ("The whole pass%s, %d tokens: all layers and heads with their queries,"
                          " keys and values, as safetensors",
                          has_second ? " of This" : "", tokens->n);
}

/* A web page has all steps one by one, each as wide as was asked for. */
static gboolean
plays_steps (const UiScene  *scene,
             UiExportFormat  format)
{
  return format == UI_EXPORT_HTML && ui_steps_is_whole (scene);
}

char *
ui_export_describe (UiScene         *scene,
                    EngTrace        *trace,
                    gboolean         has_second,
                    UiExportFormat   format,
                    GError         **error)
{
  if (format >= UI_EXPORT_HTML && !ui_scene_may_tell (scene, error))
    return NULL;
  if (format == UI_EXPORT_TRACE)
    return describe_trace (trace, has_second);
  if (format >= UI_EXPORT_CSV)
    return ui_numbers_describe (scene, format - UI_EXPORT_CSV, error);
  if (plays_steps (scene, format))
    return g_strdup_printf ("A page that plays %d steps", ui_steps_get_n (scene));
  return describe_picture (scene);
}

char *
ui_export_describe_width (UiScene        *scene,
                          UiExportFormat  format)
{
  const double width_cm = ui_figure_get_width_cm (scene);
  g_autofree char *wide = write_number (width_cm);

  if (plays_steps (scene, format)
      || width_cm < ui_scene_get_document (scene)->width_cm + SAME_CM)
    return g_strdup ("Centimetres on paper");
  return g_strdup_printf ("Centimetres at least: all steps take %s", wide);
}

char *
ui_export_suggest_name (EngTrace         *trace,
                        const UiDocument *document,
                        UiExportFormat    format)
{
  const UiView *view = ui_view_get (document->view);
  const char *model = eng_trace_get_model_name (trace);
  const EngKind kind = ui_fit_get_kind (document, trace);
  const int head = ui_head_set_first (&document->heads, eng_trace_get_n_heads (trace, kind));
  GString *name = g_string_new (model != NULL ? model : "attention");

  g_strdelimit (name->str, "/", '-');
  if (format != UI_EXPORT_TRACE) {
    if (!view->has_all_heads)
      g_string_append_printf (name, " layer %d", document->layer);
    if (view->has_one_head)
      g_string_append_printf (name, " head %d", head);
    if (view->has_steps && document->step != UI_STEP_ALL)
      g_string_append_printf (name, " step %d", document->step);
    else
      g_string_append_printf (name, " %s%s", view->has_steps ? "all " : "", view->noun);
  }
  g_string_append_printf (name, ".%s", ui_export_format_get_ending (format));
  return g_string_free (name, FALSE);
}
