/* SPDX-License-Identifier: MIT */
/* GGUF, the files of llama.cpp: a model in one file, what it says of itself before its tensors. A
 * checked reader over a mapped file; versions 2 and 3, little-endian. The data of tensors is not
 * read. Names, keys and shapes are llama.cpp's; engine/families/gguf-*.h and
 * engine/tokenizer/files/gguf-tokenizer.h make the hub's of them. */
#pragma once

#include "engine/checkpoint/gguf-values.h"
#include "engine/checkpoint/tensor-set.h"

G_BEGIN_DECLS

typedef struct {
  char          *path;
  GBytes        *bytes;
  EngGgufValues *values;
  EngTensorSet  *tensors; /* rows first, as everywhere: the file's sizes in reverse */
} EngGguf;

EngGguf  *eng_gguf_open       (const char  *path,
                               GError     **error);
/* Bytes in memory, for tests and fuzzing; what names them in messages. */
EngGguf  *eng_gguf_open_bytes (GBytes      *bytes,
                               const char  *what,
                               GError     **error);
void      eng_gguf_free       (EngGguf     *self);

/* The file that a place is: the place itself, or the only one of a folder that has no config.json,
 * where projectors of pictures (mmproj-*.gguf) do not count. NULL = it is no such place. *n_files
 * (nullable, out): how many there were to choose from. */
char     *eng_gguf_find       (const char  *place,
                               int         *n_files);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngGguf, eng_gguf_free)

G_END_DECLS
