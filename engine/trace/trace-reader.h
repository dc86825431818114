/* SPDX-License-Identifier: MIT */
/* Checked values out of a trace file, for engine/trace/trace-file.c alone: tensors of an expected
 * shape whose numbers can be drawn, and the lists of the metadata as tokens. Every refusal names
 * the file and the tensor or key. */
#pragma once

#include "engine/base/json.h"
#include "engine/checkpoint/tensor-set.h"
#include "engine/trace/trace-private.h"

G_BEGIN_DECLS

#define ENG_ANY_SIZE (-1)

typedef struct {
  EngTensorSet *file;
  const char   *path;  /* as messages name the file */
  EngTrace     *trace; /* being filled; keeps what is read alive */
} EngTraceReader;

/* Always FALSE; the message is behind the file's name. */
gboolean     eng_trace_reader_refuse      (const EngTraceReader  *self,
                                           int                    code,
                                           GError               **error,
                                           const char            *format,
                                           ...) G_GNUC_PRINTF (4, 5);

/* Compares with the expected sizes and writes what was found over ENG_ANY_SIZE. No size may be 0.
 * A batch of one in front of the shape is dropped. */
gboolean     eng_trace_reader_match_shape (const EngTraceReader  *self,
                                           const EngTensor       *tensor,
                                           int                    rank,
                                           gint64                *shape,
                                           GError               **error);

/* The floats of a tensor, in the mapped file or widened; none below lowest, infinite or not a
 * number, save that minus infinity may be allowed by lowest. NULL with an error. Sizes as above. */
const float *eng_trace_reader_read_floats (EngTraceReader        *self,
                                           const EngTensor       *tensor,
                                           int                    rank,
                                           gint64                *shape,
                                           float                  lowest,
                                           GError               **error);

/* A metadata value as JSON into *value, which stays NULL where the key {prefix}{key} is absent. */
gboolean     eng_trace_reader_read_json   (const EngTraceReader  *self,
                                           const char            *prefix,
                                           const char            *key,
                                           cJSON                **value,
                                           GError               **error);

/* A list of texts into *texts, which stays NULL where the key is absent. n: expected length or
 * ENG_ANY_SIZE. */
gboolean     eng_trace_reader_read_texts  (const EngTraceReader  *self,
                                           const char            *prefix,
                                           const char            *key,
                                           int                    n,
                                           char                ***texts,
                                           GError               **error);

/* A list of whole numbers from 0 to max, as above. */
gboolean     eng_trace_reader_read_indices (const EngTraceReader  *self,
                                            const char            *prefix,
                                            const char            *key,
                                            int                    n,
                                            int                    max,
                                            gint32               **indices,
                                            GError               **error);

/* (transfer full) The n tokens of a stack; attention is the tensor that says there are n. NULL with
 * an error. */
EngTokens   *eng_trace_reader_read_tokens (const EngTraceReader  *self,
                                           const char            *prefix,
                                           const EngTensor       *attention,
                                           int                    n,
                                           GError               **error);

/* In engine/trace/trace-block-reader.c. How many layers, 1 + the last of {prefix}…; *n_layers must
 * be 0 and stays 0 for a kind that is not there. Refuses names with an absurd layer and tensors
 * whose layer shows no attention. */
gboolean     eng_trace_reader_count_layers (const EngTraceReader  *self,
                                            const char            *prefix,
                                            int                   *n_layers,
                                            GError               **error);

/* Everything of one kind into the trace's block of that kind; leaves the block alone when there is
 * nothing. */
gboolean     eng_trace_reader_read_block   (EngTraceReader        *self,
                                            EngKind                kind,
                                            const char            *prefix,
                                            GError               **error);

/* In engine/trace/trace-layer-numbers.c, of a block whose layers are there: {prefix}scale,
 * {prefix}soft_cap, {prefix}window and {prefix}uses. */
gboolean     eng_trace_reader_read_layer_numbers (const EngTraceReader  *self,
                                                  const char            *prefix,
                                                  EngBlockTrace         *block,
                                                  GError               **error);

G_END_DECLS
