/* SPDX-License-Identifier: MIT */
#include "engine/families/generation-config.h"

#include "engine/base/json.h"
#include "engine/families/gguf-config.h"

#include <math.h>
#include <string.h>

#define MAX_CONFIG_BYTES (4 << 20)
#define MAX_DEPTH 32
/* Room for as many tokens is set aside before the first is written. */
#define MAX_TOKENS (1 << 20)
#define MAX_ID ((1 << 30) - 1)
#define MAX_IDS (1 << 20)
#define MAX_TASKS 1024

static const struct {
  const char *key;
  gsize       offset;
  int         min;
  int         max;
} whole_keys[] = {
  { "max_length", G_STRUCT_OFFSET (EngGeneration, max_length), 1, MAX_TOKENS },
  { "max_new_tokens", G_STRUCT_OFFSET (EngGeneration, max_new_tokens), 1, MAX_TOKENS },
  { "min_length", G_STRUCT_OFFSET (EngGeneration, min_length), 0, MAX_TOKENS },
  { "min_new_tokens", G_STRUCT_OFFSET (EngGeneration, min_new_tokens), 0, MAX_TOKENS },
  { "num_beams", G_STRUCT_OFFSET (EngGeneration, n_beams), 1, ENG_MAX_BEAMS },
  { "top_k", G_STRUCT_OFFSET (EngGeneration, top_k), 0, MAX_ID },
  { "no_repeat_ngram_size", G_STRUCT_OFFSET (EngGeneration, no_repeat_ngram_size), 0, MAX_TOKENS },
  { "encoder_no_repeat_ngram_size",
    G_STRUCT_OFFSET (EngGeneration, encoder_no_repeat_ngram_size), 0, MAX_TOKENS },
  { "forced_bos_token_id", G_STRUCT_OFFSET (EngGeneration, forced_first_id), -1, MAX_ID },
  { "decoder_start_token_id", G_STRUCT_OFFSET (EngGeneration, start_id), -1, MAX_ID },
};

static const struct {
  const char *key;
  gsize       offset;
  double      min;
  double      max;
} real_keys[] = {
  { "temperature", G_STRUCT_OFFSET (EngGeneration, temperature), 0, 1e6 },
  { "top_p", G_STRUCT_OFFSET (EngGeneration, top_p), 0, 1 },
  { "min_p", G_STRUCT_OFFSET (EngGeneration, min_p), 0, 1 },
  { "length_penalty", G_STRUCT_OFFSET (EngGeneration, length_penalty), -100, 100 },
  { "repetition_penalty", G_STRUCT_OFFSET (EngGeneration, repetition_penalty), 1e-6, 1e6 },
  { "encoder_repetition_penalty",
    G_STRUCT_OFFSET (EngGeneration, encoder_repetition_penalty), 1e-6, 1e6 },
};

static const struct {
  const char *key;
  gsize       offset;
} switch_keys[] = {
  { "do_sample", G_STRUCT_OFFSET (EngGeneration, sample) },
  { "renormalize_logits", G_STRUCT_OFFSET (EngGeneration, renormalise) },
};

/* One id or a list of at most max. */
static const struct {
  const char *key;
  gsize       offset;
  int         max;
} id_keys[] = {
  { "eos_token_id", G_STRUCT_OFFSET (EngGeneration, end_ids), ENG_MAX_ENDS },
  { "forced_eos_token_id", G_STRUCT_OFFSET (EngGeneration, forced_end_ids), ENG_MAX_ENDS },
  { "suppress_tokens", G_STRUCT_OFFSET (EngGeneration, suppressed_ids), MAX_IDS },
  { "begin_suppress_tokens", G_STRUCT_OFFSET (EngGeneration, suppressed_first_ids), MAX_IDS },
};

/* Keys that change what is written, each with the number that means nothing. */
static const struct {
  const char *key;
  double      neutral;
  gboolean    sampling; /* counts for sampling alone */
} unsupported_keys[] = {
  { "constraints", 0, FALSE },
  { "diversity_penalty", 0, FALSE },
  { "dola_layers", 0, FALSE },
  { "exponential_decay_length_penalty", 0, FALSE },
  { "force_words_ids", 0, FALSE },
  { "guidance_scale", 1, FALSE },
  { "num_beam_groups", 1, FALSE },
  { "penalty_alpha", 0, FALSE },
  { "sequence_bias", 0, FALSE },
  { "stop_strings", 0, FALSE },
  { "token_healing", 0, FALSE },
  { "watermarking_config", 0, FALSE },
  { "epsilon_cutoff", 0, TRUE },
  { "eta_cutoff", 0, TRUE },
  { "top_h", 1, TRUE },
  { "typical_p", 1, TRUE },
};

