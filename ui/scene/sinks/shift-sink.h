/* SPDX-License-Identifier: MIT */
/* A sink that draws on another one, moved: so that a scene can be a part of a larger drawing and
 * know nothing of it. */
#pragma once

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

typedef struct {
  UiSink  parent;
  UiSink *target;
  double  dx;
  double  dy;
} UiShiftSink;

/* On the caller's stack; the target is borrowed. */
void   ui_shift_sink_init (UiShiftSink  *self,
                           UiSink       *target,
                           double        dx,
                           double        dy);
UiRect ui_rect_shift      (const UiRect *rect,
                           double        dx,
                           double        dy);

G_END_DECLS
