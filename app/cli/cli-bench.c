/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "engine/bench/limits.h"
#include "engine/bench/work.h"

#define MIN_RUNS 5
#define MAX_RUNS 200
#define ENOUGH_SECONDS 1.0

typedef struct {
  int    n_tokens;
  double minimum; /* ms */
  double median;  /* ms */
  double gflops;
  double gigabytes_per_second;
  double limit;   /* ms */
} Run;

/* Any ids do, for the time of a pass does not hang on them: id 0 is in every vocabulary. */
static EngTokens *
make_tokens (int n_tokens)
{
  EngTokens *tokens = eng_tokens_new (n_tokens);

  for (int i = 0; i < n_tokens; i++) {
    tokens->texts[i] = g_strdup_printf ("%d", tokens->ids[i]);
    tokens->pieces[i] = g_strdup (tokens->texts[i]);
  }

  return tokens;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double difference = *(const double *) a - *(const double *) b;

  return (difference > 0) - (difference < 0);
}

static gboolean
time_length (EngSession       *session,
             const EngModel   *model,
             const EngLimits  *limits,
             int               n_tokens,
             Run              *run,
             GError          **error)
{
  g_autoptr (EngTokens) tokens = make_tokens (n_tokens);
  EngRunRequest request = {
    .tokens = tokens,
    .decoder_tokens = eng_model_has_two_stacks (model) ? tokens : NULL,
    .keep_attention = TRUE,
  };
  EngWork work;
  double times[MAX_RUNS];
  gint64 start = g_get_monotonic_time ();
  int n = 0;

  while (n < MAX_RUNS
         && (n < MIN_RUNS
             || (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC < ENOUGH_SECONDS)) {
    gint64 begin = g_get_monotonic_time ();
    g_autoptr (EngTrace) trace = eng_session_run (session, &request, error);

    if (!trace)
      return FALSE;
    times[n++] = (double) (g_get_monotonic_time () - begin) / 1000.0;
  }

  qsort (times, (gsize) n, sizeof (double), compare_doubles);
  run->n_tokens = n_tokens;
  run->minimum = times[0];
  run->median = times[n / 2];
  eng_work_count (model, n_tokens, &work);
  run->gflops = work.operations / (run->minimum * 1e6);
  run->gigabytes_per_second = work.bytes / (run->minimum * 1e6);
  run->limit = MAX (work.operations / (limits->gflops * 1e6),
                    work.bytes / (limits->gigabytes_per_second * 1e6));

  return TRUE;
}

static void
append_runs (GString            *output,
             const GArray       *runs,
             const EngModelInfo *info,
             const EngLimits    *limits)
{
  g_string_append_printf (output, "%s, %d threads; this machine: %.0f GFLOP/s, %.0f GB/s\n"
                                  "tokens\tms (min)\tms (median)\tGFLOP/s\tGB/s\tlimit ms\n",
                          info->name, limits->n_threads, limits->gflops,
                          limits->gigabytes_per_second);
  for (guint i = 0; i < runs->len; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    const double columns[] = { run->minimum, run->median, run->gflops, run->gigabytes_per_second,
                               run->limit };

    g_string_append_printf (output, "%d", run->n_tokens);
    for (gsize column = 0; column < G_N_ELEMENTS (columns); column++) {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (output, "\t%s",
                              g_ascii_formatd (number, sizeof number, "%.2f", columns[column]));
    }
    g_string_append_c (output, '\n');
  }
}

static cJSON *
runs_to_json (const GArray       *runs,
              const EngModelInfo *info,
              const EngLimits    *limits)
{
  cJSON *object = cJSON_CreateObject ();
  cJSON *array;

  cJSON_AddStringToObject (object, "model", info->name);
  cJSON_AddNumberToObject (object, "threads", limits->n_threads);
  array = cJSON_AddArrayToObject (object, "runs");
  for (guint i = 0; i < runs->len; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    cJSON *item = cJSON_CreateObject ();

    cJSON_AddNumberToObject (item, "tokens", run->n_tokens);
    cJSON_AddNumberToObject (item, "milliseconds_min", run->minimum);
    cJSON_AddNumberToObject (item, "milliseconds_median", run->median);
    cJSON_AddNumberToObject (item, "gflops", run->gflops);
    cJSON_AddNumberToObject (item, "gigabytes_per_second", run->gigabytes_per_second);
    cJSON_AddNumberToObject (item, "limit_milliseconds", run->limit);
    cJSON_AddItemToArray (array, item);
  }

  return object;
}

static gboolean
reaches (const EngModelInfo *info,
         int                 n_tokens)
{
  return !info->strict_positions || n_tokens <= info->max_positions;
}

gboolean
app_cli_bench (const AppCliOptions  *options,
               GString              *output,
               GError              **error)
{
  static const int default_lengths[] = { 16, 32, 128, 512 };
  g_autoptr (EngModel) model = app_pass_open_model (options->document, error);
  g_autoptr (EngSession) session = NULL;
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));
  const EngModelInfo *info;
  EngLimits limits;

  if (!model)
    return FALSE;

  info = eng_model_get_info (model);
  session = eng_session_new (model);
  if (options->lengths->len == 0)
    for (gsize i = 0; i < G_N_ELEMENTS (default_lengths); i++)
      if (reaches (info, default_lengths[i]))
        g_array_append_val (options->lengths, default_lengths[i]);

  eng_limits_measure (&limits);
  for (guint i = 0; i < options->lengths->len; i++) {
    int n_tokens = g_array_index (options->lengths, int, i);
    Run run;

    if (!reaches (info, n_tokens)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "--tokens %d is more than the %d positions of %s",
                   n_tokens, info->max_positions, info->name);
      return FALSE;
    }
    if (!time_length (session, model, &limits, n_tokens, &run, error))
      return FALSE;
    g_array_append_val (runs, run);
  }

  if (options->json)
    app_cli_json_append (output, runs_to_json (runs, info, &limits));
  else
    append_runs (output, runs, info, &limits);

  return TRUE;
}
