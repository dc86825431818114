/* SPDX-License-Identifier: MIT */
/* Options that are no field of a document or of a recipe. */
#include "app/study/cli-options-private.h"

#include <string.h>

#define MAX_BENCH_LENGTHS 64
#define MAX_THREADS 256

static gboolean
apply_json (AppCliOptions  *self,
            const char     *value,
            GError        **error)
{
  self->json = TRUE;

  return TRUE;
}

static gboolean
apply_help (AppCliOptions  *self,
            const char     *value,
            GError        **error)
{
  self->help = TRUE;

  return TRUE;
}

static gboolean
apply_logits (AppCliOptions  *self,
              const char     *value,
              GError        **error)
{
  self->logits = TRUE;

  return TRUE;
}

static gboolean
apply_output (AppCliOptions  *self,
              const char     *value,
              GError        **error)
{
  ui_replace_text (&self->output, value);

  return TRUE;
}

static gboolean
apply_open (AppCliOptions  *self,
            const char     *value,
            GError        **error)
{
  ui_replace_text (&self->open, value);

  return TRUE;
}

static gboolean
apply_batch (AppCliOptions  *self,
             const char     *value,
             GError        **error)
{
  ui_replace_text (&self->batch, value);

  return TRUE;
}

static gboolean
apply_format (AppCliOptions  *self,
              const char     *value,
              GError        **error)
{
  return ui_figure_format_from_name (value, &self->format, error);
}

static gboolean
apply_paper (AppCliOptions  *self,
             const char     *value,
             GError        **error)
{
  return ui_paper_from_name (value, &self->paper, error);
}

static gboolean
apply_task (AppCliOptions  *self,
            const char     *value,
            GError        **error)
{
  g_autoptr (GString) names = NULL;

  if (eng_writing_from_name (value, &self->writing)) {
    self->task = ENG_TASK_LANGUAGE_MODEL;
    self->task_given = TRUE;
    return TRUE;
  }
  if (eng_task_from_name (value, &self->task) && self->task != ENG_TASK_LANGUAGE_MODEL) {
    self->task_given = TRUE;
    return TRUE;
  }

  names = g_string_new (NULL);
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (task != ENG_TASK_LANGUAGE_MODEL)
      g_string_append_printf (names, "%s, ", eng_task_get_name (task));
  for (int writing = 0; writing < ENG_N_WRITINGS; writing++)
    g_string_append_printf (names, "%s%s", writing ? ", " : "", eng_writing_get_name (writing));
  g_set_error (error, APP_USAGE_ERROR, 0, "--task is “%s”; it can be %s", value, names->str);

  return FALSE;
}

static gboolean
apply_tokens (AppCliOptions  *self,
              const char     *value,
              GError        **error)
{
  g_auto (GStrv) parts = g_strsplit (value, ",", -1);

  g_array_set_size (self->lengths, 0);
  for (int i = 0; parts[i]; i++) {
    guint64 length;

    if (i == MAX_BENCH_LENGTHS
        || !g_ascii_string_to_unsigned (parts[i], 10, 1, 65536, &length, NULL)) {
      g_set_error (error, APP_USAGE_ERROR, 0,
                   "--tokens is “%s”; it takes numbers of tokens with commas, such as 16,128",
                   value);
      return FALSE;
    }
    g_array_append_val (self->lengths, (int) { (int) length });
  }

  return TRUE;
}

static gboolean
apply_resume (AppCliOptions  *self,
              const char     *value,
              GError        **error)
{
  self->resume = TRUE;

  return TRUE;
}

static gboolean
apply_threads (AppCliOptions  *self,
               const char     *value,
               GError        **error)
{
  guint64 n;

  /* The pool reads it when it starts, which it has not yet. */
  if (g_ascii_string_to_unsigned (value, 10, 1, MAX_THREADS, &n, NULL))
    return g_setenv ("HEADLIGHT_THREADS", value, TRUE);
  g_set_error (error, APP_USAGE_ERROR, 0, "--threads is “%s”; it takes a number from 1 to %d",
               value, MAX_THREADS);

  return FALSE;
}

static const AppCliOption own_options[] = {
  { "open", APP_CLI_OPEN, "FILE",
    "Open a session, a figure, a trace file, a lesson or a model folder", apply_open },
  { "output", APP_CLI_OUTPUT, "OUT", "The file to write (-o)", apply_output },
  { "output", APP_CLI_TRAINING, "FOLDER",
    "The folder to write, a model from the first step on (-o)", apply_output },
  { "resume", APP_CLI_TRAINING, NULL,
    "Go on with the training in the folder -o by its recipe; --steps and --minutes move its end",
    apply_resume },
  { "threads", APP_CLI_TRAINING | APP_CLI_EVALUATION, "N",
    "Threads to work with; the numbers are the same with any", apply_threads },
  { "batch", APP_CLI_BATCH, "FILE.tsv",
    "Draw each line of a file (A, or A, tab, B) into the folder -o: 001.svg, 002.svg …",
    apply_batch },
  { "format", APP_CLI_BATCH, "FORMAT", "Format of the figures of --batch [svg]", apply_format },
  { "logits", APP_CLI_LOGITS, NULL, "Write the logits of every task head as well, at all positions",
    apply_logits },
  { "task", APP_CLI_TASK, "TASK",
    "fill-mask, next-sentence, sentence-order, text-classification, entities, "
    "replaced-tokens, question-answering, summarise, translate or generate; when unset, the first "
    "that the model has", apply_task },
  { "tokens", APP_CLI_TOKENS, "N,…", "Lengths to time (16,32,128,512 as far as the model reaches)",
    apply_tokens },
  { "paper", APP_CLI_PAPER, "PAPER", "Size of the pages: a4 or letter [a4]", apply_paper },
  { "json", APP_CLI_JSON, NULL, "Print one JSON object and nothing else", apply_json },
  { "json", APP_CLI_TRAINING, NULL, "Print JSON alone, an object a line, as the training goes on",
    apply_json },
  { "help", ~0u, NULL, "Show this help (-h)", apply_help },
};

const AppCliOption *
app_cli_own_option_find (const char    *name,
                         AppCliAccepts  accepts)
{
  for (gsize i = 0; i < G_N_ELEMENTS (own_options); i++)
    if ((own_options[i].accepts & accepts) && strcmp (own_options[i].name, name) == 0)
      return &own_options[i];

  return NULL;
}

const AppCliOption *
app_cli_own_option_get (gsize i)
{
  return i < G_N_ELEMENTS (own_options) ? &own_options[i] : NULL;
}
