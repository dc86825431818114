/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron-layout.h"

#include "ui/scene/text.h"

/* At 100 % text. The band of headings has a second line, for the scale of each column. */
#define SECOND_LINE 18.0
#define TALL_ROW 36.0 /* bars are read better in rows that are taller than those of the head view */
#define BOTTOM 10.0
#define MIN_ROW_TO_STRETCH 25.0 /* smaller ones are small because there are many */
/* Ground between two bands: little of a small row, so that its bars keep their height. */
#define BAND_GAP(row) MAX (2.5, 0.34 * (row) - 3.6)
#define EDGE 8.0
#define LETTER_WIDTH 20.0 /* letter and bar of a sentence, with their gaps */
#define BAR_WIDTH 10.0
#define TOKEN_PADDING 20.0
#define MIN_TOKENS 64.0
#define MAX_TOKENS 128.0

#define MIN_BAND 140.0
#define MIN_FILE_BAND 96.0 /* paper has more points to an inch, and its width is given */
#define MIN_CELL 1.5
#define MAX_BAND 220.0
#define MAX_CELL 8.0

typedef struct {
  UiSpan *span;
  double  least;
  double  most;
} Part;

static double
measure_tokens (const UiHeadLayout *rows,
                const EngTokens    *tokens)
{
  UiTextStyle style = { .size = rows->text_size };
  double scale = rows->scale;
  double widest = 0;

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *text = ui_text_make_visible (tokens->texts[i]);

    style.italic = tokens->special[i];
    widest = MAX (widest, ui_text_measure (text, &style));
  }
  return CLAMP (widest + TOKEN_PADDING * scale, MIN_TOKENS * scale, MAX_TOKENS * scale);
}

static void
move_down (UiHeadLayout *rows,
           double        by)
{
  for (int side = 0; side < 2; side++) {
    UiHeadColumn *column = &rows->columns[side];

    for (int i = 0; i < column->n; i++)
      column->y[i] += by;
    column->column.y += by;
    column->lanes.y += by;
  }
  rows->header += by;
  rows->height += by;
}

/* Makes rows taller where there is room: in a window that they do not fill, in a file with few
 * of them. */
static void
stretch (UiHeadLayout         *rows,
         const UiSceneOptions *options)
{
  double content = MAX (rows->columns[0].column.height, rows->columns[1].column.height);
  double room = options->view_height - rows->header - BOTTOM * rows->scale;
  double most = TALL_ROW * rows->scale / rows->row;
  double factor = options->view_height > 0 ? CLAMP (room / content, 1, most) : most;

  if (rows->row < MIN_ROW_TO_STRETCH * rows->scale || content <= 0)
    return;
  for (int side = 0; side < 2; side++) {
    UiHeadColumn *column = &rows->columns[side];

    for (int i = 0; i < column->n; i++)
      column->y[i] = rows->header + (column->y[i] - rows->header) * factor;
    column->column.height *= factor;
    column->lanes.height *= factor;
  }
  rows->row *= factor;
  rows->height += content * (factor - 1);
}

/* Sets the parts side by side. Each grows from its least towards its most width, all at the same
 * pace. */
static void
place_parts (UiHeadLayout *rows,
             const Part   *parts,
             int           n_parts,
             double        wanted)
{
  double scale = rows->scale;
  double least = 0;
  double growth = 0;
  double pace;
  double x;

  for (int i = 0; i < n_parts; i++) {
    least += parts[i].least * scale;
    growth += (parts[i].most - parts[i].least) * scale;
  }
  pace = growth > 0 ? CLAMP ((wanted - least) / growth, 0, 1) : 0;
  rows->width = MAX (wanted, least);
  x = (rows->width - least - pace * growth) / 2;
  for (int i = 0; i < n_parts; i++) {
    double width = (parts[i].least + pace * (parts[i].most - parts[i].least)) * scale;

    if (parts[i].span != NULL)
      *parts[i].span = (UiSpan) { x, width };
    x += width;
  }
}

