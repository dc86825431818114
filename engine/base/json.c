/* SPDX-License-Identifier: MIT */
#include "engine/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/lfs-pointer.h"

/* Beyond this a double no longer tells neighbouring whole numbers apart. */
#define MAX_EXACT_INTEGER 9007199254740992.0

/* Names of an object with no more keys than this are compared as they are. */
#define FEW_KEYS 64

typedef struct {
  guint32     hash;
  const char *name;
} Key;

static int
compare_names (const void *a,
               const void *b)
{
  return strcmp (((const Key *) a)->name, ((const Key *) b)->name);
}

/* By hash, a byte of it at a time: an object may hold a vocabulary, and this is a part of the
 * start-up. */
static void
sort_by_hash (Key *keys,
              int  n)
{
  g_autofree Key *sorted = g_new (Key, n);

  for (int shift = 0; shift < 32; shift += 8) {
    int first[257] = { 0 };

    for (int i = 0; i < n; i++)
      first[(keys[i].hash >> shift & 0xff) + 1]++;
    for (int i = 0; i < 256; i++)
      first[i + 1] += first[i];
    for (int i = 0; i < n; i++)
      sorted[first[keys[i].hash >> shift & 0xff]++] = keys[i];
    memcpy (keys, sorted, n * sizeof *keys);
  }
}

static const char *
find_duplicate_here (const cJSON *object)
{
  int n = cJSON_GetArraySize (object);
  g_autofree Key *keys = NULL;
  const cJSON *member;
  int i = 0;

  if (n < 2)
    return NULL;

  /* Sorted, not hashed into buckets: names made to collide must not make this slow. */
  keys = g_new (Key, n);
  cJSON_ArrayForEach (member, object)
    keys[i++] = (Key) { n > FEW_KEYS ? g_str_hash (member->string) : 0, member->string };
  if (n > FEW_KEYS)
    sort_by_hash (keys, n);
  for (int first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && keys[end].hash == keys[first].hash; end++)
      ;
    if (end - first > 1)
      qsort (&keys[first], end - first, sizeof *keys, compare_names);
    for (i = first + 1; i < end; i++)
      if (strcmp (keys[i - 1].name, keys[i].name) == 0)
        return keys[i].name;
  }

  return NULL;
}

/* The recursion is as deep as the text is nested, which scan() has bounded. */
static const char *
find_duplicate (const cJSON *value)
{
  const char *name = cJSON_IsObject (value) ? find_duplicate_here (value) : NULL;
  const cJSON *child;

  if (name)
    return name;
  cJSON_ArrayForEach (child, value)
    if (child->child && (name = find_duplicate (child)))
      return name;

  return NULL;
}

static char *
describe (const cJSON *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (cJSON_IsString (value)) {
    g_autofree char *start = g_utf8_substring (value->valuestring, 0,
                                               MIN (g_utf8_strlen (value->valuestring, -1), 40));

    return g_strdup_printf ("\"%s\"", start);
  }
  if (cJSON_IsNumber (value))
    return g_strdup (g_ascii_formatd (number, sizeof number, "%.15g", value->valuedouble));
  if (cJSON_IsBool (value))
    return g_strdup (cJSON_IsTrue (value) ? "true" : "false");
  if (cJSON_IsArray (value))
    return g_strdup ("a list");

  return g_strdup (cJSON_IsObject (value) ? "an object" : "null");
}

static gboolean
refuse_value (const cJSON  *value,
              const char   *key,
              const char   *what,
              int           code,
              const char   *expected,
              GError      **error)
{
  g_autofree char *found = describe (value);

  g_set_error (error, ENG_ERROR, code, "%s: %s is %s, expected %s", what, key, found, expected);

  return FALSE;
}

/* NULL when the member is absent or null, which leaves a default in place. */
static const cJSON *
find_set (const cJSON *object,
          const char  *key)
{
  const cJSON *value = eng_json_find (object, key);

  return cJSON_IsNull (value) ? NULL : value;
}

static gboolean
refuse_errno (const char  *path,
              const char  *verb,
              int          code,
              GError     **error)
{
  g_set_error (error, ENG_ERROR, code == ENOENT ? ENG_ERROR_MISSING : ENG_ERROR_IO,
               "%s: cannot be %s: %s", path, verb, g_strerror (code));

  return FALSE;
}

static gboolean
read_all (int           fd,
          const char   *path,
          gsize         max_bytes,
          GByteArray   *contents,
          GError      **error)
{
  struct stat status;
  gssize n_read;

  if (fstat (fd, &status) != 0)
    return refuse_errno (path, "read", errno, error);
  if (!S_ISREG (status.st_mode)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: not a regular file", path);
    return FALSE;
  }
  do {
    guint8 block[65536];

    n_read = read (fd, block, sizeof block);
    if (n_read < 0 && errno == EINTR)
      continue;
    if (n_read < 0)
      return refuse_errno (path, "read", errno, error);
    if (n_read > 0 && contents->len + (gsize) n_read > max_bytes) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "%s: larger than the %" G_GSIZE_FORMAT
                   " bytes that are read of such a file", path, max_bytes);
      return FALSE;
    }
    g_byte_array_append (contents, block, (guint) MAX (n_read, 0));
  } while (n_read != 0);

  return TRUE;
}

