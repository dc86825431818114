/* SPDX-License-Identifier: MIT */
/* Amounts of bytes and of time as people read them, with a point in every locale, (transfer full);
 * round numbers for scales. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "440.4 MB"; decimal units, as the hub and disks have them. */
char *ui_amount_bytes (gint64 bytes);
/* "40 s", "3 min", "2 h 5 min" */
char *ui_amount_time  (double seconds);
/* "22,713,216" */
char *ui_amount_count (gint64 number);
/* The smallest of 1, 2, 5, 10, 20 …, 0.5, 0.2 … that is not under an amount over 0. */
double ui_amount_round_up (double amount);
/* The same among all numbers of one digit: 0.3, 4, 70. */
double ui_amount_round_up_digit (double amount);

G_END_DECLS
