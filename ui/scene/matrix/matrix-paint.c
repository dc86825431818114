/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/matrix-scene.h"

#include <math.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define NOTE_PADDING 10.0
#define NOTE_BAR 28.0
#define BAR_DISTANCE 6.0     /* of a sentence's bar from the cells */
#define BAR_WIDTH 3.0
#define FRAME_WIDTH 1.6
#define FRAME_MARGIN 1.0
#define FRAME_CORNER 3.0
#define NAME_SIZE 13.0       /* of the tokens beside a crosshair */
#define NAME_LINE 1.25       /* least height of a plate, of its text */
#define NAME_HEIGHT 20.8     /* most of it */
#define NAME_PADDING 6.0
#define NAME_CORNER 5.0
#define SUM_NUMBER_CELL 24.0

typedef struct {
  const UiMatrixScene  *self;
  const UiMatrixLayout *layout;
  const UiPalette      *palette;
  UiSink               *sink;
  const UiRect         *clip;
} Painter;

static Painter
make_painter (const UiScene *scene,
              UiSink        *sink,
              const UiRect  *clip)
{
  const UiMatrixScene *self = (const UiMatrixScene *) scene;

  return (Painter) { self, &self->layout, ui_palette_get (scene->options.theme), sink, clip };
}

static UiTextStyle
get_small_style (const Painter *painter,
                 UiAlign        align)
{
  return (UiTextStyle) {
    .size = UI_MATRIX_SMALL_TEXT * painter->layout->scale, .tabular = TRUE, .align = align
  };
}

static gboolean
find_span (const Painter *painter,
           UiMatrixSpan  *span)
{
  const UiRect *clip = painter->clip;

  return ui_matrix_layout_find_span (painter->layout, UI_AXIS_ROWS, clip->y, clip->y + clip->height,
                                     &span->rows[0], &span->rows[1]) &&
         ui_matrix_layout_find_span (painter->layout, UI_AXIS_COLUMNS,
                                     clip->x, clip->x + clip->width,
                                     &span->columns[0], &span->columns[1]);
}

static gboolean
is_pinned (const Painter *painter,
           UiAxis         axis,
           int            place)
{
  return ui_pins_has (&painter->self->scene.document->pins, axis == UI_AXIS_COLUMNS,
                      painter->layout->axes[axis].labels[place].row);
}

/* Accent where it is pinned, faint where pins of its side put it aside, dim for the template. */
static UiColor
get_label_color (const Painter *painter,
                 UiAxis         axis,
                 int            place)
{
  const UiMatrixLabel *label = &painter->layout->axes[axis].labels[place];
  const UiPins *pins = &painter->self->scene.document->pins;

  if (is_pinned (painter, axis, place))
    return painter->palette->accent;
  if ((axis == UI_AXIS_COLUMNS ? pins->n_keys : pins->n_queries) > 0)
    return painter->palette->faint;
  if (label->special)
    return painter->palette->dim;
  return painter->layout->has_pair ? painter->palette->sentence[label->sentence]
                                   : painter->palette->text;
}

static void
paint_label (const Painter *painter,
             UiAxis         axis,
             int            place)
{
  const UiMatrixLayout *layout = painter->layout;
  const UiMatrixLabel *label = &layout->axes[axis].labels[place];
  UiTextStyle style = ui_matrix_layout_get_style (layout, axis, label);
  UiColor color = get_label_color (painter, axis, place);
  double middle = layout->axes[axis].starts[place] + layout->cell / 2;
  double distance = UI_MATRIX_LABEL_DISTANCE * layout->scale;
  double turn = style.angle * G_PI / 180;
  const char *text;

  style.bold = is_pinned (painter, axis, place);
  text = layout->axes[axis].is_brief && label->brief != NULL ? label->brief : label->text;
  if (axis == UI_AXIS_ROWS)
    ui_text_paint (painter->sink, layout->cells.x - distance, middle, text, &style, color);
  else
    painter->sink->klass->text (painter->sink,
                                middle + ui_text_baseline (0, style.size) * sin (turn),
                                layout->cells.y - distance, text, &style, color);
}

