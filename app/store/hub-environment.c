/* SPDX-License-Identifier: MIT */
#include "app/store/hub-environment.h"

#include <string.h>

#include "app/store/paths.h"

#define DEFAULT_ENDPOINT        "https://huggingface.co"
#define DEFAULT_TIMEOUT_SECONDS 10
#define MAX_TIMEOUT_SECONDS     3600

/* NULL when unset or empty. */
static const char *
get_variable (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL && value[0] != '\0' ? value : NULL;
}

static gboolean
is_true (const char *name)
{
  static const char *const words[] = { "1", "ON", "YES", "TRUE", NULL };
  const char *value = get_variable (name);
  g_autofree char *upper = value != NULL ? g_ascii_strup (value, -1) : NULL;

  return upper != NULL && g_strv_contains (words, upper);
}

/* The second variable counts only where the first says nothing. */
static const char *
find_offline (void)
{
  const char *name = get_variable ("HF_HUB_OFFLINE") != NULL ? "HF_HUB_OFFLINE"
                                                             : "TRANSFORMERS_OFFLINE";

  return is_true (name) ? name : NULL;
}

static char *
find_endpoint (void)
{
  const char *value = get_variable ("HF_ENDPOINT");
  char *endpoint = g_strdup (value != NULL ? value : DEFAULT_ENDPOINT);

  for (gsize length = strlen (endpoint); length > 0 && endpoint[length - 1] == '/'; length--)
    endpoint[length - 1] = '\0';
  return endpoint;
}

static guint
find_timeout (const char *name)
{
  const char *value = get_variable (name);
  guint64 seconds;

  if (value != NULL
      && g_ascii_string_to_unsigned (value, 10, 1, MAX_TIMEOUT_SECONDS, &seconds, NULL))
    return (guint) seconds;
  return DEFAULT_TIMEOUT_SECONDS;
}

/* Takes text over. Editors leave a line feed behind a token. */
static char *
clean_token (char *text)
{
  g_strdelimit (text, "\r\n", ' ');
  g_strstrip (text);
  if (text[0] == '\0')
    g_clear_pointer (&text, g_free);
  return text;
}

static char *
find_token (void)
{
  const char *value = get_variable ("HF_TOKEN");
  g_autofree char *path = NULL;
  g_autofree char *contents = NULL;

  if (is_true ("HF_HUB_DISABLE_IMPLICIT_TOKEN"))
    return NULL;
  if (value == NULL)
    value = get_variable ("HUGGING_FACE_HUB_TOKEN");
  if (value != NULL)
    return clean_token (g_strdup (value));

  path = app_paths_get_hub_token ();
  if (!g_file_get_contents (path, &contents, NULL, NULL))
    return NULL;
  return clean_token (g_steal_pointer (&contents));
}

AppHubEnvironment *
app_hub_environment_new (void)
{
  AppHubEnvironment *self = g_new0 (AppHubEnvironment, 1);

  self->offline = find_offline ();
  self->endpoint = find_endpoint ();
  self->cache = app_paths_get_hub_cache ();
  self->token = find_token ();
  self->metadata_timeout = find_timeout ("HF_HUB_ETAG_TIMEOUT");
  self->download_timeout = find_timeout ("HF_HUB_DOWNLOAD_TIMEOUT");
  self->no_symlinks = is_true ("HF_HUB_DISABLE_SYMLINKS");

  return self;
}

void
app_hub_environment_free (AppHubEnvironment *self)
{
  g_free (self->endpoint);
  g_free (self->cache);
  g_free (self->token);
  g_free (self);
}
