/* SPDX-License-Identifier: MIT */
/* What engine/families/weights.c makes of a file, in the making and made. For engine/ alone. */
#pragma once

#include "engine/families/config.h"

G_BEGIN_DECLS

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
} EngLoadedWeights;

G_END_DECLS
