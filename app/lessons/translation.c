/* SPDX-License-Identifier: MIT */
#include "app/lessons/translation.h"

#include "app/lessons/lesson-private.h"

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

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
app_lesson_list_translations (const char *path)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  const char *slash = strrchr (path, G_DIR_SEPARATOR);
  const int length = slash != NULL ? (int) (slash + 1 - path) : 0;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL) {
    g_autofree char *beside = g_strdup_printf ("%.*s%s", length, path, name);
    g_autofree char *original = app_lesson_find_original (beside);

    if (g_str_equal (original, path) && !g_str_equal (original, beside))
      g_ptr_array_add (found, g_steal_pointer (&beside));
  }
  g_ptr_array_sort (found, compare_names);

  return found;
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

  return original == NULL || app_lesson_is_same (self, original, fault, error);
}
