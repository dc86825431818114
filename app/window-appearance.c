/* SPDX-License-Identifier: MIT */
/* What the window looks like: light or dark, high contrast, size of text. Where nothing is chosen
 * the desktop says it. */
#include "app/window-private.h"

#define NORMAL_DPI   (96 * 1024)
#define NORMAL_SIZE  100
#define CONTRAST_CSS "/org/gnome/Adwaita/styles/base-hc.css"

/* Percent of the desktop's size. */
static const int text_sizes[] = { 75, 90, NORMAL_SIZE, 110, 125, 150, 175, 200 };

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

/* libadwaita has a style sheet for it, but takes it on a word of the desktop's alone. */
static void
apply_contrast (AppWindow *self)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self));

  if (self->settings->high_contrast == (self->contrast_css != NULL)
      || !g_resources_get_info (CONTRAST_CSS, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL))
    return;

  if (self->settings->high_contrast) {
    self->contrast_css = gtk_css_provider_new ();
    gtk_css_provider_load_from_resource (self->contrast_css, CONTRAST_CSS);
    gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (self->contrast_css),
                                                GTK_STYLE_PROVIDER_PRIORITY_THEME + 1);
  } else {
    gtk_style_context_remove_provider_for_display (display,
                                                   GTK_STYLE_PROVIDER (self->contrast_css));
    g_clear_object (&self->contrast_css);
  }
}

/* Pictures take the size from the same setting. Once it is set here GTK no longer hears what the
 * desktop says, so that is kept from before. */
static void
apply_text_size (AppWindow *self)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  const int percent = self->settings->text_size;

  if (self->desktop_dpi == 0 && percent == NORMAL_SIZE)
    return;

  if (self->desktop_dpi == 0)
    g_object_get (settings, "gtk-xft-dpi", &self->desktop_dpi, NULL);
  if (self->desktop_dpi <= 0)
    self->desktop_dpi = NORMAL_DPI;
  g_object_set (settings, "gtk-xft-dpi", (int) ((gint64) self->desktop_dpi * percent / 100), NULL);
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
  apply_contrast (self);
  apply_theme (self);
}

static void
sync_text_size (AppWindow *self)
{
  const int size = self->settings->text_size;
  const struct {
    const char *name;
    gboolean    has_effect;
  } actions[] = {
    { "text-larger", size < text_sizes[G_N_ELEMENTS (text_sizes) - 1] },
    { "text-smaller", size > text_sizes[0] },
    { "text-normal", size != NORMAL_SIZE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), actions[i].name);

    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), actions[i].has_effect);
  }
}

static void
set_text_size (AppWindow *self,
               int        percent)
{
  self->settings->text_size = percent;
  apply_text_size (self);
  sync_text_size (self);
}

static void
text_larger (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;

  for (gsize i = 0; i < G_N_ELEMENTS (text_sizes); i++)
    if (text_sizes[i] > self->settings->text_size) {
      set_text_size (self, text_sizes[i]);
      return;
    }
}

static void
text_smaller (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppWindow *self = data;

  for (gsize i = G_N_ELEMENTS (text_sizes); i > 0; i--)
    if (text_sizes[i - 1] < self->settings->text_size) {
      set_text_size (self, text_sizes[i - 1]);
      return;
    }
}

static void
text_normal (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  set_text_size (data, NORMAL_SIZE);
}

void
app_window_add_appearance (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "theme", NULL, "s", "'system'", change_theme },
    { "high-contrast", NULL, NULL, "false", change_high_contrast },
    { "text-larger", text_larger },
    { "text-smaller", text_smaller },
    { "text-normal", text_normal },
  };
  GActionMap *map = G_ACTION_MAP (self);
  AdwStyleManager *manager = adw_style_manager_get_default ();

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "theme")),
                             g_variant_new_string (app_theme_get_name (self->settings->theme)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "high-contrast")),
                             g_variant_new_boolean (self->settings->high_contrast));
  sync_text_size (self);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (apply_theme), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (apply_theme),
                           self, G_CONNECT_SWAPPED);
  apply_contrast (self);
  apply_text_size (self);
  apply_theme (self);
}

/* What is the display's outlives the window. */
void
app_window_forget_appearance (AppWindow *self)
{
  if (self->contrast_css != NULL)
    gtk_style_context_remove_provider_for_display (gtk_widget_get_display (GTK_WIDGET (self)),
                                                   GTK_STYLE_PROVIDER (self->contrast_css));
  g_clear_object (&self->contrast_css);
  if (self->desktop_dpi > 0)
    g_object_set (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", self->desktop_dpi,
                  NULL);
  self->desktop_dpi = 0;
}
