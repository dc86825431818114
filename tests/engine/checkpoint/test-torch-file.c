/* SPDX-License-Identifier: MIT */
#include "tests/engine/checkpoint/torch-case.h"

#include <glib/gstdio.h>

#include "engine/checkpoint/safetensors.h"

/* What torch wrote, as torch reads it back. */

typedef struct {
  const char *name;
  const char *expected;
} Recorded;

static const Recorded recorded[] = {
  { "zip-2", "tensors" },
  { "zip-4", "tensors" },
  { "stream-2", "tensors" },
  { "stream-4", "tensors" },
  { "newer-types", "newer-types" },
  { "parameters", "parameters" },
  { "state-dict-2-zip", "module" },
  { "model-4-zip", "module" },
  { "state-dict-2-stream", "module" },
};

static void
test_recorded (gconstpointer data)
{
  const Recorded *self = data;
  g_autofree char *path = get_fixture (self->name, ".bin");
  g_autofree char *expected_path = get_fixture (self->expected, ".safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) set = eng_torch_file_open (path, &error);
  g_autoptr (EngTensorSet) expected = NULL;

  g_assert_no_error (error);
  expected = eng_safetensors_open (expected_path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (eng_tensor_set_get_path (set), ==, path);
  g_assert_cmpint (eng_tensor_set_get_n_tensors (set), ==, eng_tensor_set_get_n_tensors (expected));

  for (int i = 0; i < eng_tensor_set_get_n_tensors (expected); i++) {
    const EngTensor *wanted = eng_tensor_set_get_tensor (expected, i);
    const EngTensor *tensor = eng_tensor_set_find (set, wanted->name);

    g_test_message ("%s", wanted->name);
    g_assert_nonnull (tensor);
    g_assert_cmpstr (tensor->type_name, ==, wanted->type_name);
    g_assert_cmpint (tensor->type, ==, wanted->type);
    g_assert_true (eng_tensor_has_shape (tensor, wanted->rank, wanted->shape));
    g_assert_cmpint (tensor->n_elements, ==, wanted->n_elements);
    g_assert_cmpmem (tensor->data, tensor->n_bytes, wanted->data, wanted->n_bytes);
  }
}

/* What can lie where it is does, and what shares a storage shares bytes; the rest is a copy. */
static void
test_views (gconstpointer data)
{
  g_autoptr (GByteArray) file = read_fixture (data);
  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
  g_autoptr (EngTensorSet) set = eng_torch_file_open_bytes (bytes, "x", NULL);
  gsize size;
  const guint8 *begin = g_bytes_get_data (bytes, &size);
  const guint8 *base = eng_tensor_set_find (set, "base")->data;
  static const char *const copies[] = { "transposed", "slice", "column", "repeated", "half" };

  g_assert_cmpint (eng_tensor_set_get_n_bytes (set), ==, (gint64) size);
  g_assert_true (base > begin && base < begin + size);
  g_assert_true (eng_tensor_set_find (set, "again")->data == base);
  g_assert_true (eng_tensor_set_find (set, "first")->data == base);
  g_assert_true (eng_tensor_set_find (set, "row")->data == base + 3 * 5 * 6 * sizeof (float));
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++) {
    const guint8 *place = eng_tensor_set_find (set, copies[i])->data;

    g_assert_false (place >= begin && place < begin + size);
  }
}

static void
test_refuses_recorded (void)
{
  static const struct { const char *name; const char *message; } cases[] = {
    { "big-endian-zip", "big-endian-zip/byteorder is not \"little\"" },
    { "big-endian-stream", "little_endian is not true" },
    { "no-tensors", "holds no dict of tensors" },
    { "sparse", "tensor \"a\" is built by torch._utils _rebuild_sparse_tensor" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GByteArray) bytes = read_fixture (cases[i].name);

    assert_refused (bytes, cases[i].message);
  }
}

/* Cut anywhere, it is no file any more. */
static void
test_cut_short (gconstpointer data)
{
  g_autoptr (GByteArray) bytes = read_fixture (data);
  guint length = bytes->len;
  g_autoptr (EngTensorSet) whole = open_bytes (bytes, NULL);

  g_assert_nonnull (whole);
  for (guint n = 0; n < length; n += n < 200 || length - n < 200 ? 1 : 7) {
    GByteArray cut = { bytes->data, n };
    g_autoptr (GError) error = NULL;

    g_assert_null (open_bytes (&cut, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  }
}

/* Pickles put together by hand. */

#define LARGEST "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"
#define MINUS_ONE "J\xff\xff\xff\xff"
#define OF_STORAGE(storage) \
  TORCH_BYTES (TORCH_DICT (TORCH_TENSOR_OF (storage, "K\0", SIZES, STRIDES)))
#define OF_SHAPE(offset, sizes, strides) \
  TORCH_BYTES (TORCH_DICT (TORCH_TENSOR (offset, sizes, strides)))
#define PARAMETER(tensor) "ctorch._utils\n_rebuild_parameter\n(" tensor "\x89" TORCH_ORDERED "tR"
#define MARKS_8 "(((((((("

static const Pickle refused_tensors[] = {
  { OF_SHAPE (MINUS_ONE, SIZES, STRIDES), "its place in the storage is not a whole number from 0" },
  { OF_SHAPE ("N", SIZES, STRIDES), "its place in the storage is not a whole number from 0" },
  { OF_SHAPE ("K\1", SIZES, STRIDES), "\"a\" reaches beyond the 6 elements of its storage" },
  { OF_SHAPE (LARGEST, SIZES, STRIDES), "\"a\" reaches beyond the 6 elements of its storage" },
  { OF_SHAPE ("K\0", SIZES, LARGEST "K\1\x86"), "\"a\" reaches beyond the 6 elements" },
  { OF_SHAPE ("K\0", SIZES, "K\4K\1\x86"), "\"a\" reaches beyond the 6 elements" },
  { OF_SHAPE ("K\0", SIZES, MINUS_ONE "K\1\x86"),
    "number 0 of the strides is not a whole number from 0" },
  { OF_SHAPE ("K\0", "K\2" MINUS_ONE "\x86", STRIDES),
    "number 1 of the sizes is not a whole number from 0" },
  { OF_SHAPE ("K\0", "K\2N\x86", STRIDES), "number 1 of the sizes is not a whole number" },
  { OF_SHAPE ("K\0", "K\2", STRIDES), "the sizes are no tuple" },
  { OF_SHAPE ("K\0", SIZES, "]"), "the strides are no tuple" },
  { OF_SHAPE ("K\0", SIZES, "K\1\x85"), "has 2 sizes, but 1 strides" },
  { OF_SHAPE ("K\0", "(K\1K\1K\1K\1K\1K\1K\1K\1K\1t", STRIDES), "more than 8 dimensions" },
  { OF_SHAPE ("K\0", LARGEST LARGEST "\x86", STRIDES), "the number of its bytes overflows" },
  { OF_SHAPE ("K\0", LARGEST "\x85", "K\0\x85"), "the number of its bytes overflows" },
  { OF_SHAPE ("K\0", "J\0\0\0\x10\x85", "K\0\x85"), "takes 1073741824 bytes, far more" },
  { OF_STORAGE ("N"), "\"a\" has no storage that can be read" },
  { OF_STORAGE (TORCH_ID ("K\6")), "\"a\" has no storage that can be read" },
  { OF_STORAGE ("NQ"), "an id of stored data is not" },
  { OF_STORAGE ("(X\7\0\0\0storagetQ"), "an id of stored data is not" },
  { OF_STORAGE (TORCH_ID (MINUS_ONE) "Q"), "an id of stored data is not" },
  { OF_STORAGE (TORCH_ID ("K\7") "Q"), "x/data/0 has 24 bytes, expected 28" },
  { OF_STORAGE (TORCH_ID (LARGEST) "Q"), "the number of bytes of the storage 0 overflows" },
  { OF_STORAGE (TORCH_ID ("K\6K\1") "Q"), "a storage is part of another" },
  { OF_STORAGE ("(X\7\0\0\0storagectorch\nFloatStorage\nX\3\0\0\0../X\3\0\0\0cpuK\6tQ"),
    "the storage ../ is missing: no entry x/data/../" },
  { OF_STORAGE ("(X\7\0\0\0storagectorch\nFloatStorage\nK\0X\3\0\0\0cpuK\6tQ"),
    "the key of a storage is no text" },
  { OF_STORAGE ("(X\7\0\0\0storagectorch\nQInt8Storage\nX\1\0\0\0" "0X\3\0\0\0cpuK\6tQ"),
    "a storage of the type torch QInt8Storage" },
  { OF_STORAGE ("(X\7\0\0\0storageNX\1\0\0\0" "0X\3\0\0\0cpuK\6tQ"),
    "a storage of the type of no name" },
  { OF_STORAGE ("(X\7\0\0\0storagectorch\nUntypedStorage\nX\1\0\0\0" "0X\3\0\0\0cpuK\x18tQ"),
    "\"a\" lies in plain bytes of no type" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._utils\n_rebuild_tensor_v2\n" TORCH_STORAGE "K\0\x86R")),
    "\"a\" is built from fewer than 4 values" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._utils\n_rebuild_tensor_v2\nNR")),
    "\"a\" is built from fewer than 4 values" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._utils\n_rebuild_tensor_v3\n(" TORCH_STORAGE "K\0" SIZES
                             STRIDES "\x89" TORCH_ORDERED "ctorch\nqint8\ntR")),
    "\"a\" has the unknown type torch qint8" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._utils\n_rebuild_tensor_v2\n(" TORCH_STORAGE "K\0" SIZES
                             STRIDES "\x89" TORCH_ORDERED "}X\3\0\0\0neg\x88stR")),
    "\"a\" is a negated, conjugated or other special view" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._utils\n_rebuild_qtensor\n)R")),
    "\"a\" is built by torch._utils _rebuild_qtensor" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._utils\n_rebuild_parameter\n)R")),
    "\"a\" is a parameter without a tensor" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._tensor\n_rebuild_from_type_v2\n(NN)tR")),
    "\"a\" is a parameter without a tensor" },
  { TORCH_BYTES (TORCH_DICT ("ctorch._tensor\n_rebuild_from_type_v2\n(cposix\nsystem\nN)tR")),
    "\"a\" is built by posix system, expected a plain tensor" },
  { TORCH_BYTES (TORCH_DICT (PARAMETER (PARAMETER (PARAMETER (PARAMETER (TORCH_PLAIN_TENSOR)))))),
    "\"a\" is a parameter without a tensor" },
  { TORCH_BYTES (TORCH_PROTOCOL "}K\1" TORCH_PLAIN_TENSOR "s."), "a tensor whose name is no text" },
  { TORCH_BYTES (TORCH_PROTOCOL "}X\2\0\0\0a\0" TORCH_PLAIN_TENSOR "s."),
    "a tensor whose name is no text" },
  { TORCH_BYTES (TORCH_PROTOCOL "}X\1\0\0\0\xff" TORCH_PLAIN_TENSOR "s."),
    "a tensor whose name is no text" },
  { TORCH_BYTES (TORCH_PROTOCOL "}(X\1\0\0\0" "a" TORCH_PLAIN_TENSOR "X\1\0\0\0" "a"
                 TORCH_PLAIN_TENSOR "u."), "\"a\" stands twice" },
  { TORCH_BYTES (TORCH_PROTOCOL TORCH_PLAIN_TENSOR "."), "holds no dict of tensors" },
  { TORCH_BYTES (TORCH_PROTOCOL "]" TORCH_PLAIN_TENSOR "a."), "holds no dict of tensors" },
  /* A dict that holds nothing but itself. */
  { TORCH_BYTES (TORCH_PROTOCOL "}q\0X\5\0\0\0modelh\0s."), "holds no dict of tensors" },
  { TORCH_BYTES (TORCH_PROTOCOL "cposix\nsystem\nX\4\0\0\0true\x85R."),
    "holds no dict of tensors" },
};

