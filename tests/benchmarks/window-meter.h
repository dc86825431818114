/* SPDX-License-Identifier: MIT */
/* What benchmarks measure of the real window: how evenly it draws while something is done in it, and
 * how long it takes from a person's act to the frame that shows it. Main thread. */
#pragma once

#include "app/shell/window.h"
#include "ui/view/scene-view.h"

#define METER_SECONDS 5

/* What is done while frames are drawn. */
typedef enum {
  METER_REST,             /* a label is redrawn with every frame, or the clock would stop */
  METER_SCROLL,
  METER_HOVER,
  METER_SCROLL_AND_HOVER,
  METER_FILL,             /* scrolling while all that was rendered is thrown away once a second */
  METER_STEP,             /* three steps of a token's way a second, to the last and back */
  METER_N_WORKS
} MeterWork;

typedef struct {
  AppWindow   *window;
  UiSceneView *view;
  GtkEditable *entry_a;
  GtkEditable *entry_b;
  GtkWidget   *status;    /* the line at the foot of the window */
  gint64       painted;   /* µs; of the last frame */
  guint        n_painted;
  MeterWork    work;
  gint64       last;      /* µs; 0 = the first tick of a phase */
  double       last_cpu;  /* ms */
  int          n_ticks;
  gboolean     is_going_back; /* of steps */
  GArray      *intervals; /* double, ms, of the last phase, like cpu; they are sorted then */
  GArray      *cpu;       /* of the main thread between two ticks */
} WindowMeter;

/* Of the application's active window. */
void        window_meter_begin          (WindowMeter    *self,
                                         GtkApplication *application);
void        window_meter_end            (WindowMeter    *self);

const char *window_meter_get_name       (MeterWork       work);
/* For METER_SECONDS. */
void        window_meter_run            (WindowMeter    *self,
                                         MeterWork       work);
/* part: 0.5 is the median. */
double      window_meter_get_percentile (const GArray   *sorted,
                                         double          part);

/* Until the picture is of what the entries say, and was drawn; ms since start (µs, monotonic). */
double      window_meter_wait_for_frame (WindowMeter    *self,
                                         gint64          start);
/* The rest of a pass, tiles around the sight, frames that are under way. */
void        window_meter_settle         (void);

/* Of the calling thread, µs. */
gint64      window_meter_get_thread_us  (void);
/* Of doubles, for qsort(). */
int         window_meter_compare        (gconstpointer   a,
                                         gconstpointer   b);
