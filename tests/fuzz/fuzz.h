/* SPDX-License-Identifier: MIT */
/* A small mutating fuzzer, so that fuzzing is part of the ordinary test run with any compiler.
 *   fuzz-NAME EXECUTIONS [SEED]     mutates the target's seeds and prints how many executions
 *                                 it did
 *   fuzz-NAME --file PATH           runs one input: for a case that was found
 * A target defines the two functions below; a crash, a sanitizer report, a warning of
 * GLib's or a hang is the failure. */
#pragma once

#include <glib.h>

void fuzz_add_seeds (GPtrArray    *seeds); /* of GBytes; the array frees them */
void fuzz_one       (const guint8 *data,   /* exactly size bytes in a block of their own */
                     gsize         size);
