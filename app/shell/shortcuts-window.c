/* SPDX-License-Identifier: MIT */
#include "app/shell/shortcuts-window.h"

#include <string.h>

#include "app/desk/shortcuts.h"
#include "ui/boxes/sight-box.h"

/* To make, style and lay out a line takes GTK 2 to 4 ms: all at once would hold up a frame. */
#define ROWS_AT_ONCE 5

struct _AppShortcutsWindow {
  AppSearchWindow    parent_instance;

  GtkWidget         *groups;  /* UiSightBox of AdwPreferencesGroup */
  const AppShortcut *shortcuts;
  int                n_shortcuts;
  GPtrArray         *texts;   /* char *, by shortcut: folded, what a search looks in */
  GPtrArray         *rows;    /* GtkWidget, by shortcut: those that were made */
  int                n_done;  /* shortcuts that are shown or hidden as the search wants it */
  guint              source;  /* that sees to the others; 0 = none */
};

G_DEFINE_FINAL_TYPE (AppShortcutsWindow, app_shortcuts_window, APP_TYPE_SEARCH_WINDOW)

static gboolean
is_wanted (AppShortcutsWindow *self,
           int                 index)
{
  return app_search_window_matches (APP_SEARCH_WINDOW (self), self->texts->pdata[index]);
}

/* What is written on the keys: those of the keypad have the same as the others. */
static char *
describe_keys (const char *accel)
{
  GdkModifierType modifiers;
  guint key;

  if (!gtk_accelerator_parse (accel, &key, &modifiers))
    return g_strdup (accel);
  return gdk_keyval_to_unicode (key) != 0
         ? g_strdup_printf ("%u %x", modifiers, gdk_keyval_to_unicode (key))
         : gtk_accelerator_get_label (key, modifiers);
}

/* A key of the keypad says the same as that of the letters: once is enough. */
static char *
drop_repeats (const char *accels)
{
  g_auto (GStrv) keys = g_strsplit (accels, " ", -1);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) kept = g_string_new (NULL);

  for (int i = 0; keys[i] != NULL; i++) {
    char *label = describe_keys (keys[i]);

    if (!g_ptr_array_find_with_equal_func (labels, label, g_str_equal, NULL))
      g_string_append_printf (kept, "%s%s", kept->len > 0 ? " " : "", keys[i]);
    g_ptr_array_add (labels, label);
  }
  return g_string_free (g_steal_pointer (&kept), FALSE);
}

/* "Ctrl+Z Shift+Ctrl+Z" */
static char *
label_keys (const char *accels)
{
  g_auto (GStrv) keys = g_strsplit (accels, " ", -1);

  for (int i = 0; keys[i] != NULL; i++) {
    GdkModifierType modifiers;
    guint key;

    if (!gtk_accelerator_parse (keys[i], &key, &modifiers))
      continue;
    g_free (keys[i]);
    keys[i] = gtk_accelerator_get_label (key, modifiers);
  }
  return g_strjoinv (" ", keys);
}

static char *
text_new (const AppShortcut *shortcut)
{
  g_autofree char *keys = label_keys (shortcut->accels);
  g_autofree char *text = g_strdup_printf ("%s %s %s", shortcut->title, shortcut->group, keys);

  return g_utf8_casefold (text, -1);
}

/* Rows. */

static GtkWidget *
row_new (const AppShortcut *shortcut)
{
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (shortcut->title);
  g_autofree char *accels = drop_repeats (shortcut->accels);
  g_autofree char *keys = label_keys (accels);
  g_autofree char *sentence = g_strdup_printf ("%s: %s", shortcut->title, keys);

  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), gtk_shortcut_label_new (accels));
  gtk_widget_add_css_class (box, "shortcut");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                  -1);
  return row;
}

static AdwPreferencesGroup *
get_group (AppShortcutsWindow *self,
           int                 index)
{
  const AppShortcut *shortcut = &self->shortcuts[index];
  GtkWidget *group = gtk_widget_get_last_child (self->groups);

  if (index == 0 || !g_str_equal (shortcut->group, shortcut[-1].group)) {
    group = adw_preferences_group_new ();
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), shortcut->group);
    gtk_box_append (GTK_BOX (self->groups), group);
  }
  return ADW_PREFERENCES_GROUP (group);
}

