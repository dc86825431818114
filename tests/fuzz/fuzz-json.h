/* SPDX-License-Identifier: MIT */
/* Sound JSON with other values: few files are still JSON after bytes of them have changed. */
#pragma once

#include "engine/base/json.h"
#include "tests/support/json-text.h"

static inline void
fuzz_collect (cJSON     *value,
              GPtrArray *values)
{
  cJSON *child;

  g_ptr_array_add (values, value);
  cJSON_ArrayForEach (child, value)
    fuzz_collect (child, values);
}

static inline cJSON *
fuzz_make_value (GRand           *random,
                 const GPtrArray *values)
{
  static const double numbers[] = {
    0, 1, 2, 3, 9, -1, 0.5, 255, 256, 2147483646, 2147483647, 4294967296.0, 1e300
  };
  static const char *const texts[] = {
    "", "a", "A", "B", "[UNK]", "[SEP]", "##", "\u0301", "WordPiece", "BPE", "x", " "
  };
  guint other = (guint) g_rand_int_range (random, 0, (gint) values->len);

  switch (g_rand_int_range (random, 0, 6)) {
  case 0:
    return cJSON_CreateNumber (numbers[g_rand_int_range (random, 0, G_N_ELEMENTS (numbers))]);
  case 1:
    return cJSON_CreateString (texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))]);
  case 2:
    return cJSON_CreateBool (g_rand_boolean (random));
  case 3:
    return cJSON_CreateNull ();
  case 4:
    return g_rand_boolean (random) ? cJSON_CreateObject () : cJSON_CreateArray ();
  default:
    /* Another part of the same file. */
    return cJSON_Duplicate (g_ptr_array_index (values, other), TRUE);
  }
}

/* The JSON of text, ' for ", with other values in one to four places. */
static inline cJSON *
fuzz_change_values (const char *text,
                    GRand      *random)
{
  g_autofree char *quoted = json_text (text);
  cJSON *json = cJSON_Parse (quoted);

  for (int n = g_rand_int_range (random, 1, 5); n > 0; n--) {
    g_autoptr (GPtrArray) values = g_ptr_array_new ();
    cJSON *parent;
    int n_children;

    fuzz_collect (json, values);
    parent = g_ptr_array_index (values, (guint) g_rand_int_range (random, 0, (gint) values->len));
    n_children = cJSON_GetArraySize (parent);
    if (n_children > 0) {
      cJSON *child = cJSON_GetArrayItem (parent, g_rand_int_range (random, 0, n_children));
      cJSON *value = fuzz_make_value (random, values);

      if (cJSON_IsObject (parent)) {
        g_autofree char *key = g_strdup (child->string);

        cJSON_ReplaceItemInObjectCaseSensitive (parent, key, value);
      } else
        cJSON_ReplaceItemViaPointer (parent, child, value);
    }
  }

  return json;
}

/* One seed for one input, so that a case that was found can be run again. */
static inline GRand *
fuzz_new_random (const guint8 *data,
                 gsize         size)
{
  guint32 seed = (guint32) size;

  for (gsize i = 0; i < size; i++)
    seed = seed * 31 + data[i];

  return g_rand_new_with_seed (seed);
}
