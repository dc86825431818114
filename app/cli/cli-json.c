/* SPDX-License-Identifier: MIT */
#include "app/cli/cli-json.h"

#include <math.h>

void
app_cli_json_append (GString *output,
                     cJSON   *object)
{
  char *text = cJSON_PrintUnformatted (object);

  g_string_append (output, text);
  g_string_append_c (output, '\n');
  cJSON_free (text);
  cJSON_Delete (object);
}

cJSON *
app_cli_json_from_bytes (const guint8 *values,
                         int           n)
{
  cJSON *array = cJSON_CreateArray ();

  for (int i = 0; i < n; i++)
    cJSON_AddItemToArray (array, cJSON_CreateNumber (values[i]));

  return array;
}

cJSON *
app_cli_json_from_points (double points)
{
  return cJSON_CreateNumber (round (points * 100) / 100);
}

typedef int (*CountFunc) (const EngTrace *trace, EngKind kind);

static void
add_count (cJSON          *object,
           const char     *key,
           const EngTrace *trace,
           CountFunc       count)
{
  gboolean two_stacks = eng_trace_has_kind (trace, ENG_KIND_ENCODER)
                        && eng_trace_has_kind (trace, ENG_KIND_DECODER);

  app_cli_json_add_count (object, key, count (trace, eng_trace_get_default_kind (trace)),
                          two_stacks ? count (trace, ENG_KIND_DECODER) : 0);
}

void
app_cli_json_add_count (cJSON      *object,
                        const char *key,
                        int         first,
                        int         decoder)
{
  cJSON *counts;

  if (decoder == 0) {
    cJSON_AddNumberToObject (object, key, first);
    return;
  }

  counts = cJSON_AddObjectToObject (object, key);
  cJSON_AddNumberToObject (counts, "encoder", first);
  cJSON_AddNumberToObject (counts, "decoder", decoder);
}

cJSON *
app_cli_json_from_trace (EngTrace   *trace,
                         const char *path)
{
  const char *model = eng_trace_get_model_name (trace);
  double wall_time = eng_trace_get_wall_time (trace);
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddStringToObject (object, "path", path);
  cJSON_AddItemToObject (object, "model", model ? cJSON_CreateString (model) : cJSON_CreateNull ());
  add_count (object, "tokens", trace, eng_trace_get_n_queries);
  add_count (object, "layers", trace, eng_trace_get_n_layers);
  add_count (object, "heads", trace, eng_trace_get_n_heads);
  cJSON_AddItemToObject (object, "milliseconds",
                         wall_time >= 0 ? cJSON_CreateNumber (wall_time) : cJSON_CreateNull ());

  return object;
}
