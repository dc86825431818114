/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-layout.h"

#include "ui/scene/base/token-words.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. The band of headings has a second line, for the scale of each column. */
#define SECOND_LINE 18.0
/* Bars are read better in rows that are taller than those of the head view. */
#define TALL_ROW 36.0
#define TALLEST_ROW 52.0 /* in a window that has the room */
#define BOTTOM 10.0
#define MIN_ROW_TO_STRETCH 25.0 /* smaller ones are small because there are many */
/* Ground between two bands: little of a small row, so that its bars keep their height. */
#define BAND_GAP(row) MAX (2.5, 0.34 * (row) - 3.6)
#define EDGE 8.0
#define TIGHT_EDGE 3.0
#define LETTER_WIDTH 20.0 /* letter and bar of a sentence, with their gaps */
#define BAR_WIDTH 10.0
#define TOKEN_PADDING 20.0
#define MIN_TOKENS 52.0 /* what the heading needs */
#define MAX_TOKENS 128.0

/* The output under the value bands: a rule and the band. */
#define OUTPUT_GAP 14.0
#define OUTPUT_BAND 28.0
#define OUTPUT_ROW (OUTPUT_GAP + OUTPUT_BAND + 6.0)

/* Queries, keys and products are what a person compares: all else folds before them. */
#define MIN_BAND 98.0
#define MIN_CELL 1.25
#define MIN_FOLDED_CELL 0.9
#define MIN_VALUES 92.0
#define MIN_FOLDED_VALUES 54.0 /* what the heading needs */
#define MIN_FOLDED_VALUE_CELL 0.5
#define MIN_TIGHT_BAND 22.0
#define MIN_TIGHT_CELL 0.4
#define MAX_BAND 220.0
#define MAX_CELL 8.0

#define MAX_PARTS 40

typedef struct {
  UiSpan *span;
  double  tight;  /* at most folded */
  double  folded; /* at most least */
  double  least;
  double  most;
} Part;

typedef struct {
  Part part[MAX_PARTS];
  int  n;
} Parts;

