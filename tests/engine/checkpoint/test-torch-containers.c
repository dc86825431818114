/* SPDX-License-Identifier: MIT */
/* The two kinds of files around torch's pickles, zips and streams, put together by hand. */
#include "tests/engine/checkpoint/torch-case.h"

/* Zips. */

#define DIRECTORY_ENTRY "PK\1\2"
#define END "PK\5\6"
#define END64 "PK\6\6"
#define END64_LOCATOR "PK\6\7"

typedef struct {
  const char *signature;
  int         which;  /* of the records of this signature */
  int         offset; /* in the record */
  int         size;
  guint64     value;
  const char *message;
} Spoiled;

/* The entries are data.pkl, byteorder, data/0, version. */
static const Spoiled spoiled[] = {
  { DIRECTORY_ENTRY, 2, 10, 2, 8, "the entry x/data/0 is compressed" },
  { DIRECTORY_ENTRY, 2, 20, 4, 23, "the entry x/data/0 is compressed" },
  { DIRECTORY_ENTRY, 2, 8, 2, 0x0809, "the entry x/data/0 is encrypted" },
  { DIRECTORY_ENTRY, 2, 42, 4, 0, "the entry x/data/0 begins at byte 0, but it does not" },
  { DIRECTORY_ENTRY, 2, 42, 4, 0xfffffff0, "the entry x/data/0 begins at byte 4294967280" },
  { DIRECTORY_ENTRY, 2, 42, 4, G_MAXUINT32, "the entry x/data/0 begins at byte 4294967295" },
  { DIRECTORY_ENTRY, 2, 28, 2, 7, "the directory says that the entry x/data/ begins" },
  { DIRECTORY_ENTRY, 2, 28, 2, 0, "an entry has no name" },
  { DIRECTORY_ENTRY, 2, 28, 2, 0xffff, "leaves it" },
  { DIRECTORY_ENTRY, 2, 32, 2, 1, "the directory has no entry at byte" },
  { DIRECTORY_ENTRY, 2, 0, 4, 0, "the directory has no entry at byte" },
  { DIRECTORY_ENTRY, 2, 46, 1, 'y', "the directory says that the entry y/data/0 begins" },
  { DIRECTORY_ENTRY, 2, 46, 1, 0xff, "an entry has no name" },
  { "PK\3\4", 2, 0, 4, 0, "the directory says that the entry x/data/0 begins" },
  { "PK\3\4", 2, 28, 2, 0xffff, "the entry x/data/0 has 24 bytes, more than are left" },
  { END, 0, 4, 2, 1, "is one part of a zip of several files" },
  { END, 0, 10, 2, 3, "but its 3 entries take" },
  { END, 0, 10, 2, 5, "the directory has no entry at byte" },
  { END, 0, 12, 4, 0xfffffff0, "the directory leaves the file" },
  { END, 0, 16, 4, 0xfffffff0, "the directory leaves the file" },
  { END, 0, 16, 4, 0, "the directory has no entry at byte 0" },
  { END, 0, 20, 2, 1, "no directory at the end of the zip" },
};

/* Of a file of torch, which has the records of 64 bits too. */
static const Spoiled spoiled64[] = {
  { END64_LOCATOR, 0, 8, 8, G_MAXUINT64,
    "the Zip64 record that ends the directory is not at byte 18446744073709551615" },
  { END64_LOCATOR, 0, 8, 8, 0, "the Zip64 record that ends the directory is not at byte 0" },
  { END64, 0, 16, 4, 1, "is one part of a zip of several files" },
  { END64, 0, 32, 8, G_MAXUINT64, "has 18446744073709551615 entries, at most 262144" },
  { END64, 0, 40, 8, G_MAXUINT64, "the directory leaves the file" },
  { END64, 0, 48, 8, G_MAXUINT64, "the directory leaves the file" },
};

static void
refuse_spoiled (const Spoiled *self,
                GByteArray    *zip)
{
  guint64 value = GUINT64_TO_LE (self->value);
  gsize place = torch_bytes_find (zip, self->signature, self->which) + (gsize) self->offset;

  memcpy (zip->data + place, &value, (gsize) self->size);
  assert_refused (zip, self->message);
}

static void
test_refuses_zips (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (spoiled); i++) {
    g_autoptr (GByteArray) zip = torch_zip_new_with_pickle (
      TORCH_BYTES (TORCH_DICT (TORCH_PLAIN_TENSOR)));

    g_test_message ("case %" G_GSIZE_FORMAT, i);
    refuse_spoiled (&spoiled[i], zip);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (spoiled64); i++) {
    g_autoptr (GByteArray) zip = read_fixture ("zip-2");

    g_test_message ("64 bits, case %" G_GSIZE_FORMAT, i);
    refuse_spoiled (&spoiled64[i], zip);
  }
}

/* Both sizes grow, so that the entry reaches into the next. */
static void
test_refuses_overlaps (void)
{
  g_autoptr (GByteArray) zip = torch_zip_new_with_pickle (
    TORCH_BYTES (TORCH_DICT (TORCH_PLAIN_TENSOR)));
  gsize place = torch_bytes_find (zip, DIRECTORY_ENTRY, 1);

  zip->data[place + 20]++;
  zip->data[place + 24]++;
  assert_refused (zip, "the entries x/byteorder and x/data/0 overlap");
}

