/* SPDX-License-Identifier: MIT */
/* The lessons of a folder. Blocking; any thread. */
#pragma once

#include "app/lessons/lesson.h"

G_BEGIN_DECLS

typedef struct {
  char     *path;    /* of the file that is opened: the translation where there is one */
  char     *title;
  char     *about;   /* nullable */
  int       minutes;
  char     *model;
  gboolean  is_here; /* the model is on this computer */
} AppShelfEntry;

/* (transfer full) of AppShelfEntry, by file name, the README last. What cannot be read is left
 * out. */
GPtrArray *app_shelf_list (const char *folder);

G_END_DECLS
