/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "engine/checkpoint/torch-file.h"
#include "tests/support/torch-bytes.h"

#define SIZES "K\2K\3\x86"
#define STRIDES "K\3K\1\x86"

typedef struct {
  const char *bytes;
  gsize       n_bytes;
} Part;

/* Pickles with every opcode. */
static const Part pickles[] = {
  { TORCH_BYTES (TORCH_DICT (TORCH_PLAIN_TENSOR)) },
  /* Transposed, a slice, nothing, a scalar, a storage said again. */
  { TORCH_BYTES (TORCH_PROTOCOL "ccollections\nOrderedDict\nq\0)Rq\1("
                 "X\1\0\0\0t" TORCH_TENSOR ("K\0", "K\3K\2\x86", "K\1K\3\x86")
                 "X\1\0\0\0s" TORCH_TENSOR ("M\1\0", "K\2\x85", "J\2\0\0\0\x85")
                 "X\1\0\0\0n" TORCH_TENSOR ("\x8a\0", "K\0K\4\x86", "K\4K\1\x86")
                 "X\1\0\0\0o" "ctorch._utils\n_rebuild_tensor_v2\n(" TORCH_STORAGE "q\2K\5))"
                 "\x89" TORCH_ORDERED "tR"
                 "X\1\0\0\0p" "ctorch._utils\n_rebuild_tensor_v2\n(h\2K\0" SIZES STRIDES
                 "\x88h\0)RtR" "u.") },
  /* What surrounds the weights in a training script. */
  { TORCH_BYTES (TORCH_PROTOCOL "}(U\5epochK\3X\4\0\0\0lossG?\xd0\0\0\0\0\0\0"
                 "T\4\0\0\0argscargparse\nNamespace\n)\x81}X\2\0\0\0lrNsb"
                 "X\4\0\0\0list](K\1]NaeX\5\0\0\0model}X\1\0\0\0w"
                 "ctorch._utils\n_rebuild_parameter\n(" TORCH_PLAIN_TENSOR "\x88" TORCH_ORDERED
                 "tRsr\3\0\0\0j\3\0\0\0K\7" "u.") },
  /* Protocol 4, and the call of newer types. */
  { TORCH_BYTES ("\x80\4\x95\x10\0\0\0\0\0\0\0}\x94(\x8c\1a\x94\x8c\x0ctorch._utils\x94"
                 "\x8c\x12_rebuild_tensor_v3\x93\x94((\x8c\7storage\x8c\5torch"
                 "\x8c\x0eUntypedStorage\x93\x8c\1" "0\x8c\3cpuK\x18tQK\0K\6\x85K\1\x85\x89"
                 "\x8c\x0b" "collections\x8c\x0bOrderedDict\x93)R\x8c\5torch\x8c\7float32\x93NtR"
                 "\x8c\1" "bC\2ab\x8c\1" "cB\2\0\0\0ab\x8c\1" "d\x8f(K\1K\2\x90"
                 "\x8c\1" "e(K\1K\2K\3tK\1K\2K\3\x87\x86" "u.") },
};

/* Parts of a pickle that builds tensors: the sound one first, then what nobody may believe. */

#define TYPED(type, count) \
  { TORCH_BYTES ("(X\7\0\0\0storagectorch\n" type "\nX\1\0\0\0" "0X\3\0\0\0cpu" count "tQ") }

static const Part storages[] = {
  { TORCH_BYTES (TORCH_STORAGE) },
  TYPED ("HalfStorage", "K\x0c"),
  TYPED ("DoubleStorage", "K\3"),
  TYPED ("ByteStorage", "K\x18"),
  TYPED ("UntypedStorage", "K\x18"),
  TYPED ("FloatStorage", "K\7"),
  TYPED ("QInt8Storage", "K\6"),
  { TORCH_BYTES ("NQ") },
};

static const Part offsets[] = {
  { TORCH_BYTES ("K\0") },
  { TORCH_BYTES ("K\1") },
  { TORCH_BYTES ("M\5\0") },
  { TORCH_BYTES ("J\xff\xff\xff\xff") },
  { TORCH_BYTES ("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f") },
};

/* Sizes, and strides too. */
static const Part tuples[] = {
  { TORCH_BYTES (SIZES) },
  { TORCH_BYTES (STRIDES) },
  { TORCH_BYTES ("K\1K\2\x86") },
  { TORCH_BYTES ("K\0K\1\x86") },
  { TORCH_BYTES ("K\3K\0\x86") },
  { TORCH_BYTES (")") },
  { TORCH_BYTES ("K\6\x85") },
  { TORCH_BYTES ("K\1\x85") },
  { TORCH_BYTES ("K\2K\1K\3\x87") },
  { TORCH_BYTES ("K\3\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7fK\1\x87") },
  { TORCH_BYTES ("J\0\0\1\0K\4\x86") },
  { TORCH_BYTES ("\x8a\x08\0\0\0\0\0\0\0\x40K\4\x86") },
  { TORCH_BYTES ("(K\1K\1K\1K\1K\1K\1K\1K\1K\1t") },
  { TORCH_BYTES ("]") },
};

