/* SPDX-License-Identifier: MIT */
/* F6 and Shift+F6: from the map, or the strip in its place, to the sentences, to the card of a guide,
 * to the picture, to what stands beside it, and around, past what is not in sight. From elsewhere both
 * lead to the picture.
 * A column that is laid over the picture gets the keys; when a column goes, the picture does. Main
 * thread. */
#pragma once

#include <adwaita.h>

#include "ui/boxes/columns.h"

G_BEGIN_DECLS

typedef struct {
  UiColumns *columns;
  GtkWidget *map;       /* its column */
  GtkWidget *strip;
  GtkWidget *sentences;
  GtkStack  *stack;     /* of picture and table */
  GtkWidget *side;
  GtkWidget *picture;   /* in the stack */
} AppRegionWidgets;

typedef struct _AppRegions AppRegions;

/* Adds the actions "next-region" and "previous-region" to the window. The widgets are borrowed, free
 * it before them. */
AppRegions *app_regions_new  (AdwApplicationWindow   *window,
                              const AppRegionWidgets *widgets);
void        app_regions_free (AppRegions             *self);

G_END_DECLS
