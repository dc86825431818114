/* SPDX-License-Identifier: MIT */
/* What choosing heads in the map makes of a document: heads of one layer lie in one picture, heads
 * of several stand beside each other. */
#include "app/parts/map/map-private.h"

void
app_map_show_head (UiDocument *document,
                   int         layer,
                   int         head)
{
  ui_document_show_head (document, layer, head);
}

void
app_map_show_layer (UiDocument *document,
                    int         layer)
{
  document->layer = layer;
  document->heads = (UiHeadSet) { .all = TRUE };
  if (document->compare == UI_COMPARE_HEADS)
    document->compare = UI_COMPARE_OFF;
}

static gboolean
is_of_one_layer (const UiCells *cells)
{
  for (int i = 1; i < cells->n; i++)
    if (cells->cells[i].layer != cells->cells[0].layer)
      return FALSE;
  return TRUE;
}

/* What stands beside each other lies in one picture again. */
static void
join_panels (UiDocument *document)
{
  document->compare = UI_COMPARE_OFF;
  if (document->panels.n > 0) {
    document->layer = document->panels.cells[0].layer;
    ui_head_set_only (&document->heads, document->panels.cells[0].head);
  }
  for (int i = 1; i < document->panels.n; i++)
    ui_head_set_add (&document->heads, document->panels.cells[i].head);
  ui_cells_clear (&document->panels);
}

/* What lies in one picture stands beside each other. */
static void
split_panels (UiDocument *document,
              int         n_heads)
{
  ui_cells_clear (&document->panels);
  for (int head = 0; head < n_heads; head++)
    if (ui_head_set_has (&document->heads, head)
        && !(ui_view_get (document->view)->has_one_head && document->panels.n > 0))
      ui_cells_toggle (&document->panels, document->layer, head);
  document->compare = UI_COMPARE_HEADS;
}

void
app_map_add_head (UiDocument *document,
                  int         layer,
                  int         head,
                  int         n_heads)
{
  const UiView *view = ui_view_get (document->view);

  if (view->has_all_heads) {
    /* All are there: those that are added are collected. */
    ui_cells_toggle (&document->panels, layer, head);
    if (document->panels.n == 0 && document->compare == UI_COMPARE_HEADS)
      document->compare = UI_COMPARE_OFF;
    return;
  }
  if (document->compare == UI_COMPARE_HEADS) {
    if (document->panels.n == 1 && ui_cells_has (&document->panels, layer, head))
      return;
    ui_cells_toggle (&document->panels, layer, head);
    if (is_of_one_layer (&document->panels) && !view->has_one_head)
      join_panels (document);
  } else if (layer == document->layer && !view->has_one_head) {
    ui_head_set_toggle (&document->heads, head, n_heads);
  } else if (document->compare == UI_COMPARE_OFF && view->can_compare
             && ui_head_set_count (&document->heads, n_heads) < UI_MAX_PANELS) {
    split_panels (document, n_heads);
    if (!ui_cells_has (&document->panels, layer, head))
      ui_cells_toggle (&document->panels, layer, head);
  } else {
    app_map_show_head (document, layer, head);
  }
}
