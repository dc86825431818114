/* SPDX-License-Identifier: MIT */
/* Downloads of the tests, and what they leave in the cache. */
#pragma once

#include "app/store/hub.h"
#include "tests/support/hub/hub-case.h"

/* What a progress function saw. */
typedef struct {
  int           lock;      /* descriptor to close once somebody waits for it; -1 = none */
  gint64        last;
  gint64        total;
  gboolean      phases[3];
} HubWatch;

/* An AppProgressFunc; data is a HubWatch. */
void       hub_watch_cb         (const AppProgress *progress,
                                 gpointer           data);

/* Plan and download in one; NULL with an error. */
char      *hub_try_download     (const char  *model,
                                 const char  *token,
                                 GError     **error);
void       hub_download         (const char  *model);
/* The error has the code and says the words. */
void       hub_assert_refused   (const char  *model,
                                 const char  *token,
                                 int          code,
                                 const char  *words);

char      *hub_in_cache         (HubCase     *self,
                                 const char  *path);
/* One line for each folder, link and file, as tests/record/record_hub.py writes them. */
GPtrArray *hub_read_tree        (HubCase     *self);
/* Nothing that another program could take for a model or a part of one. */
void       hub_assert_untouched (HubCase     *self,
                                 int          n_incomplete);
/* The file holds hub_case_make_bytes (size). */
void       hub_assert_content   (HubCase     *self,
                                 const char  *path,
                                 gsize        size);
