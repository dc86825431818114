/* SPDX-License-Identifier: MIT */
/* The parts of the scene view: scene, size and scrolling (scene-view.c), pointer and keyboard
 * (scene-view-input.c), zoom and pan (scene-view-zoom.c), painting (scene-view-snapshot.c). */
#pragma once

#include "ui/view/picture.h"
#include "ui/view/scene-view.h"
#include "ui/view/tile-cache.h"

G_BEGIN_DECLS

/* What the item shown adds to a part of the view. A thread paints it; until then what the item
 * before added stays, or the picture would flicker between two. */
typedef struct {
  UiPicture *picture;   /* NULL = none */
  UiPicture *former;
  UiItem     item;
  UiRect     area;
} UiOverlay;

/* From a step of a way to another one (scene-view-motion.c). */
typedef struct {
  GdkPaintable *before;  /* what was seen; NULL = nothing moves */
  gint64        begun;   /* µs */
  guint         tick;
  gboolean      moves;   /* a frame does, too */
  int           stage;   /* whose place it goes to */
  UiRect        from;    /* in the widget */
} UiMotion;

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
  gboolean       is_allocating;
  guint          configure_tick;      /* the adjustments are to be told their range */

  UiItem         hover;
  UiItem         cursor;              /* where keys go on from */
  gboolean       cursor_shows;        /* a person moved it by key, or came to it by Tab */
  UiItem         aim;                 /* at which is pointed elsewhere: ui_scene_view_set_aim() */
  UiItem         rest;                /* ui_scene_view_set_rest() */
  gboolean       pointer_inside;
  gboolean       pointer_is_let_go;   /* it points at nothing until it moves */
  gboolean       pointer_leads;       /* the pointer moved after the keyboard's cursor did */
  double         pointer_x;
  double         pointer_y;
  double         root_x;              /* the same in the window */
  double         root_y;
  guint          scroll_rest;         /* timeout while the drawing moves; 0 = it is at rest */
  gint64         scroll_start;        /* when it began to move, and when a hand moved the pointer or */
  gint64         hand_time;           /* its wheel the last time; in microseconds */
  UiItem         told;                /* what the reader was said to be at */
  guint          leaving;             /* idle source: the keys have left the view */

  gboolean       holds_back;          /* as UiSceneOptions has it */
  guint          open_groups;         /* a bit for each pattern whose heads are all shown */

  gboolean       is_presented;        /* before people at a distance */
  double         growth;              /* of text then, besides that by the room; else 1 */
  double         zoom;
  gboolean       zooms;               /* the movement is one of the zoom */
  double         pinch_zoom;          /* when the fingers met */
  double         places[UI_N_VIEWS][2]; /* of each view (UiViewKind): where it was scrolled to */
  double         pan_x;               /* scroll positions when the drag began */
  double         pan_y;
  gboolean       space_held;
  gboolean       space_panned;        /* so that it is no click any more */

  UiMotion       motion;
  UiOverlay      overlays[4];         /* of body, header, band at the left and corner */
  UiTilesQuality quality;             /* of the last frame */
  gboolean       awaits_overlay;      /* in the last frame it was not there yet */
  UiItem         shown;
};

double ui_scene_view_get_header       (UiSceneView      *self);
/* Width of the band that stays at the left and hides what is under it; 0 where nothing is scrolled
 * away there, or where it would take most of the widget. */
double ui_scene_view_get_left_band    (UiSceneView      *self);
/* Builds the scene anew, at another size, scale, zoom or theme. */
void   ui_scene_view_rebuild          (UiSceneView      *self);
/* The same as it is, where a scene is shown. */
void   ui_scene_view_resize           (UiSceneView      *self);

/* Signals and key bindings; controllers. */
void   ui_scene_view_class_init_input (UiSceneViewClass *klass);
void   ui_scene_view_init_input       (UiSceneView      *self);
/* The cursor shows; where arrows begin, if it is nowhere. */
void   ui_scene_view_begin_cursor     (UiSceneView      *self);
/* Finds what is under the pointer, now. */
void   ui_scene_view_follow_pointer   (UiSceneView      *self);
/* The same where the pointer has not moved: it keeps what it points at, or lets go of it. */
void   ui_scene_view_keep_pointer     (UiSceneView      *self);
/* A hand moves the pointer, or turns its wheel. */
void   ui_scene_view_take_hand        (UiSceneView      *self);
/* The drawing moves. What is under the pointer would change with every frame: the hover is not
 * drawn until it rests, and then is that of the item that has come there, if a hand moved it. */
void   ui_scene_view_scrolled         (UiSceneView      *self);
gboolean ui_scene_view_shows_item     (UiSceneView      *self);
/* Whether what stands out is what is pointed at elsewhere. */
gboolean ui_scene_view_shows_aim      (UiSceneView      *self);
/* The signals of these names. */
void   ui_scene_view_emit_moved       (UiSceneView      *self);
void   ui_scene_view_emit_rebuilt     (UiSceneView      *self);
void   ui_scene_view_emit_hovered     (UiSceneView      *self);
void   ui_scene_view_emit_cursor_moved (UiSceneView     *self);
/* Clicks the item under the keyboard cursor. FALSE = there is none. */
gboolean ui_scene_view_click_cursor   (UiSceneView      *self,
                                       gboolean          extend);
/* FALSE where the view has no steps. */
gboolean ui_scene_view_step      (UiSceneView      *self,
                                  int               by);
/* What is under the pointer, and what the keyboard's cursor is on, is another. */
void   ui_scene_view_set_hover        (UiSceneView      *self,
                                       const UiItem     *item);
void   ui_scene_view_move_cursor      (UiSceneView      *self,
                                       const UiItem     *item);
/* What stands out, and who is told of what the reader is at, follow that. */
void   ui_scene_view_update_shown     (UiSceneView      *self);
void   ui_scene_view_tell_item        (UiSceneView      *self);
gboolean ui_scene_view_is_same_item   (const UiItem     *a,
                                       const UiItem     *b);
/* Drops sentence and overlay of the item that is shown; they are made anew for what is there
 * then. */
void   ui_scene_view_forget_shown     (UiSceneView      *self);
void   ui_scene_view_drop_overlays    (UiSceneView      *self);

/* Wheel, fingers, middle button and space. */
void   ui_scene_view_init_zoom        (UiSceneView      *self);
/* How much larger text is than for the person at the computer, by the room of the widget. */
double ui_scene_view_get_magnification (UiSceneView     *self);
/* A short text leaves room: where the view is presented, text grows until it is taken. */
void   ui_scene_view_grow             (UiSceneView      *self);

/* Where a drawing of another view begins: where that was left, before and after it is shown. */
void   ui_scene_view_keep_place       (UiSceneView      *self,
                                       UiViewKind        view);
void   ui_scene_view_return_to_place  (UiSceneView      *self,
                                       UiViewKind        view);

/* Of other panels: at the top, or where the first pinned row is in sight. */
void   ui_scene_view_begin_anew       (UiSceneView      *self);

/* Before next is shown in the place of the scene. */
void   ui_scene_view_begin_motion     (UiSceneView      *self,
                                       UiScene          *next);
void   ui_scene_view_end_motion       (UiSceneView      *self);
void   ui_scene_view_snapshot_motion  (UiSceneView      *self,
                                       GtkSnapshot      *snapshot);

void   ui_scene_view_snapshot         (GtkWidget        *widget,
                                       GtkSnapshot      *snapshot);

G_END_DECLS
