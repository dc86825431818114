/* SPDX-License-Identifier: MIT */
/* Layouts: APPNOTE.TXT of PKWARE, sections 4.3.7 to 4.3.16 and 4.5.3. */
#include "engine/checkpoint/zip.h"

#include <string.h>

/* A checkpoint has an entry for each tensor and few more. */
#define MAX_ENTRIES (1 << 18)
#define MAX_NAME_BYTES 1024

#define LOCAL_HEADER 0x04034b50
#define LOCAL_HEADER_BYTES 30
#define CENTRAL_HEADER 0x02014b50
#define CENTRAL_HEADER_BYTES 46
#define END 0x06054b50
#define END_BYTES 22
#define END64 0x06064b50
#define END64_BYTES 56
#define END64_LOCATOR 0x07064b50
#define END64_LOCATOR_BYTES 20
#define EXTRA_ZIP64 1
#define STORED 0
/* The entry, or the directory itself, is encrypted. */
#define FLAGS_ENCRYPTED (1 << 0 | 1 << 6 | 1 << 13)

typedef struct {
  EngZipEntry entry;
  guint64     header; /* place of the local header */
  guint64     end;    /* of the data */
} Place;

struct _EngZip {
  GArray       *places;  /* of Place, by header */
  GStringChunk *names;
  GHashTable   *by_name; /* name → index + 1 */
};

typedef struct {
  EngZip        *zip;
  const guint8  *data;
  gsize          n_bytes;
  const char    *what;
  GError       **error;
  /* The central directory; local headers and data lie in front of it. */
  guint64        begin;
  guint64        size;
  guint64        n_entries;
} Reader;

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (const Reader *self,
        const char   *format,
        ...)
{
  va_list arguments;

  va_start (arguments, format);
  eng_error_refuse (self->error, ENG_ERROR_FORMAT, self->what, format, arguments);
  va_end (arguments);

  return FALSE;
}

/* Numbers of the file: the lowest byte first, at any place. */
static guint64
get_number (const guint8 *at,
            int           size)
{
  guint64 value = 0;

  for (int i = size; i > 0; i--)
    value = value << 8 | at[i - 1];

  return value;
}

static guint
get_16 (const guint8 *at)
{
  return (guint) get_number (at, 2);
}

static guint32
get_32 (const guint8 *at)
{
  return (guint32) get_number (at, 4);
}

/* The record that ends the file, in front of a comment of up to 64 KiB. */
static const guint8 *
find_end (const Reader *self)
{
  const guint8 *file_end = self->data + self->n_bytes;

  if (self->n_bytes < END_BYTES)
    return NULL;
  for (gsize comment = 0; comment <= MIN (self->n_bytes - END_BYTES, G_MAXUINT16); comment++) {
    const guint8 *end = file_end - comment - END_BYTES;

    if (get_32 (end) == END && get_16 (end + 20) == comment)
      return end;
  }

  return NULL;
}

/* Large files, and all of torch's, have the same record with numbers of 64 bits in front. */
static gboolean
read_end64 (Reader       *self,
            const guint8 *locator)
{
  guint64 place = get_number (locator + 8, 8);
  guint64 limit = (guint64) (locator - self->data);
  const guint8 *end;

  if (place > limit || limit - place < END64_BYTES || get_32 (self->data + place) != END64)
    return refuse (self, "the Zip64 record that ends the directory is not at byte %"
                   G_GUINT64_FORMAT, place);
  end = self->data + place;
  if (get_32 (end + 16) != 0 || get_32 (end + 20) != 0)
    return refuse (self, "is one part of a zip of several files");

  self->n_entries = get_number (end + 32, 8);
  self->size = get_number (end + 40, 8);
  self->begin = get_number (end + 48, 8);
  if (self->begin > place || self->size > place - self->begin)
    return refuse (self, "the directory leaves the file: %" G_GUINT64_FORMAT " bytes from %"
                   G_GUINT64_FORMAT, self->size, self->begin);

  return TRUE;
}

