/* SPDX-License-Identifier: MIT */
/* The edits of a document as a person changes them one by one. Edits name tokens by number, and a
 * token that is deleted moves those behind it: when a deletion comes or goes, the others are
 * numbered anew, so that they keep meaning the tokens that they meant. Pure. */
#pragma once

#include "engine/edits/edit.h"

G_BEGIN_DECLS

/* Arrays of text forms, "off " in front of what is turned off. first: the kind of the stack that
 * reads A. */

/* Puts a text form at the end. One that is there, on or off, is turned on instead; only edits of
 * tokens may come twice, for they name other tokens the second time. Edits of a token that is
 * deleted by it are dropped. */
void app_edit_list_add    (GPtrArray  *edits,
                           const char *text,
                           EngKind     first);
/* Turns one on or off. */
void app_edit_list_switch (GPtrArray  *edits,
                           guint       index,
                           EngKind     first);
void app_edit_list_remove (GPtrArray  *edits,
                           guint       index,
                           EngKind     first);

G_END_DECLS
