/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/settings.h"

#include <string.h>

/* A chat template makes some of these files large. */
#define MAX_BYTES (16 << 20)
#define MAX_DEPTH 32

/* FALSE for a file that is there and cannot be used. */
static gboolean
read_if_present (const char  *path,
                 cJSON      **json,
                 GError     **error)
{
  g_autoptr (GError) local_error = NULL;

  *json = eng_json_read (path, MAX_BYTES, MAX_DEPTH, &local_error);
  if (!*json && !g_error_matches (local_error, ENG_ERROR, ENG_ERROR_MISSING)) {
    g_propagate_error (error, g_steal_pointer (&local_error));
    return FALSE;
  }
  if (*json && !cJSON_IsObject (*json)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: not an object, expected keys and values", path);
    return FALSE;
  }

  return TRUE;
}

static gboolean
read_special (const cJSON    *json,
              const char     *key,
              const char     *path,
              EngAddedToken  *token,
              GError        **error)
{
  const cJSON *value = eng_json_find (json, key);

  if (cJSON_IsObject (value))
    return eng_added_token_read (value, path, token, error);

  return eng_json_get_string (json, key, path, &token->content, error);
}

static gboolean
read_model_type (const char  *folder,
                 char       **model_type,
                 GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (cJSON) config = NULL;
  const char *text = NULL;

  if (!read_if_present (path, &config, error) ||
      !eng_json_get_string (config, "model_type", path, &text, error))
    return FALSE;
  *model_type = g_strdup (text);

  return TRUE;
}

EngTokenizerSettings *
eng_tokenizer_settings_open (const char  *folder,
                             GError     **error)
{
  g_autoptr (EngTokenizerSettings) self = g_new0 (EngTokenizerSettings, 1);

  self->config_path = g_build_filename (folder, "tokenizer_config.json", NULL);
  self->special_tokens_path = g_build_filename (folder, "special_tokens_map.json", NULL);
  self->added_tokens_path = g_build_filename (folder, "added_tokens.json", NULL);
  if (!read_if_present (self->config_path, &self->config, error) ||
      !read_if_present (self->special_tokens_path, &self->special_tokens, error) ||
      !read_if_present (self->added_tokens_path, &self->added_tokens, error) ||
      !read_model_type (folder, &self->model_type, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
eng_tokenizer_settings_free (EngTokenizerSettings *self)
{
  g_free (self->config_path);
  g_free (self->special_tokens_path);
  g_free (self->added_tokens_path);
  cJSON_Delete (self->config);
  cJSON_Delete (self->special_tokens);
  cJSON_Delete (self->added_tokens);
  g_free (self->model_type);
  g_free (self);
}

gboolean
eng_tokenizer_settings_get_special (const EngTokenizerSettings  *self,
                                    const char                  *key,
                                    EngAddedToken               *token,
                                    GError                     **error)
{
  /* The newer file has the last word. */
  return read_special (self->special_tokens, key, self->special_tokens_path, token, error) &&
         read_special (self->config, key, self->config_path, token, error);
}

int
eng_tokenizer_settings_find_family (const EngTokenizerSettings  *self,
                                    const EngTokenizerFamily    *families,
                                    int                          n,
                                    const char                  *what,
                                    GError                     **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  const char *name = NULL;

  if (!eng_json_get_string (self->config, "tokenizer_class", self->config_path, &name, error))
    return -1;
  for (int i = 0; i < n; i++) {
    const EngTokenizerFamily *family = &families[i];
    gboolean is_same = i > 0 && g_str_equal (family[-1].tokenizer_class, family->tokenizer_class);

    if (name ? eng_tokenizer_is_class (name, family->tokenizer_class)
             : g_strcmp0 (self->model_type, family->model_type) == 0)
      return i;
    if (!name || !is_same)
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "",
                              name ? family->tokenizer_class : family->model_type);
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: %s is %s, expected one of %s where there is no tokenizer.json",
               what, name ? "tokenizer_class" : "model_type",
               name ? name : self->model_type ? self->model_type : "not said", known->str);

  return -1;
}

gboolean
eng_tokenizer_is_class (const char *name,
                        const char *expected)
{
  if (!g_str_has_prefix (name, expected))
    return FALSE;
  name += strlen (expected);

  return !*name || g_str_equal (name, "Fast");
}
