/* SPDX-License-Identifier: MIT */
/* The submenu of what was opened last: sessions, traces, folders of models and lessons, as the
 * desktop keeps them for all programs. */
#include "app/desk/desk-private.h"

#include "app/config.h"
#include "ui/controls/tame-menu.h"

#define MOST_RECENT 10
#define GROUP       "recent"

/* The desktop counts what a program of this name has opened. */
static const char program[] = "Headlight";

static const char *const mime_types[] = {
  [APP_FILE_SESSION] = APP_SESSION_MIME_TYPE,
  [APP_FILE_FIGURE] = "image/svg+xml",
  [APP_FILE_TRACE] = "application/octet-stream",
  [APP_FILE_MODEL] = "inode/directory",
  [APP_FILE_LESSON] = "text/markdown",
};

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

/* What no longer exists is cleared from the desktop's list, too. */
static gboolean
is_there (GtkRecentManager *manager,
          GtkRecentInfo    *info)
{
  if (!gtk_recent_info_is_local (info) || gtk_recent_info_exists (info))
    return gtk_recent_info_is_local (info);
  gtk_recent_manager_remove_item (manager, gtk_recent_info_get_uri (info), NULL);

  return FALSE;
}

static void
open_recent (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  g_signal_emit_by_name (data, "open-file", g_variant_get_bytestring (parameter));
}

void
app_desk_add_recent (AppDesk     *self,
                     const char  *path,
                     AppFileKind  kind)
{
  g_autofree char *place = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (place, NULL, NULL);
  GtkRecentData data = {
    .mime_type = (char *) mime_types[kind],
    .app_name = (char *) program,
    .app_exec = (char *) "headlight --open %f",
  };

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static gboolean
shows (const UiDocument *document,
       const char       *path,
       AppFileKind       kind)
{
  return document != NULL
         && g_strcmp0 (kind == APP_FILE_TRACE ? document->trace_file : document->model, path) == 0;
}

static void
take_awaited (AppDesk *self)
{
  if (self->awaited_recent == NULL
      || !shows (app_study_get_answered (self->study), self->awaited_recent, self->awaited_kind))
    return;

  app_desk_add_recent (self, self->awaited_recent, self->awaited_kind);
  g_clear_pointer (&self->awaited_recent, g_free);
}

/* What was refused is not one that was opened. */
static void
study_changed_cb (AppDesk        *self,
                  AppStudyChange  what)
{
  const AppRefusal *refusal = app_study_get_refusal (self->study);

  if ((what & APP_STUDY_REFUSED) != 0 && refusal != NULL && refusal->is_taken_back)
    g_clear_pointer (&self->awaited_recent, g_free);
  if ((what & APP_STUDY_TRACE) != 0)
    take_awaited (self);
}

void
app_desk_await_recent (AppDesk     *self,
                       const char  *path,
                       AppFileKind  kind)
{
  char *copy = g_strdup (path);

  g_free (self->awaited_recent);
  self->awaited_recent = copy;
  self->awaited_kind = kind;
  take_awaited (self);
}

void
app_desk_init_recent (AppDesk *self)
{
  static const GActionEntry entries[] = { { "open", open_recent, "ay" } };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->widgets.window), GROUP,
                                  G_ACTION_GROUP (group));
  self->recent_menu = g_menu_new ();
  g_signal_connect_object (self->study, "changed", G_CALLBACK (study_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

GMenuModel *
app_desk_get_recent_menu (AppDesk *self)
{
  return G_MENU_MODEL (self->recent_menu);
}

void
app_desk_fill_recent (AppDesk *self)
{
  GtkRecentManager *manager = gtk_recent_manager_get_default ();
  GList *items = g_list_sort (gtk_recent_manager_get_items (manager), compare_times);
  int n = 0;

  g_menu_remove_all (self->recent_menu);
  for (GList *item = items; item != NULL && n < MOST_RECENT; item = item->next) {
    g_autofree char *path = NULL;
    g_autofree char *label = NULL;
    g_autoptr (GMenuItem) entry = NULL;

    if (!gtk_recent_info_has_application (item->data, program) || !is_there (manager, item->data))
      continue;
    path = g_filename_from_uri (gtk_recent_info_get_uri (item->data), NULL, NULL);
    label = ui_menu_label (gtk_recent_info_get_display_name (item->data));
    entry = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target_value (entry, GROUP ".open", g_variant_new_bytestring (path));
    g_menu_append_item (self->recent_menu, entry);
    n++;
  }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  /* Grey: there is no such action. */
  if (n == 0)
    g_menu_append (self->recent_menu, "Nothing Was Opened Yet", GROUP ".none");
}
