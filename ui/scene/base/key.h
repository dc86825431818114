/* SPDX-License-Identifier: MIT */
/* What the colours and the short names of a figure mean: a line of marks between the drawing and
 * its caption, broken where it is too long. Not in a window, where the map says it. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct _UiKey UiKey;

/* lead: what its entries are, "heads"; static. */
UiKey *ui_key_new           (const char           *lead);
void   ui_key_free          (UiKey                *self);

/* mark: a short name in that colour; NULL = a dot. */
void   ui_key_add           (UiKey                *self,
                             UiColor               color,
                             const char           *mark,
                             const char           *text);
/* A dot with a name, or the name to those that the dot of that colour has. */
void   ui_key_add_to_color  (UiKey                *self,
                             UiColor               color,
                             const char           *name);
int    ui_key_get_n         (const UiKey          *self);
/* Its height. */
double ui_key_lay_out       (UiKey                *self,
                             double                width,
                             double                scale);
/* With its upper left corner there. */
void   ui_key_paint         (const UiKey          *self,
                             double                x,
                             double                y,
                             UiTheme               theme,
                             UiSink               *sink);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiKey, ui_key_free)

G_END_DECLS
