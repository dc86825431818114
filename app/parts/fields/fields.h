/* SPDX-License-Identifier: MIT */
/* Choices of the document that are a flag, a number or one of a few values are actions of the
 * field's own name; their states are read and written through the table of fields. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_FIELDS_PART (app_fields_part_get_type ())
G_DECLARE_FINAL_TYPE (AppFieldsPart, app_fields_part, APP, FIELDS_PART, AppPart)

G_END_DECLS
