/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/matrix-layout.h"

#include <math.h>

#include "ui/scene/base/scene-private.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define MAX_CELL 30.0         /* of a file, and of a window that has no room for all at more */
#define LARGE_CELL 56.0
#define MIN_CELL 4.0
#define COMFORTABLE_CELL 22.0 /* before rows shrink further so that all fit the height */
#define LARGE_TEXT_CELL 18.0  /* of text that is larger than 100 %, where all rows fit so */
#define NUMBER_CELL 21.0
#define TURNED_CELL 15.0      /* in narrower columns labels stand upright */
#define SLANT 58.0
#define TEXT_SIZE 14.0
#define MIN_TEXT_SIZE 7.0     /* of a file */
#define MAX_TEXT_SIZE 21.0    /* as in the head view */
#define TEXT_PART_OF_CELL 0.74
#define LINE_PART_OF_TEXT 1.25
#define PAIR_GAP 10.0
#define MAX_LABEL 116.0
#define HEADING 40.0          /* the words of the axes, two lines */
#define EDGE 10.0
#define NOTES 46.0
#define SUMS_GAP 6.0
#define SUMS 40.0
#define COLORS_WIDTH 260.0
#define MIN_COLORS_WIDTH 120.0
#define MIN_COLORS_BESIDE 210.0
#define COLORS_HEIGHT 11.0
#define COLORS_WORDS 52.0
#define COLORS_GAP 40.0
/* Of a window, in which it is in sight at once there. */
#define LEAST_COLORS_GAP 12.0
#define LEAST_COLORS_BESIDE 100.0
#define BOTTOM 12.0

/* Of a window, whatever its panels shrink to. */
#define READABLE_SIZE 11.0
#define MANY_TOKENS 40        /* more of them are looked at as a whole, in small cells */

static void
take_labels (UiMatrixAxisLayout *self,
             UiMatrixLabel      *labels,
             int                 n,
             int                 n_in_block)
{
  self->n = n;
  self->labels = labels;
  self->starts = g_new0 (double, MAX (n, 1));
  self->groups = g_new (UiMatrixGroup, MAX (n, 1));
  self->places = g_new (int, MAX (n_in_block, 1));
  for (int row = 0; row < n_in_block; row++)
    self->places[row] = -1;
  for (int place = 0; place < n; place++) {
    UiMatrixGroup *group = &self->groups[self->n_groups - 1];

    self->places[labels[place].row] = place;
    if (self->n_groups > 0 && group->sentence == labels[place].sentence)
      group->last = place;
    else
      self->groups[self->n_groups++] = (UiMatrixGroup) { labels[place].sentence, place, place };
  }
}

static gboolean
has_pair (const UiMatrixLayout *self)
{
  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < self->axes[axis].n_groups; i++)
      if (self->axes[axis].groups[i].sentence != self->axes[0].groups[0].sentence)
        return TRUE;
  return FALSE;
}

/* At full size; smaller text is narrower by as much. */
static double
measure_labels (const UiMatrixLayout     *self,
                const UiMatrixAxisLayout *axis)
{
  double widest = 0;

  for (int place = 0; place < axis->n; place++) {
    UiTextStyle style = { .size = TEXT_SIZE * self->scale, .italic = axis->labels[place].special };

    widest = MAX (widest, ui_text_measure (axis->labels[place].text, &style));
  }
  return widest;
}

static double
get_gaps (const UiMatrixLayout *self,
          UiAxis                axis)
{
  return MAX (self->axes[axis].n_groups - 1, 0) * PAIR_GAP * self->scale;
}

/* Widths of what stands beside the cells; the scale of colours takes what is left over. */
static double
get_sides (const UiMatrixLayout *self)
{
  return MAX (self->axes[UI_AXIS_ROWS].text_width, self->headings)
         + (2 * EDGE + UI_MATRIX_LABEL_DISTANCE + NOTES) * self->scale;
}

/* Height of what a label of a column takes when it is turned. */
static double
get_header (const UiMatrixLayout *self)
{
  double turn = self->angle * G_PI / 180;
  double labels = self->axes[UI_AXIS_COLUMNS].text_width * sin (turn)
                  + self->text_size * cos (turn);

  return MAX (labels + EDGE * self->scale, HEADING * self->scale)
         + UI_MATRIX_LABEL_DISTANCE * self->scale;
}

/* Larger text has as many letters. */
static double
get_most_of_label (const UiMatrixLayout *self)
{
  return MAX (MAX_LABEL * self->scale, MAX_LABEL * self->text_size / TEXT_SIZE);
}

