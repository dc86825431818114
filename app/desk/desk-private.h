/* SPDX-License-Identifier: MIT */
/* The desk's state, for app/desk/ alone. */
#pragma once

#include "app/desk/desk-frame.h"

G_BEGIN_DECLS

typedef struct {
  AdwToast *toast;  /* in sight, of the overlay; NULL = none */
  GQueue    next;   /* of AdwToast */
  GQueue    held;   /* likewise, until the presentation ends */
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
  gboolean        is_presented;
  char           *activity; /* for the title; NULL = none */

  GArray         *notices;  /* of Notice, the last one first */
  AppToasts       toasts;
  AppJob         *job;      /* the one that is shown; NULL = none */
  char           *job_title;

  GMenu          *recent_menu;
  char           *awaited_recent; /* a path; NULL = none */
  AppFileKind     awaited_kind;

  gboolean        has_search; /* pages of it can be chosen beside the picture */
  gboolean        has_lesson; /* the page of one can, unless there is a search */
  gboolean        side_was_hidden; /* before either was shown in it */
};

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
