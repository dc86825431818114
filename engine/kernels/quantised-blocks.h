/* SPDX-License-Identifier: MIT */
/* Quantised numbers as ggml stores them: a row of a tensor is a sequence of blocks, each of so many
 * small whole numbers q and what makes floats of them. d and m are halves of a block, s and t small
 * whole numbers of a group of a block:
 *
 *   Q4_0, Q5_0, Q8_0   32 numbers: d · q, with q from -8, -16 and -128
 *   Q4_1, Q5_1         32 numbers: d · q + m, with q from 0
 *   Q2_K               256 numbers in groups of 16: (d · s) · q - (m · t), with s and t of 4 bits
 *   Q3_K, Q6_K         256 numbers in groups of 16: (d · s) · q, with s of 6 and of 8 bits
 *   Q4_K, Q5_K         256 numbers in groups of 32: (d · s) · q - (m · t), s and t of 6 bits */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ENG_BLOCKS_Q4_0, ENG_BLOCKS_Q4_1, ENG_BLOCKS_Q5_0, ENG_BLOCKS_Q5_1, ENG_BLOCKS_Q8_0,
  ENG_BLOCKS_Q2_K, ENG_BLOCKS_Q3_K, ENG_BLOCKS_Q4_K, ENG_BLOCKS_Q5_K, ENG_BLOCKS_Q6_K,
  ENG_N_BLOCKS
} EngBlocks;

typedef struct {
  const char *name;
  int         n_numbers; /* of a block */
  int         n_bytes;
  /* One block, which need not be aligned, to out [n_numbers]. */
  void      (*unpack) (const guint8 *block,
                       float        *out);
} EngBlockFormat;

extern const EngBlockFormat eng_block_formats[ENG_N_BLOCKS];

G_END_DECLS
