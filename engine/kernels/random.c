/* SPDX-License-Identifier: MIT */
#include "engine/kernels/random.h"

#include <math.h>

#include "engine/kernels/pool.h"

#define CHUNK 8192

typedef struct {
  guint64  key;
  double   deviation;
  gsize    n;
  float   *out;
} NormalsCall;

guint64
eng_random_key (guint64 seed,
                guint64 stream)
{
  return eng_random_bits (eng_random_bits (seed, 0), stream);
}

static void
draw_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  const NormalsCall *call = data;
  gsize first = (gsize) chunk * CHUNK, last = MIN (first + CHUNK, call->n);

  for (gsize i = first; i < last; i++) {
    double radius = sqrt (-2 * log (eng_random_uniform (call->key, 2 * i)));

    call->out[i] = (float) (call->deviation * radius *
                            cos (2 * G_PI * eng_random_uniform (call->key, 2 * i + 1)));
  }
}

void
eng_random_normals (guint64  key,
                    double   deviation,
                    gsize    n,
                    float   *out)
{
  NormalsCall call = { key, deviation, n, out };

  eng_pool_run ((int) ((n + CHUNK - 1) / CHUNK), draw_chunk, &call, NULL);
}
