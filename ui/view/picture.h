/* SPDX-License-Identifier: MIT */
/* A part of a scene's drawing that threads render, so that a frame never waits for it. They give
 * way to the main thread, and begin with what matters most. To be used from the main thread
 * alone.
 *
 *   UiPicture *picture = ui_picture_new (scene, UI_PICTURE_FULL, NULL, &area, scale);
 *   ui_picture_request (picture, UI_PICTURE_SOON, done, data);
 *   node = ui_picture_get_node (picture, widget);    NULL until done was called
 *   ui_picture_drop (picture);                       done is not called any more */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct _UiPicture UiPicture;

typedef enum {
  UI_PICTURE_FULL,    /* the drawing */
  UI_PICTURE_PREVIEW, /* it in a hurry; empty where the scene has no such painting */
  UI_PICTURE_OVERLAY  /* what hovering an item adds */
} UiPictureKind;

/* In the order in which threads take them. */
typedef enum {
  UI_PICTURE_AT_ONCE,
  UI_PICTURE_SOON,
  UI_PICTURE_LATER,
  UI_PICTURE_LAST
} UiPicturePriority;

typedef void (*UiPictureFunc) (gpointer data);

/* scale: device pixels a scene unit; item: of an overlay. */
UiPicture     *ui_picture_new      (UiScene           *scene,
                                    UiPictureKind      kind,
                                    const UiItem      *item,
                                    const UiRect      *area,
                                    double             scale);
/* Gives it up; a thread that has not begun it leaves it alone. */
void           ui_picture_drop     (UiPicture         *self);

/* Queues it, once. done is called from the main loop; data is borrowed until then or until the
 * drop. */
void           ui_picture_request  (UiPicture         *self,
                                    UiPicturePriority  priority,
                                    UiPictureFunc      done,
                                    gpointer           data);
gboolean       ui_picture_is_done  (UiPicture         *self);
/* Renders it here, or waits for the thread that has begun it, unless it is later than the deadline
 * (monotonic µs). Whether it is done. */
gboolean       ui_picture_finish   (UiPicture         *self,
                                    gint64             deadline);

/* Waits for what was asked for and is not dropped. Before main() returns: what threads draw with, such
 * as the languages of a font library, goes with the process's last steps. */
void           ui_pictures_end     (void);

/* As a node for the widget, which must be realized. NULL while it is not done, or is empty. */
GskRenderNode *ui_picture_get_node (UiPicture         *self,
                                    GtkWidget         *widget);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiPicture, ui_picture_drop)

G_END_DECLS