/* Beside the cells of each sentence. */
static void
paint_sentence_bars (const Painter *painter,
                     UiAxis         axis)
{
  const UiMatrixLayout *layout = painter->layout;
  const UiMatrixAxisLayout *labels = &layout->axes[axis];
  double width = BAR_WIDTH * layout->scale;

  for (int i = 0; i < labels->n_groups && layout->has_pair; i++) {
    const UiMatrixGroup *group = &labels->groups[i];
    double start = labels->starts[group->first];
    double length = labels->starts[group->last] + layout->cell - start;
    UiRect bar = { layout->cells.x - BAR_DISTANCE * layout->scale, start, width, length };

    if (axis == UI_AXIS_COLUMNS)
      bar = (UiRect) { start, layout->cells.y - BAR_DISTANCE * layout->scale, length, width };
    painter->sink->klass->fill (painter->sink, &bar, width / 2,
                                painter->palette->sentence[group->sentence]);
  }
}

/* As large as a row has room for it, if that is no less than a label has. */
static UiTextStyle
get_name_style (const Painter       *painter,
                const UiMatrixLabel *label)
{
  const UiMatrixLayout *layout = painter->layout;
  double most = NAME_SIZE * layout->scale;
  double size = MAX (MIN (layout->cell / NAME_LINE, most), MIN (layout->text_size, most));

  return (UiTextStyle) { .size = size, .bold = TRUE, .italic = label->special };
}

/* Where the name of a row or a column has its plate: over the labels; where these are scrolled
 * away, at the edge of what is in sight. FALSE for a column that is itself out of sight. */
static gboolean
find_plate (const Painter *painter,
            UiAxis         axis,
            int            place,
            const UiRect  *sight,
            UiRect        *plate)
{
  const UiMatrixLayout *layout = painter->layout;
  const UiMatrixLabel *label = &layout->axes[axis].labels[place];
  double scale = layout->scale;
  double middle = layout->axes[axis].starts[place] + layout->cell / 2;
  UiTextStyle style = get_name_style (painter, label);
  double padding = NAME_PADDING * scale;
  double width = ui_text_measure (label->name, &style) + 2 * padding;
  double height = MAX (MIN (layout->cell, NAME_HEIGHT * scale), style.size * NAME_LINE);

  *plate = (UiRect) { layout->cells.x - padding - width, middle - height / 2, width, height };
  if (axis == UI_AXIS_COLUMNS) {
    double right = sight->x + sight->width;

    if (middle < sight->x || middle > right)
      return FALSE;
    plate->x = MIN (middle - width / 2, right - width);
    plate->y = layout->cells.y - padding - height;
  }
  plate->x = MAX (plate->x, sight->x);
  return TRUE;
}

/* The token, spelt out with its number. */
static void
paint_plate (const Painter *painter,
             UiAxis         axis,
             int            place,
             const UiRect  *plate)
{
  const UiMatrixLabel *label = &painter->layout->axes[axis].labels[place];
  UiTextStyle style = get_name_style (painter, label);
  double scale = painter->layout->scale;

  painter->sink->klass->fill (painter->sink, plate, NAME_CORNER * scale,
                              painter->palette->accent);
  ui_text_paint (painter->sink, plate->x + NAME_PADDING * scale, plate->y + plate->height / 2,
                 label->name, &style, painter->palette->accent_text);
}

static void
paint_name (const Painter *painter,
            UiAxis         axis,
            int            place,
            const UiRect  *sight)
{
  UiRect plate;

  if (find_plate (painter, axis, place, sight, &plate))
    paint_plate (painter, axis, place, &plate);
}

/* Plates of pinned tokens where not every label has room, one behind the other along the axis,
 * those of columns between the words of the axes and of the rows' numbers. (transfer full) [n]; of
 * width 0 for a place without one. */
static UiRect *
place_plates (const Painter *painter,
              UiAxis         axis)
{
  const UiMatrixLayout *layout = painter->layout;
  UiRect all = { 0, 0, layout->width, layout->height };
  int n = layout->axes[axis].n;
  UiRect *plates = g_new0 (UiRect, MAX (n, 1));
  double end = axis == UI_AXIS_ROWS ? 0
                                    : layout->cells.x - UI_MATRIX_LABEL_DISTANCE * layout->scale;
  double last = axis == UI_AXIS_ROWS ? layout->height
                                     : layout->notes.x + NOTE_PADDING * layout->scale;

  for (int place = 0; place < n && layout->step > 1; place++) {
    UiRect plate;

    if (!is_pinned (painter, axis, place) || !find_plate (painter, axis, place, &all, &plate))
      continue;
    if (axis == UI_AXIS_ROWS)
      plate.y = MAX (plate.y, end);
    else
      plate.x = MAX (MIN (plate.x, last - plate.width), end);
    end = axis == UI_AXIS_ROWS ? plate.y + plate.height : plate.x + plate.width;
    if (end <= last)
      plates[place] = plate;
  }
  return plates;
}

