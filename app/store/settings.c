/* SPDX-License-Identifier: MIT */
#include "app/store/settings.h"

#include <gio/gio.h>

#include "app/config.h"
#include "app/store/paths.h"

static const char *const theme_names[] = { "system", "light", "dark" };

static const struct {
  const char *key;
  char        type; /* as a variant's; e: a name of the schema's enum */
  gsize       offset;
} fields[] = {
  { "window-width", 'i', offsetof (AppSettings, width) },
  { "window-height", 'i', offsetof (AppSettings, height) },
  { "window-maximized", 'b', offsetof (AppSettings, maximized) },
  { "map", 'b', offsetof (AppSettings, map) },
  { "map-width", 'i', offsetof (AppSettings, map_width) },
  { "inspector", 'b', offsetof (AppSettings, inspector) },
  { "inspector-width", 'i', offsetof (AppSettings, inspector_width) },
  { "theme", 'e', offsetof (AppSettings, theme) },
  { "high-contrast", 'b', offsetof (AppSettings, high_contrast) },
  { "starts", 'i', offsetof (AppSettings, starts) },
  { "ways-used", 'i', offsetof (AppSettings, ways_used) },
  { "last-model", 's', offsetof (AppSettings, last_model) },
};

/* GSettings would abort with a key that is not there or is of another type; NULL = none of ours. */
static const char *
find_lacking_key (GSettingsSchema *schema)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    g_autoptr (GSettingsSchemaKey) key = NULL;
    char type = fields[i].type == 'e' ? 's' : fields[i].type;

    if (!g_settings_schema_has_key (schema, fields[i].key))
      return fields[i].key;
    key = g_settings_schema_get_key (schema, fields[i].key);
    if (g_variant_type_peek_string (g_settings_schema_key_get_value_type (key))[0] != type)
      return fields[i].key;
  }

  return NULL;
}

/* The desktop's may be of another version of Headlight. says: what is not as it should be. */
static GSettingsSchema *
find_installed (gboolean says)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;
  const char *lacking;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, HEADLIGHT_APP_ID, TRUE);
  lacking = schema != NULL ? find_lacking_key (schema) : NULL;
  if (lacking != NULL && says)
    g_printerr ("headlight-window: the desktop's schema %s lacks the key %s; the one that came with "
                "the program is taken\n", HEADLIGHT_APP_ID, lacking);

  return lacking == NULL ? g_steal_pointer (&schema) : NULL;
}

static GSettingsSchema *
find_own (gboolean says)
{
  g_autofree char *folder = app_paths_get_schemas ();
  g_autoptr (GSettingsSchemaSource) source = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autofree char *fault = NULL;
  g_autoptr (GError) error = NULL;

  source = g_settings_schema_source_new_from_directory (folder, NULL, TRUE, &error);
  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, HEADLIGHT_APP_ID, FALSE);

  if (source == NULL)
    fault = g_strdup (error->message);
  else if (schema == NULL)
    fault = g_strdup_printf ("%s has no schema %s", folder, HEADLIGHT_APP_ID);
  else if (find_lacking_key (schema) != NULL)
    fault = g_strdup_printf ("the schema in %s lacks the key %s", folder,
                             find_lacking_key (schema));

  if (fault != NULL && says)
    g_printerr ("headlight-window: settings are not kept: %s\n", fault);
  return fault == NULL ? g_steal_pointer (&schema) : NULL;
}

/* g_settings_new() would abort where the schema is not installed. */
static GSettings *
open_settings (gboolean says)
{
  g_autoptr (GSettingsSchema) schema = find_installed (says);

  if (schema == NULL)
    schema = find_own (says);

  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

AppSettings *
app_settings_load (void)
{
  g_autoptr (GSettings) settings = open_settings (TRUE);
  AppSettings *self = g_new0 (AppSettings, 1);

  if (settings == NULL) {
    *self = (AppSettings) { .width = 1280, .height = 800, .map = TRUE, .map_width = 240,
                            .inspector = TRUE, .inspector_width = 288 };
    return self;
  }

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    const char *key = fields[i].key;
    gpointer place = G_STRUCT_MEMBER_P (self, fields[i].offset);

    switch (fields[i].type) {
      case 'i': *(int *) place = g_settings_get_int (settings, key); break;
      case 'b': *(gboolean *) place = g_settings_get_boolean (settings, key); break;
      case 'e': *(AppTheme *) place = (AppTheme) g_settings_get_enum (settings, key); break;
      default:  *(char **) place = g_settings_get_string (settings, key); break;
    }
  }
  if (self->last_model[0] == '\0')
    g_clear_pointer (&self->last_model, g_free);

  return self;
}

void
app_settings_save (const AppSettings *self)
{
  g_autoptr (GSettings) settings = open_settings (FALSE);

  if (settings == NULL)
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    const char *key = fields[i].key;
    gconstpointer place = G_STRUCT_MEMBER_P (self, fields[i].offset);
    const char *text;

    switch (fields[i].type) {
      case 'i': g_settings_set_int (settings, key, *(const int *) place); break;
      case 'b': g_settings_set_boolean (settings, key, *(const gboolean *) place); break;
      case 'e': g_settings_set_enum (settings, key, *(const AppTheme *) place); break;
      default:
        text = *(const char *const *) place;
        g_settings_set_string (settings, key, text != NULL ? text : "");
        break;
    }
  }
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
