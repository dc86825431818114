/* SPDX-License-Identifier: MIT */
/* Where a scene goes: a table of drawing operations with three implementations (float raster for
 * window and PNG, cairo for PDF, own SVG writer). A scene calls the same operations in the same
 * order on each. Coordinates are in scene units (CSS pixels at 100 %), y downwards, colours
 * straight with alpha k/255. A sink is used by one thread. */
#pragma once

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

typedef struct { double x, y, width, height; } UiRect;

typedef enum { UI_ALIGN_LEFT, UI_ALIGN_CENTER, UI_ALIGN_RIGHT } UiAlign;

/* How a run of text is set. size in scene units; max_width 0 = no limit, else ellipsis in the
 * middle. */
typedef struct {
  double   size;
  gboolean bold;
  gboolean italic;
  gboolean tabular;   /* figures of one width */
  UiAlign  align;     /* what x means */
  double   max_width;
  double   angle;     /* in degrees, anticlockwise around the point that is x on the baseline */
} UiTextStyle;

/* Control points of a link lie this part of the way across, at the height of their end. */
#define UI_LINK_REACH 0.38
/* Part of a dash and the gap behind it that is drawn. */
#define UI_DASH_DRAWN (7.0 / 12)

/* One link of the field: a curve from (x0, y0) to (x1, y1). */
typedef struct {
  double  x0, y0, x1, y1;
  double  width;
  UiColor color;      /* with the link's alpha */
  int     head;
  double  dash;       /* a dash and the gap behind it together, along the curve; 0 = drawn through */
} UiLink;

typedef void (*UiLinkFunc) (const UiLink *link, gpointer data);

/* A procedural list of links: calls back for each that may touch the rectangle, in drawing order
 * (classes of strength ascending, heads ascending within a class). May be called several times. */
typedef struct _UiLinkField UiLinkField;
struct _UiLinkField {
  void   (*foreach) (const UiLinkField *self, const UiRect *clip, UiLinkFunc func, gpointer data);
  UiRect   bounds;
  gboolean dashed; /* some of its links are */
  gboolean dense;  /* so many links that the faintest are a haze, which a sink may draw coarser */
};

typedef struct _UiSink UiSink;
typedef struct {
  void (*fill)       (UiSink *self, const UiRect *rect, double radius, UiColor color);
  /* one colour, sharp corners */
  void (*fill_many)  (UiSink *self, const UiRect *rects, int n_rects, UiColor color);
  void (*frame)      (UiSink *self, const UiRect *rect, double radius, double width, UiColor color);
  void (*line)       (UiSink *self, double x0, double y0, double x1, double y1, double width,
                      UiColor color);
  void (*curve)      (UiSink *self, const UiLink *link);
  void (*links)      (UiSink *self, const UiLinkField *field);
  void (*hatch)      (UiSink *self, const UiRect *rect, UiColor color);
  void (*text)       (UiSink *self, double x, double baseline, const char *text,
                      const UiTextStyle *style, UiColor color);
  /* premultiplied; pixels are cells, with sharp edges */
  void (*image)      (UiSink *self, const UiRect *rect, const guint8 *argb, int width, int height,
                      int stride);
  void (*push_clip)  (UiSink *self, const UiRect *rect);
  void (*pop_clip)   (UiSink *self);
  void (*push_group) (UiSink *self, const char *name); /* a name for people who open the SVG */
  void (*pop_group)  (UiSink *self);
} UiSinkClass;

struct _UiSink {
  const UiSinkClass *klass;
};

G_END_DECLS
