/* SPDX-License-Identifier: MIT */
/* The container of GGUF: what is read of a file, files that are broken, and what blocks of
 * quantised numbers are worth. */
#include "engine/checkpoint/gguf.h"

#include <math.h>

#include "engine/checkpoint/safetensors.h"
#include "engine/kernels/quantised-blocks.h"
#include "tests/support/gguf/gguf-bytes.h"
#include "tests/support/gguf/gguf-files.h"

#define HUGE_COUNT ((guint64) 1 << 60)

static EngGguf *
open_or_fail (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  EngGguf *file = eng_gguf_open_bytes (bytes, "x.gguf", &error);

  g_assert_no_error (error);

  return file;
}

/* Takes bytes. */
static void
assert_refused (GBytes     *bytes,
                const char *expected)
{
  g_autoptr (GBytes) owned = bytes;
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_gguf_open_bytes (owned, "x.gguf", &error));
  g_test_message ("%s", error->message);
  g_assert_true (error->domain == ENG_ERROR);
  g_assert_true (g_str_has_prefix (error->message, "x.gguf: "));
  g_assert_nonnull (strstr (error->message, expected));
}

/* A key of every type, and two tensors. */
static GBytes *
make_sound (guint32 version)
{
  GByteArray *bytes = gguf_bytes_new (version, 2, 8);
  float single = 0.5f;
  double twice = -2.25;

  gguf_bytes_add_u32 (bytes, "u32", 7);
  gguf_bytes_add_key (bytes, "i8", ENG_GGUF_I8);
  gguf_bytes_add (bytes, 0xfe, 1);
  gguf_bytes_add_key (bytes, "u64", ENG_GGUF_U64);
  gguf_bytes_add (bytes, G_MAXUINT64, 8);
  gguf_bytes_add_key (bytes, "f32", ENG_GGUF_F32);
  g_byte_array_append (bytes, (const guint8 *) &single, sizeof single);
  gguf_bytes_add_key (bytes, "f64", ENG_GGUF_F64);
  g_byte_array_append (bytes, (const guint8 *) &twice, sizeof twice);
  gguf_bytes_add_key (bytes, "boolean", ENG_GGUF_BOOLEAN);
  gguf_bytes_add (bytes, 1, 1);
  gguf_bytes_add_words (bytes, "text", "words");
  gguf_bytes_add_list (bytes, "list", ENG_GGUF_TEXT, 2);
  gguf_bytes_add_text (bytes, "one");
  gguf_bytes_add_text (bytes, "three");
  gguf_bytes_add_tensor (bytes, "plain", 2, 3, GGUF_F32, 64);
  gguf_bytes_add_tensor (bytes, "quantised", 2, 32, GGUF_Q4_0, 0);

  return gguf_bytes_end (bytes, 88);
}

static void
check_values (const EngGguf *file)
{
  const EngGgufValue *list;
  const guint8 *item;
  gboolean boolean = FALSE;
  gint64 whole = -1;
  double number = 0;
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (eng_gguf_get_int (file->values, "u32", 0, 9, &whole, NULL) && whole == 7);
  g_assert_true (eng_gguf_get_int (file->values, "i8", -9, 9, &whole, NULL) && whole == -2);
  g_assert_true (eng_gguf_get_int (file->values, "absent", 0, 9, &whole, NULL) && whole == -2);
  g_assert_false (eng_gguf_get_int (file->values, "u64", 0, G_MAXINT64, &whole, NULL));
  g_assert_false (eng_gguf_get_int (file->values, "u32", 0, 6, &whole, NULL));
  g_assert_false (eng_gguf_get_int (file->values, "f32", 0, 9, &whole, NULL));
  g_assert_true (eng_gguf_get_double (file->values, "f32", &number, NULL) && number == 0.5);
  g_assert_true (eng_gguf_get_double (file->values, "f64", &number, NULL) && number == -2.25);
  g_assert_true (eng_gguf_get_double (file->values, "i8", &number, NULL) && number == -2);
  g_assert_false (eng_gguf_get_double (file->values, "list", &number, NULL));
  g_assert_true (eng_gguf_get_boolean (file->values, "boolean", &boolean, NULL) && boolean);
  g_assert_false (eng_gguf_get_boolean (file->values, "u32", &boolean, NULL));
  g_assert_true (eng_gguf_dup_text (file->values, "text", &text, NULL));
  g_assert_cmpstr (text, ==, "words");
  g_assert_false (eng_gguf_get_list (file->values, "list", ENG_GGUF_F32, &list, NULL));
  g_assert_false (eng_gguf_get_list (file->values, "text", ENG_GGUF_TEXT, &list, NULL));
  g_assert_true (eng_gguf_get_list (file->values, "list", ENG_GGUF_TEXT, &list, NULL));
  g_assert_cmpint (list->n, ==, 2);
  item = list->data;
  g_assert_cmpmem (eng_gguf_next_text (&item, &length), length, "one", 3);
  g_assert_cmpmem (eng_gguf_next_text (&item, &length), length, "three", 5);
}

