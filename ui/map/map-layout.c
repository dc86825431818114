/* SPDX-License-Identifier: MIT */
#include "ui/map/map-layout.h"

#define MOST_LINES 16

/* Of a strip of UI_MAP_STRIP: what is left at its end is for the frame of a cell. */
#define STRIP_LABELS 20
#define STRIP_CELL 38
#define STRIP_GAP 7

/* Small cells lie close, so that they stay cells. */
static int
get_gap (int cell)
{
  return cell >= UI_MAP_LEAST_THUMBNAIL ? 2 : 1;
}

static int
get_layer_gap (int n_lines,
               int cell)
{
  if (n_lines > 1)
    return 7;
  return cell >= UI_MAP_LEAST_THUMBNAIL ? 2 : 0;
}

static int
get_height (int n_layers,
            int n_lines,
            int cell)
{
  return n_layers * (n_lines * (cell + get_gap (cell)) + get_layer_gap (n_lines, cell));
}

/* The largest cell that fits with so many lines a layer; 0 = none is small enough. */
static int
find_cell (const UiMapLayout *self,
           int                n_lines,
           int                largest,
           int                width,
           int                height)
{
  const int n_columns = (self->n_heads + n_lines - 1) / n_lines;

  for (int cell = largest; cell >= UI_MAP_LEAST_CELL; cell--)
    if (self->labels + n_columns * (cell + get_gap (cell)) <= width
        && (height < 0 || get_height (self->n_layers, n_lines, cell) <= height))
      return cell;

  return 0;
}

/* Of one line and two that with the larger cells; more where even the smallest are too wide. */
void
ui_map_layout_init (UiMapLayout *self,
                    int          n_layers,
                    int          n_heads,
                    int          width,
                    int          height,
                    double       text_scale)
{
  const int largest = (int) (UI_MAP_LARGEST_CELL * text_scale);

  *self = (UiMapLayout) {
    .n_layers = n_layers, .n_heads = n_heads, .labels = (int) (UI_MAP_LABELS * text_scale)
  };
  for (int n_lines = 1; n_lines <= MIN (n_heads, MOST_LINES); n_lines++) {
    int cell = find_cell (self, n_lines, largest, width, height);

    if (n_lines > 2 && self->cell > 0)
      break;
    if (cell > self->cell) {
      self->cell = cell;
      self->n_lines = n_lines;
    }
  }
  if (self->cell == 0) {
    /* There is no room for the smallest: as few lines as the width allows. */
    self->cell = UI_MAP_LEAST_CELL;
    self->n_lines = 1;
    while (self->n_lines < n_heads
           && find_cell (self, self->n_lines, largest, width, -1) == 0)
      self->n_lines++;
  }
  self->gap = get_gap (self->cell);
  self->layer_gap = get_layer_gap (self->n_lines, self->cell);
  self->n_columns = (n_heads + self->n_lines - 1) / self->n_lines;
  self->width = self->labels + self->n_columns * (self->cell + self->gap);
  self->height = get_height (n_layers, self->n_lines, self->cell);
}

/* All of it grows with the width, which grows with the text. */
void
ui_map_layout_init_strip (UiMapLayout *self,
                          int          layer,
                          int          n_heads,
                          int          width)
{
  *self = (UiMapLayout) {
    .is_strip = TRUE,
    .first_layer = layer,
    .n_layers = 1,
    .n_heads = n_heads,
    .labels = width * STRIP_LABELS / UI_MAP_STRIP,
    .n_columns = 1,
    .n_lines = n_heads,
    .cell = width * STRIP_CELL / UI_MAP_STRIP,
    .gap = width * STRIP_GAP / UI_MAP_STRIP,
    .width = width,
  };
  self->height = n_heads * (self->cell + self->gap);
}

static int
get_layer_pitch (const UiMapLayout *self)
{
  return self->n_lines * (self->cell + self->gap) + self->layer_gap;
}

int
ui_map_layout_get_top (const UiMapLayout *self,
                       int                layer)
{
  return (layer - self->first_layer) * get_layer_pitch (self);
}

UiMapPlace
ui_map_layout_get_place (const UiMapLayout *self,
                         int                layer,
                         int                head)
{
  const int pitch = self->cell + self->gap;

  return (UiMapPlace) {
    .x = self->labels + head % self->n_columns * pitch,
    .y = ui_map_layout_get_top (self, layer) + head / self->n_columns * pitch,
    .size = self->cell,
  };
}

UiMapHit
ui_map_layout_hit (const UiMapLayout *self,
                   double             x,
                   double             y)
{
  const int pitch = self->cell + self->gap;
  UiMapHit hit = { .type = UI_MAP_HIT_NONE };
  int line, column;

  if (self->n_layers == 0 || self->n_heads == 0 || x < 0 || y < 0 || x >= self->width
      || y >= self->height)
    return hit;

  hit.layer = self->first_layer + MIN ((int) (y / get_layer_pitch (self)), self->n_layers - 1);
  if (!self->is_strip && x < self->labels - self->gap) {
    hit.type = UI_MAP_HIT_LAYER;
    return hit;
  }
  line = CLAMP ((int) ((y - ui_map_layout_get_top (self, hit.layer)) / pitch), 0,
                self->n_lines - 1);
  column = CLAMP ((int) ((x - self->labels) / pitch), 0, self->n_columns - 1);
  hit.type = UI_MAP_HIT_HEAD;
  hit.head = MIN (line * self->n_columns + column, self->n_heads - 1);
  return hit;
}
