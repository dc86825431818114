/* SPDX-License-Identifier: MIT */
/* What stands beside the picture, and the table in its place. */
#include "app/desk/desk-private.h"

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

/* In a narrow window, too, it stands beside the picture: words are clicked there. */
void
app_desk_show_side (AppDesk    *self,
                    const char *name)
{
  const AppDeskWidgets *widgets = &self->widgets;

  if (!app_desk_has_search (self)) {
    self->side_was_hidden = !adw_flap_get_reveal_flap (widgets->flap);
    self->side_policy = adw_flap_get_fold_policy (widgets->flap);
  }
  gtk_widget_set_visible (widgets->search_header, TRUE);
  gtk_stack_set_visible_child_name (widgets->side, name);
  adw_flap_set_fold_policy (widgets->flap, ADW_FLAP_FOLD_POLICY_NEVER);
  adw_flap_set_reveal_flap (widgets->flap, TRUE);
}

void
app_desk_close_side (AppDesk *self)
{
  const AppDeskWidgets *widgets = &self->widgets;

  gtk_widget_set_visible (widgets->search_header, FALSE);
  gtk_stack_set_visible_child_name (widgets->side, "inspector");
  if (self->side_was_hidden)
    g_action_group_change_action_state (G_ACTION_GROUP (widgets->window), "inspector",
                                        g_variant_new_boolean (FALSE));
  adw_flap_set_fold_policy (widgets->flap, self->side_policy);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
}

gboolean
app_desk_has_search (AppDesk *self)
{
  return gtk_widget_get_visible (self->widgets.search_header);
}

void
app_desk_add_side_keys (AppDesk            *self,
                        GtkEventController *keys)
{
  gtk_widget_add_controller (gtk_widget_get_parent (GTK_WIDGET (self->widgets.side)), keys);
}

/* Where there is no room it folds away; who then asks for it gets it beside the picture, which
 * scrolls, and not on top of what is read. */
void
app_desk_reveal_side (AppDesk  *self,
                      gboolean  is_wanted)
{
  AdwFlap *flap = self->widgets.flap;
  const gboolean has_room = !adw_flap_get_folded (flap);

  adw_flap_set_fold_policy (flap, is_wanted && !has_room ? ADW_FLAP_FOLD_POLICY_NEVER
                                                         : ADW_FLAP_FOLD_POLICY_AUTO);
  adw_flap_set_reveal_flap (flap, is_wanted);
}

gboolean
app_desk_reveals_side (AppDesk *self)
{
  return adw_flap_get_reveal_flap (self->widgets.flap);
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

static void
reveal_cb (AppDesk *self)
{
  if (self->widgets.window == NULL)
    return;

  /* Folding for want of room is the window's doing, not a person's choice. */
  if (!adw_flap_get_folded (self->widgets.flap))
    self->settings->inspector = app_desk_reveals_side (self);
  g_signal_emit_by_name (self, "side-revealed");
}

void
app_desk_init_side (AppDesk *self)
{
  const AppDeskWidgets *widgets = &self->widgets;

  gtk_stack_set_visible_child_name (widgets->side, "inspector");
  adw_flap_set_reveal_flap (widgets->flap, self->settings->inspector);
  g_signal_connect_object (widgets->side, "notify::visible-child", G_CALLBACK (page_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (widgets->flap, "notify::reveal-flap", G_CALLBACK (reveal_cb), self,
                           G_CONNECT_SWAPPED);
}
