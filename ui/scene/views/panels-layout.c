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
#define TITLE_EDGE  8.0 /* that of the caption */
#define MARK_SIZE   10.0
#define MARK_WIDTH  17.0 /* with what is behind it */
#define RING_WIDTH  2.5
#define NAME_SPACE  3.0  /* besides a blank */
#define LEAST_SCALE 0.75
#define MOST_SHRINKS 6

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
    MAX (options->view_height - (TITLE_LINE + TITLE_SPACE) * options->text_scale, 1);
}

static double
get_column_width (const UiPanelsScene *self)
{
  double width = 0;

  for (int i = 0; i < self->n; i++)
    width = MAX (width, self->panels[i].scene->width);
  return width;
}

static char **
wrap_title (const UiPanelsScene *self,
            int                  i,
            double               width,
            double               scale)
{
  UiTextStyle style = { .size = TITLE_SIZE * scale, .bold = TRUE };
  g_autofree char *title = ui_panels_create_title (self, i);

  width -= TITLE_EDGE * scale;
  if (ui_panels_are_sides (self))
    width -= (MARK_WIDTH + NAME_SPACE) * scale;
  return ui_text_wrap (title, &style, width);
}

static void
resize_panels (UiPanelsScene        *self,
               const UiSceneOptions *options)
{
  for (int i = 0; i < self->n; i++) {
    UiScene *before = self->panels[i].scene;

    self->panels[i].scene = ui_scene_new_resized (before, self->panels[i].document, options);
    ui_scene_unref (before);
  }
}

/* Panels that are wider than their columns become smaller before scrolling starts, as far as they
 * can be read; those that scroll all the same stay as they are. */
static void
shrink (UiPanelsScene  *self,
        UiSceneOptions *options)
{
  const double room = options->width * MAX (options->zoom, 1);
  const double whole = options->text_scale;
  double column = get_column_width (self);

  if (column <= room)
    return;
  /* Less by a unit: a scene is as wide as whole units. What of it is as wide at every size takes
   * some more steps. */
  for (int i = 0; i < MOST_SHRINKS && column > room; i++) {
    options->text_scale = MAX (options->text_scale * (room - 1) / column, LEAST_SCALE * whole);
    resize_panels (self, options);
    column = get_column_width (self);
  }
  if (column <= room)
    return;
  options->text_scale = whole;
  resize_panels (self, options);
}

/* Rows of all panels are as high as those of the one that has most, and leave room for titles of
 * several lines. */
static void
even_out (UiPanelsScene  *self,
          UiSceneOptions *options,
          int             n_columns,
          double          scale)
{
  double column = get_column_width (self);
  int least = G_MAXINT, most = 0, n_lines = 1;

  for (int i = 0; i < self->n; i++) {
    const UiScene *panel = self->panels[i].scene;
    int n = MAX (panel->queries->n, panel->keys->n);

    least = MIN (least, n);
    most = MAX (most, n);
  }
  for (int i = 0; i < MIN (n_columns, self->n); i++) {
    g_auto (GStrv) lines = wrap_title (self, i, column, scale);

    n_lines = MAX (n_lines, (int) g_strv_length (lines));
  }
  if (least == most && n_lines == 1)
    return;

  options->least_rows = most;
  options->view_height = MAX (options->view_height - (n_lines - 1) * TITLE_LINE * scale, 1);
  resize_panels (self, options);
}

void
ui_panels_fit (UiPanelsScene  *self,
               UiSceneOptions *options,
               int             n_columns)
{
  const double scale = options->text_scale;

  if (options->view_height <= 0)
    return;
  shrink (self, options);
  even_out (self, options, n_columns, scale);
}

void
ui_panels_lay_out (UiPanelsScene *self,
                   int            n_columns)
{
  double scale = self->scene.options.text_scale;
  double gap = GAP * scale;
  double column = get_column_width (self), y = 0;

  for (int i = 0; i < self->n; i++)
    self->panels[i].title = wrap_title (self, i, column, scale);
  for (int first = 0; first < self->n; first += n_columns) {
    int last = MIN (first + n_columns, self->n);
    double title = 0, height = 0;

    for (int i = first; i < last; i++) {
      title = MAX (title, g_strv_length (self->panels[i].title) * TITLE_LINE * scale);
      height = MAX (height, self->panels[i].scene->height);
    }
    y += title + TITLE_SPACE * scale;
    for (int i = first; i < last; i++) {
      self->panels[i].x = (i - first) * (column + gap);
      self->panels[i].y = y;
    }
    y += height + gap;
  }
  self->scene.width = n_columns * column + (n_columns - 1) * gap;
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
