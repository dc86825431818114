/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-layout.h"

#include <math.h>

/* At 100 % text. */
#define MAX_ROW 40.0
#define MIN_ROW 18.0
#define MIN_LARGE_ROW 10.0 /* of text that is larger than 100 %, where all rows fit so */
#define FILE_ROW 26.0      /* short texts in a file */
#define FILE_LONG_ROW 20.0 /* and more than LONG_TEXT tokens */
#define LONG_TEXT 48
#define TEXT_SIZE UI_TOKEN_SIZE
#define TEXT_PART_OF_ROW 0.72
#define TEXT_PART_OF_LOW_ROW 0.82 /* lower than MIN_ROW */
#define MAX_TEXT 21.0
#define MAX_TEXT_PART_OF_ROW 0.52
#define HEADER 30.0
#define PLATE_PADDING 3.0
#define PAIR_GAP (14.0 + 2 * PLATE_PADDING) /* between rows; 14 between plates */
#define BOTTOM 10.0

#define EDGE 6.0
#define LETTER_WIDTH 26.0
#define BAR_WIDTH 4.0
#define BAR_GAP 4.0
#define COLUMN_WIDTH 128.0
#define MIN_FIELD 170.0
#define WANTED_FIELD 330.0 /* for which a window's lanes give way */
#define FIELD 340.0
#define MAX_FIELD 560.0
#define FIELD_GROWS_FROM 992.0 /* width of the drawing in a window of 1280 */
#define FIELD_GROWTH 0.45
#define MIN_LANES 100.0
/* What parts give up, in this order, in a window that has not the room: panels side by side. */
#define NARROW_COLUMN 84.0
#define NARROW_LANES 48.0
#define NARROW_FIELD 110.0
#define LEAST_LANES 12.0 /* in a window of 420 */
#define MEANS_LANES 36.0 /* without letters of the sentences: a number alone */
#define LEAST_COLUMN 60.0 /* beside the grid of heads, without letters of the sentences */
#define LEAST_FIELD 76.0
#define LEAST_PART_OF_TEXT 0.82 /* of letters that become smaller for words to be whole */
#define READABLE_SIZE 11.0
#define FILE_LANES 150.0
#define MAX_LANES 260.0

static void
find_groups (UiHeadColumn    *self,
             const EngTokens *tokens)
{
  self->groups = g_new (UiHeadGroup, MAX (tokens->n, 1));
  for (int i = 0; i < tokens->n; i++) {
    UiHeadGroup *group = &self->groups[self->n_groups - 1];

    if (self->n_groups > 0 && group->sentence == tokens->segments[i])
      group->last = i;
    else
      self->groups[self->n_groups++] = (UiHeadGroup) { tokens->segments[i], i, i };
  }
}

static double
get_row_height (const UiHeadLayout   *self,
                const UiSceneOptions *options)
{
  int n = MAX (MAX (self->columns[0].n, self->columns[1].n), options->least_rows);
  int gaps = MAX (self->columns[0].n_groups, self->columns[1].n_groups) - 1;
  double edges = (PLATE_PADDING + MAX (gaps, 0) * PAIR_GAP + BOTTOM) * self->scale;
  double room = options->view_height - self->header - edges;
  /* Rounding must not make the sum higher than the view, which would scroll then. */
  double fit = (room - 0.01) / MAX (n, 1);
  double zoom = options->zoom > 0 ? options->zoom : 1;

  if (options->view_height <= 0)
    return (n > LONG_TEXT ? FILE_LONG_ROW : FILE_ROW) * self->scale;
  if (fit >= MAX (MIN_LARGE_ROW * self->scale, MIN_ROW * zoom))
    return MIN (fit, MAX_ROW * self->scale);
  return MIN_ROW * self->scale;
}

static void
place_rows (UiHeadLayout *self,
            UiHeadColumn *column)
{
  double y = self->header + PLATE_PADDING * self->scale;
  double bottom = self->header;

  column->y = g_new (double, MAX (column->n, 1));
  for (int i = 0; i < column->n_groups; i++) {
    const UiHeadGroup *group = &column->groups[i];

    for (int token = group->first; token <= group->last; token++, y += self->row)
      column->y[token] = y + self->row / 2;
    bottom = y;
    y += PAIR_GAP * self->scale;
  }
  column->column.y = self->header;
  column->column.height = bottom - self->header;
  column->lanes.y = column->column.y;
  column->lanes.height = column->column.height;
}

static double
get_least_lanes (const UiSceneOptions *options,
                 gboolean              pinned)
{
  if (options->view_height > 0)
    return MIN_LANES;
  return pinned ? FILE_LANES : 0;
}