static const Pickle refused_pickles[] = {
  { TORCH_BYTES (""), "x/data.pkl: byte 0: the pickle is cut short: no STOP" },
  { TORCH_BYTES (TORCH_PROTOCOL "N"), "byte 3: the pickle is cut short: no STOP" },
  { TORCH_BYTES (TORCH_PROTOCOL "."), "STOP finds 0 values, expected one" },
  { TORCH_BYTES (TORCH_PROTOCOL "NN."), "STOP finds 2 values, expected one" },
  { TORCH_BYTES (TORCH_PROTOCOL "(N."), "STOP finds 1 values, expected one" },
  { TORCH_BYTES (TORCH_PROTOCOL "I1\n."), "byte 2: the opcode 0x49 does not occur" },
  { TORCH_BYTES (TORCH_PROTOCOL "\x82\1."), "the opcode 0x82 does not occur" },
  { TORCH_BYTES ("\x80\6N."), "pickle protocol 6, expected at most 5" },
  { TORCH_BYTES ("\x80"), "PROTO needs 1 bytes, but only 0 are left" },
  { TORCH_BYTES (TORCH_PROTOCOL "h\5."), "BINGET: there is no value number 5" },
  { TORCH_BYTES (TORCH_PROTOCOL "Nq\3h\2."), "BINGET: there is no value number 2" },
  { TORCH_BYTES (TORCH_PROTOCOL "j\xff\xff\xff\xff."), "there is no value number 4294967295" },
  { TORCH_BYTES (TORCH_PROTOCOL "Nr\xff\xff\xff\xff."), "the number 4294967295 is beyond" },
  { TORCH_BYTES (TORCH_PROTOCOL "q\0."), "BINPUT needs 1 values, but the stack has 0" },
  { TORCH_BYTES (TORCH_PROTOCOL "\x94."), "MEMOIZE needs 1 values" },
  { TORCH_BYTES (TORCH_PROTOCOL "N\x86."), "TUPLE2 needs 2 values, but the stack has 1" },
  { TORCH_BYTES (TORCH_PROTOCOL "NN(\x86."), "TUPLE2 needs 2 values, but the stack has 0" },
  { TORCH_BYTES (TORCH_PROTOCOL "Nt."), "TUPLE finds no mark" },
  { TORCH_BYTES (TORCH_PROTOCOL "}u."), "SETITEMS finds no mark" },
  { TORCH_BYTES (TORCH_PROTOCOL "}(Nu."), "SETITEMS: a key has no value" },
  { TORCH_BYTES (TORCH_PROTOCOL "(NNu."), "SETITEMS needs 3 values, but the stack has 2" },
  { TORCH_BYTES (TORCH_PROTOCOL "]NNs."), "SETITEM finds no dict to add to" },
  { TORCH_BYTES (TORCH_PROTOCOL "}Na."), "APPEND finds no list to add to" },
  { TORCH_BYTES (TORCH_PROTOCOL ")(Ne."), "APPENDS finds no list to add to" },
  { TORCH_BYTES (TORCH_PROTOCOL "NR."), "REDUCE needs 2 values" },
  { TORCH_BYTES (TORCH_PROTOCOL "Nb."), "BUILD needs 2 values" },
  { TORCH_BYTES (TORCH_PROTOCOL "Q."), "BINPERSID needs 1 values" },
  { TORCH_BYTES (TORCH_PROTOCOL MARKS_8 MARKS_8 MARKS_8 MARKS_8 MARKS_8 MARKS_8 MARKS_8 MARKS_8
                 "(."), "marks are nested deeper than 64" },
  { TORCH_BYTES (TORCH_PROTOCOL "X\xff\xff\xff\xff" "a."), "BINUNICODE needs 4294967295 bytes" },
  { TORCH_BYTES (TORCH_PROTOCOL "\x8c\5ab."), "SHORT_BINUNICODE needs 5 bytes, but only 3" },
  { TORCH_BYTES (TORCH_PROTOCOL "G\0\0."), "BINFLOAT needs 8 bytes" },
  { TORCH_BYTES (TORCH_PROTOCOL "\x8a\xff\1."), "LONG1 needs 255 bytes" },
  { TORCH_BYTES (TORCH_PROTOCOL "\x95\xff\xff\xff\xff\xff\xff\xff\xff."), "a frame of" },
  { TORCH_BYTES (TORCH_PROTOCOL "ctorch"), "GLOBAL: no end of line" },
  { TORCH_BYTES (TORCH_PROTOCOL "cto\1rch\nx\n."), "GLOBAL: a name holds the byte 0x01" },
  { TORCH_BYTES (TORCH_PROTOCOL "K\1K\2\x93."), "STACK_GLOBAL: a name is no text" },
  { TORCH_BYTES (TORCH_PROTOCOL "\x8c\1\n\x8c\1x\x93."), "STACK_GLOBAL: a name holds the byte" },
};

