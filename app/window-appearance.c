/* SPDX-License-Identifier: MIT */
/* What the window looks like: light or dark, high contrast. Where nothing is chosen the desktop says
 * it; that of controls, and the size of text, it says always. */
#include "app/window-private.h"

static gboolean
has_high_contrast (AppWindow *self)
{
  return self->settings->high_contrast
         || adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
}

UiTheme
app_window_get_theme (AppWindow *self)
{
  const gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  if (has_high_contrast (self))
    return is_dark ? UI_THEME_DARK_CONTRAST : UI_THEME_LIGHT_CONTRAST;
  return is_dark ? UI_THEME_DARK : UI_THEME_LIGHT;
}

static void
apply_theme (AppWindow *self)
{
  static const AdwColorScheme schemes[] = {
    [APP_THEME_SYSTEM] = ADW_COLOR_SCHEME_DEFAULT,
    [APP_THEME_LIGHT] = ADW_COLOR_SCHEME_FORCE_LIGHT,
    [APP_THEME_DARK] = ADW_COLOR_SCHEME_FORCE_DARK,
  };
  AdwStyleManager *manager = adw_style_manager_get_default ();
  UiTheme theme;

  adw_style_manager_set_color_scheme (manager, schemes[self->settings->theme]);
  theme = app_window_get_theme (self);
  ui_scene_view_set_theme (self->scene_view, theme);
  ui_head_chips_set_theme (self->chips, theme);
  ui_inspector_set_theme (self->inspector, theme);
  ui_link_results_set_theme (self->link_results, theme);
  ui_search_results_set_theme (self->search_results, theme);
}

static void
change_theme (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppWindow *self = data;

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
  AppWindow *self = data;

  self->settings->high_contrast = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  apply_theme (self);
}

void
app_window_add_appearance (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "theme", NULL, "s", "'system'", change_theme },
    { "high-contrast", NULL, NULL, "false", change_high_contrast },
  };
  GActionMap *map = G_ACTION_MAP (self);
  AdwStyleManager *manager = adw_style_manager_get_default ();

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "theme")),
                             g_variant_new_string (app_theme_get_name (self->settings->theme)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "high-contrast")),
                             g_variant_new_boolean (self->settings->high_contrast));
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (apply_theme), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (apply_theme),
                           self, G_CONNECT_SWAPPED);
  apply_theme (self);
}
