/* SPDX-License-Identifier: MIT */
#include "ui/lists/change-row.h"

#include <math.h>

#include "ui/scene/sinks/shorten.h"
#include "ui/view/color.h"
#include "ui/view/drawn-text.h"

#define GAP 6
#define BAR_HEIGHT 10
#define BAR_DIGITS 4.0
#define ROW_PADDING 3

typedef enum { TEXT_NAME, TEXT_BEFORE, TEXT_AFTER, TEXT_CHANGE, TEXT_MOVE, N_TEXTS } Text;

/* In widths of a digit, so that larger text has larger columns. "−0.022" and "<0.001": in some fonts
 * the signs are a third wider than a digit. */
static const double digits[N_TEXTS] = { 6.6, 5.9, 5.9, 5.9, 2.8 };

struct _UiChangeRow {
  GtkWidget    parent_instance;

  char        *texts[N_TEXTS];
  PangoLayout *layouts[N_TEXTS];
  int          widths[N_TEXTS];
  int          bar_width; /* at least */
  int          name_spare;
  gboolean     after_first;
  char        *sentence;
  double       part;      /* -1..1 of a half of the bar */
  GdkRGBA      color;
};

G_DEFINE_FINAL_TYPE (UiChangeRow, ui_change_row, GTK_TYPE_WIDGET)

static void
update_columns (UiChangeRow *self)
{
  PangoFontMetrics *metrics =
    pango_context_get_metrics (gtk_widget_get_pango_context (GTK_WIDGET (self)), NULL, NULL);
  const double digit =
    pango_units_to_double (pango_font_metrics_get_approximate_digit_width (metrics))
    * PANGO_SCALE_SMALL;

  pango_font_metrics_unref (metrics);
  for (int i = 0; i < N_TEXTS; i++)
    self->widths[i] = (int) ceil (digits[i] * digit);
  self->bar_width = (int) ceil (BAR_DIGITS * digit);
}

static void
update_layout (UiChangeRow *self,
               Text         text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->texts[text]);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_auto_dir (layout, FALSE);
  if (text == TEXT_NAME)
    ui_layout_shorten (layout, (self->widths[text] + self->name_spare) * PANGO_SCALE,
                       ui_drawn_text_get_number_length (self->texts[text]));
  else
    pango_layout_set_width (layout, self->widths[text] * PANGO_SCALE);
  if (text != TEXT_NAME && text != TEXT_MOVE)
    pango_layout_set_alignment (layout, PANGO_ALIGN_RIGHT);
  g_clear_object (&self->layouts[text]);
  self->layouts[text] = layout;
}

static void
update_layouts (UiChangeRow *self)
{
  for (int i = 0; i < N_TEXTS; i++)
    update_layout (self, (Text) i);
}

static int
get_request (UiChangeRow *self)
{
  int width = self->bar_width + GAP * N_TEXTS;

  for (int i = 0; i < N_TEXTS; i++)
    width += self->widths[i];
  return width;
}

static double
append_text (UiChangeRow *self,
             GtkSnapshot *snapshot,
             Text         text,
             double       x,
             GdkRGBA      color)
{
  double y;
  int height;

  pango_layout_get_pixel_size (self->layouts[text], NULL, &height);
  y = floor ((gtk_widget_get_height (GTK_WIDGET (self)) - height) / 2.0);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, self->layouts[text], &color);
  gtk_snapshot_restore (snapshot);
  return x + self->widths[text] + GAP;
}

static void
append_bar (UiChangeRow   *self,
            GtkSnapshot   *snapshot,
            double         x,
            double         width,
            const GdkRGBA *rule)
{
  const double y = floor ((gtk_widget_get_height (GTK_WIDGET (self)) - BAR_HEIGHT) / 2.0);
  const double zero = floor (x + width / 2);
  const double length = fabs (self->part) * width / 2;

  gtk_snapshot_append_color (snapshot, &self->color,
                             &GRAPHENE_RECT_INIT ((float) (self->part < 0 ? zero - length : zero),
                                                  (float) y, (float) length, BAR_HEIGHT));
  gtk_snapshot_append_color (snapshot, rule,
                             &GRAPHENE_RECT_INIT ((float) zero, (float) y - 2, 1, BAR_HEIGHT + 4));
}

