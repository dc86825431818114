/* SPDX-License-Identifier: MIT */
/* Rotary positions of config.json. */
#include "engine/families/config-spec.h"

#include <math.h>
#include <string.h>

static const struct {
  const char       *name;
  EngRotaryScaling  scaling;
} rotary_scalings[] = {
  { "default", ENG_ROTARY_PLAIN },
  { "linear", ENG_ROTARY_LINEAR },
  { "dynamic", ENG_ROTARY_DYNAMIC },
  { "llama3", ENG_ROTARY_BY_LENGTH },
  { "longrope", ENG_ROTARY_LONG },
  { "su", ENG_ROTARY_LONG }, /* as it was called first */
  { "yarn", ENG_ROTARY_BY_RAMP },
};

/* Objects of keys, the older first. */
static const char *const parameter_keys[] = { "rope_scaling", "rope_parameters" };

static gboolean
find_scaling (const char        *name,
              const char        *what,
              EngRotaryScaling  *scaling,
              GError           **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rotary_scalings); i++) {
    if (strcmp (rotary_scalings[i].name, name) == 0) {
      *scaling = rotary_scalings[i].scaling;
      return TRUE;
    }
    g_string_append_printf (known, "%s%s", i ? ", " : "", rotary_scalings[i].name);
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: the rotary positions are scaled by \"%s\", expected one of %s", what, name,
               known->str);

  return FALSE;
}

/* factors [n] */
static gboolean
read_factors (const cJSON  *json,
              const char   *key,
              const char   *what,
              int           n,
              float        *factors,
              GError      **error)
{
  const cJSON *list = eng_json_find (json, key);
  const cJSON *item;
  int i = 0;

  if (cJSON_IsArray (list) && cJSON_GetArraySize (list) == n && n <= ENG_MAX_ROTARY_PAIRS)
    cJSON_ArrayForEach (item, list)
      if (cJSON_IsNumber (item) && isfinite (item->valuedouble) && item->valuedouble > 0)
        factors[i++] = (float) item->valuedouble;
  if (i == n && n > 0)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: %s of the rotary positions is no list of %d numbers above 0, at most %d", what,
               key, n, ENG_MAX_ROTARY_PAIRS);
  return FALSE;
}

/* A text that is longer than those of the training makes scores grow by what was given to it. */
static gboolean
read_long (const cJSON       *json,
           const char        *what,
           int                n_positions,
           EngRotary         *rotary,
           EngRotaryFactors  *factors,
           GError           **error)
{
  double n = rotary->original_positions;

  rotary->factor = n_positions / n;
  if (!read_factors (json, "short_factor", what, rotary->size / 2, factors->within, error) ||
      !read_factors (json, "long_factor", what, rotary->size / 2, factors->beyond, error) ||
      !eng_config_read_factor (json, "factor", what, &rotary->factor, error))
    return FALSE;

  rotary->attention_factor = rotary->factor > 1 ? sqrt (1 + log (rotary->factor) / log (n)) : 1;
  return eng_config_read_factor (json, "attention_factor", what, &rotary->attention_factor, error);
}

/* 0.1 · scale · log (factor) + 1 */
static double
grow (double factor,
      double scale)
{
  return factor > 1 ? 0.1 * scale * log (factor) + 1 : 1;
}

/* The pair of features that turns round so often within the lengths of the training. */
static double
find_pair (const EngRotary *rotary,
           double           n_turns)
{
  return rotary->size * log (rotary->original_positions / (n_turns * 2 * G_PI)) /
         (2 * log (rotary->base));
}

static gboolean
read_ramp (const cJSON  *json,
           const char   *what,
           EngRotary    *rotary,
           GError      **error)
{
  double most = 32, least = 1;
  gboolean truncate = TRUE;

  if (!eng_config_read_factor (json, "beta_fast", what, &most, error) ||
      !eng_config_read_factor (json, "beta_slow", what, &least, error) ||
      !eng_json_get_boolean (json, "truncate", what, &truncate, error))
    return FALSE;
  rotary->ramp_begin = find_pair (rotary, most);
  rotary->ramp_end = find_pair (rotary, least);
  if (truncate) {
    rotary->ramp_begin = floor (rotary->ramp_begin);
    rotary->ramp_end = ceil (rotary->ramp_end);
  }
  rotary->ramp_begin = fmax (rotary->ramp_begin, 0);
  rotary->ramp_end = fmin (rotary->ramp_end, rotary->size - 1);
  if (rotary->ramp_begin == rotary->ramp_end)
    rotary->ramp_end += 0.001;
  if (isfinite (rotary->ramp_begin) && isfinite (rotary->ramp_end))
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: rope_theta is %g, expected another base for rotary positions that are scaled "
               "by \"yarn\"", what, rotary->base);
  return FALSE;
}

/* Scores grow with the factor, by mscale / mscale_all_dim where both are said. */
static gboolean
read_yarn (const cJSON  *json,
           const char   *what,
           int           n_positions,
           EngRotary    *rotary,
           GError      **error)
{
  double scale = 0, all_scale = 0;

  rotary->factor = (double) n_positions / rotary->original_positions;
  if (!eng_config_read_factor (json, "factor", what, &rotary->factor, error) ||
      !eng_json_get_double (json, "mscale", what, &scale, error) ||
      !eng_json_get_double (json, "mscale_all_dim", what, &all_scale, error))
    return FALSE;
  rotary->attention_factor = grow (rotary->factor, 1);
  if (scale != 0 && all_scale != 0)
    rotary->attention_factor = grow (rotary->factor, scale) / grow (rotary->factor, all_scale);

  return eng_config_read_factor (json, "attention_factor", what, &rotary->attention_factor,
                                 error) &&
         read_ramp (json, what, rotary, error);
}

