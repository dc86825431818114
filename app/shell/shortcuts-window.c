/* SPDX-License-Identifier: MIT */
#include "app/shell/shortcuts-window.h"

#include <string.h>

#include "app/desk/shortcuts.h"
#include "ui/controls/sight-box.h"

/* To make, style and lay out a line takes GTK 2 to 4 ms: all at once would hold up a frame. */
#define ROWS_AT_ONCE 5

struct _AppShortcutsWindow {
  AdwWindow          parent_instance;

  GtkWidget         *entry;
  GtkWidget         *stack;   /* "list" or, when nothing was found, "nothing" */
  GtkWidget         *scroller;
  GtkWidget         *groups;  /* UiSightBox of AdwPreferencesGroup */
  const AppShortcut *shortcuts;
  int                n_shortcuts;
  GPtrArray         *texts;   /* char *, by shortcut: folded, what a search looks in */
  GPtrArray         *rows;    /* GtkWidget, by shortcut: those that were made */
  GStrv              terms;   /* folded; all of them are wanted */
  int                n_done;  /* shortcuts that are shown or hidden as the terms want it */
  guint              source;  /* that sees to the others; 0 = none */
};

G_DEFINE_FINAL_TYPE (AppShortcutsWindow, app_shortcuts_window, ADW_TYPE_WINDOW)

static gboolean
is_wanted (AppShortcutsWindow *self,
           int                 index)
{
  for (int i = 0; self->terms[i] != NULL; i++)
    if (strstr (self->texts->pdata[index], self->terms[i]) == NULL)
      return FALSE;
  return TRUE;
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
  g_autofree char *keys = label_keys (shortcut->accels);
  g_autofree char *sentence = g_strdup_printf ("%s: %s", shortcut->title, keys);

  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), gtk_shortcut_label_new (shortcut->accels));
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
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), is_empty ? "nothing" : "list");
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
list_anew (AppShortcutsWindow *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (!is_wanted (self, (int) i))
      gtk_widget_set_visible (self->rows->pdata[i], FALSE);

  g_clear_handle_id (&self->source, g_source_remove);
  self->n_done = 0;
  if (list_more_cb (self) == G_SOURCE_CONTINUE)
    self->source = g_idle_add (list_more_cb, self);
}

/* The search. */

static void
search_cb (AppShortcutsWindow *self)
{
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                                             -1);

  g_strfreev (self->terms);
  self->terms = g_strsplit (folded, " ", -1);
  list_anew (self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (
                              self->scroller)), 0);
}

/* Escape ends the search first. */
static void
stop_cb (AppShortcutsWindow *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  else
    gtk_window_close (GTK_WINDOW (self));
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
  g_strfreev (self->terms);
  G_OBJECT_CLASS (app_shortcuts_window_parent_class)->finalize (object);
}

static void
app_shortcuts_window_class_init (AppShortcutsWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = app_shortcuts_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = app_shortcuts_window_finalize;

  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static GtkWidget *
clamp_new (GtkWidget *child)
{
  return g_object_new (ADW_TYPE_CLAMP,
                       "child", child,
                       "margin-start", 12,
                       "margin-end", 12,
                       NULL);
}

static void
build_search (AppShortcutsWindow *self)
{
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", "Find by word or key", NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Find shortcuts by word or key", -1);
  /* What is typed anywhere is searched for. */
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->entry), GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (search_cb), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (stop_cb), self);
}

static void
build_list (AppShortcutsWindow *self)
{
  GtkWidget *nothing = g_object_new (ADW_TYPE_STATUS_PAGE,
                                     "icon-name", "system-search-symbolic",
                                     "title", "No Shortcut Found",
                                     "description", "Try another word or key.",
                                     NULL);

  self->groups = g_object_new (UI_TYPE_SIGHT_BOX,
                               "orientation", GTK_ORIENTATION_VERTICAL,
                               "spacing", 24,
                               "margin-top", 12,
                               "margin-bottom", 24,
                               NULL);
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "child", clamp_new (self->groups),
                                 "hscrollbar-policy", GTK_POLICY_NEVER,
                                 "vexpand", TRUE,
                                 NULL);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), self->scroller, "list");
  gtk_stack_add_named (GTK_STACK (self->stack), nothing, "nothing");
}

static void
app_shortcuts_window_init (AppShortcutsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->shortcuts = app_shortcuts_get (&self->n_shortcuts);
  self->terms = g_new0 (char *, 1);
  self->rows = g_ptr_array_new ();
  self->texts = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; i < self->n_shortcuts; i++)
    g_ptr_array_add (self->texts, text_new (&self->shortcuts[i]));

  build_search (self);
  build_list (self);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), clamp_new (self->entry));
  gtk_box_append (GTK_BOX (box), self->stack);
  adw_window_set_content (ADW_WINDOW (self), box);
  list_anew (self);
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
