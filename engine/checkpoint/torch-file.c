/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/torch-file.h"

#include <string.h>

#include "engine/base/file-map.h"
#include "engine/checkpoint/tensor-set-private.h"
#include "engine/checkpoint/torch-container.h"

/* What copies of strided tensors may take: as much as the file a few times, so that a stride of 0
 * cannot ask for all memory. */
#define MAX_COPIES_OF_FILE 8
#define MIN_COPY_BYTES ((gint64) 1 << 20)
/* A parameter around a parameter is nothing that torch writes. */
#define MAX_WRAPPERS 4

#define REBUILD_TENSOR "torch._utils _rebuild_tensor"
#define REBUILD_TENSOR_V2 "torch._utils _rebuild_tensor_v2"
#define REBUILD_TENSOR_V3 "torch._utils _rebuild_tensor_v3"

typedef struct {
  EngTensorSet      *set;
  EngTorchContainer *container;
  gint64             copy_bytes; /* that are still allowed */
} Reader;

/* A tensor before its data is one piece: strides and offset count elements. */
typedef struct {
  EngTensor       tensor;
  gint64          strides[ENG_MAX_RANK];
  gint64          offset;
  gint64          size;    /* bytes of an element */
  EngTorchStorage storage;
} Strided;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->container, eng_torch_container_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/* Calls that give a tensor have such names, those that are not known here too. */
static gboolean
is_tensor (const EngPickleValue *value)
{
  return value->type == ENG_PICKLE_CALL && value->callee->type == ENG_PICKLE_GLOBAL &&
         g_str_has_prefix (value->callee->name, "torch._") &&
         strstr (value->callee->name, " _rebuild_") != NULL;
}

static gboolean
is_dict (const EngPickleValue *value)
{
  if (value->type == ENG_PICKLE_CALL)
    return eng_pickle_is_global (value->callee, "collections OrderedDict") &&
           value->argument->type == ENG_PICKLE_TUPLE && value->argument->n_items == 0 &&
           value->n_items % 2 == 0;

  return value->type == ENG_PICKLE_DICT;
}

static gboolean
has_tensors (const EngPickleValue *value)
{
  for (guint i = 1; is_dict (value) && i < value->n_items; i += 2)
    if (is_tensor (value->items[i]))
      return TRUE;

  return FALSE;
}

static const EngPickleValue *
find_state_dict (const EngPickleValue *top)
{
  for (guint i = 0; is_dict (top) && i < top->n_items; i += 2)
    if ((eng_pickle_is_string (top->items[i], "state_dict") ||
         eng_pickle_is_string (top->items[i], "model")) && has_tensors (top->items[i + 1]))
      return top->items[i + 1];

  return has_tensors (top) ? top : NULL;
}

/* A call that builds a tensor. */
typedef struct {
  const EngPickleValue *function;
  const EngPickleValue *arguments;
} Call;

/* Finds the call that builds the tensor itself: a parameter is made around it, and one with
 * attributes of its own is built by (function, type, arguments, attributes). */
static gboolean
unwrap_call (Call *call)
{
  for (int i = 0; i < MAX_WRAPPERS; i++) {
    const EngPickleValue *arguments = call->arguments;
    gboolean typed = eng_pickle_is_global (call->function, "torch._tensor _rebuild_from_type_v2");

    if (!typed && !eng_pickle_is_global (call->function, "torch._utils _rebuild_parameter") &&
        !eng_pickle_is_global (call->function, "torch._utils _rebuild_parameter_with_state"))
      return call->function->type == ENG_PICKLE_GLOBAL;
    if (arguments->type != ENG_PICKLE_TUPLE || arguments->n_items < (typed ? 3 : 1))
      return FALSE;
    if (typed)
      *call = (Call) { arguments->items[0], arguments->items[2] };
    else if (is_tensor (arguments->items[0]))
      *call = (Call) { arguments->items[0]->callee, arguments->items[0]->argument };
    else
      return FALSE;
  }

  return FALSE;
}