/* Labels stand upright wherever not all of them have room. */
static gboolean
is_under_plate (const Painter *painter,
                UiAxis         axis,
                int            place,
                const UiRect  *plates)
{
  const UiMatrixAxisLayout *labels = &painter->layout->axes[axis];
  double half = painter->layout->text_size / 2;
  double middle = labels->starts[place] + painter->layout->cell / 2;

  for (int i = 0; i < labels->n && painter->layout->step > 1; i++) {
    double start = axis == UI_AXIS_ROWS ? plates[i].y : plates[i].x;
    double length = axis == UI_AXIS_ROWS ? plates[i].height : plates[i].width;

    if (length > 0 && middle + half > start && middle - half < start + length)
      return TRUE;
  }
  return FALSE;
}

static void
paint_labels (const Painter *painter,
              UiAxis         axis)
{
  static const char *const names[] = { "tokens that read", "tokens that are read" };
  const UiMatrixLayout *layout = painter->layout;
  double start = axis == UI_AXIS_ROWS ? painter->clip->y : painter->clip->x;
  double length = axis == UI_AXIS_ROWS ? painter->clip->height : painter->clip->width;
  double reach = layout->text_size;
  g_autofree UiRect *plates = place_plates (painter, axis);
  int first, last;

  /* A turned label leans over the columns to its right. */
  if (axis == UI_AXIS_COLUMNS)
    reach += layout->axes[axis].text_width;
  painter->sink->klass->push_group (painter->sink, names[axis]);
  paint_sentence_bars (painter, axis);
  ui_matrix_layout_find_span (layout, axis, start - reach, start + length + reach, &first, &last);
  for (int place = first; place <= last; place++)
    if (place % layout->step == 0 && !is_under_plate (painter, axis, place, plates))
      paint_label (painter, axis, place);
  for (int place = 0; place < layout->axes[axis].n; place++)
    if (plates[place].width > 0)
      paint_plate (painter, axis, place, &plates[place]);
  painter->sink->klass->pop_group (painter->sink);
}

/* "reads ↓" over the labels of rows, "is read →" beside those of columns. */
static void
paint_axes (const Painter *painter)
{
  const UiMatrixLayout *layout = painter->layout;
  UiTextStyle style = get_small_style (painter, UI_ALIGN_RIGHT);
  double x = layout->cells.x - UI_MATRIX_LABEL_DISTANCE * layout->scale;
  double line = UI_MATRIX_SMALL_LINE * layout->scale;
  double y = layout->cells.y - UI_MATRIX_LABEL_DISTANCE * layout->scale - line / 2;
  g_autofree char *reads = ui_matrix_describe_axis (&painter->self->scene, UI_AXIS_ROWS);
  g_autofree char *read = ui_matrix_describe_axis (&painter->self->scene, UI_AXIS_COLUMNS);

  painter->sink->klass->push_group (painter->sink, "axes");
  ui_text_paint (painter->sink, x, y - line, read, &style, painter->palette->dim);
  ui_text_paint (painter->sink, x, y, reads, &style, painter->palette->dim);
  painter->sink->klass->pop_group (painter->sink);
}

/* With as many decimals as the largest one, or unit, needs; "–" where there is none. */
static char *
format_note (double value,
             double unit)
{
  const char *format = unit < 0.0995 ? "%.3f" : unit < 0.995 ? "%.2f" : "%.1f";
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("–");
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, value < 9.95 ? format : "%.0f", value));
}

static double
get_note_unit (const UiMatrixScene *self)
{
  return self->note_unit > 0 ? self->note_unit : ui_matrix_scene_find_largest_note (self);
}

/* Where rows are too low for a number each, bars up to the largest one stand for them. */
static void
paint_note_bars (const Painter *painter,
                 int            first,
                 int            last)
{
  const UiMatrixLayout *layout = painter->layout;
  double x = layout->notes.x + NOTE_PADDING * layout->scale;
  double largest = ui_matrix_scene_find_largest_note (painter->self);
  g_autofree UiRect *bars = g_new (UiRect, MAX (last - first + 1, 1));

  if (largest <= 0)
    return;
  for (int row = first; row <= last; row++) {
    double length = fmax (0, painter->self->row_notes[row]) / largest * NOTE_BAR * layout->scale;

    bars[row - first] = (UiRect) {
      x, layout->axes[UI_AXIS_ROWS].starts[row] + layout->cell * 0.1, length, layout->cell * 0.8
    };
  }
  painter->sink->klass->fill_many (painter->sink, bars, last - first + 1, painter->palette->faint);
}

