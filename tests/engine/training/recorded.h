/* SPDX-License-Identifier: MIT */
/* What tests/record/record_training.py recorded. */
#pragma once

#include "engine/checkpoint/safetensors.h"
#include "tests/support/reference.h"

#define RECORDED_TOLERANCE 1e-5

static inline EngTensorSet *
recorded_open (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "training", name, NULL);
  g_autoptr (GError) error = NULL;
  EngTensorSet *tensors = eng_safetensors_open (path, &error);

  g_assert_no_error (error);

  return tensors;
}

/* stem.role, which must be there. */
static inline const EngTensor *
recorded_find (const EngTensorSet *tensors,
               const char         *stem,
               const char         *role)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", stem, role);
  const EngTensor *tensor = eng_tensor_set_find (tensors, name);

  if (!tensor)
    g_error ("%s was not recorded", name);

  return tensor;
}

/* (transfer full) */
static inline float *
recorded_dup (const EngTensor *tensor)
{
  float *values = g_new (float, tensor->n_elements);

  g_assert_true (eng_tensor_widen (tensor, values));

  return values;
}

/* found and expected [n], right to 1e-5 of the largest number expected; unit: of what counts as
 * none. */
static inline void
recorded_compare_numbers (const char  *what,
                          const char  *name,
                          const float *found,
                          const float *expected,
                          gsize        n,
                          double       unit)
{
  double largest = unit, worst = 0;

  for (gsize i = 0; i < n; i++) {
    double difference = fabs ((double) found[i] - (double) expected[i]);

    largest = MAX (largest, fabs ((double) expected[i]));
    worst = isnan (difference) ? INFINITY : MAX (worst, difference);
  }
  g_test_message ("%s %s: %.1e of %.1e", what, name, worst, largest);
  g_assert_cmpfloat (worst, <=, RECORDED_TOLERANCE * largest);
}

static inline void
recorded_compare (const char      *what,
                  const float     *found,
                  const EngTensor *tensor,
                  double           unit)
{
  g_autofree float *expected = recorded_dup (tensor);

  recorded_compare_numbers (what, tensor->name, found, expected, (gsize) tensor->n_elements, unit);
}
