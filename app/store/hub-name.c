/* SPDX-License-Identifier: MIT */
#include "app/store/hub-name.h"

#include <string.h>

#include "app/store/hub-answer.h"

#define COMMIT_LENGTH       40
#define MAX_NAME_LENGTH     96
#define MAX_REVISION_LENGTH 200
#define MAX_PATH_LENGTH     512

/* One or two parts of letters, digits, "-", "_" and "."; each begins and ends with a letter, a
 * digit or "_", so that no part is "..". "--" stands for "/" in the cache. */
static gboolean
is_repository (const char *text)
{
  static const char pattern[] =
    "^([A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?/)?[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?\\z";

  return strlen (text) <= MAX_NAME_LENGTH
         && g_regex_match_simple (pattern, text, 0, 0)
         && strstr (text, "--") == NULL
         && strstr (text, "..") == NULL
         && !g_str_has_suffix (text, ".git");
}

/* No part is empty or begins with a dot. */
static gboolean
has_sound_parts (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (int i = 0; parts[i] != NULL; i++)
    if (parts[i][0] == '\0' || parts[i][0] == '.')
      return FALSE;

  return parts[0] != NULL;
}

static gboolean
is_printable (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_isgraph (*p))
      return FALSE;

  return TRUE;
}

/* What git takes for a reference, as far as it matters for a path. */
static gboolean
is_revision (const char *text)
{
  return strlen (text) <= MAX_REVISION_LENGTH
         && is_printable (text)
         && strpbrk (text, "\\~^:?*[@") == NULL
         && strstr (text, "..") == NULL
         && has_sound_parts (text);
}

AppHubName *
app_hub_name_parse (const char  *text,
                    GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "@", 2);
  AppHubName *self;

  if (parts[0] == NULL || !is_repository (parts[0])) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NAME,
                 "“%s” is no name of the hub, expected such as bert-base-uncased or "
                 "google-bert/bert-base-uncased", text);
    return NULL;
  }
  if (parts[1] != NULL && !is_revision (parts[1])) {
    g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_NAME,
                 "%s: “%s” is no revision, expected a branch, a tag or a commit",
                 parts[0], parts[1]);
    return NULL;
  }

  self = g_new0 (AppHubName, 1);
  self->repository = g_strdup (parts[0]);
  self->revision = g_strdup (parts[1] != NULL ? parts[1] : APP_HUB_MAIN_REVISION);
  return self;
}

void
app_hub_name_free (AppHubName *self)
{
  g_free (self->repository);
  g_free (self->revision);
  g_free (self);
}

char *
app_hub_name_to_string (const AppHubName *self)
{
  if (g_str_equal (self->revision, APP_HUB_MAIN_REVISION))
    return g_strdup (self->repository);
  return g_strconcat (self->repository, "@", self->revision, NULL);
}

char *
app_hub_make_url_path (const char *repository,
                       const char *revision,
                       const char *path)
{
  g_autofree char *escaped_revision = g_uri_escape_string (revision, NULL, FALSE);
  g_autofree char *escaped_path = g_uri_escape_string (path, "/", FALSE);

  return g_strdup_printf ("%s/resolve/%s/%s", repository, escaped_revision, escaped_path);
}

gboolean
app_hub_is_commit (const char *text)
{
  return strlen (text) == COMMIT_LENGTH && strspn (text, "0123456789abcdef") == COMMIT_LENGTH;
}

gboolean
app_hub_is_file_path (const char *text)
{
  return strlen (text) <= MAX_PATH_LENGTH
         && g_utf8_validate (text, -1, NULL)
         && strpbrk (text, "\\:\r\n") == NULL
         && has_sound_parts (text);
}
