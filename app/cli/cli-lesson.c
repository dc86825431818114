/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/lessons/translation.h"
#include "app/teaching/check.h"
#include "app/teaching/hand-out.h"
#include "engine/base/file-writer.h"

#include <math.h>

typedef struct {
  int      n_claims;
  int      n_false;   /* claims, answers and states: what a line says is false */
  int      n_skipped;
  int      n_unread;  /* files that are no lessons */
  GString *lines;     /* for a person */
  cJSON   *lessons;   /* for a program */
} Report;

static const char *
get_text (const AppFinding *finding)
{
  if (!finding->block)
    return "the state";

  return finding->block->claim ? finding->block->claim->text : finding->block->ask->question;
}

static char *
name_place (const char *path,
            AppPlace    place)
{
  return place.line > 0 ? g_strdup_printf ("%s:%d:%d", path, place.line, place.column)
                        : g_strdup (path);
}

static void
add_json (cJSON            *claims,
          const AppFinding *finding)
{
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddNumberToObject (object, "line", finding->place.line);
  cJSON_AddNumberToObject (object, "column", finding->place.column);
  cJSON_AddStringToObject (object, "claim", get_text (finding));
  cJSON_AddItemToObject (object, "value",
                         isfinite (finding->value) ? cJSON_CreateNumber (finding->value)
                                                   : cJSON_CreateNull ());
  cJSON_AddStringToObject (object, "verdict", app_verdict_get_name (finding->verdict));
  if (finding->reason)
    cJSON_AddStringToObject (object, "reason", finding->reason);
  cJSON_AddItemToArray (claims, object);
}

/* As compilers say theirs. */
static void
print_fault (const AppLesson  *lesson,
             const AppFinding *finding)
{
  g_autofree char *place = name_place (lesson->path, finding->place);

  if (finding->verdict == APP_VERDICT_FALSE && finding->reason)
    app_cli_print_fault (place, finding->reason);
}

/* A false one is said on stderr, too; why one is skipped belongs to its line. */
static void
report_finding (const AppLesson  *lesson,
                const AppFinding *finding,
                GString          *lines)
{
  g_autofree char *value = app_finding_format_value (finding);

  g_string_append_printf (lines, "%s:%d\t%s\t%s\t%s", lesson->path, finding->place.line,
                          get_text (finding), value, app_verdict_get_name (finding->verdict));
  if (finding->verdict == APP_VERDICT_SKIPPED)
    g_string_append_printf (lines, "\t%s", finding->reason);
  g_string_append_c (lines, '\n');
  print_fault (lesson, finding);
}

static void
print_faults (const char   *path,
              const GArray *faults)
{
  for (guint i = 0; i < faults->len; i++) {
    const AppFault *fault = &g_array_index (faults, AppFault, i);
    g_autofree char *place = name_place (path, fault->place);

    app_cli_print_fault (place, fault->sentence);
  }
}

static cJSON *
fault_to_json (const AppFault *fault)
{
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddNumberToObject (object, "line", fault->place.line);
  cJSON_AddNumberToObject (object, "column", fault->place.column);
  cJSON_AddStringToObject (object, "message", fault->sentence);

  return object;
}

/* What may be right for all that the check knows: it is said, and not counted. */
static void
add_warnings (const AppLesson      *lesson,
              const AppLessonCheck *check,
              cJSON                *object)
{
  g_autoptr (GArray) faults = app_faults_new ();
  cJSON *warnings = cJSON_AddArrayToObject (object, "warnings");

  for (guint i = 0; i < check->unsupported->len; i++) {
    const AppAsk *ask = check->unsupported->pdata[i];

    app_faults_add (faults, ask->answer_place, "no claim of this section supports this answer");
    cJSON_AddItemToArray (warnings, fault_to_json (&g_array_index (faults, AppFault, i)));
  }
  print_faults (lesson->path, faults);
}

static void
report_lesson (const AppLesson      *lesson,
               const AppLessonCheck *check,
               Report               *report)
{
  cJSON *object = cJSON_CreateObject ();
  cJSON *claims;

  cJSON_AddStringToObject (object, "file", lesson->path);
  cJSON_AddStringToObject (object, "title", lesson->title);
  claims = cJSON_AddArrayToObject (object, "claims");
  for (guint i = 0; i < check->findings->len; i++) {
    const AppFinding *finding = &g_array_index (check->findings, AppFinding, i);

    report_finding (lesson, finding, report->lines);
    add_json (claims, finding);
  }
  add_warnings (lesson, check, object);
  cJSON_AddItemToArray (report->lessons, object);
  report->n_claims += check->n_claims;
  report->n_false += check->n_false + check->n_faults;
  report->n_skipped += check->n_skipped;
}

/* The first one has a place of its own, for programs that look for one. */
static void
report_unread (const char   *path,
               const GArray *faults,
               Report       *report)
{
  cJSON *object = cJSON_CreateObject ();
  cJSON *errors;

  print_faults (path, faults);
  cJSON_AddStringToObject (object, "file", path);
  cJSON_AddItemToObject (object, "error", fault_to_json (&g_array_index (faults, AppFault, 0)));
  errors = cJSON_AddArrayToObject (object, "errors");
  for (guint i = 0; i < faults->len; i++)
    cJSON_AddItemToArray (errors, fault_to_json (&g_array_index (faults, AppFault, i)));
  cJSON_AddItemToArray (report->lessons, object);
  report->n_unread++;
}

/* Which file of how many, and how far it is in it. */
typedef struct {
  const char *path;
  guint       i;
  guint       n_files;
} Progress;

