/* SPDX-License-Identifier: MIT */
/* What a small window leaves out: the views come to its foot where its header has no room for them,
 * in a narrow one the caption as well; what else header and toolbar leave out goes into the toolbar's
 * menu; and in a low one the sentences are a line in the toolbar until somebody types there. Main
 * thread. */
#pragma once

#include <adwaita.h>

#include "ui/boxes/tool-row.h"

G_BEGIN_DECLS

typedef struct _AppNarrow AppNarrow;

/* The window's, by their ids in its template, but the window itself. */
typedef struct {
  GtkWindow     *window;
  AdwSqueezer   *header_views;
  AdwSqueezer   *header_steps; /* undo, redo */
  AdwSqueezer   *header_files; /* export */
  GtkWidget     *foot_view;
  GtkRevealer   *sentences;
  GtkWidget     *folded_texts; /* the sentences in one line of the toolbar */
  GtkWidget     *caption_place;
  GtkWidget     *head_line;    /* the caption stands behind this one, or at the foot */
  GtkWidget     *foot_line;
  UiToolRow     *toolbar;
  GtkMenuButton *more_button;  /* of the toolbar; its menu is filled here */
} AppNarrowWidgets;

/* For the class of a window whose instances have an AppNarrowWidgets at that offset. */
void       app_narrow_bind_widgets (GtkWidgetClass       *klass,
                                    gssize                offset);
/* The widgets are borrowed; free it before them. */
AppNarrow *app_narrow_new        (const AppNarrowWidgets *widgets);
void       app_narrow_free       (AppNarrow              *self);
/* Whether keys go to sentences that are there only for as long as they do. */
gboolean   app_narrow_holds_texts (const AppNarrow        *self);
/* The window is being laid out: what follows from it comes with the next layout. */
void       app_narrow_set_size   (AppNarrow              *self,
                                  int                     width,
                                  int                     height);

G_END_DECLS
