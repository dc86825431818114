/* SPDX-License-Identifier: MIT */
/* Vectors of floats as wide as the instruction set that a file is compiled for, written with the
 * compilers' vector extensions so that one source serves all. Only for the files that meson
 * compiles once per set; they get ENG_ISA (portable, avx2, avx512) and the matching flags. */
#pragma once

#include <glib.h>
#include <string.h>

#if defined (__FMA__)
#include <immintrin.h>
#endif

#if defined (__AVX512F__)
#define ENG_LANES 16
#elif defined (__AVX2__)
#define ENG_LANES 8
#else
#define ENG_LANES 4
#endif

typedef float EngVec __attribute__ ((vector_size (ENG_LANES * sizeof (float))));
/* What comparing two of them gives. */
typedef __typeof__ ((EngVec) { 0 } < (EngVec) { 0 }) EngIntVec;
typedef guint8 EngByteVec __attribute__ ((vector_size (ENG_LANES)));
typedef float EngLooseVec
  __attribute__ ((vector_size (ENG_LANES * sizeof (float)), aligned (4), may_alias));
typedef float EngQuad __attribute__ ((vector_size (16)));
typedef float EngLooseQuad __attribute__ ((vector_size (16), aligned (4), may_alias));

#define ENG_INLINE static inline __attribute__ ((always_inline, unused))

/* A loop whose count is known after inlining: its body is repeated, so that arrays become
 * registers. */
#define ENG_PRAGMA(text) _Pragma (#text)
#if defined (__clang__)
#define ENG_UNROLL ENG_PRAGMA (unroll)
#else
#define ENG_UNROLL ENG_PRAGMA (GCC unroll 16)
#endif

#define ENG_ISA_PASTE(name, isa) name##_##isa
#define ENG_ISA_EXPAND(name, isa) ENG_ISA_PASTE (name, isa)
/* The name of a table for the set that is being compiled: eng_nn_kernels_avx2. */
#define ENG_ISA_NAME(name) ENG_ISA_EXPAND (name, ENG_ISA)

ENG_INLINE EngVec
eng_vec_load (const float *x)
{
  return *(const EngLooseVec *) x;
}

ENG_INLINE void
eng_vec_store (float  *x,
               EngVec  value)
{
  *(EngLooseVec *) x = value;
}

/* The first n lanes, the others fill. */
ENG_INLINE EngVec
eng_vec_load_part (const float *x,
                   int          n,
                   EngVec       fill)
{
  memcpy (&fill, x, n * sizeof (float));
  return fill;
}

ENG_INLINE void
eng_vec_store_part (float  *x,
                    int     n,
                    EngVec  value)
{
  memcpy (x, &value, n * sizeof (float));
}

/* value in every lane: x - 0 is x for every x, so it costs nothing; x + 0 would have to be computed
 * for -0. */
ENG_INLINE EngVec
eng_vec_set (float value)
{
  return value - (EngVec) { 0 };
}

/* a · b + c, rounded once where the set can. Left to the compiler, one loop has it and another one of
 * the same sum has not, and a row would depend on the other rows. */
ENG_INLINE EngVec
eng_vec_multiply_add (EngVec a,
                      EngVec b,
                      EngVec c)
{
#if defined (__AVX512F__)
  return (EngVec) _mm512_fmadd_ps ((__m512) a, (__m512) b, (__m512) c);
#elif defined (__FMA__)
  return (EngVec) _mm256_fmadd_ps ((__m256) a, (__m256) b, (__m256) c);
#else
  return a * b + c;
#endif
}

/* a where the mask's lanes are -1, b where they are 0. */
ENG_INLINE EngVec
eng_vec_select (EngIntVec mask,
                EngVec    a,
                EngVec    b)
{
  return (EngVec) (((EngIntVec) a & mask) | ((EngIntVec) b & ~mask));
}

ENG_INLINE EngVec
eng_vec_max (EngVec a,
             EngVec b)
{
  return eng_vec_select (a > b, a, b);
}

ENG_INLINE EngVec
eng_vec_min (EngVec a,
             EngVec b)
{
  return eng_vec_select (a < b, a, b);
}

ENG_INLINE float
eng_vec_sum (EngVec value)
{
  float sum = 0;

  for (int i = 0; i < ENG_LANES; i++)
    sum += value[i];
  return sum;
}

ENG_INLINE float
eng_vec_largest (EngVec value)
{
  float largest = value[0];

  for (int i = 1; i < ENG_LANES; i++)
    largest = MAX (largest, value[i]);
  return largest;
}
