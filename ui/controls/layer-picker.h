/* SPDX-License-Identifier: MIT */
/* A row of linked buttons with the numbers 0 to n - 1 of which one is chosen: the layer, and in
 * the neuron view the head. Longer rows than there is room for scroll, the chosen number stays
 * in sight.
 *
 * Properties: n-items, selected (int; notified when a person chooses, and when it is set), noun
 * ("Layer": begins the accessible names and tooltips of the buttons). */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_LAYER_PICKER (ui_layer_picker_get_type ())
G_DECLARE_FINAL_TYPE (UiLayerPicker, ui_layer_picker, UI, LAYER_PICKER, GtkWidget)

GtkWidget *ui_layer_picker_new           (const char    *noun);

void       ui_layer_picker_set_n_items   (UiLayerPicker *self,
                                          int            n_items);
int        ui_layer_picker_get_n_items   (UiLayerPicker *self);
/* Clamped to the numbers that exist. */
void       ui_layer_picker_set_selected  (UiLayerPicker *self,
                                          int            selected);
int        ui_layer_picker_get_selected  (UiLayerPicker *self);
/* A layer that is not computed yet or that a trace file leaves out cannot be chosen. */
void       ui_layer_picker_set_available (UiLayerPicker *self,
                                          int            item,
                                          gboolean       available);

G_END_DECLS
