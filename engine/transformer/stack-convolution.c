/* SPDX-License-Identifier: MIT */
#include "engine/transformer/stack-private.h"

#include <string.h>

#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"

/* Features of a group. */
static int
get_group_size (const EngStackPass *self)
{
  return self->spec->hidden_size / self->stack->convolution.n_groups;
}

static int
count_rows (const EngStackPass *self)
{
  return self->n_sequences * self->n;
}

/* out [R, group size · kernel size]: what a group reads around each row of x [R, D], the taps of a
 * feature together; 0 beyond the ends of a sequence. */
static void
gather_surroundings (const EngStackPass *self,
                     int                 group,
                     const float        *x,
                     float              *out)
{
  int n_taps = self->stack->convolution.kernel_size, size = get_group_size (self);

  for (int row = 0; row < count_rows (self); row++)
    for (int feature = 0; feature < size; feature++)
      for (int tap = 0; tap < n_taps; tap++) {
        int shift = tap - n_taps / 2, token = row % self->n + shift;
        gsize place = ((gsize) row + shift) * self->spec->hidden_size + group * size + feature;

        *out++ = token >= 0 && token < self->n ? x[place] : 0;
      }
}

/* What a group makes of it, made [R, group size], goes to its columns of convolved [R, D]. */
static void
put_group (const EngStackPass *self,
           int                 group,
           const float        *made)
{
  gsize size = (gsize) get_group_size (self);

  for (gsize row = 0; row < (gsize) count_rows (self); row++)
    memcpy (self->convolved + row * self->spec->hidden_size + group * size, made + row * size,
            size * sizeof (float));
}

gsize
eng_stack_convolution_n_scratch (const EngStackPass *self)
{
  const EngConvolution *convolution = &self->stack->convolution;

  if (convolution->kernel_size == 0)
    return 0;

  return eng_products_n_scratch (count_rows (self),
                                 get_group_size (self) * convolution->kernel_size);
}

void
eng_stack_lay_out_convolution (EngStackPass *self,
                               EngArena     *arena)
{
  const EngConvolution *convolution = &self->stack->convolution;
  gsize n = (gsize) count_rows (self);

  if (convolution->kernel_size == 0)
    return;

  self->convolved = eng_arena_floats (arena, n * self->spec->hidden_size);
  self->surroundings = eng_arena_floats (arena, n * get_group_size (self) *
                                                (convolution->kernel_size + 1));
}

void
eng_stack_convolve (const EngStackPass *self,
                    const float        *x)
{
  const EngConvolution *convolution = &self->stack->convolution;
  const EngLinear *all = &self->weights->convolution;
  int size = get_group_size (self);
  gsize n_read = (gsize) size * convolution->kernel_size;
  float *made = self->surroundings + (gsize) count_rows (self) * n_read;

  for (int group = 0; group < convolution->n_groups; group++) {
    EngLinear linear = {
      .weight = all->weight + (gsize) group * size * n_read,
      .bias = all->bias != NULL ? all->bias + group * size : NULL,
      .out = size,
      .in = (int) n_read,
    };
    EngProduct product = { &linear, made };

    gather_surroundings (self, group, x, self->surroundings);
    eng_products (&product, 1, self->surroundings, count_rows (self), ENG_ACTIVATION_LINEAR,
                  self->products, self->cancel);
    put_group (self, group, made);
  }
  eng_activate (convolution->activation, self->convolved,
                (gsize) count_rows (self) * self->spec->hidden_size);
}