/* Takes from a part, not under its least width, what is still short. */
static void
give_up (double *part,
         double  least,
         int     n_parts,
         double *shortage)
{
  double given = CLAMP (*shortage / n_parts, 0, MAX (*part - least, 0));

  *part -= given;
  *shortage -= given * n_parts;
}

/* How wide the parts are. */
typedef struct {
  double lanes[2];
  double edges;  /* letter and bars beside a column */
  double column;
  double field;  /* at least, then what it has */
} Widths;

/* What a window has not the room for. word: the column that the widest word needs, which it has
 * where a person zooms. */
static void
narrow (UiHeadLayout *self,
        Widths       *parts,
        double        word,
        gboolean      is_zoomed,
        double        shortage)
{
  double scale = self->scale;
  double wish = shortage + (WANTED_FIELD - MIN_FIELD) * scale;

  give_up (&parts->lanes[0], NARROW_LANES * scale, 2, &wish);
  shortage -= 2 * (parts->lanes[1] - parts->lanes[0]);
  give_up (&parts->column, MAX (NARROW_COLUMN * scale, word), 2, &shortage);
  give_up (&parts->field, NARROW_FIELD * scale, 1, &shortage);
  give_up (&parts->lanes[0], LEAST_LANES * scale, 2, &shortage);
  parts->lanes[1] = parts->lanes[0];
  self->has_letters = shortage <= 0;
  if (self->has_letters)
    return;

  parts->edges -= LETTER_WIDTH * scale;
  shortage -= 2 * LETTER_WIDTH * scale;
  /* Numbers have no letters to give way to them here. */
  shortage += 2 * (MEANS_LANES - LEAST_LANES) * scale;
  parts->lanes[0] = parts->lanes[1] = MEANS_LANES * scale;
  give_up (&parts->column, MAX (LEAST_COLUMN * scale, word), 2, &shortage);
  give_up (&parts->field, LEAST_FIELD * scale, 1, &shortage);
  give_up (&parts->column, MAX (LEAST_COLUMN * scale, is_zoomed ? word : 0), 2, &shortage);
  give_up (&parts->lanes[0], LEAST_LANES * scale, 2, &shortage);
  parts->lanes[1] = parts->lanes[0];
}

/* From left to right. */
static void
place_parts (UiHeadLayout *self,
             const Widths *parts,
             double        x)
{
  UiHeadColumn *queries = &self->columns[UI_SIDE_QUERIES], *keys = &self->columns[UI_SIDE_KEYS];
  double side = parts->edges + parts->column, gap = BAR_GAP * self->scale;

  queries->lanes.x = x;
  queries->lanes.width = parts->lanes[0];
  x += parts->lanes[0] + side;
  queries->column.x = x - parts->column - gap;
  queries->column.width = parts->column;
  x += parts->field;
  keys->column.x = x + gap;
  keys->column.width = parts->column;
  x += side;
  keys->lanes.x = x;
  keys->lanes.width = parts->lanes[1];
}

/* The links get what the columns leave, up to a width that grows with the window. */
static void
place_columns (UiHeadLayout         *self,
               double                word,
               const UiSceneOptions *options,
               const UiPins         *pins)
{
  double scale = self->scale;
  double zoom = options->zoom > 0 ? options->zoom : 1;
  gboolean is_window = options->view_height > 0;
  Widths parts = {
    .lanes = {
      get_least_lanes (options, pins->n_keys > 0 && pins->n_queries == 0) * scale,
      get_least_lanes (options, pins->n_queries > 0) * scale,
    },
    .edges = LETTER_WIDTH * scale + (BAR_WIDTH + 2 * BAR_GAP) * scale,
    .column = COLUMN_WIDTH * scale * sqrt (MAX (self->text_size / (TEXT_SIZE * scale), 1)),
    .field = MIN_FIELD * scale,
  };
  double *lanes = parts.lanes;
  double columns = 2 * (parts.edges + parts.column + EDGE * scale);
  double wanted, rest;

  self->has_letters = TRUE;
  if (is_window)
    narrow (self, &parts, word, zoom > 1,
            columns + parts.field + lanes[0] + lanes[1] - options->width);
  columns = 2 * (parts.edges + parts.column + EDGE * scale);
  wanted = is_window ? FIELD + MAX (options->width / MIN (zoom, 1) - FIELD_GROWS_FROM, 0)
                               * FIELD_GROWTH
                     : MAX_FIELD;
  parts.field = CLAMP (options->width - columns - lanes[0] - lanes[1], parts.field,
                       MAX (MIN (wanted, MAX_FIELD) * MAX (scale, zoom), parts.field));
  rest = options->width - columns - parts.field - lanes[0] - lanes[1];

  for (int i = 0; i < 2 && is_window; i++)
    lanes[i] = MIN (lanes[i] + MAX (rest, 0) / 2, MAX_LANES * scale);

  self->width = MAX (options->width, columns + parts.field + lanes[0] + lanes[1]);
  place_parts (self, &parts,
               (self->width - columns - parts.field - lanes[0] - lanes[1]) / 2 + EDGE * scale);
}