static void
refuse_pickles (const Pickle *pickles,
                gsize         n)
{
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GByteArray) zip = torch_zip_new_with_pickle (pickles[i].bytes, pickles[i].n_bytes);

    g_test_message ("case %" G_GSIZE_FORMAT, i);
    assert_refused (zip, pickles[i].message);
  }
}

static void
test_refuses_tensors (void)
{
  refuse_pickles (refused_tensors, G_N_ELEMENTS (refused_tensors));
}

static void
test_refuses_pickles (void)
{
  refuse_pickles (refused_pickles, G_N_ELEMENTS (refused_pickles));
}

/* Opcodes without an end of values, of steps or of the stack stop at a bound. */
static void
test_bounds (void)
{
  static const struct { const char *repeated; int times; const char *message; } cases[] = {
    { "N", (1 << 20) + 1, "more than 1048576 values on the stack" },
    { "]a", 1 << 22, "more than 4194304 values" },
    { "h\0a", (1 << 23) + 1, "more than 16777216 opcodes" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) pickle = g_string_new ("\x80\2]");
    g_autoptr (GByteArray) zip = NULL;
    gsize length = i == 2 ? 3 : strlen (cases[i].repeated);

    g_string_append_len (pickle, "q\0", 2);
    for (int n = 0; n < cases[i].times; n++)
      g_string_append_len (pickle, cases[i].repeated, (gssize) length);
    zip = torch_zip_new_with_pickle (pickle->str, pickle->len);
    assert_refused (zip, cases[i].message);
  }
}

