/* SPDX-License-Identifier: MIT */
/* What engine/families/weights.c makes of a file, in the making and made. For engine/ alone. */
#pragma once

#include "engine/families/config.h"

G_BEGIN_DECLS

/* A tensor as the hub's files of the family have it, of weights that are there to be written, and
 * where its numbers lie. There a matrix is [out, in], and parts that it holds of each head together
 * are parts of all heads, one behind the other. */
typedef struct {
  const char   *name;       /* interned */
  int           rank;
  gint64        shape[ENG_MAX_RANK]; /* in the file */
  gsize         n_elements;
  gsize         place;      /* in widened */
  gboolean      transposed; /* the file has [in, out] */
  int           n_heads;    /* not 0: the file has the n_slices parts of each head together */
  int           n_slices;
  gboolean      one_less;   /* the file holds the number less 1 */
} EngWrittenTensor;

typedef struct {
  EngSpec         spec;         /* the config's, with the task heads whose tensors are there */
  EngWeights      weights;      /* layers and everything they point at are owned by this struct */
  gint64          n_parameters; /* elements of the tensors in use, each counted once */
  EngType         stored_type;  /* of the tensor in use that eng_tensor_tells_more() */
  const char     *stored_type_name;
  char           *left_out[ENG_N_TASKS]; /* why the head that the file has for a task is of no use;
                                          * NULL where it has none, or one that is */
  EngTensorSet   *file;         /* NULL = the weights were made up */
  gboolean        reads_file;   /* some tensors are used where they lie in it */
  EngLazyWeights *lazy;         /* owned; those in weights are this one */
  float          *widened;
  gsize           n_widened;    /* floats */
  GArray         *written;      /* of EngWrittenTensor, in the order in which they lie, each once;
                                 * NULL unless laid out to be written */
} EngLoadedWeights;

G_END_DECLS
