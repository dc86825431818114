/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-scene.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define CORNER 6.0
#define WAY_WIDTH 2.0
#define NUMBER_PADDING 4.0
#define FRAME_WIDTH 1.6
#define MOST_JOIN 12.0     /* longer gaps have words in them */

#define LEAST_HATCHED 8.0 /* width of a cell */
#define MOST_TINT 0.6      /* of a cell with a number on it */
#define BAR_TINT 0.35
#define LIT_TINT 0.14
#define CARD_TINT 0.05
#define LATER_TINT 0.4
#define N_LEVELS 255.0

typedef struct {
  const UiStepsScene  *self;
  const UiStepsLayout *layout;
  const UiPalette     *palette;
  UiSink              *sink;
  const UiRect        *clip;
  double               scale;
} Painter;

static gboolean
reaches (const Painter *painter,
         const UiRect  *rect)
{
  const UiRect *clip = painter->clip;

  return rect->x < clip->x + clip->width && rect->x + rect->width > clip->x
         && rect->y < clip->y + clip->height && rect->y + rect->height > clip->y;
}

static UiColor
get_color (const Painter *painter,
           UiStepsColor   color)
{
  const UiColor colors[] = {
    [UI_STEPS_COLOR_TEXT] = painter->palette->text,
    [UI_STEPS_COLOR_DIM] = painter->palette->dim,
    [UI_STEPS_COLOR_FAINT] = painter->palette->faint,
    [UI_STEPS_COLOR_ACCENT] = painter->palette->accent,
    [UI_STEPS_COLOR_GOOD] = painter->palette->good,
    [UI_STEPS_COLOR_WARNING] = painter->palette->warning,
  };

  return colors[color];
}

static void
paint_text (const Painter     *painter,
            const UiStepsText *text)
{
  const UiTextStyle style = {
    .size = text->size, .bold = text->bold, .align = text->align, .max_width = text->room
  };
  const UiRect rect = { painter->clip->x, text->y - text->size, painter->clip->width,
                        2 * text->size };

  if (reaches (painter, &rect))
    ui_text_paint (painter->sink, text->x, text->y, text->text, &style,
                   get_color (painter, text->color));
}

/* Runs. */

static double
get_number (const Painter    *painter,
            const UiStepsRun *run,
            int               index)
{
  const EngNumbers *numbers = eng_way_get_numbers (painter->self->way, run->numbers);

  return eng_numbers_get (numbers, run->row + index * run->d_row,
                          run->column + index * run->d_column);
}

/* On a ground that is seen through: strength from 0 to 1. */
static UiColor
tint (const Painter *painter,
      double         value,
      double         full,
      double         most)
{
  const UiColor hue = value < 0 ? painter->palette->negative : painter->palette->positive;

  return ui_color_mix (painter->palette->ground, hue, MIN (fabs (value) / full, 1) * most);
}

static void
put_pixel (guint8  *pixel,
           UiColor  color)
{
  const guint32 argb = 0xffu << 24 | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;

  *(guint32 *) (gpointer) pixel = argb;
}

/* What may not be read, in cells that are large enough to tell it from a number near 0. */
static void
hatch_hidden (const Painter    *painter,
              const UiStepsRun *run,
              int               first,
              int               n)
{
  for (int i = first; i < first + n && run->cell_width >= LEAST_HATCHED; i++) {
    const UiRect cell = ui_steps_run_get_cell (run, i);

    if (ui_steps_is_hidden (get_number (painter, run, i)) && reaches (painter, &cell))
      painter->sink->klass->hatch (painter->sink, &cell, painter->palette->hatch);
  }
}

/* Line by line, a pixel a number. */
static void
paint_strip (const Painter    *painter,
             const UiStepsRun *run)
{
  const int stride = run->per_line * 4;
  g_autofree guint8 *pixels = g_malloc ((gsize) stride);

  for (int first = 0; first < run->n; first += run->per_line) {
    const int n = MIN (run->per_line, run->n - first);
    UiRect rect = ui_steps_run_get_cell (run, first);

    for (int i = 0; i < n; i++) {
      const double value = get_number (painter, run, first + i);
      const UiColor color = ui_steps_is_hidden (value)
                            ? ui_color_mix (painter->palette->ground, painter->palette->faint, 0.5)
                            : tint (painter, value, run->full, 1);

      put_pixel (pixels + 4 * i, color);
    }
    rect.width = n * run->cell_width;
    if (reaches (painter, &rect))
      painter->sink->klass->image (painter->sink, &rect, pixels, n, 1, stride);
    hatch_hidden (painter, run, first, n);
  }
}

