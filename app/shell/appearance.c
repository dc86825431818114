/* SPDX-License-Identifier: MIT */
/* What the window looks like: light or dark, high contrast. Where nothing is chosen the desktop says
 * it; that of controls, and the size of text, it says always. */
#include "app/shell/appearance.h"

struct _AppAppearance {
  GObject parent_instance;

  /* Borrowed: they outlive it. */
  AppDesk     *desk;
  AppSettings *settings;
  AppParts    *parts;
};

G_DEFINE_FINAL_TYPE (AppAppearance, app_appearance, G_TYPE_OBJECT)

static gboolean
has_high_contrast (AppAppearance *self)
{
  return self->settings->high_contrast
         || adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
}

static UiTheme
get_theme (AppAppearance *self)
{
  const gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  if (has_high_contrast (self))
    return is_dark ? UI_THEME_DARK_CONTRAST : UI_THEME_LIGHT_CONTRAST;
  return is_dark ? UI_THEME_DARK : UI_THEME_LIGHT;
}

static void
apply_theme (AppAppearance *self)
{
  static const AdwColorScheme schemes[] = {
    [APP_THEME_SYSTEM] = ADW_COLOR_SCHEME_DEFAULT,
    [APP_THEME_LIGHT] = ADW_COLOR_SCHEME_FORCE_LIGHT,
    [APP_THEME_DARK] = ADW_COLOR_SCHEME_FORCE_DARK,
  };
  AdwStyleManager *manager = adw_style_manager_get_default ();
  UiTheme theme;

  adw_style_manager_set_color_scheme (manager, schemes[self->settings->theme]);
  theme = get_theme (self);
  ui_scene_view_set_theme (app_picture_get_view (app_desk_get_picture (self->desk)), theme);
  app_parts_theme (self->parts);
}

static void
change_theme (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppAppearance *self = data;

  if (!app_theme_from_name (g_variant_get_string (value, NULL), &self->settings->theme))
    return;
  g_simple_action_set_state (action, value);
  apply_theme (self);
}

static void
change_high_contrast (GSimpleAction *action,
                      GVariant      *value,
                      gpointer       data)
{
  AppAppearance *self = data;

  self->settings->high_contrast = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  apply_theme (self);
}

static void
app_appearance_class_init (AppAppearanceClass *klass)
{
}

static void
app_appearance_init (AppAppearance *self)
{
}

AppAppearance *
app_appearance_new (AppDesk  *desk,
                    AppParts *parts)
{
  static const GActionEntry entries[] = {
    { "theme", NULL, "s", "'system'", change_theme },
    { "high-contrast", NULL, NULL, "false", change_high_contrast },
  };
  AdwStyleManager *manager = adw_style_manager_get_default ();
  AppAppearance *self = g_object_new (APP_TYPE_APPEARANCE, NULL);

  self->desk = desk;
  self->settings = app_desk_get_settings (desk);
  self->parts = parts;
  app_desk_add_actions (desk, entries, G_N_ELEMENTS (entries), self);
  app_desk_set_state (desk, "theme",
                      g_variant_new_string (app_theme_get_name (self->settings->theme)));
  app_desk_set_state (desk, "high-contrast", g_variant_new_boolean (self->settings->high_contrast));
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (apply_theme), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (apply_theme), self,
                           G_CONNECT_SWAPPED);
  apply_theme (self);

  return self;
}
