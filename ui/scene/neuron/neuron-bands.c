/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-painter.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define ZERO_LINE 0.5
#define FULL_SCALE_WIDTH 86.0 /* what "full height ±2.90" needs */
#define HEADING_OVER 4.0      /* how far a heading may reach over its band */

#define ASIDE 0.35         /* opacity of the queries that are not compared */
#define LARGEST_GAP 1.0    /* between bars */
#define GAP_PART_OF_CELL 0.2
#define N_LEVELS 256       /* of opacity */

static const struct { const char *full, *brief; } titles[UI_N_BANDS] = {
  [UI_BAND_QUERIES] = { "query q", "q" },
  [UI_BAND_KEYS] = { "key k", "k" },
  [UI_BAND_PRODUCTS] = { "q × k", "q×k" },
  [UI_BAND_VALUES] = { "value v", "v" },
};

/* Cells of one sign and opacity are filled together. */
typedef struct {
  gboolean bars;               /* else stripes */
  double   full;
  double   opacity;
  GArray  *rects[2][N_LEVELS]; /* negative, positive; NULL = none yet */
} Cells;

static gboolean
draws_bars (const UiNeuronPainter *painter)
{
  return painter->self->parent.scene.document->bands == UI_BANDS_BARS;
}

static void
cells_add (Cells        *self,
           const UiRect *cell,
           double        value)
{
  double strength = self->full > 0 ? MIN (fabs (value) / self->full, 1) : 0;
  int level = self->bars ? N_LEVELS - 1 : (int) lround (strength * (N_LEVELS - 1));
  UiRect rect = *cell;
  GArray **rects;

  if (self->bars) {
    double gap = MIN (LARGEST_GAP, cell->width * GAP_PART_OF_CELL);

    rect.height = strength * cell->height / 2;
    rect.y += cell->height / 2 - (value > 0 ? rect.height : 0);
    rect.x += gap / 2;
    rect.width -= gap;
  }
  if (level == 0 || rect.height <= 0)
    return;
  rects = &self->rects[value > 0][level];
  if (*rects == NULL)
    *rects = g_array_new (FALSE, FALSE, sizeof (UiRect));
  g_array_append_val (*rects, rect);
}

static void
fill_rects (const UiNeuronPainter *painter,
            GArray                *rects,
            UiColor                color)
{
  UiSink *sink = painter->sink;

  sink->klass->fill_many (sink, (const UiRect *) rects->data, (int) rects->len, color);
}

static void
cells_paint (Cells                 *self,
             const UiNeuronPainter *painter)
{
  UiColor colors[2] = { painter->palette->negative, painter->palette->positive };

  for (int sign = 0; sign < 2; sign++) {
    for (int level = 0; level < N_LEVELS; level++) {
      double alpha = self->opacity * level / (N_LEVELS - 1);

      if (self->rects[sign][level] == NULL)
        continue;
      fill_rects (painter, self->rects[sign][level], ui_color_with_alpha (colors[sign], alpha));
      g_array_unref (self->rects[sign][level]);
    }
  }
}

static double
get_cell_value (const UiNeuronPainter *painter,
                UiBand                 band,
                int                    row,
                int                    dimension)
{
  const UiNeuronScene *self = painter->self;

  switch (band) {
  case UI_BAND_QUERIES:
    return ui_neuron_get_query (self, row, dimension);
  case UI_BAND_KEYS:
    return ui_neuron_get_key (self, row, dimension);
  case UI_BAND_VALUES:
    return ui_neuron_get_value (self, row, dimension);
  case UI_BAND_PRODUCTS:
  default:
    return ui_neuron_get_query (self, painter->query, dimension)
           * ui_neuron_get_key (self, row, dimension);
  }
}

static UiRect
get_zero_line (const UiRect *ground)
{
  return (UiRect) {
    ground->x, ground->y + (ground->height - ZERO_LINE) / 2, ground->width, ZERO_LINE
  };
}

/* Grounds of all bands in one go, then their zero lines. */
static void
paint_grounds (const UiNeuronPainter *painter,
               UiBand                 band)
{
  UiSide side = ui_neuron_layout_get_side (band);
  g_autoptr (GArray) grounds = g_array_new (FALSE, FALSE, sizeof (UiRect));
  g_autoptr (GArray) zeros = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int row = 0; row < painter->rows->columns[side].n; row++) {
    UiRect ground = ui_neuron_layout_get_band (painter->layout, band, row);
    UiRect zero = get_zero_line (&ground);

    if (!ui_neuron_paint_reaches (painter, side, row))
      continue;
    g_array_append_val (grounds, ground);
    g_array_append_val (zeros, zero);
  }
  fill_rects (painter, grounds, painter->palette->plate);
  if (draws_bars (painter))
    fill_rects (painter, zeros, painter->palette->rule);
}

