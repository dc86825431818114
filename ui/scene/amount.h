/* SPDX-License-Identifier: MIT */
/* Amounts of bytes and of time as people read them, with a point in every locale.
 * (transfer full) */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "440.4 MB"; decimal units, as the hub and disks have them. */
char *ui_amount_bytes (gint64 bytes);
/* "40 s", "3 min", "2 h 5 min" */
char *ui_amount_time  (double seconds);

G_END_DECLS