/* A window scrolls before its labels become smaller. */
static double
get_least_text (const UiMatrixLayout *self)
{
  return self->is_in_window ? MAX (self->scale, 1) * READABLE_SIZE : MIN_TEXT_SIZE * self->scale;
}

static double
get_least_cell (const UiMatrixLayout *self)
{
  int n = MAX (self->axes[UI_AXIS_ROWS].n, self->axes[UI_AXIS_COLUMNS].n);

  return self->is_in_window && n <= MANY_TOKENS ? ceil (get_least_text (self) * LINE_PART_OF_TEXT)
                                                : MIN_CELL * self->scale;
}

static void
set_text_size (UiMatrixLayout *self,
               const double    widest[2])
{
  double least = get_least_text (self);
  double wanted = self->cell * TEXT_PART_OF_CELL;

  self->text_size = CLAMP (wanted, least, MAX (TEXT_SIZE * self->scale, least));
  /* It grows with cells that are larger than most. */
  self->text_size = MAX (self->text_size, MIN (self->cell * TEXT_SIZE / MAX_CELL,
                                               MAX_TEXT_SIZE * self->scale));
  self->step = (int) MAX (1, ceil (self->text_size * LINE_PART_OF_TEXT / self->cell - 1e-6));
  /* As labels of a window do, this keeps its size where panels shrink. */
  self->angle = self->cell < TURNED_CELL * (self->is_in_window ? MAX (self->scale, 1) : self->scale)
                ? 90 : SLANT;
  for (int axis = 0; axis < 2; axis++)
    self->axes[axis].text_width = MIN (widest[axis] * self->text_size / (TEXT_SIZE * self->scale),
                                       get_most_of_label (self));
}

/* What labels leave of the width and, in a window, of the height, as far as that is no less than
 * least, but not more than most. */
static double
fit_cell (const UiMatrixLayout *self,
          const UiSceneOptions *options,
          double                most,
          double                least)
{
  int n_least = MAX (options->least_rows, 1);
  int n_columns = MAX (self->axes[UI_AXIS_COLUMNS].n, n_least);
  int n_rows = MAX (self->axes[UI_AXIS_ROWS].n, n_least);
  double room = options->width - get_sides (self) - get_gaps (self, UI_AXIS_COLUMNS);
  double cell = MIN (most, room / n_columns);

  if (options->view_height <= 0)
    return cell;
  room = options->view_height - get_header (self) - get_gaps (self, UI_AXIS_ROWS)
         - (SUMS_GAP + SUMS + BOTTOM) * self->scale;
  return MIN (cell, MAX (room / n_rows, least));
}

static double
place_axis (const UiMatrixLayout *self,
            UiMatrixAxisLayout   *axis,
            double                start)
{
  double position = start;

  for (int i = 0; i < axis->n_groups; i++) {
    if (i > 0)
      position += PAIR_GAP * self->scale;
    for (int place = axis->groups[i].first; place <= axis->groups[i].last; place++) {
      axis->starts[place] = position;
      position += self->cell;
    }
  }
  return position - start;
}

/* Beside the cells where there is room for it and its words, else below. */
static void
place_colors (UiMatrixLayout *self,
              double          words)
{
  double right = self->notes.x + self->notes.width;
  double edge = EDGE * self->scale;
  double rest = self->width - right - edge;
  double wide = MAX (MIN_COLORS_BESIDE * self->scale, words);
  double least = self->is_in_window ? MAX (LEAST_COLORS_BESIDE * self->scale, words) : wide;
  double least_gap = (self->is_in_window ? LEAST_COLORS_GAP : COLORS_GAP) * self->scale;
  double gap = CLAMP (rest - wide, least_gap, COLORS_GAP * self->scale);
  double bottom = self->sums.y + self->sums.height;

  self->colors.height = COLORS_HEIGHT * self->scale;
  if (rest - gap >= least) {
    self->colors.x = right + gap;
    self->colors.y = self->cells.y + self->scale;
    self->colors.width = MIN (rest - gap, COLORS_WIDTH * self->scale);
    self->height = bottom + BOTTOM * self->scale;
    self->height = MAX (self->height, self->colors.y + COLORS_WORDS * self->scale);
    return;
  }
  self->colors.y = bottom + 2 * BOTTOM * self->scale;
  self->colors.width = CLAMP (self->cells.width, MIN_COLORS_WIDTH * self->scale,
                              COLORS_WIDTH * self->scale);
  words = MAX (words, self->colors.width);
  self->width = MAX (self->width, words + 2 * edge);
  self->colors.x = MIN (self->cells.x, self->width - edge - words);
  self->height = self->colors.y + COLORS_WORDS * self->scale;
}