/* Where words lack little, letters become smaller for it. */
static void
shrink_text (UiHeadLayout *self,
             double        words)
{
  const double room = self->columns[0].column.width - 2 * UI_HEAD_PADDING * self->scale;
  const double usual = MIN (self->text_size, TEXT_SIZE * self->scale);
  const double least = MAX (usual * LEAST_PART_OF_TEXT, READABLE_SIZE);

  if (words * self->text_size > room && words * least <= room)
    self->text_size = room / words;
}

void
ui_head_layout_init (UiHeadLayout         *self,
                     const EngTokens      *queries,
                     const EngTokens      *keys,
                     double                words,
                     const UiSceneOptions *options,
                     const UiPins         *pins)
{
  double part;

  *self = (UiHeadLayout) { .scale = options->text_scale };
  self->columns[UI_SIDE_QUERIES].n = queries->n;
  self->columns[UI_SIDE_KEYS].n = keys->n;
  find_groups (&self->columns[UI_SIDE_QUERIES], queries);
  find_groups (&self->columns[UI_SIDE_KEYS], keys);
  self->has_pair = eng_tokens_has_pair (queries) || eng_tokens_has_pair (keys);

  self->header = HEADER * self->scale;
  self->row = get_row_height (self, options);
  part = self->row < MIN_ROW * self->scale ? TEXT_PART_OF_LOW_ROW : TEXT_PART_OF_ROW;
  self->text_size = MAX (MIN (TEXT_SIZE * self->scale, self->row * part),
                         MIN (MAX_TEXT * self->scale, self->row * MAX_TEXT_PART_OF_ROW));
  place_rows (self, &self->columns[UI_SIDE_QUERIES]);
  place_rows (self, &self->columns[UI_SIDE_KEYS]);
  place_columns (self, ceil (words * self->text_size) + 2 * UI_HEAD_PADDING * self->scale, options,
                 pins);
  if (options->view_height > 0)
    shrink_text (self, words);
  if (options->most_text > 0)
    self->text_size = MIN (self->text_size, options->most_text);
  self->height = self->header + BOTTOM * self->scale +
                 MAX (self->columns[0].column.height, self->columns[1].column.height);
}

void
ui_head_layout_clear (UiHeadLayout *self)
{
  for (int side = 0; side < 2; side++) {
    g_clear_pointer (&self->columns[side].y, g_free);
    g_clear_pointer (&self->columns[side].groups, g_free);
  }
}

int
ui_head_layout_nearest (const UiHeadLayout *self,
                        UiSide              side,
                        double              y)
{
  const UiHeadColumn *column = &self->columns[side];
  int low = 0, high = column->n - 1;

  while (low < high) {
    int middle = (low + high) / 2;

    if (y > (column->y[middle] + column->y[middle + 1]) / 2)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int
ui_head_layout_find_row (const UiHeadLayout *self,
                         UiSide              side,
                         double              y)
{
  int row = ui_head_layout_nearest (self, side, y);

  if (self->columns[side].n == 0 || fabs (self->columns[side].y[row] - y) > self->row / 2)
    return -1;
  return row;
}

UiRect
ui_head_layout_get_plate (const UiHeadLayout *self,
                          UiSide              side,
                          const UiHeadGroup  *group)
{
  const UiHeadColumn *column = &self->columns[side];
  double top = column->y[group->first] - self->row / 2;
  double bottom = column->y[group->last] + self->row / 2;
  double padding = PLATE_PADDING * self->scale;

  return (UiRect) {
    column->column.x, top - padding, column->column.width, bottom - top + 2 * padding
  };
}

UiRect
ui_head_layout_get_field (const UiHeadLayout *self)
{
  const UiRect *left = &self->columns[UI_SIDE_QUERIES].column;
  const UiRect *right = &self->columns[UI_SIDE_KEYS].column;
  double x = left->x + left->width + BAR_GAP * self->scale;

  return (UiRect) {
    x, self->header, right->x - BAR_GAP * self->scale - x, MAX (left->height, right->height)
  };
}
