/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/edits/ alone. */
#pragma once

#include "app/parts/edits/edits.h"
#include "ui/controls/edit-chips.h"
#include "ui/controls/state-label.h"

G_BEGIN_DECLS

struct _AppEditsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkMenuButton *edit_button;
  UiStateLabel  *edit_label;  /* how many there are */
  UiEditChips   *edit_line;
  GtkMenuButton *more_edits; /* the menu of both lists */
  UiEditChips   *edit_chips;
  UiEditChips   *second_chips;

  char     *swap_begin; /* "swap 3": a word is being picked; NULL = none */
  gboolean  swaps_second; /* for the second side */
};

/* Whether a model is shown on that side, not a trace file. */
gboolean app_edits_part_can_edit   (AppEditsPart *self,
                                    gboolean      is_second);
/* edit-menus.c: what can be done to what is pointed at. */
void     app_edits_part_init_menus (AppEditsPart *self);
void     app_edits_part_add_menus  (AppEditsPart *self);

G_END_DECLS