/* A text of JSON and how messages call it. */
typedef struct {
  cJSON      *json; /* NULL where there is no such text */
  const char *what;
} Source;

static gboolean
read_wholes (const Source   *source,
             EngGeneration  *self,
             GError        **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (whole_keys); i++) {
    int *member = &G_STRUCT_MEMBER (int, self, whole_keys[i].offset);
    gint64 value = *member;

    if (!eng_json_get_int (source->json, whole_keys[i].key, whole_keys[i].min, whole_keys[i].max,
                           source->what, &value, error))
      return FALSE;
    *member = (int) value;
  }

  return TRUE;
}

static gboolean
read_reals (const Source   *source,
            EngGeneration  *self,
            GError        **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (real_keys); i++) {
    double value = G_STRUCT_MEMBER (double, self, real_keys[i].offset);
    char found[G_ASCII_DTOSTR_BUF_SIZE], min[G_ASCII_DTOSTR_BUF_SIZE], max[G_ASCII_DTOSTR_BUF_SIZE];

    if (!eng_json_get_double (source->json, real_keys[i].key, source->what, &value, error))
      return FALSE;
    if (!(value >= real_keys[i].min && value <= real_keys[i].max)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "%s: %s is %s, expected from %s to %s",
                   source->what, real_keys[i].key, g_ascii_dtostr (found, sizeof found, value),
                   g_ascii_formatd (min, sizeof min, "%g", real_keys[i].min),
                   g_ascii_formatd (max, sizeof max, "%g", real_keys[i].max));
      return FALSE;
    }
    G_STRUCT_MEMBER (double, self, real_keys[i].offset) = value;
  }

  return TRUE;
}

static gboolean
read_switches (const Source   *source,
               EngGeneration  *self,
               GError        **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (switch_keys); i++)
    if (!eng_json_get_boolean (source->json, switch_keys[i].key, source->what,
                               &G_STRUCT_MEMBER (gboolean, self, switch_keys[i].offset), error))
      return FALSE;

  return TRUE;
}

/* -1 is how some files say that there is none. */
static gboolean
add_id (const cJSON *item,
        GArray      *ids)
{
  gint32 id;

  if (!cJSON_IsNumber (item) || item->valuedouble != floor (item->valuedouble) ||
      !(item->valuedouble >= -1 && item->valuedouble <= MAX_ID))
    return FALSE;
  id = (gint32) item->valuedouble;
  if (id >= 0)
    g_array_append_val (ids, id);

  return TRUE;
}

/* (transfer full) NULL when value is no id and no list of at most max ids. */
static GArray *
dup_ids (const cJSON *value,
         int          max)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint32));
  const cJSON *item;

  if (!cJSON_IsArray (value))
    return add_id (value, ids) ? g_steal_pointer (&ids) : NULL;
  if (cJSON_GetArraySize (value) > max)
    return NULL;
  cJSON_ArrayForEach (item, value)
    if (!add_id (item, ids))
      return NULL;

  return g_steal_pointer (&ids);
}

static gboolean
refuse_ids (const Source  *source,
            const char    *key,
            int            max,
            GError       **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: %s holds something else than at most %d token ids", source->what, key, max);

  return FALSE;
}

static gboolean
read_ids (const Source   *source,
          EngGeneration  *self,
          GError        **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (id_keys); i++) {
    GArray **member = &G_STRUCT_MEMBER (GArray *, self, id_keys[i].offset);
    const cJSON *value = eng_json_find (source->json, id_keys[i].key);
    GArray *ids;

    if (!value || cJSON_IsNull (value))
      continue;
    ids = dup_ids (value, id_keys[i].max);
    if (!ids)
      return refuse_ids (source, id_keys[i].key, id_keys[i].max, error);
    g_clear_pointer (member, g_array_unref);
    *member = ids;
  }

  return TRUE;
}

static gboolean
refuse_banned (const Source  *source,
               GError       **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: bad_words_ids holds something else than lists of token ids", source->what);

  return FALSE;
}

static gboolean
read_banned (const Source   *source,
             EngGeneration  *self,
             GError        **error)
{
  const cJSON *list = eng_json_find (source->json, "bad_words_ids");
  g_autoptr (GPtrArray) banned = NULL;
  const cJSON *item;

  if (!list || cJSON_IsNull (list))
    return TRUE;
  if (!cJSON_IsArray (list) || cJSON_GetArraySize (list) > MAX_IDS)
    return refuse_banned (source, error);

  banned = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  cJSON_ArrayForEach (item, list) {
    GArray *ids = cJSON_IsArray (item) ? dup_ids (item, MAX_IDS) : NULL;

    if (ids)
      g_ptr_array_add (banned, ids);
    if (!ids || ids->len == 0 || (int) ids->len != cJSON_GetArraySize (item))
      return refuse_banned (source, error);
  }
  g_clear_pointer (&self->banned, g_ptr_array_unref);
  self->banned = g_steal_pointer (&banned);

  return TRUE;
}

