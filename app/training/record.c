/* SPDX-License-Identifier: MIT */
#include "app/training/record.h"

#include <math.h>
#include <string.h>

#include "engine/base/file-writer.h"
#include "engine/training/checkpoint.h"

#define FORMAT "headlight-training"
#define VERSION 2
#define MAX_BYTES (64 << 20)
#define MAX_DEPTH 8

static char *
make_digest (const char  *path,
             GError     **error)
{
  g_autoptr (GError) read_error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  if (g_file_get_contents (path, &bytes, &length, &read_error))
    return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_IO, read_error->message);

  return NULL;
}

AppTrainingRecord *
app_training_record_new (AppRecipe  *recipe,
                         GError    **error)
{
  g_autoptr (AppTrainingRecord) self = g_new0 (AppTrainingRecord, 1);
  char *path = g_canonicalize_filename (recipe->data, NULL);

  self->recipe = recipe;
  g_free (recipe->data);
  recipe->data = path;
  self->curve = g_array_new (FALSE, FALSE, sizeof (AppTrainingPoint));
  self->digest = make_digest (path, error);

  return self->digest ? g_steal_pointer (&self) : NULL;
}

void
app_training_record_free (AppTrainingRecord *self)
{
  g_clear_pointer (&self->recipe, app_recipe_free);
  g_clear_pointer (&self->curve, g_array_unref);
  g_free (self->digest);
  g_free (self);
}

static char *
get_path (const char *folder)
{
  return g_build_filename (folder, APP_TRAINING_RECORD_FILE, NULL);
}

