/* SPDX-License-Identifier: MIT */
/* The parts of the scene view: scene, size and scrolling (scene-view.c), pointer and keyboard
 * (scene-view-input.c), painting (scene-view-snapshot.c). */
#pragma once

#include "ui/scene-view.h"
#include "ui/tile-cache.h"

G_BEGIN_DECLS

struct _UiSceneView {
  GtkWidget      parent_instance;

  EngTrace      *trace;
  UiDocument    *document;
  UiTheme        theme;
  UiScene       *scene;
  UiTileCache   *tiles;
  int            built_width;         /* size that the scene was built for */
  int            built_height;

  GtkAdjustment *adjustments[2];      /* GtkOrientation → adjustment */
  guint          scroll_policies[2];

  UiItem         hover;
  UiItem         cursor;
  gboolean       pointer_inside;
  gboolean       pointer_leads;       /* the pointer moved after the keyboard's cursor did */
  double         pointer_x;
  double         pointer_y;
  guint          scroll_rest;         /* timeout while the drawing scrolls; 0 = it is at rest */

  PangoLayout   *hint;                /* of the sentence of shown */
  GskRenderNode *overlays[2];         /* what the item shown adds to the body and to the header */
  UiRect         overlay_areas[2];
  UiItem         shown;
};

/* What of the scene the widget shows, in scene units; the header hides the top of it. */
UiRect ui_scene_view_get_area         (UiSceneView      *self);
double ui_scene_view_get_header       (UiSceneView      *self);

/* Signals and key bindings; controllers. */
void   ui_scene_view_class_init_input (UiSceneViewClass *klass);
void   ui_scene_view_init_input       (UiSceneView      *self);
/* Finds what is under the pointer, now. */
void   ui_scene_view_follow_pointer   (UiSceneView      *self);
/* The drawing moves. What is under the pointer would change with every frame: the hover is not
 * drawn until it rests, and then is that of the item that has come there. */
void   ui_scene_view_scrolled         (UiSceneView      *self);
gboolean ui_scene_view_shows_item     (UiSceneView      *self);
/* Drops sentence and overlay of the item that is shown; they are made anew for what is there
 * then. */
void   ui_scene_view_forget_shown     (UiSceneView      *self);
void   ui_scene_view_drop_overlays    (UiSceneView      *self);

void   ui_scene_view_snapshot         (GtkWidget        *widget,
                                       GtkSnapshot      *snapshot);

G_END_DECLS
