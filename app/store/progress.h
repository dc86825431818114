/* SPDX-License-Identifier: MIT */
/* How far long work is: a search, a sweep, a figure, a download. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  APP_PHASE_WORKING,
  APP_PHASE_CHECKING, /* the hash of what came */
  APP_PHASE_WAITING   /* another program writes the same file */
} AppPhase;

typedef struct {
  double      fraction; /* 0..1 */
  const char *note;     /* nullable; borrowed; of a download the file, in the repository */
  /* Of a download. */
  AppPhase    phase;
  gint64      bytes;    /* of all files, those that were here before too */
  gint64      total;
  double      speed;    /* bytes per second of the last seconds; 0 = not known yet */
} AppProgress;

typedef void (*AppProgressFunc) (const AppProgress *progress,
                                 gpointer           data);

G_END_DECLS
