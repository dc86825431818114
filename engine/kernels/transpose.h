/* SPDX-License-Identifier: MIT */
/* Square blocks whose rows become their columns, in the registers; as engine/kernels/vector.h, for
 * the files that meson compiles once for each set of instructions with at least eight lanes. */
#pragma once

#include "engine/kernels/vector.h"

/* Rows of a 4 × 4 block become its columns. */
ENG_INLINE void
eng_quad_transpose (EngQuad rows[4])
{
  EngQuad a = __builtin_shufflevector (rows[0], rows[1], 0, 4, 1, 5);
  EngQuad b = __builtin_shufflevector (rows[0], rows[1], 2, 6, 3, 7);
  EngQuad c = __builtin_shufflevector (rows[2], rows[3], 0, 4, 1, 5);
  EngQuad d = __builtin_shufflevector (rows[2], rows[3], 2, 6, 3, 7);

  rows[0] = __builtin_shufflevector (a, c, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector (a, c, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector (b, d, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector (b, d, 2, 3, 6, 7);
}

/* Lanes of two rows that are exchanged at a distance: what the first keeps, what the second
 * gets. */
#if ENG_LANES == 16
#define FIRST_8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define SECOND_8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define FIRST_4 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define SECOND_4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define FIRST_2 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define SECOND_2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define FIRST_1 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define SECOND_1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#else
#define FIRST_4 0, 1, 2, 3, 8, 9, 10, 11
#define SECOND_4 4, 5, 6, 7, 12, 13, 14, 15
#define FIRST_2 0, 1, 8, 9, 4, 5, 12, 13
#define SECOND_2 2, 3, 10, 11, 6, 7, 14, 15
#define FIRST_1 0, 8, 2, 10, 4, 12, 6, 14
#define SECOND_1 1, 9, 3, 11, 5, 13, 7, 15
#endif

#define EXCHANGE(distance)                                                                        \
  ENG_UNROLL                                                                                      \
  for (int row = 0; row < ENG_LANES; row++)                                                       \
    if ((row & distance) == 0) {                                                                  \
      EngVec a = rows[row];                                                                       \
      EngVec b = rows[row + distance];                                                            \
                                                                                                  \
      rows[row] = __builtin_shufflevector (a, b, FIRST_##distance);                               \
      rows[row + distance] = __builtin_shufflevector (a, b, SECOND_##distance);                   \
    }

/* Rows of a square block become its columns. */
ENG_INLINE void
eng_vec_transpose (EngVec rows[ENG_LANES])
{
#if ENG_LANES == 16
  EXCHANGE (8)
#endif
  EXCHANGE (4)
  EXCHANGE (2)
  EXCHANGE (1)
}