static void
paint_ground (const Painter    *painter,
              const UiStepsRun *run,
              const UiRect     *cell,
              double            value)
{
  const UiSinkClass *klass = painter->sink->klass;

  if (ui_steps_is_hidden (value)) {
    klass->hatch (painter->sink, cell, painter->palette->hatch);
  } else if (run->look == UI_STEPS_LOOK_BARS) {
    const UiRect bar = {
      cell->x, cell->y, cell->width * MIN (fabs (value) / run->full, 1), cell->height
    };

    klass->fill (painter->sink, cell, 0, painter->palette->plate);
    klass->fill (painter->sink, &bar, 0,
                 ui_color_with_alpha (painter->palette->positive, BAR_TINT));
  } else {
    klass->fill (painter->sink, cell, 0,
                 run->look == UI_STEPS_LOOK_PLAIN ? painter->palette->plate
                                                  : tint (painter, value, run->full, MOST_TINT));
  }
}

static void
paint_cells (const Painter    *painter,
             const UiStepsRun *run)
{
  const EngNumbers *numbers = eng_way_get_numbers (painter->self->way, run->numbers);
  const double scale = painter->scale;

  for (int i = 0; i < run->n; i++) {
    const double value = get_number (painter, run, i);
    UiRect cell = ui_steps_run_get_cell (run, i);
    UiTextStyle style = {
      .size = UI_STEPS_NUMBER_SIZE * scale, .tabular = TRUE, .align = UI_ALIGN_RIGHT,
      .max_width = cell.width
    };
    g_autofree char *text = NULL;

    if (!reaches (painter, &cell))
      continue;
    cell.width -= scale;
    cell.height -= scale;
    paint_ground (painter, run, &cell, value);
    text = ui_steps_write_number (numbers, value);
    ui_scene_paint_reading (&painter->self->scene, painter->sink,
                            cell.x + cell.width - NUMBER_PADDING * scale,
                            cell.y + cell.height / 2, text, &style, painter->palette->text);
  }
}

static void
paint_run (const Painter    *painter,
           const UiStepsRun *run)
{
  const UiRect rect = ui_steps_run_get_rect (run);

  if (!reaches (painter, &rect))
    return;
  if (run->look == UI_STEPS_LOOK_STRIP)
    paint_strip (painter, run);
  if (run->is_own)
    painter->sink->klass->frame (painter->sink, &rect, 1, painter->scale,
                                 painter->palette->accent);
  if (run->look != UI_STEPS_LOOK_STRIP)
    paint_cells (painter, run);
}

/* From the right, where nothing is turned, anticlockwise. */
static void
paint_dial (const Painter     *painter,
            const UiStepsDial *dial)
{
  const UiSinkClass *klass = painter->sink->klass;
  const UiRect circle = {
    dial->x - dial->radius, dial->y - dial->radius, 2 * dial->radius, 2 * dial->radius
  };
  /* Some models stretch what they turn. */
  const double length = dial->radius / MAX (hypot (dial->cosine, dial->sine), 1);

  if (!reaches (painter, &circle))
    return;
  klass->frame (painter->sink, &circle, dial->radius, painter->scale, painter->palette->rule);
  klass->line (painter->sink, dial->x, dial->y, dial->x + dial->radius, dial->y, painter->scale,
               painter->palette->rule);
  klass->line (painter->sink, dial->x, dial->y, dial->x + length * dial->cosine,
               dial->y - length * dial->sine, WAY_WIDTH * painter->scale,
               painter->palette->accent);
}

/* The way. */

/* Middle of the line that joins the stages of the row's column. */
static double
get_way_x (const Painter    *painter,
           const UiStepsRow *row)
{
  return row->rect.x + UI_STEPS_BADGE * painter->scale;
}

static void
paint_badge (const Painter    *painter,
             const UiStepsRow *row)
{
  const UiSinkClass *klass = painter->sink->klass;
  const double radius = UI_STEPS_BADGE * painter->scale;
  const double x = get_way_x (painter, row);
  const UiRect circle = {
    x - radius, row->middle - radius, 2 * radius, 2 * radius
  };
  const gboolean is_later = row->state == UI_STEPS_LATER;
  const gboolean is_current = row->state == UI_STEPS_CURRENT;
  const UiColor edge = is_later ? painter->palette->rule : painter->palette->accent;
  const UiTextStyle style = {
    .size = UI_STEPS_NUMBER_SIZE * painter->scale, .align = UI_ALIGN_CENTER, .tabular = TRUE,
    .bold = is_current
  };
  g_autofree char *number = row->is_part ? g_strdup ("…") : g_strdup_printf ("%d", row->first);

  if (!reaches (painter, &circle))
    return;
  klass->fill (painter->sink, &circle, radius,
               is_current ? painter->palette->accent : painter->palette->ground);
  klass->frame (painter->sink, &circle, radius, FRAME_WIDTH * painter->scale, edge);
  ui_text_paint (painter->sink, x, row->middle, number, &style,
                 is_current ? painter->palette->accent_text
                 : is_later ? painter->palette->dim : painter->palette->text);
}

