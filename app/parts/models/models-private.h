/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/models/ alone. */
#pragma once

#include "app/parts/models/models.h"

G_BEGIN_DECLS

struct _AppModelsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkMenuButton *model_button;
  GtkLabel      *model_name;
  GtkLabel      *model_size;

  GPtrArray  *entries; /* AppModelEntry of the model menu */
  GtkListBox *model_list; /* inside of the menu, once that was opened */
};

G_END_DECLS
