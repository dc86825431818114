/* SPDX-License-Identifier: MIT */
/* IEEE 754 binary16 to single precision and back, without the instructions that some machines
 * have. */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

G_BEGIN_DECLS

static inline float
eng_float_from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);

  return value;
}

/* Sign 1, exponent 5, fraction 10 bits. */
static inline float
eng_half_to_float (guint16 half)
{
  guint32 sign = (guint32) (half & 0x8000) << 16;
  guint32 exponent = (half >> 10) & 0x1f;
  guint32 fraction = half & 0x3ff;

  if (exponent == 0x1f)
    return eng_float_from_bits (sign | 0x7f800000 | (fraction << 13));
  if (exponent == 0) {
    /* Zero or subnormal: fraction · 2^-24, which F32 holds exactly. */
    float magnitude = (float) fraction * 0x1p-24f;

    return sign ? -magnitude : magnitude;
  }

  return eng_float_from_bits (sign | ((exponent + 112) << 23) | (fraction << 13));
}

/* The nearest, of two the even one; infinite from 65,520 on. */
static inline guint16
eng_half_from_float (float value)
{
  guint32 bits, magnitude;
  guint16 sign;

  memcpy (&bits, &value, sizeof bits);
  sign = (guint16) (bits >> 16 & 0x8000);
  magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00;
  if (magnitude >= 0x477ff000)
    return sign | 0x7c00;
  if (magnitude < 0x38800000)
    return sign | (guint16) rintf (eng_float_from_bits (magnitude) * 0x1p24f);

  return sign | (guint16) ((magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13);
}

G_END_DECLS
