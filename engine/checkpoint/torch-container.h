/* SPDX-License-Identifier: MIT */
/* The two containers of torch.save(): a zip with one entry a storage, or five pickles with the
 * storages behind them. Which bytes are the saved object, which the storages that it names. For
 * engine/checkpoint/torch-file.c alone. */
#pragma once

#include "engine/checkpoint/pickle.h"
#include "engine/checkpoint/tensor.h"

G_BEGIN_DECLS

typedef struct _EngTorchContainer EngTorchContainer;

typedef struct {
  const char *name; /* as EngTensor names it: "F32"; NULL for plain bytes */
  EngType     type;
  int         size; /* bytes of an element */
} EngTorchType;

/* What the elements of one or of several tensors lie in. */
typedef struct {
  EngTorchType  type;
  const guint8 *data; /* may be unaligned */
  gsize         n_bytes;
} EngTorchStorage;

/* data must stay; what names it in messages. Big-endian files are refused. */
EngTorchContainer    *eng_torch_container_read         (const guint8             *data,
                                                        gsize                     n_bytes,
                                                        const char               *what,
                                                        GError                  **error);
void                  eng_torch_container_free         (EngTorchContainer        *self);

/* The saved object. */
const EngPickleValue *eng_torch_container_get_value    (const EngTorchContainer  *self);

/* The storage that a value of ENG_PICKLE_PERSISTENT names. FALSE with an error where there is none
 * or it has another size than the value says. */
gboolean              eng_torch_container_find_storage (const EngTorchContainer  *self,
                                                        const EngPickleValue     *value,
                                                        EngTorchStorage          *storage,
                                                        GError                  **error);

/* "torch FloatStorage" or "torch float32". FALSE for any other value. */
gboolean              eng_torch_type_from_value        (const EngPickleValue     *value,
                                                        EngTorchType             *type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTorchContainer, eng_torch_container_free)

G_END_DECLS
