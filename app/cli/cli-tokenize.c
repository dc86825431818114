/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"

static cJSON *
strings_to_json (char **strings,
                 int    n)
{
  cJSON *array = cJSON_CreateArray ();

  for (int i = 0; i < n; i++)
    cJSON_AddItemToArray (array, cJSON_CreateString (strings[i]));

  return array;
}

static cJSON *
spans_to_json (const EngTokens *tokens)
{
  cJSON *array = cJSON_CreateArray ();

  for (int i = 0; i < tokens->n; i++) {
    const int span[2] = { tokens->spans[i].start, tokens->spans[i].end };

    cJSON_AddItemToArray (array,
                          span[0] < 0 ? cJSON_CreateNull () : cJSON_CreateIntArray (span, 2));
  }

  return array;
}

static void
add_tokens (cJSON           *object,
            const EngTokens *tokens)
{
  cJSON_AddItemToObject (object, "tokens", strings_to_json (tokens->texts, tokens->n));
  cJSON_AddItemToObject (object, "pieces", strings_to_json (tokens->pieces, tokens->n));
  cJSON_AddItemToObject (object, "ids", cJSON_CreateIntArray (tokens->ids, tokens->n));
  cJSON_AddItemToObject (object, "type_ids", cJSON_CreateIntArray (tokens->type_ids, tokens->n));
  cJSON_AddItemToObject (object, "segments", app_cli_json_from_bytes (tokens->segments, tokens->n));
  cJSON_AddItemToObject (object, "special", app_cli_json_from_bytes (tokens->special, tokens->n));
  cJSON_AddItemToObject (object, "spans", spans_to_json (tokens));
}

static cJSON *
inputs_to_json (const EngInputs *inputs,
                const char      *model)
{
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddStringToObject (object, "model", model);
  add_tokens (object, inputs->tokens);
  if (inputs->decoder_tokens)
    add_tokens (cJSON_AddObjectToObject (object, "decoder"), inputs->decoder_tokens);

  return object;
}

/* What stands in the place of a span that is not there. */
static const char *
name_origin (const EngTokens *tokens,
             int              i)
{
  if (tokens->padding[i])
    return "padding";

  return tokens->special[i] ? "template" : "written";
}

static void
append_table (GString         *output,
              const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++) {
    g_string_append_printf (output, "%d\t%d\t%d\t%c\t", i, tokens->ids[i], tokens->type_ids[i],
                            tokens->segments[i] ? 'B' : 'A');
    if (tokens->spans[i].start < 0)
      g_string_append (output, name_origin (tokens, i));
    else
      g_string_append_printf (output, "%d-%d", tokens->spans[i].start, tokens->spans[i].end);
    g_string_append_printf (output, "\t%s\n", tokens->pieces[i]);
  }
}

gboolean
app_cli_tokenize (const AppCliOptions  *options,
                  GString              *output,
                  GError              **error)
{
  g_autoptr (EngModel) model = app_pass_open_model (options->document, error);
  g_auto (EngInputs) inputs = { 0 };

  if (!model || !app_pass_complete (model, options->document, &inputs, error))
    return FALSE;
  app_cli_note_doubt ("tokenize", model, options->document);

  if (options->json) {
    app_cli_json_append (output, inputs_to_json (&inputs, eng_model_get_info (model)->name));
    return TRUE;
  }
  g_string_append (output, "token\tid\ttype\tsentence\tspan\tpiece\n");
  append_table (output, inputs.tokens);
  if (inputs.decoder_tokens)
    append_table (output, inputs.decoder_tokens);

  return TRUE;
}
