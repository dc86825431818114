/* SPDX-License-Identifier: MIT */
#include "app/shell/menus.h"

static void
append_section (GMenu      *menu,
                const char *const (*items)[2])
{
  g_autoptr (GMenu) section = g_menu_new ();

  for (; (*items)[0] != NULL; items++)
    g_menu_append (section, (*items)[0], (*items)[1]);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* Takes the submenu over. */
static void
append_submenu (GMenu      *menu,
                const char *title,
                GMenu      *submenu)
{
  g_menu_append_submenu (menu, title, G_MENU_MODEL (submenu));
  g_object_unref (submenu);
}

static GMenu *
submenu_new (const char *const (*items)[2])
{
  GMenu *menu = g_menu_new ();

  append_section (menu, items);
  return menu;
}

/* Padding is filled up in such lengths, as batches and compiled models want them. */
static GMenu *
lengths_new (void)
{
  static const char *const lengths[][2] = {
    { "No Padding", "win.pad-to::0" },
    { "16 Tokens", "win.pad-to::16" },
    { "32 Tokens", "win.pad-to::32" },
    { "64 Tokens", "win.pad-to::64" },
    { "128 Tokens", "win.pad-to::128" },
    { "512 Tokens", "win.pad-to::512" },
    { NULL },
  };

  return submenu_new (lengths);
}

static GMenu *
model_new (void)
{
  static const char *const files[][2] = {
    { "Open Model Folder…", "win.open-model" },
    { "Open Trace File…", "win.open-trace" },
    { "Download a Model…", "win.download-model" },
    { "Train a Model…", "win.train-model" },
    { NULL },
  };
  static const char *const details[][2] = {
    { "Model Details", "win.model-details" },
    { "Random Weights", "win.random-weights" },
    { NULL },
  };
  GMenu *menu = submenu_new (files);

  append_section (menu, details);
  return menu;
}

static GMenu *
zoom_new (void)
{
  static const char *const sizes[][2] = {
    { "Zoom In", "win.zoom-in" },
    { "Zoom Out", "win.zoom-out" },
    { "Normal Size", "win.zoom-normal" },
    { "Fit in the Window", "win.zoom-fit" },
    { NULL },
  };

  return submenu_new (sizes);
}

static GMenu *
find_new (void)
{
  static const char *const searches[][2] = {
    { "Heads of a Pattern…", "win.find-pattern" },
    { "Heads of Two Words…", "win.find-heads" },
    { "Search a Text File…", "win.search-file" },
    { NULL },
  };

  return submenu_new (searches);
}

static GMenu *
appearance_new (void)
{
  static const char *const themes[][2] = {
    { "Follow the Desktop", "win.theme::system" },
    { "Light", "win.theme::light" },
    { "Dark", "win.theme::dark" },
    { NULL },
  };
  static const char *const flags[][2] = {
    { "High Contrast Pictures", "win.high-contrast" },
    { "Full Screen", "win.fullscreen" },
    { NULL },
  };
  GMenu *menu = submenu_new (themes);

  append_section (menu, flags);
  return menu;
}

static GMenu *
lessons_new (void)
{
  static const char *const lessons[][2] = {
    { "All Lessons", "win.lessons" },
    { "Tour", "win.tour" },
    { "Add This View to a Lesson…", "win.add-to-lesson" },
    { NULL },
  };

  return submenu_new (lessons);
}

static GMenu *
copies_new (void)
{
  static const char *const copies[][2] = {
    { "Picture", "win.copy-picture" },
    { "Numbers", "win.copy-numbers" },
    { "CSV", "win.copy-csv" },
    { "JSON", "win.copy-json" },
    { "Command", "win.copy-command" },
    { NULL },
  };

  return submenu_new (copies);
}

/* Short enough for a window of 720 px: what is wanted less often is in submenus. */
GMenuModel *
app_menus_new_main (GMenuModel *recent)
{
  static const char *const figures[][2] = {
    { "Export…", "win.export" },
    { "Present", "win.present" },
    { NULL },
  };
  static const char *const help[][2] = {
    { "Keyboard Shortcuts", "win.shortcuts" },
    { "Help", "win.help" },
    { "About Headlight", "win.about" },
    { NULL },
  };
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) sessions = g_menu_new ();
  g_autoptr (GMenu) rest = g_menu_new ();

  g_menu_append (sessions, "Open…", "win.open");
  g_menu_append_submenu (sessions, "Open Recent", recent);
  g_menu_append (sessions, "Save", "win.save");
  g_menu_append (sessions, "Save As…", "win.save-as");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (sessions));
  append_section (menu, figures);
  append_submenu (rest, "Model", model_new ());
  append_submenu (rest, "Find", find_new ());
  append_submenu (rest, "Appearance", appearance_new ());
  append_submenu (rest, "Lessons", lessons_new ());
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  append_section (menu, help);

  return G_MENU_MODEL (menu);
}

/* What was left out stands at its end, where it is looked for least often once there is room. */
GMenuModel *
app_menus_new_more (gboolean has_zoom,
                    gboolean has_header)
{
  static const char *const numbers[][2] = {
    { "Table of the Numbers", "win.table" },
    { "Ablate Each Head…", "win.ablate" },
    { NULL },
  };
  static const char *const zooms[][2] = {
    { "Larger", "win.zoom-in" },
    { "Smaller", "win.zoom-out" },
    { "Fit", "win.zoom-fit" },
    { NULL },
  };
  static const char *const steps[][2] = {
    { "Undo", "win.undo" },
    { "Redo", "win.redo" },
    { "Export…", "win.export" },
    { NULL },
  };
  GMenu *menu = submenu_new (numbers);
  g_autoptr (GMenu) tokens = g_menu_new ();
  g_autoptr (GMenu) picture = g_menu_new ();

  g_menu_append (tokens, "Without Special Tokens", "win.no-special-tokens");
  append_submenu (tokens, "Pad To", lengths_new ());
  g_menu_append_section (menu, NULL, G_MENU_MODEL (tokens));
  append_submenu (picture, "Copy As", copies_new ());
  append_submenu (picture, "Zoom", zoom_new ());
  g_menu_append_section (menu, NULL, G_MENU_MODEL (picture));
  if (!has_zoom)
    append_section (menu, zooms);
  if (!has_header)
    append_section (menu, steps);

  return G_MENU_MODEL (menu);
}
