/* SPDX-License-Identifier: MIT */
/* A sink that keeps where texts stand: what of each is seen, turned as it is. */
#pragma once

#include "ui/scene/sinks/sink.h"

typedef struct {
  char  *text;
  UiRect ink;        /* before it is turned around its origin */
  double corners[4][2];
} TextBox;

/* boxes: borrowed, of TextBox; box_sink_new_array() makes one. */
GArray *box_sink_new_array (void);
UiSink *box_sink_new       (GArray *boxes);
void    box_sink_free      (UiSink *sink);

/* How far one must be moved at least so that the two do not meet; 0 = they do not. */
double  box_sink_overlap   (const TextBox *first,
                            const TextBox *second);
