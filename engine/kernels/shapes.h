/* SPDX-License-Identifier: MIT */
/* What the products and rows of numbers of a transformer look like in memory, and the functions
 * that are named by a word: what weights, passes and traces have in common. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ENG_ACTIVATION_GELU,       /* x/2 · (1 + erf (x/√2)) */
  ENG_ACTIVATION_GELU_TANH,  /* x/2 · (1 + tanh (√(2/π) (x + 0.044715 x³))) */
  ENG_ACTIVATION_QUICK_GELU, /* x · sigmoid (1.702 x) */
  ENG_ACTIVATION_RELU,
  ENG_ACTIVATION_SILU,
  ENG_ACTIVATION_TANH,
  ENG_ACTIVATION_GELU_10,    /* the GELU, cut off at -10 and 10 */
  ENG_ACTIVATION_MISH,       /* x · tanh (log (1 + e^x)) (Misra 2019) */
  ENG_ACTIVATION_LINEAR,
  ENG_ACTIVATION_RELU_SQUARED /* max (x, 0)² (So et al. 2021) */
} EngActivation;

/* Layer norm: (x - mean) / √(variance + eps) · weight + bias with the biased variance; RMS norm:
 * x / √(mean x² + eps) · weight. */
typedef enum { ENG_NORM_LAYER, ENG_NORM_RMS } EngNormKind;

/* y = x · weightᵀ + bias; weight [out, in] row-major as torch stores a Linear; bias [out] or
 * NULL. */
typedef struct {
  const float *weight;
  const float *bias;
  int          out;
  int          in;
} EngLinear;

typedef struct {
  const float *weight; /* [features that are normed] */
  const float *bias;   /* or NULL */
} EngNorm;

/* [n_heads, rows, size] floats: element (h, r, c) at data[h * head_stride + r * row_stride + c]. A
 * forward keeps them as the products left them, [rows, n_heads * size]; a file as [n_heads, rows,
 * size]. */
typedef struct {
  const float *data; /* NULL = not there */
  gsize        head_stride;
  gsize        row_stride;
} EngHeadRows;

G_END_DECLS
