/* SPDX-License-Identifier: MIT */
/* What a GGUF file says of its model: keys and values of thirteen types, read in place. Every
 * length is checked when they are read, so that a value may then be walked over without. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

/* As the file numbers them. */
typedef enum {
  ENG_GGUF_U8, ENG_GGUF_I8, ENG_GGUF_U16, ENG_GGUF_I16, ENG_GGUF_U32, ENG_GGUF_I32, ENG_GGUF_F32,
  ENG_GGUF_BOOLEAN, ENG_GGUF_TEXT, ENG_GGUF_LIST, ENG_GGUF_U64, ENG_GGUF_I64, ENG_GGUF_F64,
  ENG_N_GGUF_TYPES
} EngGgufType;

typedef struct {
  EngGgufType   type;    /* of the items, where it is a list */
  gboolean      is_list;
  gint64        n;       /* 1 where it is no list */
  const guint8 *data;
} EngGgufValue;

/* Where the file is read next. */
typedef struct {
  const guint8 *data; /* the whole file */
  gsize         size;
  gsize         at;
} EngGgufCursor;

/* n bytes, or NULL when there are fewer. */
const guint8       *eng_gguf_take        (EngGgufCursor        *cursor,
                                          guint64               n);
gboolean            eng_gguf_take_u32    (EngGgufCursor        *cursor,
                                          guint32              *value);
gboolean            eng_gguf_take_u64    (EngGgufCursor        *cursor,
                                          guint64              *value);
/* A text with its length before it; not ended by NUL. */
gboolean            eng_gguf_take_text   (EngGgufCursor        *cursor,
                                          const char          **text,
                                          gsize                *length);

typedef struct _EngGgufValues EngGgufValues;

/* n keys with their values, from where the cursor stands; data must live as long. what names the
 * file in messages, here and below. */
EngGgufValues      *eng_gguf_values_read (EngGgufCursor        *cursor,
                                          guint64               n,
                                          const char           *what,
                                          GError              **error);
void                eng_gguf_values_free (EngGgufValues        *self);

/* NULL when absent */
const EngGgufValue *eng_gguf_values_find (const EngGgufValues  *self,
                                          const char           *key);
/* Absent: *value is left as it is and TRUE is returned. Another type, a list, outside of [min,
 * max]: FALSE with an error that names what and key. */
gboolean            eng_gguf_get_int     (const EngGgufValues  *self,
                                          const char           *key,
                                          gint64                min,
                                          gint64                max,
                                          gint64               *value,
                                          GError              **error);
gboolean            eng_gguf_get_double  (const EngGgufValues  *self,
                                          const char           *key,
                                          double               *value,
                                          GError              **error);
gboolean            eng_gguf_get_boolean (const EngGgufValues  *self,
                                          const char           *key,
                                          gboolean             *value,
                                          GError              **error);
/* (transfer full) NULL when absent; valid UTF-8. */
gboolean            eng_gguf_dup_text    (const EngGgufValues  *self,
                                          const char           *key,
                                          char                **value,
                                          GError              **error);
/* A list of such items, NULL when absent. FALSE where it is no such list. */
gboolean            eng_gguf_get_list    (const EngGgufValues  *self,
                                          const char           *key,
                                          EngGgufType           type,
                                          const EngGgufValue  **list,
                                          GError              **error);

/* Item i of a list of single-precision floats, of 32-bit whole numbers. */
float               eng_gguf_list_get_float (const EngGgufValue *list,
                                             gint64              i);
gint32              eng_gguf_list_get_int   (const EngGgufValue *list,
                                             gint64              i);
/* The text at *item of a list of texts, which begin at list->data; *item becomes the next one. Not
 * ended by NUL. */
const char         *eng_gguf_next_text   (const guint8        **item,
                                          gsize                *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngGgufValues, eng_gguf_values_free)

G_END_DECLS