/* The arguments of a call that builds a tensor: storage, offset, sizes, strides, whether it is
 * trained, hooks, then in version 3 the type, then what else there is to say of it. */
static const EngPickleValue *
get_arguments (const Reader          *self,
               const char            *name,
               const EngPickleValue  *value,
               gboolean              *has_type,
               GError               **error)
{
  Call call = { value->callee, value->argument };
  const EngPickleValue *arguments, *more = NULL;
  guint n_needed;

  if (!unwrap_call (&call)) {
    eng_tensor_set_refuse (self->set, error, "tensor \"%s\" is a parameter without a tensor", name);
    return NULL;
  }
  *has_type = eng_pickle_is_global (call.function, REBUILD_TENSOR_V3);
  if (!*has_type && !eng_pickle_is_global (call.function, REBUILD_TENSOR_V2) &&
      !eng_pickle_is_global (call.function, REBUILD_TENSOR)) {
    eng_tensor_set_refuse (self->set, error,
                           "tensor \"%s\" is built by %s, expected a plain tensor", name,
                           call.function->name);
    return NULL;
  }

  arguments = call.arguments;
  n_needed = *has_type ? 7 : 4;
  if (arguments->type != ENG_PICKLE_TUPLE || arguments->n_items < n_needed) {
    eng_tensor_set_refuse (self->set, error,
                           "tensor \"%s\" is built from fewer than %u values", name, n_needed);
    return NULL;
  }
  if (arguments->n_items > (*has_type ? 7 : 6))
    more = arguments->items[*has_type ? 7 : 6];
  if (more && more->n_items > 0) {
    eng_tensor_set_refuse (self->set, error,
                           "tensor \"%s\" is a negated, conjugated or other special view", name);
    return NULL;
  }

  return arguments;
}

/* A tuple of whole numbers from 0; torch.Size is one too. */
static gboolean
read_sizes (const Reader          *self,
            const char            *name,
            const char            *what,
            const EngPickleValue  *value,
            int                   *rank,
            gint64                *sizes,
            GError               **error)
{
  if (value->type == ENG_PICKLE_CALL && eng_pickle_is_global (value->callee, "torch Size") &&
      value->argument->type == ENG_PICKLE_TUPLE && value->argument->n_items == 1)
    value = value->argument->items[0];
  if (value->type != ENG_PICKLE_TUPLE)
    return eng_tensor_set_refuse (self->set, error, "tensor \"%s\": the %s are no tuple", name,
                                  what);
  if (value->n_items > ENG_MAX_RANK)
    return eng_tensor_set_refuse (self->set, error, "tensor \"%s\" has more than %d dimensions",
                                  name, ENG_MAX_RANK);

  *rank = (int) value->n_items;
  for (int i = 0; i < *rank; i++) {
    if (value->items[i]->type != ENG_PICKLE_INT || value->items[i]->integer < 0)
      return eng_tensor_set_refuse (self->set, error,
                                    "tensor \"%s\": number %d of the %s is not a whole number "
                                    "from 0", name, i, what);
    sizes[i] = value->items[i]->integer;
  }

  return TRUE;
}

/* The last element that the tensor reaches lies in the storage. */
static gboolean
check_extent (const Reader  *self,
              Strided       *strided,
              GError       **error)
{
  EngTensor *tensor = &strided->tensor;
  gint64 n_stored = (gint64) strided->storage.n_bytes / strided->size;
  gint64 last = strided->offset;
  gboolean overflows = FALSE;
  gint64 n_bytes;

  tensor->n_elements = 1;
  for (int i = 0; i < tensor->rank; i++)
    overflows |= __builtin_mul_overflow (tensor->n_elements, tensor->shape[i], &tensor->n_elements);
  overflows |= __builtin_mul_overflow (tensor->n_elements, strided->size, &n_bytes);
  if (overflows)
    return eng_tensor_set_refuse (self->set, error,
                                  "tensor \"%s\": the number of its bytes overflows", tensor->name);
  tensor->n_bytes = (gsize) n_bytes;
  if (tensor->n_elements == 0)
    return TRUE;

  for (int i = 0; i < tensor->rank; i++) {
    gint64 reach;

    /* One row alone is never stepped over. */
    if (tensor->shape[i] == 1)
      strided->strides[i] = 0;
    overflows |= __builtin_mul_overflow (tensor->shape[i] - 1, strided->strides[i], &reach);
    overflows |= __builtin_add_overflow (last, reach, &last);
  }
  if (overflows || last >= n_stored)
    return eng_tensor_set_refuse (self->set, error,
                                  "tensor \"%s\" reaches beyond the %" G_GINT64_FORMAT
                                  " elements of its storage", tensor->name, n_stored);

  return TRUE;
}

