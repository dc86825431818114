/* SPDX-License-Identifier: MIT */
/* Where panels stand, how large they are, and the titles above them. */
#include "ui/scene/views/panels-private.h"

#include <math.h>
#include <string.h>

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define GAP         28.0
#define TITLE_SIZE  14.0
#define TITLE_LINE  19.0
#define TITLE_SPACE 8.0
#define TITLE_TOP   5.0 /* in a window, whose frame of the focus is there */
#define TITLE_EDGE  8.0 /* that of the caption */
#define MARK_SIZE   10.0
#define MARK_WIDTH  17.0 /* with what is behind it */
#define RING_WIDTH  2.5
#define NAME_SPACE  3.0  /* besides a blank */
#define LEAST_SCALE 0.75
#define N_SHRINKS   3 /* tries between the least and the whole size */
#define LEAST_TITLE 100.0

/* As many columns as fit, no more than even rows need. */
int
ui_panels_count_columns (const UiSceneOptions *options,
                         UiViewKind            view,
                         int                   n_panels)
{
  double gap = GAP * options->text_scale;
  double narrowest = ui_view_get (view)->least_width * options->text_scale;
  int most = CLAMP ((int) floor ((options->width + gap) / (narrowest + gap)), 1, n_panels);
  int n_rows = (n_panels + most - 1) / most;

  return (n_panels + n_rows - 1) / n_rows;
}

void
ui_panels_share_room (UiSceneOptions *options,
                      int             n_columns)
{
  options->width = (options->width - (n_columns - 1) * GAP * options->text_scale) / n_columns;
  if (options->view_height <= 0)
    return;
  /* A scene is as wide as whole units. */
  options->width = floor (options->width);
  options->view_height =
    MAX (options->view_height - (TITLE_TOP + TITLE_LINE + TITLE_SPACE) * options->text_scale, 1);
}

/* Of one column; in a file all are alike. */
static double
get_column_width (const UiPanelsScene *self,
                  int                  column)
{
  double width = 0;

  for (int i = 0; i < self->n; i++)
    if (self->room <= 0 || i % self->n_columns == column)
      width = MAX (width, self->panels[i].scene->width);
  return width;
}

static double
get_column_x (const UiPanelsScene *self,
              int                  column)
{
  double x = 0;

  for (int i = 0; i < column; i++)
    x += get_column_width (self, i) + GAP * self->scene.options.text_scale;
  return x;
}

/* Of a panel that reaches out of the window's width, the part that is in sight before one scrolls. */
static double
get_title_width (const UiPanelsScene *self,
                 int                  column,
                 double               scale)
{
  const double width = get_column_width (self, column);
  const double room = self->room - get_column_x (self, column);

  return room >= LEAST_TITLE * scale ? MIN (width, room) : width;
}

static char **
wrap_title (const UiPanelsScene *self,
            int                  i)
{
  const double scale = self->scene.options.text_scale;
  UiTextStyle style = { .size = TITLE_SIZE * scale, .bold = TRUE };
  g_autofree char *title = ui_panels_create_title (self, i);
  double width = get_title_width (self, i % self->n_columns, scale) - TITLE_EDGE * scale;

  if (ui_panels_are_sides (self))
    width -= (MARK_WIDTH + NAME_SPACE) * scale;
  return ui_text_wrap (title, &style, width);
}

/* widths: of each column. */
static void
resize_panels (UiPanelsScene        *self,
               const UiSceneOptions *options,
               const double         *widths)
{
  UiSceneOptions own = *options;

  for (int i = 0; i < self->n; i++) {
    UiScene *before = self->panels[i].scene;

    own.width = widths[i % self->n_columns];
    self->panels[i].scene = ui_scene_new_resized (before, self->panels[i].document, &own);
    ui_scene_unref (before);
  }
}

/* The least widths of columns at a zoom of 1. FALSE where there is not the room for them, which is of all. */
static gboolean
measure_least (UiPanelsScene        *self,
               const UiSceneOptions *options,
               double                room,
               double               *widths)
{
  UiSceneOptions plain = *options;
  double sum = 0;

  plain.zoom = 1;
  for (int i = 0; i < self->n_columns; i++)
    widths[i] = 1;
  resize_panels (self, &plain, widths);
  for (int i = 0; i < self->n_columns; i++)
    sum += widths[i] = get_column_width (self, i);
  return sum <= room;
}

/* The largest text with which all columns are in sight, as far as it can be read; panels that scroll
 * all the same stay as they are. */
static void
shrink_text (UiPanelsScene  *self,
             UiSceneOptions *options,
             double          room,
             double         *widths)
{
  const double whole = options->text_scale;
  double least = LEAST_SCALE * whole, most = whole;

  if (measure_least (self, options, room, widths))
    return;
  options->text_scale = least;
  if (!measure_least (self, options, room, widths))
    least = whole;
  for (int i = 0; i < N_SHRINKS && least < whole; i++) {
    options->text_scale = (least + most) / 2;
    if (measure_least (self, options, room, widths))
      least = options->text_scale;
    else
      most = options->text_scale;
  }
  options->text_scale = least;
  measure_least (self, options, room, widths);
}

/* Panels that are wider than their columns take room of others that need less, then become smaller,
 * before scrolling starts. */
