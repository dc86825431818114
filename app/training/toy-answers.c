/* SPDX-License-Identifier: MIT */
#include "app/training/toy-answers.h"

#include <string.h>

#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"

static int
find_best (const EngMatrix *logits,
           int              row)
{
  const float *values = logits->data + (gsize) row * logits->stride;
  int best = 0;

  for (int i = 1; i < logits->cols; i++)
    best = values[i] > values[best] ? i : best;

  return best;
}

/* (transfer full) A letter a token, of those that were typed: *first is where they begin. */
static char *
dup_letters (const EngTokens  *tokens,
             int              *first,
             GError          **error)
{
  GString *letters = g_string_new (NULL);

  *first = -1;
  for (int i = 0; i < tokens->n; i++) {
    const gsize length = strlen (tokens->texts[i]);

    if (tokens->special[i])
      continue;
    if (length != 2 || tokens->texts[i][0] != ' ') {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "“%s” is a token, expected a letter",
                   tokens->texts[i]);
      g_string_free (letters, TRUE);
      return NULL;
    }
    *first = *first < 0 ? i : *first;
    g_string_append_c (letters, tokens->texts[i][1]);
  }

  return g_string_free (letters, FALSE);
}

gboolean
app_toy_count_answers (AppToy            toy,
                       const EngTokens  *tokens,
                       const EngMatrix  *logits,
                       const int        *positions,
                       AppToyCount      *count,
                       GError          **error)
{
  int first;
  g_autofree char *letters = dup_letters (tokens, &first, error);
  const int n = letters ? (int) strlen (letters) : 0;

  for (int row = 0; row < logits->rows; row++) {
    const int i = positions[row] - first;

    if (i < 0 || !app_toy_has_answer (toy, letters, n, i))
      continue;
    count->n++;
    count->n_right += find_best (logits, row) == tokens->ids[positions[row] + 1];
  }

  return letters != NULL;
}

static gboolean
ask_line (AppToy        toy,
          EngModel     *model,
          EngSession   *session,
          const char   *line,
          gint         *cancel,
          AppToyCount  *count,
          GError      **error)
{
  EngTextOptions options = { .truncate = TRUE };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  EngRunRequest request = { .tasks = 1u << ENG_TASK_LANGUAGE_MODEL, .all_positions = TRUE,
                            .cancel = cancel };
  const int *positions;
  EngMatrix logits;

  if (!eng_inputs_from_texts (model, line, "", &options, &inputs, error))
    return FALSE;
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, error);
  if (!trace)
    return FALSE;
  if (!eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &logits, &positions)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s does not go on with a text",
                 eng_model_get_info (model)->name);
    return FALSE;
  }

  return app_toy_count_answers (toy, inputs.tokens, &logits, positions, count, error);
}

gboolean
app_toy_measure_answers (AppToy       toy,
                         EngModel    *model,
                         gint64       seed,
                         int          n_lines,
                         gint         *cancel,
                         double      *right,
                         GError     **error)
{
  g_autofree char *text = app_toy_make_lines (toy, seed, n_lines);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (EngSession) session = eng_session_new (model);
  AppToyCount count = { 0 };

  for (int i = 0; i < n_lines; i++)
    if (!ask_line (toy, model, session, lines[i], cancel, &count, error))
      return FALSE;
  *right = (double) count.n_right / (double) MAX (count.n, 1);

  return TRUE;
}
