/* SPDX-License-Identifier: MIT */
#include "ui/controls/layer-picker.h"

#include "tests/support/window/widget-driver.h"

typedef struct {
  GtkWindow     *window;
  UiLayerPicker *picker;
  int            n_notified;
} Fixture;

static void
notified_cb (Fixture *self)
{
  self->n_notified++;
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->picker = UI_LAYER_PICKER (ui_layer_picker_new ("Layer"));
  ui_layer_picker_set_n_items (self->picker, 6);
  g_signal_connect_swapped (self->picker, "notify::selected", G_CALLBACK (notified_cb), self);
  self->window = driver_show (GTK_WIDGET (self->picker), 300, 40);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->picker);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->picker);
}

static GtkToggleButton *
get_button (Fixture *self,
            int      index)
{
  return GTK_TOGGLE_BUTTON (driver_find (GTK_WIDGET (self->picker), GTK_TYPE_TOGGLE_BUTTON, index));
}

static void
assert_selected (Fixture *self,
                 int      selected)
{
  g_assert_cmpint (ui_layer_picker_get_selected (self->picker), ==, selected);
  for (int i = 0; i < ui_layer_picker_get_n_items (self->picker); i++)
    g_assert_cmpint (gtk_toggle_button_get_active (get_button (self, i)), ==, i == selected);
}

static void
press (Fixture *self,
       int      index)
{
  g_signal_emit_by_name (get_button (self, index), "clicked");
}

static void
test_choose (Fixture       *self,
             gconstpointer  unused)
{
  assert_selected (self, 0);
  press (self, 4);
  assert_selected (self, 4);
  g_assert_cmpint (self->n_notified, ==, 1);

  /* One number is always chosen. */
  press (self, 4);
  assert_selected (self, 4);
  g_assert_cmpint (self->n_notified, ==, 1);

  ui_layer_picker_set_selected (self->picker, 2);
  assert_selected (self, 2);
  g_assert_cmpint (self->n_notified, ==, 2);
}

static void
test_fewer_items (Fixture       *self,
                  gconstpointer  unused)
{
  ui_layer_picker_set_selected (self->picker, 5);
  ui_layer_picker_set_n_items (self->picker, 3);
  assert_selected (self, 2);
  g_assert_null (get_button (self, 3));
  ui_layer_picker_set_selected (self->picker, 99);
  assert_selected (self, 2);
}

static void
test_names (Fixture       *self,
            gconstpointer  unused)
{
  gtk_test_accessible_assert_role (self->picker, GTK_ACCESSIBLE_ROLE_RADIO_GROUP);
  gtk_test_accessible_assert_property (self->picker, GTK_ACCESSIBLE_PROPERTY_LABEL, "Layer");
  gtk_test_accessible_assert_property (get_button (self, 3), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Layer 3");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (get_button (self, 3))), ==, "Layer 3");
}

static void
test_available (Fixture       *self,
                gconstpointer  unused)
{
  ui_layer_picker_set_available (self->picker, 3, FALSE);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (get_button (self, 3))));
  ui_layer_picker_set_available (self->picker, 3, TRUE);
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (get_button (self, 3))));
}

/* 48 layers in 300 px: the chosen one is in sight. */
static void
test_many (Fixture       *self,
           gconstpointer  unused)
{
  graphene_rect_t bounds;

  ui_layer_picker_set_n_items (self->picker, 48);
  driver_settle (GTK_WIDGET (self->picker));
  ui_layer_picker_set_selected (self->picker, 40);
  driver_settle (GTK_WIDGET (self->picker));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (self->picker)), <=, 300);
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (get_button (self, 40)),
                                            GTK_WIDGET (self->picker), &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, -0.5);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, 300.5);

  ui_layer_picker_set_selected (self->picker, 0);
  driver_settle (GTK_WIDGET (self->picker));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (get_button (self, 0)),
                                            GTK_WIDGET (self->picker), &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, -0.5);
}

static void
test_keyboard (Fixture       *self,
               gconstpointer  unused)
{
  GtkWidget *picker = GTK_WIDGET (self->picker);

  /* Tab goes to the chosen one, arrows to its neighbours, Tab again leaves. */
  ui_layer_picker_set_selected (self->picker, 2);
  gtk_window_set_focus (self->window, NULL);
  g_assert_true (gtk_widget_child_focus (picker, GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_window_get_focus (self->window) == GTK_WIDGET (get_button (self, 2)));
  g_assert_true (gtk_widget_child_focus (picker, GTK_DIR_RIGHT));
  g_assert_true (gtk_window_get_focus (self->window) == GTK_WIDGET (get_button (self, 3)));
  g_assert_false (gtk_widget_child_focus (picker, GTK_DIR_TAB_FORWARD));
}

#define ADD(path, test) g_test_add ("/layer-picker/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("choose", test_choose);
  ADD ("fewer-items", test_fewer_items);
  ADD ("names", test_names);
  ADD ("available", test_available);
  ADD ("many", test_many);
  ADD ("keyboard", test_keyboard);
  return g_test_run ();
}
