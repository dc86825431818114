/* SPDX-License-Identifier: MIT */
/* Figures of many texts: the model is opened once, lines are drawn side by side. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "app/study/session-file.h"
#include "engine/base/error.h"
#include "engine/examples/lines.h"
#include "engine/kernels/cpus.h"
#include "ui/scene/export/export.h"

#define MOST_THREADS 8
#define FEWEST_DIGITS 3

typedef struct {
  const char *text;  /* of the file; not yet valid UTF-8 */
  char       *path;  /* of its figure */
  GError     *error; /* why there is none */
  double      points; /* of the text in it */
  char       *small;  /* a sentence where that is less than was asked for; else NULL */
  char       *lost;   /* a sentence where names have no room; else NULL */
} Line;

typedef struct {
  const AppCliOptions *options;
  EngModel            *model;
  GArray              *lines; /* of Line */
  gint                 n_done; /* atomic */
} Batch;

static void
line_clear (gpointer data)
{
  Line *line = data;

  g_free (line->path);
  g_free (line->small);
  g_free (line->lost);
  g_clear_error (&line->error);
}

/* A, or A, tab, B. */
static UiDocument *
read_line (const UiDocument  *base,
           const char        *text,
           GError           **error)
{
  g_auto (GStrv) columns = g_strsplit (text, "\t", -1);
  guint n = g_strv_length (columns);
  UiDocument *document;

  if (!g_utf8_validate (text, -1, NULL)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "the line is no UTF-8");
    return NULL;
  }
  if (n == 0 || n > 2) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "found %u columns, expected A, or A and B with a tab between them", n);
    return NULL;
  }

  document = ui_document_copy (base);
  ui_replace_text (&document->text_a, columns[0]);
  ui_replace_text (&document->text_b, n > 1 ? columns[1] : "");

  return document;
}

static gboolean
draw_line (EngModel          *model,
           const UiDocument  *base,
           Line              *line,
           GError           **error)
{
  g_autoptr (UiDocument) document = read_line (base, line->text, error);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (UiScene) scene = NULL;

  if (!document || !app_pass_complete (model, document, &inputs, error))
    return FALSE;
  trace = app_pass_run (model, document, &inputs, 0, FALSE, error);
  scene = trace ? ui_figure_scene_new (trace, document, error) : NULL;
  if (!scene || !ui_figure_write_scene (scene, document, line->path, error))
    return FALSE;
  line->points = ui_figure_get_text_points (scene);
  line->small = ui_figure_describe_small_text (scene, document);
  line->lost = ui_figure_describe_lost_names (scene, document);

  return TRUE;
}

static void
show_progress (Batch *batch,
               int    n_done)
{
  g_autofree char *line = g_strdup_printf ("%d of %u", n_done, batch->lines->len);

  app_cli_show_progress (line);
}

/* data: the number of the line, from 1. */
static void
draw_in_thread (gpointer data,
                gpointer user_data)
{
  Batch *batch = user_data;
  Line *line = &g_array_index (batch->lines, Line, GPOINTER_TO_UINT (data) - 1);

  draw_line (batch->model, batch->options->document, line, &line->error);
  show_progress (batch, g_atomic_int_add (&batch->n_done, 1) + 1);
}

/* Cuts text, which is changed, into lines; a line feed at its end begins no further one. */
static GArray *
cut_lines (char *text)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (Line));

  g_array_set_clear_func (lines, line_clear);
  for (char *start = text, *next; start && *start; start = next) {
    Line line = { .text = start };
    gsize length = strcspn (start, "\n");

    next = start[length] ? start + length + 1 : NULL;
    start[length] = '\0';
    if (length > 0 && start[length - 1] == '\r')
      start[length - 1] = '\0';
    g_array_append_val (lines, line);
  }

  return lines;
}

