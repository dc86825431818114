/* SPDX-License-Identifier: MIT */
/* Fields of a document by the names that a session has for them. */
#pragma once

#include "ui/document/document.h"

static inline void
fields_set (UiDocument *document,
            const char *name,
            const char *value)
{
  g_autoptr (GError) error = NULL;

  ui_document_set (document, ui_fields_find (name), value, &error);
  g_assert_no_error (error);
}

/* settings: "pin=2 filter=ab", or nothing. */
static inline void
fields_set_all (UiDocument *document,
                const char *settings)
{
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);

  for (int i = 0; parts[i] != NULL && *parts[i] != '\0'; i++) {
    g_auto (GStrv) pair = g_strsplit (parts[i], "=", 2);

    fields_set (document, pair[0], pair[1]);
  }
}

static inline UiDocument *
fields_make_document (const char *settings)
{
  UiDocument *document = ui_document_new ();

  fields_set_all (document, settings);
  return document;
}
