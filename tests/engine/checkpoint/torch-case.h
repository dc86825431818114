/* SPDX-License-Identifier: MIT */
/* Files of torch that are read, put together by hand or as torch wrote them, and refused. */
#pragma once

#include <string.h>

#include "engine/checkpoint/torch-file.h"
#include "tests/support/torch-bytes.h"

#define SIZES "K\2K\3\x86"
#define STRIDES "K\3K\1\x86"

typedef struct {
  const char *bytes;
  gsize       n_bytes;
  const char *message;
} Pickle;

static inline char *
get_fixture (const char *name,
             const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);

  return g_test_build_filename (G_TEST_DIST, "fixtures", "torch", file, NULL);
}

static inline GByteArray *
read_fixture (const char *name)
{
  g_autofree char *path = get_fixture (name, ".bin");
  g_autoptr (GError) error = NULL;
  char *contents;
  gsize length;

  g_file_get_contents (path, &contents, &length, &error);
  g_assert_no_error (error);

  return g_byte_array_new_take ((guint8 *) contents, length);
}

/* A block of exactly this size, so that the sanitizer sees a read past the end. */
static inline EngTensorSet *
open_bytes (const GByteArray  *bytes,
            GError           **error)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes->data, bytes->len);

  return eng_torch_file_open_bytes (copy, "x", error);
}

static inline void
assert_refused (const GByteArray *bytes,
                const char       *message)
{
  g_autoptr (GError) error = NULL;
  EngTensorSet *set = open_bytes (bytes, &error);

  g_assert_null (set);
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "x: "));
  g_assert_nonnull (strstr (error->message, message));
  g_assert_false (g_str_has_suffix (error->message, "."));
  g_assert_null (strchr (error->message, '\n'));
}

static inline void
assert_plain (const EngTensorSet *set)
{
  const EngTensor *tensor = eng_tensor_set_find (set, "a");
  const float expected[] = { 1, 2, 3, 4, 5, 6 };

  g_assert_cmpint (eng_tensor_set_get_n_tensors (set), ==, 1);
  g_assert_true (eng_tensor_has_shape (tensor, 2, (gint64[]) { 2, 3 }));
  g_assert_cmpmem (tensor->data, tensor->n_bytes, expected, sizeof expected);
}
