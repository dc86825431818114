/* SPDX-License-Identifier: MIT */
#include "ui/boxes/tall-box.h"

struct _UiTallBox {
  GtkWidget  parent_instance;
  GtkWidget *child;
};

G_DEFINE_FINAL_TYPE (UiTallBox, ui_tall_box, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
ui_tall_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ui_tall_box_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  UiTallBox *self = UI_TALL_BOX (widget);

  if (orientation == GTK_ORIENTATION_VERTICAL && for_size < 0)
    *minimum = *natural = 0;
  else
    gtk_widget_measure (self->child, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
ui_tall_box_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  gtk_widget_allocate (UI_TALL_BOX (widget)->child, width, height, baseline, NULL);
}

static void
ui_tall_box_dispose (GObject *object)
{
  g_clear_pointer (&UI_TALL_BOX (object)->child, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_tall_box_parent_class)->dispose (object);
}

static void
ui_tall_box_class_init (UiTallBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_tall_box_dispose;
  widget_class->get_request_mode = ui_tall_box_get_request_mode;
  widget_class->measure = ui_tall_box_measure;
  widget_class->size_allocate = ui_tall_box_size_allocate;
}

static void
ui_tall_box_init (UiTallBox *self)
{
}

GtkWidget *
ui_tall_box_new (GtkWidget *child)
{
  UiTallBox *self;

  g_return_val_if_fail (GTK_IS_WIDGET (child), NULL);

  self = g_object_new (UI_TYPE_TALL_BOX, NULL);
  self->child = child;
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
