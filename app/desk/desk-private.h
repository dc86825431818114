/* SPDX-License-Identifier: MIT */
/* The desk's state, for app/desk/ and for the window that makes one. */
#pragma once

#include "app/desk/desk.h"
#include "ui/controls/columns.h"

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
  GtkRevealer     *job_revealer;
  GtkLabel        *job_label;
  GtkProgressBar  *job_bar;
  UiColumns       *columns;
  GtkStack        *stack; /* of picture and table */
  GtkStack        *side;
  GtkWidget       *search_header; /* of the pages of the side; visible = a search is open */
  UiInspector     *inspector;
} AppDeskWidgets;

/* What the window does for its parts. */
typedef struct {
  void (*refresh) (GtkWindow *window);
  void (*click)   (GtkWindow *window, const UiItem *item, gboolean extend);
} AppDeskCalls;

typedef struct {
  AdwToast *toast;  /* in sight, of the overlay; NULL = none */
  GQueue    next;   /* of AdwToast */
  gint64    since;  /* µs; when it came */
  guint     source;
} AppToasts;

struct _AppDesk {
  GObject         parent_instance;

  AppDeskWidgets  widgets;  /* all NULL once the window is closed */
  AppStudy       *study;
  AppPicture     *picture;
  AppSettings    *settings; /* borrowed */
  AppDeskCalls    calls;
  GHashTable     *slots;    /* id to widget, both the window's; NULL once it is closed */
  GHashTable     *columns;  /* name to GtkSizeGroup; NULL once it is closed */
  gboolean        is_syncing;

  GArray         *notices;  /* of Notice, the last one first */
  AppToasts       toasts;
  AppJob         *job;      /* the one that is shown; NULL = none */
  char           *job_title;

  GMenu          *recent_menu;
  char           *awaited_recent; /* a path; NULL = none */
  AppFileKind     awaited_kind;

  gboolean        side_was_hidden; /* before a search was shown in it */
};

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

/* job-bar.c */
void     app_desk_init_job_bar (AppDesk              *self);
/* recent.c */
void     app_desk_init_recent  (AppDesk              *self);
/* side.c */
void     app_desk_init_side    (AppDesk              *self);
/* slots.c */
void     app_desk_init_slots   (AppDesk              *self);
/* The slot is an AppSlot, before which the widget comes to stand, behind what was placed there
 * before it; or an AdwBin, which it fills. */
void     app_desk_place        (AppDesk              *self,
                                const char           *slot,
                                GtkWidget            *widget);
/* toasts.c */
void     app_desk_end_toasts   (AppDesk              *self);

G_END_DECLS