static void
ui_change_row_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiChangeRow *self = UI_CHANGE_ROW (widget);
  const double bar =
    self->bar_width + gtk_widget_get_width (widget) - get_request (self) - self->name_spare;
  double x = 0;
  GdkRGBA color, dim;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  dim = color;
  dim.alpha *= 0.6f;

  x = append_text (self, snapshot, TEXT_NAME, x, color) + self->name_spare;
  if (self->after_first)
    x = append_text (self, snapshot, TEXT_AFTER, x, color);
  x = append_text (self, snapshot, TEXT_BEFORE, x, dim);
  if (!self->after_first)
    x = append_text (self, snapshot, TEXT_AFTER, x, color);
  /* A word for no change has the bar's room, too. */
  if (self->part != 0)
    append_bar (self, snapshot, x, bar, &dim);
  x = append_text (self, snapshot, TEXT_CHANGE, x + bar + GAP, color);
  append_text (self, snapshot, TEXT_MOVE, x, dim);
}

static void
ui_change_row_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  UiChangeRow *self = UI_CHANGE_ROW (widget);
  int height;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = *natural = get_request (self);
    return;
  }
  pango_layout_get_pixel_size (self->layouts[TEXT_CHANGE], NULL, &height);
  *minimum = *natural = MAX (height, BAR_HEIGHT) + 2 * ROW_PADDING;
}

/* What is free goes to the name and to the bar alike: columns stand in line from row to row. */
static void
ui_change_row_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  UiChangeRow *self = UI_CHANGE_ROW (widget);

  self->name_spare = MAX (width - get_request (self), 0) / 2;
  update_layout (self, TEXT_NAME);
}

static gboolean
ui_change_row_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  gtk_tooltip_set_text (tooltip, UI_CHANGE_ROW (widget)->sentence);
  return UI_CHANGE_ROW (widget)->sentence != NULL;
}

static void
ui_change_row_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ui_change_row_parent_class)->css_changed (widget, change);
  update_columns (UI_CHANGE_ROW (widget));
  update_layouts (UI_CHANGE_ROW (widget));
}

static void
ui_change_row_finalize (GObject *object)
{
  UiChangeRow *self = UI_CHANGE_ROW (object);

  for (int i = 0; i < N_TEXTS; i++) {
    g_clear_object (&self->layouts[i]);
    g_free (self->texts[i]);
  }
  g_free (self->sentence);
  G_OBJECT_CLASS (ui_change_row_parent_class)->finalize (object);
}

static void
ui_change_row_class_init (UiChangeRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_change_row_finalize;
  widget_class->measure = ui_change_row_measure;
  widget_class->size_allocate = ui_change_row_size_allocate;
  widget_class->snapshot = ui_change_row_snapshot;
  widget_class->query_tooltip = ui_change_row_query_tooltip;
  widget_class->css_changed = ui_change_row_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  gtk_widget_class_set_css_name (widget_class, "changerow");
}

static void
ui_change_row_init (UiChangeRow *self)
{
  for (int i = 0; i < N_TEXTS; i++)
    self->texts[i] = g_strdup ("");
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  update_columns (self);
  update_layouts (self);
}

GtkWidget *
ui_change_row_new (void)
{
  return g_object_new (UI_TYPE_CHANGE_ROW, NULL);
}

const char *
ui_change_row_get_name (UiChangeRow *self)
{
  g_return_val_if_fail (UI_IS_CHANGE_ROW (self), NULL);

  return pango_layout_get_text (self->layouts[TEXT_NAME]);
}

void
ui_change_row_set (UiChangeRow            *self,
                   const UiChangeRowTexts *texts)
{
  const char *columns[N_TEXTS] = { texts->name, texts->before, texts->after, texts->change,
                                   texts->move };

  g_return_if_fail (UI_IS_CHANGE_ROW (self));
  g_return_if_fail (texts->full > 0);

  for (int i = 0; i < N_TEXTS; i++) {
    g_free (self->texts[i]);
    self->texts[i] = g_strdup (columns[i]);
  }
  update_layouts (self);
  g_free (self->sentence);
  self->sentence = g_strdup (texts->sentence);
  self->after_first = texts->after_first;
  self->part = CLAMP (texts->value / texts->full, -1, 1);
  self->color = ui_color_to_rgba (texts->color);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, self->sentence,
                                  -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
