/* SPDX-License-Identifier: MIT */
#include "app/shell/search-window.h"

#include <string.h>

#include "ui/controls/dialog-keys.h"

typedef struct {
  GtkWidget *entry;
  GtkWidget *stack;    /* "list" or, when nothing was found, "nothing" */
  GtkWidget *scroller;
  GStrv      terms;
} AppSearchWindowPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (AppSearchWindow, app_search_window, ADW_TYPE_WINDOW)

#define PRIVATE(self) \
  ((AppSearchWindowPrivate *) app_search_window_get_instance_private (self))

static void
search_cb (AppSearchWindow *self)
{
  AppSearchWindowPrivate *private = PRIVATE (self);
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (private->entry)),
                                             -1);

  g_strfreev (private->terms);
  private->terms = g_strsplit (folded, " ", -1);
  APP_SEARCH_WINDOW_GET_CLASS (self)->search (self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (
                              private->scroller)), 0);
}

static void
stop_cb (AppSearchWindow *self)
{
  GtkEditable *entry = GTK_EDITABLE (PRIVATE (self)->entry);

  if (*gtk_editable_get_text (entry) != '\0')
    gtk_editable_set_text (entry, "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
app_search_window_finalize (GObject *object)
{
  g_strfreev (PRIVATE (APP_SEARCH_WINDOW (object))->terms);
  G_OBJECT_CLASS (app_search_window_parent_class)->finalize (object);
}

static void
app_search_window_constructed (GObject *object)
{
  G_OBJECT_CLASS (app_search_window_parent_class)->constructed (object);
  ui_dialog_share_keys (GTK_WINDOW (object));
}

static void
app_search_window_class_init (AppSearchWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = app_search_window_constructed;
  G_OBJECT_CLASS (klass)->finalize = app_search_window_finalize;

  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
app_search_window_init (AppSearchWindow *self)
{
  PRIVATE (self)->terms = g_new0 (char *, 1);
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

static GtkWidget *
entry_new (AppSearchWindow *self,
           const char      *placeholder)
{
  GtkWidget *entry = gtk_search_entry_new ();

  g_object_set (entry, "placeholder-text", placeholder, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  placeholder, -1);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (entry), GTK_WIDGET (self));
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (search_cb), self);
  g_signal_connect_swapped (entry, "stop-search", G_CALLBACK (stop_cb), self);

  return entry;
}

void
app_search_window_fill (AppSearchWindow     *self,
                        const AppSearchPage *page)
{
  AppSearchWindowPrivate *private = PRIVATE (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *nothing = g_object_new (ADW_TYPE_STATUS_PAGE,
                                     "icon-name", "system-search-symbolic",
                                     "title", page->nothing,
                                     "description", page->advice,
                                     NULL);

  private->entry = entry_new (self, page->placeholder);
  private->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                    "child", clamp_new (page->content),
                                    "hscrollbar-policy", GTK_POLICY_NEVER,
                                    "vexpand", TRUE,
                                    NULL);
  private->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (private->stack), private->scroller, "list");
  gtk_stack_add_named (GTK_STACK (private->stack), nothing, "nothing");
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_widget_set_margin_top (private->entry, 6);
  gtk_widget_set_margin_bottom (private->entry, 6);
  gtk_box_append (GTK_BOX (box), clamp_new (private->entry));
  gtk_box_append (GTK_BOX (box), private->stack);
  adw_window_set_content (ADW_WINDOW (self), box);
  APP_SEARCH_WINDOW_GET_CLASS (self)->search (self);
}

const char *const *
app_search_window_get_terms (AppSearchWindow *self)
{
  return (const char *const *) PRIVATE (self)->terms;
}

gboolean
app_search_window_matches (AppSearchWindow *self,
                           const char      *folded)
{
  GStrv terms = PRIVATE (self)->terms;

  for (int i = 0; terms[i] != NULL; i++)
    if (strstr (folded, terms[i]) == NULL)
      return FALSE;
  return TRUE;
}

void
app_search_window_set_found (AppSearchWindow *self,
                             gboolean         is_found)
{
  gtk_stack_set_visible_child_name (GTK_STACK (PRIVATE (self)->stack),
                                    is_found ? "list" : "nothing");
}
