/* SPDX-License-Identifier: MIT */
#include "ui/controls/steady-label.h"

/* Narrower is too narrow for any word. */
#define MINIMUM_WIDTH 40

struct _UiSteadyLabel {
  GtkWidget    parent_instance;

  char        *text;
  PangoLayout *layout;
  int          lines_height; /* of the tallest text so far at the width that was allocated, px */
};

G_DEFINE_FINAL_TYPE (UiSteadyLabel, ui_steady_label, GTK_TYPE_WIDGET)

static void
update_layout (UiSteadyLabel *self)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  g_clear_object (&self->layout);
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->text);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (self->layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_wrap (self->layout, PANGO_WRAP_WORD_CHAR);
}

static int
measure_height (UiSteadyLabel *self,
                int            width)
{
  int height;

  pango_layout_set_width (self->layout, width > 0 ? width * PANGO_SCALE : -1);
  pango_layout_get_pixel_size (self->layout, NULL, &height);
  return height;
}

static void
ui_steady_label_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  UiSteadyLabel *self = UI_STEADY_LABEL (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = *natural = MINIMUM_WIDTH;
    return;
  }

  *minimum = measure_height (self, for_size);
  if (for_size == gtk_widget_get_width (widget))
    *minimum = MAX (*minimum, self->lines_height);
  *natural = *minimum;
}

static GtkSizeRequestMode
ui_steady_label_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ui_steady_label_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  UI_STEADY_LABEL (widget)->lines_height = height;
}

static void
ui_steady_label_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  UiSteadyLabel *self = UI_STEADY_LABEL (widget);
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  pango_layout_set_width (self->layout, gtk_widget_get_width (widget) * PANGO_SCALE);
  gtk_snapshot_append_layout (snapshot, self->layout, &color);
}

static void
ui_steady_label_css_changed (GtkWidget         *widget,
                             GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ui_steady_label_parent_class)->css_changed (widget, change);
  update_layout (UI_STEADY_LABEL (widget));
}

static void
ui_steady_label_finalize (GObject *object)
{
  UiSteadyLabel *self = UI_STEADY_LABEL (object);

  g_clear_object (&self->layout);
  g_free (self->text);
  G_OBJECT_CLASS (ui_steady_label_parent_class)->finalize (object);
}

static void
ui_steady_label_class_init (UiSteadyLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_steady_label_finalize;
  widget_class->measure = ui_steady_label_measure;
  widget_class->get_request_mode = ui_steady_label_get_request_mode;
  widget_class->size_allocate = ui_steady_label_size_allocate;
  widget_class->snapshot = ui_steady_label_snapshot;
  widget_class->css_changed = ui_steady_label_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
  /* Styled like any label. */
  gtk_widget_class_set_css_name (widget_class, "label");
}

static void
ui_steady_label_init (UiSteadyLabel *self)
{
  self->text = g_strdup ("");
  update_layout (self);
}

GtkWidget *
ui_steady_label_new (const char *css_class)
{
  GtkWidget *self = g_object_new (UI_TYPE_STEADY_LABEL, NULL);

  if (css_class != NULL)
    gtk_widget_add_css_class (self, css_class);
  return self;
}

void
ui_steady_label_set_text (UiSteadyLabel *self,
                          const char    *text)
{
  g_return_if_fail (UI_IS_STEADY_LABEL (self));

  ui_steady_label_take_text (self, g_strdup (text));
}

void
ui_steady_label_take_text (UiSteadyLabel *self,
                           char          *text)
{
  int width;

  g_return_if_fail (UI_IS_STEADY_LABEL (self));

  if (g_str_equal (text, self->text)) {
    g_free (text);
    return;
  }

  g_free (self->text);
  self->text = text;
  pango_layout_set_text (self->layout, text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  width = gtk_widget_get_width (GTK_WIDGET (self));
  /* While it is hidden nobody knows how wide it will be, and what was measured before is kept. */
  if (width == 0 || measure_height (self, width) > self->lines_height)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  else
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
ui_steady_label_get_text (UiSteadyLabel *self)
{
  g_return_val_if_fail (UI_IS_STEADY_LABEL (self), NULL);

  return self->text;
}