static const Part functions[] = {
  { TORCH_BYTES ("ctorch._utils\n_rebuild_tensor_v2\n") },
  { TORCH_BYTES ("ctorch._utils\n_rebuild_tensor\n") },
  { TORCH_BYTES ("ctorch._utils\n_rebuild_tensor_v3\n") },
  { TORCH_BYTES ("ctorch._utils\n_rebuild_parameter\n") },
  { TORCH_BYTES ("ctorch._tensor\n_rebuild_from_type_v2\n") },
  { TORCH_BYTES ("cposix\nsystem\n") },
};

static const Part keys[] = {
  { TORCH_BYTES ("X\1\0\0\0" "a") },
  { TORCH_BYTES ("U\1" "b") },
  { TORCH_BYTES ("\x8c\1" "c") },
  { TORCH_BYTES ("X\5\0\0\0model") },
  { TORCH_BYTES ("X\x0a\0\0\0state_dict") },
  { TORCH_BYTES ("X\1\0\0\0\xff") },
  { TORCH_BYTES ("K\1") },
};

/* Whole pickles but for their frame. */
static const Part others[] = {
  { TORCH_BYTES ("N") },
  { TORCH_BYTES ("h\0") },
  { TORCH_BYTES ("G\0\0\0\0\0\0\0\0") },
  { TORCH_BYTES ("]q\1(h\1h\0e") },
  { TORCH_BYTES ("ccollections\nOrderedDict\n)R}b") },
  { TORCH_BYTES ("ctorch\nfloat16\n") },
  { TORCH_BYTES ("}X\1\0\0\0" "a" TORCH_PLAIN_TENSOR "s") },
};

#define ADD_PART(pickle, parts, random) add_part (pickle, parts, G_N_ELEMENTS (parts), random)

/* Sound in half of the cases, so that the parts behind are reached. */
static void
add_part (GByteArray *pickle,
          const Part *parts,
          gint32      n,
          GRand      *random)
{
  const Part *part = &parts[g_rand_boolean (random) ? 0 : g_rand_int_range (random, 0, n)];

  g_byte_array_append (pickle, (const guint8 *) part->bytes, (guint) part->n_bytes);
}

static void
add_literal (GByteArray *pickle,
             const char *bytes)
{
  g_byte_array_append (pickle, (const guint8 *) bytes, (guint) strlen (bytes));
}

static void
add_tensor (GByteArray *pickle,
            GRand      *random)
{
  ADD_PART (pickle, functions, random);
  add_literal (pickle, "(");
  ADD_PART (pickle, storages, random);
  ADD_PART (pickle, offsets, random);
  ADD_PART (pickle, tuples, random);
  if (g_rand_boolean (random))
    add_literal (pickle, STRIDES);
  else
    ADD_PART (pickle, tuples, random);
  add_literal (pickle, "\x89" "ccollections\nOrderedDict\n)R");
  if (g_rand_int_range (random, 0, 4) == 0)
    ADD_PART (pickle, others, random);
  add_literal (pickle, "tR");
}

/* A dict of one to four values, most of them tensors. */
static GByteArray *
make_pickle (GRand *random)
{
  GByteArray *pickle = g_byte_array_new ();

  add_literal (pickle, TORCH_PROTOCOL "}q");
  g_byte_array_append (pickle, (const guint8 *) "\0(", 2);
  for (int n = g_rand_int_range (random, 1, 5); n > 0; n--) {
    ADD_PART (pickle, keys, random);
    if (g_rand_int_range (random, 0, 4) == 0)
      ADD_PART (pickle, others, random);
    else
      add_tensor (pickle, random);
  }
  add_literal (pickle, "u.");

  return pickle;
}