static void
place_columns (UiNeuronLayout  *self,
               UiHeadLayout    *rows,
               const EngTokens *queries,
               const EngTokens *keys,
               double           wanted,
               gboolean         in_window)
{
  double side = EDGE + (rows->has_pair ? BAR_WIDTH + LETTER_WIDTH : 0);
  double min_band = MAX (in_window ? MIN_BAND : MIN_FILE_BAND, MIN_CELL * self->n_dimensions);
  double max_band = MAX (MAX_BAND, MAX_CELL * self->n_dimensions);
  double query_tokens = measure_tokens (rows, queries) / rows->scale;
  double key_tokens = measure_tokens (rows, keys) / rows->scale;
  UiSpan tokens[2];
  const Part parts[] = {
    { NULL, side, side },
    { &tokens[UI_SIDE_QUERIES], query_tokens, query_tokens },
    { NULL, 8, 12 },
    { &self->bands[UI_BAND_QUERIES], min_band, max_band },
    { &self->guides, 40, 120 },
    { &self->bands[UI_BAND_KEYS], min_band, max_band },
    { NULL, 16, 36 },
    { &self->bands[UI_BAND_PRODUCTS], min_band, max_band },
    { NULL, 10, 24 },
    { &self->score_bars, 38, 88 },
    { &self->score_numbers, 44, 46 },
    { NULL, 14, 30 },
    { &self->softmax_bars, 44, 120 },
    { NULL, 6, 6 },
    { &self->softmax_numbers, 44, 44 },
    { &self->links, 20, 80 },
    { &tokens[UI_SIDE_KEYS], key_tokens, key_tokens },
    { NULL, side, side },
  };

  place_parts (rows, parts, G_N_ELEMENTS (parts), wanted);
  for (int i = 0; i < 2; i++) {
    rows->columns[i].column.x = tokens[i].x;
    rows->columns[i].column.width = tokens[i].width;
  }
}

UiSceneOptions
ui_neuron_layout_get_row_options (const UiSceneOptions *options)
{
  UiSceneOptions row_options = *options;

  if (options->view_height > 0)
    row_options.view_height = MAX (options->view_height - SECOND_LINE * options->text_scale, 1);
  return row_options;
}

void
ui_neuron_layout_init (UiNeuronLayout       *self,
                       UiHeadLayout         *rows,
                       const EngTokens      *queries,
                       const EngTokens      *keys,
                       int                   n_dimensions,
                       const UiSceneOptions *options)
{
  move_down (rows, SECOND_LINE * rows->scale);
  stretch (rows, options);
  *self = (UiNeuronLayout) {
    .rows = rows,
    .n_dimensions = n_dimensions,
    .band_height = rows->row - BAND_GAP (rows->row / rows->scale) * rows->scale,
  };
  place_columns (self, rows, queries, keys, options->width, options->view_height > 0);
}

UiSide
ui_neuron_layout_get_side (UiBand band)
{
  return band == UI_BAND_QUERIES ? UI_SIDE_QUERIES : UI_SIDE_KEYS;
}

UiRect
ui_neuron_layout_get_band (const UiNeuronLayout *self,
                           UiBand                band,
                           int                   row)
{
  const UiHeadColumn *column = &self->rows->columns[ui_neuron_layout_get_side (band)];
  const UiSpan *span = &self->bands[band];
  double top = column->y[row] - self->band_height / 2;

  return (UiRect) { span->x, top, span->width, self->band_height };
}

UiRect
ui_neuron_layout_get_cell (const UiNeuronLayout *self,
                           UiBand                band,
                           int                   row,
                           int                   position)
{
  UiRect rect = ui_neuron_layout_get_band (self, band, row);

  rect.width /= self->n_dimensions;
  rect.x += position * rect.width;
  return rect;
}

gboolean
ui_neuron_layout_find_position (const UiNeuronLayout *self,
                                UiBand                band,
                                double                x,
                                int                  *position)
{
  const UiSpan *span = &self->bands[band];

  if (x < span->x || x >= span->x + span->width)
    return FALSE;
  *position = (int) ((x - span->x) / span->width * self->n_dimensions);
  *position = MIN (*position, self->n_dimensions - 1);
  return TRUE;
}
