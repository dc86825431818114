/* SPDX-License-Identifier: MIT */
/* The window in front of people: the picture with its caption, its legend and the strip of heads, on
 * the whole screen where the desktop lets it, larger. Header, sentences, toolbar, the views at the
 * foot and columns go; while the pointer is at the upper edge, or a menu was opened with F10, the bars lie
 * over the picture, as does a column that is asked for. Main thread. */
#pragma once

#include <adwaita.h>

#include "app/desk/desk.h"
#include "ui/boxes/columns.h"

G_BEGIN_DECLS

typedef struct _AppPresenter AppPresenter;

/* Adds the action "fullscreen" to the window. What is shown elsewhere is borrowed. */
AppPresenter *app_presenter_new   (AdwApplicationWindow *window,
                                   AppDesk              *desk,
                                   GtkWidget            *header,
                                   GtkWidget            *sentences,
                                   GtkWidget            *toolbar,
                                   GtkWidget            *foot,
                                   UiColumns            *columns);
void          app_presenter_free  (AppPresenter         *self);
/* FALSE = nobody presents. */
gboolean      app_presenter_leave (AppPresenter         *self);

G_END_DECLS
