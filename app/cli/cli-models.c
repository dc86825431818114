/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/store/model-store.h"

static cJSON *
entry_to_json (const AppModelEntry *entry)
{
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddStringToObject (object, "name", entry->name);
  cJSON_AddStringToObject (object, "path", entry->path);
  cJSON_AddItemToObject (object, "family",
                         entry->family ? cJSON_CreateString (entry->family) : cJSON_CreateNull ());
  app_cli_json_add_count (object, "layers", entry->n_layers, entry->n_decoder_layers);
  app_cli_json_add_count (object, "heads", entry->n_heads, entry->n_decoder_heads);
  cJSON_AddNumberToObject (object, "hidden_size", entry->hidden_size);
  cJSON_AddItemToObject (object, "quantised",
                         entry->quantised ? cJSON_CreateString (entry->quantised)
                                          : cJSON_CreateNull ());
  cJSON_AddStringToObject (object, "from", app_model_from_get_name (entry->from));

  return object;
}

static void
append_line (GString             *output,
             const AppModelEntry *entry)
{
  g_string_append_printf (output, "%s\t%s\t", entry->name, app_model_from_get_name (entry->from));
  if (entry->problem)
    g_string_append (output, entry->problem);
  else if (entry->n_decoder_layers > 0)
    g_string_append_printf (output, "%s, encoder %d layers × %d heads, decoder %d × %d, hidden "
                                    "size %d", entry->family, entry->n_layers, entry->n_heads,
                            entry->n_decoder_layers, entry->n_decoder_heads, entry->hidden_size);
  else
    g_string_append_printf (output, "%s, %d layers × %d heads, hidden size %d",
                            entry->family, entry->n_layers, entry->n_heads, entry->hidden_size);
  if (!entry->problem && entry->quantised)
    g_string_append_printf (output, ", quantised (%s)", entry->quantised);
  g_string_append_printf (output, "\t%s\n", entry->path);
}

gboolean
app_cli_models (const AppCliOptions  *options,
                GString              *output,
                GError              **error)
{
  g_autoptr (GPtrArray) entries = app_model_store_list ();
  cJSON *object = NULL;
  cJSON *array = NULL;

  if (options->json) {
    object = cJSON_CreateObject ();
    array = cJSON_AddArrayToObject (object, "models");
  }
  for (guint i = 0; i < entries->len; i++) {
    const AppModelEntry *entry = entries->pdata[i];

    /* What cannot be opened is told to a person; a program gets only what it may use. */
    if (!options->json)
      append_line (output, entry);
    else if (!entry->problem)
      cJSON_AddItemToArray (array, entry_to_json (entry));
  }
  if (options->json)
    app_cli_json_append (output, object);

  return TRUE;
}
