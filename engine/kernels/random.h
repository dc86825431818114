/* SPDX-License-Identifier: MIT */
/* Numbers that look drawn, each computed from where it stands: the number i of a stream is the
 * same whoever asks for it, in whatever order, on however many threads. SplitMix64 (Steele, Lea
 * and Flood 2014): the finaliser of key + (i + 1) · γ. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A key for one use of a seed: stream is any number of the caller's, as a layer's or a step's. */
guint64 eng_random_key     (guint64        seed,
                            guint64        stream);

/* 64 bits. */
static inline guint64
eng_random_bits (guint64 key,
                 guint64 i)
{
  guint64 z = key + (i + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);

  return z ^ (z >> 31);
}

/* Uniform in (0, 1). */
static inline double
eng_random_uniform (guint64 key,
                    guint64 i)
{
  guint64 bits = eng_random_bits (key, i) >> 12;

  return ((double) bits + 0.5) / (double) (G_GUINT64_CONSTANT (1) << 52);
}

/* out [n]: normally distributed around 0 with that deviation (Box and Muller 1958), the numbers
 * [0, n) of the key. Spread over the pool. */
void    eng_random_normals (guint64        key,
                            double         deviation,
                            gsize          n,
                            float         *out);

G_END_DECLS