static void
test_refuses_entries (void)
{
  static const struct { TorchEntry entries[3]; const char *message; } cases[] = {
    { { { "x/data.pkl", "N.", 2 }, { "x/a", "", 0 }, { "x/a", "", 0 } },
      "the entry x/a stands twice" },
    { { { "x/data.pkl", "N.", 2 }, { "y/data.pkl", "N.", 2 }, { "x/a", "", 0 } },
      "the zip has two entries x/data.pkl and y/data.pkl" },
    { { { "data.pkl", "N.", 2 }, { "x/b", "", 0 }, { "x/a", "", 0 } },
      "the zip has no entry data.pkl" },
    { { { "x/data.pkl", "N.", 2 }, { "x/byteorder", "middle", 6 }, { "x/a", "", 0 } },
      "x/byteorder is not \"little\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GByteArray) zip = torch_zip_new (cases[i].entries, 3);

    assert_refused (zip, cases[i].message);
  }
}

static void
test_refuses_large_pickles (void)
{
  gsize size = (64 << 20) + 1;
  g_autofree guint8 *zeros = g_malloc0 (size);
  const TorchEntry entry = { "x/data.pkl", zeros, size };
  g_autoptr (GByteArray) zip = torch_zip_new (&entry, 1);

  assert_refused (zip, "x/data.pkl has 67108865 bytes, at most 67108864 are allowed");
}

/* Streams. */

#define OBJECT TORCH_DICT (TORCH_PLAIN_TENSOR)
#define IN_STREAM(object) \
  TORCH_BYTES (TORCH_MAGIC TORCH_VERSION TORCH_MACHINE object TORCH_KEYS TORCH_COUNT TORCH_FLOATS)
#define WITH_KEYS(rest) TORCH_BYTES (TORCH_MAGIC TORCH_VERSION TORCH_MACHINE OBJECT rest)

static const Pickle refused_streams[] = {
  { TORCH_BYTES (""), "is no file of torch.save()" },
  { TORCH_BYTES ("<html>"), "is no file of torch.save()" },
  { TORCH_BYTES ("\x80\2\x8a\x0a\x6d\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."),
    "does not begin with the number that torch.save() writes" },
  { TORCH_BYTES ("\x80\2}."), "does not begin with the number that torch.save() writes" },
  { TORCH_BYTES (TORCH_MAGIC "\x80\2M\xea\3."), "another version of torch's stream than 1001" },
  { TORCH_BYTES (TORCH_MAGIC TORCH_VERSION "\x80\2}."), "little_endian is not true" },
  { TORCH_BYTES (TORCH_MAGIC TORCH_VERSION TORCH_MACHINE), "fourth pickle: byte 0: the pickle" },
  { IN_STREAM (TORCH_DICT ("NQ")), "an id of stored data is not" },
  { IN_STREAM (TORCH_DICT (TORCH_ID ("K\6K\1") "Q")), "a storage is part of another" },
  { IN_STREAM (TORCH_DICT (TORCH_STORAGE TORCH_ID ("K\7") "Q\x86")),
    "the storage 0 is named with two types or sizes" },
  { IN_STREAM (TORCH_DICT (TORCH_TENSOR_OF (TORCH_ID ("K\7") "Q", "K\0", SIZES, STRIDES))),
    "the storage 0 has 6 elements, expected 7" },
  { IN_STREAM (TORCH_DICT ("N")), "the list of storages holds 0, expected each" },
  { WITH_KEYS ("\x80\2}."), "the fifth pickle is no list of storages" },
  { WITH_KEYS ("\x80\2]."), "the storage 0 is not in the list of storages" },
  { WITH_KEYS ("\x80\2]K\0a."), "the list of storages holds a key that is no text" },
  { WITH_KEYS ("\x80\2](X\1\0\0\0" "0X\1\0\0\0" "0e." TORCH_COUNT TORCH_FLOATS),
    "the list of storages holds 0, expected each that a tensor names once" },
  { WITH_KEYS (TORCH_KEYS "\6\0\0"), "is cut short in front of the storage 0" },
  { WITH_KEYS (TORCH_KEYS TORCH_COUNT "\0\0"), "is cut short: the storage 0 has 24 bytes" },
  { WITH_KEYS (TORCH_KEYS "\xff\xff\xff\xff\xff\xff\xff\xff" TORCH_FLOATS),
    "the storage 0 has -1 elements, expected 6" },
};

static void
test_refuses_streams (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused_streams); i++) {
    g_autoptr (GByteArray) stream = g_byte_array_new ();

    g_byte_array_append (stream, (const guint8 *) refused_streams[i].bytes,
                         (guint) refused_streams[i].n_bytes);
    g_test_message ("case %" G_GSIZE_FORMAT, i);
    assert_refused (stream, refused_streams[i].message);
  }
}

static void
test_accepts_stream (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (IN_STREAM (OBJECT));
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) set = eng_torch_file_open_bytes (bytes, "x", &error);

  g_assert_no_error (error);
  assert_plain (set);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/torch-containers/refuses-zips", test_refuses_zips);
  g_test_add_func ("/torch-containers/refuses-overlaps", test_refuses_overlaps);
  g_test_add_func ("/torch-containers/refuses-entries", test_refuses_entries);
  g_test_add_func ("/torch-containers/refuses-large-pickles", test_refuses_large_pickles);
  g_test_add_func ("/torch-containers/refuses-streams", test_refuses_streams);
  g_test_add_func ("/torch-containers/accepts-stream", test_accepts_stream);

  return g_test_run ();
}
