/* SPDX-License-Identifier: MIT */
/* The heads that were collected: how many, at the end of the line above the picture, where it moves
 * nothing, and behind that which. */
#include "app/parts/model-view/model-view-private.h"

#include "app/desk/shortcuts.h"
#include "ui/scene/model/model-facts.h"

static void
drop_head_cb (AppModelViewPart *self,
              GtkWidget        *button)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const UiCell *cell = g_object_get_data (G_OBJECT (button), "cell");

  ui_cells_toggle (&document->panels, cell->layer, cell->head);
  app_model_view_change_panels (self, document);
}

static void
drop_all_cb (AppModelViewPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_cells_clear (&document->panels);
  app_model_view_change_panels (self, document);
}

/* "a  2.9", where the picture has its letter. */
static char *
name_head (AppModelViewPart *self,
           int               index,
           const UiCell     *cell)
{
  char letter[UI_MODEL_LETTER_SIZE];

  if (!self->has_letters)
    return g_strdup_printf ("%d.%d", cell->layer, cell->head);
  return g_strdup_printf ("%s  %d.%d", ui_model_format_letter (index, letter), cell->layer,
                          cell->head);
}

static GtkWidget *
new_chip (AppModelViewPart *self,
          int               index,
          const UiCell     *cell)
{
  g_autofree char *name = name_head (self, index, cell);
  g_autofree char *tooltip = g_strdup_printf ("Take head %d of layer %d out", cell->head,
                                              cell->layer);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "collected");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_object_set_data_full (G_OBJECT (button), "cell", g_memdup2 (cell, sizeof *cell), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (drop_head_cb), self, G_CONNECT_SWAPPED);
  return button;
}

static gboolean
shows_heads (AppModelViewPart *self,
             const UiCells    *heads)
{
  GtkWidget *child = gtk_widget_get_first_child (self->collected_row);

  for (int i = 0; i < heads->n; i++) {
    const UiCell *cell = child != NULL ? g_object_get_data (G_OBJECT (child), "cell") : NULL;

    if (cell == NULL || cell->layer != heads->cells[i].layer
        || cell->head != heads->cells[i].head)
      return FALSE;
    child = gtk_widget_get_next_sibling (child);
  }
  return child != NULL && g_object_get_data (G_OBJECT (child), "cell") == NULL;
}

/* Behind the chips; the last button leads from the grid to the heads. */
static void
append_buttons (AppModelViewPart *self)
{
  GtkWidget *clear = gtk_button_new_with_label ("Clear");
  GtkWidget *side_by_side = gtk_button_new_with_label ("Side by Side");

  gtk_widget_add_css_class (clear, "flat");
  gtk_widget_set_tooltip_text (clear, "Take all collected heads out");
  g_signal_connect_object (clear, "clicked", G_CALLBACK (drop_all_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->collected_row), clear);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (side_by_side), "win.compare::heads");
  app_shortcuts_explain (side_by_side);
  g_signal_connect_object (side_by_side, "clicked", G_CALLBACK (gtk_menu_button_popdown),
                           self->collected_button, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->collected_row), side_by_side);
}

static void
fill (AppModelViewPart *self,
      const UiCells    *heads)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->collected_row)) != NULL)
    gtk_box_remove (GTK_BOX (self->collected_row), child);
  for (int i = 0; i < heads->n; i++)
    gtk_box_append (GTK_BOX (self->collected_row), new_chip (self, i, &heads->cells[i]));
  append_buttons (self);
}

static void
show_button (AppModelViewPart *self,
             int               n_heads)
{
  g_autofree char *n = g_strdup_printf ("%d", n_heads);

  ui_state_label_set_state (self->collected_label, n);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->collected_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ui_state_label_get_text (self->collected_label), -1);
}

void
app_model_view_init_collected (AppModelViewPart *self)
{
  self->collected_place = app_part_get_object (self, "collected_place");
  self->collected_button = app_part_get_object (self, "collected_button");
  self->collected_label = app_part_get_object (self, "collected_label");
  self->collected_row = app_part_get_object (self, "collected_row");
}

void
app_model_view_sync_collected (AppModelViewPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  const UiCells *heads = &document->panels;
  const gboolean is_grid = ui_view_get (document->view)->has_all_heads;
  const gboolean is_shown = heads->n > 0 && (is_grid || ui_document_has_panels (document));

  if (!is_shown)
    gtk_menu_button_popdown (self->collected_button);
  gtk_widget_set_visible (self->collected_place, is_shown);
  if (!is_shown)
    return;
  show_button (self, heads->n);
  if (!shows_heads (self, heads) || self->has_letters != is_grid) {
    self->has_letters = is_grid;
    fill (self, heads);
  }
  gtk_widget_set_visible (gtk_widget_get_last_child (self->collected_row), is_grid);
}
