/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/session/ alone. */
#pragma once

#include "app/parts/session/session.h"

G_BEGIN_DECLS

struct _AppSessionPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkLabel    *session_label;
  GtkRevealer *restore_revealer;
  GtkRevealer *drop_hint;

  guint      n_opened; /* files that were read, or refused */
  GPtrArray *lost;    /* of char *, files of programs that were ended; NULL = not known */
};

/* drop.c: files that are dropped onto the window. */
void app_session_part_add_drop (AppSessionPart *self);

G_END_DECLS
