/* SPDX-License-Identifier: MIT */
/* Scenes of long texts, of rollouts and of many layers are built beside the window, one at a time:
 * what is not wanted any more ends first. Main thread. */
#pragma once

#include "app/run/job.h"
#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct _AppDrawing AppDrawing;

/* What was built. Owned by whoever is given it. */
typedef struct {
  UiScene *scene;
  GError  *refusal; /* why the second side is not in it; NULL = it is, or there is none */
} AppBuilt;

typedef struct {
  void (*progress) (const char *title, double fraction, gpointer owner); /* title NULL = no more */
  void (*done)     (gpointer owner);
} AppDrawingClass;

/* Any thread. What cannot stand beside the first side leaves that alone. */
AppBuilt   *app_built_new           (EngTrace              *trace,
                                     EngTrace              *second, /* nullable */
                                     const UiDocument      *fitted,
                                     const UiSceneOptions  *options,
                                     GError               **error);
void        app_built_free          (AppBuilt              *self);

/* Whether it takes longer to build than a frame may wait; before (nullable): whose numbers may serve
 * it. */
gboolean    app_drawing_is_heavy    (EngTrace              *trace,
                                     EngTrace              *second,
                                     const UiDocument      *fitted,
                                     const UiScene         *before);
/* klass is static; owner is borrowed until app_drawing_free(). */
AppDrawing *app_drawing_start       (EngTrace              *trace,
                                     EngTrace              *second,
                                     const UiDocument      *fitted,
                                     const UiSceneOptions  *options,
                                     const AppDrawingClass *klass,
                                     gpointer               owner);
/* Waits for the thread. */
void        app_drawing_free        (AppDrawing            *self);
/* It ends as soon as it can, and shows no progress. */
void        app_drawing_leave       (AppDrawing            *self);
gboolean    app_drawing_is_running  (const AppDrawing      *self);
/* Whether it is wanted and of these. */
gboolean    app_drawing_is_of       (const AppDrawing      *self,
                                     EngTrace              *trace,
                                     EngTrace              *second,
                                     const UiDocument      *fitted);
const UiSceneOptions *app_drawing_get_options (const AppDrawing *self);
/* (transfer full) What it has built, once; NULL with the error that it ended in. */
AppBuilt   *app_drawing_take        (AppDrawing            *self,
                                     GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppBuilt, app_built_free)

G_END_DECLS