static void
share_columns (UiPanelsScene  *self,
               UiSceneOptions *options,
               double         *widths)
{
  const int n = self->n_columns;
  double widest = 0;

  for (int i = 0; i < n; i++) {
    widths[i] = options->width;
    widest = MAX (widest, get_column_width (self, i));
  }
  if (widest <= options->width * MAX (options->zoom, 1))
    return;

  shrink_text (self, options, options->width * n, widths);
  widest = 0;
  for (int i = 0; i < n; i++)
    widest = MAX (widest, widths[i]);
  for (int i = 0; i < n && widest <= options->width; i++)
    widths[i] = options->width;
  resize_panels (self, options, widths);
}

/* Rows of all panels are as high as those of the one that has most, and leave room for titles of
 * several lines. */
static void
even_out (UiPanelsScene  *self,
          UiSceneOptions *options,
          const double   *widths,
          double          scale)
{
  int least = G_MAXINT, most = 0, n_lines = 1;

  for (int i = 0; i < self->n; i++) {
    const UiScene *panel = self->panels[i].scene;
    int n = MAX (panel->queries->n, panel->keys->n);

    least = MIN (least, n);
    most = MAX (most, n);
  }
  for (int i = 0; i < self->n_columns; i++) {
    g_auto (GStrv) lines = wrap_title (self, i);

    n_lines = MAX (n_lines, (int) g_strv_length (lines));
  }
  if (least == most && n_lines == 1)
    return;

  options->least_rows = most;
  options->view_height = MAX (options->view_height - (n_lines - 1) * TITLE_LINE * scale, 1);
  resize_panels (self, options, widths);
}

/* Letters of all panels are as large as those of the one whose words have least room. */
static void
even_out_text (UiPanelsScene  *self,
               UiSceneOptions *options,
               const double   *widths)
{
  double least = self->panels[0].scene->text_size, most = least;

  for (int i = 1; i < self->n; i++) {
    least = MIN (least, self->panels[i].scene->text_size);
    most = MAX (most, self->panels[i].scene->text_size);
  }
  if (least == most || self->panels[0].document->view != UI_VIEW_HEAD)
    return;

  options->most_text = least;
  resize_panels (self, options, widths);
}

void
ui_panels_fit (UiPanelsScene  *self,
               UiSceneOptions *options)
{
  const double scale = options->text_scale;
  double widths[UI_MAX_PANELS];

  if (options->view_height <= 0)
    return;
  share_columns (self, options, widths);
  even_out (self, options, widths, scale);
  even_out_text (self, options, widths);
}

void
ui_panels_lay_out (UiPanelsScene *self)
{
  const int n_columns = self->n_columns;
  double scale = self->scene.options.text_scale;
  double gap = GAP * scale;
  double y = self->room > 0 ? TITLE_TOP * scale : 0;

  for (int i = 0; i < self->n; i++)
    self->panels[i].title = wrap_title (self, i);
  for (int first = 0; first < self->n; first += n_columns) {
    int last = MIN (first + n_columns, self->n);
    double title = 0, height = 0;

    for (int i = first; i < last; i++) {
      title = MAX (title, g_strv_length (self->panels[i].title) * TITLE_LINE * scale);
      height = MAX (height, self->panels[i].scene->height);
    }
    y += title + TITLE_SPACE * scale;
    for (int i = first; i < last; i++) {
      self->panels[i].x = get_column_x (self, i - first);
      self->panels[i].y = y;
    }
    y += height + gap;
  }
  self->scene.width = get_column_x (self, n_columns) - gap;
  self->scene.height = y - gap;
}

/* A dot for This, a ring for Other, told apart without their colours, and the name. What of the
 * title is behind them, with its place. */
static const char *
paint_side (const UiPanelsScene *self,
            const UiPanelPart   *panel,
            UiSink              *sink,
            double              *x,
            double               y)
{
  const int side = panel != &self->panels[0];
  const char *name = ui_side_get_name (side);
  const UiColor color = ui_palette_get (self->scene.options.theme)->side[side];
  const double scale = self->scene.options.text_scale;
  const double size = MARK_SIZE * scale;
  const UiRect mark = { *x, y - size / 2, size, size };
  const UiTextStyle style = { .size = TITLE_SIZE * scale, .bold = TRUE };
  g_autofree char *spaced = g_strconcat (name, " ", NULL);

  if (side == 0)
    sink->klass->fill (sink, &mark, size / 2, color);
  else
    sink->klass->frame (sink, &mark, size / 2, RING_WIDTH * scale, color);
  ui_text_paint (sink, *x + MARK_WIDTH * scale, y, name, &style, color);
  *x += (MARK_WIDTH + NAME_SPACE) * scale + ui_text_measure (spaced, &style);
  return g_str_has_prefix (panel->title[0], spaced) ? panel->title[0] + strlen (spaced) : "";
}

void
ui_panels_paint_title (const UiPanelsScene *self,
                       const UiPanelPart   *panel,
                       UiSink              *sink)
{
  const UiPalette *palette = ui_palette_get (self->scene.options.theme);
  const gboolean is_side = ui_panels_are_sides (self);
  double scale = self->scene.options.text_scale;
  UiTextStyle style = { .size = TITLE_SIZE * scale, .bold = !is_side };
  int n_lines = (int) g_strv_length (panel->title);

  for (int i = 0; i < n_lines; i++) {
    double x = panel->x + TITLE_EDGE * scale;
    double y = panel->y - (TITLE_SPACE + (n_lines - i - 0.5) * TITLE_LINE) * scale;
    const char *words = is_side && i == 0 ? paint_side (self, panel, sink, &x, y)
                                          : panel->title[i];

    if (*words != '\0')
      ui_text_paint (sink, x, y, words, &style, is_side ? palette->dim : palette->text);
  }
}
