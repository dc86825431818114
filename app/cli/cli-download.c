/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/store/hub.h"
#include "ui/document/amount.h"

#define PERIOD_US (50 * 1000)

/* "model.safetensors  210.5 MB of 440.4 MB  48% · 5.2 MB/s · 44 s left" */
static char *
describe_progress (const AppProgress *progress)
{
  static const char *const phases[] = {
    [APP_PHASE_WORKING] = "", [APP_PHASE_CHECKING] = " · checking",
    [APP_PHASE_WAITING] = " · waiting for another program that downloads it",
  };
  g_autofree char *bytes = ui_amount_bytes (progress->bytes);
  g_autofree char *total = ui_amount_bytes (progress->total);
  g_autofree char *speed = ui_amount_bytes ((gint64) progress->speed);
  GString *line = g_string_new (NULL);

  g_string_printf (line, "%s  %s of %s", progress->note, bytes, total);
  if (progress->total > 0)
    g_string_append_printf (line, "  %d%%",
                            (int) (100.0 * (double) progress->bytes / (double) progress->total));
  if (progress->phase == APP_PHASE_WORKING && progress->speed > 0) {
    double seconds = (double) (progress->total - progress->bytes) / progress->speed;
    g_autofree char *left = ui_amount_time (seconds);

    g_string_append_printf (line, " · %s/s · %s left", speed, left);
  }
  g_string_append (line, phases[progress->phase]);

  return g_string_free (line, FALSE);
}

/* data: when a line was last written, monotonic µs. */
static void
show_progress (const AppProgress *progress,
               gpointer           data)
{
  gint64 *written = data;
  gint64 now = g_get_monotonic_time ();
  g_autofree char *line = NULL;

  if (now - *written < PERIOD_US)
    return;

  *written = now;
  line = describe_progress (progress);
  app_cli_show_progress (line);
}

gboolean
app_cli_download (const AppCliOptions  *options,
                  GString              *output,
                  GError              **error)
{
  g_autoptr (AppHubPlan) plan = app_hub_plan_new (options->name, NULL, NULL, error);
  g_autofree char *path = NULL;
  gint64 written = 0;
  cJSON *object;

  if (!plan)
    return FALSE;

  path = app_hub_plan_download (plan, show_progress, &written, NULL, error);
  app_cli_show_progress ("");
  if (!path)
    return FALSE;

  if (!options->json) {
    g_string_append_printf (output, "%s\n", path);
    return TRUE;
  }
  object = cJSON_CreateObject ();
  cJSON_AddStringToObject (object, "path", path);
  cJSON_AddStringToObject (object, "commit", app_hub_plan_get_commit (plan));
  cJSON_AddNumberToObject (object, "bytes", (double) app_hub_plan_get_total (plan));
  app_cli_json_append (output, object);

  return TRUE;
}
