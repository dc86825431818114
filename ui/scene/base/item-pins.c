/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/item-pins.h"

/* Pins a key and keeps the queries: the one cell that both meet in. Again: takes it back. */
static void
pin_cell (UiPins   *pins,
          int       key,
          gboolean  extend)
{
  gboolean was_pinned = ui_pins_has (pins, TRUE, key);

  if (!extend) {
    g_clear_pointer (&pins->keys, g_free);
    pins->n_keys = 0;
  }
  if (extend || !was_pinned)
    ui_pins_click (pins, TRUE, key, TRUE);
}

/* A token is pinned by itself, a link by both of its ends. */
static void
click_item (UiPins       *pins,
            const UiView *view,
            const UiItem *item,
            gboolean      extend)
{
  switch (item->type) {
  case UI_ITEM_QUERY:
  case UI_ITEM_QUERY_CELL:
    ui_pins_click (pins, FALSE, item->query, extend);
    break;
  case UI_ITEM_LINK:
    if (!ui_pins_has (pins, FALSE, item->query))
      ui_pins_click (pins, FALSE, item->query, extend);
    pin_cell (pins, item->key, extend);
    break;
  case UI_ITEM_KEY:
  case UI_ITEM_KEY_CELL:
  case UI_ITEM_PRODUCT_CELL:
  case UI_ITEM_SCALED_PRODUCT:
  case UI_ITEM_BIAS:
  case UI_ITEM_SECOND_BIAS:
  case UI_ITEM_SCORE:
  case UI_ITEM_MASK:
  case UI_ITEM_SOFTMAX:
  case UI_ITEM_MEASURE:
  case UI_ITEM_VALUE_CELL:
    if (view->pins_cells && pins->n_queries == 0 && item->query >= 0)
      ui_pins_click (pins, FALSE, item->query, extend);
    if (view->pins_cells && pins->n_queries > 0)
      pin_cell (pins, item->key, extend);
    else
      ui_pins_click (pins, TRUE, item->key, extend);
    break;
  case UI_ITEM_OUTPUT_CELL: /* of the query that is pinned already */
  case UI_ITEM_NONE:
  default:
    break;
  }
}

/* A document's pins are tokens: a word is pinned by its first piece. */
static void
pin_rows (const UiScene *scene,
          const UiPins  *rows,
          UiPins        *tokens)
{
  for (int i = 0; i < rows->n_queries; i++)
    ui_pins_click (tokens, FALSE, ui_scene_get_token (scene, FALSE, rows->queries[i]), TRUE);
  for (int i = 0; i < rows->n_keys; i++)
    ui_pins_click (tokens, TRUE, ui_scene_get_token (scene, TRUE, rows->keys[i]), TRUE);
}

void
ui_item_pin (const UiItem  *item,
             const UiScene *scene,
             const UiView  *view,
             gboolean       extend,
             UiPins        *tokens)
{
  UiPins rows = { 0 };

  ui_pins_copy (&ui_scene_get_document (scene)->pins, &rows);
  click_item (&rows, view, item, extend);
  pin_rows (scene, &rows, tokens);
  ui_pins_clear (&rows);
}
