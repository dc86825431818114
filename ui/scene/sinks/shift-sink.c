/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/shift-sink.h"

/* A field whose links are moved when they are asked for. */
typedef struct {
  UiLinkField        field; /* first */
  const UiLinkField *inner;
  double             dx;
  double             dy;
} ShiftedField;

typedef struct {
  const ShiftedField *field;
  UiLinkFunc          func;
  gpointer            data;
} Pass;

static UiRect
shift (const UiShiftSink *self,
       const UiRect      *rect)
{
  return ui_rect_shift (rect, self->dx, self->dy);
}

static UiLink
shift_link (const UiLink *link,
            double        dx,
            double        dy)
{
  UiLink shifted = *link;

  shifted.x0 += dx;
  shifted.y0 += dy;
  shifted.x1 += dx;
  shifted.y1 += dy;
  return shifted;
}

static void
pass_link (const UiLink *link,
           gpointer      data)
{
  const Pass *pass = data;
  UiLink shifted = shift_link (link, pass->field->dx, pass->field->dy);

  pass->func (&shifted, pass->data);
}

static void
foreach_shifted (const UiLinkField *field,
                 const UiRect      *clip,
                 UiLinkFunc         func,
                 gpointer           data)
{
  const ShiftedField *self = (const ShiftedField *) field;
  UiRect inner_clip = ui_rect_shift (clip, -self->dx, -self->dy);
  Pass pass = { self, func, data };

  self->inner->foreach (self->inner, &inner_clip, pass_link, &pass);
}

static void
fill (UiSink       *sink,
      const UiRect *rect,
      double        radius,
      UiColor       color)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  UiRect shifted = shift (self, rect);

  self->target->klass->fill (self->target, &shifted, radius, color);
}

static void
fill_many (UiSink       *sink,
           const UiRect *rects,
           int           n_rects,
           UiColor       color)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  g_autofree UiRect *shifted = g_new (UiRect, MAX (n_rects, 1));

  for (int i = 0; i < n_rects; i++)
    shifted[i] = shift (self, &rects[i]);
  self->target->klass->fill_many (self->target, shifted, n_rects, color);
}

static void
frame (UiSink       *sink,
       const UiRect *rect,
       double        radius,
       double        width,
       UiColor       color)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  UiRect shifted = shift (self, rect);

  self->target->klass->frame (self->target, &shifted, radius, width, color);
}

static void
line (UiSink *sink,
      double  x0,
      double  y0,
      double  x1,
      double  y1,
      double  width,
      UiColor color)
{
  UiShiftSink *self = (UiShiftSink *) sink;

  self->target->klass->line (self->target, x0 + self->dx, y0 + self->dy, x1 + self->dx,
                             y1 + self->dy, width, color);
}

static void
curve (UiSink       *sink,
       const UiLink *link)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  UiLink shifted = shift_link (link, self->dx, self->dy);

  self->target->klass->curve (self->target, &shifted);
}

static void
links (UiSink            *sink,
       const UiLinkField *field)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  ShiftedField shifted = {
    .field = {
      foreach_shifted, shift (self, &field->bounds), field->dashed, field->dense
    },
    .inner = field,
    .dx = self->dx,
    .dy = self->dy,
  };

  self->target->klass->links (self->target, &shifted.field);
}

static void
hatch (UiSink       *sink,
       const UiRect *rect,
       UiColor       color)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  UiRect shifted = shift (self, rect);

  self->target->klass->hatch (self->target, &shifted, color);
}

static void
text (UiSink            *sink,
      double             x,
      double             baseline,
      const char        *string,
      const UiTextStyle *style,
      UiColor            color)
{
  UiShiftSink *self = (UiShiftSink *) sink;

  self->target->klass->text (self->target, x + self->dx, baseline + self->dy, string, style,
                             color);
}

static void
image (UiSink       *sink,
       const UiRect *rect,
       const guint8 *argb,
       int           width,
       int           height,
       int           stride)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  UiRect shifted = shift (self, rect);

  self->target->klass->image (self->target, &shifted, argb, width, height, stride);
}

static void
push_clip (UiSink       *sink,
           const UiRect *rect)
{
  UiShiftSink *self = (UiShiftSink *) sink;
  UiRect shifted = shift (self, rect);

  self->target->klass->push_clip (self->target, &shifted);
}

static void
pop_clip (UiSink *sink)
{
  UiShiftSink *self = (UiShiftSink *) sink;

  self->target->klass->pop_clip (self->target);
}

static void
push_group (UiSink     *sink,
            const char *name)
{
  UiShiftSink *self = (UiShiftSink *) sink;

  self->target->klass->push_group (self->target, name);
}

static void
pop_group (UiSink *sink)
{
  UiShiftSink *self = (UiShiftSink *) sink;

  self->target->klass->pop_group (self->target);
}

static const UiSinkClass shift_sink_class = {
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
  .pop_clip = pop_clip,
  .push_group = push_group,
  .pop_group = pop_group,
};

void
ui_shift_sink_init (UiShiftSink *self,
                    UiSink      *target,
                    double       dx,
                    double       dy)
{
  *self = (UiShiftSink) { .parent = { &shift_sink_class }, .target = target, .dx = dx, .dy = dy };
}

UiRect
ui_rect_shift (const UiRect *rect,
               double        dx,
               double        dy)
{
  return (UiRect) { rect->x + dx, rect->y + dy, rect->width, rect->height };
}
