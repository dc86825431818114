/* SPDX-License-Identifier: MIT */
#include "app/store/paths.h"

#include <sys/auxv.h>

#include "app/config.h"

/* A file of the build folder: the path of the models in the source tree. */
#define BUILD_MARK "headlight-build"

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
app_paths_get_program_folder (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *started = NULL;

  /* What is said without /proc may be relative. */
  if (program == NULL)
    started = g_canonicalize_filename ((const char *) getauxval (AT_EXECFN), NULL);

  return g_path_get_dirname (program != NULL ? program : started);
}

static char *
get_data_folder (void)
{
  g_autofree char *folder = app_paths_get_program_folder ();

  return g_canonicalize_filename (HEADLIGHT_DATA_FROM_PROGRAM, folder);
}

/* The build folder that the program lies in; NULL = it was installed, or its data are lost. */
static char *
find_build_folder (void)
{
  g_autofree char *data = get_data_folder ();
  g_autofree char *folder = NULL;

  if (g_file_test (data, G_FILE_TEST_IS_DIR))
    return NULL;

  folder = app_paths_get_program_folder ();
  while (!g_str_equal (folder, G_DIR_SEPARATOR_S)) {
    g_autofree char *mark = g_build_filename (folder, BUILD_MARK, NULL);
    char *parent;

    if (g_file_test (mark, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&folder);
    parent = g_path_get_dirname (folder);
    g_free (folder);
    folder = parent;
  }

  return NULL;
}

char *
app_paths_get_bundled_models (void)
{
  g_autofree char *build = find_build_folder ();
  g_autofree char *mark = build != NULL ? g_build_filename (build, BUILD_MARK, NULL) : NULL;
  g_autofree char *data = NULL;
  char *models;

  if (mark != NULL && g_file_get_contents (mark, &models, NULL, NULL))
    return models;

  data = get_data_folder ();
  return g_build_filename (data, "models", NULL);
}

/* They lie beside the models, in the source tree and where it is installed. */
char *
app_paths_get_lessons (void)
{
  g_autofree char *models = app_paths_get_bundled_models ();
  g_autofree char *data = g_path_get_dirname (models);

  return g_build_filename (data, "lessons", NULL);
}

char *
app_paths_get_schemas (void)
{
  g_autofree char *build = find_build_folder ();

  return build != NULL ? g_build_filename (build, "resources", NULL) : get_data_folder ();
}

char *
app_paths_get_data_models (void)
{
  return g_build_filename (g_get_user_data_dir (), "headlight", "models", NULL);
}

char *
app_paths_get_specimens (void)
{
  return g_build_filename (g_get_user_data_dir (), "headlight", "specimens", NULL);
}

char *
app_paths_get_scores (void)
{
  return g_build_filename (g_get_user_data_dir (), "headlight", "scores.ini", NULL);
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
