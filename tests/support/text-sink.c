/* SPDX-License-Identifier: MIT */
#include "tests/support/text-sink.h"

#include <math.h>

typedef struct {
  UiSink   parent;
  GString *out;
  int      depth;
} TextSink;

/* A tenth of a unit; no minus before a nought. */
static void
append_number (GString *out,
               double   value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  double rounded = round (value * 10) / 10;

  g_ascii_formatd (buffer, sizeof buffer, "%.1f", rounded == 0 ? 0 : rounded);
  g_string_append_printf (out, " %s", buffer);
}

static void
append_color (GString *out,
              UiColor  color)
{
  g_string_append_printf (out, " #%02x%02x%02x", color.r, color.g, color.b);
  if (color.a != 255)
    g_string_append_printf (out, "/%d", color.a);
}

static GString *
begin (UiSink     *sink,
       const char *operation)
{
  TextSink *self = (TextSink *) sink;

  g_string_append_printf (self->out, "%*s%s", 2 * self->depth, "", operation);
  return self->out;
}

static void
append_rect (GString      *out,
             const UiRect *rect)
{
  append_number (out, rect->x);
  append_number (out, rect->y);
  append_number (out, rect->width);
  append_number (out, rect->height);
}

static void
fill (UiSink       *sink,
      const UiRect *rect,
      double        radius,
      UiColor       color)
{
  GString *out = begin (sink, "fill");

  append_rect (out, rect);
  append_number (out, radius);
  append_color (out, color);
  g_string_append_c (out, '\n');
}

static void
fill_many (UiSink       *sink,
           const UiRect *rects,
           int           n_rects,
           UiColor       color)
{
  for (int i = 0; i < n_rects; i++) {
    GString *out = begin (sink, "bar");

    append_rect (out, &rects[i]);
    append_color (out, color);
    g_string_append_c (out, '\n');
  }
}

static void
frame (UiSink       *sink,
       const UiRect *rect,
       double        radius,
       double        width,
       UiColor       color)
{
  GString *out = begin (sink, "frame");

  append_rect (out, rect);
  append_number (out, radius);
  append_number (out, width);
  append_color (out, color);
  g_string_append_c (out, '\n');
}

static void
line (UiSink  *sink,
      double   x0,
      double   y0,
      double   x1,
      double   y1,
      double   width,
      UiColor  color)
{
  GString *out = begin (sink, "line");

  append_number (out, x0);
  append_number (out, y0);
  append_number (out, x1);
  append_number (out, y1);
  append_number (out, width);
  append_color (out, color);
  g_string_append_c (out, '\n');
}

static void
curve (UiSink       *sink,
       const UiLink *link)
{
  GString *out = begin (sink, "link");

  g_string_append_printf (out, " head %d", link->head);
  append_number (out, link->x0);
  append_number (out, link->y0);
  append_number (out, link->x1);
  append_number (out, link->y1);
  append_number (out, link->width);
  append_color (out, link->color);
  if (link->dash > 0)
    g_string_append_printf (out, " dash %.1f", link->dash);
  g_string_append_c (out, '\n');
}

static void
write_link (const UiLink *link,
            gpointer      data)
{
  curve (data, link);
}

static void
links (UiSink            *sink,
       const UiLinkField *field)
{
  field->foreach (field, &field->bounds, write_link, sink);
}

static void
hatch (UiSink       *sink,
       const UiRect *rect,
       UiColor       color)
{
  GString *out = begin (sink, "hatch");

  append_rect (out, rect);
  append_color (out, color);
  g_string_append_c (out, '\n');
}

static void
text (UiSink            *sink,
      double             x,
      double             baseline,
      const char        *string,
      const UiTextStyle *style,
      UiColor            color)
{
  static const char *const aligns[] = { "left", "center", "right" };
  GString *out = begin (sink, "text");

  append_number (out, x);
  append_number (out, baseline);
  append_number (out, style->size);
  g_string_append_printf (out, " %s%s%s", aligns[style->align], style->bold ? " bold" : "",
                          style->italic ? " italic" : "");
  if (style->angle != 0)
    g_string_append_printf (out, " turned %.0f", style->angle);
  append_color (out, color);
  g_string_append_printf (out, " %s\n", string);
}

static void
image (UiSink       *sink,
       const UiRect *rect,
       const guint8 *argb,
       int           width,
       int           height,
       int           stride)
{
  GString *out = begin (sink, "image");

  append_rect (out, rect);
  g_string_append_printf (out, " %d×%d\n", width, height);
}

static void
push_clip (UiSink       *sink,
           const UiRect *rect)
{
  GString *out = begin (sink, "clip");

  append_rect (out, rect);
  g_string_append_c (out, '\n');
  ((TextSink *) sink)->depth++;
}

static void
pop (UiSink *sink)
{
  ((TextSink *) sink)->depth--;
}

static void
push_group (UiSink     *sink,
            const char *name)
{
  g_string_append_printf (begin (sink, "group"), " %s\n", name);
  ((TextSink *) sink)->depth++;
}

static const UiSinkClass text_sink_class = {
  .fill = fill,
  .fill_many = fill_many,
  .frame = frame,
  .line = line,
  .curve = curve,
  .links = links,
  .hatch = hatch,
  .text = text,
  .image = image,
  .push_clip = push_clip,
  .pop_clip = pop,
  .push_group = push_group,
  .pop_group = pop,
};

UiSink *
text_sink_new (GString *out)
{
  TextSink *self = g_new0 (TextSink, 1);

  self->parent.klass = &text_sink_class;
  self->out = out;
  return &self->parent;
}

void
text_sink_free (UiSink *sink)
{
  TextSink *self = (TextSink *) sink;

  g_assert_cmpint (self->depth, ==, 0);
  g_free (self);
}
