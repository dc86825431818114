/* SPDX-License-Identifier: MIT */
/* Rotary positions of config.json. */
#include "engine/families/config-spec.h"

#include <string.h>

static const struct {
  const char       *name;
  EngRotaryScaling  scaling;
} rotary_scalings[] = {
  { "default", ENG_ROTARY_PLAIN },
  { "linear", ENG_ROTARY_LINEAR },
  { "dynamic", ENG_ROTARY_DYNAMIC },
  { "llama3", ENG_ROTARY_BY_LENGTH },
};

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

static gboolean
read_scaling (const cJSON  *json,
              const char   *what,
              EngRotary    *rotary,
              GError      **error)
{
  const char *name = "default";
  gint64 original = rotary->original_positions;

  if (!eng_json_get_string (json, "type", what, &name, error) ||
      !eng_json_get_string (json, "rope_type", what, &name, error) ||
      !find_scaling (name, what, &rotary->scaling, error))
    return FALSE;
  if (rotary->scaling == ENG_ROTARY_PLAIN)
    return TRUE;

  rotary->factor = 0;
  if (!eng_config_read_factor (json, "factor", what, &rotary->factor, error))
    return FALSE;
  if (rotary->scaling != ENG_ROTARY_BY_LENGTH)
    return TRUE;

  if (!eng_config_read_factor (json, "low_freq_factor", what, &rotary->low_frequency_factor,
                               error) ||
      !eng_config_read_factor (json, "high_freq_factor", what, &rotary->high_frequency_factor,
                               error) ||
      !eng_json_get_int (json, "original_max_position_embeddings", 1, 1 << 24, what, &original,
                         error))
    return FALSE;
  rotary->original_positions = (int) original;
  if (rotary->high_frequency_factor > rotary->low_frequency_factor)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: high_freq_factor of the rotary positions is not above low_freq_factor", what);
  return FALSE;
}

gboolean
eng_config_read_rotary (const cJSON  *json,
                        const char   *what,
                        int           n_positions,
                        EngRotary    *rotary,
                        GError      **error)
{
  static const char *const objects[] = { "rope_scaling", "rope_parameters" };

  rotary->original_positions = n_positions;
  if (!eng_config_read_factor (json, "rope_theta", what, &rotary->base, error))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++) {
    const cJSON *object = eng_json_find (json, objects[i]);

    if (!object || cJSON_IsNull (object))
      continue;
    if (!cJSON_IsObject (object)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: %s is no object of keys", what,
                   objects[i]);
      return FALSE;
    }
    if (!eng_config_read_factor (object, "rope_theta", what, &rotary->base, error) ||
        !read_scaling (object, what, rotary, error))
      return FALSE;
  }

  return TRUE;
}
