/* SPDX-License-Identifier: MIT */
#include "ui/inspector/sides-panel.h"

#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/lists/changed-link-list.h"
#include "ui/map/changed-head-list.h"
#include "ui/scene/views/side-changes.h"

#define SPACING 14

struct _UiSidesPanel {
  GtkWidget       parent_instance;

  GtkWidget      *title;
  GtkWidget      *subtitle;
  GtkWidget      *nothing;  /* said where no link changed */
  GtkWidget      *links;    /* UiChangedLinkList */
  GtkWidget      *heads;    /* UiChangedHeadList */
  UiChangedHeads *changed;  /* nullable */
  UiTheme         theme;
};

G_DEFINE_FINAL_TYPE (UiSidesPanel, ui_sides_panel, GTK_TYPE_WIDGET)

static void
ui_sides_panel_dispose (GObject *object)
{
  UiSidesPanel *self = UI_SIDES_PANEL (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->changed, ui_changed_heads_unref);
  G_OBJECT_CLASS (ui_sides_panel_parent_class)->dispose (object);
}

static void
ui_sides_panel_class_init (UiSidesPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_sides_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ui_sides_panel_init (UiSidesPanel *self)
{
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, SPACING);
  self->title = ui_steady_label_new ("heading");
  self->subtitle = ui_steady_label_new ("dim-label");
  self->nothing = ui_words_label_new ("", "dim-label");
  self->links = ui_changed_link_list_new ();
  self->heads = ui_changed_head_list_new ();
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->subtitle);
  gtk_widget_set_parent (head, GTK_WIDGET (self));
  gtk_widget_set_parent (self->nothing, GTK_WIDGET (self));
  gtk_widget_set_parent (self->links, GTK_WIDGET (self));
  gtk_widget_set_parent (self->heads, GTK_WIDGET (self));
  gtk_widget_set_visible (self->heads, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ui_sides_panel_new (void)
{
  return g_object_new (UI_TYPE_SIDES_PANEL, NULL);
}

/* "Head 11 of layer 3", of both where they differ. */
static char *
describe_heads (UiScene *sides[2])
{
  g_autofree char *first = ui_describe_scope (sides[0], FALSE);
  g_autofree char *second = ui_describe_scope (sides[1], FALSE);
  char *words = g_str_equal (first, second) ? g_strdup (first)
                                            : g_strdup_printf ("%s beside %s", first, second);

  *words = g_ascii_toupper (*words);
  return words;
}

static void
show_heads (UiSidesPanel *self)
{
  gtk_widget_set_visible (self->heads, self->changed != NULL && self->changed->n_tiles > 0);
  if (self->changed != NULL)
    ui_changed_head_list_set (UI_CHANGED_HEAD_LIST (self->heads), self->changed, self->theme);
}

void
ui_sides_panel_set_scene (UiSidesPanel *self,
                          UiScene      *scene,
                          UiTheme       theme)
{
  const GArray *links = scene != NULL ? ui_side_changes_get_links (scene) : NULL;
  UiScene *sides[2];

  g_return_if_fail (UI_IS_SIDES_PANEL (self));

  gtk_widget_set_visible (GTK_WIDGET (self), links != NULL);
  if (theme != self->theme) {
    self->theme = theme;
    show_heads (self);
  }
  if (links == NULL)
    return;

  ui_side_changes_get_sides (scene, sides);
  ui_steady_label_take_text (UI_STEADY_LABEL (self->title), ui_side_changes_headline (scene));
  ui_steady_label_take_text (UI_STEADY_LABEL (self->subtitle), describe_heads (sides));
  if (links->len == 0)
    gtk_label_set_text (GTK_LABEL (self->nothing), ui_side_changes_explain_none (scene));
  gtk_widget_set_visible (self->nothing, links->len == 0);
  gtk_widget_set_visible (self->links, links->len > 0);
  ui_changed_link_list_set (UI_CHANGED_LINK_LIST (self->links), links, sides[0], sides[1], theme);
}

void
ui_sides_panel_set_heads (UiSidesPanel   *self,
                          UiChangedHeads *heads)
{
  g_return_if_fail (UI_IS_SIDES_PANEL (self));

  if (heads == self->changed)
    return;

  g_clear_pointer (&self->changed, ui_changed_heads_unref);
  self->changed = heads != NULL ? ui_changed_heads_ref (heads) : NULL;
  show_heads (self);
}

GtkWidget *
ui_sides_panel_get_links (UiSidesPanel *self)
{
  g_return_val_if_fail (UI_IS_SIDES_PANEL (self), NULL);

  return self->links;
}

GtkWidget *
ui_sides_panel_get_heads (UiSidesPanel *self)
{
  g_return_val_if_fail (UI_IS_SIDES_PANEL (self), NULL);

  return self->heads;
}