/* What lies in C order without holes is a view. */
static gboolean
is_contiguous (const Strided *self)
{
  gint64 stride = 1;

  for (int i = self->tensor.rank - 1; i >= 0; i--) {
    if (self->tensor.shape[i] != 1 && self->strides[i] != stride)
      return FALSE;
    stride *= self->tensor.shape[i];
  }

  return TRUE;
}

/* out: [n_elements] of size bytes, in C order. */
static void
copy_elements (const Strided *self,
               const guint8  *first,
               guint8        *out)
{
  const EngTensor *tensor = &self->tensor;
  gsize size = (gsize) self->size;
  gint64 index[ENG_MAX_RANK] = { 0 };
  gint64 at = 0;

  for (gint64 n = 0; n < tensor->n_elements; n++) {
    memcpy (out + (gsize) n * size, first + (gsize) at * size, size);
    for (int i = tensor->rank - 1; i >= 0; i--) {
      at += self->strides[i];
      if (++index[i] < tensor->shape[i])
        break;
      at -= self->strides[i] * tensor->shape[i];
      index[i] = 0;
    }
  }
}

static gboolean
place_tensor (Reader   *self,
              Strided  *strided,
              GError  **error)
{
  EngTensor *tensor = &strided->tensor;
  const guint8 *first;
  guint8 *copy;

  if (tensor->n_elements == 0) {
    tensor->data = strided->storage.data;
    return TRUE;
  }
  first = strided->storage.data + (gsize) (strided->offset * strided->size);
  if (is_contiguous (strided)) {
    tensor->data = first;
    return TRUE;
  }

  self->copy_bytes -= (gint64) tensor->n_bytes;
  if (self->copy_bytes < 0)
    return eng_tensor_set_refuse (self->set, error,
                                  "tensor \"%s\" repeats what is stored until it takes %"
                                  G_GSIZE_FORMAT " bytes, far more than the file", tensor->name,
                                  tensor->n_bytes);
  copy = g_try_malloc (tensor->n_bytes);
  if (!copy) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO,
                 "%s: there is no memory for the %" G_GSIZE_FORMAT " bytes of tensor \"%s\"",
                 eng_tensor_set_get_path (self->set), tensor->n_bytes, tensor->name);
    return FALSE;
  }
  copy_elements (strided, first, copy);
  eng_tensor_set_keep_memory (self->set, copy, tensor->n_bytes);
  tensor->data = copy;

  return TRUE;
}

static gboolean
read_type (const Reader          *self,
           Strided               *strided,
           const EngPickleValue  *type_value,
           GError               **error)
{
  EngTorchType type = strided->storage.type;

  if (type_value && !eng_torch_type_from_value (type_value, &type))
    return eng_tensor_set_refuse (self->set, error, "tensor \"%s\" has the unknown type %s",
                                  strided->tensor.name,
                                  type_value->type == ENG_PICKLE_GLOBAL ? type_value->name
                                                                        : "of no name");
  if (!type.name)
    return eng_tensor_set_refuse (self->set, error, "tensor \"%s\" lies in plain bytes of no type",
                                  strided->tensor.name);
  strided->tensor.type = type.type;
  strided->tensor.type_name = type.name;
  strided->size = type.size;

  return TRUE;
}