static void
paint_notes (const Painter *painter)
{
  const UiMatrixLayout *layout = painter->layout;
  UiTextStyle style = get_small_style (painter, UI_ALIGN_LEFT);
  double x = layout->notes.x + NOTE_PADDING * layout->scale;
  const double unit = get_note_unit (painter->self);
  int first, last;

  if (!ui_matrix_layout_find_span (layout, UI_AXIS_ROWS, painter->clip->y,
                                   painter->clip->y + painter->clip->height, &first, &last))
    return;
  painter->sink->klass->push_group (painter->sink, "rows");
  style.size = MIN (style.size, layout->text_size);
  if (layout->step > 1)
    paint_note_bars (painter, first, last);
  for (int row = first; row <= last && layout->step == 1; row++) {
    g_autofree char *note = format_note (painter->self->row_notes[row], unit);

    ui_scene_paint_reading (&painter->self->scene, painter->sink, x,
                            layout->axes[UI_AXIS_ROWS].starts[row] + layout->cell / 2, note,
                            &style, painter->palette->dim);
  }
  painter->sink->klass->pop_group (painter->sink);
}

/* Over the numbers of the rows; it stays in sight with the labels of the columns. */
static void
paint_note_heading (const Painter *painter)
{
  const UiMatrixLayout *layout = painter->layout;
  UiTextStyle style = get_small_style (painter, UI_ALIGN_LEFT);
  double x = layout->notes.x + NOTE_PADDING * layout->scale;
  double line = UI_MATRIX_SMALL_LINE * layout->scale;
  double y = layout->cells.y - UI_MATRIX_LABEL_DISTANCE * layout->scale - line / 2;
  static const char *const headings[] = {
    [UI_NOTE_BITS] = "bits", [UI_NOTE_SUM] = "sum", [UI_NOTE_MOVED] = "moved"
  };
  double largest = ui_matrix_scene_find_largest_note (painter->self);

  ui_text_paint (painter->sink, x, y - (layout->step > 1 ? line : 0), headings[painter->self->note],
                 &style, painter->palette->dim);
  if (layout->step > 1) {
    g_autofree char *number = format_note (largest, get_note_unit (painter->self));
    g_autofree char *most = g_strdup_printf ("to %s", number);

    x = MIN (x, layout->width - ui_text_measure (most, &style));
    ui_scene_paint_reading (&painter->self->scene, painter->sink, x, y, most, &style,
                            painter->palette->dim);
  }
}

