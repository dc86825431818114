/* SPDX-License-Identifier: MIT */
/* generation_config.json: whatever it says ends in settings within their bounds or in an error. */
#include "tests/fuzz/fuzz.h"

#include "engine/families/generation-config.h"

#include <string.h>

/* Texts here have ' for ", which C would want escaped. */
static const char *const seeds[] = {
  "{'bad_words_ids': [[58100], [3, 4]], 'decoder_start_token_id': 58100, 'eos_token_id': [0, 7],"
  " 'forced_eos_token_id': 0, 'max_length': 512, 'num_beams': 6, 'renormalize_logits': true,"
  " 'early_stopping': 'never', 'length_penalty': 0.6}",
  "{'do_sample': true, 'temperature': 0.6, 'top_k': 20, 'top_p': 0.8, 'repetition_penalty': 1.05,"
  " 'suppress_tokens': [5, -1, 6], 'begin_suppress_tokens': []}",
  "{'eos_token_id': 1, 'task_specific_params': {'summarization': {'early_stopping': true,"
  " 'length_penalty': 2.0, 'max_length': 200, 'min_length': 30, 'num_beams': 4,"
  " 'prefix': 'summarize: '}, 'other': null}, 'force_bos_token_to_be_generated': true}",
};

static const char *const keys[] = {
  "max_length", "max_new_tokens", "min_length", "min_new_tokens", "num_beams", "top_k",
  "no_repeat_ngram_size", "encoder_no_repeat_ngram_size", "forced_bos_token_id",
  "decoder_start_token_id", "temperature", "top_p", "min_p", "length_penalty",
  "repetition_penalty", "encoder_repetition_penalty", "do_sample", "renormalize_logits",
  "eos_token_id", "forced_eos_token_id", "suppress_tokens", "begin_suppress_tokens",
  "bad_words_ids", "early_stopping", "prefix", "task_specific_params", "guidance_scale",
  "bos_token_id", "force_bos_token_to_be_generated",
};

/* What suits one key is wrong for another. */
static const char *const values[] = {
  "0", "1", "2", "64", "65", "1048576", "1073741823", "1073741824", "-1", "-2", "0.5", "1e-300",
  "1e400", "null", "true", "false", "''", "'never'", "[]", "[1]", "[1, -1, 2]", "[null]", "[1.5]",
  "[[1], [2, 3]]", "[[]]", "[[-1]]", "[[1, -1]]", "{}", "{'a': {'num_beams': 3}}", "{'a': 1}",
  "{'a': {'eos_token_id': [4, 5], 'bad_words_ids': [[7]]}, 'b': {'prefix': 'b: '}}",
};

void
fuzz_add_seeds (GPtrArray *array)
{
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_take (g_strdelimit (g_strdup (seeds[i]), "'", '"'),
                                              strlen (seeds[i])));
}

static void
check_ids (const GArray *ids)
{
  for (guint i = 0; ids && i < ids->len; i++)
    g_assert_cmpint (g_array_index (ids, gint32, i), >=, 0);
}

static void
check_settings (const EngGeneration *settings)
{
  g_assert_true (settings->n_beams >= 1 && settings->n_beams <= ENG_MAX_BEAMS);
  g_assert_cmpint (settings->max_length, >=, 0);
  g_assert_cmpint (settings->max_new_tokens, >=, 0);
  g_assert_true (settings->top_p >= 0 && settings->top_p <= 1);
  g_assert_true (settings->repetition_penalty > 0);
  g_assert_true (settings->temperature >= 0);
  check_ids (settings->end_ids);
  check_ids (settings->forced_end_ids);
  check_ids (settings->suppressed_ids);
  check_ids (settings->suppressed_first_ids);
  g_assert_true (!settings->end_ids || settings->end_ids->len <= ENG_MAX_ENDS);
  for (guint i = 0; settings->banned && i < settings->banned->len; i++) {
    const GArray *sequence = g_ptr_array_index (settings->banned, i);

    g_assert_cmpint (sequence->len, >, 0);
    check_ids (sequence);
  }
}

static void
parse (const char *config,
       gsize       config_size,
       const char *generation,
       gsize       generation_size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngGenerations) generations = eng_generations_parse (config, config_size, generation,
                                                                  generation_size, &error);

  if (!generations) {
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    return;
  }
  check_settings (generations->general);
  g_assert_cmpint (generations->tasks->len, ==, generations->task_names->len);
  for (guint i = 0; i < generations->tasks->len; i++)
    check_settings (g_ptr_array_index (generations->tasks, i));
}

/* Most mutations leave no JSON. This reads the input as choices instead: pairs of bytes that pick a
 * key and its value, each key once, so that every input is an object. */
static char *
compose (const guint8 *data,
         gsize         size)
{
  GString *text = g_string_new ("{'model_type': 't5'");
  gboolean used[G_N_ELEMENTS (keys)] = { FALSE };

  for (gsize i = 0; i + 1 < size; i += 2) {
    gsize key = data[i] % G_N_ELEMENTS (keys);

    if (!used[key])
      g_string_append_printf (text, ", '%s': %s", keys[key],
                              values[data[i + 1] % G_N_ELEMENTS (values)]);
    used[key] = TRUE;
  }
  g_string_append_c (text, '}');

  return g_strdelimit (g_string_free (text, FALSE), "'", '"');
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autofree char *composed = compose (data, MIN (size, 24));

  parse ((const char *) data, size, NULL, 0);
  parse ("{}", 2, (const char *) data, size);
  parse (composed, strlen (composed), NULL, 0);
  parse (composed, strlen (composed), composed, strlen (composed));
}
