/* SPDX-License-Identifier: MIT */
#include "ui/controls/number-row.h"

#include <math.h>

#define MARGIN 12

struct _UiNumberRow {
  GtkWidget           parent_instance;

  const UiNumberSpec *spec;
  GtkWidget          *name;       /* a GtkCheckButton where it may be unset, else a GtkLabel */
  GtkSpinButton      *spin;
  gboolean            is_setting; /* the controls follow what holds, not a person */
};

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiNumberRow, ui_number_row, GTK_TYPE_WIDGET)

static void
emit_changed (UiNumberRow *self)
{
  if (!self->is_setting)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* The number that it is first set to, whatever stood there while it was not. */
static void
check_cb (UiNumberRow *self)
{
  if (self->is_setting)
    return;
  self->is_setting = TRUE;
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->name)))
    gtk_spin_button_set_value (self->spin, self->spec->begin);
  self->is_setting = FALSE;
  emit_changed (self);
}

static void
build (UiNumberRow  *self,
       GtkSizeGroup *numbers)
{
  const UiNumberSpec *spec = self->spec;
  GtkWidget *spin = gtk_spin_button_new_with_range (spec->min, spec->max, spec->step);

  self->spin = GTK_SPIN_BUTTON (spin);
  self->name = spec->has_check ? gtk_check_button_new_with_label (spec->label)
                               : gtk_label_new (spec->label);
  gtk_widget_set_hexpand (self->name, TRUE);
  gtk_widget_set_tooltip_text (self->name, spec->tooltip);
  gtk_spin_button_set_digits (self->spin, spec->n_digits);
  gtk_size_group_add_widget (numbers, spin);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spec->label, -1);
  if (spec->has_check)
    g_signal_connect_swapped (self->name, "notify::active", G_CALLBACK (check_cb), self);
  else
    gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (emit_changed), self);
  gtk_widget_set_parent (self->name, GTK_WIDGET (self));
  gtk_widget_set_parent (spin, GTK_WIDGET (self));
}

static void
ui_number_row_dispose (GObject *object)
{
  UiNumberRow *self = UI_NUMBER_ROW (object);

  g_clear_pointer (&self->name, gtk_widget_unparent);
  if (self->spin != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->spin));
  self->spin = NULL;
  G_OBJECT_CLASS (ui_number_row_parent_class)->dispose (object);
}

static void
ui_number_row_class_init (UiNumberRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_number_row_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "numberrow");
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", UI_TYPE_NUMBER_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
}

static void
ui_number_row_init (UiNumberRow *self)
{
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              MARGIN);
}

GtkWidget *
ui_number_row_new (const UiNumberSpec *spec,
                   GtkSizeGroup       *numbers)
{
  UiNumberRow *self = g_object_new (UI_TYPE_NUMBER_ROW, NULL);

  self->spec = spec;
  build (self, numbers);
  return GTK_WIDGET (self);
}

void
ui_number_row_set (UiNumberRow *self,
                   double       value,
                   gboolean     is_set,
                   gboolean     is_useful)
{
  const UiNumberSpec *spec;
  gboolean is_free;
  g_autofree char *why = NULL;

  g_return_if_fail (UI_IS_NUMBER_ROW (self));

  spec = self->spec;
  is_free = spec->has_check ? is_set : is_useful || is_set;
  why = is_free ? g_strdup (spec->tooltip)
        : is_useful ? g_strdup_printf ("Choose “%s” first", spec->label) : g_strdup (spec->lacking);
  self->is_setting = TRUE;
  if (spec->has_check)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->name), is_set);
  gtk_widget_set_sensitive (self->name, is_useful || is_set);
  gtk_widget_set_tooltip_text (self->name, is_useful || is_set ? spec->tooltip : spec->lacking);
  gtk_widget_set_sensitive (GTK_WIDGET (self->spin), is_free);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->spin), why);
  /* A person may be typing there: what holds already is not written again. */
  if (fabs (gtk_spin_button_get_value (self->spin) - value) > 1e-9)
    gtk_spin_button_set_value (self->spin, value);
  self->is_setting = FALSE;
}

void
ui_number_row_set_max (UiNumberRow *self,
                       double       max)
{
  g_return_if_fail (UI_IS_NUMBER_ROW (self));

  self->is_setting = TRUE;
  gtk_spin_button_set_range (self->spin, self->spec->min, MAX (max, self->spec->min));
  self->is_setting = FALSE;
}

const char *
ui_number_row_get_field (UiNumberRow *self)
{
  g_return_val_if_fail (UI_IS_NUMBER_ROW (self), NULL);

  return self->spec->field;
}

char *
ui_number_row_dup_text (UiNumberRow *self)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *format = NULL;

  g_return_val_if_fail (UI_IS_NUMBER_ROW (self), NULL);

  if (self->spec->has_check && !gtk_check_button_get_active (GTK_CHECK_BUTTON (self->name)))
    return g_strdup ("");
  format = g_strdup_printf ("%%.%uf", self->spec->n_digits);
  return g_strdup (g_ascii_formatd (text, sizeof text, format,
                                    gtk_spin_button_get_value (self->spin)));
}