static void
test_sound (void)
{
  for (guint32 version = 2; version <= 3; version++) {
    g_autoptr (GBytes) bytes = make_sound (version);
    g_autoptr (EngGguf) file = open_or_fail (bytes);
    const guint8 *data = g_bytes_get_data (bytes, NULL);
    const EngTensor *plain = eng_tensor_set_find (file->tensors, "plain");
    const EngTensor *quantised = eng_tensor_set_find (file->tensors, "quantised");

    check_values (file);
    g_assert_cmpint (eng_tensor_set_get_n_tensors (file->tensors), ==, 2);
    g_assert_true (eng_tensor_has_shape (plain, 2, (const gint64[]) { 2, 3 }));
    g_assert_cmpuint (plain->n_bytes, ==, 24);
    g_assert_true (plain->data == data + g_bytes_get_size (bytes) - 88 + 64);
    g_assert_cmpstr (quantised->type_name, ==, "Q4_0");
    g_assert_cmpuint (quantised->n_bytes, ==, 36);
  }
}

/* Wherever a file ends, it is refused. */
static void
test_cut_short (void)
{
  g_autoptr (GBytes) bytes = make_sound (3);
  gsize size = g_bytes_get_size (bytes);

  for (gsize i = 0; i < size; i++) {
    g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, i);
    g_autoptr (GError) error = NULL;

    g_assert_null (eng_gguf_open_bytes (cut, "x.gguf", &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
    g_assert_true (i < 4 || strstr (error->message, "cut short"));
  }
}

static void
test_counts (void)
{
  GByteArray *bytes;

  assert_refused (g_bytes_new_static ("{\"a\": 1}", 8), "is no GGUF file");
  assert_refused (gguf_bytes_end (gguf_bytes_new (1, 0, 0), 0), "version 1, expected 2 or 3");
  assert_refused (gguf_bytes_end (gguf_bytes_new (0x03000000, 0, 0), 0), "big-endian");
  assert_refused (gguf_bytes_end (gguf_bytes_new (3, HUGE_COUNT, 0), 0),
                  "has 1152921504606846976 tensors, expected at most 100000");
  assert_refused (gguf_bytes_end (gguf_bytes_new (3, 0, HUGE_COUNT), 0),
                  "has 1152921504606846976 keys, expected at most 65536");

  bytes = gguf_bytes_new (3, 0, 1);
  gguf_bytes_add (bytes, HUGE_COUNT, 8);
  assert_refused (gguf_bytes_end (bytes, 64), "ends inside of the name of a key");
  bytes = gguf_bytes_new (3, 0, 1);
  gguf_bytes_add_list (bytes, "numbers", ENG_GGUF_U64, HUGE_COUNT);
  assert_refused (gguf_bytes_end (bytes, 64), "numbers is a list of 1152921504606846976 items");
  bytes = gguf_bytes_new (3, 0, 1);
  gguf_bytes_add_list (bytes, "numbers", ENG_GGUF_U64, G_MAXINT32);
  assert_refused (gguf_bytes_end (bytes, 64), "ends inside of the value of numbers");
  bytes = gguf_bytes_new (3, 0, 1);
  gguf_bytes_add_list (bytes, "nested", ENG_GGUF_LIST, 1);
  assert_refused (gguf_bytes_end (bytes, 64), "nested is a list of lists");
  bytes = gguf_bytes_new (3, 0, 1);
  gguf_bytes_add_key (bytes, "odd", (EngGgufType) 13);
  assert_refused (gguf_bytes_end (bytes, 64), "odd is of type 13");
  bytes = gguf_bytes_new (3, 0, 2);
  gguf_bytes_add_u32 (bytes, "twice", 1);
  gguf_bytes_add_u32 (bytes, "twice", 2);
  assert_refused (gguf_bytes_end (bytes, 64), "the key twice stands twice");
  bytes = gguf_bytes_new (3, 0, 1);
  gguf_bytes_add_u32 (bytes, "general.alignment", 24);
  assert_refused (gguf_bytes_end (bytes, 0), "general.alignment is 24, expected a power of two");
}

/* One tensor of such a size, type and place in 64 bytes of data. */
static void
assert_tensor_refused (guint64     n_rows,
                       guint64     n_columns,
                       guint32     type,
                       guint64     offset,
                       const char *expected)
{
  GByteArray *bytes = gguf_bytes_new (3, 1, 0);

  gguf_bytes_add_tensor (bytes, "t", n_rows, n_columns, type, offset);
  assert_refused (gguf_bytes_end (bytes, 64), expected);
}

static void
test_tensors (void)
{
  GByteArray *bytes;

  assert_tensor_refused (4, 5, GGUF_F32, 0,
                         "\"t\" has 80 bytes from byte 0 of the data, but the file has only 64");
  assert_tensor_refused (1, 4, GGUF_F32, 64, "but the file has only 64 bytes of data");
  assert_tensor_refused (1, 4, GGUF_F32, G_MAXUINT64 - 31, "but the file has only 64");
  assert_tensor_refused (1, 4, GGUF_F32, 4,
                         "begins at byte 4 of the data, expected a multiple of 32");
  assert_tensor_refused (1, 31, GGUF_Q4_0, 0,
                         "Q4_0 has rows of 32 numbers or a multiple, not of 31");
  assert_tensor_refused (1, 4, 77, 0, "tensor \"t\" is of the unknown type 77");
  assert_tensor_refused (1, 4, 4, 0, "tensor \"t\" is of the unknown type 4");
  assert_tensor_refused (1, HUGE_COUNT, GGUF_F32, 0, "the product of its sizes overflows");
  assert_tensor_refused (1 << 30, (guint64) 1 << 40, GGUF_F32, 0, "overflows");

  bytes = gguf_bytes_new (3, 1, 0);
  gguf_bytes_add_text (bytes, "t");
  gguf_bytes_add (bytes, 5, 4);
  assert_refused (gguf_bytes_end (bytes, 64), "\"t\" has 5 dimensions, expected at most 4");
  bytes = gguf_bytes_new (3, 2, 0);
  gguf_bytes_add_tensor (bytes, "t", 1, 4, GGUF_F32, 0);
  gguf_bytes_add_tensor (bytes, "t", 1, 4, GGUF_F32, 32);
  assert_refused (gguf_bytes_end (bytes, 64), "the tensor \"t\" stands twice");
}

/* Random blocks against what gguf's own reader makes of them, in one product less or more. */
static void
test_blocks (void)
{
  g_autoptr (GBytes) bytes = gguf_read ("blocks", ".safetensors.gz");
  g_autoptr (EngTensorSet) recorded = eng_safetensors_open_bytes (bytes, "blocks", NULL);

  for (int i = 0; i < ENG_N_BLOCKS; i++) {
    const char *name = eng_block_formats[i].name;
    g_autofree char *blocks_name = g_strconcat (name, ".blocks", NULL);
    g_autofree char *floats_name = g_strconcat (name, ".floats", NULL);
    const EngTensor *blocks = eng_tensor_set_find (recorded, blocks_name);
    const EngTensor *floats = eng_tensor_set_find (recorded, floats_name);
    gsize n = (gsize) floats->n_elements;
    g_autofree float *expected = g_new (float, n);
    g_autofree float *out = g_new (float, n);
    EngTensor tensor = { .name = name, .type = ENG_TYPE_BLOCKS + i,
                         .n_elements = floats->n_elements, .data = blocks->data,
                         .n_bytes = blocks->n_bytes };
    double largest = 0;

    g_assert_cmpint (blocks->shape[1], ==, eng_block_formats[i].n_bytes);
    g_assert_cmpint (floats->shape[1], ==, eng_block_formats[i].n_numbers);
    g_assert_true (eng_tensor_widen (floats, expected));
    g_assert_true (eng_tensor_widen (&tensor, out));
    for (gsize k = 0; k < n; k++)
      largest = MAX (largest, fabs ((double) expected[k] - (double) out[k]));
    g_test_message ("%s: %" G_GSIZE_FORMAT " numbers differ by at most %.1e", name, n, largest);
    g_assert_cmpfloat (largest, <=, 1e-7);
  }
}

static void
test_find (void)
{
  char *folder = temporary_new ();
  g_autoptr (GBytes) bytes = make_sound (3);
  g_autofree char *first = g_build_filename (folder, "a.gguf", NULL);
  g_autofree char *second = g_build_filename (folder, "b.gguf", NULL);
  g_autofree char *projector = g_build_filename (folder, "mmproj-a.gguf", NULL);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *found = NULL;
  int n;

  g_assert_null (eng_gguf_find (folder, &n));
  g_assert_cmpint (n, ==, 0);
  gguf_write (first, bytes);
  gguf_write (projector, bytes);
  found = eng_gguf_find (folder, &n);
  g_assert_cmpstr (found, ==, first);
  g_free (found);
  found = eng_gguf_find (first, NULL);
  g_assert_cmpstr (found, ==, first);
  gguf_write (second, bytes);
  g_assert_null (eng_gguf_find (folder, &n));
  g_assert_cmpint (n, ==, 2);
  g_unlink (second);
  gguf_write (config, bytes);
  g_assert_null (eng_gguf_find (folder, &n));
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gguf/sound", test_sound);
  g_test_add_func ("/gguf/cut-short", test_cut_short);
  g_test_add_func ("/gguf/counts", test_counts);
  g_test_add_func ("/gguf/tensors", test_tensors);
  g_test_add_func ("/gguf/blocks", test_blocks);
  g_test_add_func ("/gguf/find", test_find);

  return g_test_run ();
}
