/* SPDX-License-Identifier: MIT */
#include "ui/controls/layer-picker.h"

struct _UiLayerPicker {
  GtkWidget  parent_instance;

  GtkWidget *scroller;
  GtkWidget *box;
  GPtrArray *buttons;  /* GtkToggleButton, children of box */
  char      *noun;
  int        selected;
  gboolean   is_setting; /* the buttons follow selected, not a person */
};

enum { PROP_0, PROP_NOUN, PROP_N_ITEMS, PROP_SELECTED, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (UiLayerPicker, ui_layer_picker, GTK_TYPE_WIDGET)

static int
index_of (UiLayerPicker *self,
          gpointer       button)
{
  guint index = 0;

  g_ptr_array_find (self->buttons, button, &index);
  return (int) index;
}

static GtkAdjustment *
get_adjustment (UiLayerPicker *self)
{
  return gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller));
}

/* Brings the chosen button into sight. */
static void
scroll_to_selected (UiLayerPicker *self)
{
  graphene_rect_t bounds;

  if (self->selected >= (int) self->buttons->len ||
      !gtk_widget_compute_bounds (self->buttons->pdata[self->selected], self->box, &bounds))
    return;

  gtk_adjustment_clamp_page (get_adjustment (self),
                             bounds.origin.x, bounds.origin.x + bounds.size.width);
}

static void
update_buttons (UiLayerPicker *self)
{
  self->is_setting = TRUE;
  for (int i = 0; i < (int) self->buttons->len; i++)
    gtk_toggle_button_set_active (self->buttons->pdata[i], i == self->selected);
  self->is_setting = FALSE;
  scroll_to_selected (self);
}

static void
toggled_cb (UiLayerPicker   *self,
            GtkToggleButton *button)
{
  if (self->is_setting)
    return;

  /* Pressing the chosen button again leaves it chosen. */
  if (gtk_toggle_button_get_active (button))
    ui_layer_picker_set_selected (self, index_of (self, button));
  else
    update_buttons (self);
}

static GtkWidget *
new_button (UiLayerPicker *self,
            int            index)
{
  g_autofree char *number = g_strdup_printf ("%d", index);
  g_autofree char *name = g_strdup_printf ("%s %d", self->noun, index);
  GtkWidget *button = gtk_toggle_button_new_with_label (number);

  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (button, "toggled", G_CALLBACK (toggled_cb), self, G_CONNECT_SWAPPED);

  return button;
}

/* One stop for Tab; arrows move between the buttons. */
static gboolean
ui_layer_picker_focus (GtkWidget        *widget,
                       GtkDirectionType  direction)
{
  UiLayerPicker *self = UI_LAYER_PICKER (widget);
  const gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (!is_tab)
    return GTK_WIDGET_CLASS (ui_layer_picker_parent_class)->focus (widget, direction);
  if (gtk_widget_get_focus_child (widget) != NULL || self->buttons->len == 0)
    return GDK_EVENT_PROPAGATE;

  return gtk_widget_grab_focus (self->buttons->pdata[self->selected]);
}

