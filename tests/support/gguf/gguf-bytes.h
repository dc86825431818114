/* SPDX-License-Identifier: MIT */
/* GGUF files put together by hand, sound or not, for tests of the readers. */
#pragma once

#include <string.h>

#include "engine/checkpoint/gguf.h"

#define GGUF_F32 0
#define GGUF_Q4_0 2

static inline void
gguf_bytes_add (GByteArray *bytes,
                guint64     number,
                guint       n_bytes)
{
  guint64 little = GUINT64_TO_LE (number);

  g_byte_array_append (bytes, (const guint8 *) &little, n_bytes);
}

static inline void
gguf_bytes_add_text (GByteArray *bytes,
                     const char *text)
{
  gguf_bytes_add (bytes, strlen (text), 8);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

static inline GByteArray *
gguf_bytes_new (guint32 version,
                guint64 n_tensors,
                guint64 n_keys)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) "GGUF", 4);
  gguf_bytes_add (bytes, version, 4);
  gguf_bytes_add (bytes, n_tensors, 8);
  gguf_bytes_add (bytes, n_keys, 8);

  return bytes;
}

/* A key and what type its value has; the value is to follow. */
static inline void
gguf_bytes_add_key (GByteArray  *bytes,
                    const char  *key,
                    EngGgufType  type)
{
  gguf_bytes_add_text (bytes, key);
  gguf_bytes_add (bytes, type, 4);
}

static inline void
gguf_bytes_add_u32 (GByteArray *bytes,
                    const char *key,
                    guint32     value)
{
  gguf_bytes_add_key (bytes, key, ENG_GGUF_U32);
  gguf_bytes_add (bytes, value, 4);
}

static inline void
gguf_bytes_add_words (GByteArray *bytes,
                      const char *key,
                      const char *value)
{
  gguf_bytes_add_key (bytes, key, ENG_GGUF_TEXT);
  gguf_bytes_add_text (bytes, value);
}

/* A list; n items are to follow. */
static inline void
gguf_bytes_add_list (GByteArray  *bytes,
                     const char  *key,
                     EngGgufType  type,
                     guint64      n)
{
  gguf_bytes_add_key (bytes, key, ENG_GGUF_LIST);
  gguf_bytes_add (bytes, type, 4);
  gguf_bytes_add (bytes, n, 8);
}

/* A matrix in the list of tensors. */
static inline void
gguf_bytes_add_tensor (GByteArray *bytes,
                       const char *name,
                       guint64     n_rows,
                       guint64     n_columns,
                       guint32     type,
                       guint64     offset)
{
  gguf_bytes_add_text (bytes, name);
  gguf_bytes_add (bytes, 2, 4);
  gguf_bytes_add (bytes, n_columns, 8);
  gguf_bytes_add (bytes, n_rows, 8);
  gguf_bytes_add (bytes, type, 4);
  gguf_bytes_add (bytes, offset, 8);
}

/* Zeros up to a multiple of 32, and n_data bytes that count 0, 1, 2, … behind them. Takes bytes. */
static inline GBytes *
gguf_bytes_end (GByteArray *bytes,
                gsize       n_data)
{
  while (bytes->len % 32 != 0)
    gguf_bytes_add (bytes, 0, 1);
  for (gsize i = 0; i < n_data; i++)
    gguf_bytes_add (bytes, i & 0xff, 1);

  return g_byte_array_free_to_bytes (bytes);
}
