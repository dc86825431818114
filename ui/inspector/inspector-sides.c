/* SPDX-License-Identifier: MIT */
#include "ui/inspector/inspector-private.h"

#include "ui/lists/change-list.h"
#include "ui/lists/prediction-list.h"
#include "ui/inspector/sides-panel.h"

void
ui_inspector_show_first_side (UiInspector *self)
{
  UiPredictionList *list = UI_PREDICTION_LIST (self->predictions);
  GtkBox *box = GTK_BOX (gtk_widget_get_parent (self->predictions));
  const gboolean changes = gtk_widget_get_visible (self->changes);
  GtkWidget *next = gtk_widget_get_next_sibling (self->words_box);

  gtk_widget_set_visible (self->predictions, ui_prediction_list_has_answers (list));
  gtk_widget_set_visible (self->first_side,
                          self->has_second
                          && ((changes && !self->changes_of_sides)
                              || ui_prediction_list_has_answers (list)));
  gtk_box_reorder_child_after (box, self->first_side, changes ? self->sides_panel
                               : next == self->head_note ? next : self->words_box);
}

void
ui_inspector_show_sides_panel (UiInspector *self)
{
  ui_sides_panel_set_scene (UI_SIDES_PANEL (self->sides_panel), self->scene, self->theme);
}

void
ui_inspector_set_has_second (UiInspector *self,
                             gboolean     has_second)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  self->has_second = has_second;
  ui_inspector_show_first_side (self);
}

void
ui_inspector_set_changes_of_sides (UiInspector *self,
                                   gboolean     of_sides)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  ui_change_list_set_of_sides (UI_CHANGE_LIST (self->changes), of_sides);
  self->changes_of_sides = of_sides;
  ui_inspector_show_first_side (self);
}

void
ui_inspector_set_changed_heads (UiInspector    *self,
                                UiChangedHeads *heads)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  ui_sides_panel_set_heads (UI_SIDES_PANEL (self->sides_panel), heads);
}
