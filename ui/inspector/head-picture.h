/* SPDX-License-Identifier: MIT */
/* One head of the model view, large: its map, with the sentences along its edges, or its links with
 * their tokens, drawn as in the head view. Main thread.
 *
 * Signal: "clicked" (UiItem *item, gboolean extend) at a token or link of the links. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_PICTURE (ui_head_picture_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadPicture, ui_head_picture, UI, HEAD_PICTURE, GtkWidget)

GtkWidget *ui_head_picture_new       (void);

/* scene: of the model view. Of a rollout, which is of no head, there is the map alone. */
void       ui_head_picture_set       (UiHeadPicture *self,
                                      UiScene       *scene,
                                      int            layer,
                                      int            head,
                                      UiTheme        theme);
/* Links in place of the map; FALSE at first. */
void       ui_head_picture_set_open  (UiHeadPicture *self,
                                      gboolean       is_open);
/* The scene of its links, whether they are shown or not; NULL = there are none. Borrowed. */
UiScene   *ui_head_picture_get_links (UiHeadPicture *self);
/* What of the links stands out; of type UI_ITEM_NONE: nothing does. */
void       ui_head_picture_set_aim   (UiHeadPicture *self,
                                      const UiItem  *item);

G_END_DECLS
