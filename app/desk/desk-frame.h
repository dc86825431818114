/* SPDX-License-Identifier: MIT */
/* What the window gives a desk when it makes one, and when it goes. Main thread. */
#pragma once

#include "app/desk/desk.h"
#include "ui/boxes/columns.h"

G_BEGIN_DECLS

/* A place of window.ui: an unseen mark in a row of widgets. */
#define APP_TYPE_SLOT (app_slot_get_type ())
G_DECLARE_FINAL_TYPE (AppSlot, app_slot, APP, SLOT, GtkWidget)

/* Widgets of the window that a desk speaks with; borrowed. */
typedef struct {
  GtkWindow       *window;
  AdwToastOverlay *toasts;
  GtkRevealer     *notice_revealer;
  GtkLabel        *notice;
  GtkWidget       *truncate_button;
  GtkWidget       *close_button; /* of the notice */
  GtkRevealer     *job_revealer;
  GtkLabel        *job_label;
  GtkProgressBar  *job_bar;
  UiColumns       *columns;
  GtkStack        *stack; /* of picture and table */
  GtkStack        *side;
  GtkWidget       *search_header; /* of the pages of the side, while there are several */
  GtkWidget       *close_search_button; /* in it */
  UiInspector     *inspector;
} AppDeskWidgets;

/* What the window does for its parts. */
typedef struct {
  void (*refresh) (GtkWindow *window);
  void (*click)   (GtkWindow *window, const UiItem *item, gboolean extend);
} AppDeskCalls;

/* In the class of a window whose template has them by these names: offset is that of an
 * AppDeskWidgets in the window; its window is not among them. */
void     app_desk_bind_widgets (GtkWidgetClass       *klass,
                                gssize                offset);
AppDesk *app_desk_new          (const AppDeskWidgets *widgets,
                                AppStudy             *study,
                                AppPicture           *picture,
                                AppSettings          *settings,
                                const AppDeskCalls   *calls);
/* The window goes. */
void     app_desk_close        (AppDesk              *self);
void     app_desk_set_syncing  (AppDesk              *self,
                                gboolean              is_syncing);

G_END_DECLS