static gboolean
read_tensor (Reader                *self,
             const char            *name,
             const EngPickleValue  *value,
             GError               **error)
{
  Strided strided = { .tensor.name = name };
  gboolean has_type;
  const EngPickleValue *arguments = get_arguments (self, name, value, &has_type, error);
  const EngPickleValue *storage;
  int n_strides;

  if (!arguments)
    return FALSE;
  storage = arguments->items[0];
  if (storage->type != ENG_PICKLE_PERSISTENT)
    return eng_tensor_set_refuse (self->set, error,
                                  "tensor \"%s\" has no storage that can be read", name);
  if (arguments->items[1]->type != ENG_PICKLE_INT || arguments->items[1]->integer < 0)
    return eng_tensor_set_refuse (self->set, error,
                                  "tensor \"%s\": its place in the storage is not a whole number "
                                  "from 0", name);
  strided.offset = arguments->items[1]->integer;

  if (!eng_torch_container_find_storage (self->container, storage, &strided.storage, error) ||
      !read_type (self, &strided, has_type ? arguments->items[6] : NULL, error) ||
      !read_sizes (self, name, "sizes", arguments->items[2], &strided.tensor.rank,
                   strided.tensor.shape, error) ||
      !read_sizes (self, name, "strides", arguments->items[3], &n_strides, strided.strides, error))
    return FALSE;
  if (n_strides != strided.tensor.rank)
    return eng_tensor_set_refuse (self->set, error, "tensor \"%s\" has %d sizes, but %d strides",
                                  name, strided.tensor.rank, n_strides);
  if (!check_extent (self, &strided, error) || !place_tensor (self, &strided, error))
    return FALSE;
  if (!eng_tensor_set_add (self->set, &strided.tensor))
    return eng_tensor_set_refuse (self->set, error, "tensor \"%s\" stands twice", name);

  return TRUE;
}

static gboolean
read_state_dict (Reader                *self,
                 const EngPickleValue  *dict,
                 GError               **error)
{
  for (guint i = 0; i < dict->n_items; i += 2) {
    g_autofree char *name = NULL;

    if (!is_tensor (dict->items[i + 1]))
      continue;
    if (eng_tensor_set_get_n_tensors (self->set) == ENG_MAX_TENSORS)
      return eng_tensor_set_refuse (self->set, error, "holds more than %d tensors",
                                    ENG_MAX_TENSORS);
    name = eng_pickle_dup_string (dict->items[i], ENG_MAX_TENSOR_NAME_BYTES);
    if (!name)
      return eng_tensor_set_refuse (self->set, error,
                                    "holds a tensor whose name is no text of at most %d bytes",
                                    ENG_MAX_TENSOR_NAME_BYTES);
    if (!read_tensor (self, name, dict->items[i + 1], error))
      return FALSE;
  }

  return TRUE;
}

EngTensorSet *
eng_torch_file_open (const char  *path,
                     GError     **error)
{
  g_autoptr (GBytes) bytes = eng_file_map (path, 0, error);

  return bytes ? eng_torch_file_open_bytes (bytes, path, error) : NULL;
}

EngTensorSet *
eng_torch_file_open_bytes (GBytes      *bytes,
                           const char  *what,
                           GError     **error)
{
  g_autoptr (EngTensorSet) set = eng_tensor_set_new (what);
  g_auto (Reader) self = { .set = set };
  const EngPickleValue *dict;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  self.container = eng_torch_container_read (data, size, what, error);
  if (!self.container)
    return NULL;
  self.copy_bytes = MAX ((gint64) size * MAX_COPIES_OF_FILE, MIN_COPY_BYTES);
  eng_tensor_set_keep_file (set, bytes);

  dict = find_state_dict (eng_torch_container_get_value (self.container));
  if (!dict) {
    eng_tensor_set_refuse (set, error, "holds no dict of tensors, alone or under \"state_dict\" or "
                           "\"model\"");
    return NULL;
  }

  return read_state_dict (&self, dict, error) ? g_steal_pointer (&set) : NULL;
}
