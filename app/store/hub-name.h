/* SPDX-License-Identifier: MIT */
/* Names on the hub, by its own rules. What passes here may become part of a path or of a URL. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define APP_HUB_MAIN_REVISION "main"

typedef struct {
  char *repository; /* "bert-base-uncased", "google-bert/bert-base-uncased" */
  char *revision;   /* branch, tag, "refs/pr/3" or commit */
} AppHubName;

/* NAME or NAME@REVISION; the error is an APP_HUB_ERROR_NAME. */
AppHubName *app_hub_name_parse     (const char  *text,
                                    GError     **error);
void        app_hub_name_free      (AppHubName  *self);
/* NAME, or NAME@REVISION when that is not main: as a person would type it. (transfer full) */
char       *app_hub_name_to_string (const AppHubName *self);

/* "org/name/resolve/refs%2Fpr%2F3/config.json": where a hub has a file. (transfer full) */
char       *app_hub_make_url_path  (const char  *repository,
                                    const char  *revision,
                                    const char  *path);

/* 40 lower-case hexadecimal digits. */
gboolean    app_hub_is_commit      (const char  *text);
/* A relative path inside of a repository that cannot lead out of it. */
gboolean    app_hub_is_file_path   (const char  *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppHubName, app_hub_name_free)

G_END_DECLS
