/* SPDX-License-Identifier: MIT */
/* How much memory there is for what is about to be allocated. The kernel promises more than it has,
 * and ends the program that takes it at its word. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes that can be used without taking them from another program, swap counted; G_MAXINT64 where
 * the kernel does not say. */
gint64 eng_memory_get_available   (void);
/* text: of /proc/meminfo */
gint64 eng_memory_parse_available (const char *text);

G_END_DECLS
