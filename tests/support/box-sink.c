/* SPDX-License-Identifier: MIT */
#include "tests/support/box-sink.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

typedef struct {
  UiSink  parent;
  GArray *boxes;
} BoxSink;

static void
clear_box (gpointer data)
{
  g_free (((TextBox *) data)->text);
}

GArray *
box_sink_new_array (void)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (TextBox));

  g_array_set_clear_func (boxes, clear_box);
  return boxes;
}

/* From side to side what the text takes of its line, as high as its ink. */
static UiRect
measure (double             x,
         double             baseline,
         const char        *text,
         const UiTextStyle *style)
{
  PangoLayout *layout = ui_text_layout (text, style);
  const double scale = style->size / UI_TEXT_LAYOUT_SIZE / PANGO_SCALE;
  const double shift = style->align == UI_ALIGN_LEFT ? 0 : style->align == UI_ALIGN_CENTER ? 0.5
                                                                                            : 1;
  PangoRectangle ink, logical;

  pango_layout_get_extents (layout, &ink, &logical);
  return (UiRect) {
    x - shift * logical.width * scale,
    baseline + (ink.y - pango_layout_get_baseline (layout)) * scale,
    logical.width * scale, ink.height * scale
  };
}

static void
text (UiSink            *sink,
      double             x,
      double             baseline,
      const char        *words,
      const UiTextStyle *style,
      UiColor            color)
{
  TextBox box = { .text = g_strdup (words), .ink = measure (x, baseline, words, style) };
  const double angle = -style->angle * G_PI / 180;

  for (int i = 0; i < 4; i++) {
    double dx = box.ink.x + (i == 1 || i == 2 ? box.ink.width : 0) - x;
    double dy = box.ink.y + (i >= 2 ? box.ink.height : 0) - baseline;

    box.corners[i][0] = x + dx * cos (angle) - dy * sin (angle);
    box.corners[i][1] = baseline + dx * sin (angle) + dy * cos (angle);
  }
  g_array_append_val (((BoxSink *) sink)->boxes, box);
}

/* What the two cover in common of an axis along the edge from corner i. */
static double
overlap_along (const TextBox *edges,
               int            i,
               const TextBox *first,
               const TextBox *second)
{
  double x = edges->corners[i + 1][0] - edges->corners[i][0];
  double y = edges->corners[i + 1][1] - edges->corners[i][1];
  double length = hypot (x, y);
  const TextBox *boxes[] = { first, second };
  double least[2], most[2];

  if (length == 0)
    return 0;
  for (int box = 0; box < 2; box++) {
    least[box] = INFINITY;
    most[box] = -INFINITY;
    for (int corner = 0; corner < 4; corner++) {
      double at = (boxes[box]->corners[corner][0] * x + boxes[box]->corners[corner][1] * y)
                  / length;

      least[box] = MIN (least[box], at);
      most[box] = MAX (most[box], at);
    }
  }
  return MAX (0, MIN (most[0], most[1]) - MAX (least[0], least[1]));
}

double
box_sink_overlap (const TextBox *first,
                  const TextBox *second)
{
  double overlap = INFINITY;

  for (int i = 0; i < 2; i++) {
    overlap = MIN (overlap, overlap_along (first, i, first, second));
    overlap = MIN (overlap, overlap_along (second, i, first, second));
  }
  return overlap;
}

static void fill (UiSink *sink, const UiRect *rect, double radius, UiColor color) { }
static void fill_many (UiSink *sink, const UiRect *rects, int n_rects, UiColor color) { }
static void frame (UiSink *sink, const UiRect *rect, double radius, double width, UiColor color) { }
static void line (UiSink *sink, double x0, double y0, double x1, double y1, double width,
                  UiColor color) { }
static void curve (UiSink *sink, const UiLink *link) { }
static void links (UiSink *sink, const UiLinkField *field) { }
static void hatch (UiSink *sink, const UiRect *rect, UiColor color) { }
static void image (UiSink *sink, const UiRect *rect, const guint8 *argb, int width, int height,
                   int stride) { }
static void push_clip (UiSink *sink, const UiRect *rect) { }
static void push_group (UiSink *sink, const char *name) { }
static void pop (UiSink *sink) { }

UiSink *
box_sink_new (GArray *boxes)
{
  static const UiSinkClass klass = {
    .fill = fill, .fill_many = fill_many, .frame = frame, .line = line, .curve = curve,
    .links = links, .hatch = hatch, .text = text, .image = image, .push_clip = push_clip,
    .pop_clip = pop, .push_group = push_group, .pop_group = pop,
  };
  BoxSink *self = g_new0 (BoxSink, 1);

  self->parent.klass = &klass;
  self->boxes = boxes;
  return &self->parent;
}

void
box_sink_free (UiSink *sink)
{
  g_free (sink);
}
