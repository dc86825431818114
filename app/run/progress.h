/* SPDX-License-Identifier: MIT */
/* How far long work is. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double      fraction; /* 0..1 */
  const char *note;     /* nullable; borrowed */
  /* Of a download. */
  gint64      bytes;
  gint64      total;
  double      speed;    /* bytes per second; 0 = not known */
} AppProgress;

typedef void (*AppProgressFunc) (const AppProgress *progress,
                                 gpointer           data);

G_END_DECLS