/* The rows of a band that stand aside, or those that do not. */
static void
paint_cells (const UiNeuronPainter *painter,
             UiBand                 band,
             double                 full,
             gboolean               aside)
{
  const UiNeuronScene *self = painter->self;
  UiSide side = ui_neuron_layout_get_side (band);
  int n_cells = ui_neuron_layout_get_n_cells (painter->layout, band);
  gboolean compared = band == UI_BAND_QUERIES && painter->query >= 0;
  Cells cells = { .bars = draws_bars (painter), .full = full, .opacity = aside ? ASIDE : 1 };

  for (int row = 0; row < painter->rows->columns[side].n; row++) {
    if (!ui_neuron_paint_reaches (painter, side, row))
      continue;
    if ((compared && row != painter->query) != aside)
      continue;
    if (band == UI_BAND_PRODUCTS && ui_neuron_is_masked (self, painter->query, row))
      continue;
    for (int position = 0; position < n_cells; position++) {
      UiRect cell = ui_neuron_layout_get_cell (painter->layout, band, row, position);
      int dimension = ui_neuron_get_dimension (self, band, position);

      cells_add (&cells, &cell, get_cell_value (painter, band, row, dimension));
    }
  }
  cells_paint (&cells, painter);
}

gboolean
ui_neuron_paint_reaches (const UiNeuronPainter *painter,
                         UiSide                 side,
                         int                    row)
{
  const UiRect *clip = painter->clip;
  double y = painter->rows->columns[side].y[row];

  return y + painter->rows->row > clip->y && y - painter->rows->row < clip->y + clip->height;
}

void
ui_neuron_paint_heading (const UiNeuronPainter *painter,
                         double                 x,
                         const char            *title,
                         const char            *scale)
{
  const UiPalette *palette = painter->palette;
  double unit = painter->rows->scale;
  UiTextStyle title_style = { .size = UI_NEURON_TITLE_SIZE * unit, .bold = TRUE };
  UiTextStyle scale_style = { .size = UI_NEURON_SCALE_SIZE * unit };

  ui_text_paint (painter->sink, x, UI_NEURON_TITLE_Y * unit, title, &title_style, palette->text);
  if (scale != NULL)
    ui_scene_paint_reading (&painter->self->parent.scene, painter->sink, x, UI_NEURON_SCALE_Y * unit,
                            scale, &scale_style, palette->dim);
}

/* Of a tight band: its letter where there is no room, and its scale only in the exact rule. Those
 * that are compared are all brief or none, by the longest title. */
static void
paint_band_heading (const UiNeuronPainter *painter,
                    UiBand                 band,
                    double                 full)
{
  const UiSpan *span = &painter->layout->bands[band];
  double unit = painter->rows->scale;
  UiTextStyle style = { .size = UI_NEURON_TITLE_SIZE * unit, .bold = TRUE };
  const char *longest = titles[band == UI_BAND_VALUES ? band : UI_BAND_QUERIES].full;
  gboolean fits = ui_text_measure (longest, &style) <= span->width + HEADING_OVER * unit;
  g_autofree char *scale = ui_neuron_paint_scale (painter, full,
                                                  span->width < FULL_SCALE_WIDTH * unit);

  ui_neuron_paint_heading (painter, span->x, fits ? titles[band].full : titles[band].brief,
                           painter->layout->is_tight ? NULL : scale);
}

void
ui_neuron_paint_band (const UiNeuronPainter *painter,
                      UiBand                 band,
                      double                 full)
{
  UiSink *sink = painter->sink;

  sink->klass->push_group (sink, titles[band].full);
  paint_band_heading (painter, band, full);
  paint_grounds (painter, band);
  paint_cells (painter, band, full, FALSE);
  if (band == UI_BAND_QUERIES && painter->query >= 0)
    paint_cells (painter, band, full, TRUE);
  sink->klass->pop_group (sink);
}

void
ui_neuron_paint_vector (const UiNeuronPainter *painter,
                        const UiRect          *rect,
                        const double          *numbers,
                        int                    n,
                        double                 full)
{
  Cells cells = { .bars = draws_bars (painter), .full = full, .opacity = 1 };
  UiRect zero = get_zero_line (rect);
  UiSink *sink = painter->sink;

  sink->klass->fill_many (sink, rect, 1, painter->palette->plate);
  if (draws_bars (painter))
    sink->klass->fill_many (sink, &zero, 1, painter->palette->rule);
  for (int i = 0; i < n; i++) {
    double width = rect->width / n;
    UiRect cell = { rect->x + i * width, rect->y, width, rect->height };

    cells_add (&cells, &cell, numbers[i]);
  }
  cells_paint (&cells, painter);
}

char *
ui_neuron_paint_scale (const UiNeuronPainter *painter,
                       double                 full,
                       gboolean               brief)
{
  const char *what = draws_bars (painter) ? " height" : " colour";
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.2f", full);
  return g_strdup_printf ("full%s ±%s", brief ? "" : what, number);
}
