/* SPDX-License-Identifier: MIT */
/* The window in front of people: the picture with its caption, its legend and the strip of heads, on
 * the whole screen where the desktop lets it, larger. Bars and columns go; while the pointer is at the
 * upper edge, or a menu was opened with F10, the bars lie over the picture, as does a column that is
 * asked for. Main thread. */
#pragma once

#include <adwaita.h>

#include "app/desk/desk.h"
#include "ui/boxes/columns.h"

G_BEGIN_DECLS

typedef struct _AppPresenter AppPresenter;

/* Header, sentences, those of Other, toolbar; the views, where the header has no room; that of the
 * steps. */
#define APP_PRESENTER_BARS 6

/* Adds the action "fullscreen" to the window. What is shown elsewhere is borrowed. */
AppPresenter *app_presenter_new   (AdwApplicationWindow *window,
                                   AppDesk              *desk,
                                   GtkWidget *const      bars[APP_PRESENTER_BARS],
                                   UiColumns            *columns);
void          app_presenter_free  (AppPresenter         *self);
/* Before people nothing says how to leave: it would lie over what they look at. */
void          app_presenter_set_quiet (AppPresenter     *self,
                                       gboolean          is_quiet);
/* FALSE = nobody presents. */
gboolean      app_presenter_leave (AppPresenter         *self);

G_END_DECLS
