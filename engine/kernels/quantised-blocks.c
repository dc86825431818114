/* SPDX-License-Identifier: MIT */
#include "engine/kernels/quantised-blocks.h"

#include "engine/kernels/half.h"

#define SMALL 32 /* numbers of a block of the first formats */
#define LARGE 256

static float
read_half (const guint8 *bytes)
{
  return eng_half_to_float ((guint16) (bytes[0] | bytes[1] << 8));
}

static guint32
read_u32 (const guint8 *bytes)
{
  return bytes[0] | (guint32) bytes[1] << 8 | (guint32) bytes[2] << 16 | (guint32) bytes[3] << 24;
}

/* Of a byte the low half is number i and the high half number i + 16. Where there are fifth bits,
 * bit i of fifth is that of number i. zero: what stands for 0. */
static void
unpack_nibbles (const guint8 *nibbles,
                guint32       fifth,
                int           zero,
                float         d,
                float         m,
                float        *out)
{
  for (int i = 0; i < SMALL / 2; i++) {
    int low = (nibbles[i] & 15) | (int) (fifth >> i & 1) << 4;
    int high = nibbles[i] >> 4 | (int) (fifth >> (i + SMALL / 2) & 1) << 4;

    out[i] = d * (float) (low - zero) + m;
    out[i + SMALL / 2] = d * (float) (high - zero) + m;
  }
}

static void
unpack_q4_0 (const guint8 *block,
             float        *out)
{
  unpack_nibbles (block + 2, 0, 8, read_half (block), 0, out);
}

static void
unpack_q4_1 (const guint8 *block,
             float        *out)
{
  unpack_nibbles (block + 4, 0, 0, read_half (block), read_half (block + 2), out);
}

static void
unpack_q5_0 (const guint8 *block,
             float        *out)
{
  unpack_nibbles (block + 6, read_u32 (block + 2), 16, read_half (block), 0, out);
}

static void
unpack_q5_1 (const guint8 *block,
             float        *out)
{
  unpack_nibbles (block + 8, read_u32 (block + 4), 0, read_half (block), read_half (block + 2),
                  out);
}

static void
unpack_q8_0 (const guint8 *block,
             float        *out)
{
  float d = read_half (block);

  for (int i = 0; i < SMALL; i++)
    out[i] = d * (float) (gint8) block[2 + i];
}

/* Scales [16], a byte of s and t each; two bits [64]; d; m. Of the 32 bytes of a half of the block
 * bits 0 and 1 are its first 32 numbers, bits 2 and 3 the next. */
static void
unpack_q2_k (const guint8 *block,
             float        *out)
{
  float d = read_half (block + 80);
  float m = read_half (block + 82);

  for (int group = 0; group < LARGE / 16; group++) {
    const guint8 *bits = block + 16 + 32 * (group / 8) + 16 * (group % 2);
    int shift = group % 8 / 2 * 2;
    float scale = d * (float) (block[group] & 15);
    float minimum = m * (float) (block[group] >> 4);

    for (int i = 0; i < 16; i++)
      *out++ = scale * (float) (bits[i] >> shift & 3) - minimum;
  }
}

/* Third bits [32], a bit of each byte for every 32 numbers, turned; two bits [64] as in Q2_K;
 * scales [12]; d. */
static void
unpack_q3_k (const guint8 *block,
             float        *out)
{
  const guint8 *scales = block + 96;
  float d = read_half (block + 108);

  for (int group = 0; group < LARGE / 16; group++) {
    const guint8 *third = block + 16 * (group % 2);
    const guint8 *bits = block + 32 + 32 * (group / 8) + 16 * (group % 2);
    int shift = group % 8 / 2 * 2;
    int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
    int high = scales[8 + group % 4] >> (2 * (group / 4)) & 3;
    float scale = d * (float) ((low | high << 4) - 32);

    for (int i = 0; i < 16; i++) {
      int without = (third[i] >> (group / 2) & 1) ? 0 : 4;

      *out++ = scale * (float) ((bits[i] >> shift & 3) - without);
    }
  }
}