static gboolean
read_early_stopping (const Source   *source,
                     EngGeneration  *self,
                     GError        **error)
{
  const cJSON *value = eng_json_find (source->json, "early_stopping");

  if (!value || cJSON_IsNull (value))
    return TRUE;
  if (cJSON_IsBool (value))
    self->early_stopping = cJSON_IsTrue (value) ? ENG_EARLY_STOPPING_AT_ONCE
                                                : ENG_EARLY_STOPPING_HEURISTIC;
  else if (cJSON_IsString (value) && strcmp (value->valuestring, "never") == 0)
    self->early_stopping = ENG_EARLY_STOPPING_NEVER;
  else {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: early_stopping is something else than true, false or \"never\"",
                 source->what);
    return FALSE;
  }

  return TRUE;
}

/* The name by which BART's first checkpoints ask for what is forced_bos_token_id now. */
static gboolean
read_old_forced_first (const Source   *source,
                       EngGeneration  *self,
                       GError        **error)
{
  gboolean forced = FALSE;
  gint64 id = self->forced_first_id;

  if (!eng_json_get_boolean (source->json, "force_bos_token_to_be_generated", source->what,
                             &forced, error) ||
      (forced && !eng_json_get_int (source->json, "bos_token_id", -1, MAX_ID, source->what, &id,
                                    error)))
    return FALSE;
  self->forced_first_id = (int) id;

  return TRUE;
}

static gboolean
is_neutral (const cJSON *value,
            double       neutral)
{
  return !value || cJSON_IsNull (value) || cJSON_IsFalse (value) ||
         (cJSON_IsNumber (value) && value->valuedouble == neutral);
}

static void
note_unsupported (const Source  *source,
                  EngGeneration *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (unsupported_keys); i++) {
    const char *key = unsupported_keys[i].key;
    char **note = unsupported_keys[i].sampling ? &self->unsupported_sampling : &self->unsupported;

    if (is_neutral (eng_json_find (source->json, key), unsupported_keys[i].neutral))
      continue;
    g_free (*note);
    *note = g_strdup_printf ("%s: %s changes the text in a way that is not supported",
                             source->what, key);
  }
}

/* Changes the keys that the source says. */
static gboolean
apply (const Source   *source,
       EngGeneration  *self,
       GError        **error)
{
  const char *prefix = NULL;

  if (!read_wholes (source, self, error) ||
      !read_reals (source, self, error) ||
      !read_switches (source, self, error) ||
      !read_ids (source, self, error) ||
      !read_banned (source, self, error) ||
      !read_early_stopping (source, self, error) ||
      !eng_json_get_string (source->json, "prefix", source->what, &prefix, error))
    return FALSE;

  if (prefix) {
    g_free (self->prefix);
    self->prefix = g_strdup (prefix);
  }
  note_unsupported (source, self);

  return TRUE;
}

static gboolean
read_tasks (const Source    *config,
            EngGenerations  *self,
            GError         **error)
{
  const cJSON *tasks = eng_json_find (config->json, "task_specific_params");
  const cJSON *item;

  if (!tasks || cJSON_IsNull (tasks))
    return TRUE;
  if (!cJSON_IsObject (tasks) || cJSON_GetArraySize (tasks) > MAX_TASKS) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: task_specific_params is no object of at most %d tasks", config->what,
                 MAX_TASKS);
    return FALSE;
  }

  cJSON_ArrayForEach (item, tasks) {
    g_autofree char *what = g_strdup_printf ("%s: task_specific_params: %s", config->what,
                                             item->string);
    Source source = { (cJSON *) item, what };
    EngGeneration *generation;

    if (cJSON_IsNull (item))
      continue;
    if (!cJSON_IsObject (item)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s is no object of keys", what);
      return FALSE;
    }
    generation = eng_generation_copy (self->general);
    g_ptr_array_add (self->tasks, generation);
    g_ptr_array_add (self->task_names, g_strdup (item->string));
    if (!apply (&source, generation, error))
      return FALSE;
  }

  return TRUE;
}

/* Of config.json, what a generation_config.json leaves to it: words that are put before every
 * text, and what single tasks change. */
