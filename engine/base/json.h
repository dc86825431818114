/* SPDX-License-Identifier: MIT */
/* Reading JSON that comes from outside, over cJSON: bounded depth, no duplicate keys,
 * case-sensitive look-ups, and errors that name the file and the key ("config.json: hidden_size is
 * "big", expected a whole number"). what is the name that messages give the source, normally a
 * path. */
#pragma once

#include <cjson/cJSON.h>

#include "engine/base/error.h"

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (cJSON, cJSON_Delete)

/* Refuses: not UTF-8, not JSON (says at which byte), deeper than max_depth, anything but blanks
 * behind the value. text: length bytes and a NUL. Makes no tree: engine/base/json-cursor.h walks
 * over what was checked. */
gboolean    eng_json_check       (const char   *text,
                                  gsize         length,
                                  int           max_depth,
                                  const char   *what,
                                  GError      **error);
/* Refuses the same and an object with a key twice. */
cJSON      *eng_json_parse       (const char   *text,
                                  gsize         length,
                                  int           max_depth,
                                  const char   *what,
                                  GError      **error);
/* The bytes of a file of at most max_bytes, and a NUL behind them. (transfer full) */
char       *eng_json_load        (const char   *path,
                                  gsize         max_bytes,
                                  gsize        *length,
                                  GError      **error);
cJSON      *eng_json_read        (const char   *path,
                                  gsize         max_bytes,
                                  int           max_depth,
                                  GError      **error);

/* Member of an object or NULL; case matters. */
const cJSON *eng_json_find       (const cJSON  *object,
                                  const char   *key);

/* Absent or null: *value is left as it is (set it to the default before) and TRUE is returned.
 * Another type, or outside of [min, max]: FALSE with an error that names what and key. */
gboolean    eng_json_get_int     (const cJSON  *object,
                                  const char   *key,
                                  gint64        min,
                                  gint64        max,
                                  const char   *what,
                                  gint64       *value,
                                  GError      **error);
gboolean    eng_json_get_double  (const cJSON  *object,
                                  const char   *key,
                                  const char   *what,
                                  double       *value,
                                  GError      **error);
gboolean    eng_json_get_boolean (const cJSON  *object,
                                  const char   *key,
                                  const char   *what,
                                  gboolean     *value,
                                  GError      **error);
/* *value is borrowed from object. */
gboolean    eng_json_get_string  (const cJSON  *object,
                                  const char   *key,
                                  const char   *what,
                                  const char  **value,
                                  GError      **error);

/* Adds a number, or null where it is NaN, which JSON has not. */
void        eng_json_add_number  (cJSON        *object,
                                  const char   *key,
                                  double        number);
/* Every number in it is printed with as many digits as it takes to read the same one back, which
 * cJSON does not see to, and can no more be asked for. */
void        eng_json_keep_digits (cJSON        *json);

G_END_DECLS