static void
ui_layer_picker_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  UiLayerPicker *self = UI_LAYER_PICKER (object);

  switch (id) {
  case PROP_NOUN:
    g_value_set_string (value, self->noun);
    break;
  case PROP_N_ITEMS:
    g_value_set_int (value, (int) self->buttons->len);
    break;
  case PROP_SELECTED:
    g_value_set_int (value, self->selected);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_layer_picker_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  UiLayerPicker *self = UI_LAYER_PICKER (object);

  switch (id) {
  case PROP_NOUN:
    self->noun = g_value_dup_string (value);
    break;
  case PROP_N_ITEMS:
    ui_layer_picker_set_n_items (self, g_value_get_int (value));
    break;
  case PROP_SELECTED:
    ui_layer_picker_set_selected (self, g_value_get_int (value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_layer_picker_constructed (GObject *object)
{
  G_OBJECT_CLASS (ui_layer_picker_parent_class)->constructed (object);
  gtk_accessible_update_property (GTK_ACCESSIBLE (object),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, UI_LAYER_PICKER (object)->noun,
                                  -1);
}

static void
ui_layer_picker_dispose (GObject *object)
{
  UiLayerPicker *self = UI_LAYER_PICKER (object);

  g_ptr_array_set_size (self->buttons, 0);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_layer_picker_parent_class)->dispose (object);
}

static void
ui_layer_picker_finalize (GObject *object)
{
  UiLayerPicker *self = UI_LAYER_PICKER (object);

  g_ptr_array_unref (self->buttons);
  g_free (self->noun);
  G_OBJECT_CLASS (ui_layer_picker_parent_class)->finalize (object);
}

static void
ui_layer_picker_class_init (UiLayerPickerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ui_layer_picker_get_property;
  object_class->set_property = ui_layer_picker_set_property;
  object_class->constructed = ui_layer_picker_constructed;
  object_class->dispose = ui_layer_picker_dispose;
  object_class->finalize = ui_layer_picker_finalize;
  widget_class->focus = ui_layer_picker_focus;

  properties[PROP_NOUN] =
    g_param_spec_string ("noun", NULL, NULL, "Layer",
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_N_ITEMS] = g_param_spec_int ("n-items", NULL, NULL, 0, G_MAXINT, 0, flags);
  properties[PROP_SELECTED] = g_param_spec_int ("selected", NULL, NULL, 0, G_MAXINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_RADIO_GROUP);
  gtk_widget_class_set_css_name (widget_class, "layerpicker");
}

static void
ui_layer_picker_init (UiLayerPicker *self)
{
  self->buttons = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->box, "linked");

  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "child", self->box,
                                 "hscrollbar-policy", GTK_POLICY_EXTERNAL,
                                 "vscrollbar-policy", GTK_POLICY_NEVER,
                                 "propagate-natural-width", TRUE,
                                 NULL);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  /* The page of the adjustment is known only once there is an allocation. */
  g_signal_connect_object (get_adjustment (self), "notify::page-size",
                           G_CALLBACK (scroll_to_selected), self, G_CONNECT_SWAPPED);
}

GtkWidget *
ui_layer_picker_new (const char *noun)
{
  return g_object_new (UI_TYPE_LAYER_PICKER, "noun", noun, NULL);
}

void
ui_layer_picker_set_n_items (UiLayerPicker *self,
                             int            n_items)
{
  g_return_if_fail (UI_IS_LAYER_PICKER (self));
  g_return_if_fail (n_items >= 0);

  if (n_items == (int) self->buttons->len)
    return;

  while ((int) self->buttons->len > n_items) {
    gtk_box_remove (GTK_BOX (self->box), self->buttons->pdata[self->buttons->len - 1]);
    g_ptr_array_remove_index (self->buttons, self->buttons->len - 1);
  }
  while ((int) self->buttons->len < n_items) {
    GtkWidget *button = new_button (self, (int) self->buttons->len);

    gtk_box_append (GTK_BOX (self->box), button);
    g_ptr_array_add (self->buttons, button);
  }

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ITEMS]);
  ui_layer_picker_set_selected (self, self->selected);
  update_buttons (self);
}

int
ui_layer_picker_get_n_items (UiLayerPicker *self)
{
  g_return_val_if_fail (UI_IS_LAYER_PICKER (self), 0);

  return (int) self->buttons->len;
}

void
ui_layer_picker_set_selected (UiLayerPicker *self,
                              int            selected)
{
  g_return_if_fail (UI_IS_LAYER_PICKER (self));

  selected = CLAMP (selected, 0, MAX (0, (int) self->buttons->len - 1));
  if (selected == self->selected)
    return;

  self->selected = selected;
  update_buttons (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
}

int
ui_layer_picker_get_selected (UiLayerPicker *self)
{
  g_return_val_if_fail (UI_IS_LAYER_PICKER (self), 0);

  return self->selected;
}

void
ui_layer_picker_set_available (UiLayerPicker *self,
                               int            item,
                               gboolean       available)
{
  g_return_if_fail (UI_IS_LAYER_PICKER (self));
  g_return_if_fail (item >= 0 && item < (int) self->buttons->len);

  gtk_widget_set_sensitive (self->buttons->pdata[item], available);
}