static void
show_progress (guint    section,
               guint    n_sections,
               gpointer data)
{
  const Progress *progress = data;
  g_autofree char *line = g_strdup_printf ("%s: section %u of %u, file %u of %u", progress->path,
                                           section + 1, n_sections, progress->i + 1,
                                           progress->n_files);

  app_cli_show_progress (line);
}

static void
check_file (Progress *progress,
            AppRuns  *runs,
            Report   *report)
{
  const char *path = progress->path;
  AppPlace fault;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) faults = NULL;
  g_autoptr (AppLesson) lesson = app_lesson_read_all (path, &faults);
  g_autoptr (AppLessonCheck) check = NULL;

  if (lesson && !app_lesson_check_translation (lesson, &fault, &error)) {
    faults = app_faults_new ();
    app_faults_add (faults, fault, error->message);
  }
  if (faults) {
    report_unread (path, faults, report);
    return;
  }
  check = app_lesson_check (runs, lesson, show_progress, progress);
  app_cli_show_progress ("");
  report_lesson (lesson, check, report);
}

/* Takes the list of lessons. */
static void
append_report (const Report *report,
               gboolean      json,
               int           n_files,
               GString      *output)
{
  cJSON *object;

  if (!json) {
    g_string_append_printf (output, "%s%d lessons, %d claims, %d false, %d skipped\n",
                            report->lines->str, n_files, report->n_claims, report->n_false,
                            report->n_skipped);
    cJSON_Delete (report->lessons);
    return;
  }
  object = cJSON_CreateObject ();
  cJSON_AddItemToObject (object, "lessons", report->lessons);
  cJSON_AddNumberToObject (object, "claims", report->n_claims);
  cJSON_AddNumberToObject (object, "false", report->n_false);
  cJSON_AddNumberToObject (object, "skipped", report->n_skipped);
  app_cli_json_append (output, object);
}

/* (transfer full) The files that are named, each with its translations, which are checked once. */
static GPtrArray *
list_files (const GPtrArray *named)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < named->len; i++)
    g_ptr_array_add (files, g_strdup (named->pdata[i]));
  for (guint i = 0; i < named->len; i++) {
    g_autoptr (GPtrArray) translations = app_lesson_list_translations (named->pdata[i]);

    for (guint j = 0; j < translations->len; j++)
      if (!g_ptr_array_find_with_equal_func (files, translations->pdata[j], g_str_equal, NULL))
        g_ptr_array_add (files, g_strdup (translations->pdata[j]));
  }

  return files;
}

gboolean
app_cli_lesson_check (const AppCliOptions  *options,
                      GString              *output,
                      GError              **error)
{
  g_autoptr (AppRuns) runs = app_runs_new (NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GPtrArray) files = list_files (options->files);
  Report report = { .lines = lines, .lessons = cJSON_CreateArray () };

  for (guint i = 0; i < files->len; i++) {
    Progress progress = { files->pdata[i], i, files->len };

    check_file (&progress, runs, &report);
  }
  append_report (&report, options->json, (int) files->len, output);
  if (report.n_false == 0 && report.n_unread == 0)
    return TRUE;
  g_set_error (error, APP_REPORTED_ERROR, 0, "%d are false, and %d files are no lessons",
               report.n_false, report.n_unread);

  return FALSE;
}

/* The lesson that is to be printed, with its check; FALSE where something in it is false, which is
 * said. */
static gboolean
read_true_lesson (const char       *path,
                  AppRuns          *runs,
                  AppLesson       **lesson,
                  AppLessonCheck  **check,
                  GError          **error)
{
  g_autoptr (GArray) faults = NULL;

  *lesson = app_lesson_read_all (path, &faults);
  if (!*lesson) {
    print_faults (path, faults);
    g_set_error (error, APP_REPORTED_ERROR, 0, "the file is no lesson");
    return FALSE;
  }
  *check = app_lesson_check (runs, *lesson, NULL, NULL);
  if ((*check)->n_false == 0 && (*check)->n_faults == 0)
    return TRUE;

  for (guint i = 0; i < (*check)->findings->len; i++)
    print_fault (*lesson, &g_array_index ((*check)->findings, AppFinding, i));
  g_set_error (error, APP_REPORTED_ERROR, 0, "the lesson is not true");

  return FALSE;
}

gboolean
app_cli_lesson_hand_out (const AppCliOptions  *options,
                         GString              *output,
                         GError              **error)
{
  g_autoptr (AppRuns) runs = app_runs_new (NULL);
  g_autoptr (AppLesson) lesson = NULL;
  g_autoptr (AppLessonCheck) check = NULL;
  g_autoptr (GBytes) pdf = NULL;
  int n_pages;
  cJSON *object;

  if (!g_str_has_suffix (options->output, ".pdf")) {
    g_set_error (error, APP_USAGE_ERROR, 0, "-o is “%s”, expected a name that ends in .pdf",
                 options->output);
    return FALSE;
  }
  if (!read_true_lesson (options->files->pdata[0], runs, &lesson, &check, error))
    return FALSE;
  pdf = app_hand_out_new (runs, lesson, check, options->paper, &n_pages, error);
  if (!pdf || !eng_file_write (options->output, g_bytes_get_data (pdf, NULL),
                               g_bytes_get_size (pdf), error))
    return FALSE;
  if (!options->json)
    return TRUE;

  object = cJSON_CreateObject ();
  cJSON_AddStringToObject (object, "path", options->output);
  cJSON_AddStringToObject (object, "title", lesson->title);
  cJSON_AddNumberToObject (object, "pages", n_pages);
  app_cli_json_append (output, object);

  return TRUE;
}