/* Of the whole config or, where the family has none of its own, of the scaling. */
static gboolean
read_original_positions (const cJSON  *json,
                         const cJSON  *scaling,
                         const char   *what,
                         gboolean      has_own,
                         EngRotary    *rotary,
                         GError      **error)
{
  const char *key = "original_max_position_embeddings";
  gint64 n = rotary->original_positions;

  if ((!has_own && !eng_json_get_int (scaling, key, 1, 1 << 24, what, &n, error)) ||
      !eng_json_get_int (json, key, 1, 1 << 24, what, &n, error))
    return FALSE;
  rotary->original_positions = (int) n;

  return TRUE;
}

static gboolean
read_by_length (const cJSON  *json,
                const char   *what,
                EngRotary    *rotary,
                GError      **error)
{
  if (!eng_config_read_factor (json, "low_freq_factor", what, &rotary->low_frequency_factor,
                               error) ||
      !eng_config_read_factor (json, "high_freq_factor", what, &rotary->high_frequency_factor,
                               error))
    return FALSE;
  if (rotary->high_frequency_factor > rotary->low_frequency_factor)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: high_freq_factor of the rotary positions is not above low_freq_factor", what);
  return FALSE;
}

static gboolean
read_scaling_type (const cJSON  *json,
                   const char   *what,
                   EngRotary    *rotary,
                   GError      **error)
{
  const char *name = "default";

  return eng_json_get_string (json, "type", what, &name, error) &&
         eng_json_get_string (json, "rope_type", what, &name, error) &&
         find_scaling (name, what, &rotary->scaling, error);
}

/* What the scaling needs that is not plain. */
static gboolean
read_scaling (const cJSON       *json,
              const cJSON       *scaling,
              const char        *what,
              int                n_positions,
              gboolean           has_own,
              EngRotary         *rotary,
              EngRotaryFactors  *factors,
              GError           **error)
{
  gboolean by_length = rotary->scaling == ENG_ROTARY_BY_LENGTH;
  gboolean is_long = rotary->scaling == ENG_ROTARY_LONG;
  gboolean by_ramp = rotary->scaling == ENG_ROTARY_BY_RAMP;

  if ((by_length || is_long || by_ramp) &&
      !read_original_positions (json, scaling, what, has_own, rotary, error))
    return FALSE;
  if (is_long)
    return read_long (scaling, what, n_positions, rotary, factors, error);
  if (by_ramp)
    return read_yarn (scaling, what, n_positions, rotary, error);

  rotary->factor = 0;
  return eng_config_read_factor (scaling, "factor", what, &rotary->factor, error) &&
         (!by_length || read_by_length (scaling, what, rotary, error));
}

/* One object of keys; has_own: the family has an original length of its own. */
static gboolean
read_parameters (const cJSON       *json,
                 const cJSON       *object,
                 const char        *key,
                 const char        *what,
                 int                n_positions,
                 gboolean           has_own,
                 EngRotary         *rotary,
                 EngRotaryFactors  *factors,
                 GError           **error)
{
  if (!object || cJSON_IsNull (object))
    return TRUE;
  if (!cJSON_IsObject (object)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: %s is no object of keys", what, key);
    return FALSE;
  }

  return eng_config_read_factor (object, "rope_theta", what, &rotary->base, error) &&
         read_scaling_type (object, what, rotary, error) &&
         (rotary->scaling == ENG_ROTARY_PLAIN ||
          read_scaling (json, object, what, n_positions, has_own, rotary, factors, error));
}

gboolean
eng_config_read_partial_rotary (const cJSON       *json,
                                const char        *key,
                                const char        *what,
                                double             part,
                                EngAttentionSpec  *heads,
                                GError           **error)
{
  if (!eng_config_read_factor (json, key, what, &part, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parameter_keys); i++) {
    const cJSON *object = eng_json_find (json, parameter_keys[i]);

    if (cJSON_IsObject (object) &&
        !eng_config_read_factor (object, "partial_rotary_factor", what, &part, error))
      return FALSE;
  }
  heads->rotary.size = (int) (heads->head_size * MIN (part, 2));
  if (heads->rotary.size > 0)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "%s: %s leaves none of a head's %d features",
               what, key, heads->head_size);
  return FALSE;
}

gboolean
eng_config_read_rotary (const cJSON       *json,
                        const char        *what,
                        int                n_positions,
                        EngRotary         *rotary,
                        EngRotaryFactors  *factors,
                        GError           **error)
{
  gboolean has_own = rotary->original_positions > 0;

  if (!has_own)
    rotary->original_positions = n_positions;
  if (!eng_config_read_factor (json, "rope_theta", what, &rotary->base, error))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (parameter_keys); i++)
    if (!read_parameters (json, eng_json_find (json, parameter_keys[i]), parameter_keys[i], what,
                          n_positions, has_own, rotary, factors, error))
      return FALSE;

  return TRUE;
}

gboolean
eng_config_read_layer_rotary (const cJSON       *json,
                              const char        *type,
                              const char        *what,
                              int                n_positions,
                              EngRotary         *rotary,
                              EngRotaryFactors  *factors,
                              GError           **error)
{
  const cJSON *types = eng_json_find (json, "rope_parameters");

  rotary->original_positions = n_positions;

  return !cJSON_IsObject (types) ||
         read_parameters (json, eng_json_find (types, type), type, what, n_positions, FALSE, rotary,
                          factors, error);
}