/* Sound pickles, some of them strange. */
static void
test_accepts (void)
{
  static const Pickle pickles[] = {
    { TORCH_BYTES (TORCH_DICT (TORCH_PLAIN_TENSOR)), NULL },
    /* a dict that holds itself */
    { TORCH_BYTES (TORCH_PROTOCOL "}q\0(X\5\0\0\0modelh\0X\1\0\0\0" "a" TORCH_PLAIN_TENSOR "u."),
      NULL },
    /* a tensor with a state, which is dropped, beside other values */
    { TORCH_BYTES (TORCH_PROTOCOL "}(X\1\0\0\0" "a" TORCH_PLAIN_TENSOR "}bK\1NK\2K\3u."), NULL },
    /* the old call and strings of Python 2 */
    { TORCH_BYTES (TORCH_PROTOCOL "}U\1actorch._utils\n_rebuild_tensor\n(" TORCH_STORAGE "K\0" SIZES
                   STRIDES "tRs."), NULL },
    /* torch.Size */
    { TORCH_BYTES (TORCH_DICT (TORCH_TENSOR ("K\0", "ctorch\nSize\n" SIZES "\x85R", STRIDES))),
      NULL },
    /* a parameter in an ordered dict under "model" */
    { TORCH_BYTES (TORCH_PROTOCOL "}X\5\0\0\0modelccollections\nOrderedDict\n)R"
                   "X\1\0\0\0" "a" PARAMETER (TORCH_PLAIN_TENSOR) "ss."), NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pickles); i++) {
    g_autoptr (GByteArray) zip = torch_zip_new_with_pickle (pickles[i].bytes, pickles[i].n_bytes);
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTensorSet) set = NULL;

    set = open_bytes (zip, &error);
    g_assert_no_error (error);
    assert_plain (set);
  }
}

