/* SPDX-License-Identifier: MIT */
/* What stands in the inspector, from above. */
#include "ui/inspector/inspector-private.h"

#include "ui/controls/check-block.h"
#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/lists/change-list.h"
#include "ui/lists/head-note.h"
#include "ui/inspector/head-overview.h"
#include "ui/inspector/head-panel.h"
#include "ui/lists/prediction-list.h"
#include "ui/lists/reading-list.h"
#include "ui/lists/side-list.h"
#include "ui/inspector/sides-panel.h"

#define SPACING 18

/* A dim heading with a text below it; *text is the label of the text. */
static GtkWidget *
new_note (const char  *heading,
          GtkWidget  **text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  *text = ui_steady_label_new (NULL);
  gtk_box_append (GTK_BOX (box), ui_words_label_new (heading, "dim-label"));
  gtk_box_append (GTK_BOX (box), *text);
  return box;
}

static GtkWidget *
build_head (UiInspector *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->head_panel = ui_head_panel_new ();
  self->overview = ui_head_overview_new ();
  self->title = ui_steady_label_new ("heading");
  self->subtitle = ui_steady_label_new ("dim-label");
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->subtitle);
  gtk_box_append (GTK_BOX (box), self->head_panel);
  gtk_box_append (GTK_BOX (box), self->overview);
  return box;
}

static void
set_margins (GtkWidget *widget)
{
  gtk_widget_set_margin_start (widget, 14);
  gtk_widget_set_margin_end (widget, 14);
  gtk_widget_set_margin_top (widget, 14);
  gtk_widget_set_margin_bottom (widget, 18);
}

GtkWidget *
ui_inspector_build (UiInspector *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);

  set_margins (box);
  self->held_back = ui_words_label_new ("", "dim-label");
  gtk_label_set_yalign (GTK_LABEL (self->held_back), 0);
  gtk_widget_set_visible (self->held_back, FALSE);
  set_margins (self->held_back);
  self->strongest = ui_reading_list_new_links ("Strongest links");
  self->empty = ui_words_label_new ("Point at a token to read its numbers here. A click pins it, "
                                    "Shift adds another, Escape lets go.", "dim-label");
  self->sides_panel = ui_sides_panel_new ();
  self->sides = ui_side_list_new ();
  self->check = ui_check_block_new ();
  self->wrong = ui_words_label_new ("", "error");
  gtk_widget_set_visible (self->wrong, FALSE);
  self->nothing = ui_steady_label_new ("dim-label");
  self->reads = ui_reading_list_new ("reads");
  self->is_read_by = ui_reading_list_new ("is read by");
  self->entropy_box = new_note ("Entropy of what it reads", &self->entropy);
  self->entropy_heading = gtk_widget_get_first_child (self->entropy_box);
  self->words_box = new_note ("In words", &self->words);
  self->head_note = ui_head_note_new ();
  self->first_side = ui_words_label_new ("Predictions are those of This.", "dim-label");
  gtk_widget_set_visible (self->first_side, FALSE);
  self->changes = ui_change_list_new ();
  self->predictions = ui_prediction_list_new ();

  gtk_box_append (GTK_BOX (box), self->sides_panel);
  gtk_box_append (GTK_BOX (box), self->changes);
  gtk_box_append (GTK_BOX (box), build_head (self));
  gtk_box_append (GTK_BOX (box), self->strongest);
  gtk_box_append (GTK_BOX (box), self->empty);
  gtk_box_append (GTK_BOX (box), self->sides);
  gtk_box_append (GTK_BOX (box), self->wrong);
  gtk_box_append (GTK_BOX (box), self->check);
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), self->reads);
  gtk_box_append (GTK_BOX (box), self->is_read_by);
  gtk_box_append (GTK_BOX (box), self->entropy_box);
  gtk_box_append (GTK_BOX (box), self->words_box);
  gtk_box_append (GTK_BOX (box), self->head_note);
  ui_head_note_set_places (UI_HEAD_NOTE (self->head_note), gtk_widget_get_parent (self->title),
                           self->words_box);
  gtk_box_append (GTK_BOX (box), self->first_side);
  gtk_box_append (GTK_BOX (box), self->predictions);
  return box;
}

void
ui_inspector_set_waits (UiInspector *self,
                        gboolean     waits)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  gtk_widget_set_visible (self->content, !waits);
}

void
ui_inspector_hold_back (UiInspector *self,
                        const char  *words)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  gtk_widget_set_visible (self->scroller, words == NULL);
  gtk_widget_set_visible (self->held_back, words != NULL);
  if (words != NULL)
    gtk_label_set_text (GTK_LABEL (self->held_back), words);
}

void
ui_inspector_add_beside (UiInspector *self,
                         GtkWidget   *widget)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (self->empty)), widget, self->empty);
}

void
ui_inspector_add_steps (UiInspector *self,
                        GtkWidget   *widget)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (self->is_read_by)), widget,
                              self->is_read_by);
}

void
ui_inspector_add_foot (UiInspector *self,
                       GtkWidget   *widget)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  gtk_box_append (GTK_BOX (gtk_widget_get_parent (self->predictions)), widget);
}
