/* SPDX-License-Identifier: MIT */
/* The weights of a model that learns: they can be written, and each has a gradient. Two flat
 * blocks, values and gradients, the same place in both; tensors that are tied are one. A model
 * that is looked at (engine/transformer/model.h) never has such weights.
 *
 *   EngParameters *self = eng_parameters_new (text, -1, "config.json", seed, &error);
 *   … get_weights() for the forward, get_gradients() for the backward pass …
 *
 * Owned by one thread. */
#pragma once

#include "engine/families/config.h"
#include "engine/training/gradients.h"

G_BEGIN_DECLS

typedef struct _EngParameters EngParameters;

/* One tensor, as it lies here: a matrix is [out, in]. All pointers are borrowed. */
typedef struct {
  const char *name;       /* in the checkpoint */
  float      *values;     /* [n_elements] */
  float      *gradients;  /* [n_elements] */
  gsize       n_elements;
  gboolean    decays;     /* FALSE of norms and biases, which weight decay leaves alone */
} EngParameter;

/* From random weights. config: the text of a config.json, length bytes or -1 up to its end; what
 * names it in messages. Heads are those of the class that it names. Matrices are normally
 * distributed with its initializer_range or init_std (0.02 where it says none), those that end a
 * residual branch of a pre-norm decoder divided by √(2 layers) (Radford et al. 2019), norms 1,
 * biases 0. The same seed gives the same bits, however many threads there are. */
EngParameters      *eng_parameters_new             (const char           *config,
                                                    gssize                length,
                                                    const char           *what,
                                                    guint64               seed,
                                                    GError              **error);
/* A copy of a checkpoint's weights, of a folder with config.json. A head of the config's class that
 * the file lacks is made from seed; heads that the class has not are left out. */
EngParameters      *eng_parameters_open            (const char           *folder,
                                                    guint64               seed,
                                                    GError              **error);
/* The same with the text of another config (engine/training/task-config.h): a head that the file
 * has for other labels is made anew. */
EngParameters      *eng_parameters_open_as         (const char           *folder,
                                                    const char           *config,
                                                    guint64               seed,
                                                    GError              **error);
void                eng_parameters_free            (EngParameters        *self);

/* With the class's task heads. */
const EngSpec      *eng_parameters_get_spec        (const EngParameters  *self);
/* Pointers into values, valid as long as self; they show each change. */
const EngWeights   *eng_parameters_get_weights     (const EngParameters  *self);
const EngGradients *eng_parameters_get_gradients   (const EngParameters  *self);
/* Names of the classes that the config states, ended by NULL; NULL where it states none. */
char *const        *eng_parameters_get_labels      (const EngParameters  *self);
/* The text that it was made from. */
const char         *eng_parameters_get_config      (const EngParameters  *self);

int                 eng_parameters_get_n_tensors   (const EngParameters  *self);
/* In the order in which they lie. */
const EngParameter *eng_parameters_get_tensor      (const EngParameters  *self,
                                                    int                   i);
/* NULL when there is none of that name. */
const EngParameter *eng_parameters_find            (const EngParameters  *self,
                                                    const char           *name);
/* Numbers that are learnt. */
gint64              eng_parameters_count           (const EngParameters  *self);

void                eng_parameters_clear_gradients (EngParameters        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngParameters, eng_parameters_free)

G_END_DECLS
