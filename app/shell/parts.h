/* SPDX-License-Identifier: MIT */
/* The parts of the window in the order in which they are set, clicked and left: to add one is a
 * line there. Main thread. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

typedef struct _AppParts AppParts;

AppParts *app_parts_new     (AppDesk      *desk);
void      app_parts_free    (AppParts     *self);
/* Borrowed; it must be there. */
gpointer  app_parts_get     (AppParts     *self,
                             GType         type);
/* All of them prepare, then the picture is drawn, then they are set to it and do their work. */
void      app_parts_refresh (AppParts     *self);
/* TRUE = a part took it. */
gboolean  app_parts_click   (AppParts     *self,
                             const UiItem *item,
                             gboolean      extend);
gboolean  app_parts_escape  (AppParts     *self);
void      app_parts_theme   (AppParts     *self);
void      app_parts_shrink  (AppParts     *self);
/* The window goes. */
void      app_parts_end     (AppParts     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppParts, app_parts_free)

G_END_DECLS
