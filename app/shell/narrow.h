/* SPDX-License-Identifier: MIT */
/* What a small window leaves out: the views come to its foot where its header has no room for them,
 * what else header and toolbar leave out into the toolbar's menu, and in a low one caption and
 * sentences fold away, these until somebody types there. Main thread. */
#pragma once

#include <adwaita.h>

#include "ui/controls/tool-row.h"

G_BEGIN_DECLS

typedef struct _AppNarrow AppNarrow;

/* The window's. */
typedef struct {
  GtkWindow     *window;
  AdwSqueezer   *header_views;
  AdwSqueezer   *header_steps; /* undo, redo */
  AdwSqueezer   *header_files; /* export */
  GtkWidget     *foot_view;
  GtkRevealer   *sentences;
  GtkWidget     *caption;
  UiToolRow     *toolbar;
  GtkMenuButton *more_button;  /* of the toolbar; its menu is filled here */
} AppNarrowWidgets;

/* The widgets are borrowed; free it before them. */
AppNarrow *app_narrow_new        (const AppNarrowWidgets *widgets);
void       app_narrow_free       (AppNarrow              *self);
/* The window is being laid out: what follows from it comes with the next layout. */
void       app_narrow_set_height (AppNarrow              *self,
                                  int                     height);

G_END_DECLS