/* Bars hang down from a line; negative ones are told by their colour. */
static void
paint_sums (const Painter *painter,
            int            first,
            int            last)
{
  const UiMatrixScene *self = painter->self;
  const UiMatrixLayout *layout = painter->layout;
  UiTextStyle style = get_small_style (painter, UI_ALIGN_RIGHT);
  g_autofree char *number = format_note (self->largest_sum, self->largest_sum);
  g_autofree char *most = g_strdup_printf ("to %s%s", self->is_signed ? "±" : "", number);
  double x = layout->cells.x - UI_MATRIX_LABEL_DISTANCE * layout->scale;
  double line = UI_MATRIX_SMALL_LINE * layout->scale;
  double room = layout->sums.height;
  double margin = MIN (layout->cell * 0.08, layout->scale);
  UiColor color = ui_head_color_get (&self->scene.weights, self->scene.options.theme,
                                     self->scene.weights.heads[0]);

  painter->sink->klass->push_group (painter->sink, "column sums");
  ui_text_paint (painter->sink, x, layout->sums.y + line / 2, UI_MATRIX_COLUMN_SUM, &style,
                 painter->palette->dim);
  ui_scene_paint_reading (&self->scene, painter->sink, x, layout->sums.y + line * 1.5, most, &style,
                          painter->palette->dim);
  for (int column = first; column <= last && self->largest_sum > 0; column++) {
    float sum = self->column_sums[column];
    UiRect bar = {
      layout->axes[UI_AXIS_COLUMNS].starts[column] + margin, layout->sums.y,
      layout->cell - 2 * margin, fabsf (sum) / self->largest_sum * room
    };

    if (self->is_signed)
      color = sum < 0 ? painter->palette->negative : painter->palette->positive;
    painter->sink->klass->fill (painter->sink, &bar, 0, ui_color_with_alpha (color, 0.7));
  }
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_colors (const Painter *painter)
{
  const UiMatrixScene *self = painter->self;
  const UiWeights *weights = &self->scene.weights;
  const UiRect *bar = &painter->layout->colors;
  UiTextStyle style = get_small_style (painter, UI_ALIGN_LEFT);
  double line = UI_MATRIX_SMALL_LINE * painter->layout->scale;
  double y = bar->y + bar->height + line * 0.75;
  double most = weights->block.unit;
  g_autofree char *full = most == 1 ? g_strdup ("1") : ui_describe_value (weights, most);
  g_autofree char *right = g_strconcat (self->is_signed ? "+" : "", full, NULL);
  g_autofree char *left = self->is_signed ? g_strconcat ("−", full, NULL) : g_strdup ("0");
  g_autofree char *unit = ui_matrix_describe_scale (self);

  painter->sink->klass->push_group (painter->sink, "scale of colours");
  ui_matrix_paint_colors (self, painter->sink);
  ui_text_paint (painter->sink, bar->x, y, left, &style, painter->palette->dim);
  ui_text_paint (painter->sink, bar->x, y + line, unit, &style, painter->palette->dim);
  style.align = UI_ALIGN_RIGHT;
  ui_text_paint (painter->sink, bar->x + bar->width, y, right, &style, painter->palette->dim);
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_frame (const Painter *painter,
             UiAxis         axis,
             int            place)
{
  double scale = painter->layout->scale;
  double margin = FRAME_MARGIN * scale;
  UiRect frame = ui_matrix_layout_get_line (painter->layout, axis, place);

  frame.x -= margin * 1.5;
  frame.y -= margin * 1.5;
  frame.width += 2 * margin;
  frame.height += 2 * margin;
  painter->sink->klass->frame (painter->sink, &frame, FRAME_CORNER * scale, FRAME_WIDTH * scale,
                               painter->palette->accent);
}

static void
paint_pins (const Painter *painter)
{
  painter->sink->klass->push_group (painter->sink, "pins");
  for (int axis = 0; axis < 2; axis++)
    for (int place = 0; place < painter->layout->axes[axis].n; place++)
      if (is_pinned (painter, axis, place))
        paint_frame (painter, axis, place);
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_nothing (const Painter *painter)
{
  UiTextStyle style = get_small_style (painter, UI_ALIGN_LEFT);

  ui_text_paint (painter->sink, painter->layout->cells.x, painter->layout->cells.y,
                 "Nothing is left to show", &style, painter->palette->dim);
}

void
ui_matrix_paint (const UiScene *scene,
                 UiSink        *sink,
                 const UiRect  *clip)
{
  Painter painter = make_painter (scene, sink, clip);
  UiMatrixSpan span;
  int first, last;

  if (painter.layout->axes[UI_AXIS_ROWS].n == 0 || painter.layout->axes[UI_AXIS_COLUMNS].n == 0) {
    paint_nothing (&painter);
    return;
  }
  paint_axes (&painter);
  paint_labels (&painter, UI_AXIS_COLUMNS);
  paint_note_heading (&painter);
  paint_labels (&painter, UI_AXIS_ROWS);
  if (find_span (&painter, &span))
    ui_matrix_paint_cells (painter.self, sink, &span);
  paint_notes (&painter);
  ui_matrix_layout_find_span (painter.layout, UI_AXIS_COLUMNS, clip->x, clip->x + clip->width,
                              &first, &last);
  paint_sums (&painter, first, last);
  paint_colors (&painter);
  paint_pins (&painter);
}

void
ui_matrix_paint_overlay (const UiScene *scene,
                         const UiItem  *hover,
                         UiSink        *sink,
                         const UiRect  *clip)
{
  Painter painter = make_painter (scene, sink, clip);
  int row, column;

  if (!ui_matrix_scene_find_places (painter.self, hover, &row, &column))
    return;
  sink->klass->push_group (sink, "crosshair");
  if (row >= 0 && column >= 0)
    ui_matrix_paint_cell (painter.self, row, column, sink);
  if (row >= 0) {
    paint_frame (&painter, UI_AXIS_ROWS, row);
    paint_name (&painter, UI_AXIS_ROWS, row, clip);
  }
  if (column >= 0) {
    paint_frame (&painter, UI_AXIS_COLUMNS, column);
    paint_name (&painter, UI_AXIS_COLUMNS, column, clip);
  }
  sink->klass->pop_group (sink);
}
