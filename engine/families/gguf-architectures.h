/* SPDX-License-Identifier: MIT */
/* The architectures of llama.cpp that Headlight runs, as data: which family each is of, and what
 * its keys and tensors are called there. A new one is one line in the table and, where it has
 * names of its own, a list of these. For engine/families/gguf-*.c. */
#pragma once

#include "engine/checkpoint/gguf.h"

G_BEGIN_DECLS

/* llama.cpp's name and the hub's; a list ends with NULL. */
typedef struct {
  const char *from;
  const char *to;
} EngGgufName;

typedef struct {
  const char        *name;         /* general.architecture, and what its keys begin with */
  const char        *model_type;   /* of the hub */
  const char        *class_name;   /* of "architectures" */
  const char        *layer_prefix; /* of the hub's tensors; blk. there */
  /* Before those that all have; without .weight and .bias, those of layers without their prefix. */
  const EngGgufName *tensors;
  /* Numbers of keys that others do not have; NULL = none. */
  const EngGgufName *numbers;
  const char        *turned_part;  /* the hub's key for the part of a head that is turned; NULL =
                                    * all of it is */
  gboolean           has_pairs;    /* rows of queries and keys were moved, EngTensorForm.n_pairs */
  int                n_layers_wide; /* of the one size whose queries are scaled by what else is the
                                     * size of a head, see gguf-config.c; 0 = none */
} EngGgufArchitecture;

/* What the file says that it is; refuses others, with the names of those that run. */
const EngGgufArchitecture *eng_gguf_find_architecture (const EngGguf              *file,
                                                       GError                    **error);
/* The value of a list for a name of from; NULL when it is not there. */
const char                *eng_gguf_find_name         (const EngGgufName          *names,
                                                       const char                 *from,
                                                       gsize                       length);
/* The hub's name of a tensor that the family may have, without the prefix of its base model;
 * (transfer full) NULL for others. */
char                      *eng_gguf_dup_tensor_name   (const EngGgufArchitecture  *self,
                                                       const char                 *name);

G_END_DECLS