static gboolean
read_end (Reader *self)
{
  const guint8 *end = find_end (self);
  guint64 place;

  if (!end)
    return refuse (self, "no directory at the end of the zip: it is cut short");
  place = (guint64) (end - self->data);
  if (place >= END64_LOCATOR_BYTES && get_32 (end - END64_LOCATOR_BYTES) == END64_LOCATOR)
    return read_end64 (self, end - END64_LOCATOR_BYTES);

  if (get_16 (end + 4) != 0 || get_16 (end + 6) != 0)
    return refuse (self, "is one part of a zip of several files");
  self->n_entries = get_16 (end + 10);
  self->size = get_32 (end + 12);
  self->begin = get_32 (end + 16);
  if (self->begin > place || self->size > place - self->begin)
    return refuse (self, "the directory leaves the file: %" G_GUINT64_FORMAT " bytes from %"
                   G_GUINT64_FORMAT, self->size, self->begin);

  return TRUE;
}

/* What does not fit into 32 bits stands in a field of its own, in this order. */
static gboolean
read_zip64_field (const guint8 *extra,
                  gsize         n_bytes,
                  guint64      *numbers[3])
{
  gsize at = 0;

  while (n_bytes - at >= 4) {
    guint id = get_16 (extra + at);
    gsize size = get_16 (extra + at + 2);

    at += 4;
    if (size > n_bytes - at)
      return FALSE;
    if (id == EXTRA_ZIP64) {
      for (int i = 0; i < 3; i++) {
        if (*numbers[i] != G_MAXUINT32)
          continue;
        if (size < 8)
          return FALSE;
        *numbers[i] = get_number (extra + at, 8);
        at += 8;
        size -= 8;
      }
      return TRUE;
    }
    at += size;
  }

  return TRUE;
}

/* The data lies behind the local header, whose own extra field has its own length. */
static gboolean
place_data (const Reader *self,
            Place        *place,
            guint64       n_bytes)
{
  const char *name = place->entry.name;
  gsize length = strlen (name);
  const guint8 *header;
  guint64 begin;

  if (place->header > self->begin || self->begin - place->header < LOCAL_HEADER_BYTES + length)
    return refuse (self, "the entry %s begins at byte %" G_GUINT64_FORMAT
                   ", behind the end of all data", name, place->header);
  header = self->data + place->header;
  if (get_32 (header) != LOCAL_HEADER || get_16 (header + 26) != length ||
      memcmp (header + LOCAL_HEADER_BYTES, name, length) != 0)
    return refuse (self, "the directory says that the entry %s begins at byte %" G_GUINT64_FORMAT
                   ", but it does not", name, place->header);

  begin = place->header + LOCAL_HEADER_BYTES + length + get_16 (header + 28);
  if (begin > self->begin || n_bytes > self->begin - begin)
    return refuse (self, "the entry %s has %" G_GUINT64_FORMAT
                   " bytes, more than are left in the file", name, n_bytes);
  place->entry.data = self->data + begin;
  place->entry.n_bytes = (gsize) n_bytes;
  place->end = begin + n_bytes;

  return TRUE;
}