static GByteArray *
put_into_stream (const guint8 *pickle,
                 gsize         size)
{
  GByteArray *stream = g_byte_array_new ();

  g_byte_array_append (stream, (const guint8 *) TORCH_BYTES (TORCH_MAGIC TORCH_VERSION
                                                             TORCH_MACHINE));
  g_byte_array_append (stream, pickle, (guint) size);
  g_byte_array_append (stream, (const guint8 *) TORCH_BYTES (TORCH_KEYS TORCH_COUNT TORCH_FLOATS));

  return stream;
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pickles); i++) {
    GByteArray *zip = torch_zip_new_with_pickle (pickles[i].bytes, pickles[i].n_bytes);
    GByteArray *zip64 = torch_zip_new_with_pickle (pickles[i].bytes, pickles[i].n_bytes);
    GByteArray *stream = put_into_stream ((const guint8 *) pickles[i].bytes, pickles[i].n_bytes);

    torch_zip_add_end64 (zip64);
    g_ptr_array_add (seeds, g_bytes_new_static (pickles[i].bytes, pickles[i].n_bytes));
    g_ptr_array_add (seeds, g_byte_array_free_to_bytes (zip));
    g_ptr_array_add (seeds, g_byte_array_free_to_bytes (zip64));
    g_ptr_array_add (seeds, g_byte_array_free_to_bytes (stream));
  }
}

/* Touches every byte that a file which is let through claims to have. */
static void
use (const EngTensorSet *set)
{
  for (int i = 0; i < eng_tensor_set_get_n_tensors (set); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (set, i);
    g_autofree float *floats = NULL;
    g_autofree char *shape = eng_tensor_dup_shape (tensor);
    guint8 sum = 0;

    for (gsize j = 0; j < tensor->n_bytes; j++)
      sum ^= tensor->data[j];
    g_assert_cmpint (shape[0] + (sum & 0), ==, '[');
    g_assert_true (eng_tensor_set_find (set, tensor->name) == tensor);
    g_assert_true (g_utf8_validate (tensor->name, -1, NULL));
    if (eng_type_get_size (tensor->type) == 0)
      continue;
    g_assert_cmpint (tensor->n_elements * (gint64) eng_type_get_size (tensor->type), ==,
                     tensor->n_bytes);
    floats = g_new (float, (gsize) tensor->n_elements + 1);
    eng_tensor_widen (tensor, floats);
  }
}

static void
run (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) set = eng_torch_file_open_bytes (bytes, "fuzz", &error);

  g_assert_true ((set == NULL) == (error != NULL));
  if (set)
    use (set);
  else
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

/* Takes bytes over. */
static void
run_array (GByteArray *bytes)
{
  g_autoptr (GBytes) owned = g_bytes_new (bytes->data, bytes->len);

  g_byte_array_unref (bytes);
  run (owned);
}

/* Where the signature is next, size when it is nowhere. */
static gsize
find_record (const GByteArray *zip,
             const char       *signature,
             gsize             from)
{
  while (from + 4 <= zip->len && memcmp (zip->data + from, signature, 4) != 0)
    from++;

  return from + 4 <= zip->len ? from : zip->len;
}

static void
put_number (GByteArray *zip,
            gsize       place,
            guint64     number,
            gsize       size)
{
  number = GUINT64_TO_LE (number);
  if (place + size <= zip->len)
    memcpy (zip->data + place, &number, size);
}

/* Bytes put in or taken away leave the directory at another place than the records at the end say,
 * and the reader stops there. This sets them right. */
static GByteArray *
repair_zip (const guint8 *data,
            gsize         size)
{
  GByteArray *zip = g_byte_array_new ();
  gsize begin, end, end64;
  guint64 n = 0;

  g_byte_array_append (zip, data, (guint) size);
  begin = find_record (zip, "PK\1\2", 0);
  end = find_record (zip, "PK\5\6", begin);
  end64 = find_record (zip, "PK\6\6", begin);
  for (gsize i = begin; i < MIN (end, end64); i = find_record (zip, "PK\1\2", i + 4))
    n++;

  put_number (zip, end64 + 32, n, 8);
  put_number (zip, end64 + 40, MIN (end, end64) - begin, 8);
  put_number (zip, end64 + 48, begin, 8);
  put_number (zip, find_record (zip, "PK\6\7", end64) + 8, end64, 8);
  put_number (zip, end + 10, n, 2);
  put_number (zip, end + 12, MIN (end, end64) - begin, 4);
  put_number (zip, end + 16, begin, 4);
  put_number (zip, end + 20, 0, 2);
  g_byte_array_set_size (zip, (guint) MIN (zip->len, end + 22));

  return zip;
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GBytes) raw = g_bytes_new_static (data, size);

  run (raw);
  if (size >= 2 && memcmp (data, "PK", 2) == 0) {
    run_array (repair_zip (data, size));
  } else {
    g_autoptr (GRand) random = g_rand_new_with_seed (g_bytes_hash (raw));
    g_autoptr (GByteArray) made = make_pickle (random);

    run_array (torch_zip_new_with_pickle ((const char *) data, size));
    run_array (put_into_stream (data, size));
    run_array (torch_zip_new_with_pickle ((const char *) made->data, made->len));
    run_array (put_into_stream (made->data, made->len));
  }
}