/* Rows are made in the order of the table, so that each is the last one of its group. */
static GtkWidget *
ensure_row (AppShortcutsWindow *self,
            int                 index)
{
  if ((guint) index == self->rows->len) {
    GtkWidget *row = row_new (&self->shortcuts[index]);

    gtk_widget_set_visible (row, FALSE);
    adw_preferences_group_add (get_group (self, index), row);
    g_ptr_array_add (self->rows, row);
  }
  return self->rows->pdata[index];
}

/* A heading stands where there is something below it. */
static void
update_groups (AppShortcutsWindow *self)
{
  gboolean is_empty = TRUE;

  for (GtkWidget *group = gtk_widget_get_first_child (self->groups); group != NULL;
       group = gtk_widget_get_next_sibling (group)) {
    gboolean has_row = FALSE;

    for (guint i = 0; i < self->rows->len; i++)
      has_row = has_row || (gtk_widget_get_visible (self->rows->pdata[i])
                            && gtk_widget_is_ancestor (self->rows->pdata[i], group));
    gtk_widget_set_visible (group, has_row);
    is_empty = is_empty && !has_row;
  }
  if (!is_empty || self->n_done == self->n_shortcuts)
    app_search_window_set_found (APP_SEARCH_WINDOW (self), !is_empty);
}

static gboolean
list_more_cb (gpointer data)
{
  AppShortcutsWindow *self = data;

  for (int n_changed = 0; self->n_done < self->n_shortcuts && n_changed < ROWS_AT_ONCE;
       self->n_done++) {
    const gboolean is_new = (guint) self->n_done == self->rows->len;
    GtkWidget *row = ensure_row (self, self->n_done);
    const gboolean is_hidden = !gtk_widget_get_visible (row);

    gtk_widget_set_visible (row, is_wanted (self, self->n_done));
    n_changed += is_new || (is_hidden && gtk_widget_get_visible (row));
  }
  update_groups (self);

  if (self->n_done < self->n_shortcuts)
    return G_SOURCE_CONTINUE;
  self->source = 0;
  return G_SOURCE_REMOVE;
}

/* Lines that are not wanted go at once; the others come a few at a time. */
static void
list_anew (AppSearchWindow *window)
{
  AppShortcutsWindow *self = APP_SHORTCUTS_WINDOW (window);

  for (guint i = 0; i < self->rows->len; i++)
    if (!is_wanted (self, (int) i))
      gtk_widget_set_visible (self->rows->pdata[i], FALSE);

  g_clear_handle_id (&self->source, g_source_remove);
  self->n_done = 0;
  if (list_more_cb (self) == G_SOURCE_CONTINUE)
    self->source = g_idle_add (list_more_cb, self);
}

/* The window. */

static void
app_shortcuts_window_dispose (GObject *object)
{
  AppShortcutsWindow *self = APP_SHORTCUTS_WINDOW (object);

  g_clear_handle_id (&self->source, g_source_remove);
  G_OBJECT_CLASS (app_shortcuts_window_parent_class)->dispose (object);
}

static void
app_shortcuts_window_finalize (GObject *object)
{
  AppShortcutsWindow *self = APP_SHORTCUTS_WINDOW (object);

  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->rows);
  G_OBJECT_CLASS (app_shortcuts_window_parent_class)->finalize (object);
}

static void
app_shortcuts_window_class_init (AppShortcutsWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = app_shortcuts_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = app_shortcuts_window_finalize;
  APP_SEARCH_WINDOW_CLASS (klass)->search = list_anew;
}

static void
app_shortcuts_window_init (AppShortcutsWindow *self)
{
  AppSearchPage page = {
    .placeholder = "Find shortcuts by word or key",
    .nothing = "No Shortcut Found",
    .advice = "Try another word or key.",
  };

  self->shortcuts = app_shortcuts_get (&self->n_shortcuts);
  self->rows = g_ptr_array_new ();
  self->texts = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; i < self->n_shortcuts; i++)
    g_ptr_array_add (self->texts, text_new (&self->shortcuts[i]));
  page.content = self->groups = g_object_new (UI_TYPE_SIGHT_BOX,
                                              "orientation", GTK_ORIENTATION_VERTICAL,
                                              "spacing", 24,
                                              "margin-top", 12,
                                              "margin-bottom", 24,
                                              NULL);
  app_search_window_fill (APP_SEARCH_WINDOW (self), &page);
}

GtkWidget *
app_shortcuts_window_new (GtkWindow *parent)
{
  return g_object_new (APP_TYPE_SHORTCUTS_WINDOW,
                       "title", "Keyboard Shortcuts",
                       "transient-for", parent,
                       "modal", TRUE,
                       "default-width", 680,
                       "default-height", 720,
                       NULL);
}
