/* SPDX-License-Identifier: MIT */
/* IEEE 754 binary16 to single precision, without the instructions that some machines have. */
#pragma once

#include <glib.h>
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

G_END_DECLS
