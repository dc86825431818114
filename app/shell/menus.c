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

/* Padding is filled up in such lengths, as batches and compiled models want them. */
static void
append_lengths (GMenu *menu)
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
  g_autoptr (GMenu) submenu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  append_section (submenu, lengths);
  g_menu_append_submenu (section, "Pad To", G_MENU_MODEL (submenu));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
append_display (GMenu *menu)
{
  static const char *const measures[][2] = {
    { "Weight", "win.measure::weight" },
    { "Weight × Value Norm", "win.measure::value-norm" },
    { "After the Output Projection", "win.measure::output-norm" },
    { "Rollout", "win.measure::rollout" },
    { NULL },
  };
  static const char *const heads[][2] = {
    { "Each Head", "win.aggregate::each" },
    { "Mean of the Heads", "win.aggregate::mean" },
    { "Max of the Heads", "win.aggregate::max" },
    { NULL },
  };
  static const char *const layers[][2] = {
    { "One Layer", "win.layers::one" },
    { "Mean over All Layers", "win.layers::mean" },
    { "Max over All Layers", "win.layers::max" },
    { NULL },
  };
  static const char *const flags[][2] = {
    { "Hide Special Tokens", "win.hide-special" },
    { "Renormalise Rows", "win.renormalise" },
    { "Merge Word Pieces", "win.words" },
    { "Thresholds and Gain…", "win.display" },
    { NULL },
  };
  g_autoptr (GMenu) submenu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  append_section (submenu, measures);
  append_section (submenu, heads);
  append_section (submenu, layers);
  append_section (submenu, flags);
  g_menu_append_submenu (section, "What Is Drawn", G_MENU_MODEL (submenu));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
append_appearance (GMenu *menu)
{
  static const char *const themes[][2] = {
    { "Follow the Desktop", "win.theme::system" },
    { "Light", "win.theme::light" },
    { "Dark", "win.theme::dark" },
    { NULL },
  };
  static const char *const flags[][2] = { { "High Contrast Pictures", "win.high-contrast" },
                                          { NULL } };
  g_autoptr (GMenu) submenu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  append_section (submenu, themes);
  append_section (submenu, flags);
  g_menu_append_submenu (section, "Appearance", G_MENU_MODEL (submenu));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
append_figures (GMenu *menu)
{
  static const char *const copies[][2] = {
    { "Picture", "win.copy-picture" },
    { "Numbers", "win.copy-numbers" },
    { "CSV", "win.copy-csv" },
    { "JSON", "win.copy-json" },
    { "Command", "win.copy-command" },
    { NULL },
  };
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenu) submenu = g_menu_new ();

  g_menu_append (section, "Export…", "win.export");
  append_section (submenu, copies);
  g_menu_append_submenu (section, "Copy As", G_MENU_MODEL (submenu));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

GMenuModel *
app_menus_new_main (GMenuModel *recent)
{
  static const char *const sessions[][2] = {
    { "Open…", "win.open" },
    { "Save", "win.save" },
    { "Save As…", "win.save-as" },
    { NULL },
  };
  static const char *const files[][2] = {
    { "Open Model Folder…", "win.open-model" },
    { "Open Trace File…", "win.open-trace" },
    { "Download a Model…", "win.download-model" },
    { "Random Weights", "win.random-weights" },
    { "Model Details", "win.model-details" },
    { NULL },
  };
  static const char *const searches[][2] = {
    { "Find the Heads of Two Words…", "win.find-heads" },
    { "Search a Text File…", "win.search-file" },
    { NULL },
  };
  static const char *const sizes[][2] = {
    { "Zoom In", "win.zoom-in" },
    { "Zoom Out", "win.zoom-out" },
    { "Normal Size", "win.zoom-normal" },
    { "Fit in the Window", "win.zoom-fit" },
    { NULL },
  };
  static const char *const help[][2] = {
    { "Keyboard Shortcuts", "win.shortcuts" },
    { "About Headlight", "win.about" },
    { NULL },
  };
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_append_submenu (section, "Open Recent", recent);
  append_section (menu, sessions);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  append_section (menu, files);
  append_lengths (menu);
  append_display (menu);
  append_section (menu, searches);
  append_figures (menu);
  append_section (menu, sizes);
  append_appearance (menu);
  append_section (menu, help);

  return G_MENU_MODEL (menu);
}
