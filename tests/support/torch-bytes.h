/* SPDX-License-Identifier: MIT */
/* Files of torch.save() put together by hand, sound or not, for tests of the readers. */
#pragma once

#include <string.h>

#include <glib.h>

/* Bytes of a literal that may hold NUL. */
#define TORCH_BYTES(literal) (literal), sizeof (literal) - 1

#define TORCH_PROTOCOL "\x80\2"
/* Six floats under the key "0". */
#define TORCH_ID(count) "(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0" "0X\3\0\0\0cpu" count "t"
#define TORCH_STORAGE TORCH_ID ("K\6") "Q"
#define TORCH_ORDERED "ccollections\nOrderedDict\n)R"
/* The call that builds a tensor, from the opcodes of its parts. */
#define TORCH_TENSOR_OF(storage, offset, sizes, strides) \
  "ctorch._utils\n_rebuild_tensor_v2\n(" storage offset sizes strides "\x89" TORCH_ORDERED "tR"
#define TORCH_TENSOR(offset, sizes, strides) TORCH_TENSOR_OF (TORCH_STORAGE, offset, sizes, strides)
/* [2, 3] */
#define TORCH_PLAIN_TENSOR TORCH_TENSOR ("K\0", "K\2K\3\x86", "K\3K\1\x86")
/* {"a": value} */
#define TORCH_DICT(value) TORCH_PROTOCOL "}X\1\0\0\0" "a" value "s."

#define TORCH_MAGIC "\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
#define TORCH_VERSION "\x80\2M\xe9\3."
#define TORCH_MACHINE "\x80\2}X\x0d\0\0\0little_endian\x88s."
#define TORCH_KEYS "\x80\2]X\1\0\0\0" "0a."
#define TORCH_COUNT "\6\0\0\0\0\0\0\0"
#define TORCH_FLOATS "\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@\0\0\xc0@"

static inline void
torch_bytes_put (GByteArray *bytes,
                 guint64     number,
                 int         size)
{
  number = GUINT64_TO_LE (number);
  g_byte_array_append (bytes, (const guint8 *) &number, (guint) size);
}

typedef struct {
  const char    *name;
  gconstpointer  data;
  gsize          n_bytes;
} TorchEntry;

/* Place of the n-th directory entry, from the front. */
static inline gsize
torch_bytes_find (const GByteArray *bytes,
                  const char       *signature,
                  int               n)
{
  for (gsize i = 0; i + 4 <= bytes->len; i++)
    if (memcmp (bytes->data + i, signature, 4) == 0 && n-- == 0)
      return i;

  g_assert_not_reached ();
}

/* A zip as torch writes it: stored, sizes in the directory alone. */
static inline GByteArray *
torch_zip_new (const TorchEntry *entries,
               int               n)
{
  GByteArray *zip = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  guint64 begin;

  for (int i = 0; i < n; i++) {
    guint64 length = strlen (entries[i].name);
    guint64 header = zip->len;

    /* version, flags, method, time, date, CRC, two sizes, length of the name and of more */
    torch_bytes_put (zip, 0x04034b50, 4);
    torch_bytes_put (zip, 0, 2);
    torch_bytes_put (zip, 0x0808, 4);
    torch_bytes_put (zip, 0, 8);
    torch_bytes_put (zip, 0, 8);
    torch_bytes_put (zip, length, 2);
    torch_bytes_put (zip, 0, 2);
    g_byte_array_append (zip, (const guint8 *) entries[i].name, (guint) length);
    g_byte_array_append (zip, entries[i].data, (guint) entries[i].n_bytes);

    /* two versions, flags, method, time, date, CRC, two sizes, three lengths, disk, attributes,
     * place */
    torch_bytes_put (directory, 0x02014b50, 4);
    torch_bytes_put (directory, 0, 4);
    torch_bytes_put (directory, 0x0808, 4);
    torch_bytes_put (directory, 0, 8);
    torch_bytes_put (directory, entries[i].n_bytes, 4);
    torch_bytes_put (directory, entries[i].n_bytes, 4);
    torch_bytes_put (directory, length, 6);
    torch_bytes_put (directory, 0, 8);
    torch_bytes_put (directory, header, 4);
    g_byte_array_append (directory, (const guint8 *) entries[i].name, (guint) length);
  }

  begin = zip->len;
  g_byte_array_append (zip, directory->data, directory->len);
  /* two disks, two numbers of entries, size, place, length of a comment */
  torch_bytes_put (zip, 0x06054b50, 8);
  torch_bytes_put (zip, (guint64) n, 2);
  torch_bytes_put (zip, (guint64) n, 2);
  torch_bytes_put (zip, directory->len, 4);
  torch_bytes_put (zip, begin, 4);
  torch_bytes_put (zip, 0, 2);

  return zip;
}

/* A zip of this pickle and of six floats under the key "0". */
static inline GByteArray *
torch_zip_new_with_pickle (const char *pickle,
                           gsize       n_bytes)
{
  const TorchEntry entries[] = {
    { "x/data.pkl", pickle, n_bytes },
    { "x/byteorder", "little", 6 },
    { "x/data/0", TORCH_BYTES (TORCH_FLOATS) },
    { "x/version", "3\n", 2 },
  };

  return torch_zip_new (entries, G_N_ELEMENTS (entries));
}

/* Puts in front of the last record what torch puts there: the same in 64 bits, and its place. */
static inline void
torch_zip_add_end64 (GByteArray *zip)
{
  guint8 last[22];
  guint64 place;

  memcpy (last, zip->data + zip->len - sizeof last, sizeof last);
  g_byte_array_set_size (zip, zip->len - (guint) sizeof last);
  place = zip->len;
  /* its size, two versions, two disks, two numbers of entries, size and place of the directory */
  torch_bytes_put (zip, 0x06064b50, 4);
  torch_bytes_put (zip, 44, 8);
  torch_bytes_put (zip, 0, 4);
  torch_bytes_put (zip, 0, 8);
  torch_bytes_put (zip, last[10], 8);
  torch_bytes_put (zip, last[10], 8);
  torch_bytes_put (zip, (guint64) last[12] | (guint64) last[13] << 8, 8);
  torch_bytes_put (zip, (guint64) last[16] | (guint64) last[17] << 8, 8);
  /* disk, place, number of disks */
  torch_bytes_put (zip, 0x07064b50, 8);
  torch_bytes_put (zip, place, 8);
  torch_bytes_put (zip, 1, 4);
  g_byte_array_append (zip, last, sizeof last);
}
