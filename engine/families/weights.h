/* SPDX-License-Identifier: MIT */
/* The weights of a checkpoint by role: finds the tensors that a family names, checks every shape
 * against the config and makes them float32. Aligned F32 tensors stay where they lie in the mapped
 * file; other types are widened once, here. For engine/ alone. */
#pragma once

#include "engine/families/config.h"

G_BEGIN_DECLS

typedef struct {
  EngSpec         spec;         /* the config's, with the task heads whose tensors are there */
  EngWeights      weights;      /* layers and everything they point at are owned by this struct */
  gint64          n_parameters; /* elements of the tensors in use, each counted once */
  EngType         stored_type;  /* of the tensor in use that eng_tensor_tells_more() */
  const char     *stored_type_name;
  EngTensorSet   *file;
  float          *widened;
  gsize           n_widened;    /* floats */
} EngLoadedWeights;

EngLoadedWeights *eng_weights_load           (EngTensorSet      *file,
                                              const EngConfig   *config,
                                              GError           **error);
/* Weights of a model that was never trained: normally distributed with deviation 0.02, norms 1,
 * biases 0, the same for a seed on every machine. The heads are those of the class that the config
 * names. what names it in messages. */
EngLoadedWeights *eng_weights_make_random    (const EngConfig   *config,
                                              const char        *what,
                                              guint32            seed,
                                              GError           **error);
void              eng_weights_free           (EngLoadedWeights  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngLoadedWeights, eng_weights_free)

G_END_DECLS
