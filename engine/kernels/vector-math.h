/* SPDX-License-Identifier: MIT */
/* Functions of vectors; as engine/kernels/vector.h, for the files that meson compiles once per set
 * of instructions. */
#pragma once

#include "engine/kernels/vector.h"

/* Bits of a float. */
#define ENG_MANTISSA_BITS 23
#define ENG_EXPONENT_BIAS 127
/* Added to a float below 2²², it leaves the nearest whole number in the low bits. */
#define ENG_ROUNDER 12582912.0f /* 1.5 · 2²³ */

ENG_INLINE EngVec
eng_vec_scale_add (EngVec x,
                   float  factor,
                   EngVec summand)
{
  return eng_vec_multiply_add (x, eng_vec_set (factor), summand);
}

/* Horner's step of a polynomial p at x. */
ENG_INLINE EngVec
eng_vec_add_power (EngVec p,
                   EngVec x,
                   float  coefficient)
{
  return eng_vec_multiply_add (p, x, eng_vec_set (coefficient));
}

/* eˣ to about one unit in the last place between -87.3 and 88; 0 below. 2ⁿ times a polynomial on
 * |r| ≤ ln 2 / 2 with r = x - n ln 2, ln 2 in two parts so that r is exact (Cody and Waite 1980);
 * the constants of the two parts and of (eʳ - 1 - r) / r² are those of Moshier's Cephes library. */
ENG_INLINE EngVec
eng_vec_exp (EngVec x)
{
  EngVec low = eng_vec_set (-87.33f);
  EngVec high = eng_vec_set (88.0f);
  EngVec inside = eng_vec_select (x > low, x, low);

  inside = eng_vec_select (inside < high, inside, high);

  EngVec shifted = eng_vec_scale_add (inside, 1.44269504f, eng_vec_set (ENG_ROUNDER));
  EngVec n = shifted - ENG_ROUNDER;
  EngVec r = eng_vec_scale_add (n, -0.693359375f, inside);

  r = eng_vec_scale_add (n, 2.12194440e-4f, r);

  EngVec p = eng_vec_set (1.9875691e-4f);

  p = eng_vec_add_power (p, r, 1.3981999e-3f);
  p = eng_vec_add_power (p, r, 8.3334519e-3f);
  p = eng_vec_add_power (p, r, 4.1665796e-2f);
  p = eng_vec_add_power (p, r, 1.6666667e-1f);
  p = eng_vec_add_power (p, r, 0.5f);
  p = eng_vec_multiply_add (p, r * r, r) + 1.0f;

  EngIntVec power = ((EngIntVec) shifted + ENG_EXPONENT_BIAS) << ENG_MANTISSA_BITS;

  return eng_vec_select (x > low, p * (EngVec) power, eng_vec_set (0));
}

/* erf to 1.5e-7 (Abramowitz and Stegun 7.1.26). */
ENG_INLINE EngVec
eng_vec_erf (EngVec x)
{
  EngVec size = eng_vec_select (x < 0, -x, x);
  EngVec t = 1.0f / eng_vec_scale_add (size, 0.3275911f, eng_vec_set (1));
  EngVec p = eng_vec_add_power (eng_vec_set (1.061405429f), t, -1.453152027f);

  p = eng_vec_add_power (p, t, 1.421413741f);
  p = eng_vec_add_power (p, t, -0.284496736f);
  p = eng_vec_add_power (p, t, 0.254829592f);

  EngVec y = eng_vec_multiply_add (-p * t, eng_vec_exp (-size * size), eng_vec_set (1));

  return eng_vec_select (x < 0, -y, y);
}

ENG_INLINE EngVec
eng_vec_sigmoid (EngVec x)
{
  return 1.0f / (1.0f + eng_vec_exp (-x));
}

ENG_INLINE EngVec
eng_vec_tanh (EngVec x)
{
  return 2.0f * eng_vec_sigmoid (2.0f * x) - 1.0f;
}
