/* SPDX-License-Identifier: MIT */
/* What stands beside the picture, and the table in its place. */
#include "app/desk/desk-private.h"

#include "app/desk/shortcuts.h"

UiInspector *
app_desk_get_inspector (AppDesk *self)
{
  return self->widgets.inspector;
}

gboolean
app_desk_shows_side (AppDesk    *self,
                     const char *name)
{
  return g_str_equal (gtk_stack_get_visible_child_name (self->widgets.side), name);
}

static void
show_page (AppDesk    *self,
           const char *name,
           gboolean    is_shown)
{
  GtkWidget *child = gtk_stack_get_child_by_name (self->widgets.side, name);

  gtk_stack_page_set_visible (gtk_stack_get_page (self->widgets.side, child), is_shown);
}

/* The pages that can be chosen: of a search, else of a lesson; what closes them stands beside. The
 * page in sight is among them: in the place of one that goes GTK would take the first of all. */
static void
sync_header (AppDesk *self)
{
  const AppDeskWidgets *widgets = &self->widgets;
  GtkWidget *button = widgets->close_search_button;
  const char *action = self->has_search ? "win.close-search" : "win.close-lesson";

  show_page (self, "links", self->has_search);
  show_page (self, "file", self->has_search);
  show_page (self, "lesson", self->has_lesson && !self->has_search);
  gtk_widget_set_visible (widgets->search_header, self->has_search || self->has_lesson);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  app_shortcuts_explain_as (button, action);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->has_search ? "Close the search" : "Leave the lesson", -1);
}

/* Also where there is little room it stands beside the picture: words are clicked there. */
void
app_desk_show_side (AppDesk    *self,
                    const char *name)
{
  const AppDeskWidgets *widgets = &self->widgets;
  const gboolean is_lesson = g_str_equal (name, "lesson");

  if (!self->has_search && !self->has_lesson)
    self->side_was_hidden = !app_desk_reveals_side (self);
  self->has_search = !is_lesson;
  self->has_lesson |= is_lesson;
  gtk_stack_set_visible_child_name (widgets->side, name);
  sync_header (self);
  ui_columns_keep (widgets->columns, UI_COLUMN_END, TRUE);
  app_desk_reveal_side (self, TRUE);
}

/* Back to the lesson, or to the inspector as it was. */
static void
close_pages (AppDesk *self)
{
  const AppDeskWidgets *widgets = &self->widgets;

  gtk_stack_set_visible_child_name (widgets->side, self->has_lesson ? "lesson" : "inspector");
  sync_header (self);
  if (self->has_lesson)
    return;
  if (self->side_was_hidden)
    g_action_group_change_action_state (G_ACTION_GROUP (widgets->window), "inspector",
                                        g_variant_new_boolean (FALSE));
  ui_columns_keep (widgets->columns, UI_COLUMN_END, FALSE);
}

void
app_desk_close_side (AppDesk *self)
{
  self->has_search = FALSE;
  close_pages (self);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
}

void
app_desk_close_lesson (AppDesk *self)
{
  if (!self->has_lesson)
    return;
  self->has_lesson = FALSE;
  if (self->has_search)
    return;
  close_pages (self);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
}

gboolean
app_desk_has_search (AppDesk *self)
{
  return self->has_search;
}

void
app_desk_add_side_keys (AppDesk            *self,
                        GtkEventController *keys)
{
  gtk_widget_add_controller (gtk_widget_get_parent (GTK_WIDGET (self->widgets.side)), keys);
}

void
app_desk_reveal_side (AppDesk  *self,
                      gboolean  is_wanted)
{
  ui_columns_reveal (self->widgets.columns, UI_COLUMN_END, is_wanted);
}

gboolean
app_desk_reveals_side (AppDesk *self)
{
  return ui_columns_is_revealed (self->widgets.columns, UI_COLUMN_END);
}

gboolean
app_desk_folds_side (AppDesk *self)
{
  return ui_columns_is_folded (self->widgets.columns, UI_COLUMN_END);
}

void
app_desk_reveal_map (AppDesk  *self,
                     gboolean  is_wanted)
{
  ui_columns_reveal (self->widgets.columns, UI_COLUMN_START, is_wanted);
}

gboolean
app_desk_reveals_map (AppDesk *self)
{
  return ui_columns_is_revealed (self->widgets.columns, UI_COLUMN_START);
}

gboolean
app_desk_close_over (AppDesk *self)
{
  return ui_columns_close_over (self->widgets.columns);
}

void
app_desk_show_table (AppDesk  *self,
                     gboolean  is_table)
{
  gtk_stack_set_visible_child_name (self->widgets.stack, is_table ? "table" : "picture");
}

gboolean
app_desk_shows_table (AppDesk *self)
{
  return self->widgets.stack != NULL
         && g_str_equal (gtk_stack_get_visible_child_name (self->widgets.stack), "table");
}

static void
page_cb (AppDesk *self)
{
  if (self->widgets.window != NULL)
    g_signal_emit_by_name (self, "side-changed");
}

/* Folding for want of room is the window's doing, not a person's choice. */
static void
columns_cb (AppDesk *self)
{
  UiColumns *columns = self->widgets.columns;

  if (self->widgets.window == NULL)
    return;

  if (!ui_columns_is_folded (columns, UI_COLUMN_END))
    self->settings->inspector = app_desk_reveals_side (self);
  if (!ui_columns_is_folded (columns, UI_COLUMN_START))
    self->settings->map = app_desk_reveals_map (self);
  self->settings->inspector_width = ui_columns_get_width (columns, UI_COLUMN_END);
  self->settings->map_width = ui_columns_get_width (columns, UI_COLUMN_START);
  g_signal_emit_by_name (self, "side-revealed");
}

void
app_desk_init_side (AppDesk *self)
{
  const AppDeskWidgets *widgets = &self->widgets;

  gtk_stack_set_visible_child_name (widgets->side, "inspector");
  sync_header (self);
  ui_columns_set_width (widgets->columns, UI_COLUMN_START, self->settings->map_width);
  ui_columns_set_width (widgets->columns, UI_COLUMN_END, self->settings->inspector_width);
  ui_columns_reveal (widgets->columns, UI_COLUMN_START, self->settings->map);
  ui_columns_reveal (widgets->columns, UI_COLUMN_END, self->settings->inspector);
  g_signal_connect_object (widgets->side, "notify::visible-child", G_CALLBACK (page_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (widgets->columns, "changed", G_CALLBACK (columns_cb), self,
                           G_CONNECT_SWAPPED);
}