static void
paint_way_piece (const Painter *painter,
                 double         x,
                 double         from,
                 double         to,
                 UiStepsState   state)
{
  painter->sink->klass->line (painter->sink, x, from, x, to, WAY_WIDTH * painter->scale,
                              state == UI_STEPS_LATER ? painter->palette->rule
                                                      : painter->palette->accent);
}

/* From stage to stage, as far as the token has come in the accent's colour; to the end of a column
 * and on from the top of the next one. */
static void
paint_line (const Painter *painter)
{
  const GArray *rows = painter->layout->rows;

  for (guint i = 0; i + 1 < rows->len; i++) {
    const UiStepsRow *row = &g_array_index (rows, UiStepsRow, i);
    const UiStepsRow *next = &g_array_index (rows, UiStepsRow, i + 1);
    const double x = get_way_x (painter, row), next_x = get_way_x (painter, next);

    if (next_x > x) {
      paint_way_piece (painter, x, row->middle,
                       row->rect.y + row->rect.height - UI_STEPS_CARD_MARGIN * painter->scale, next->state);
      paint_way_piece (painter, next_x, next->rect.y, next->middle, next->state);
    } else {
      paint_way_piece (painter, x, row->middle, next->middle, next->state);
    }
  }
}

static void
paint_card (const Painter    *painter,
            const UiStepsRow *row)
{
  const double margin = UI_STEPS_CARD_MARGIN * painter->scale;
  const UiRect card = {
    get_way_x (painter, row) + painter->layout->left - painter->layout->way_x - margin, row->rect.y,
    painter->layout->room + 2 * margin, row->rect.height - margin
  };

  if (!row->is_card || !reaches (painter, &card))
    return;
  painter->sink->klass->fill (painter->sink, &card, CORNER * painter->scale,
                              row->state == UI_STEPS_CURRENT
                              ? ui_color_with_alpha (painter->palette->accent, CARD_TINT)
                              : painter->palette->plate);
}

/* Whether a block reads the one that is drawn before it. */
static gboolean
is_read_by (const Painter    *painter,
            const UiStepsBox *from,
            const UiStepsBox *to)
{
  const int reads = painter->self->diagram->blocks[to->block].reads;

  return reads == from->block || (reads == ENG_RESIDUAL_INPUT && to->block == from->block + 1);
}

/* From a block to the next one on its line. */
static void
paint_join (const Painter    *painter,
            const UiStepsBox *from,
            const UiStepsBox *to)
{
  const double y = from->rect.y + from->rect.height / 2;
  const double x = from->rect.x + from->rect.width;

  if (is_read_by (painter, from, to) && to->rect.y == from->rect.y && to->rect.x - x < MOST_JOIN * painter->scale)
    painter->sink->klass->line (painter->sink, x, y, to->rect.x, y, painter->scale,
                                painter->palette->faint);
}

static void
paint_fork (const Painter     *painter,
            const UiStepsFork *fork)
{
  for (int i = 0; i + 1 < fork->n; i++)
    painter->sink->klass->line (painter->sink, fork->x[i], fork->y[i], fork->x[i + 1],
                                fork->y[i + 1],
                                (fork->is_lit ? FRAME_WIDTH : 1) * painter->scale,
                                fork->is_lit ? painter->palette->accent
                                             : painter->palette->faint);
}

static void
paint_diagram (const Painter *painter)
{
  const UiSinkClass *klass = painter->sink->klass;
  const GArray *boxes = painter->layout->boxes;
  const double corner = CORNER * painter->scale;

  for (guint i = 0; i < painter->layout->forks->len; i++)
    paint_fork (painter, &g_array_index (painter->layout->forks, UiStepsFork, i));
  for (guint i = 0; i < boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (boxes, UiStepsBox, i);

    if (i + 1 < boxes->len)
      paint_join (painter, box, box + 1);
    if (!reaches (painter, &box->rect))
      continue;
    klass->fill (painter->sink, &box->rect, corner,
                 box->is_lit ? ui_color_with_alpha (painter->palette->accent, LIT_TINT)
                             : painter->palette->plate);
    klass->frame (painter->sink, &box->rect, corner,
                  (box->is_lit ? FRAME_WIDTH : 1) * painter->scale,
                  box->is_lit ? painter->palette->accent : painter->palette->rule);
  }
}

