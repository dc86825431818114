/* SPDX-License-Identifier: MIT */
/* What tokenizer_config.json says against tokenizer.json: the classes of transformers that heed it,
 * as tests/record/record_class_settings.py recorded them. */
#include "engine/base/json.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/gzip.h"
#include "tests/support/temporary.h"

#include <locale.h>
#include <string.h>

static cJSON *
read_record (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/class-settings.json.gz");
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  g_autoptr (GError) error = NULL;
  cJSON *record = eng_json_parse (text, size, 32, "class-settings.json", &error);

  g_assert_no_error (error);

  return record;
}

static void
write_json (const char  *folder,
            const char  *name,
            const cJSON *json)
{
  char *text = cJSON_PrintUnformatted (json);

  checkpoint_write_file (folder, name, text, -1);
  cJSON_free (text);
}

static EngTokenizer *
open_case (const cJSON *record,
           const cJSON *item,
           char       **described)
{
  char *folder = temporary_new ();
  const char *name = eng_json_find (item, "tokenizer")->valuestring;
  const char *model_type = eng_json_find (item, "model_type")->valuestring;
  const cJSON *config = eng_json_find (item, "config");
  char *config_text = cJSON_PrintUnformatted (config);
  g_autoptr (cJSON) model = cJSON_CreateObject ();
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer;

  cJSON_AddStringToObject (model, "model_type", model_type);
  write_json (folder, "config.json", model);
  write_json (folder, "tokenizer.json", eng_json_find (eng_json_find (record, "tokenizers"), name));
  if (!cJSON_IsNull (config))
    write_json (folder, "tokenizer_config.json", config);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  *described = g_strdup_printf ("%s of %s with %s", name, model_type, config_text);
  cJSON_free (config_text);
  temporary_free (folder);

  return tokenizer;
}

/* Ids, spans of what the template did not add, and the text that they are decoded to. */
static gboolean
is_as_recorded (const EngTokenizer *tokenizer,
                const cJSON        *item,
                const char         *text,
                int                 i)
{
  const cJSON *ids = cJSON_GetArrayItem (eng_json_find (item, "ids"), i);
  const cJSON *spans = cJSON_GetArrayItem (eng_json_find (item, "spans"), i);
  const cJSON *decoded = cJSON_GetArrayItem (eng_json_find (item, "decoded"), i);
  EngTokenizeOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, text, NULL, &options, &error);
  g_autofree char *ours = NULL;

  g_assert_no_error (error);
  if (tokens->n != cJSON_GetArraySize (ids))
    return FALSE;
  ours = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n, FALSE);
  for (int k = 0; k < tokens->n; k++) {
    const cJSON *span = cJSON_GetArrayItem (spans, k);

    if (tokens->ids[k] != cJSON_GetArrayItem (ids, k)->valueint)
      return FALSE;
    if (!tokens->special[k] && (tokens->spans[k].start != span->child->valueint ||
                                tokens->spans[k].end != span->child->next->valueint))
      return FALSE;
  }

  return g_str_equal (ours, decoded->valuestring);
}

static void
test_recorded (void)
{
  g_autoptr (cJSON) record = read_record ();
  const cJSON *item;

  cJSON_ArrayForEach (item, eng_json_find (record, "cases")) {
    g_autofree char *described = NULL;
    g_autoptr (EngTokenizer) tokenizer = open_case (record, item, &described);
    const cJSON *text;
    int i = 0;

    cJSON_ArrayForEach (text, eng_json_find (record, "texts"))
      if (!is_as_recorded (tokenizer, item, text->valuestring, i++)) {
        g_test_message ("%s: “%s”", described, text->valuestring);
        g_test_fail ();
      }
  }
}

/* A setting of another type is refused. */
static void
test_refused (void)
{
  char *folder = temporary_new ();
  g_autoptr (GError) error = NULL;

  checkpoint_write_file (folder, "config.json", "{\"model_type\": \"bert\"}", -1);
  checkpoint_write_file (folder, "tokenizer.json", "{\"model\": {\"type\": \"WordPiece\"}}", -1);
  checkpoint_write_file (folder, "tokenizer_config.json", "{\"do_lower_case\": \"no\"}", -1);
  g_assert_null (eng_tokenizer_open (folder, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "tokenizer_config.json: "));
  g_assert_nonnull (strstr (error->message, "do_lower_case"));
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/class-settings/recorded", test_recorded);
  g_test_add_func ("/class-settings/refused", test_refused);

  return g_test_run ();
}
