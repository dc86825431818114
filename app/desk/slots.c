/* SPDX-License-Identifier: MIT */
/* The places of the window's frame that parts fill, and what of them stands below each other. */
#include "app/desk/desk-private.h"

#include "ui/controls/tame-menu.h"

struct _AppSlot {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (AppSlot, app_slot, GTK_TYPE_WIDGET)

static void
app_slot_class_init (AppSlotClass *klass)
{
}

static void
app_slot_init (AppSlot *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
collect_slots (AppDesk   *self,
               GtkWidget *widget)
{
  const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));

  if (id != NULL && (APP_IS_SLOT (widget) || ADW_IS_BIN (widget)))
    g_hash_table_insert (self->slots, (gpointer) id, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_slots (self, child);
}

void
app_desk_init_slots (AppDesk *self)
{
  self->slots = g_hash_table_new (g_str_hash, g_str_equal);
  self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  collect_slots (self, GTK_WIDGET (self->widgets.window));
}

void
app_desk_place (AppDesk    *self,
                const char *slot,
                GtkWidget  *widget)
{
  GtkWidget *place = g_hash_table_lookup (self->slots, slot);

  g_assert (place != NULL);
  if (ADW_IS_BIN (place))
    adw_bin_set_child (ADW_BIN (place), widget);
  else
    gtk_widget_insert_before (widget, gtk_widget_get_parent (place), place);
  /* What a part places may have places for others. */
  collect_slots (self, widget);
  ui_tame_menus (widget);
}

void
app_desk_align (AppDesk    *self,
                const char *column,
                GtkWidget  *widget,
                gboolean    is_aligned)
{
  GtkSizeGroup *group = g_hash_table_lookup (self->columns, column);

  if (group == NULL) {
    group = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
    g_hash_table_insert (self->columns, (gpointer) column, group);
  }
  if (is_aligned == (g_slist_find (gtk_size_group_get_widgets (group), widget) != NULL))
    return;
  if (is_aligned)
    gtk_size_group_add_widget (group, widget);
  else
    gtk_size_group_remove_widget (group, widget);
}

static GtkWidget *
get_place (AppDesk    *self,
           const char *slot)
{
  return g_hash_table_lookup (self->slots, slot);
}

/* In a low window a button of the toolbar brings the entries, which come into sight once they have
 * the keys. */
static GtkWidget *
find_texts (AppDesk *self)
{
  GtkWidget *entries = gtk_widget_get_parent (get_place (self, "sentences_texts"));

  return gtk_widget_get_mapped (entries)
             || gtk_widget_get_state_flags (entries) & GTK_STATE_FLAG_FOCUS_WITHIN
         ? entries : gtk_widget_get_parent (get_place (self, "toolbar_texts"));
}

/* The views stand at the foot where the header has no room for them. */
GtkWidget *
app_desk_find_region (AppDesk    *self,
                      const char *region)
{
  if (self->widgets.window == NULL)
    return NULL;
  if (g_str_equal (region, "map"))
    return get_place (self, "column_map");
  if (g_str_equal (region, "picture"))
    return GTK_WIDGET (self->widgets.stack);
  if (g_str_equal (region, "caption"))
    return gtk_widget_get_parent (get_place (self, "caption"));
  if (g_str_equal (region, "inspector"))
    return GTK_WIDGET (self->widgets.inspector);
  if (g_str_equal (region, "texts"))
    return find_texts (self);
  if (g_str_equal (region, "views"))
    return gtk_widget_get_mapped (get_place (self, "header_view"))
           ? get_place (self, "header_view") : get_place (self, "foot_view");
  return NULL;
}
