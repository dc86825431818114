/* SPDX-License-Identifier: MIT */
/* The picture's state, for app/picture/ alone. */
#pragma once

#include "app/picture/drawing.h"
#include "app/picture/picture.h"
#include "app/run/job.h"

G_BEGIN_DECLS

typedef struct {
  const AppPickClass *klass;  /* NULL = nothing is picked */
  gpointer            data;
  char               *prompt;
} AppPick;

/* changes.c */
typedef struct {
  EngTrace       *traces[2]; /* that are, or are being, compared; NULL = none */
  EngKind         kind;
  AppJob         *job;       /* NULL = none runs */
  UiChangedHeads *heads;     /* of the last ones that were compared; NULL = none */
} AppChanges;

struct _AppPicture {
  GObject       parent_instance;

  AppStudy     *study;
  UiSceneView  *view;     /* borrowed; NULL once it is closed */

  UiDocument   *shown;    /* as far as the trace has it; NULL before the first picture */
  UiDocument   *wanted;   /* likewise, while it is drawn in a thread; NULL = shown it is */
  UiDocument   *drawn;    /* the study's document when shown was drawn; NULL as that */
  EngTrace     *second;   /* in shown; NULL = none */
  AppDrawing   *drawing;  /* in a thread, or ready to be taken; NULL = none */
  char         *misfit;   /* why the second side cannot stand beside the first; NULL = it can */
  char         *undrawn;  /* why the two cannot be drawn together; NULL = they are */
  GError       *error;
  gboolean      is_current;

  EngTrace     *sorted_trace; /* whose heads may be sorted; NULL = none */
  EngKind       sorted_kind;
  EngTrace     *growing_trace; /* the last one that was not complete; borrowed, only compared */
  gint64        grown_at; /* µs: when it came or was last drawn */

  guint         fit_tick; /* that fits once more; 0 = none */
  double        opening_zoom; /* at which a picture opens that is brought into sight; 0 = none is */
  double        fit_zoom; /* what it was fitted to before */
  UiScene      *fit_scene; /* borrowed, only compared */
  int           fit_height; /* of the view */
  int           n_fit_frames;

  UiDocument   *asked;    /* that a person is asked about; NULL = none is */
  char         *words;    /* markup that is said whatever is pointed at; NULL = none */
  AppPick       pick;
  AppChanges    changes;

  AppLink       link;     /* that was clicked last */
  gboolean      has_link;
};

/* Tells that something changed. */
void app_picture_tell     (AppPicture *self);
void app_picture_end_zoom (AppPicture *self);
void app_picture_show_clicked (AppPicture *self);
/* Measures what changed between the sides that are shown, once. */
void app_picture_measure_changes (AppPicture *self);
void app_picture_end_changes (AppPicture *self);

G_END_DECLS
