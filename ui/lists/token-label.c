/* SPDX-License-Identifier: MIT */
#include "ui/lists/token-label.h"

#include "ui/scene/sinks/shorten.h"
#include "ui/view/drawn-text.h"

struct _UiTokenLabel {
  GtkWidget    parent_instance;

  char        *name;
  char        *brief;
  char         letter;
  UiColor      color;
  PangoLayout *layout; /* as it is drawn */
  gboolean     is_cut;
};

G_DEFINE_FINAL_TYPE (UiTokenLabel, ui_token_label, GTK_TYPE_WIDGET)

static int
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* At most width pixels wide, as far as what is kept of it allows. */
static void
lay_out (UiTokenLabel *self,
         int           width)
{
  gsize n_kept;

  g_clear_object (&self->layout);
  self->layout = ui_drawn_text_new_token (GTK_WIDGET (self), self->name, self->letter, self->color,
                                          &n_kept);
  self->is_cut = get_width (self->layout) > width;
  if (!self->is_cut)
    return;

  g_clear_object (&self->layout);
  self->layout = ui_drawn_text_new_token (GTK_WIDGET (self), self->brief, self->letter, self->color,
                                          &n_kept);
  ui_layout_shorten (self->layout, width * PANGO_SCALE, n_kept);
}

static void
ui_token_label_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  UiTokenLabel *self = UI_TOKEN_LABEL (widget);

  if (orientation == GTK_ORIENTATION_VERTICAL) {
    lay_out (self, for_size >= 0 ? for_size : G_MAXINT);
    pango_layout_get_pixel_size (self->layout, NULL, natural);
    *minimum = *natural;
    return;
  }
  lay_out (self, 0);
  *minimum = get_width (self->layout);
  lay_out (self, G_MAXINT);
  *natural = MAX (get_width (self->layout), *minimum);
}

static void
ui_token_label_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  lay_out (UI_TOKEN_LABEL (widget), width);
}

static void
ui_token_label_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  ui_drawn_text_append (snapshot, UI_TOKEN_LABEL (widget)->layout, 0,
                        gtk_widget_get_height (widget), color);
}

static void
ui_token_label_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ui_token_label_parent_class)->css_changed (widget, change);
  lay_out (UI_TOKEN_LABEL (widget), gtk_widget_get_width (widget));
  gtk_widget_queue_resize (widget);
}

static void
ui_token_label_finalize (GObject *object)
{
  UiTokenLabel *self = UI_TOKEN_LABEL (object);

  g_clear_object (&self->layout);
  g_free (self->name);
  g_free (self->brief);
  G_OBJECT_CLASS (ui_token_label_parent_class)->finalize (object);
}

static void
ui_token_label_class_init (UiTokenLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_token_label_finalize;
  widget_class->measure = ui_token_label_measure;
  widget_class->size_allocate = ui_token_label_size_allocate;
  widget_class->snapshot = ui_token_label_snapshot;
  widget_class->css_changed = ui_token_label_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
  /* Styled like any label. */
  gtk_widget_class_set_css_name (widget_class, "label");
}

static void
ui_token_label_init (UiTokenLabel *self)
{
  self->name = g_strdup ("");
  self->brief = g_strdup ("");
  lay_out (self, 0);
}

GtkWidget *
ui_token_label_new (void)
{
  return g_object_new (UI_TYPE_TOKEN_LABEL, NULL);
}

void
ui_token_label_set (UiTokenLabel *self,
                    const char   *name,
                    const char   *brief,
                    char          letter,
                    UiColor       color)
{
  g_return_if_fail (UI_IS_TOKEN_LABEL (self));

  g_free (self->name);
  self->name = g_strdup (name);
  g_free (self->brief);
  self->brief = g_strdup (brief);
  self->letter = letter;
  self->color = color;
  lay_out (self, gtk_widget_get_width (GTK_WIDGET (self)));
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

const char *
ui_token_label_get_text (UiTokenLabel *self)
{
  g_return_val_if_fail (UI_IS_TOKEN_LABEL (self), NULL);

  return pango_layout_get_text (self->layout);
}

gboolean
ui_token_label_is_cut (UiTokenLabel *self)
{
  g_return_val_if_fail (UI_IS_TOKEN_LABEL (self), FALSE);

  return self->is_cut;
}
