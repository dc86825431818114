/* SPDX-License-Identifier: MIT */
/* Values of fields that a person chose in controls, until they are put into a document. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

/* Empty: g_array_set_size (self, 0). (transfer full) g_array_unref() */
GArray *ui_assignments_new   (void);
/* field: its name, static. value "": as unset, where a field can be. */
void    ui_assignments_add   (GArray       *self,
                              const char   *field,
                              const char   *value);
/* In the order in which they were added. */
void    ui_assignments_apply (const GArray *self,
                              UiDocument   *document);

G_END_DECLS