static void
paint_all (const Painter *painter)
{
  const UiStepsLayout *layout = painter->layout;
  const UiSinkClass *klass = painter->sink->klass;

  klass->push_group (painter->sink, "model");
  paint_diagram (painter);
  klass->pop_group (painter->sink);
  klass->push_group (painter->sink, "way");
  for (guint i = 0; i < layout->rows->len; i++)
    paint_card (painter, &g_array_index (layout->rows, UiStepsRow, i));
  paint_line (painter);
  for (guint i = 0; i < layout->rows->len; i++)
    paint_badge (painter, &g_array_index (layout->rows, UiStepsRow, i));
  for (guint i = 0; i < layout->frames->len; i++)
    klass->frame (painter->sink, &g_array_index (layout->frames, UiRect, i),
                  CORNER * painter->scale, painter->scale, painter->palette->rule);
  for (guint i = 0; i < layout->runs->len; i++)
    paint_run (painter, &g_array_index (layout->runs, UiStepsRun, i));
  for (guint i = 0; i < layout->dials->len; i++)
    paint_dial (painter, &g_array_index (layout->dials, UiStepsDial, i));
  for (guint i = 0; i < layout->texts->len; i++)
    paint_text (painter, &g_array_index (layout->texts, UiStepsText, i));
  klass->pop_group (painter->sink);
}

/* Wherever the number stands. */
static void
frame_place (const Painter      *painter,
             const UiStepsPlace *place,
             double              width)
{
  const GArray *runs = painter->layout->runs;

  for (guint i = 0; i < runs->len; i++) {
    const UiStepsRun *run = &g_array_index (runs, UiStepsRun, i);
    const int index = run->numbers == place->numbers
                      ? ui_steps_run_find_place (run, place->row, place->column) : -1;
    UiRect cell;

    if (index < 0)
      continue;
    cell = ui_steps_run_get_cell (run, index);
    painter->sink->klass->frame (painter->sink, &cell, 1, width * painter->scale,
                                 painter->palette->accent);
  }
}

/* A row, a column or a single number of another matrix, wherever it is drawn. */
static void
frame_source (const Painter   *painter,
              const EngSource *source)
{
  const GArray *runs = painter->layout->runs;

  for (guint i = 0; i < runs->len; i++) {
    const UiStepsRun *run = &g_array_index (runs, UiStepsRun, i);
    const int last_row = source->first_row + source->n_rows - 1;
    const int last_column = source->first_column + source->n_columns - 1;
    UiRect first, last, frame;
    int from, to;

    if (run->numbers != source->numbers)
      continue;
    from = ui_steps_run_find_place (run, MAX (source->first_row, run->row),
                                    MAX (source->first_column, run->column));
    to = ui_steps_run_find_place (run, MIN (last_row, run->row + (run->n - 1) * run->d_row),
                                  MIN (last_column, run->column + (run->n - 1) * run->d_column));
    if (from < 0 || to < from)
      continue;
    first = ui_steps_run_get_cell (run, from);
    last = ui_steps_run_get_cell (run, to);
    frame = from / run->per_line == to / run->per_line
            ? (UiRect) { first.x, first.y, last.x + last.width - first.x, first.height }
            : ui_steps_run_get_rect (run);
    painter->sink->klass->frame (painter->sink, &frame, 1, painter->scale,
                                 painter->palette->accent);
  }
}

static void
frame_number (const Painter      *painter,
              const UiStepsPlace *place,
              double              width)
{
  EngSource sources[ENG_MAX_SOURCES];
  const int n = eng_way_get_sources (painter->self->way, place->numbers, place->row, place->column,
                                     sources);

  for (int i = 0; i < n; i++)
    frame_source (painter, &sources[i]);
  frame_place (painter, place, width);
}

static Painter
make_painter (const UiScene *scene,
              UiSink        *sink,
              const UiRect  *clip)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;

  return (Painter) {
    self, &self->layout, ui_palette_get (scene->options.theme), sink, clip, self->layout.scale
  };
}

void
ui_steps_paint (const UiScene *scene,
                UiSink        *sink,
                const UiRect  *clip)
{
  const Painter painter = make_painter (scene, sink, clip);

  paint_all (&painter);
  if (painter.self->looked.numbers >= 0)
    frame_number (&painter, &painter.self->looked, 2);
}

void
ui_steps_paint_overlay (const UiScene *scene,
                        const UiItem  *hover,
                        UiSink        *sink,
                        const UiRect  *clip)
{
  const Painter painter = make_painter (scene, sink, clip);
  UiStepsPlace place;
  UiRect rect;

  if (ui_steps_find_place (painter.self, hover, &place))
    frame_number (&painter, &place, 2);
  else if (ui_steps_get_rect (scene, hover, &rect))
    sink->klass->frame (sink, &rect, CORNER * painter.scale, painter.scale,
                        painter.palette->accent);
}