/* Reads the directory's header at *at and moves on to the next. */
static gboolean
read_entry (Reader  *self,
            guint64 *at)
{
  const guint8 *header = self->data + *at;
  guint64 left = self->begin + self->size - *at;
  guint64 stored, n_bytes, length;
  gsize name_length, extra_length;
  Place place = { 0 };

  if (left < CENTRAL_HEADER_BYTES || get_32 (header) != CENTRAL_HEADER)
    return refuse (self, "the directory has no entry at byte %" G_GUINT64_FORMAT, *at);
  name_length = get_16 (header + 28);
  extra_length = get_16 (header + 30);
  length = CENTRAL_HEADER_BYTES + name_length + extra_length + get_16 (header + 32);
  if (length > left)
    return refuse (self, "the directory's entry at byte %" G_GUINT64_FORMAT " leaves it", *at);
  *at += length;

  if (name_length == 0 || name_length > MAX_NAME_BYTES ||
      !g_utf8_validate ((const char *) header + CENTRAL_HEADER_BYTES, (gssize) name_length, NULL))
    return refuse (self, "an entry has no name of at most %d bytes of UTF-8", MAX_NAME_BYTES);
  place.entry.name = g_string_chunk_insert_len (self->zip->names,
                                                (const char *) header + CENTRAL_HEADER_BYTES,
                                                (gssize) name_length);
  stored = get_32 (header + 20);
  n_bytes = get_32 (header + 24);
  place.header = get_32 (header + 42);
  if (!read_zip64_field (header + CENTRAL_HEADER_BYTES + name_length, extra_length,
                         (guint64 *[]) { &n_bytes, &stored, &place.header }))
    return refuse (self, "the entry %s has a broken extra field", place.entry.name);
  if (get_16 (header + 8) & FLAGS_ENCRYPTED)
    return refuse (self, "the entry %s is encrypted", place.entry.name);
  if (get_16 (header + 10) != STORED || stored != n_bytes)
    return refuse (self, "the entry %s is compressed, expected it stored as it is",
                   place.entry.name);
  if (!place_data (self, &place, n_bytes))
    return FALSE;
  g_array_append_val (self->zip->places, place);

  return TRUE;
}

static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  const Place *first = a;
  const Place *second = b;

  return first->header < second->header ? -1 : first->header > second->header;
}

static gboolean
index_entries (const Reader *self)
{
  EngZip *zip = self->zip;

  g_array_sort (zip->places, compare_places);
  for (guint i = 0; i < zip->places->len; i++) {
    const Place *place = &g_array_index (zip->places, Place, i);

    if (i > 0 && place[-1].end > place->header)
      return refuse (self, "the entries %s and %s overlap", place[-1].entry.name,
                     place->entry.name);
    if (g_hash_table_contains (zip->by_name, place->entry.name))
      return refuse (self, "the entry %s stands twice", place->entry.name);
    g_hash_table_insert (zip->by_name, (char *) place->entry.name, GUINT_TO_POINTER (i + 1));
  }

  return TRUE;
}

static gboolean
read_directory (Reader *self)
{
  guint64 at;

  if (!read_end (self))
    return FALSE;
  if (self->n_entries > MAX_ENTRIES)
    return refuse (self, "has %" G_GUINT64_FORMAT " entries, at most %d are allowed",
                   self->n_entries, MAX_ENTRIES);

  at = self->begin;
  for (guint64 i = 0; i < self->n_entries; i++)
    if (!read_entry (self, &at))
      return FALSE;
  if (at != self->begin + self->size)
    return refuse (self, "the directory has %" G_GUINT64_FORMAT " bytes, but its %"
                   G_GUINT64_FORMAT " entries take %" G_GUINT64_FORMAT, self->size,
                   self->n_entries, at - self->begin);

  return index_entries (self);
}

EngZip *
eng_zip_read (const guint8  *data,
              gsize          n_bytes,
              const char    *what,
              GError       **error)
{
  g_autoptr (EngZip) zip = g_new0 (EngZip, 1);
  Reader reader = { .zip = zip, .data = data, .n_bytes = n_bytes, .what = what, .error = error };

  zip->places = g_array_new (FALSE, FALSE, sizeof (Place));
  zip->names = g_string_chunk_new (4096);
  zip->by_name = g_hash_table_new (g_str_hash, g_str_equal);

  return read_directory (&reader) ? g_steal_pointer (&zip) : NULL;
}

void
eng_zip_free (EngZip *self)
{
  g_array_unref (self->places);
  g_string_chunk_free (self->names);
  g_hash_table_unref (self->by_name);
  g_free (self);
}

int
eng_zip_get_n_entries (const EngZip *self)
{
  return (int) self->places->len;
}

const EngZipEntry *
eng_zip_get_entry (const EngZip *self,
                   int           index)
{
  g_return_val_if_fail (index >= 0 && (guint) index < self->places->len, NULL);

  return &g_array_index (self->places, Place, index).entry;
}

const EngZipEntry *
eng_zip_find (const EngZip *self,
              const char   *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));

  return index ? &g_array_index (self->places, Place, index - 1).entry : NULL;
}
