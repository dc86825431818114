/* SPDX-License-Identifier: MIT */
/* One reader and one writer for each type of field; for document-fields.c alone. A value that is
 * refused leaves the member as it was. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct {
  gboolean (*set) (gpointer        member,
                   const UiField  *field,
                   const char     *value,
                   GError        **error);
  char    *(*get) (gconstpointer   member,
                   const UiField  *field);
} UiFieldTypeClass;

const UiFieldTypeClass *ui_field_type_get (UiFieldType type);

G_END_DECLS