/* s and t of a group of Q4_K and Q5_K, from 12 bytes: those of the first four groups are six bits
 * of a byte, those of the last four are four bits there and the two that the first left over. */
static void
read_scale (const guint8 *scales,
            int           group,
            int          *s,
            int          *t)
{
  if (group < 4) {
    *s = scales[group] & 63;
    *t = scales[group + 4] & 63;
  } else {
    *s = (scales[group + 4] & 15) | scales[group - 4] >> 6 << 4;
    *t = scales[group + 4] >> 4 | scales[group] >> 6 << 4;
  }
}

/* d; m; scales [12]; fifth bits [32] or NULL, a bit of each byte for every group; four bits [128],
 * the low halves of 32 bytes a group and the high ones the next. */
static void
unpack_groups (const guint8 *block,
               const guint8 *fifth,
               const guint8 *nibbles,
               float        *out)
{
  float d = read_half (block);
  float m = read_half (block + 2);

  for (int group = 0; group < LARGE / 32; group++) {
    const guint8 *bytes = nibbles + 32 * (group / 2);
    int shift = 4 * (group % 2);
    int s, t;
    float scale, minimum;

    read_scale (block + 4, group, &s, &t);
    scale = d * (float) s;
    minimum = m * (float) t;
    for (int i = 0; i < 32; i++) {
      int high = fifth ? fifth[i] >> group & 1 : 0;

      *out++ = scale * (float) ((bytes[i] >> shift & 15) | high << 4) - minimum;
    }
  }
}

static void
unpack_q4_k (const guint8 *block,
             float        *out)
{
  unpack_groups (block, NULL, block + 16, out);
}

static void
unpack_q5_k (const guint8 *block,
             float        *out)
{
  unpack_groups (block, block + 16, block + 48, out);
}

/* Four bits [128]; two high bits [64]; s [16], with sign; d. A half of the block has four times 32
 * numbers: of the low halves of its 64 bytes and of the high ones; of bits 0 and 1 of its 32 bytes,
 * 2 and 3 and so on. */
static void
unpack_q6_k (const guint8 *block,
             float        *out)
{
  float d = read_half (block + 208);

  for (int group = 0; group < LARGE / 16; group++) {
    int half = group / 8;
    int quarter = group % 8 / 2;
    const guint8 *low = block + 64 * half + 32 * (quarter % 2) + 16 * (group % 2);
    const guint8 *high = block + 128 + 32 * half + 16 * (group % 2);
    float scale = d * (float) (gint8) block[192 + group];

    for (int i = 0; i < 16; i++) {
      int q = (low[i] >> (4 * (quarter / 2)) & 15) | (high[i] >> (2 * quarter) & 3) << 4;

      *out++ = scale * (float) (q - 32);
    }
  }
}

const EngBlockFormat eng_block_formats[ENG_N_BLOCKS] = {
  [ENG_BLOCKS_Q4_0] = { "Q4_0", SMALL, 18, unpack_q4_0 },
  [ENG_BLOCKS_Q4_1] = { "Q4_1", SMALL, 20, unpack_q4_1 },
  [ENG_BLOCKS_Q5_0] = { "Q5_0", SMALL, 22, unpack_q5_0 },
  [ENG_BLOCKS_Q5_1] = { "Q5_1", SMALL, 24, unpack_q5_1 },
  [ENG_BLOCKS_Q8_0] = { "Q8_0", SMALL, 34, unpack_q8_0 },
  [ENG_BLOCKS_Q2_K] = { "Q2_K", LARGE, 84, unpack_q2_k },
  [ENG_BLOCKS_Q3_K] = { "Q3_K", LARGE, 110, unpack_q3_k },
  [ENG_BLOCKS_Q4_K] = { "Q4_K", LARGE, 144, unpack_q4_k },
  [ENG_BLOCKS_Q5_K] = { "Q5_K", LARGE, 176, unpack_q5_k },
  [ENG_BLOCKS_Q6_K] = { "Q6_K", LARGE, 210, unpack_q6_k },
};