/* 001.svg, or as many digits as the last line has. */
static void
name_figures (GArray         *lines,
              const char     *folder,
              UiFigureFormat  format)
{
  int n_digits = FEWEST_DIGITS;

  for (guint most = 1000; lines->len >= most; most *= 10)
    n_digits++;
  for (guint i = 0; i < lines->len; i++) {
    g_autofree char *name =
      g_strdup_printf ("%0*u.%s", n_digits, i + 1, ui_figure_format_get_name (format));

    g_array_index (lines, Line, i).path = g_build_filename (folder, name, NULL);
  }
}

static gboolean
make_folder (const char  *folder,
             GError     **error)
{
  if (g_mkdir_with_parents (folder, 0777) == 0)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: cannot make the folder: %s", folder,
               g_strerror (errno));

  return FALSE;
}

static gboolean
read_lines (const char  *path,
            char       **text,
            GArray     **lines,
            GError     **error)
{
  g_autoptr (GError) problem = NULL;
  gsize length;

  if (!g_file_get_contents (path, text, &length, &problem)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s", problem->message);
    return FALSE;
  }
  if (strlen (*text) < length) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "%s: byte %zu is 0, expected a text file", path,
                 strlen (*text));
    return FALSE;
  }
  *lines = cut_lines (*text + eng_lines_count_mark (*text));
  if ((*lines)->len > 0)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "%s: there is no line, expected one text a line",
               path);

  return FALSE;
}

static void
draw_lines (Batch *batch)
{
  int n_threads = MIN (eng_cpus_count (), MOST_THREADS);
  GThreadPool *pool = g_thread_pool_new (draw_in_thread, batch, n_threads, FALSE, NULL);

  for (guint i = 1; i <= batch->lines->len; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  app_cli_show_progress ("");
}

/* FALSE when a line was refused; each is said, and where text is small or names are lost. */
static gboolean
report_lines (const Batch  *batch,
              GError      **error)
{
  int n_refused = 0;

  for (guint i = 0; i < batch->lines->len; i++) {
    const Line *line = &g_array_index (batch->lines, Line, i);
    g_autofree char *place = NULL;

    place = g_strdup_printf ("%s:%u", batch->options->batch, i + 1);
    if (line->lost)
      app_cli_print_note ("render", place, line->lost);
    if (line->small)
      app_cli_print_note ("render", place, line->small);
    if (!line->error)
      continue;
    app_cli_print_error ("render", place, line->error);
    n_refused++;
  }
  if (n_refused > 0)
    g_set_error (error, APP_REPORTED_ERROR, 0, "%d lines were not drawn", n_refused);

  return n_refused == 0;
}

static void
append_json (const Batch *batch,
             GString     *output)
{
  cJSON *object = cJSON_CreateObject ();
  cJSON *files, *points;

  cJSON_AddStringToObject (object, "model", eng_model_get_info (batch->model)->name);
  files = cJSON_AddArrayToObject (object, "files");
  points = cJSON_AddArrayToObject (object, "text_points");
  for (guint i = 0; i < batch->lines->len; i++) {
    const Line *line = &g_array_index (batch->lines, Line, i);

    cJSON_AddItemToArray (files, cJSON_CreateString (line->path));
    cJSON_AddItemToArray (points, app_cli_json_from_points (line->points));
  }
  app_cli_json_append (output, object);
}

gboolean
app_cli_render_batch (const AppCliOptions  *options,
                      GString              *output,
                      GError              **error)
{
  g_autoptr (GArray) lines = NULL;
  g_autofree char *text = NULL;
  g_autoptr (EngModel) model = NULL;
  Batch batch = { .options = options };

  if (!read_lines (options->batch, &text, &lines, error) || !make_folder (options->output, error))
    return FALSE;
  model = app_pass_open_model (options->document, error);
  if (!model)
    return FALSE;

  /* Figures carry it elsewhere. */
  app_session_file_anchor (options->document);
  name_figures (lines, options->output, options->format);
  batch.model = model;
  batch.lines = lines;
  draw_lines (&batch);
  if (!report_lines (&batch, error))
    return FALSE;
  if (options->json)
    append_json (&batch, output);

  return TRUE;
}
