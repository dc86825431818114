/* SPDX-License-Identifier: MIT */
#include "app/shell/help-window.h"

#include <string.h>

#include "app/desk/shortcuts.h"

#define RESOURCE "/io/github/headlight/Headlight/help.txt"
#define HEADING  "# "

struct _AppHelpWindow {
  AppSearchWindow parent_instance;

  GtkListBox *list;
  GPtrArray  *paragraphs; /* of Paragraph, in the order of the rows */
};

typedef struct {
  char       *folded;  /* with its heading, what a search looks in */
  int         heading; /* the row that it stands below; its own for a heading */
} Paragraph;

G_DEFINE_FINAL_TYPE (AppHelpWindow, app_help_window, APP_TYPE_SEARCH_WINDOW)

static void
paragraph_free (gpointer data)
{
  g_free (((Paragraph *) data)->folded);
  g_free (data);
}

/* "{win.undo}" becomes "Ctrl+Z". (transfer full) */
static char *
put_keys (const char *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *begin;

  while ((begin = strchr (line, '{')) != NULL) {
    const char *end = strchr (begin, '}');
    g_autofree char *action = g_strndup (begin + 1, (gsize) (end - begin - 1));
    g_autofree char *keys = app_shortcuts_dup_keys (action);

    g_string_append_len (text, line, begin - line);
    g_string_append (text, keys);
    line = end + 1;
  }
  g_string_append (text, line);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GtkWidget *
row_new (const char *text,
         gboolean    is_heading)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "accessible-role", is_heading ? GTK_ACCESSIBLE_ROLE_HEADING
                                                                 : GTK_ACCESSIBLE_ROLE_LABEL,
                                   "label", text,
                                   "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                   "xalign", 0.0f,
                                   NULL);

  if (is_heading)
    gtk_widget_add_css_class (label, "title-4");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);

  return row;
}

static void
add_line (AppHelpWindow *self,
          const char    *line,
          int           *heading,
          char         **heading_text)
{
  const gboolean is_heading = g_str_has_prefix (line, HEADING);
  g_autofree char *text = put_keys (is_heading ? line + strlen (HEADING) : line);
  g_autofree char *whole = NULL;
  Paragraph *paragraph = g_new (Paragraph, 1);

  if (is_heading) {
    *heading = (int) self->paragraphs->len;
    g_free (*heading_text);
    *heading_text = g_strdup (text);
  }
  whole = g_strdup_printf ("%s %s", *heading_text, text);
  *paragraph = (Paragraph) { g_utf8_casefold (whole, -1), *heading };
  g_ptr_array_add (self->paragraphs, paragraph);
  gtk_list_box_append (self->list, row_new (text, is_heading));
}

static void
read_text (AppHelpWindow *self)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (RESOURCE, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_autofree char *heading_text = NULL;
  int heading = 0;

  for (int i = 0; lines[i] != NULL; i++)
    add_line (self, lines[i], &heading, &heading_text);
}

/* A heading stands where there is something below it. */
static gboolean
is_wanted (AppHelpWindow *self,
           int            index)
{
  const Paragraph *paragraph = self->paragraphs->pdata[index];

  if (paragraph->heading != index)
    return app_search_window_matches (APP_SEARCH_WINDOW (self), paragraph->folded);

  for (guint i = (guint) index + 1; i < self->paragraphs->len; i++) {
    const Paragraph *below = self->paragraphs->pdata[i];

    if (below->heading == index
        && app_search_window_matches (APP_SEARCH_WINDOW (self), below->folded))
      return TRUE;
  }
  return FALSE;
}

static void
search (AppSearchWindow *window)
{
  AppHelpWindow *self = APP_HELP_WINDOW (window);
  gboolean is_found = FALSE;

  for (guint i = 0; i < self->paragraphs->len; i++) {
    const gboolean wanted = is_wanted (self, (int) i);

    gtk_widget_set_visible (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int) i)),
                            wanted);
    is_found = is_found || wanted;
  }
  app_search_window_set_found (window, is_found);
}

static void
app_help_window_finalize (GObject *object)
{
  g_ptr_array_unref (APP_HELP_WINDOW (object)->paragraphs);
  G_OBJECT_CLASS (app_help_window_parent_class)->finalize (object);
}

static void
app_help_window_class_init (AppHelpWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_help_window_finalize;
  APP_SEARCH_WINDOW_CLASS (klass)->search = search;
}

static void
app_help_window_init (AppHelpWindow *self)
{
  const AppSearchPage page = {
    .content = gtk_list_box_new (),
    .placeholder = "Find in the help",
    .nothing = "Nothing Found",
    .advice = "Try another word. Keys are listed by Keyboard Shortcuts in the menu.",
  };

  self->list = GTK_LIST_BOX (page.content);
  self->paragraphs = g_ptr_array_new_with_free_func (paragraph_free);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (page.content, "help");
  read_text (self);
  app_search_window_fill (APP_SEARCH_WINDOW (self), &page);
}

GtkWidget *
app_help_window_new (GtkWindow *parent)
{
  return g_object_new (APP_TYPE_HELP_WINDOW,
                       "title", "Help",
                       "transient-for", parent,
                       "destroy-with-parent", TRUE,
                       "default-width", 680,
                       "default-height", 720,
                       NULL);
}