cJSON *
eng_json_parse (const char  *text,
                gsize        length,
                int          max_depth,
                const char  *what,
                GError     **error)
{
  /* A terminated copy: cJSON 1.7.15 may look one byte past the end of a text that breaks off. An
   * empty file may come as NULL, of which g_strndup() makes no copy. */
  g_autofree char *copy = g_strndup (text ? text : "", length);
  g_autoptr (cJSON) value = NULL;
  const char *duplicate;

  if (!eng_json_check (copy, length, max_depth, what, error))
    return NULL;

  value = cJSON_ParseWithLength (copy, length + 1);
  if (!value) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: JSON that cannot be read", what);
    return NULL;
  }
  duplicate = find_duplicate (value);
  if (duplicate) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: the key \"%s\" stands twice in one object",
                 what, duplicate);
    return NULL;
  }

  return g_steal_pointer (&value);
}

char *
eng_json_load (const char  *path,
               gsize        max_bytes,
               gsize       *length,
               GError     **error)
{
  g_autoptr (GByteArray) contents = g_byte_array_new ();
  /* Not blocking: a pipe that lies where a file should be must not stop us. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gboolean done;

  if (fd < 0) {
    refuse_errno (path, "opened", errno, error);
    return NULL;
  }
  done = read_all (fd, path, MIN (max_bytes, G_MAXINT32), contents, error) &&
         eng_lfs_pointer_refuse (contents->data, contents->len, path, error);
  close (fd);
  if (!done)
    return NULL;
  *length = contents->len;
  g_byte_array_append (contents, (const guint8 *) "", 1);

  return (char *) g_byte_array_free (g_steal_pointer (&contents), FALSE);
}

cJSON *
eng_json_read (const char  *path,
               gsize        max_bytes,
               int          max_depth,
               GError     **error)
{
  gsize length;
  g_autofree char *text = eng_json_load (path, max_bytes, &length, error);

  return text ? eng_json_parse (text, length, max_depth, path, error) : NULL;
}

const cJSON *
eng_json_find (const cJSON *object,
               const char  *key)
{
  return cJSON_IsObject (object) ? cJSON_GetObjectItemCaseSensitive (object, key) : NULL;
}

gboolean
eng_json_get_int (const cJSON  *object,
                  const char   *key,
                  gint64        min,
                  gint64        max,
                  const char   *what,
                  gint64       *value,
                  GError      **error)
{
  const cJSON *found = find_set (object, key);
  g_autofree char *range = NULL;
  double number;

  if (!found)
    return TRUE;
  number = found->valuedouble;
  if (!cJSON_IsNumber (found) || number != trunc (number) || fabs (number) > MAX_EXACT_INTEGER)
    return refuse_value (found, key, what, ENG_ERROR_FORMAT, "a whole number", error);
  if ((gint64) number < min || (gint64) number > max) {
    range = g_strdup_printf ("a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                             min, max);
    return refuse_value (found, key, what, ENG_ERROR_RANGE, range, error);
  }
  *value = (gint64) number;

  return TRUE;
}

gboolean
eng_json_get_double (const cJSON  *object,
                     const char   *key,
                     const char   *what,
                     double       *value,
                     GError      **error)
{
  const cJSON *found = find_set (object, key);

  if (!found)
    return TRUE;
  if (!cJSON_IsNumber (found) || !isfinite (found->valuedouble))
    return refuse_value (found, key, what, ENG_ERROR_FORMAT, "a finite number", error);
  *value = found->valuedouble;

  return TRUE;
}

gboolean
eng_json_get_boolean (const cJSON  *object,
                      const char   *key,
                      const char   *what,
                      gboolean     *value,
                      GError      **error)
{
  const cJSON *found = find_set (object, key);

  if (!found)
    return TRUE;
  if (!cJSON_IsBool (found))
    return refuse_value (found, key, what, ENG_ERROR_FORMAT, "true or false", error);
  *value = cJSON_IsTrue (found);

  return TRUE;
}

gboolean
eng_json_get_string (const cJSON  *object,
                     const char   *key,
                     const char   *what,
                     const char  **value,
                     GError      **error)
{
  const cJSON *found = find_set (object, key);

  if (!found)
    return TRUE;
  if (!cJSON_IsString (found))
    return refuse_value (found, key, what, ENG_ERROR_FORMAT, "a text", error);
  *value = found->valuestring;

  return TRUE;
}

void
eng_json_add_number (cJSON      *object,
                     const char *key,
                     double      number)
{
  cJSON_AddItemToObject (object, key,
                         isnan (number) ? cJSON_CreateNull () : cJSON_CreateNumber (number));
}

static void
keep_digits (cJSON *number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 15; digits <= 17; digits++) {
    g_autofree char *format = g_strdup_printf ("%%.%dg", digits);

    g_ascii_formatd (text, sizeof text, format, number->valuedouble);
    if (g_ascii_strtod (text, NULL) == number->valuedouble)
      break;
  }
  number->valuestring = cJSON_malloc (strlen (text) + 1);
  memcpy (number->valuestring, text, strlen (text) + 1);
  number->type = (number->type & ~0xff) | cJSON_Raw;
}

void
eng_json_keep_digits (cJSON *json)
{
  cJSON *item;

  if (cJSON_IsNumber (json) && isfinite (json->valuedouble))
    keep_digits (json);
  cJSON_ArrayForEach (item, json)
    eng_json_keep_digits (item);
}
