/* SPDX-License-Identifier: MIT */
#include "ui/document/view.h"

static const UiView views[] = {
  [UI_VIEW_HEAD] = {
    .title = "Head view",
    .noun = "heads",
    .can_compare = TRUE,
    .marks_changes = TRUE,
    .enlarges_text = TRUE,
    .keeps_width = TRUE,
    .least_width = 330,
  },
  [UI_VIEW_NEURON] = {
    .title = "Neuron view",
    .noun = "neurons",
    .has_one_head = TRUE,
    .has_vectors = TRUE,
    .can_compare = TRUE,
    .enlarges_text = TRUE,
    .pins_cells = TRUE,
    .least_width = 900,
    .no_aggregate = "The neuron view shows one head of one layer",
    .no_selection = "The neuron view shows all of a head",
  },
  [UI_VIEW_MODEL] = {
    .title = "Model view",
    .noun = "model",
    .has_all_heads = TRUE,
    .least_width = 500,
    .no_aggregate = "Every cell of the model view is one head of one layer",
  },
  [UI_VIEW_MATRIX] = {
    .title = "Matrix",
    .noun = "matrix",
    .has_one_number = TRUE,
    .can_compare = TRUE,
    .least_width = 250,
  },
  [UI_VIEW_STEPS] = {
    .title = "Steps",
    .noun = "steps",
    .has_one_head = TRUE,
    .enlarges_text = TRUE,
    .has_steps = TRUE,
    .least_width = 330,
    .no_aggregate = "The steps are those of one head of one layer",
    .no_selection = "The steps show all of a head",
  },
};

const char *const ui_view_names[] = {
  [UI_VIEW_HEAD] = "head",
  [UI_VIEW_NEURON] = "neuron",
  [UI_VIEW_MODEL] = "model",
  [UI_VIEW_MATRIX] = "matrix",
  [UI_VIEW_STEPS] = "steps",
  NULL
};

const UiView *
ui_view_get (UiViewKind kind)
{
  return &views[kind];
}
