/* SPDX-License-Identifier: MIT */
#include "ui/boxes/sight-box.h"

struct _UiSightBox {
  GtkBox     parent_instance;
  GtkWidget *viewport; /* of the scroller around it, borrowed; NULL = none */
};

G_DEFINE_FINAL_TYPE (UiSightBox, ui_sight_box, GTK_TYPE_BOX)

static gboolean
is_in_sight (UiSightBox *self,
             GtkWidget  *child)
{
  const int height = gtk_widget_get_height (self->viewport);
  graphene_rect_t bounds;

  return !gtk_widget_compute_bounds (child, self->viewport, &bounds)
         || (bounds.origin.y < height && bounds.origin.y + bounds.size.height > 0);
}

static void
ui_sight_box_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  UiSightBox *self = UI_SIGHT_BOX (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (self->viewport == NULL || is_in_sight (self, child))
      gtk_widget_snapshot_child (widget, child, snapshot);
}

static GtkAdjustment *
get_adjustment (UiSightBox *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->viewport));
}

static void
ui_sight_box_map (GtkWidget *widget)
{
  UiSightBox *self = UI_SIGHT_BOX (widget);

  GTK_WIDGET_CLASS (ui_sight_box_parent_class)->map (widget);
  self->viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  if (self->viewport == NULL)
    return;

  g_signal_connect_swapped (get_adjustment (self), "value-changed",
                            G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (get_adjustment (self), "changed",
                            G_CALLBACK (gtk_widget_queue_draw), self);
}

static void
ui_sight_box_unmap (GtkWidget *widget)
{
  UiSightBox *self = UI_SIGHT_BOX (widget);

  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_func (get_adjustment (self), gtk_widget_queue_draw, self);
  self->viewport = NULL;
  GTK_WIDGET_CLASS (ui_sight_box_parent_class)->unmap (widget);
}

static void
ui_sight_box_class_init (UiSightBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = ui_sight_box_snapshot;
  widget_class->map = ui_sight_box_map;
  widget_class->unmap = ui_sight_box_unmap;
}

static void
ui_sight_box_init (UiSightBox *self)
{
}
