/* SPDX-License-Identifier: MIT */
#include "app/lessons/translation.h"

#include <string.h>

#define ENDING   ".md"
#define ORIGINAL "en" /* what lessons without a language in their name are in */

/* "de" of "NAME.de.md", length long; NULL = it has none. */
static const char *
find_language (const char *path,
               gsize      *length)
{
  const char *end, *begin;

  if (!g_str_has_suffix (path, ENDING))
    return NULL;
  end = path + strlen (path) - strlen (ENDING);
  begin = end;
  while (begin > path && (g_ascii_isalpha (begin[-1]) || begin[-1] == '_'))
    begin--;
  *length = (gsize) (end - begin);
  if (begin == path || begin[-1] != '.' || begin - 1 == path || begin[-2] == G_DIR_SEPARATOR)
    return NULL;

  /* "de", "deu", "pt_BR" */
  return g_ascii_islower (begin[0])
         && ((*length <= 3 && *length >= 2) || (*length >= 5 && *length <= 6
                                                && (begin[2] == '_' || begin[3] == '_')))
         ? begin : NULL;
}

gboolean
app_lesson_is_translation (const char *path)
{
  gsize length;

  return find_language (path, &length) != NULL;
}

char *
app_lesson_find_original (const char *path)
{
  gsize length;
  const char *language = find_language (path, &length);
  g_autofree char *original = NULL;

  if (language == NULL)
    return g_strdup (path);
  original = g_strdup_printf ("%.*s%s", (int) (language - 1 - path), path, ENDING);

  return g_file_test (original, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&original)
                                                        : g_strdup (path);
}

char *
app_lesson_find_translation (const char *path)
{
  const char *const *languages = g_get_language_names ();

  if (!g_str_has_suffix (path, ENDING) || app_lesson_is_translation (path))
    return g_strdup (path);
  for (int i = 0; languages[i] != NULL && !g_str_equal (languages[i], "C"); i++) {
    g_autofree char *translation = NULL;

    /* With an encoding or a variant it is no part of a name. */
    if (strpbrk (languages[i], ".@") != NULL)
      continue;
    if (g_str_equal (languages[i], ORIGINAL))
      break;
    translation = g_strdup_printf ("%.*s.%s%s", (int) (strlen (path) - strlen (ENDING)), path,
                                   languages[i], ENDING);
    if (g_file_test (translation, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&translation);
  }

  return g_strdup (path);
}

GPtrArray *
app_lesson_list_languages (const char *path)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *original = app_lesson_find_original (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;

  g_ptr_array_add (paths, g_strdup (path));
  if (!g_str_equal (original, path))
    g_ptr_array_add (paths, g_strdup (original));
  while (files != NULL && (name = g_dir_read_name (files)) != NULL) {
    g_autofree char *file = g_build_filename (folder, name, NULL);
    g_autofree char *translated = app_lesson_find_original (file);

    if (!g_str_equal (file, path) && !g_str_equal (file, original)
        && g_str_equal (translated, original))
      g_ptr_array_add (paths, g_steal_pointer (&file));
  }

  return paths;
}

/* The question behind this one, from block *i on, with its place; NULL = no further one. */
static const AppAsk *
find_question (const AppSection *section,
               guint            *i,
               AppPlace         *place)
{
  while (*i < section->blocks->len) {
    const AppBlock *block = section->blocks->pdata[(*i)++];

    if (block->type == APP_BLOCK_ASK) {
      *place = block->place;
      return block->ask;
    }
  }

  return NULL;
}

static gboolean
has_same_questions (const AppSection *section,
                    const AppSection *original,
                    AppPlace         *fault)
{
  AppPlace unused;

  *fault = section->place;
  for (guint i = 0, j = 0;;) {
    const AppAsk *ask = find_question (section, &i, fault);
    const AppAsk *asked = find_question (original, &j, &unused);

    if (ask == NULL || asked == NULL)
      return ask == asked;
    if (ask->type != asked->type)
      return FALSE;
  }
}

static gboolean
compare (const AppLesson  *self,
         const AppLesson  *original,
         AppPlace         *fault,
         GError          **error)
{
  const GPtrArray *sections = self->sections;
  g_autofree char *name = g_path_get_basename (original->path);

  if (sections->len != original->sections->len) {
    const guint last = MIN (sections->len - 1, original->sections->len);

    *fault = ((const AppSection *) sections->pdata[last])->place;
    g_set_error (error, APP_LESSON_ERROR, APP_LESSON_ERROR_SYNTAX,
                 "the number of sections is %u, expected %u as in %s", sections->len,
                 original->sections->len, name);
    return FALSE;
  }
  for (guint i = 0; i < sections->len; i++)
    if (!has_same_questions (sections->pdata[i], original->sections->pdata[i], fault)) {
      g_set_error (error, APP_LESSON_ERROR, APP_LESSON_ERROR_SYNTAX,
                   "the section has other questions than section %u of %s", i + 1, name);
      return FALSE;
    }

  return TRUE;
}

gboolean
app_lesson_check_translation (const AppLesson  *self,
                              AppPlace         *fault,
                              GError          **error)
{
  g_autofree char *path = app_lesson_find_original (self->path);
  g_autoptr (AppLesson) original = NULL;

  if (!app_lesson_is_translation (self->path) || g_str_equal (path, self->path))
    return TRUE;
  original = app_lesson_read (path, fault, NULL);

  return original == NULL || compare (self, original, fault, error);
}
