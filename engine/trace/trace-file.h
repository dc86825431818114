/* SPDX-License-Identifier: MIT */
/* The trace as a safetensors file. Little is required, so that three lines of Python can write one:
 * {prefix}attentions.{layer} and the metadata `tokens`. What Headlight writes is complete and reads
 * back as the same trace. The file's format is described in engine/README.md. */
#pragma once

#include "engine/checkpoint/safetensors.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* Maps the file. Refuses what no trace can have: NaN, infinite or negative weights, a number of
 * tokens that is not the shape's, wrong shapes; the sentence names file and tensor. */
EngTrace *eng_trace_file_open  (const char *path,
                                GError    **error);

/* Writes beside the target and renames: after an error there is no file, and an old one is
 * untouched. */
gboolean  eng_trace_file_write (EngTrace   *trace,
                                const char *path,
                                GError    **error);

/* The same, watched and stopped by func as eng_safetensors_write_watched() says. */
gboolean  eng_trace_file_write_watched (EngTrace     *trace,
                                        const char   *path,
                                        EngWriteFunc  func,
                                        gpointer      data,
                                        GError      **error);

/* Largest |row sum - 1| over the rows of a layer that see a key, for the sentence that states
 * it. */
double    eng_trace_get_row_sum_error (EngTrace *trace,
                                       EngKind   kind,
                                       int       layer);

G_END_DECLS
