/* SPDX-License-Identifier: MIT */
#include "app/paths.h"

#include "app/config.h"

static gboolean
expand_variable (const GMatchInfo *match,
                 GString          *expanded,
                 gpointer          data)
{
  g_autofree char *name = g_match_info_fetch_named (match, "name");
  const char *value = g_getenv (name);

  if (value != NULL)
    g_string_append (expanded, value);
  else {
    g_autofree char *whole = g_match_info_fetch (match, 0);

    g_string_append (expanded, whole);
  }

  return FALSE;
}

/* A leading ~ and every $NAME or ${NAME} that is set. */
static char *
expand_path (const char *path)
{
  g_autoptr (GRegex) variable = g_regex_new ("\\$(?|\\{(?<name>\\w+)\\}|(?<name>\\w+))",
                                             G_REGEX_DUPNAMES, 0, NULL);
  g_autofree char *home = NULL;

  if (path[0] == '~' && (path[1] == '\0' || path[1] == '/'))
    home = g_strconcat (g_get_home_dir (), path + 1, NULL);

  return g_regex_replace_eval (variable, home != NULL ? home : path, -1, 0, 0,
                               expand_variable, NULL, NULL);
}

static char *
get_expanded_env (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL && value[0] != '\0' ? expand_path (value) : NULL;
}

/* Where huggingface_hub keeps everything. */
static char *
get_hub_home (void)
{
  char *home = get_expanded_env ("HF_HOME");

  return home != NULL ? home : g_build_filename (g_get_user_cache_dir (), "huggingface", NULL);
}

char *
app_paths_get_bundled_models (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = NULL;
  g_autofree char *beside = NULL;

  if (program == NULL)
    return g_build_filename (HEADLIGHT_DATA_DIR, "models", NULL);
  if (g_str_has_prefix (program, HEADLIGHT_BUILD_DIR G_DIR_SEPARATOR_S))
    return g_strdup (HEADLIGHT_SOURCE_MODELS);

  folder = g_path_get_dirname (program);
  beside = g_canonicalize_filename ("../share/headlight/models", folder);
  if (g_file_test (beside, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&beside);
  return g_build_filename (HEADLIGHT_DATA_DIR, "models", NULL);
}

char *
app_paths_get_data_models (void)
{
  return g_build_filename (g_get_user_data_dir (), "headlight", "models", NULL);
}

char *
app_paths_get_autosaves (void)
{
  return g_build_filename (g_get_user_state_dir (), "headlight", NULL);
}

char *
app_paths_get_hub_cache (void)
{
  g_autofree char *home = NULL;
  char *cache = get_expanded_env ("HF_HUB_CACHE");

  if (cache == NULL)
    cache = get_expanded_env ("HUGGINGFACE_HUB_CACHE");
  if (cache != NULL)
    return cache;

  home = get_hub_home ();
  return g_build_filename (home, "hub", NULL);
}

char *
app_paths_get_hub_token (void)
{
  g_autofree char *home = NULL;
  char *path = get_expanded_env ("HF_TOKEN_PATH");

  if (path != NULL)
    return path;

  home = get_hub_home ();
  return g_build_filename (home, "token", NULL);
}
