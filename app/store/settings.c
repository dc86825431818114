/* SPDX-License-Identifier: MIT */
#include "app/store/settings.h"

#include <gio/gio.h>

#include "app/config.h"
#include "app/store/paths.h"

static const char *const theme_names[] = { "system", "light", "dark" };

/* g_settings_new() would abort where the schema is not installed. */
static GSettings *
open_settings (void)
{
  GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsSchemaSource) built = NULL;

  if (installed != NULL)
    schema = g_settings_schema_source_lookup (installed, HEADLIGHT_APP_ID, TRUE);
  if (schema == NULL) {
    g_autofree char *folder = app_paths_get_schemas ();

    built = g_settings_schema_source_new_from_directory (folder, installed, TRUE, NULL);
    if (built != NULL)
      schema = g_settings_schema_source_lookup (built, HEADLIGHT_APP_ID, FALSE);
  }

  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

AppSettings *
app_settings_load (void)
{
  g_autoptr (GSettings) settings = open_settings ();
  AppSettings *self = g_new0 (AppSettings, 1);

  if (settings == NULL) {
    *self = (AppSettings) { .width = 1280, .height = 800, .inspector = TRUE };
    return self;
  }

  self->width = g_settings_get_int (settings, "window-width");
  self->height = g_settings_get_int (settings, "window-height");
  self->maximized = g_settings_get_boolean (settings, "window-maximized");
  self->inspector = g_settings_get_boolean (settings, "inspector");
  self->theme = (AppTheme) g_settings_get_enum (settings, "theme");
  self->high_contrast = g_settings_get_boolean (settings, "high-contrast");
  self->last_model = g_settings_get_string (settings, "last-model");
  if (self->last_model[0] == '\0')
    g_clear_pointer (&self->last_model, g_free);

  return self;
}

void
app_settings_save (const AppSettings *self)
{
  g_autoptr (GSettings) settings = open_settings ();

  if (settings == NULL)
    return;

  g_settings_set_int (settings, "window-width", self->width);
  g_settings_set_int (settings, "window-height", self->height);
  g_settings_set_boolean (settings, "window-maximized", self->maximized);
  g_settings_set_boolean (settings, "inspector", self->inspector);
  g_settings_set_enum (settings, "theme", self->theme);
  g_settings_set_boolean (settings, "high-contrast", self->high_contrast);
  g_settings_set_string (settings, "last-model", self->last_model != NULL ? self->last_model : "");
  /* The program may end right behind this. */
  g_settings_sync ();
}

void
app_settings_free (AppSettings *self)
{
  g_free (self->last_model);
  g_free (self);
}

void
app_settings_set_last_model (AppSettings *self,
                             const char  *model)
{
  char *copy = g_strdup (model);

  g_free (self->last_model);
  self->last_model = copy;
}

const char *
app_theme_get_name (AppTheme theme)
{
  return theme_names[theme];
}

gboolean
app_theme_from_name (const char *name,
                     AppTheme   *theme)
{
  for (gsize i = 0; i < G_N_ELEMENTS (theme_names); i++)
    if (g_str_equal (name, theme_names[i])) {
      *theme = (AppTheme) i;
      return TRUE;
    }

  return FALSE;
}