/* What is left of the width stands on both sides, the scale of colours taken into account. */
static double
get_margin (const UiMatrixLayout *self,
            double                width,
            double                used)
{
  double colors = (COLORS_GAP + EDGE + COLORS_WIDTH) * self->scale;
  double rest = width - used;

  return rest >= colors ? (rest - colors) / 2 : 0;
}

static void
place_parts (UiMatrixLayout       *self,
             double                words,
             const UiSceneOptions *options)
{
  UiMatrixAxisLayout *rows = &self->axes[UI_AXIS_ROWS];
  UiMatrixAxisLayout *columns = &self->axes[UI_AXIS_COLUMNS];
  double label = MAX (rows->text_width, self->headings);
  double used = get_sides (self) + columns->n * self->cell + get_gaps (self, UI_AXIS_COLUMNS);

  self->header = ceil (get_header (self));
  self->width = MAX (options->width, used);
  self->cells.x = ceil (get_margin (self, self->width, used) + label
                        + (EDGE + UI_MATRIX_LABEL_DISTANCE) * self->scale);
  self->cells.y = self->header;
  self->cells.width = place_axis (self, columns, self->cells.x);
  self->cells.height = place_axis (self, rows, self->cells.y);
  self->notes = (UiRect) {
    self->cells.x + self->cells.width, self->cells.y, NOTES * self->scale, self->cells.height
  };
  self->sums = (UiRect) {
    self->cells.x, self->cells.y + self->cells.height + SUMS_GAP * self->scale,
    self->cells.width, SUMS * self->scale
  };
  place_colors (self, words);
}

/* The largest cells with which a window shows all, the scale of colours included; 0 = those of at
 * least that size do not, or this is a file. */
static double
find_cell_of_all (UiMatrixLayout       *self,
                  const UiSceneOptions *options,
                  const double          widest[2],
                  double                words,
                  double                least)
{
  double cell = floor (LARGE_CELL * self->scale);

  for (; options->view_height > 0 && cell >= least; cell--) {
    self->cell = cell;
    set_text_size (self, widest);
    if (fit_cell (self, options, cell, 0) < cell)
      continue;
    place_parts (self, words, options);
    if (self->height <= options->view_height)
      return cell;
  }
  return 0;
}

/* Cells fit the width; in a window they also fit the height, as long as they stay comfortable. */
static void
choose_cell (UiMatrixLayout       *self,
             const UiSceneOptions *options,
             const double          widest[2],
             double                words,
             gboolean              is_tight)
{
  double zoom = options->zoom > 0 ? options->zoom : 1;
  double least = is_tight ? MAX (TURNED_CELL * self->scale, LARGE_TEXT_CELL)
                          : COMFORTABLE_CELL * self->scale;
  double cell = find_cell_of_all (self, options, widest, words, least);

  if (cell > 0) {
    self->cell = MAX (floor (cell * zoom), 1);
    set_text_size (self, widest);
    return;
  }
  self->cell = MAX_CELL * self->scale;
  set_text_size (self, widest);
  cell = fit_cell (self, options, MAX_CELL * self->scale, least);
  /* Labels that are smaller for it leave more. */
  if (is_tight) {
    self->cell = MAX (cell, get_least_cell (self));
    set_text_size (self, widest);
    cell = fit_cell (self, options, MAX_CELL * self->scale, least);
  }
  self->cell = MAX (cell, get_least_cell (self)) * zoom;
  /* Whole units are whole pixels of a screen: all cells look equally wide. */
  if (options->view_height > 0)
    self->cell = MAX (floor (self->cell), 1);
  set_text_size (self, widest);
}

/* Of texts, at the scale of the options. */
typedef struct {
  double headings;
  double words;
  double labels[2]; /* by UiAxis, the widest one */
} Widths;

static void
lay_out (UiMatrixLayout       *self,
         const UiSceneOptions *options,
         const Widths         *widths,
         double                scale,
         gboolean              is_tight)
{
  const double part = scale / options->text_scale;
  const double widest[] = { widths->labels[0] * part, widths->labels[1] * part };

  self->scale = scale;
  self->headings = widths->headings * part;
  choose_cell (self, options, widest, widths->words * part, is_tight);
  self->has_numbers = self->cell >= NUMBER_CELL * scale;
  place_parts (self, widths->words * part, options);
}

/* The scale of text in a window. Large text becomes smaller where all rows are in sight then, which
 * is_tight says, else where labels of columns stand aslant, each in its place. */
static double
find_scale (UiMatrixLayout       *self,
            const UiSceneOptions *options,
            const Widths         *widths,
            gboolean             *is_tight)
{
  UiSceneOptions plain = *options;

  plain.zoom = 1;
  for (int i = 0; i < 2; i++) {
    *is_tight = i == 0;
    for (double scale = options->text_scale; ui_scene_may_shrink_to (options, scale);
         scale -= UI_TEXT_STEP) {
      lay_out (self, &plain, widths, scale, *is_tight);
      if (*is_tight ? self->height <= options->view_height : self->cell >= TURNED_CELL * scale)
        return scale;
    }
  }
  return options->text_scale;
}