gboolean
app_training_record_is_in (const char *folder)
{
  g_autofree char *path = get_path (folder);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static cJSON *
curve_to_json (const AppTrainingRecord *self)
{
  cJSON *curve = cJSON_CreateArray ();

  for (guint i = 0; i < self->curve->len; i++) {
    const AppTrainingPoint *point = &g_array_index (self->curve, AppTrainingPoint, i);
    cJSON *item = cJSON_CreateObject ();

    eng_json_add_number (item, "step", (double) point->step);
    eng_json_add_number (item, "loss", point->loss);
    eng_json_add_number (item, "held_out", point->held_out);
    eng_json_add_number (item, "rate", point->rate);
    eng_json_add_number (item, "norm", point->norm);
    cJSON_AddItemToArray (curve, item);
  }

  return curve;
}

static void
add_sums (cJSON                 *json,
          const char            *name,
          const AppTrainingSums *sums)
{
  cJSON *object = cJSON_AddObjectToObject (json, name);

  cJSON_AddNumberToObject (object, "step", (double) sums->step);
  cJSON_AddNumberToObject (object, "loss", sums->loss);
  cJSON_AddNumberToObject (object, "labels", (double) sums->n_labels);
  cJSON_AddNumberToObject (object, "rate", sums->rate);
  cJSON_AddNumberToObject (object, "norm", sums->norm);
}

gboolean
app_training_record_save (const AppTrainingRecord  *self,
                          const char               *folder,
                          GError                  **error)
{
  g_autofree char *path = get_path (folder);
  g_autoptr (cJSON) json = cJSON_CreateObject ();
  char *text;
  gboolean saved;

  cJSON_AddStringToObject (json, "format", FORMAT);
  cJSON_AddNumberToObject (json, "version", self->by_first ? 1 : VERSION);
  cJSON_AddItemToObject (json, "recipe", app_recipe_to_json (self->recipe));
  cJSON_AddStringToObject (json, "data_sha256", self->digest);
  cJSON_AddNumberToObject (json, "seconds", self->seconds);
  cJSON_AddNumberToObject (json, "saved_seconds", self->saved_seconds);
  add_sums (json, "sums", &self->sums);
  add_sums (json, "saved_sums", &self->saved_sums);
  cJSON_AddItemToObject (json, "curve", curve_to_json (self));
  eng_json_keep_digits (json);
  text = cJSON_Print (json);
  saved = eng_file_write (path, text, strlen (text), error);
  cJSON_free (text);

  return saved;
}

static gboolean
read_number (const cJSON  *object,
             const char   *key,
             const char   *what,
             double       *number,
             GError      **error)
{
  *number = NAN;

  return eng_json_get_double (object, key, what, number, error);
}

static gboolean
read_curve (AppTrainingRecord  *self,
            const cJSON        *curve,
            const char         *what,
            GError            **error)
{
  const cJSON *item;

  if (!cJSON_IsArray (curve)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: curve is missing, expected a list", what);
    return FALSE;
  }
  cJSON_ArrayForEach (item, curve) {
    AppTrainingPoint point = { 0 };

    if (!eng_json_get_int (item, "step", 0, G_MAXINT64, what, &point.step, error) ||
        !read_number (item, "loss", what, &point.loss, error) ||
        !read_number (item, "held_out", what, &point.held_out, error) ||
        !read_number (item, "rate", what, &point.rate, error) ||
        !read_number (item, "norm", what, &point.norm, error))
      return FALSE;
    g_array_append_val (self->curve, point);
  }

  return TRUE;
}

static gboolean
read_sums (const cJSON      *json,
           const char       *name,
           const char       *what,
           AppTrainingSums  *sums,
           GError          **error)
{
  const cJSON *object = eng_json_find (json, name);

  return eng_json_get_int (object, "step", 0, G_MAXINT64, what, &sums->step, error) &&
         eng_json_get_double (object, "loss", what, &sums->loss, error) &&
         eng_json_get_int (object, "labels", 0, G_MAXINT64, what, &sums->n_labels, error) &&
         eng_json_get_double (object, "rate", what, &sums->rate, error) &&
         eng_json_get_double (object, "norm", what, &sums->norm, error);
}

static gboolean
read_rest (AppTrainingRecord  *self,
           const cJSON        *json,
           const char         *what,
           GError            **error)
{
  const char *digest = NULL;

  if (!eng_json_get_string (json, "data_sha256", what, &digest, error) ||
      !eng_json_get_double (json, "seconds", what, &self->seconds, error) ||
      !eng_json_get_double (json, "saved_seconds", what, &self->saved_seconds, error) ||
      !read_sums (json, "sums", what, &self->sums, error) ||
      !read_sums (json, "saved_sums", what, &self->saved_sums, error))
    return FALSE;
  self->digest = g_strdup (digest ? digest : "");

  return read_curve (self, eng_json_find (json, "curve"), what, error);
}

AppTrainingRecord *
app_training_record_open (const char  *folder,
                          GError     **error)
{
  g_autofree char *path = get_path (folder);
  g_autoptr (AppTrainingRecord) self = NULL;
  g_autoptr (cJSON) json = NULL;
  const char *format = NULL;
  gint64 version = 1, step;

  if (!app_training_record_is_in (folder)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO,
                 "%s holds no training to go on with: there is no " APP_TRAINING_RECORD_FILE, folder);
    return NULL;
  }
  json = eng_json_read (path, MAX_BYTES, MAX_DEPTH, error);
  if (!json || !eng_json_get_string (json, "format", path, &format, error))
    return NULL;
  if (g_strcmp0 (format, FORMAT) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: format is not " FORMAT, path);
    return NULL;
  }
  /* Of a newer version nothing else is known. */
  if (!eng_json_get_int (json, "version", 1, VERSION, path, &version, error))
    return NULL;

  self = g_new0 (AppTrainingRecord, 1);
  self->curve = g_array_new (FALSE, FALSE, sizeof (AppTrainingPoint));
  self->by_first = version < VERSION;
  self->recipe = app_recipe_from_json (eng_json_find (json, "recipe"), path, error);

  if (!self->recipe || !read_rest (self, json, path, error))
    return NULL;
  if (eng_training_find_steps (folder, &step))
    app_training_record_cut (self, step);

  return g_steal_pointer (&self);
}

gboolean
app_training_record_check (const AppTrainingRecord  *self,
                           GError                  **error)
{
  g_autofree char *digest = make_digest (self->recipe->data, error);

  if (!digest)
    return FALSE;
  if (strcmp (digest, self->digest) == 0)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s is another file than the one that the training began with", self->recipe->data);

  return FALSE;
}

gboolean
app_training_record_is_over (const AppTrainingRecord *self)
{
  const AppRecipe *recipe = self->recipe;
  const gint64 step = self->curve->len > 0 ? g_array_index (self->curve, AppTrainingPoint,
                                                            self->curve->len - 1).step : 0;

  return (recipe->steps > 0 && step >= recipe->steps) ||
         (recipe->minutes > 0 && self->seconds >= recipe->minutes * 60);
}

void
app_training_record_catch_up (AppTrainingRecord *self)
{
  self->saved_sums = self->sums;
  self->saved_seconds = self->seconds;
}

void
app_training_record_cut (AppTrainingRecord *self,
                         gint64             step)
{
  guint n = self->curve->len;

  while (n > 0 && g_array_index (self->curve, AppTrainingPoint, n - 1).step > step)
    n--;
  g_array_set_size (self->curve, n);
  if (self->sums.step == step)
    return;
  self->sums = (AppTrainingSums) { .step = step };
  if (self->saved_sums.step != step)
    return;
  self->sums = self->saved_sums;
  self->seconds = self->saved_seconds;
}