static EngGenerations *
generations_from_json (const Source  *config,
                       const Source  *generation,
                       GError       **error)
{
  g_autoptr (EngGenerations) self = eng_generations_new ();
  const char *prefix = NULL;

  if (!cJSON_IsObject (config->json) || (generation->json && !cJSON_IsObject (generation->json))) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: expected an object of keys",
                 cJSON_IsObject (config->json) ? generation->what : config->what);
    return NULL;
  }
  if (!eng_json_get_string (config->json, "prefix", config->what, &prefix, error))
    return NULL;
  self->general->prefix = g_strdup (prefix);
  if (generation->json) {
    if (!apply (generation, self->general, error))
      return NULL;
  } else if (!apply (config, self->general, error) ||
             !read_old_forced_first (config, self->general, error)) {
    return NULL;
  }

  return read_tasks (config, self, error) ? g_steal_pointer (&self) : NULL;
}

EngGeneration *
eng_generation_new (void)
{
  EngGeneration *self = g_new0 (EngGeneration, 1);

  self->n_beams = 1;
  self->length_penalty = 1;
  self->temperature = 1;
  self->top_k = 50;
  self->top_p = 1;
  self->repetition_penalty = 1;
  self->encoder_repetition_penalty = 1;
  self->forced_first_id = -1;
  self->start_id = -1;

  return self;
}

EngGeneration *
eng_generation_copy (const EngGeneration *self)
{
  EngGeneration *copy = g_memdup2 (self, sizeof *self);

  for (guint i = 0; i < G_N_ELEMENTS (id_keys); i++) {
    GArray *ids = G_STRUCT_MEMBER (GArray *, self, id_keys[i].offset);

    if (ids)
      g_array_ref (ids);
  }
  if (self->banned)
    g_ptr_array_ref (self->banned);
  copy->prefix = g_strdup (self->prefix);
  copy->unsupported = g_strdup (self->unsupported);
  copy->unsupported_sampling = g_strdup (self->unsupported_sampling);

  return copy;
}

void
eng_generation_free (EngGeneration *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (id_keys); i++)
    g_clear_pointer (&G_STRUCT_MEMBER (GArray *, self, id_keys[i].offset), g_array_unref);
  g_clear_pointer (&self->banned, g_ptr_array_unref);
  g_free (self->prefix);
  g_free (self->unsupported);
  g_free (self->unsupported_sampling);
  g_free (self);
}

EngGenerations *
eng_generations_new (void)
{
  EngGenerations *self = g_new0 (EngGenerations, 1);

  self->general = eng_generation_new ();
  self->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) eng_generation_free);
  self->task_names = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
eng_generations_free (EngGenerations *self)
{
  eng_generation_free (self->general);
  g_ptr_array_unref (self->tasks);
  g_ptr_array_unref (self->task_names);
  g_free (self);
}

EngGenerations *
eng_generations_read (const char  *folder,
                      GError     **error)
{
  g_autofree char *config_path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *path = g_build_filename (folder, "generation_config.json", NULL);
  g_autofree char *gguf = eng_gguf_find (folder, NULL);
  g_autoptr (cJSON) config =
    gguf ? eng_gguf_read_config (gguf, error)
         : eng_json_read (config_path, MAX_CONFIG_BYTES, MAX_DEPTH, error);
  g_autoptr (cJSON) generation = NULL;

  if (!config)
    return NULL;
  if (g_file_test (path, G_FILE_TEST_EXISTS)) {
    generation = eng_json_read (path, MAX_CONFIG_BYTES, MAX_DEPTH, error);
    if (!generation)
      return NULL;
  }

  return generations_from_json (&(Source) { config, config_path }, &(Source) { generation, path },
                                error);
}

EngGenerations *
eng_generations_parse (const char  *config,
                       gsize        config_length,
                       const char  *generation,
                       gsize        generation_length,
                       GError     **error)
{
  Source sources[] = { { NULL, "config.json" }, { NULL, "generation_config.json" } };
  g_autoptr (cJSON) config_json = NULL;
  g_autoptr (cJSON) generation_json = NULL;

  config_json = eng_json_parse (config, config_length, MAX_DEPTH, sources[0].what, error);
  if (!config_json)
    return NULL;
  if (generation) {
    generation_json = eng_json_parse (generation, generation_length, MAX_DEPTH, sources[1].what,
                                      error);
    if (!generation_json)
      return NULL;
  }
  sources[0].json = config_json;
  sources[1].json = generation_json;

  return generations_from_json (&sources[0], &sources[1], error);
}

const EngGeneration *
eng_generations_find (const EngGenerations *self,
                      const char           *task)
{
  if (!task)
    return self->general;
  for (guint i = 0; i < self->tasks->len; i++)
    if (strcmp (g_ptr_array_index (self->task_names, i), task) == 0)
      return g_ptr_array_index (self->tasks, i);

  return NULL;
}