/* The width of a column, at 100 % text; is_brief: of unknown words as these are without room. */
static double
measure_tokens (const UiHeadLayout *rows,
                const EngTokens    *tokens,
                gboolean            is_brief)
{
  UiTextStyle style = { .size = rows->text_size };
  const double scale = rows->scale;
  double widest = 0;

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *text = is_brief && tokens->typed[i] != NULL
                            ? ui_tokens_dup_brief (tokens, i) : ui_tokens_dup_shown (tokens, i);

    style.italic = tokens->special[i];
    widest = MAX (widest, ui_text_measure (text, &style));
  }
  return CLAMP (widest / scale + TOKEN_PADDING, MIN_TOKENS, MAX_TOKENS);
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
         const UiSceneOptions *options,
         double                below)
{
  double content = MAX (rows->columns[0].column.height, rows->columns[1].column.height);
  double room = options->view_height - rows->header - below - BOTTOM * rows->scale;
  double unit = rows->scale / rows->row;
  double factor = options->view_height > 0 ? CLAMP (room / content, 1, MAX (TALLEST_ROW * unit, 1))
                                           : TALL_ROW * unit;

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

static void
add_part (Parts  *parts,
          UiSpan *span,
          double  folded,
          double  least,
          double  most)
{
  g_assert (parts->n < MAX_PARTS);
  parts->part[parts->n++] = (Part) { span, folded, folded, least, most };
}

/* How narrow the part that was added last becomes where even folded ones have not the room. */
static void
tighten (Parts  *parts,
         double  tight)
{
  Part *part = &parts->part[parts->n - 1];

  part->tight = MIN (tight, part->folded);
}

/* A gap that folds a little. */
static void
add_gap (Parts  *parts,
         double  least,
         double  most)
{
  add_part (parts, NULL, least / 2, least, most);
  tighten (parts, least / 4);
}

/* How far from one width to another a wanted width is. */
static double
get_pace (double from,
          double to,
          double wanted)
{
  return to > from ? CLAMP ((wanted - from) / (to - from), 0, 1) : 0;
}

/* Widths of all parts together, in scene units. */
typedef struct { double tight, folded, least, most; } Sums;

static Sums
sum_parts (const Parts *parts,
           double       scale)
{
  Sums sums = { 0 };

  for (int i = 0; i < parts->n; i++) {
    sums.tight += parts->part[i].tight * scale;
    sums.folded += parts->part[i].folded * scale;
    sums.least += parts->part[i].least * scale;
    sums.most += parts->part[i].most * scale;
  }
  return sums;
}

/* Sets the parts side by side. Each grows from its tight to its folded, its least and then its most
 * width, all at the same pace. */
static void
place_parts (UiHeadLayout *rows,
             const Parts  *parts,
             double        wanted,
             gboolean      folds)
{
  const double scale = rows->scale;
  const Sums sums = sum_parts (parts, scale);
  const double loosen = folds ? get_pace (sums.tight, sums.folded, wanted) : 1;
  const double unfold = folds ? get_pace (sums.folded, sums.least, wanted) : 1;
  const double grow = get_pace (sums.least, sums.most, wanted);
  const double sum = sums.tight + loosen * (sums.folded - sums.tight)
                     + unfold * (sums.least - sums.folded) + grow * (sums.most - sums.least);
  double x;

  rows->width = MAX (wanted, sum);
  x = (rows->width - sum) / 2;
  for (int i = 0; i < parts->n; i++) {
    const Part *part = &parts->part[i];
    double width = (part->tight + loosen * (part->folded - part->tight)
                    + unfold * (part->least - part->folded)
                    + grow * (part->most - part->least)) * scale;

    if (part->span != NULL)
      *part->span = (UiSpan) { x, width };
    x += width;
  }
}

static void
add_band (UiNeuronLayout *self,
          UiBand          band,
          Parts          *parts)
{
  const gboolean is_values = band == UI_BAND_VALUES;
  int n = ui_neuron_layout_get_n_cells (self, band);
  double folded = is_values ? MAX (MIN_FOLDED_VALUES, MIN_FOLDED_VALUE_CELL * n)
                            : MAX (MIN_BAND, MIN_FOLDED_CELL * n);

  add_part (parts, &self->bands[band], folded, MAX (is_values ? MIN_VALUES : MIN_BAND, MIN_CELL * n),
            MAX (MAX_BAND, MAX_CELL * n));
  tighten (parts, MAX (MIN_TIGHT_BAND, MIN_TIGHT_CELL * n));
}

/* With a bias the score is a sum, whose terms fold to their numbers. */
static void
add_scores (UiNeuronLayout *self,
            Parts          *parts)
{
  int n_biases = self->columns.n_biases;

  if (n_biases > 0) {
    for (int gauge = UI_GAUGE_PRODUCT; gauge <= UI_GAUGE_PRODUCT + n_biases; gauge++) {
      add_part (parts, &self->bars[gauge], 0, 32, 66);
      add_part (parts, &self->numbers[gauge], 44, 44, 46);
      add_gap (parts, 10, 18);
    }
  }
  add_part (parts, &self->bars[UI_GAUGE_SCORE], 30, 38, 56);
  tighten (parts, 14);
  add_part (parts, &self->numbers[UI_GAUGE_SCORE], 44, 44, 46);
  tighten (parts, 36);
  add_gap (parts, 14, 18);
  if (self->columns.has_mask) {
    add_part (parts, &self->mask, 34, 38, 44);
    add_gap (parts, 12, 24);
  }
}

/* A bar from the left and, right behind it, its number. */
static void
add_amount (UiNeuronLayout *self,
            UiGauge         gauge,
            double          most,
            Parts          *parts)
{
  add_part (parts, &self->bars[gauge], 30, 44, most);
  tighten (parts, 18);
  add_part (parts, NULL, 2, 6, 6);
  add_part (parts, &self->numbers[gauge], 44, 44, 44);
  tighten (parts, 41);
}

static void
add_weights (UiNeuronLayout *self,
             Parts          *parts)
{
  add_amount (self, UI_GAUGE_SOFTMAX, 64, parts);
  if (self->columns.has_measure) {
    add_gap (parts, 12, 20);
    add_amount (self, UI_GAUGE_MEASURE, 100, parts);
  }
  if (self->columns.n_value_dimensions > 0) {
    add_part (parts, &self->links, 14, 18, 24);
    tighten (parts, 5);
    add_band (self, UI_BAND_VALUES, parts);
    add_gap (parts, 8, 12);
  } else {
    add_part (parts, &self->links, 20, 20, 80);
  }
}

/* Folded to what is left of unknown words. */
static void
add_tokens (const UiHeadLayout *rows,
            const EngTokens    *tokens,
            UiSpan             *span,
            Parts              *parts)
{
  const double width = measure_tokens (rows, tokens, FALSE);

  add_part (parts, span, measure_tokens (rows, tokens, TRUE), width, width);
}

/* What stands beside the tokens: the bar of their sentence and, where there is room, its letter. */
static void
add_side (const UiHeadLayout *rows,
          Parts              *parts)
{
  const double bar = rows->has_pair ? BAR_WIDTH : 0;
  const double side = rows->has_letters ? EDGE + bar + (rows->has_pair ? LETTER_WIDTH : 0)
                                        : TIGHT_EDGE + bar;

  add_part (parts, NULL, side, side, side);
}

static Parts
list_parts (UiNeuronLayout     *self,
            const UiHeadLayout *rows,
            const EngTokens    *queries,
            const EngTokens    *keys,
            UiSpan             *tokens)
{
  Parts parts = { .n = 0 };

  add_side (rows, &parts);
  add_tokens (rows, queries, &tokens[UI_SIDE_QUERIES], &parts);
  add_part (&parts, NULL, 8, 8, 12);
  tighten (&parts, 4);
  add_band (self, UI_BAND_QUERIES, &parts);
  add_part (&parts, &self->guides, 24, 40, 52);
  tighten (&parts, 12);
  add_band (self, UI_BAND_KEYS, &parts);
  add_gap (&parts, 14, 18);
  add_band (self, UI_BAND_PRODUCTS, &parts);
  add_gap (&parts, 10, 14);
  add_scores (self, &parts);
  add_weights (self, &parts);
  add_tokens (rows, keys, &tokens[UI_SIDE_KEYS], &parts);
  add_side (rows, &parts);
  return parts;
}

/* Letters are the first to fold. */
static void
place_columns (UiNeuronLayout  *self,
               UiHeadLayout    *rows,
               const EngTokens *queries,
               const EngTokens *keys,
               double           wanted,
               gboolean         folds)
{
  UiSpan tokens[2];
  Parts parts;

  rows->has_letters = TRUE;
  parts = list_parts (self, rows, queries, keys, tokens);
  if (folds && wanted < sum_parts (&parts, rows->scale).least) {
    rows->has_letters = FALSE;
    parts = list_parts (self, rows, queries, keys, tokens);
  }
  self->is_tight = folds && wanted < sum_parts (&parts, rows->scale).folded;
  place_parts (rows, &parts, wanted, folds);
  for (int i = 0; i < 2; i++) {
    rows->columns[i].column.x = tokens[i].x;
    rows->columns[i].column.width = tokens[i].width;
  }
}

/* Under the keys' rows, in the columns of the values that it is the sum of. */
static void
place_output (UiNeuronLayout *self,
              UiHeadLayout   *rows)
{
  const UiRect *keys = &rows->columns[UI_SIDE_KEYS].column;
  const UiSpan *values = &self->bands[UI_BAND_VALUES];
  double top = keys->y + keys->height + OUTPUT_GAP * rows->scale;

  if (self->columns.n_value_dimensions == 0)
    return;
  self->output = (UiRect) { values->x, top, values->width, OUTPUT_BAND * rows->scale };
  rows->height = MAX (rows->height, top + (OUTPUT_BAND + BOTTOM) * rows->scale);
}

static double
get_output_height (const UiNeuronColumns *columns)
{
  return columns->n_value_dimensions > 0 ? OUTPUT_ROW : 0;
}

UiSceneOptions
ui_neuron_layout_get_row_options (const UiSceneOptions  *options,
                                  const UiNeuronColumns *columns)
{
  double taken = (SECOND_LINE + get_output_height (columns)) * options->text_scale;
  UiSceneOptions row_options = *options;

  if (options->view_height > 0)
    row_options.view_height = MAX (options->view_height - taken, 1);
  return row_options;
}

void
ui_neuron_layout_init (UiNeuronLayout        *self,
                       UiHeadLayout          *rows,
                       const EngTokens       *queries,
                       const EngTokens       *keys,
                       const UiNeuronColumns *columns,
                       const UiSceneOptions  *options)
{
  move_down (rows, SECOND_LINE * rows->scale);
  stretch (rows, options, get_output_height (columns) * rows->scale);
  *self = (UiNeuronLayout) {
    .rows = rows,
    .columns = *columns,
    .band_height = rows->row - BAND_GAP (rows->row / rows->scale) * rows->scale,
  };
  place_columns (self, rows, queries, keys, options->width, options->view_height > 0);
  place_output (self, rows);
}

int
ui_neuron_layout_get_n_cells (const UiNeuronLayout *self,
                              UiBand                band)
{
  return band == UI_BAND_VALUES ? self->columns.n_value_dimensions : self->columns.n_dimensions;
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

  rect.width /= ui_neuron_layout_get_n_cells (self, band);
  rect.x += position * rect.width;
  return rect;
}

UiRect
ui_neuron_layout_get_output (const UiNeuronLayout *self,
                             int                   position)
{
  UiRect rect = self->output;

  rect.width /= self->columns.n_value_dimensions;
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
  int n = ui_neuron_layout_get_n_cells (self, band);

  if (x < span->x || x >= span->x + span->width)
    return FALSE;
  *position = (int) ((x - span->x) / span->width * n);
  *position = MIN (*position, n - 1);
  return TRUE;
}
