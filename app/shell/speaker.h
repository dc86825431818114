/* SPDX-License-Identifier: MIT */
/* The window of who speaks, beside the one that people look at: what they see, or would see if it
 * were not frozen, what is said now and next, the notes, and how long it has been. Main thread. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _AppSpeaker AppSpeaker;

/* Opens it. seen: what it shows of window; both are borrowed. It may be closed by a person before
 * it is freed. */
AppSpeaker *app_speaker_new  (GtkWindow  *window,
                              GtkWidget  *seen);
void        app_speaker_free (AppSpeaker *self);
/* Markup but for place; all are nullable. */
void        app_speaker_set  (AppSpeaker *self,
                              const char *place,
                              const char *now,
                              const char *next,
                              const char *notes);
/* NULL once it was closed. */
GtkWindow  *app_speaker_get_window (AppSpeaker *self);

G_END_DECLS
