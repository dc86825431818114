/* SPDX-License-Identifier: MIT */
#include "engine/writing/embedded-languages.h"

#include "engine/writing/languages.h"

#include <string.h>

#define MAX_NAMED 20

/* The very spelling goes first. */
static const char *
find_code (const EngModel *model,
           const char     *name)
{
  const char *const *codes = eng_model_get_languages (model);

  for (int i = 0; codes[i]; i++)
    if (g_ascii_strcasecmp (codes[i], name) == 0)
      return codes[i];
  for (int i = 0; codes[i]; i++)
    if (eng_language_matches (codes[i], name))
      return codes[i];

  return NULL;
}

static char *
name_codes (const EngModel *model)
{
  const char *const *codes = eng_model_get_languages (model);
  GString *names = g_string_new (NULL);
  guint n = g_strv_length ((char **) codes);

  for (guint i = 0; i < MIN (n, MAX_NAMED); i++)
    g_string_append_printf (names, "%s%s", i ? ", " : "", codes[i]);
  if (n > MAX_NAMED)
    g_string_append_printf (names, " and %u more", n - MAX_NAMED);

  return g_string_free (names, FALSE);
}

gboolean
eng_embedded_languages_find (const EngModel  *model,
                             const char      *lang,
                             char           **of_a,
                             char           **of_b,
                             GError         **error)
{
  g_auto (GStrv) parts = g_strsplit (lang, ":", 2);
  const char *a = parts[0] ? find_code (model, parts[0]) : NULL;
  const char *b = parts[0] && parts[1] ? find_code (model, parts[1]) : a;
  g_autofree char *names = NULL;

  if (a && b) {
    *of_a = g_strdup (a);
    *of_b = g_strdup (b);
    return TRUE;
  }
  names = name_codes (model);
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s has no language “%s”, it has %s",
               eng_model_get_info (model)->name, !parts[0] ? "" : a ? parts[1] : parts[0], names);

  return FALSE;
}
