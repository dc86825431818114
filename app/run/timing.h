/* SPDX-License-Identifier: MIT */
/* What the time until the first picture is made of, as one debug message
 * (G_MESSAGES_DEBUG=headlight). Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts from here on; to be called first thing in main(). */
void app_timing_start  (void);
/* A part ended; what is a constant string. Without app_timing_start() nothing is noted. */
void app_timing_mark   (const char *what);
/* The last part ended: prints all, once. */
void app_timing_report (const char *what);

G_END_DECLS
