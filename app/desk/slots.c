/* SPDX-License-Identifier: MIT */
/* The places of the window's frame that parts fill, and the room that they leave each other. */
#include "app/desk/desk-private.h"
#include "app/desk/shortcuts.h"

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
  self->high_rows = g_ptr_array_new ();
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
  app_shortcuts_explain (widget);
}

static void
row_cb (AppDesk *self)
{
  GtkWidget *window = GTK_WIDGET (self->widgets.window);
  gboolean is_compact = FALSE;

  if (window == NULL)
    return;

  for (guint i = 0; i < self->high_rows->len; i++)
    is_compact |= gtk_widget_get_visible (self->high_rows->pdata[i]);
  if (is_compact == app_desk_is_compact (self))
    return;

  if (is_compact)
    gtk_widget_add_css_class (window, "compact");
  else
    gtk_widget_remove_css_class (window, "compact");
  g_signal_emit_by_name (self, "compact-changed");
}

void
app_desk_make_room_for (AppDesk   *self,
                        GtkWidget *row)
{
  g_ptr_array_add (self->high_rows, row);
  g_signal_connect_object (row, "notify::visible", G_CALLBACK (row_cb), self, G_CONNECT_SWAPPED);
}

gboolean
app_desk_is_compact (AppDesk *self)
{
  return gtk_widget_has_css_class (GTK_WIDGET (self->widgets.window), "compact");
}
