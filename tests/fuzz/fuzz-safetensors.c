/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "engine/checkpoint/safetensors.h"
#include "tests/fuzz/repair.h"
#include "tests/support/safetensors-bytes.h"

void
fuzz_add_seeds (GPtrArray *seeds)
{
  g_ptr_array_add (seeds, safetensors_bytes_new ("{}", 0));
  g_ptr_array_add (seeds, safetensors_bytes_new (
    "{\"__metadata__\":{\"format\":\"pt\",\"note\":\"\\u00e9 \\\"x\\\"\"},"
    "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
    "\"b.weight\":{\"dtype\":\"F16\",\"shape\":[1,1,20],\"data_offsets\":[24,64]}}", 64));
  g_ptr_array_add (seeds, safetensors_bytes_new (
    "{\"e\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[0,8]},"
    "\"f\":{\"dtype\":\"BF16\",\"shape\":[0,4],\"data_offsets\":[8,8]},"
    "\"g\":{\"data_offsets\":[8,11],\"shape\":[6],\"dtype\":\"F4\"},"
    "\"\\ud83d\\ude00\":{\"dtype\":\"BOOL\",\"shape\":[1,1,1,1,1,1,1,5],"
    "\"data_offsets\":[11,16]}}   ", 16));
}

/* Touches every byte that a file which is let through claims to have. */
static void
use (const EngTensorSet *file)
{
  gint64 n_bytes = 0;

  for (int i = 0; i < eng_tensor_set_get_n_tensors (file); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (file, i);
    g_autofree float *floats = NULL;
    g_autofree char *shape = eng_tensor_dup_shape (tensor);
    guint8 sum = 0;

    for (gsize j = 0; j < tensor->n_bytes; j++)
      sum ^= tensor->data[j];
    g_assert_true (eng_tensor_set_find (file, tensor->name) == tensor);
    g_assert_cmpint (shape[0] + (sum & 0), ==, '[');
    n_bytes += (gint64) tensor->n_bytes;
    if (eng_type_get_size (tensor->type) == 0)
      continue;
    g_assert_cmpint (tensor->n_elements * (gint64) eng_type_get_size (tensor->type), ==,
                     tensor->n_bytes);
    floats = g_new (float, (gsize) tensor->n_elements + 1);
    eng_tensor_widen (tensor, floats);
  }
  g_assert_cmpint (n_bytes, <=, eng_tensor_set_get_n_bytes (file));
}

static void
run (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) file = eng_safetensors_open_bytes (bytes, "fuzz", &error);

  g_assert_true ((file == NULL) == (error != NULL));
  if (file)
    use (file);
  else
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GBytes) raw = g_bytes_new_static (data, size);
  g_autoptr (GBytes) repaired = fuzz_repair (data, size);

  run (raw);
  run (repaired);
}
