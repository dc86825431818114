/* SPDX-License-Identifier: MIT */
/* A document in words: as JSON, as a line for the shell, and what changed between two of them. All
 * come from the one table of fields. */
#pragma once

#include "engine/base/json.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* The text in quotes with JSON's own escapes, and in ASCII alone where that is asked for. What is no
 * UTF-8, as a name of a file may be, is made so. */
void        ui_json_append_string       (GString           *json,
                                         const char        *text,
                                         gboolean           ascii);
/* Appends the object {"model": …, "text_a": …, … }: every choice and both texts, or those that are
 * not as in base. Absent is what was not chosen. Paths inside of folder (absolute, nullable) are
 * written relative to it, with "./" in front, so that nobody takes them for the name of a model.
 * compact: on one line and in ASCII. */
void        ui_document_append_json     (const UiDocument  *self,
                                         const UiDocument  *base, /* NULL = everything */
                                         const char        *folder,
                                         gboolean           compact,
                                         GString           *json);
/* Sets what the object says. Keys that are no field are appended to unknown (of char *, its own).
 * Paths with "./" or "../" in front begin in folder. Refuses a value that the field does not take,
 * in the name of what. */
gboolean    ui_document_apply_json      (UiDocument        *self,
                                         const cJSON       *object,
                                         const char        *folder,
                                         const char        *what,
                                         GPtrArray         *unknown,
                                         GError           **error);

/* The arguments behind "headlight" that draw the document: "render", the choices that are not as in
 * a new document, "-o", output, and the texts. (transfer full) */
char      **ui_document_to_arguments    (const UiDocument  *self,
                                         const char        *output);
/* The same as one line for a shell. (transfer full) */
char       *ui_document_to_command      (const UiDocument  *self,
                                         const char        *output);

/* The first field in which they differ, with its value in after: "Layer 3", "No pin". NULL when
 * they are equal. (transfer full) */
char       *ui_document_describe_change (const UiDocument  *before,
                                         const UiDocument  *after);
/* The same field's name: "layer", "text_a". (borrowed) */
const char *ui_document_find_change     (const UiDocument  *before,
                                         const UiDocument  *after);

G_END_DECLS