/* Of unknown words: labels of an axis are all alike. */
static void
choose_texts (UiMatrixLayout *self)
{
  for (int axis = 0; axis < 2; axis++) {
    UiMatrixAxisLayout *labels = &self->axes[axis];

    for (int i = 0; i < labels->n && !labels->is_brief; i++) {
      const UiMatrixLabel *label = &labels->labels[i];
      const UiTextStyle style = ui_matrix_layout_get_style (self, axis, label);

      labels->is_brief = label->brief != NULL && ui_text_is_cut (label->text, &style);
    }
  }
}

void
ui_matrix_layout_init (UiMatrixLayout       *self,
                       UiMatrixLabel        *labels[2],
                       const int             n_labels[2],
                       const int             n_in_block[2],
                       double                headings,
                       double                words,
                       const UiSceneOptions *options)
{
  Widths widths = { .headings = headings, .words = words };
  gboolean is_tight = FALSE;
  double scale;

  *self = (UiMatrixLayout) {
    .scale = options->text_scale, .is_in_window = options->view_height > 0
  };
  for (int axis = 0; axis < 2; axis++)
    take_labels (&self->axes[axis], labels[axis], n_labels[axis], n_in_block[axis]);
  self->has_pair = has_pair (self);
  for (int axis = 0; axis < 2; axis++)
    widths.labels[axis] = measure_labels (self, &self->axes[axis]);
  scale = find_scale (self, options, &widths, &is_tight);
  lay_out (self, options, &widths, scale, is_tight);
  choose_texts (self);
}

void
ui_matrix_layout_clear (UiMatrixLayout *self)
{
  for (int axis = 0; axis < 2; axis++) {
    g_clear_pointer (&self->axes[axis].labels, g_free);
    g_clear_pointer (&self->axes[axis].starts, g_free);
    g_clear_pointer (&self->axes[axis].groups, g_free);
    g_clear_pointer (&self->axes[axis].places, g_free);
  }
}

int
ui_matrix_layout_find_place (const UiMatrixLayout *self,
                             UiAxis                axis,
                             double                position)
{
  const UiMatrixAxisLayout *layout = &self->axes[axis];
  int first, last;

  if (!ui_matrix_layout_find_span (self, axis, position, position, &first, &last) ||
      position < layout->starts[first])
    return -1;
  return first;
}

gboolean
ui_matrix_layout_find_span (const UiMatrixLayout *self,
                            UiAxis                axis,
                            double                start,
                            double                end,
                            int                  *first,
                            int                  *last)
{
  const UiMatrixAxisLayout *layout = &self->axes[axis];
  int low = 0, high = layout->n;

  /* The first cell that ends behind the start. */
  while (low < high) {
    int middle = (low + high) / 2;

    if (layout->starts[middle] + self->cell <= start)
      low = middle + 1;
    else
      high = middle;
  }
  *first = low;
  high = layout->n;
  while (low < high) {
    int middle = (low + high) / 2;

    if (layout->starts[middle] <= end)
      low = middle + 1;
    else
      high = middle;
  }
  *last = low - 1;
  return *first <= *last;
}

UiRect
ui_matrix_layout_get_cell (const UiMatrixLayout *self,
                           int                   row,
                           int                   column)
{
  return (UiRect) {
    self->axes[UI_AXIS_COLUMNS].starts[column], self->axes[UI_AXIS_ROWS].starts[row],
    self->cell, self->cell
  };
}

UiRect
ui_matrix_layout_get_line (const UiMatrixLayout *self,
                           UiAxis                axis,
                           int                   place)
{
  UiRect line = self->cells;

  if (axis == UI_AXIS_ROWS) {
    line.y = self->axes[axis].starts[place];
    line.height = self->cell;
  } else {
    line.x = self->axes[axis].starts[place];
    line.width = self->cell;
  }
  return line;
}

UiTextStyle
ui_matrix_layout_get_style (const UiMatrixLayout *self,
                            UiAxis                axis,
                            const UiMatrixLabel  *label)
{
  return (UiTextStyle) {
    .size = self->text_size,
    .italic = label->special,
    .align = axis == UI_AXIS_ROWS ? UI_ALIGN_RIGHT : UI_ALIGN_LEFT,
    .max_width = get_most_of_label (self),
    .angle = axis == UI_AXIS_ROWS ? 0 : self->angle,
  };
}