/* What a pickle asks to run is not run: the file that this one would make is not there. */
static void
test_runs_nothing (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-torch-XXXXXX", NULL);
  g_autofree char *witness = g_build_filename (folder, "witness", NULL);
  g_autofree char *command = g_strconcat ("touch ", witness, NULL);
  g_autoptr (GString) pickle = g_string_new_len (TORCH_BYTES (TORCH_PROTOCOL "}(X\1\0\0\0" "a"
                                                              TORCH_PLAIN_TENSOR));
  g_autoptr (GByteArray) zip = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) set = NULL;

  /* A macro since GLib 2.76, which would take two arguments for one. */
  (g_string_append_len) (pickle, TORCH_BYTES ("X\1\0\0\0bcposix\nsystem\nU"));
  g_string_append_c (pickle, (char) strlen (command));
  g_string_append (pickle, command);
  g_string_append (pickle, "\x85Ru.");
  zip = torch_zip_new_with_pickle (pickle->str, pickle->len);
  set = open_bytes (zip, &error);

  g_assert_no_error (error);
  assert_plain (set);
  g_assert_false (g_file_test (witness, G_FILE_TEST_EXISTS));
  g_rmdir (folder);
}

static void
test_no_file (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_torch_file_open ("/nowhere/pytorch_model.bin", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++) {
    g_autofree char *path = g_strconcat ("/torch-file/recorded/", recorded[i].name, NULL);

    g_test_add_data_func (path, &recorded[i], test_recorded);
  }
  g_test_add_data_func ("/torch-file/views/zip", "zip-2", test_views);
  g_test_add_data_func ("/torch-file/views/stream", "stream-2", test_views);
  g_test_add_data_func ("/torch-file/cut-short/zip", "zip-4", test_cut_short);
  g_test_add_data_func ("/torch-file/cut-short/stream", "stream-4", test_cut_short);
  g_test_add_func ("/torch-file/accepts", test_accepts);
  g_test_add_func ("/torch-file/runs-nothing", test_runs_nothing);
  g_test_add_func ("/torch-file/refuses-recorded", test_refuses_recorded);
  g_test_add_func ("/torch-file/refuses-tensors", test_refuses_tensors);
  g_test_add_func ("/torch-file/refuses-pickles", test_refuses_pickles);
  g_test_add_func ("/torch-file/bounds", test_bounds);
  g_test_add_func ("/torch-file/no-file", test_no_file);

  return g_test_run ();
}
