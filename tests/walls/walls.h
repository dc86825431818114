/* SPDX-License-Identifier: MIT */
/* Reads who includes whom below a folder of sources and says what a table of rooms (its grammar is
 * in rooms.txt) forbids. Any thread. */
#pragma once

#include <glib.h>

/* A room keeps to it, for a newcomer reads its list of files at a glance. */
#define WALLS_MAX_FILES 40

/* One sentence a fault, none where the walls hold: the table's own faults; else, for engine/, ui/
 * and app/ below root, folders without a line, lines without a folder, includes that are forbidden
 * and circles of more than two files, where X.h, X.c and X-private.h are one; and, for tests/ too,
 * folders of more than WALLS_MAX_FILES files. Free the array, which owns its strings. */
GPtrArray *walls_check (const char *root,
                        const char *table);
